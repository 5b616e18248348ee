"""Which account a command works on when none is named."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemod.commands import account
from mnemod.exits import Exit, Refused
from mnemod.ids import AccountId
from mnemod.store.files import account_folder
from tests.cli.conftest import Run
from tests.support.fake_daemon import FakeDaemon


def make(data_dir: Path, *names: str) -> None:
    for name in names:
        (data_dir / "accounts" / account_folder(AccountId(name))).mkdir(parents=True)


@given(st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._@+-]{0,30}", fullmatch=True))
def test_a_folder_tells_the_account_it_was_made_for(name: str) -> None:
    assert account.name_of(account_folder(AccountId(name))) == name


@pytest.mark.parametrize("folder", ["==ab12", "_", "=zz", "Mia", "é", "=c3", ""])
def test_a_folder_no_account_has_tells_nothing(folder: str) -> None:
    assert account.name_of(folder) is None


def test_the_only_account_is_taken(data_dir: Path) -> None:
    make(data_dir, "Mia")

    assert account.the_only(data_dir) == "Mia"


def test_the_first_account_is_called_default(data_dir: Path) -> None:
    assert account.the_only(data_dir) == "default"


def test_of_several_accounts_none_is_guessed(data_dir: Path) -> None:
    make(data_dir, "b", "a")

    with pytest.raises(Refused, match=r"\(a, b\)") as refused:
        account.the_only(data_dir)

    assert refused.value.code == Exit.USAGE


@pytest.mark.parametrize("name", ["zoe", "Ada Lovelace", "x" * 300])
def test_a_command_that_looks_makes_no_account_of_a_slip(
    data_dir: Path, daemon: FakeDaemon, mnemod: Run, name: str
) -> None:
    make(data_dir, "b")

    ran = mnemod("recall", "x", "--account", name)

    assert (ran.code, daemon.asked) == (Exit.USAGE, [])
    assert ran.err.endswith("; there are: b, default\n")
    assert account.there_are(data_dir) == ["b", "default"]


def test_where_nothing_is_kept_a_command_that_looks_says_so_and_makes_nothing(
    data_dir: Path, mnemod: Run
) -> None:
    ran = mnemod("jobs")

    assert ran.code == Exit.USAGE
    assert ran.err.startswith(f"mnemod: nothing is kept in {data_dir} yet")
    assert not data_dir.exists()


def test_a_call_by_hand_may_make_an_account(
    data_dir: Path, daemon: FakeDaemon, mnemod: Run
) -> None:
    daemon.answers["ping"] = {}

    ran = mnemod("rpc", "ping", "--account", "new")

    assert ran.code == 0
    [hello] = daemon.params_of("initialize")
    assert hello["account"] == "new"


def test_the_account_named_is_the_one_that_is_opened_and_read_as_local(
    data_dir: Path, daemon: FakeDaemon, mnemod: Run
) -> None:
    make(data_dir, "a", "b")
    daemon.answers["ping"] = {}

    ran = mnemod("rpc", "ping", "--account", "b")

    assert ran.code == 0
    [hello] = daemon.params_of("initialize")
    assert (hello["account"], hello["tier"], hello["host_id"]) == ("b", "local", "mnemod-cli")
