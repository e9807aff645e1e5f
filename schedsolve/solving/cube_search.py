"""The search in one cube of a formula, wherever it is at work: in this process or in a worker.

It runs in slices. Between two of them its cube may become a smaller one; what it has learnt stays.
"""

from __future__ import annotations

import pickle
import time
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from schedsolve.backends.sat import SatQuestion, SatSearch
from schedsolve.modelkit.formulas.cubes import Cube
from schedsolve.modelkit.formulas.proof import pack_proof
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.schedule import Schedule
from schedsolve.solving.worker import started_decision

MOST_KEPT = 4
"""The most searches that a worker keeps from one slice to the next."""


@dataclass(frozen=True)
class Attempt:
    """What a slice of the search in a cube came to.

    Attributes
    ----------
    answer
        Whether there is a schedule; None if that is not decided yet.
    seconds
        The CPU seconds that it took.
    proof
        The packed proof that there is none; None if none is kept.
    found
        A schedule, and the problem that it solves.
    """

    answer: bool | None
    seconds: float
    proof: Mapping[str, Any] | None = None
    found: tuple[Problem, Schedule] | None = None


class CubeSearch:
    """The search in one cube after another.

    Parameters
    ----------
    formula
        The formula.
    certify
        Whether to keep the proofs.
    search
        A search in the whole formula that is under way and keeps its variables.
    slice_seconds
        About the longest time that the solver runs without interruption; None: as long as usual.
    """

    def __init__(
        self,
        formula: SatQuestion,
        certify: bool,
        search: SatSearch | None = None,
        slice_seconds: float | None = None,
    ) -> None:
        self._formula, self._certify, self._search = formula, certify, search
        self._slice_seconds = slice_seconds
        self._cube: Cube = ()

    def work(self, cube: Cube, seconds: float) -> Attempt:
        """Search in a cube for about so many CPU seconds.

        A search under way goes on if its cube contains this one. Its proof so far is one for this cube too:
        what follows by unit propagation from some clauses follows from them and more units.
        """
        begun = time.process_time()
        if self._search is None or cube[: len(self._cube)] != self._cube:
            self.close()
            self._search = SatSearch(lambda: self._formula, with_proof=self._certify)
            self._search.keep_variables()
        if self._slice_seconds is not None:
            self._search.interrupt_every(self._slice_seconds)
        self._search.hold(cube[len(self._cube) :])
        self._cube = cube
        answer = self._search.advance(seconds)
        lines = self._search.proof() if answer is False else None
        proof = None if lines is None else pack_proof(lines)
        found = self._search.found() if answer else None
        if answer is not None:
            self.close()
        return Attempt(answer, time.process_time() - begun, proof, found)

    def close(self) -> None:
        """Free the memory of the search under way; the next cube begins another."""
        if self._search is not None:
            self._search.close()
        self._search, self._cube = None, ()


@lru_cache(maxsize=1)
def formula_of(pickled: bytes) -> SatQuestion:
    """Return the formula of a question for a decision that splits; a process builds it once for all cubes.

    Parameters
    ----------
    pickled
        The question and the name of the decision.
    """
    question, name = pickle.loads(pickled)
    search = started_decision(question, name).search
    assert isinstance(search, SatSearch)
    return search.question


_kept: OrderedDict[str, CubeSearch] = OrderedDict()
"""The searches under way in this process."""


def work_on_cube(pickled: bytes, certify: bool, seat: str, cube: Cube, seconds: float) -> Attempt:
    """Search in a cube for about so many CPU seconds; runs in a worker.

    Where the last slice of the same seat was elsewhere, the search in the cube begins again.

    Parameters
    ----------
    pickled
        The question and the name of the decision.
    certify
        Whether to keep the proof.
    seat
        What a search under way is kept by.
    cube
        The literals of the cube.
    seconds
        The time that it may take.
    """
    search = _kept.pop(seat, None) or CubeSearch(formula_of(pickled), certify)
    try:
        attempt = search.work(cube, seconds)
    except BaseException:
        search.close()
        raise
    _kept[seat] = search
    while len(_kept) > MOST_KEPT:
        _kept.popitem(last=False)[1].close()
    return attempt
