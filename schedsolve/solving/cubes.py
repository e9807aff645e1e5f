"""A hard refutation shared among many workers.

Its formula is split into cubes, each a job of some seconds, and the proofs of all are joined into one.
"""

from __future__ import annotations

import hashlib
import pickle
import time
from collections.abc import Mapping
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
from schedsolve.formulas.cubes import Cube, CubeOutcome, CubeProof, Part, joined_proof
from schedsolve.formulas.proof import pack_proof
from schedsolve.modelkit.search import GivenUpError, Options, Question
from schedsolve.problem import Problem
from schedsolve.schedule import Schedule
from schedsolve.solving.worker import started_decision

CUBE_SECONDS = 30.0
"""CPU seconds after which a cube is split rather than worked on."""
PARTS = 16
"""Into how many open parts a cube that is too hard is split; the whole formula at once, into as many for each
worker.
"""
SLICE_SECONDS = 0.5


@dataclass(frozen=True)
class Attempt:
    """What a worker returns of a cube: its outcome, or a schedule and the problem that it solves."""

    outcome: CubeOutcome
    found: tuple[Problem, Schedule] | None = None


@lru_cache(maxsize=1)
def _formula_of(pickled: bytes) -> SatQuestion:
    """Return the formula of a question for a decision that splits; a worker builds it once for all its cubes.

    Parameters
    ----------
    pickled
        The question and the name of the decision.
    """
    question, name = pickle.loads(pickled)
    search = started_decision(question, name).search
    assert isinstance(search, SatSearch)
    return search.question


def refute_cube(pickled: bytes, certify: bool, cube: Cube, seconds: float, parts: int) -> Attempt:
    """Refute a cube, or find a schedule in it, within `seconds` of CPU; split it if they do not suffice.

    Runs in a worker.

    Parameters
    ----------
    pickled
        The question and the name of the decision.
    certify
        Whether to keep the proof.
    cube
        The literals of the cube.
    seconds
        The time that it may take.
    parts
        The least number of cubes that it is split into.
    """
    formula = _formula_of(pickled)
    search = SatSearch(lambda: formula, with_proof=certify)
    search.hold(cube)
    begun, answer = time.process_time(), None
    try:
        while answer is None and time.process_time() - begun < seconds:
            answer = search.advance(SLICE_SECONDS)
        if answer is None and (found := split(formula, cube, parts)) != [Part(cube, 0)]:
            return Attempt(CubeOutcome(tuple(found)))
        while answer is None:
            answer = search.advance(SLICE_SECONDS)
        if answer:
            return Attempt(CubeOutcome(), search.found())
        lines = search.proof()
        return Attempt(CubeOutcome(proof=None if lines is None else pack_proof(lines)))
    finally:
        search.close()


@dataclass
class CubedSearch:
    """A refutation that many workers share (`schedsolve.modelkit.search.RunningSearch`).

    Workers get the open cube with most open variables first. The whole formula, which a search has tried
    before, is split at once.

    Attributes
    ----------
    question
        What it is to decide.
    name
        That of the decision in the model's record; it splits.
    options
        Who the workers are, and what keeps the outcomes of cubes.
    """

    question: Question
    name: str
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
        self._pickled = pickle.dumps((replace(self.question, seconds=inf), self.name))
        self._asked = _formula_of(self._pickled)
        self._formula = formula_digest(self._asked)
        self._recall(len(self._asked.branching))
        if self._open:
            several = self.options.workers if self.options.workers > 1 else None
            self._workers = executor(several, self.options.dask)

    def _recall(self, size: int) -> None:
        """Resume from the outcomes that are kept; size: of the whole formula."""
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
        self._open = unknown

    def _record(self, cube: Cube, outcome: CubeOutcome) -> None:
        """Record the outcome of a cube."""
        if not outcome.parts:
            self.refuted[cube] = outcome.proof
        for part in outcome.parts:
            if part.closed:
                self.refuted[part.cube] = pack_proof([])
            else:
                heappush(self._open, (-part.size, part.cube))

    @property
    def activity(self) -> str:
        """The number of cubes refuted, for display."""
        total = len(self.refuted) + len(self._open) + len(self._under_way)
        return f"{len(self.refuted)} of {total} cubes refuted"

    @property
    def busy(self) -> int:
        """The number of workers that have a cube."""
        return 0 if self._workers is None else min(self._workers.width, len(self._under_way))

    def advance(self, seconds: float) -> bool | None:
        """Collect what workers return within `seconds`.

        Return True if a schedule is found, False if all cubes are refuted, else None.

        Raises
        ------
        GivenUpError
            If the workers fail.
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
        """Submit cubes, so that each worker has one and another is ready."""
        while self._open and len(self._under_way) < 2 * workers.width:
            _, cube = heappop(self._open)
            self._under_way.add(cube)
            workers.submit(
                cube,
                refute_cube,
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
            self.options.cubes.add_outcome(self._formula, cube, attempt.outcome)
        self._record(cube, attempt.outcome)

    def found(self) -> tuple[Problem, Schedule]:
        """Return, after `advance` returned True, the problem that it solves and the schedule found."""
        assert self._found is not None
        return self._found

    def evidence(self) -> Mapping[str, Any] | None:
        """Return the joined proof with the premises of its formula, once it is known.

        It is known after `advance` returned False. The proofs of the cubes come one by one if joined they are
        too long; None if not all were kept.
        """
        if not self.question.certify or self._asked is None:
            return None
        kept = {cube: proof for cube, proof in self.refuted.items() if proof is not None}
        if len(kept) < len(self.refuted):
            return None
        lemmas = [f"{literal} 0" for literal in self._asked.lemmas]
        joined = chain(lemmas, joined_proof({cube: CubeProof((), proof) for cube, proof in kept.items()}))
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


def formula_digest(question: SatQuestion) -> str:
    """Return a hash of a formula with its lemmas, by which the outcomes of its cubes are kept."""
    digest = hashlib.sha256(f"{question.cnf.variable_count}\n".encode())
    for clause in (*question.cnf.clauses, *([literal] for literal in question.lemmas)):
        digest.update((" ".join(map(str, clause)) + "\n").encode())
    return digest.hexdigest()
