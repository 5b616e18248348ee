"""Work goes on after a crash though no host ever comes back."""

from __future__ import annotations

from mnemod.ids import AccountId
from mnemod.store.files import account_file
from mnemod.store.unfinished import account_with_work
from tests.support.processes import Place, wait_until
from tests.support.rpc import observe_params


def test_what_was_said_is_formed_by_a_daemon_nobody_speaks_to(place: Place) -> None:
    workless = place.spawn(env={"MNEMOD_FORMATION_INTERPRETER": "none"})
    workless.client.initialize("ada")
    workless.client.call("observe", **observe_params("I keep bees on my roof."))
    path = account_file(place.data_dir, AccountId("ada"))
    place.kill_daemon()

    assert account_with_work(path) == "ada"
    assert place.run("ensure").returncode == 0
    wait_until(lambda: account_with_work(path) is None)

    host = place.spawn()
    host.client.initialize("ada")
    items = host.client.call("query_world", operation="list")["items"]
    assert [item["text"] for item in items] == ["I keep bees on my roof."]
