"""Options of every command that works on one account, and the connection they lead to.

Without `--account` the command takes the only account there is; with several it asks which, because
a guess would show another's words. Only `rpc` makes an account: a slip of the keys in a command
that looks must leave nothing behind. A command that a person runs reads as tier `local`: nothing
leaves this machine.
"""

from __future__ import annotations

import re
from argparse import ArgumentParser, Namespace
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from mnemod.commands import place
from mnemod.commands.terminal.words import visible
from mnemod.exits import Exit, Refused
from mnemod.ids import AccountId
from mnemod.store.files import account_folder
from mnemod.transport import discovery
from mnemod.transport.attach import attach_by_command
from mnemod.transport.client import Client
from mnemod.transport.directories import make_private
from mnemod.transport.this_program import ourselves

HOST_ID: Final = "mnemod-cli"
DEFAULT: Final = "default"

_ESCAPE: Final = re.compile(r"=([0-9a-f]{2})|_([a-z])")


def parser(command: str, summary: str) -> ArgumentParser:
    """A parser for `mnemod <command>` that knows the data directory, configuration and account."""
    made = place.parser(command, summary)
    made.add_argument("--account", metavar="NAME", help="whose memory (the only one there is)")
    return made


def connect(
    options: Namespace, *, tier: str = "local", host_id: str = HOST_ID, may_make: bool = False
) -> Client:
    """A connection bound to the account meant, the daemon started if need be.

    Raises Refused; 2 if there is no such account and the command may not make it.
    """
    data_dir = place.data_dir(options)
    account = options.account or the_only(data_dir)
    if not may_make:
        _require_there(data_dir, account)
    make_private(data_dir)
    client = Client.over(attach_by_command(data_dir, _ensure(data_dir, options)))
    with ExitStack() as undo:
        undo.callback(client.close)
        client.initialize(account, host_id=host_id, tier=tier)
        undo.pop_all()
    return client


def configuration(options: Namespace) -> list[str]:
    """The arguments that hand the configuration named here on to a mnemod that is spawned."""
    return ["--config", str(Path(options.config).absolute())] if options.config else []


def running(data_dir: Path) -> Client | None:
    """A connection to the daemon of `data_dir`, not bound to an account; None if none runs."""
    sock = discovery.connect(data_dir)
    return Client.over(sock) if sock else None


def the_only(data_dir: Path) -> str:
    """The account to take when none is named. Raises Refused (2) when there are several."""
    names = there_are(data_dir)
    if len(names) > 1:
        listed = ", ".join(names)
        raise Refused(Exit.USAGE, f"there are several accounts; add --account NAME ({listed})")
    return names[0] if names else DEFAULT


def _require_there(data_dir: Path, name: str) -> None:
    if (data_dir / "accounts" / account_folder(AccountId(name))).is_dir():
        return
    if names := there_are(data_dir):
        raise Refused(
            Exit.USAGE, f"there is no account {visible(name)}; there are: {', '.join(names)}"
        )
    raise Refused(
        Exit.USAGE, f"nothing is kept in {data_dir} yet: the first host that connects begins it"
    )


def there_are(data_dir: Path) -> list[str]:
    """The names of all accounts of a data directory, sorted. Very long names are not among them."""
    folders = data_dir / "accounts"
    found = folders.iterdir() if folders.is_dir() else ()
    names = ((folder.name, name_of(folder.name)) for folder in found if folder.is_dir())
    return sorted(name for folder, name in names if name is not None)


def name_of(folder: str) -> str | None:
    """The account whose folder this is; None where the folder's name does not tell."""
    try:
        name = _unescaped(folder)
    except ValueError:
        return None
    return name if name and account_folder(AccountId(name)) == folder else None


def _unescaped(folder: str) -> str:
    """`folder` read backwards, without asking whether it is one. Raises ValueError."""
    plain = _ESCAPE.sub(
        lambda found: chr(int(found[1], 16)) if found[1] else found[2].upper(), folder
    )
    return plain.encode("latin-1").decode()


def _ensure(data_dir: Path, options: Namespace) -> list[str]:
    return [*ourselves(), "ensure", "--data-dir", str(data_dir), *configuration(options)]
