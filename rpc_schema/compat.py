"""Whether a host written for an older contract still works with a newer one.

Compares two OpenRPC documents, the older one frozen under `released/`. What would break a host is
allowed only when the protocol version is raised. What it may rely on:

    requests    every method, every type, every value it sends is taken as before: no new required
                member, no member or enum value removed, no limit narrowed, no type or default
                changed
    replies     every member it reads is there as before: none removed, none turned optional, none
                that can now be null, no type changed (new members and new enum values are allowed:
                hosts ignore the one and keep the other)
    errors      every kind keeps its code and whether a retry helps
    behaviour   what was idempotent still is, and what could be called before initialize still can
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

Json = Mapping[str, Any]

_LOWER: Final = ("minimum", "minLength", "minItems")
_UPPER: Final = ("maximum", "maxLength", "maxItems")
_EXACT: Final = ("type", "pattern", "format", "$ref")


def breaks(old: Json, new: Json) -> list[str]:
    """Every break of `new` against `old`, each a sentence that names the place; none is good."""
    if _protocol(new) > _protocol(old):
        return []
    return list(_breaks(old, new))


def _protocol(document: Json) -> int:
    version: int = document["info"]["x-protocol-version"]
    return version


def _breaks(old: Json, new: Json) -> Iterator[str]:
    yield from _in_methods(old, new)
    yield from _in_types(old, new)
    yield from _in_errors(old["components"]["errors"], new["components"]["errors"])


def _in_methods(old: Json, new: Json) -> Iterator[str]:
    now = {method["name"]: method for method in new["methods"]}
    for method in old["methods"]:
        name = method["name"]
        if name not in now:
            yield f"{name}: the method is gone"
            continue
        for word in ("x-params", "x-direction"):
            if method.get(word) != now[name].get(word):
                yield f"{name}: another {word}"
        if _result(method) != _result(now[name]):
            yield f"{name}: another type of result"
        for word in ("x-idempotent", "x-before-initialize"):
            if method.get(word) and not now[name].get(word):
                yield f"{name}: no longer {word.removeprefix('x-')}"


def _result(method: Json) -> object:
    return method.get("result", {}).get("schema")


def _in_types(old: Json, new: Json) -> Iterator[str]:
    before, after = old["components"]["schemas"], new["components"]["schemas"]
    sent, shown = _reached(old, _request_roots), _reached(old, _reply_roots)
    for name, schema in before.items():
        if name not in after:
            yield f"{name}: the type is gone"
            continue
        if name in sent:
            yield from _narrowed(name, schema, after[name])
        if name in shown:
            yield from _weakened(name, schema, after[name])


def _in_errors(old: Json, new: Json) -> Iterator[str]:
    for kind, error in old.items():
        if kind not in new:
            yield f"{kind}: the error kind is gone"
        elif (error["code"], error["data"]) != (new[kind]["code"], new[kind]["data"]):
            yield f"{kind}: another code, or another word on whether to retry"


def _narrowed(place: str, old: Json, new: Json) -> Iterator[str]:
    """What `old` let a host send and `new` does not."""
    yield from _changed(place, old, new)
    yield from _tightened(place, old, new)
    for value in old.get("enum", []):
        if value not in new.get("enum", [value]):
            yield f"{place}: {value!r} is no longer taken"
    if "enum" in new and "enum" not in old:
        yield f"{place}: only some values are still taken"
    if old.get("default") != new.get("default"):
        yield f"{place}: another default"
    for name in new.get("required", []):
        if name not in old.get("required", []):
            yield f"{place}.{name}: is required now"
    for name, inner in _members(old):
        if name in new.get("properties", {}):
            yield from _narrowed(f"{place}.{name}", inner, new["properties"][name])
        elif new.get("additionalProperties") is False:
            yield f"{place}.{name}: is no longer taken"
    if old.get("additionalProperties") is True and new.get("additionalProperties") is False:
        yield f"{place}: unknown members are no longer taken"
    if "items" in old and "items" in new:
        yield from _narrowed(f"{place}[]", old["items"], new["items"])
    for option in old.get("anyOf", []):
        if "anyOf" in new and option not in new["anyOf"]:
            yield f"{place}: {option} is no longer taken"


def _weakened(place: str, old: Json, new: Json) -> Iterator[str]:
    """What a host could read in `old` and cannot in `new`."""
    yield from _changed(place, old, new)
    for name in old.get("required", []):
        if name in new.get("properties", {}) and name not in new.get("required", []):
            yield f"{place}.{name}: may be left out now"
    for name, inner in _members(old):
        if name not in new.get("properties", {}):
            yield f"{place}.{name}: is gone"
        else:
            yield from _weakened(f"{place}.{name}", inner, new["properties"][name])
    if "items" in old and "items" in new:
        yield from _weakened(f"{place}[]", old["items"], new["items"])
    for option in new.get("anyOf", []):
        if "anyOf" in old and option not in old["anyOf"]:
            yield f"{place}: can be {option} now"


def _changed(place: str, old: Json, new: Json) -> Iterator[str]:
    for word in _EXACT:
        if old.get(word) != new.get(word):
            yield f"{place}: another {word}"
    for word in ("anyOf", "items"):
        if (word in old) != (word in new):
            yield f"{place}: another shape"


def _tightened(place: str, old: Json, new: Json) -> Iterator[str]:
    for word in _LOWER:
        if new.get(word, float("-inf")) > old.get(word, float("-inf")):
            yield f"{place}: {word} is higher"
    for word in _UPPER:
        if new.get(word, float("inf")) < old.get(word, float("inf")):
            yield f"{place}: {word} is lower"


def _members(schema: Json) -> list[tuple[str, Json]]:
    return list(schema.get("properties", {}).items())


def _request_roots(document: Json) -> Iterator[Json]:
    for method in document["methods"]:
        if method.get("x-direction") != "to_client":
            yield method["x-params"]


def _reply_roots(document: Json) -> Iterator[Json]:
    for method in document["methods"]:
        if "result" in method:
            yield method["result"]["schema"]
        elif method.get("x-direction") == "to_client":
            yield method["x-params"]


def _reached(document: Json, roots: Callable[[Json], Iterator[Json]]) -> set[str]:
    """The names of the types that the schemas of `roots` lead to."""
    schemas = document["components"]["schemas"]
    seen: set[str] = set()
    waiting = [name for root in roots(document) for name in _names(root)]
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            waiting.extend(_names(schemas[name]))
    return seen


def _names(schema: Json) -> Iterator[str]:
    if "$ref" in schema:
        yield schema["$ref"].rpartition("/")[2]
    inner = [*schema.get("properties", {}).values(), *schema.get("anyOf", [])]
    for one in (*inner, *([schema["items"]] if "items" in schema else [])):
        yield from _names(one)
