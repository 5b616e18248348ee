"""What the lines of a machine look like: logs, stack traces of the usual languages, hex dumps."""

from __future__ import annotations

import re
from typing import Final

_MONTH_DAY: Final = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [ \d]\d \d\d:\d\d:\d\d"
_STAMP: Final = (
    r"\[?(?:\d{4}[-/.]\d\d?[-/.]\d\d?[T ,_]+\d\d?:\d\d(?::\d\d)?(?:[.,]\d{1,9})?|"
    rf"\d\d:\d\d:\d\d(?:[.,]\d{{1,9}})?|{_MONTH_DAY}|1[0-9]{{9}}(?:\.?\d{{3,6}})?)"
    r"(?: ?(?:Z|UTC|GMT|[+-]\d\d:?\d\d))?\]?"
)
_LEVEL: Final = (
    r"(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|ERR|FATAL|CRITICAL|CRIT|SEVERE|PANIC|EMERG|"
    r"ALERT|VERBOSE|FINE|debug|info|warn|warning|error|fatal|trace|notice)"
)
# Between the time and the level stand a process, a thread, a module: at most four of them.
_ORIGIN: Final = r"(?:[\w.$/:@#\[\](),-]{1,80}[ \t|]{1,8}(?:- )?){0,4}?"
LOG: Final = re.compile(
    rf"(?:{_STAMP}[\s|:,-]{{0,8}}{_ORIGIN}[\[<(]?(?:level=)?{_LEVEL}\b[\]>)]?.*|"
    rf"[\[<(]?{_LEVEL}[\]>):]*[\s|:-]{{1,8}}{_STAMP}.*|"
    r"(?:level|lvl|ts|time|timestamp)=\S+ \w+=.*|"
    rf"{_MONTH_DAY} \S+ [\w./-]+(?:\[\d+\])?: .*|"
    r"\d{1,3}(?:\.\d{1,3}){3} \S+ \S+ \[[^\]]{10,40}\] \".*|"
    r"\[ {0,8}\d{1,8}\.\d{3,9}\] .*|"
    r"\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} +\d+ +\d+ [VDIWEF] .*|"
    r"[IWEF]\d{4} \d\d:\d\d:\d\d\.\d+ +\d+ \S+\] .*)"
)
"""A line of a log: a time and a level, or the fixed forms of syslog, web servers and kernels."""

_BYTES: Final = r"(?:[0-9a-fA-F]{2}|[0-9a-fA-F]{4}|[0-9a-fA-F]{8})"
_OFFSET: Final = r"(?:0x)?[0-9a-fA-F]{4,16}[:|]?"
# Nothing that is passed is given back: no other way through a line would end where it does.
_HEX_HEAD: Final = (
    rf"(?:{_OFFSET}[ \t]++(?:{_BYTES}[ \t-]{{1,3}}+){{4,32}}+.{{0,80}}+|"
    r"(?:[0-9a-fA-F]{2} ++){11,64}+[0-9a-fA-F]{0,2}+|(?:0x[0-9a-fA-F]{2},? *+){8,64}+)"
)
_LINE_END: Final = r"[^\S\n]*+$"
HEX_HEAD: Final = re.compile(_HEX_HEAD + _LINE_END, re.MULTILINE)
"""The first line of a hex dump: an offset and bytes, or at least a dozen bytes."""
HEX: Final = re.compile(
    rf"(?:{_HEX_HEAD}|{_OFFSET}(?:[ \t]++{_BYTES}){{0,32}}(?:[ \t]++\S{{1,32}}+)?|\*|"
    rf"(?:[0-9a-fA-F]{{2}} *+){{1,64}}+){_LINE_END}"
)

_ERROR: Final = (
    r"(?:[\w$]+[./:\\]{1,2}){0,12}[\w$]*(?:Error|Exception|Exit|Interrupt|Warning|Fault|Iteration|"
    r"Failure|Throwable|Timeout)\b"
)
TRACE_HEAD: Final = re.compile(
    r"(?:Traceback \(most recent call last\):\s*$|"
    r"(?:(?:Exception in thread \"[^\"\n]{0,80}\"|Caused by:|Uncaught|"
    r"Unhandled (?:exception|rejection)[.:]?|(?:PHP )?Fatal error:) {1,4}){0,3}"
    rf"{_ERROR}(?::.*|\s*$)|"
    r"goroutine \d+ \[|panic: .*|thread '[^'\n]{0,80}' (?:\(\d+\) )?panicked at|"
    r"(?:stack backtrace|Stack trace|Call Trace|Backtrace):|fatal error: .*|"
    r"SIG[A-Z]{3,5}\b.*|Segmentation fault.*|Program received signal.*|"
    r"\S+:\d+:in [`'].*|#0 +.*|\*\*\* .{1,100} \*\*\*.*|\s*at \S.*|  File \".*|==\d+==.*|"
    r"\[?\w*\]? ?(?:ERROR|FATAL|error|Error):? .{0,80}$(?=\n\s+at ))",
    re.MULTILINE,
)
"""The first line of a stack trace."""
FRAME: Final = re.compile(
    r"(?:\s+at .*|at \S+[.(]\S*\(.*\)|  +\S.*|\t.*|\s*\^[\s~^]*|\.\.\. \d+ (?:more|common).*|"
    r"#\d+ .*|\s*\d+: +(?:0x[0-9a-f]+ - )?\S.*|goroutine \d+ .*|created by .*|exit status \d+|"
    r"[\w./*()$\[\]{}<>-]+\([\w, .*{}?]{0,200}\)|\S+:\d+(?::\d+)?(?::in [`'].*| \+0x.*)?|"
    r"During handling of the above exception, another exception occurred:|"
    r"The above exception was the direct cause of the following exception:|"
    r"note: run with `RUST_BACKTRACE=.*|note: [Ss]ome details are omitted.*|thrown(?: in .*)?|"
    r"--- End of .*|=+>? .*|==\d+==.*|\[[Pp]revious .*|Node\.js v.*|"
    r"\w{2,4}[:=] ?(?:0x)?[0-9a-f]{8,16}\b.*|Suppressed: .*|[{}\])]|nil|\[signal .*)\s*$"
)
"""Any other line of a stack trace, source lines included: these are indented."""

_CALL: Final = (
    r"[ \t]*(?:at \S.*[(:]|File \".*\", line \d|#\d+ |from \S+:\d+|\S+\.\w{1,5}:\d+|"
    r"\d+: +(?:0x[0-9a-f]+ - )?\w+(?:::|$)|note: run with `RUST_BACKTRACE|thread '|"
    r"\.\.\. \d+ more|goroutine \d+ |==\d+==)"
)
STRONG_FRAME: Final = re.compile(f"^{_CALL}", re.MULTILINE)
"""What nobody writes by hand, however he indents: the place of a call."""
STRONG_LINE: Final = re.compile(
    rf"(?:{_CALL}|Traceback \(most recent|{_ERROR}:|Caused by: |\s+self\.|\s+return )"
)
"""A line of a trace as it stands in a log."""
MESSAGE_LINE: Final = re.compile(
    r"(thread '[^'\n]{0,80}'[^\n]{0,200}panicked at [^\n]{0,200}:\n)[^\n]*"
)
"""Rust tells what went wrong on a line of its own; `sub` with its first group takes it out."""

LISTING: Final = re.compile(
    r"(?:total \d{1,9}|[-dlcbps][rwxsStT-]{9}[.+@]? +\d{1,6} \S.*|\./?:|\S{1,200}:)\s*$"
)
"""A line of `ls -l`."""
LISTING_HEAD: Final = re.compile(r"(?:total \d{1,9}\n)?[-dlcbps][rwxsStT-]{9}[.+@]? +\d{1,6} \S")
HTTP_HEAD: Final = re.compile(
    r"(?:HTTP/\d(?:\.\d)? \d{3}\b|(?:GET|POST|PUT|DELETE|HEAD|PATCH|OPTIONS) \S{1,2000} HTTP/\d)"
)
"""How a request or an answer over HTTP begins."""
HTTP: Final = re.compile(rf"(?:{HTTP_HEAD.pattern}.*|[A-Za-z][A-Za-z0-9-]{{1,40}}: ?\S.*)$")
ROWS: Final = re.compile(
    r"(?:INSERT INTO [^\n(]{1,120}(?:\([^)\n]{0,400}\) ?)?VALUES ?\(.*|\(.{0,2000}\)[,;]|"
    r"npm (?:ERR!|WARN|error) .*)$"
)
"""A line of a database's export, or of a package manager's report."""
ROWS_HEAD: Final = re.compile(r"INSERT INTO |npm (?:ERR!|WARN|error) ")

_FIELD: Final = r"(?:-?\d[\d.eE+-]{0,30}|[A-Za-z_-]{0,8}\d{1,12}|true|false|null|nan|NaN|)"
TABLE_ROW: Final = re.compile(
    rf"\"?\d{{4}}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{{1,9}})?)?(?:Z|[+-]\d\d:?\d\d)?\"?"
    rf"(?:[,;\t]{_FIELD}){{1,60}}$"
)
"""A row of measurements: when, and then nothing but numbers and codes."""
TABLE_HEAD: Final = re.compile(
    rf"(?:[A-Za-z_][\w.]{{0,24}}[,;\t]){{1,60}}[A-Za-z_][\w.]{{0,24}}\n{TABLE_ROW.pattern}",
    re.MULTILINE,
)
"""The names of a table's columns, above its first row."""
