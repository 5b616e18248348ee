"""A mnemod that a command spawns for itself, spoken to over its stdin and stdout."""

from __future__ import annotations

import subprocess

from mnemod.transport.client import Client


def client_of(process: subprocess.Popen[bytes]) -> Client:
    """A client on the pipes of `process`; closing it closes its stdin, which ends it."""
    assert process.stdin is not None
    assert process.stdout is not None
    return Client(process.stdout.fileno(), process.stdin.fileno(), process.stdin.close)


def see_out(process: subprocess.Popen[bytes], within_s: float) -> None:
    """Wait for the end of `process`, which was hung up on; one that stays is killed."""
    try:
        process.wait(within_s)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    if process.stdout is not None:
        process.stdout.close()
