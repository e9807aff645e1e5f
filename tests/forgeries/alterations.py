"""What may be changed in JSON data: every number, every list and every entry, a place at a time."""

from __future__ import annotations

import pickle
import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

Data = Any
Path = tuple[Any, ...]
LONG = 40
"""Texts longer than this are proofs, which have forgeries of their own."""


def paths(data: Data, path: Path = ()) -> Iterator[Path]:
    """The way to every value inside."""
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in items:
        yield (*path, key)
        yield from paths(value, (*path, key))


def at(data: Data, path: Path) -> Data:
    """The value at the end of a way."""
    for key in path:
        data = data[key]
    return data


def others(value: Data) -> Iterator[Data]:
    """What may stand in place of a value."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (value + 1, value - 1, 2 * value, -value, 0, value + 9)
    elif isinstance(value, str) and len(value) < LONG:
        if re.fullmatch("-?[0-9]+(/[0-9]+)?", value):
            whole, _, part = value.partition("/")
            slash = f"/{part}" if part else ""
            yield from (f"{2 * int(whole)}{slash}", f"-{value}", "0", f"{int(whole) + 9}{slash}")
            yield f"{whole}/{2 * int(part or 1)}"
        yield "other"
    elif isinstance(value, list):
        yield []
        if value:
            yield from (value[1:], value[:-1], [*value, value[-1]], [*value, value[0]], value[::-1])
        if len(value) > 1:
            yield [value[1], value[0], *value[2:]]
    elif isinstance(value, dict):
        yield {}
    yield None


def altered(data: Data, most: int) -> Iterator[Data]:
    """The data with one change each: another value somewhere, or an entry left out; at most so many, spread
    evenly.
    """
    changes = [
        (path, other)
        for path in paths(data)
        for other in (*others(at(data, path)), LEFT_OUT)
        if other != at(data, path)
    ]
    step = max(1, -(-len(changes) // most))
    unchanged = pickle.dumps(data)
    for path, other in islice(changes, 0, None, step):
        changed = pickle.loads(unchanged)
        place = at(changed, path[:-1])
        if other is LEFT_OUT:
            del place[path[-1]]
        else:
            place[path[-1]] = other
        yield changed


LEFT_OUT = object()
"""Stands for an entry that is not there."""
