"""Forged answers of `explore periods`: periods said to fail too early, or to work where they fail."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from schedsolve.models.systolic.claims.saved_periods import FORMAT, check_periods
from schedsolve.models.systolic.command import explored, rows_to_json
from schedsolve.runtime.errors import ClaimError, InputError
from tests.models.systolic.heights import FIRST_FAILURES

Row = dict[str, Any]
EASY = ((2, True, (7, 8)), (4, True, (6,)), (2, False, (18,)))
"""Answers that are to be verified: arity, mode and periods."""
LONGEST = 8
"""Periods up to which a table is quick to look at."""


def forged() -> Iterator[tuple[str, str, Callable[[], str]]]:
    """The forms, the names of their forgeries, and what tells whether they get through."""
    lists = []
    for arity, two_way, periods in EASY:
        data = rows_to_json(arity, two_way, explored(arity=arity, periods=periods, two_way=two_way))
        for form in ("types", "refutation"):
            yield form, "as it is", partial(_refused, data)
        lists += [(arity, row["root"], row["types"]) for row in data["rows"] if "types" in row]
    for (arity, two_way), rows in FIRST_FAILURES.items():
        for period, fails in rows.items():
            claims = [*_too_early(arity, period, fails)] if period <= LONGEST else []
            if fails is not None:
                given = [(root, types) for k, root, types in lists if k == arity]
                claims += _everywhere(arity, period, [*given, *_spoilt(arity, two_way, period)])
            for form, name, row in claims:
                yield form, f"{name}, period {period}", partial(_accepted, _file(arity, two_way, row))


def _file(arity: int, two_way: bool, row: Row) -> Row:
    return {"format": FORMAT, "arity": arity, "mode": "two-way" if two_way else "one-way", "rows": [row]}


def _too_early(arity: int, period: int, fails: int | None) -> Iterator[tuple[str, str, Row]]:
    """Refuted at the last height that the period serves, or at one where it serves all: so at any below, as
    the least is looked for. Cut in several ways.
    """
    height = 5 if fails is None else fails - 1
    for slack, most in ((1, 0), (arity, arity), (period, 2 * arity)):
        row = {"period": period, "works_up_to": None, "fails_from": height}
        yield "refutation", f"fails from {height}", {**row, "refutation": {"slack": slack, "most": most}}


def _everywhere(arity: int, period: int, lists: list[tuple[Any, Any]]) -> Iterator[tuple[str, str, Row]]:
    """Lists of another period as they are, and with delays and slots counted mod the period."""
    for root, types in lists:
        counted = [
            {
                **one,
                "delay": one["delay"] % period,
                "children": [[slack, slot % period] for slack, slot in one["children"]],
            }
            for one in types
        ]
        for said in (types, counted):
            row = {"period": period, "works_up_to": "every height", "fails_from": None}
            yield "types", "works", {**row, "root": root, "types": said}


def _spoilt(arity: int, two_way: bool, period: int) -> Iterator[tuple[Any, Any]]:
    """Lists with one thing wrong: two children in the same slots; children that come late; none at all."""
    if two_way:
        root = [[i, 2 * arity - 2 - i] for i in range(arity)]
    else:
        root = [[i, 2 * arity - 1 - i] for i in range(arity)]
    for slots in ([1] * arity, [*range(1, arity + 1)], []):
        types = [
            {
                "slack": slack,
                "delay": delay,
                "cost": 0,
                "children": [[min(slack + arity - 1, 2 * period), delay + slot] for slot in slots],
            }
            for slack in range(2 * period + 1)
            for delay in range(0 if two_way else 1, period)
        ]
        yield root, types
    yield root, []
    yield [], []


def _findings(data: Row) -> list[str]:
    try:
        return [verdict for verdict, _ in check_periods(data)]
    except (ClaimError, InputError):
        return ["refused"]


def _accepted(data: Row) -> str:
    return "accepted" if set(_findings(data)) == {"ok"} else ""


def _refused(data: Row) -> str:
    found = set(_findings(data)) - {"not sure"}
    return "" if found == {"ok"} else f"not verified: {found}"
