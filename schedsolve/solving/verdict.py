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
