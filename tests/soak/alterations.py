"""Every entry of a saved result left out, or replaced by what does not belong there. A check refuses the file
or says what does not hold, in one line; it ends in no traceback, takes no long time, and passes no altered
claim.
"""

from __future__ import annotations

import json
import traceback
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

from schedsolve.certify.check import check_data
from schedsolve.runtime.errors import InputError
from schedsolve.runtime.files.number_reader import parse_json
from schedsolve.runtime.limits.budget import Budget, OverBudgetError, within
from tests.soak.saved_results import LINES, saved

Data = Any
Path = tuple[Any, ...]

SECONDS = 20
LEFT_OUT = object()
MOST_ENTRIES = 4
"""Of a list that are altered: the first ones and the last."""


def _nested(depth: int) -> list[Any]:
    return [_nested(depth - 1)] if depth else []


VALUES: dict[str, Any] = {
    "left out": LEFT_OUT,
    "null": None,
    "true": True,
    "no text": "",
    "a text": "x",
    "-1": -1,
    "0": 0,
    "1": 1,
    "1.5": 1.5,
    "infinite": float("inf"),
    "a list": [],
    "a list of 0": [0],
    "an object": {},
    "31 digits": 10**30,
    "991 digits": 10**990,
    "an exponent": "1e999999999",
    "a fraction": "1/3",
    "a long fraction": "9" * 990 + "/" + "7" * 989,
    "nested": _nested(90),
}
CLAIMS = {
    "format", "model", "task", "status", "objective", "side", "kind", "rounds", "any_rounds", "problem_id",
    "sha256",
}  # fmt: skip
"""Keys whose value, a number or a text, is a claim, or names one: another value may never pass."""
NO_CLAIMS = {"reason", "runtime_seconds", "stopped"}
"""Keys whose value is for people and claims nothing."""


def paths(data: Data, path: Path = ()) -> Iterator[Path]:
    """The paths of all entries, in long lists those of a few."""
    items: list[tuple[Any, Any]] = list(data.items()) if isinstance(data, dict) else []
    if isinstance(data, list):
        items = list(enumerate(data))
        items = items if len(items) <= MOST_ENTRIES else [*items[: MOST_ENTRIES - 1], items[-1]]
    for key, value in items:
        yield (*path, key)
        yield from paths(value, (*path, key))


def entry(data: Data, path: Path) -> Data:
    """What stands at a path."""
    for key in path:
        data = data[key]
    return data


def altered(data: Data, path: Path, value: Any) -> Data:
    """A copy of the data with another value at a path, or without the entry."""
    copy = json.loads(json.dumps(data))
    place = entry(copy, path[:-1])
    if value is LEFT_OUT:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return copy


def verdict(data: Data) -> tuple[str, str]:
    """What a check of a file with these data comes to: refused, failed, not verified, accepted, traceback or
    overrun; and its words.
    """
    try:
        with within(Budget(seconds=SECONDS)):
            report = check_data(parse_json(json.dumps(data)))
    except OverBudgetError as error:
        return ("overrun" if "seconds" in str(error) else "refused"), str(error)
    except InputError as error:
        return "refused", str(error)
    except Exception:
        return "traceback", traceback.format_exc()
    if report.failed:
        return "failed", "".join(line for line in report.lines if line.startswith("FAILED"))
    return ("accepted" if report.complete else "not verified"), ""


def is_justified(data: Data, path: Path, value: Any) -> bool:
    """Whether a check may pass a result with this alteration.

    What claims nothing may say anything. Parameters stand for the same problem, whose id the certificate
    gives. Else the value left is one of the same form, or none: then all that is claimed was replayed or
    recomputed from what the file says now.
    """
    old = entry(data, path)
    if NO_CLAIMS.intersection(path) or path[:2] == ("problem", "parameters"):
        return True
    if path[-1] in CLAIMS and not isinstance(old, list):
        return False
    return value is LEFT_OUT or value is None or _form(value) == _form(old)


def _form(value: Any) -> type:
    if isinstance(value, str):
        parts = value.removeprefix("-").split("/")
        return Fraction if len(parts) <= 2 and all(part.isdigit() for part in parts) else str
    return Fraction if type(value) is int else type(value)


def finding(line: str, path: Path, name: str) -> tuple[str, str]:
    """What came of an alteration of the result of a line, and what is wrong with that, "" for nothing."""
    data = saved(line)
    out, words = verdict(altered(data, path, VALUES[name]))
    told = f"{line}: {'/'.join(map(str, path))} {name}: {out}"
    if out in ("traceback", "overrun") or (out in ("refused", "failed") and ("\n" in words or not words)):
        return out, f"{told}: {words}"
    if out == "accepted" and entry(data, path) != VALUES[name]:
        return out, "" if is_justified(data, path, VALUES[name]) else told
    return out, ""


@cache
def _passes(line: str) -> bool:
    return verdict(saved(line))[0] == "accepted"


@cache
def _places(line: str) -> tuple[list[Path], list[Path]]:
    """The paths into the evidence of a result, and the others."""
    found = list(paths(saved(line)))
    inner = [path for path in found if "evidence" in path]
    return inner, [path for path in found if "evidence" not in path]


def try_alteration(random: Random) -> tuple[str, str]:
    """Alter one entry of a result, half of the time in its evidence: what came of it, and a finding, "" when
    there is none.
    """
    line = random.choice(LINES)
    if not _passes(line):
        return "base fails", ""
    inner, others = _places(line)
    path = random.choice(inner if inner and random.random() < 0.5 else others)
    return finding(line, path, random.choice(list(VALUES)))
