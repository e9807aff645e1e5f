"""The verification of a saved answer of `explore periods`: periods of optimal gossip in complete trees."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from schedsolve.modelkit.verb import Finding
from schedsolve.runtime.errors import ClaimError, InputError, shown
from schedsolve.runtime.files.number_reader import whole_number

from .tree_periods import refuted_height
from .tree_types import NodeType, TypeList, verify_types

FORMAT = "schedsolve-periods/1"
LARGEST_ARITY, LONGEST_PERIOD = 12, 60


def check_periods(data: Mapping[str, Any]) -> list[Finding]:
    """Return the verdict on every claim of a saved answer, row by row.

    Raises
    ------
    InputError
        If the data does not have the form of a saved answer, or contains an entry that is not
        examined.
    """
    _refuse_others(data, "the file", ("format", "arity", "mode", "rows"))
    arity, mode, rows = data.get("arity"), data.get("mode"), data.get("rows")
    if type(arity) is not int or not 2 <= arity <= LARGEST_ARITY or mode not in ("two-way", "one-way"):
        raise InputError(f'"arity" is from 2 to {LARGEST_ARITY}, "mode" is "two-way" or "one-way"')
    if not isinstance(rows, list) or not all(isinstance(row, Mapping) for row in rows):
        raise InputError('"rows" should be a list of {"period": ..., "works_up_to": ..., "fails_from": ...}')
    return [finding for row in rows for finding in _check_row(arity, mode == "two-way", row)]


def _check_row(arity: int, two_way: bool, row: Mapping[str, Any]) -> list[Finding]:
    period, fails = row.get("period"), row.get("fails_from")
    if type(period) is not int or not 1 <= period <= LONGEST_PERIOD:
        raise InputError(f'"period" is from 1 to {LONGEST_PERIOD}, not {period!r:.60}')
    everywhere = row.get("works_up_to") == "every height"
    evidence = ("root", "types") if everywhere else ("refutation",) if fails is not None else ()
    _refuse_others(row, f"the row of period {period}", ("period", "works_up_to", "fails_from", *evidence))
    found: list[Finding] = []
    if everywhere:
        types = _types_from(arity, two_way, period, row)
        words = f"period {period} works at every height, by {len(types.kinds)} types"
        found.append(_finding(_objection(types), words))
    elif row.get("works_up_to") is not None:
        height = row["works_up_to"]
        if type(height) is not int:
            raise InputError(f'"works_up_to" is a height or "every height", not {shown(height)}')
        found.append(("not sure", f"period {period} works up to height {height}"))
    if fails is not None:
        cut = row.get("refutation")
        cut = cut if isinstance(cut, Mapping) else {}
        _refuse_others(cut, "a refutation", ("slack", "most"))
        slack, most = cut.get("slack"), cut.get("most")
        if type(fails) is not int or type(slack) is not int or type(most) is not int:
            raise InputError('a refutation has a height "fails_from", and is cut at "slack" and "most"')
        objection = _no_refutation(arity, two_way, period, slack, most, fails)
        found.append(_finding(objection, f"period {period} fails from height {fails} on"))
    return found


def _refuse_others(data: Mapping[str, Any], what: str, known: tuple[str, ...]) -> None:
    """Refuse a key that no check examines there."""
    for key in data:
        if key not in known:
            raise InputError(f"{what} has an entry {shown(key)}, which a check does not know there")


def _finding(objection: str | None, claim: str) -> Finding:
    return ("ok", claim) if objection is None else ("failed", f"{claim}: {objection}")


def _objection(types: TypeList) -> str | None:
    try:
        verify_types(types)
    except ClaimError as error:
        return str(error)
    return None


def _no_refutation(arity: int, two_way: bool, period: int, slack: int, most: int, height: int) -> str | None:
    try:
        refuted = refuted_height(arity, two_way, period, slack, most, height)
    except ClaimError as error:
        return str(error)
    return None if refuted is not None else f"the relaxed types do not refute height {height}"


def _types_from(arity: int, two_way: bool, period: int, row: Mapping[str, Any]) -> TypeList:
    root, types = row.get("root"), row.get("types")
    if not isinstance(types, list) or not all(isinstance(entry, Mapping) for entry in types):
        raise InputError('"types" should be a list of {"slack", "delay", "cost", "children"}')
    kinds: dict[tuple[int, int], NodeType] = {}
    for entry in types:
        _refuse_others(entry, "a type", ("slack", "delay", "cost", "children"))
        slack, delay, cost = (whole_number(entry.get(name), None) for name in ("slack", "delay", "cost"))
        if slack is None or delay is None or cost is None:
            raise InputError(f"a type has whole numbers as slack, delay and cost; not {shown(entry)}")
        kinds[slack, delay] = NodeType(cost, _pairs(entry.get("children")))
    return TypeList(arity, two_way, period, _pairs(root), kinds)


def _pairs(data: Any) -> tuple[tuple[int, int], ...]:
    if not isinstance(data, list) or not all(
        isinstance(pair, list) and len(pair) == 2 and all(type(number) is int for number in pair)
        for pair in data
    ):
        raise InputError(f"children are given as a list of two numbers each; not {data!r:.60}")
    return tuple((one, other) for one, other in data)
