#!/usr/bin/env bash
# Speaks to an installed mnemod over stdio, from / and with an empty environment, and checks what
# comes back: `bash packaging/smoke.sh /path/to/mnemod`.
set -euo pipefail
mnemod=$(readlink -f "$1")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

cat > "$scratch/requests" <<'REQUESTS'
{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocol_versions":[1],"client":{"name":"smoke","version":"1"},"account":"smoke","host_id":"smoke","tier":"local"}}
{"jsonrpc":"2.0","id":2,"method":"observe","params":{"event_id":"e1","conversation_id":"c1","messages":[{"message_id":"m1","role":"user","content":"The kiln shelf posts are 15 cm tall."}]}}
{"jsonrpc":"2.0","id":3,"method":"recall_preview","params":{"query":"how tall are the kiln shelf posts?"}}
REQUESTS

ask() { (cd / && env -i HOME="$scratch/home" PATH=/usr/bin:/bin "$mnemod" "$@"); }
mkdir "$scratch/home"

check() {
    local name=$1 replies=$2
    [ "$(wc -l < "$replies")" -eq 3 ] || { echo "$name: not three replies" >&2; exit 1; }
    grep -q '"protocol_version":1' "$replies" || { echo "$name: no initialize" >&2; exit 1; }
    grep -q '"outcome":"stored"' "$replies" || { echo "$name: not stored" >&2; exit 1; }
    grep -q 'The kiln shelf posts are 15 cm tall' <(grep '"id":3' "$replies") \
        || { echo "$name: not recalled" >&2; exit 1; }
    echo "$name: three calls answered"
}

ask --version
ask serve --stdio --alone --data-dir "$scratch/alone" < "$scratch/requests" > "$scratch/out1"
check "alone, from a file" "$scratch/out1"
# shellcheck disable=SC2002  # a pipe is what is tested
cat "$scratch/requests" | ask serve --stdio --data-dir "$scratch/shared" > "$scratch/out2"
check "through the daemon, from a pipe" "$scratch/out2"
ask stop --data-dir "$scratch/shared"
