"""What a file may ask for: a budget for everybody who reads one, so that a small hostile file costs little.

A budget holds inside of `within`, for whatever is read and recomputed there; `trusting` lifts it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, fields

from schedsolve.errors import InputError
from schedsolve.limits.deadline import deadline


class OverBudgetError(InputError):
    """A file asks for more than its budget."""


@dataclass(frozen=True)
class Budget:
    """The most that one file may ask for.

    nodes, edges: of a network. rounds: of a schedule, counted with those of all nodes. bytes: of the file and
    of every proof in it, unpacked. values: of its JSON, every number, text, list and object.
    lemmas: lines of a proof. symmetries: automorphisms that one proof uses. seconds: of CPU.
    """

    nodes: int = 50_000
    edges: int = 2_000_000
    rounds: int = 1_000_000
    bytes: int = 100_000_000
    values: int = 10_000_000
    lemmas: int = 5_000_000
    symmetries: int = 1_000
    seconds: int = 120


BUDGET = Budget()
HOW_TO_LIFT = "--trust-size lifts the budget"
_UNITS = {field.name: field.name for field in fields(Budget)} | {
    "bytes": "unpacked bytes",
    "values": "JSON values",
    "lemmas": "lines of a proof",
    "symmetries": "symmetries in a proof",
}
_in_force: ContextVar[Budget | None] = ContextVar("budget in force", default=None)
_trusted: ContextVar[bool] = ContextVar("whether the size of files is trusted", default=False)


@contextmanager
def within(budget: Budget = BUDGET) -> Iterator[None]:
    """Inside, files are held to the budget, its seconds included; a budget already in force stays, and
    nothing is held to one inside of `trusting`.

    Raises OverBudgetError when the seconds are over, where `schedsolve.limits.deadline` can interrupt.
    """
    if _trusted.get() or _in_force.get() is not None:
        yield
        return
    token = _in_force.set(budget)
    try:
        with deadline(budget.seconds, of_processor=True) as limit:
            yield
        if limit.passed:
            raise OverBudgetError(
                f"it takes more than {budget.seconds} seconds of CPU to read ({HOW_TO_LIFT})"
            )
    finally:
        _in_force.reset(token)


@contextmanager
def trusting(trusted: bool = True) -> Iterator[None]:
    """Inside, files may be of any size, if so told."""
    token = _trusted.set(trusted)
    try:
        yield
    finally:
        _trusted.reset(token)


def limit_of(name: str) -> int | None:
    """The most of a kind (a field of Budget) that the file being read may ask for; None when it may ask for
    anything.
    """
    budget = _in_force.get()
    return None if budget is None or _trusted.get() else int(getattr(budget, name))


def spend(name: str, amount: int) -> None:
    """Raise OverBudgetError when the file being read asks for more of a kind (a field of Budget) than it
    may.
    """
    limit = limit_of(name)
    if limit is not None and amount > limit:
        raise OverBudgetError(
            f"over budget: {amount} {_UNITS[name]}, at most {limit} are read ({HOW_TO_LIFT})"
        )
