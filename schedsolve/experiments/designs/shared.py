"""Levels decided in parts by several workers; a store keeps the parts, and the same search resumes."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from random import SystemRandom
from typing import Any, Self

from schedsolve.experiments.designs.levels import (
    Level,
    PartStore,
    Question,
    decided,
    joined,
)
from schedsolve.modelkit.search import Options
from schedsolve.network.classes.canonical_form import Rows
from schedsolve.network.classes.network_class import network_of, rows_of
from schedsolve.runtime.errors import InputError, WorkError, counted
from schedsolve.runtime.executors.jobs import Executor
from schedsolve.runtime.executors.opened import executor
from schedsolve.runtime.files.number_reader import whole_number
from schedsolve.solving.clock import MOST_BY_THE_CLOCK, Clock

MOST_PARTS = 64
SECONDS_BETWEEN_REPORTS = 1.0
MOST_AGAIN, SHARE_AGAIN = 10_000, 16
"""Of what a store has, so many networks of a design are decided again, and one in so many of every level."""


def part_count(question: Question, edges: int) -> int:
    """Return in how many parts a level is decided: 1, 4, 16 or 64, the more the larger its networks.

    Circulants, and regular networks, whose generation is not divided, are one part.
    It does not depend on the workers, so that a store serves any number of them. Every part generates the
    networks with as many links as nodes, of which the others descend; those with k links more are several
    times 4^(k-1).
    """
    members = question.members
    whole = members.listed or question.regular or (members.regular is not None and not members.directed)
    more = 0 if whole else edges - members.nodes
    return min(MOST_PARTS, 1 << 2 * max(0, more))


def level_name(model: str, question: Question, edges: int, first: bool, **flags: bool) -> str:
    """Return the text that identifies a level in a store."""
    members = question.members
    asked: dict[str, Any] = {
        "nodes": members.nodes,
        **members.to_json(),
        "limit": question.limit,
        "edges": edges,
        **{flag: True for flag, holds in flags.items() if holds},
        **question.designs.parameters,
    }
    if question.designs.tasks[question.task]:
        asked["source"] = question.choice
    words = f"{model} {question.task} in {counted(part_count(question, edges), 'part')}"
    return f"{words}{', until one is found' if first else ''}: {json.dumps(asked, sort_keys=True)}"


@dataclass
class SharedLevels:
    """Decides levels as `schedsolve.experiments.designs.levels.decided` does, by workers.

    Attributes
    ----------
    model
        The model's name.
    workers, dask
        As in `schedsolve.runtime.executors.opened.executor`; one process if neither is given.
    store
        What keeps the parts, None for nothing. Of a level from it a random share is decided again: all of a
        small one.
    taken
        How many parts were taken from the store and not decided again, and of how many in all.
    """

    model: str
    workers: int | None = None
    dask: str | None = None
    store: PartStore | None = None
    taken: tuple[int, int] = (0, 0)
    _left_again: int = MOST_AGAIN
    _executor: Executor | None = None

    @property
    def shared(self) -> bool:
        """Whether there is anything to share: several workers, a cluster or a store."""
        return self.workers not in (None, 1) or self.dask is not None or self.store is not None

    @property
    def decide(self) -> Callable[..., Level]:
        """What decides a level: this, or this process alone."""
        return self if self.shared else decided

    def clock(self, time_limit: float | None) -> Clock:
        """Return the clock of a search: it counts CPU time, where workers decide the time by the clock."""
        return Clock(Options(time_limit=time_limit), 1.0 if self.shared else MOST_BY_THE_CLOCK)

    def __call__(
        self,
        question: Question,
        edges: int,
        *,
        first: bool = False,
        watch: Callable[[int], None] = lambda _: None,
        geng: bool = False,
        leaves_apart: bool = False,
    ) -> Level:
        """Return the level; the parameters are those of `decided`.

        Raises
        ------
        WorkError
            If a part could not be decided.
        InputError
            If the store says otherwise than what is decided.
        """
        count, flags = part_count(question, edges), {"geng": geng, "leaves_apart": leaves_apart}
        name = level_name(self.model, question, edges, first, **flags)
        stored: Mapping[int, Any] = {} if self.store is None else self.store.parts(name)
        if not stored.keys() <= set(range(count)):
            raise _otherwise(edges)
        kept = {residue: _level_of(data, question, edges, flags) for residue, data in stored.items()}
        enough = first and any(part.found for part in kept.values())
        again = set() if enough else self._drawn(kept)
        parts = {residue: part for residue, part in kept.items() if residue not in again}
        self.taken = self.taken[0] + (0 if enough else len(parts)), self.taken[1] + count
        left = [residue for residue in range(count) if residue not in parts]
        if left and not enough:
            self._decide(question, edges, first, flags, left, count, parts, name, watch)
        if any(parts[residue] != kept[residue] for residue in again & parts.keys()):
            raise _otherwise(edges)
        return joined([parts[residue] for residue in sorted(parts)])

    def _drawn(self, kept: Mapping[int, Level]) -> set[int]:
        """Return which parts of a level to decide again: a random share, as many as MOST_AGAIN leaves.

        What is drawn cannot be foreseen by whoever altered the store.
        """
        most = max(self._left_again, sum(part.graphs for part in kept.values()) // SHARE_AGAIN)
        drawn, spent = set[int](), 0
        for residue in SystemRandom().sample(sorted(kept), len(kept)):
            if spent + kept[residue].graphs <= most:
                spent += kept[residue].graphs
                drawn.add(residue)
        self._left_again = max(0, self._left_again - spent)
        return drawn

    def _decide(
        self,
        question: Question,
        edges: int,
        first: bool,
        flags: Mapping[str, Any],
        left: list[int],
        count: int,
        parts: dict[int, Level],
        name: str,
        watch: Callable[[int], None],
    ) -> None:
        """Add the parts that are left, or, if the first network found is enough, some of them."""
        if self._executor is None:
            here = 1 if self.dask is None else None
            self._executor = executor(self.workers or here, self.dask)
        for residue in left:
            part = partial(decided, question, edges, first=first, residue=residue, modulus=count, **flags)
            self._executor.submit(residue, part)
        while len(parts) < count:
            watch(sum(part.graphs for part in parts.values()))
            for done in self._executor.completed(SECONDS_BETWEEN_REPORTS):
                if done.error is not None:
                    raise WorkError(f"a part of the level with {edges} links was not decided: {done.error}")
                assert isinstance(done.key, int)
                parts[done.key] = done.value
                if self.store is not None:
                    self.store.add_part(name, done.key, _data_of(done.value))
                if first and done.value.found:
                    # What the other workers do is not needed.
                    self.close()
                    return

    def close(self) -> None:
        """End the workers."""
        workers, self._executor = self._executor, None
        if workers is not None:
            workers.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(OSError):
            self.close()


def _data_of(part: Level) -> dict[str, Any]:
    return {**part.to_json(), "found": [list(rows) for rows in part.found]}


def _level_of(data: Any, question: Question, edges: int, flags: Any) -> Level:
    """Return a stored part of a level, whose networks found are decided again.

    Raises
    ------
    InputError
        If it is none.
    """
    with suppress(KeyError, TypeError, ValueError):
        found = tuple(map(tuple, data["found"]))
        counts = question.limit, edges, question.least_degree, data["graphs"]
        part = Level(*counts, f"{int(data['digest'], 16):064x}", found, **flags)
        numbered = whole_number(part.graphs) is not None and data == _data_of(part)
        if numbered and all(_answers(question, edges, rows) for rows in found):
            return part
    raise _otherwise(edges)


def _answers(question: Question, edges: int, rows: Rows) -> bool:
    """Whether rows of a store are a network with so many links on which a question holds."""
    members = question.members
    if any(whole_number(row, 0, 1 << members.nodes) is None for row in rows):
        return False
    network = network_of(rows, directed=members.directed)
    fits = rows_of(network) == rows and len(network.edges) == edges and members.why_not(network) is None
    return fits and question.holds_for(rows)


def _otherwise(edges: int) -> InputError:
    return InputError(
        f"the store says otherwise of networks with {counted(edges, 'link')} than what is decided: it was"
        " altered or damaged; name another store"
    )
