"""The contract is refused, with file, member and reason, for whatever is outside its notation."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rpc_schema.contract import read
from rpc_schema.generate import generate
from rpc_schema.targets.model import Refused
from tests.support.contracts import Edit, copy_contract, edit


def put(*path: str, value: object) -> Edit:
    """An edit that sets the member at `path`."""

    def change(contract: dict[str, Any]) -> None:
        *above, last = path
        place = contract
        for name in above:
            place = place[name]
        place[last] = value

    return change


def drop(*path: str) -> Edit:
    """An edit that takes the member at `path` out."""

    def change(contract: dict[str, Any]) -> None:
        *above, last = path
        place = contract
        for name in above:
            place = place[name]
        del place[last]

    return change


def test_the_contract_as_it_stands_is_taken(tmp_path: Path) -> None:
    schema = read(copy_contract(tmp_path))

    assert {"observe", "recall_preview", "preview_forget"} <= {m.name for m in schema.calls}


REFUSED: list[tuple[str, Edit, str]] = [
    # --- types.json
    ("types.json", put("Sundry", value={"doc": "Odd.", "type": "string"}),
     "types.json: Sundry: no method uses this type"),
    ("types.json", drop("Tier", "doc"), "types.json: Tier: has no doc"),
    ("types.json", put("Tier", "doc", value=" "), "types.json: Tier: has no doc"),
    ("types.json", put("Tier", "doc", value='Say """it""".'),
     "types.json: Tier: a doc is one line, with no backslash and no three quotes in a row"),
    ("types.json", put("Tier", "unit", value="km"), "types.json: Tier: unknown key 'unit'"),
    ("types.json", put("Tier", "enum", value=[]), "types.json: Tier: an enum has values"),
    ("types.json", put("Tier", "enum", value=["local", "local"]),
     "types.json: Tier: 'local' stands twice"),
    ("types.json", put("Tier", "enum", value=[1]), "types.json: Tier: must be a list of strings"),
    ("types.json", put("Tier", "fields", value={}),
     "types.json: Tier: needs exactly one of type, enum, fields, free, any_of"),
    ("types.json", put("tier", value={"doc": "Odd.", "type": "string"}),
     "types.json: tier: a type's name is CamelCase"),
    ("types.json", put("Limit", "type", value="int"),
     "types.json: Limit: a named type stands on string, integer, number or boolean"),
    ("types.json", put("Limit", "maxLength", value=5),
     "types.json: Limit: integer types have no maxLength"),
    ("types.json", put("Limit", "minimum", value="1"), "types.json: Limit: minimum must be int"),
    ("types.json", put("Limit", "minimum", value=True), "types.json: Limit: minimum must be int"),
    ("types.json", put("Instant", "format", value="uuid"),
     "types.json: Instant: the only format is date-time"),
    ("types.json", put("Free", "free", value=False),
     "types.json: Free: free is true or left out"),
    ("types.json", put("RequestKey", "any_of", value=["string"]),
     "types.json: RequestKey: any_of takes two or more types, none of them null"),
    ("types.json", put("RequestKey", "any_of", value=["string", "integer|null"]),
     "types.json: RequestKey: any_of takes two or more types, none of them null"),
    ("types.json", put("RequestKey", "any_of", value=["string", "Tier"]),
     "types.json: RequestKey: any_of in a request takes primitives"),
    ("types.json", put("RequestKey", "any_of", value=["string", "Tyre"]),
     "types.json: RequestKey: unknown type 'Tyre'"),
    ("types.json", put("Message", "fields", "role", value="Rolle"),
     "types.json: Message.role: unknown type 'Rolle'"),
    ("types.json", put("Message", "fields", "role", value="{Role}"),
     "types.json: Message.role: cannot read the type '{Role}'"),
    ("types.json", put("Message", "fields", "role", value={"type": ["Role"]}),
     "types.json: Message.role: a type is written as a string; objects need a name of their own"),
    ("types.json", put("Message", "fields", "role", value={"fields": {"a": "string"}}),
     "types.json: Message.role: an object needs a type of its own in types.json"),
    ("types.json", put("Message", "fields", "role", value={"doc": "Odd."}),
     "types.json: Message.role: needs exactly one of type, enum"),
    ("types.json", put("Message", "fields", "role?", value="Role"),
     "types.json: Message.role: both required and optional"),
    ("types.json", put("Message", "fields", "Role", value="Role"),
     "types.json: Message.Role: a member's name is snake_case"),
    ("types.json", put("Message", "fields", "role", value={"type": "Role", "minLength": 1}),
     "types.json: Message.role: named types have no minLength"),
    ("types.json", put("Message", "fields", "content", value="string|null"),
     "types.json: Message.content: a request says nothing by null: leave it out"),
    ("types.json", put("Message", "fields", "role", value={"type": "Role", "default": "user"}),
     "types.json: Message.role: a required member has no default"),
    ("types.json", put("ItemRow", "fields", "name?", value={"type": "string", "default": "Bo"}),
     "types.json: ItemRow.name: only a request has defaults"),
    ("types.json", put("ObserveParams", value={"doc": "Odd.", "fields": {"of?": "ObserveParams"}}),
     "types.json: ObserveParams: no method uses this type"),
    # --- errors.json
    ("errors.json", put("errors", "busy", "code", value=1032),
     "errors.json: deadline_exceeded: code 1032 is taken"),
    ("errors.json", put("errors", "busy", "retryable", value="yes"),
     "errors.json: busy: takes a number, true or false, and a sentence"),
    ("errors.json", drop("errors", "busy", "message"), "errors.json: busy: has no message"),
    ("errors.json", put("groups", "store", value=["busyy"]),
     "errors.json: groups.store: unknown error kind 'busyy'"),
    ("errors.json", put("errors", "idle", value={"code": 9, "retryable": True, "message": "x"}),
     "errors.json: idle: no method answers with this error"),
    ("errors.json", drop("groups"), "errors.json: has no groups"),
    # --- info.json and examples.json
    ("info.json", put("schema_version", value="1.0"),
     "info.json: schema_version: must be three numbers with dots"),
    ("info.json", put("protocol_version", value="1"),
     "info.json: protocol_version: must be int"),
    ("info.json", put("call_members", "_meta?", value="CalMeta"),
     "info.json: call_members._meta: unknown type 'CalMeta'"),
    ("examples.json", put("types", "Teir", value="local"),
     "examples.json: types: unknown type 'Teir'"),
    # --- methods
    ("methods/observe.json", drop("doc"), "methods/observe.json: has no doc"),
    ("methods/observe.json", drop("errors"), "methods/observe.json: has no errors"),
    ("methods/observe.json", drop("method"), "methods/observe.json: has no method"),
    ("methods/observe.json", put("method", value="obserf"),
     "methods/observe.json: the file of 'obserf' is called methods/obserf.json"),
    ("methods/observe.json", put("kind", value="order"),
     "methods/observe.json: kind: unknown kind 'order'"),
    ("methods/observe.json", put("since", value="1"),
     "methods/observe.json: since: must be a protocol version"),
    ("methods/observe.json", put("idempotent", value=1),
     "methods/observe.json: idempotent: must be true or false"),
    ("methods/observe.json", put("direction", value="to_client"),
     "methods/observe.json: unknown key 'direction'"),
    ("methods/observe.json", put("errors", value=["event_id_conflct"]),
     "methods/observe.json: errors: unknown error kind 'event_id_conflct'"),
    ("methods/observe.json", put("error_groups", value=["al"]),
     "methods/observe.json: error_groups: unknown error group 'al'"),
    ("methods/observe.json", put("params", "messages", value={"type": "[Mesage]"}),
     "methods/observe.json: params.messages: unknown type 'Mesage'"),
    ("methods/observe.json", put("params", value=[]),
     "methods/observe.json: params: must be an object"),
    ("methods/observe.json", put("result", value="Tier"),
     "methods/observe.json: result: a result is an object"),
    ("methods/observe.json", put("result", value="[Message]"),
     "methods/observe.json: result: a result is an object"),
    ("methods/exit.json", put("errors", value=[]), "methods/exit.json: unknown key 'errors'"),
    ("methods/exit.json", put("direction", value="both"),
     "methods/exit.json: direction: to_server or to_client"),
    ("methods/daemon_stop.json", put("params", "mode?", "default", value="later"),
     "methods/daemon_stop.json: params.mode: 'later' is not of its type"),
    ("methods/recall_preview.json", put("params", "explain?", "default", value=1),
     "methods/recall_preview.json: params.explain: 1 is not of its type"),
]  # fmt: skip


@pytest.mark.parametrize(("file", "change", "refusal"), REFUSED, ids=[row[2] for row in REFUSED])
def test_it_is_refused_with_file_member_and_reason(
    tmp_path: Path, file: str, change: Edit, refusal: str
) -> None:
    folder = copy_contract(tmp_path)
    edit(folder / file, change)

    with pytest.raises(Refused) as refused:
        read(folder)

    assert str(refused.value) == refusal


@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        ('{"Tier": 1, "Tier": 2}', "types.json: 'Tier' stands twice in one object"),
        ("[]", "types.json: must be an object"),
        ("{", "types.json: not JSON"),
    ],
)
def test_a_file_that_is_not_one_plain_object_is_refused(
    tmp_path: Path, text: str, refusal: str
) -> None:
    folder = copy_contract(tmp_path)
    (folder / "types.json").write_text(text, "utf-8")

    with pytest.raises(Refused, match=refusal):
        read(folder)


def test_a_type_named_like_one_that_is_made_for_a_method_is_refused(tmp_path: Path) -> None:
    folder = copy_contract(tmp_path)
    edit(folder / "types.json", rename("Topic", "PingParams"))
    edit(folder / "types.json", put("Capabilities", "fields", "subscriptions", value="PingParams"))
    edit(folder / "methods/subscribe.json", put("params", "topic", value="PingParams"))

    with pytest.raises(Refused, match=r"types.json: PingParams: this name is made for a method"):
        read(folder)


def test_a_member_with_no_example_stops_the_samples(tmp_path: Path) -> None:
    folder = copy_contract(tmp_path)
    edit(folder / "examples.json", drop("members", "subscription_id"))

    with pytest.raises(Refused, match=r"examples.json: members.subscription_id: has no example"):
        generate(tmp_path)


def rename(old: str, new: str) -> Callable[[dict[str, Any]], object]:
    def change(contract: dict[str, Any]) -> None:
        contract[new] = contract.pop(old)

    return change
