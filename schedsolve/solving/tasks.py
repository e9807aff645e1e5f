"""Searches under way, each with the time that it has had."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from math import inf
from typing import TYPE_CHECKING

from schedsolve.modelkit.result import Objective
from schedsolve.modelkit.search import Decision, Found, GivenUpError, SlicedSearch
from schedsolve.runtime.limits.own_limits import Limits, note_in
from schedsolve.solving.searches import Run

if TYPE_CHECKING:
    from schedsolve.solving.cubes import CubedSearch

SLICE_SECONDS = 0.2
LEAST_SLICE_SECONDS, LONGEST_SLICE_SECONDS = 0.01, 1.0
STARTS_AGAIN = "cpsat"
"""The backend whose searches keep nothing from one slice to the next."""
EVEN_SECONDS = 1.0
"""The seconds that a search with a larger share has at first like the others, so that small formulas are
refuted before it takes most of the time.
"""
UNNAMED = "perhaps at a limit of its own"
CUBES_SHARE = 10.0
"""The least share of the time of a refutation that other workers compute."""


@dataclass(eq=False)
class Task:
    """A search under way.

    Attributes
    ----------
    value
        What it decides; None if it improves a side.
    proves
        Whether it can prove a lower bound.
    splits
        The decision, if it can be split into cubes.
    cubes
        The search that workers share, once it is.
    apart
        Whether it runs in a process of its own.
    joined
        The virtual time at which it began; 0 if nothing of its kind had run for long.
    used
        Its seconds so far, of CPU time if it runs in this process.
    elsewhere
        The CPU seconds that other processes worked in its last slice; of other programs, those by the clock.
    ended
        Whether it has answered, or given up.
    answered
        Whether it has decided its value.
    limits
        The limits of its own that it has met.
    """

    search: SlicedSearch
    run: Run
    value: int | None = None
    proves: bool = True
    splits: Decision | None = None
    cubes: CubedSearch | None = None
    apart: bool = False
    joined: float = 0.0
    used: float = 0.0
    elsewhere: float = 0.0
    ended: bool = False
    answered: bool = False
    limits: Limits = field(default_factory=dict)

    @property
    def stopped_at(self) -> str:
        """The limits of its own at which it stopped; "" if it ended by itself."""
        named = self.search.names_limits and not self.apart
        return "" if self.answered else in_words(self.limits) or ("" if named else UNNAMED)

    @property
    def virtual_time(self) -> float:
        """The time used, relative to its share; the task with the least is next."""
        if self.cubes is not None:
            return self.joined + self.used / max(CUBES_SHARE, self.search.share)
        share = self.search.share
        # For the first EVEN_SECONDS a larger share counts no more than another one.
        even = min(self.used, EVEN_SECONDS) if share > 1 and not self.joined else 0.0
        return self.joined + even + (self.used - even) / share

    def activity(self, objective: Objective) -> str:
        """Return what it is doing, for display."""
        if self.value is None:
            return self.search.name
        deciding = f"deciding {objective.quantity(self.value)}"
        return deciding if self.cubes is None else f"{self.cubes.activity}, {deciding}"

    def advance(self, left: float, *, alone: bool = False) -> tuple[Found, ...]:
        """Run one slice, which grows with the time used so far, and return what it finds.

        Parameters
        ----------
        left
            The seconds left of the solve.
        alone
            Whether no other search waits: one that starts again in every slice gets all the time left.
        """
        clock = self.run.clock if self.cubes is None else self.cubes.clock
        start, before = clock(), 0.0 if self.cubes is None else self.cubes.elsewhere
        found: tuple[Found, ...] = ()
        seconds = min(max(SLICE_SECONDS, self.used / 2), LONGEST_SLICE_SECONDS, left)
        if alone and self.search.backend == STARTS_AGAIN:
            seconds = left
        try:
            note_in(self.limits)
            found, self.ended = self.run.advance(max(LEAST_SLICE_SECONDS, seconds))
            self.answered = self.ended and self.value is not None
        except (GivenUpError, EOFError, OSError):
            # The search gave up, or its worker process died; the system may have ended it for its memory.
            self.ended = True
        used = clock() - start
        self.used += used
        if self.cubes is not None:
            self.elsewhere = self.cubes.elsewhere - before
        else:
            self.elsewhere = 0.0 if clock is time.process_time else used
        return found


def in_words(limits: Limits) -> str:
    """Return limits in words, "" for none; an infinite one, as where no time limit is given, is none."""
    finite = [(most, what) for what, most in limits.items() if most < inf]
    return ", ".join(f"{most:,.0f} {what}" if most >= 10 else f"{most:.2g} {what}" for most, what in finite)
