"""The status that follows from both sides."""

from __future__ import annotations

from schedsolve.result import Status, Value


def verdict(asked: Value | None, lower: Value, upper: Value | None) -> Status:
    """The status that follows from a lower and an upper bound on the least value, when `asked` rounds are to
    be decided or none.
    """
    if asked is None:
        return Status.OPTIMAL if upper == lower else Status.BOUNDED
    if lower > asked:
        return Status.INFEASIBLE
    return Status.FEASIBLE if upper is not None and upper <= asked else Status.UNKNOWN


def is_settled(asked: Value | None, lower: Value, upper: Value | None, floor: Value) -> bool:
    """Whether the bounds meet, or decide the value asked about; an upper bound of `floor` is enough."""
    if asked is not None and (lower > asked or (upper is not None and upper <= asked)):
        return True
    return upper is not None and upper <= max(lower, floor)
