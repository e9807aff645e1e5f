"""A hard refutation shared among many workers.

Its formula is split into cubes. Each worker searches in one; where there are fewer open cubes than workers,
one that is worked on is split again, and its worker goes on in one of the parts with what it has learnt.
"""

from __future__ import annotations

import hashlib
import pickle
import time
import uuid
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from heapq import heappop, heappush
from math import inf
from random import SystemRandom
from typing import Any

from schedsolve.backends.lookahead import split
from schedsolve.backends.sat import SatQuestion, SatSearch
from schedsolve.modelkit.formulas.cubes import Cube, CubeOutcome, Part
from schedsolve.modelkit.formulas.proof import pack_proof
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.schedule import Schedule
from schedsolve.modelkit.search import GivenUpError, Options, Question
from schedsolve.runtime.errors import InputError
from schedsolve.runtime.executors.jobs import Done, Executor
from schedsolve.runtime.executors.opened import executor
from schedsolve.solving.cube_search import Attempt, CubeSearch, formula_of, work_on_cube

CUBE_SECONDS = 1.0
"""CPU seconds in a cube before it is split for others."""
FIRST_PARTS, PARTS = 16, 8
"""Into how many open parts the whole formula is split, and a cube.

In fewer, the part in which the variables that it is split by are all false is as hard as the whole.
"""
SLICE_SECONDS, LONGEST_SLICE_SECONDS = 1.0, 4.0
"""CPU seconds of a worker in a cube until it reports; they grow with those before."""
SHARE_AGAIN = 16
"""Of the cubes that a store says are refuted, one in so many is searched again."""
HERE_SECONDS = 0.05
"""CPU seconds of this process in a cube until it looks after the workers, which may wait for a cube."""


@dataclass
class Seat:
    """A place for a worker, with the cube that it works on.

    Attributes
    ----------
    name
        Unique among the seats of all searches.
    cube
        None while there is none.
    seconds
        The CPU seconds in the cube since it became this one.
    """

    name: str
    cube: Cube | None = None
    seconds: float = 0.0


@dataclass
class CubedSearch:
    """A refutation that many workers share (`schedsolve.modelkit.search.RunningSearch`).

    Workers get the open cube with most open variables first. The whole formula, which a search has tried
    before, is split at once. This process is one of the workers, except with a cluster.

    Attributes
    ----------
    question
        What it is to decide.
    name
        That of the decision in the model's record; it splits.
    options
        Who the workers are, and what keeps the outcomes of cubes.
    begun
        The search in the whole formula so far; it keeps its variables.
    elsewhere
        The CPU seconds that other processes have reported.
    recalled
        How many cubes were refuted before, as the store says.
    """

    question: Question
    name: str
    options: Options
    begun: SatSearch | None = None
    elsewhere: float = 0.0
    recalled: int = 0
    refuted: dict[Cube, Mapping[str, Any] | None] = field(default_factory=dict)
    _open: list[tuple[int, Cube]] = field(default_factory=list)
    _seats: dict[str, Seat] = field(default_factory=dict)
    """Those of other processes."""
    _here: Seat | None = None
    _own: CubeSearch | None = None
    """The search of this process."""
    _waited: float = 0.0
    """The seconds by the clock that this process had no cube."""
    _pickled: bytes = b""
    _formula: str = ""
    _asked: SatQuestion | None = None
    _workers: Executor | None = None
    _found: tuple[Problem, Schedule] | None = None

    def _start(self) -> None:
        self._pickled = pickle.dumps((replace(self.question, seconds=inf), self.name))
        self._asked = formula_of(self._pickled) if self.begun is None else self.begun.question
        self._formula = formula_digest(self._asked)
        self._recall(len(self._asked.branching))
        if [cube for _, cube in self._open] == [()]:
            self._open.clear()
            self._divide(())
        if self._open:
            several = self.options.workers if self.options.workers > 1 else None
            if self.options.dask is None:
                self._here = _seat()
                self._own = CubeSearch(self._asked, self.question.certify, self.begun, HERE_SECONDS)
                several = self.options.workers - 1
            self._workers = executor(several, self.options.dask)
            self._seats = {seat.name: seat for seat in (_seat() for _ in range(self._workers.width))}

    def _recall(self, size: int) -> None:
        """Resume from the outcomes that are kept; size: of the whole formula.

        A random share of what they say is refuted is searched again.
        """
        store = self.options.cubes
        outcomes = {} if store is None else store.outcomes(self._formula)
        unknown: list[tuple[int, Cube]] = []
        heappush(self._open, (-size, ()))
        while self._open:
            negative, cube = heappop(self._open)
            outcome = outcomes.get(cube)
            if outcome is None or (self.question.certify and not outcome.parts and outcome.proof is None):
                heappush(unknown, (negative, cube))
            else:
                self._record(cube, outcome)
        for cube in SystemRandom().sample(sorted(self.refuted), -(-len(self.refuted) // SHARE_AGAIN)):
            del self.refuted[cube]
            heappush(unknown, (0, cube))
        self._open, self.recalled = unknown, len(self.refuted)

    @property
    def taken(self) -> tuple[int, int]:
        """How many cubes were taken as refuted from a store and not searched again, and of how many."""
        return self.recalled, len(self.refuted)

    def _record(self, cube: Cube, outcome: CubeOutcome) -> None:
        """Record the outcome of a cube."""
        if not outcome.parts:
            self.refuted[cube] = outcome.proof
        for part in outcome.parts:
            if part.closed:
                self.refuted[part.cube] = pack_proof([])
            else:
                heappush(self._open, (-part.size, part.cube))

    def _keep(self, cube: Cube, outcome: CubeOutcome) -> None:
        """Record the outcome of a cube, and store it."""
        if self.options.cubes is not None:
            self.options.cubes.add_outcome(self._formula, cube, outcome)
        self._record(cube, outcome)

    def _divide(self, cube: Cube) -> bool:
        """Split a cube, and return whether that is possible."""
        assert self._asked is not None
        parts = split(self._asked, cube, PARTS if cube else FIRST_PARTS)
        if parts == [Part(cube, 0)]:
            return False
        self._keep(cube, CubeOutcome(tuple(parts)))
        return True

    @property
    def _all_seats(self) -> list[Seat]:
        return [*([] if self._here is None else [self._here]), *self._seats.values()]

    @property
    def _is_done(self) -> bool:
        return not self._open and all(seat.cube is None for seat in self._all_seats)

    @property
    def activity(self) -> str:
        """The number of cubes refuted, for display."""
        under_way = sum(seat.cube is not None for seat in self._all_seats)
        total = len(self.refuted) + len(self._open) + under_way
        return f"{len(self.refuted)} of {total} cubes refuted"

    def clock(self) -> float:
        """Return the seconds of this process: of CPU time, and by the clock those that it waited."""
        return time.process_time() + self._waited

    def advance(self, seconds: float) -> bool | None:
        """Work for about `seconds`, and collect what workers return.

        Return True if a schedule is found, False if all cubes are refuted, else None.

        Raises
        ------
        GivenUpError
            If the workers fail.
        InputError
            If processes end because the script that called `solve` has no guard.
        """
        if self._asked is None:
            self._start()
        end = self.clock() + seconds
        while not self._is_done and self._found is None:
            self._hand_out()
            works_here = self._here is not None and self._here.cube is not None
            self._collect(0.0 if works_here else seconds)
            if works_here and self._found is None:
                self._work_here()
            if self.clock() >= end:
                break
        if self._found is not None:
            return True
        return False if self._is_done else None

    def _collect(self, seconds: float) -> None:
        """Take what workers return within so many seconds by the clock."""
        assert self._workers is not None
        begun = time.monotonic(), time.process_time()
        try:
            for done in self._workers.completed(seconds):
                self._take(done)
                self._hand_out()
                if self._found is not None:
                    break
        except InputError as error:
            if self.options.dask is None:
                raise
            raise GivenUpError from error
        idle = time.monotonic() - begun[0] - (time.process_time() - begun[1])
        self._waited += max(0.0, idle) if seconds else 0.0

    def _work_here(self) -> None:
        seat = self._here
        assert seat is not None
        assert seat.cube is not None
        assert self._own is not None
        self._note(seat, self._own.work(seat.cube, HERE_SECONDS))

    def _take(self, done: Done) -> None:
        if done.error is not None:
            raise GivenUpError(done.error)
        seat, attempt = self._seats[str(done.key)], done.value
        assert isinstance(attempt, Attempt)
        self.elsewhere += attempt.seconds
        self._note(seat, attempt)
        if seat.cube is not None:
            self._send(seat)

    def _note(self, seat: Seat, attempt: Attempt) -> None:
        """Note what a slice came to, and split the cube if others wait for one."""
        seat.seconds += attempt.seconds
        assert seat.cube is not None
        if attempt.found is not None:
            self._found = attempt.found
        elif attempt.answer is False:
            self._keep(seat.cube, CubeOutcome(proof=attempt.proof))
            seat.cube = None
        elif not self._open and seat.seconds >= CUBE_SECONDS:
            idle = any(other.cube is None for other in self._all_seats)
            if idle and self._divide(seat.cube):
                self._give(seat)

    def _give(self, seat: Seat) -> None:
        """Give a seat the largest open cube, if there is one."""
        seat.cube, seat.seconds = (heappop(self._open)[1] if self._open else None), 0.0

    def _hand_out(self) -> None:
        """Give every free seat a cube."""
        for seat in self._all_seats:
            if seat.cube is None and self._open:
                self._give(seat)
                if seat is not self._here:
                    self._send(seat)

    def _send(self, seat: Seat) -> None:
        """Have a worker work on the cube of its seat."""
        assert self._workers is not None
        seconds = min(max(SLICE_SECONDS, seat.seconds), LONGEST_SLICE_SECONDS)
        arguments = self._pickled, self.question.certify, seat.name, seat.cube, seconds
        self._workers.submit(seat.name, work_on_cube, *arguments)

    def found(self) -> tuple[Problem, Schedule]:
        """Return, after `advance` returned True, the problem that it solves and the schedule found."""
        assert self._found is not None
        return self._found

    def evidence(self) -> Mapping[str, Any] | None:
        """Return the proofs of the cubes with the premises of their formula, once they are known.

        They are known after `advance` returned False; None if not all were kept.
        """
        if not self.question.certify or self._asked is None:
            return None
        kept = {cube: proof for cube, proof in self.refuted.items() if proof is not None}
        if len(kept) < len(self.refuted):
            return None
        cubes = [{"cube": list(cube), **proof} for cube, proof in kept.items()]
        return {**self._asked.evidence, "lemmas": list(self._asked.lemmas), "cubes": cubes}

    def close(self) -> None:
        """End the workers, and the search of this process."""
        if self._own is not None:
            self._own.close()
        elif self.begun is not None:
            self.begun.close()
        if self._workers is not None:
            with suppress(InputError):
                self._workers.close()
            self._workers = None


def _seat() -> Seat:
    return Seat(uuid.uuid4().hex)


def formula_digest(question: SatQuestion) -> str:
    """Return a hash of a formula with its lemmas, by which the outcomes of its cubes are kept."""
    digest = hashlib.sha256(f"{question.cnf.variable_count}\n".encode())
    for clause in (*question.cnf.clauses, *([literal] for literal in question.lemmas)):
        digest.update((" ".join(map(str, clause)) + "\n").encode())
    return digest.hexdigest()
