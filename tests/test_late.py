"""OpenSSL stays out of a process until something speaks TLS, and is all there then."""

from __future__ import annotations

import subprocess
import sys
from types import ModuleType

import pytest

from mnemod.late import Late, put_off

_BEFORE = """
import sys
from mnemod.late import put_off
put_off()
import trio, hashlib, hmac, secrets
assert "_ssl" not in sys.modules and not sys.modules.get("_hashlib"), "OpenSSL is loaded"
assert hashlib.sha256(b"").hexdigest().startswith("e3b0c442")
assert hashlib.blake2b(b"", key=b"k").digest_size == 64
"""
_AFTER = """
import ssl
context = ssl.create_default_context()
assert isinstance(context, ssl.SSLContext) and "_ssl" in sys.modules
assert trio.SSLStream and isinstance(trio._ssl._stdlib_ssl.SSLError(), OSError)
import ssl as again
assert type(again).__name__ == "module" and again.SSLContext is ssl.SSLContext
"""


def test_a_process_has_no_openssl_before_it_speaks_tls_and_all_of_it_then() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _BEFORE + _AFTER], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_what_is_loaded_already_stays() -> None:
    loaded = ModuleType("ssl")
    modules: dict[str, ModuleType | None] = {"ssl": loaded, "_hashlib": loaded}

    put_off(modules)

    assert modules == {"ssl": loaded, "_hashlib": loaded}


def test_a_python_without_digests_of_its_own_keeps_those_of_openssl() -> None:
    modules: dict[str, ModuleType | None] = {}

    put_off(modules, lambda name: None if name == "_blake2" else name)

    assert "_hashlib" not in modules
    assert isinstance(modules["ssl"], Late)


@pytest.mark.parametrize("name", ["__path__", "__file__", "__warningregistry__"])
def test_who_looks_at_every_module_loads_none(name: str) -> None:
    assert not hasattr(Late("a_module_that_is_not_there"), name)
