"""Refutations shared among workers: the same verdict as alone, whatever becomes of the workers, and one file
that checks.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from multiprocessing.context import SpawnProcess
from pathlib import Path
from random import SystemRandom

import pytest

from schedsolve.backends.sat import SatSearch
from schedsolve.certify.cubes import replay_in_cubes
from schedsolve.modelkit.formulas.cubes import Cube, CubeOutcome
from schedsolve.modelkit.formulas.proof import pack_proof, unpack_proof
from schedsolve.modelkit.search import GivenUpError, Options, Question
from schedsolve.models import model_of
from schedsolve.models.matching.formulation import inner_rounds
from schedsolve.runtime.errors import ClaimError
from schedsolve.runtime.executors.jobs import Done
from schedsolve.solving import cubes
from schedsolve.solving.cubes import CubedSearch
from schedsolve.solving.searches import DecisionRun
from schedsolve.solving.solve import solve
from schedsolve.solving.store import Store
from tests.solving.jobs_here import HARD, Here, finished, here, posed, replayed, shared

__all__ = ["here"]


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    "line",
    [
        "telegraph gossip complete:4",
        "telephone broadcast cycle:7 --source min",
        "telegraph accumulation grid:2x3 --root 0",
        "telegraph gossip cycle:5 --period 3",
        "telegraph gossip cycle:5 --period 20",
        "telephone gossip path:5 --period 3",
        "fat-tree broadcast fat-tree:8 --timing rounds",
        "routing deliver fat-tree:8 --pattern random:4",
    ],
)
def test_every_model_that_shares_refutations(line: str) -> None:
    """One less than the optimum is refuted, by a joined proof that goes through against the formula that the
    checker builds; for the optimum some cube has a schedule, which the referee replays.
    """
    problem = posed(line)
    value = solve(problem).value
    assert isinstance(value, int)
    refutation = shared(problem, value - 1)
    assert finished(refutation) is False
    assert replayed(problem, refutation.evidence())[0] == value
    search = shared(problem, value)
    assert finished(search) is True
    placed, schedule = search.found()
    seen = model_of(problem).replay(placed, schedule)
    assert (seen.violation, seen.value) == (None, value)


def in_short_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    """A slice is a single conflict, and a cube is split after one."""
    for name in ("CUBE_SECONDS", "SLICE_SECONDS", "LONGEST_SLICE_SECONDS", "HERE_SECONDS"):
        monkeypatch.setattr(cubes, name, 0.0)
    monkeypatch.setattr("schedsolve.backends.sat.FIRST_SLICE", 1)
    monkeypatch.setattr("schedsolve.backends.sat.LARGEST_SLICE", 1)


@pytest.mark.parametrize("options", [Options(workers=2), Options(dask="local")])
def test_cubes_that_take_too_long_are_split(
    monkeypatch: pytest.MonkeyPatch, here: type[Here], options: Options
) -> None:
    """Where others wait, a cube under way is split, and the search in it goes on in one of its parts: its
    proof, begun in the larger cube, is one for the part.
    """
    in_short_slices(monkeypatch)
    narrowed: list[tuple[Cube, Cube]] = []
    hold = SatSearch.hold

    def watched(search: SatSearch, literals: Cube) -> None:
        if search._solver is not None and literals:
            narrowed.append((search._cube, literals))
        hold(search, literals)

    monkeypatch.setattr(SatSearch, "hold", watched)
    problem = posed(HARD)
    search = CubedSearch(Question(problem, 4, certify=True), "formula", options)
    assert finished(search) is False
    assert here.done > 5
    assert any((*cube, *more) in search.refuted for cube, more in narrowed)
    assert replayed(problem, search.evidence())[0] == 5


@pytest.mark.usefixtures("here")
def test_the_search_so_far_goes_on_in_a_part(monkeypatch: pytest.MonkeyPatch) -> None:
    """What has run before the refutation was shared is not lost: its lemmas are in the proof of one part,
    and without them that does not go through.
    """
    in_short_slices(monkeypatch)
    problem = posed(HARD)
    question = Question(problem, 4, certify=True)
    decision = next(d for d in model_of(problem).decisions if d.name == "formula")
    begun = decision.start(question)
    assert isinstance(begun, SatSearch)
    begun.keep_variables()
    assert begun.advance(0.0) is None
    for _ in range(50):
        begun.advance(0.0)
    learnt = begun.proof()
    assert learnt
    search = CubedSearch(question, "formula", Options(workers=2), begun)
    assert finished(search) is False
    bound, _ = replayed(problem, search.evidence())
    assert bound == 5
    kept = {cube: unpack_proof(proof) for cube, proof in search.refuted.items() if proof is not None}
    own = [cube for cube, lines in kept.items() if lines[: len(learnt)] == learnt]
    assert len(own) == 1
    _, formula = model_of(problem).refutation(problem, search.evidence() or {})
    proofs = {cube: [f"{x} 0" for x in begun.question.lemmas] + lines for cube, lines in kept.items()}
    replay_in_cubes(formula.clauses, formula.variable_count, proofs)
    proofs[own[0]] = proofs[own[0]][-1:]
    with pytest.raises(ClaimError, match=r"does not follow|without a contradiction"):
        replay_in_cubes(formula.clauses, formula.variable_count, proofs)


@pytest.mark.parametrize("options", [Options(workers=2), Options(dask="local")])
def test_inner_rounds(monkeypatch: pytest.MonkeyPatch, here: type[Here], options: Options) -> None:
    """They are split by who is second of a merged place, and refute; a model, which says nothing, ends the
    search, wherever it is found.
    """
    monkeypatch.setattr(inner_rounds, "LEAST_ROUNDS", 4)
    problem = posed("telegraph gossip petersen")
    question = Question(problem, 6, certify=True)
    search = CubedSearch(question, "inner rounds", options)
    assert finished(search) is False
    assert len(search.refuted) > 2
    assert replayed(problem, search.evidence())[0] == 7
    begun = inner_rounds.inner_rounds_search(question)
    assert isinstance(begun, SatSearch)
    seconds = set(begun.question.branching)
    assert len(seconds) == problem.network.node_count
    assert {abs(literal) for cube in search.refuted for literal in cube} <= seconds
    question = Question(posed("telegraph gossip cycle:6"), 6)
    with pytest.raises(GivenUpError):
        finished(CubedSearch(question, "inner rounds", options))


def test_small_problems_start_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """With two workers they are solved as with one; processes begin with what takes longer."""

    def refuse(*_: object) -> None:
        raise AssertionError("a process")

    monkeypatch.setattr(SpawnProcess, "start", refuse)
    result = solve(posed("telegraph gossip cycle:9 --rounds 7"), workers=2)
    assert result.status == "infeasible"


def test_the_store_goes_on(tmp_path: Path, here: type[Here]) -> None:
    """What was done is not done again, but for one cube in sixteen; other formulas use none of it."""
    problem = posed(HARD)
    with Store(str(tmp_path / "r.db"), write=True) as store:
        first = shared(problem, 4, Options(dask="local", cubes=store))
        for _ in range(4):
            assert first.advance(0.0) is None
        before = dict(first.refuted)
        first.close()
        assert here.done == 4
    with Store(str(tmp_path / "r.db"), write=True) as store:
        second = shared(problem, 4, Options(dask="local", cubes=store))
        assert second.advance(0.0) is None
        assert len(before.keys() & second.refuted.keys()) == len(before) - 1
        assert finished(second) is False
        total = here.done
        third = shared(problem, 4, Options(dask="local", cubes=store))
        assert finished(third) is False
        assert here.done == total + 2
        assert third.taken == (len(third.refuted) - 2, len(third.refuted))
        other = shared(problem, 3, Options(dask="local", cubes=store))
        assert finished(other) is False
        assert replayed(problem, other.evidence())[0] == 4
    alone = shared(problem, 4)
    assert finished(alone) is False
    assert set(alone.refuted) == set(second.refuted) == set(third.refuted)
    assert replayed(problem, second.evidence())[0] == replayed(problem, alone.evidence())[0] == 5


@pytest.mark.parametrize("searched_again", [True, False])
def test_an_altered_store_proves_nothing(
    searched_again: bool, tmp_path: Path, here: type[Here], monkeypatch: pytest.MonkeyPatch
) -> None:
    """All cubes are said to be refuted: one that is searched again has a schedule, else the verdict says that
    they come from the store.
    """
    problem = posed(HARD)
    monkeypatch.setattr(cubes, "SHARE_AGAIN", 1)
    monkeypatch.setattr(SystemRandom, "sample", lambda _, found, count: found if searched_again else [])
    with Store(str(tmp_path / "r.db"), write=True) as store:
        search = shared(problem, 5, Options(dask="local", cubes=store))
        search._start()
        for _, cube in search._open:
            store.add_outcome(search._formula, cube, CubeOutcome(proof=pack_proof([])))
        altered = shared(problem, 5, Options(dask="local", cubes=store))
        assert finished(altered) is searched_again
        bound = DecisionRun(model_of(problem), model_of(problem).decisions[0], altered.question, altered)
        if not searched_again:
            assert bound.refutation().by == "store"
            assert "cubes taken from the store, not recomputed" in bound.refutation().reason
    assert bool(here.done) is searched_again


def test_a_killed_worker_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two processes one is killed as soon as both have a cube, before this process begins one; the verdict
    and the proof are those of one.
    """
    killed: list[int] = []

    def kill(self: CubedSearch, done: Done) -> None:
        take(self, done)
        if not killed:
            child = multiprocessing.active_children()[0].pid
            assert child is not None
            os.kill(child, signal.SIGKILL)
            killed.append(child)

    def wait(self: CubedSearch) -> None:
        if killed:
            work(self)

    take, work = CubedSearch._take, CubedSearch._work_here
    monkeypatch.setattr(cubes, "FIRST_PARTS", 8)
    monkeypatch.setattr(cubes, "PARTS", 2)
    monkeypatch.setattr(CubedSearch, "_take", kill)
    monkeypatch.setattr(CubedSearch, "_work_here", wait)
    problem = posed(HARD)
    search = shared(problem, 4, Options(workers=3))
    assert finished(search) is False
    search.close()
    assert killed
    assert replayed(problem, search.evidence())[0] == 5


def test_what_cannot_be_worked_off_is_given_up(monkeypatch: pytest.MonkeyPatch, here: type[Here]) -> None:
    """When workers fail at a cube, the solve goes on without the refutation, and keeps its bounds."""

    def fail(*_: object) -> None:
        raise MemoryError("no room")

    monkeypatch.setattr(cubes, "work_on_cube", fail)
    search = shared(posed(HARD), 4, Options(dask="local"))
    with pytest.raises(GivenUpError, match="no room"):
        search.advance(0.0)
    result = solve(posed(HARD), Options(dask="local", time_limit=0.5))
    assert (result.value, result.status) == (5, "bounded")
    assert here.done >= 2
