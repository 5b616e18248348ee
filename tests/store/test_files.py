"""Two accounts never share a folder, no id leaves its place, and a network disk is refused."""

from __future__ import annotations

import os
import stat
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemod.errors import StorageUnsupported
from mnemod.ids import AccountId
from mnemod.store import files

_IDS = st.text(max_size=200).map(AccountId)


def _as_the_worst_disk_sees_it(name: str) -> str:
    """One that takes capitals for small letters and one spelling of an accent for another."""
    return unicodedata.normalize("NFKD", name).casefold()


@pytest.mark.parametrize(
    ("account_id", "folder"),
    [
        ("mia", "mia"),
        ("Mia", "_mia"),
        ("mia_k", "mia=5fk"),
        ("a/b", "a=2fb"),
        ("..", "=2e=2e"),
        ("caf\u00e9", "caf=c3=a9"),
        ("cafe\u0301", "cafe=cc=81"),
        ("", ""),
    ],
)
def test_a_folder_is_its_accounts_id_made_safe(account_id: str, folder: str) -> None:
    assert files.account_folder(AccountId(account_id)) == folder


@given(_IDS, _IDS)
def test_two_ids_have_two_folders_even_on_the_worst_disk(one: AccountId, other: AccountId) -> None:
    folders = {_as_the_worst_disk_sees_it(files.account_folder(each)) for each in (one, other)}

    assert len(folders) == len({one, other})


@given(st.text(alphabet="aA_=éÉ", max_size=4), st.text(alphabet="aA_=éÉ", max_size=4))
def test_ids_that_differ_in_case_or_escapes_alone_have_two_folders(one: str, other: str) -> None:
    folders = {files.account_folder(AccountId(each)) for each in (one, other)}

    assert len(folders) == len({one, other})


@given(_IDS.filter(bool))
def test_a_folder_is_one_short_plain_name(account_id: AccountId) -> None:
    folder = files.account_folder(account_id)

    assert len(folder) <= 120
    assert set(folder) <= set("abcdefghijklmnopqrstuvwxyz0123456789-_=")


def test_an_id_of_512_characters_has_a_folder_too(tmp_path: Path) -> None:
    longest = AccountId("\u732b" * 512)

    files.make_private_folder(files.account_file(tmp_path, longest).parent)

    assert files.account_folder(longest).startswith("==")


def test_every_folder_that_is_made_is_its_owners_alone_whatever_the_umask(tmp_path: Path) -> None:
    umask = os.umask(0)
    try:
        files.make_private_folder(tmp_path / "data" / "accounts" / "mia")
    finally:
        os.umask(umask)

    made = [tmp_path / "data", tmp_path / "data" / "accounts", tmp_path / "data/accounts/mia"]
    assert [stat.S_IMODE(folder.stat().st_mode) for folder in made] == [0o700] * 3


def test_a_folder_that_was_there_keeps_its_mode(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)

    files.make_private_folder(tmp_path)

    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o755


def test_a_private_file_is_never_made_over_another(tmp_path: Path) -> None:
    files.create_private(tmp_path / "memory.db")

    with pytest.raises(FileExistsError):
        files.create_private(tmp_path / "memory.db")


@pytest.mark.parametrize("kind", ["nfs4", "cifs", "9p", "virtiofs", "fuse.sshfs", "fuse.glusterfs"])
def test_a_disk_shared_with_another_machine_is_refused(tmp_path: Path, kind: str) -> None:
    with pytest.raises(StorageUnsupported) as refused:
        files.require_local_disk(tmp_path, lambda folder: kind)

    assert dict(refused.value.details) == {"disk_kind": kind}


@pytest.mark.parametrize("kind", ["ext4", "xfs", "btrfs", "tmpfs", "overlay", "fuseblk", ""])
def test_a_disk_of_this_machine_is_taken(tmp_path: Path, kind: str) -> None:
    files.require_local_disk(tmp_path, lambda folder: kind)


def test_the_kind_of_a_disk_is_that_of_the_innermost_mount() -> None:
    assert files.disk_kind(Path("/proc")) == "proc"


def test_a_folder_that_is_not_there_yet_has_the_disk_it_would_be_made_on(tmp_path: Path) -> None:
    assert files.disk_kind(tmp_path / "not" / "yet") == files.disk_kind(tmp_path) != ""
