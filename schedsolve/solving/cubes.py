"""A hard refutation shared among many workers: its formula is split into cubes, each a job of some seconds,
and the proofs of all are joined into one.
"""

from __future__ import annotations

import hashlib
import pickle
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from heapq import heappop, heappush
from itertools import chain, islice
from math import inf
from typing import Any

from schedsolve.backends.lookahead import split
from schedsolve.backends.sat import LARGEST_PROOF, SatQuestion, SatSearch
from schedsolve.errors import InputError
from schedsolve.executors.jobs import Done, Executor
from schedsolve.executors.opened import executor
from schedsolve.formulas.cubes import Cube, Fate, Part, joined_proof
from schedsolve.formulas.proof import pack_proof, proof_lines
from schedsolve.modelkit.search import GivenUpError, Options, Question
from schedsolve.problem import Problem
from schedsolve.schedule import Schedule
from schedsolve.solving.worker import started_search

CUBE_SECONDS = 30.0
"""CPU seconds after which a cube is split rather than worked on."""
PARTS = 16
"""Into how many open parts a cube that is too hard is split; the whole formula at once, into as many for each
worker.
"""
SLICE_SECONDS = 0.5


@dataclass(frozen=True)
class Attempt:
    """What came of working on a cube: its fate, or a schedule with the problem that it solves."""

    fate: Fate
    found: tuple[Problem, Schedule] | None = None


@lru_cache(maxsize=1)
def _formula_of(pickled: bytes) -> SatQuestion:
    """The formula of a question, by a strategy of its model whose search is a `SatSearch`; both pickled, so
    that a worker builds it once for all its cubes.
    """
    question, way = pickle.loads(pickled)
    search = started_search(question, way)
    assert isinstance(search, SatSearch)
    return search.question


def work_off(pickled: bytes, certify: bool, cube: Cube, seconds: float, parts: int) -> Attempt:
    """Refute a cube, or find a schedule in it, in so many CPU seconds; split it when they are over. What a
    worker does.

    pickled: the question, and the name of the strategy. certify: whether to keep the proof. parts: into how
    many it is split at least.
    """
    formula = _formula_of(pickled)
    search = SatSearch(lambda: formula, with_proof=certify)
    search.hold(cube)
    begun, answer = time.process_time(), None
    try:
        while answer is None and time.process_time() - begun < seconds:
            answer = search.advance(SLICE_SECONDS)
        if answer is None and (found := split(formula, cube, parts)) != [Part(cube, 0)]:
            return Attempt(Fate(tuple(found)))
        while answer is None:
            answer = search.advance(SLICE_SECONDS)
        if answer:
            return Attempt(Fate(), search.found())
        lines = search.proof()
        return Attempt(Fate(proof=None if lines is None else pack_proof(lines)))
    finally:
        search.close()


@dataclass
class CubedSearch:
    """A refutation that many workers share (`schedsolve.modelkit.search.Search`).

    Of the cubes that are open, that with most open variables is worked on first. The whole formula, on which
    somebody has worked before, is split before it is tried.

    question: what it is to decide. way: the name of the strategy in the model's record; its search is a
    `SatSearch`. options: who the workers are, and what keeps the fates of cubes.
    """

    question: Question
    way: str
    options: Options
    refuted: dict[Cube, Mapping[str, Any] | None] = field(default_factory=dict)
    _open: list[tuple[int, Cube]] = field(default_factory=list)
    _under_way: set[Cube] = field(default_factory=set)
    """The cubes that workers have."""
    _pickled: bytes = b""
    _formula: str = ""
    _asked: SatQuestion | None = None
    _workers: Executor | None = None
    _found: tuple[Problem, Schedule] | None = None

    def _start(self) -> None:
        self._pickled = pickle.dumps((replace(self.question, seconds=inf), self.way))
        self._asked = _formula_of(self._pickled)
        self._formula = formula_digest(self._asked)
        self._recall(len(self._asked.branching))
        if self._open:
            several = self.options.workers if self.options.workers > 1 else None
            self._workers = executor(several, self.options.dask)

    def _recall(self, size: int) -> None:
        """Go on from the fates that are kept; size: of the whole formula."""
        store = self.options.cubes
        fates = {} if store is None else store.fates(self._formula)
        unknown: list[tuple[int, Cube]] = []
        heappush(self._open, (-size, ()))
        while self._open:
            negative, cube = heappop(self._open)
            fate = fates.get(cube)
            if fate is None or (self.question.certify and not fate.parts and fate.proof is None):
                heappush(unknown, (negative, cube))
            else:
                self._note(cube, fate)
        self._open = unknown

    def _note(self, cube: Cube, fate: Fate) -> None:
        """Take note of what became of a cube."""
        if not fate.parts:
            self.refuted[cube] = fate.proof
        for part in fate.parts:
            if part.closed:
                self.refuted[part.cube] = pack_proof([])
            else:
                heappush(self._open, (-part.size, part.cube))

    @property
    def activity(self) -> str:
        """How far it is, for display."""
        total = len(self.refuted) + len(self._open) + len(self._under_way)
        return f"{len(self.refuted)} of {total} cubes refuted"

    def advance(self, seconds: float) -> bool | None:
        """Take what workers bring in so many seconds; True: found, False: refuted, None: not decided yet.
        Raises GivenUpError when they cannot go on.
        """
        if self._asked is None:
            self._start()
        if self._open or self._under_way:
            assert self._workers is not None
            self._hand_out(self._workers)
            try:
                for done in self._workers.completed(seconds):
                    self._take(done)
                    self._hand_out(self._workers)
                    if self._found is not None:
                        return True
            except InputError as error:
                raise GivenUpError from error
        return None if self._open or self._under_way else False

    def _hand_out(self, workers: Executor) -> None:
        """Give the workers cubes, so that each has one and another is ready."""
        while self._open and len(self._under_way) < 2 * workers.width:
            _, cube = heappop(self._open)
            self._under_way.add(cube)
            workers.submit(
                cube,
                work_off,
                self._pickled,
                self.question.certify,
                cube,
                CUBE_SECONDS if cube else 0.0,
                PARTS if cube else PARTS * workers.width,
            )

    def _take(self, done: Done) -> None:
        if done.error is not None:
            raise GivenUpError(done.error)
        cube, attempt = done.key, done.value
        assert isinstance(cube, tuple)
        assert isinstance(attempt, Attempt)
        self._under_way.remove(cube)
        if attempt.found is not None:
            self._found = attempt.found
            return
        if self.options.cubes is not None:
            self.options.cubes.add_fate(self._formula, cube, attempt.fate)
        self._note(cube, attempt.fate)

    def found(self) -> tuple[Problem, Schedule]:
        """The schedule found, after `advance` returned True, and the problem that it solves."""
        assert self._found is not None
        return self._found

    def evidence(self) -> Mapping[str, Any] | None:
        """After `advance` returned False: the joined proof, with what it says of itself, or the proofs of the
        cubes one by one where joined they are too long; None when not all were kept.
        """
        if not self.question.certify or self._asked is None:
            return None
        kept = {cube: proof for cube, proof in self.refuted.items() if proof is not None}
        if len(kept) < len(self.refuted):
            return None
        lemmas = [f"{literal} 0" for literal in self._asked.lemmas]
        joined = chain(lemmas, joined_proof({cube: _lines(proof) for cube, proof in kept.items()}))
        lines = list(islice(joined, LARGEST_PROOF + 1))
        if len(lines) <= LARGEST_PROOF:
            return {**self._asked.evidence, **pack_proof(lines)}
        cubes = [{"cube": list(cube), **proof} for cube, proof in kept.items()]
        return {**self._asked.evidence, "lemmas": list(self._asked.lemmas), "cubes": cubes}

    def close(self) -> None:
        """End the workers."""
        if self._workers is not None:
            with suppress(InputError):
                self._workers.close()
            self._workers = None


def _lines(proof: Mapping[str, Any]) -> Iterator[str]:
    """The lines of a packed proof, unpacked only when they are wanted."""
    yield from proof_lines(proof)


def formula_digest(question: SatQuestion) -> str:
    """A hash of a formula with its lemmas, by which the fates of its cubes are kept."""
    digest = hashlib.sha256(f"{question.cnf.variable_count}\n".encode())
    for clause in (*question.cnf.clauses, *([literal] for literal in question.lemmas)):
        digest.update((" ".join(map(str, clause)) + "\n").encode())
    return digest.hexdigest()
