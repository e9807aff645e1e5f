"""Limits on the resources that a file may use, which protect against malicious files.

A budget applies in the context `within`, to everything read and recomputed there; `trusting` lifts it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, fields, replace
from math import ceil

from schedsolve.runtime.errors import ClaimError, InputError
from schedsolve.runtime.limits.timeout import timeout


class OverBudgetError(InputError):
    """A file exceeds its budget."""


@contextmanager
def naming(what: object) -> Iterator[None]:
    """Put a name, of a file or of a part of it, before what is said of bad input within this context."""
    try:
        yield
    except OverBudgetError as error:
        raise OverBudgetError(f"{what}: {error}") from None
    except (InputError, ClaimError) as error:
        raise InputError(f"{what}: {error}") from None


@dataclass(frozen=True)
class Budget:
    """The most that one file may use.

    Attributes
    ----------
    nodes
        The nodes of a network.
    edges
        The edges of a network.
    rounds
        The rounds of a schedule, counted with those of all nodes.
    calls
        The calls that a gossip executes in all its rounds, however few are written.
    bytes
        The size of the file, and of every proof in it, uncompressed.
    values
        The JSON values: numbers, texts, lists and objects.
    lemmas
        The lines of a proof.
    symmetries
        The automorphisms that one proof uses.
    seconds
        CPU time in seconds.
    """

    nodes: int = 1_000_000
    edges: int = 5_000_000
    rounds: int = 1_000_000
    calls: int = 100_000_000
    bytes: int = 100_000_000
    values: int = 10_000_000
    lemmas: int = 5_000_000
    symmetries: int = 1_000
    seconds: int = 120


BUDGET = Budget()
HOW_TO_LIFT = "--trust-size lifts the budget"
_UNITS = {field.name: field.name for field in fields(Budget)} | {
    "bytes": "unpacked bytes",
    "calls": "calls in all rounds",
    "values": "JSON values",
    "lemmas": "lines of a proof",
    "symmetries": "symmetries in a proof",
}
_in_force: ContextVar[Budget | None] = ContextVar("budget in force", default=None)
_trusted: ContextVar[bool] = ContextVar("whether the size of files is trusted", default=False)


@contextmanager
def within(budget: Budget = BUDGET) -> Iterator[None]:
    """Apply the budget to files in this context, including its seconds.

    A budget that already applies is kept, and none applies within `trusting`.

    Raises
    ------
    OverBudgetError
        If the seconds are used up at a point that `schedsolve.runtime.limits.timeout` can interrupt.
    """
    if _trusted.get() or _in_force.get() is not None:
        yield
        return
    token = _in_force.set(budget)
    try:
        with timeout(budget.seconds, of_processor=True) as limit:
            yield
        if limit.passed:
            raise OverBudgetError(f"it takes more than {budget.seconds} seconds of CPU ({HOW_TO_LIFT})")
    finally:
        _in_force.reset(token)


def longer(budget: Budget, seconds: float) -> Budget:
    """Return the budget with so many more seconds, for a search that the user allows them."""
    return replace(budget, seconds=budget.seconds + ceil(seconds))


@contextmanager
def trusting(trusted: bool = True) -> Iterator[None]:
    """Lift the limits on files in this context if `trusted`."""
    token = _trusted.set(trusted)
    try:
        yield
    finally:
        _trusted.reset(token)


def limit_of(name: str) -> int | None:
    """Return the limit for a field of Budget, or None if there is none."""
    budget = _in_force.get()
    return None if budget is None or _trusted.get() else int(getattr(budget, name))


def spend(name: str, amount: int) -> None:
    """Check a use of a resource.

    Raises
    ------
    OverBudgetError
        If `amount` exceeds the limit for the field `name` of Budget.
    """
    limit = limit_of(name)
    if limit is not None and amount > limit:
        raise OverBudgetError(
            f"over budget: {amount} {_UNITS[name]}, at most {limit} are read ({HOW_TO_LIFT})"
        )
