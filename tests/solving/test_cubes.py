"""Refutations shared among workers: the same verdict as alone, whatever becomes of the workers, and one file
that checks.
"""

from __future__ import annotations

import copy
import json
import multiprocessing
import os
import re
import signal
from collections.abc import Callable, Iterator, Mapping
from math import inf
from pathlib import Path
from typing import Any, ClassVar

import pytest

from schedsolve.backends.sat import SatSearch
from schedsolve.certify.check import check_data
from schedsolve.certify.cubes import replay_in_cubes
from schedsolve.certify.propagation import replay_refutation
from schedsolve.errors import ClaimError
from schedsolve.executors.jobs import Done, Executor, Job, outcome
from schedsolve.formulas.cubes import Cube, joined_proof, proofs_by_cube
from schedsolve.formulas.proof import pack_proof, proof_lines, unpack_proof
from schedsolve.modelkit.search import GivenUpError, Options, Question
from schedsolve.models import build_problem, model_of
from schedsolve.models.matching.claims.refutations import refuted
from schedsolve.models.matching.formulation import inner_rounds
from schedsolve.network.graph import Network
from schedsolve.problem import Problem
from schedsolve.result import result_to_json
from schedsolve.solving import cubes
from schedsolve.solving.cubes import CubedSearch
from schedsolve.solving.solve import solve
from schedsolve.sweep.store import Store
from tests.command_line import Cli, refused
from tests.reference.lrat_checker import refutes
from tests.without_theorems import without_knowledge_sizes

Data = dict[str, Any]


class Here(Executor):
    """Does one job after the other in this process, as they are asked for; counts them, and keeps the proofs
    of cubes.
    """

    done = 0
    proofs: ClassVar[dict[Any, str]] = {}

    def __init__(self, workers: int | None = None, _: str | None = None) -> None:
        self.jobs: list[Job] = []
        self.workers = workers or 2

    @property
    def width(self) -> int:
        """As many as are asked for."""
        return self.workers

    def submit(self, key: Any, function: Any, *arguments: Any) -> None:
        """Add a job."""
        self.jobs.append(Job(key, function, arguments))

    def completed(self, seconds: float = inf) -> Iterator[Done]:
        """The jobs, one by one; just one where somebody waits so many seconds only."""
        while self.jobs:
            Here.done += 1
            job = self.jobs.pop(0)
            done = outcome(job)
            if done.error is None and done.value.proof is not None:
                Here.proofs[job.arguments[3]] = done.value.proof["proof"]
            yield done
            if seconds < inf:
                return

    def close(self) -> None:
        """Forget the others."""
        self.jobs.clear()


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> type[Here]:
    """No processes are started; every refutation, by the plain formula, is shared at once, in few parts."""
    without_knowledge_sizes(monkeypatch)
    monkeypatch.setattr("schedsolve.models.matching.formulation.sat.ends_are_full", lambda *_: False)
    monkeypatch.setattr("schedsolve.models.matching.formulation.origins.LARGEST_NETWORK", 1)
    monkeypatch.setattr("schedsolve.models.matching.formulation.inner_rounds.LEAST_ROUNDS", 99)
    monkeypatch.setattr(cubes, "executor", Here)
    # They refute most of the problems here at once.
    monkeypatch.setattr(inner_rounds, "MOST_NODES", 0)
    monkeypatch.setattr("schedsolve.solving.portfolio.HARD_SECONDS", 0.0)
    monkeypatch.setattr("schedsolve.solving.tasks.SLICE_SECONDS", 0.0)
    monkeypatch.setattr(Here, "done", 0)
    monkeypatch.setattr(Here, "proofs", {})
    return Here


def posed(line: str) -> Problem:
    """A problem as it is typed."""
    model, task, network, *options = line.split()
    names = [name.removeprefix("--") for name in options[::2]]
    return build_problem(
        model, task, Network.from_spec(network), dict(zip(names, options[1::2], strict=True))
    )


HARD = "telegraph gossip complete:6"
"""Four rounds are refuted in some hundred lemmas."""


def shared(problem: Problem, value: int, options: Options | None = None) -> CubedSearch:
    """The question whether a value suffices, shared: by the first decision that has a formula for it. Those
    that split are those that refute by a `SatSearch`.
    """
    question = Question(problem, value, certify=True)
    refuting = [d for d in model_of(problem).decisions if d.refutes]
    started = [(decision, decision.start(question)) for decision in refuting]
    assert all(d.splits == isinstance(search, SatSearch) for d, search in started if search is not None)
    name = next(decision.name for decision, search in started if isinstance(search, SatSearch))
    return CubedSearch(question, name, options or Options(workers=2))


def finished(search: CubedSearch) -> bool:
    """The verdict, at the end."""
    answer = None
    while answer is None:
        answer = search.advance(60)
    return answer


def replayed(problem: Problem, evidence: Mapping[str, Any] | None) -> tuple[Any, int]:
    """The bound that a refutation proves to the checker, and its lemmas."""
    assert evidence is not None
    proven, formula = model_of(problem).refutation(problem, evidence)
    return proven, replay_refutation(formula.clauses, formula.variable_count, proof_lines(evidence))


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
        "line gossip star:4 --ports 1",
        "fat-tree broadcast fat-tree:8 --timing rounds",
        "routing deliver fat-tree:8 --pattern random:4",
    ],
)
def test_every_model_that_refutes_by_sat(line: str) -> None:
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


def test_small_problems_start_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """With two workers they are solved as with one; processes begin with what takes longer."""

    def refuse(*_: object) -> None:
        raise AssertionError("a process")

    monkeypatch.setattr("schedsolve.executors.spawned.spawned", refuse)
    monkeypatch.setattr("schedsolve.executors.processes.spawned", refuse)
    result = solve(posed("telegraph gossip cycle:9 --rounds 7"), workers=2)
    assert result.status == "infeasible"


def test_a_file_with_the_proofs_of_cubes(monkeypatch: pytest.MonkeyPatch, here: type[Here]) -> None:
    """Where the joined proof would be too long the cubes have theirs, each checked; and joined by export."""
    monkeypatch.setattr(cubes, "LARGEST_PROOF", 10)
    data = saved(HARD)
    assert here.done > 5
    assert not failures(data)
    assert any(
        f"lemmas in {len(refutation_in(data)['cubes'])} cubes" in line for line in check_data(data).lines
    )
    joined = "\n".join(joined_proof(proofs_by_cube(refutation_in(data))))
    bound, cnf = refuted(posed(HARD), refutation_in(data))
    assert bound == 5
    replay_refutation(cnf.clauses, cnf.variable_count, joined.splitlines())

    hard = max(
        range(len(refutation_in(data)["cubes"])), key=lambda k: len(refutation_in(data)["cubes"][k]["proof"])
    )
    changes: list[tuple[Callable[[Data], Any], str]] = [
        (lambda found: found["cubes"].pop(), "not all cases"),
        (lambda found: found["cubes"].append(found["cubes"][0]), "two proofs"),
        (
            lambda found: found["cubes"][0].update(found["cubes"][1] | {"cube": [7]}),
            "not all cases|two proofs",
        ),
        (lambda found: found["cubes"][hard].update(pack_proof([])), "without a contradiction"),
        (
            lambda found: found.update(cubes=[{"cube": cube, **pack_proof([])} for cube in chain_of_cubes()]),
            "without a contradiction",
        ),
        (lambda found: found["cubes"][0].update(cube=[10**6]), "does not have"),
        (lambda found: found.update(lemmas=[1]), "does not follow"),
        (lambda found: found.update(lemmas="1"), "lists of literals"),
        (lambda found: found.update(cubes=[1]), "the proofs of cubes are a list"),
        (lambda found: found.update(cubes=[]), "not all cases"),
    ]
    for change, says in changes:
        forged = copy.deepcopy(data)
        change(refutation_in(forged))
        assert any(re.search(says, line) for line in failures(forged)), says


def chain_of_cubes() -> list[list[int]]:
    """Cubes of which each but the last two branches off the one before, over two thousand literals deep."""
    deep = 2000
    return [*([*([1] * k), -1] for k in range(deep)), [1] * deep]


@pytest.mark.usefixtures("here")
def test_a_check_shared_among_processes(monkeypatch: pytest.MonkeyPatch, cli: Cli) -> None:
    """It says what a check by one process says: of a file that holds, and of one with a damaged proof."""
    monkeypatch.setattr(cubes, "LARGEST_PROOF", 10)
    data = saved(HARD)
    damaged = copy.deepcopy(data)
    refutation_in(damaged)["cubes"][-1].update(pack_proof(["1 0", "0"]))
    for file, status, says in ((data, 0, "everything that the file claims"), (damaged, 1, "does not follow")):
        Path("file.json").write_text(json.dumps(file))
        alone = cli("check file.json --strict --trust-size")
        assert (alone.status, says in alone.out) == (status, True)
        with monkeypatch.context() as only_shared:
            only_shared.setattr("schedsolve.certify.cubes._here", None)
            assert cli("check file.json --strict --trust-size --workers 2") == alone


def saved(line: str) -> Data:
    """The file of a solve whose refutations are shared."""
    data: Data = json.loads(
        json.dumps(result_to_json(solve(posed(line), Options(certify="refutation", dask="local"))))
    )
    return data


def refutation_in(data: Data) -> Data:
    """The refutation in a file."""
    found: Data = next(
        b["evidence"] for b in data["certificate"]["lower"] if b["evidence"]["kind"] == "refutation"
    )
    return found


def failures(data: Data) -> list[str]:
    """What the checker says of what does not hold."""
    return [line for line in check_data(data).lines if line.startswith("FAILED")]


def test_a_file_with_a_joined_proof(here: type[Here]) -> None:
    """It checks strictly; not with a cube left out, nor with an automorphism changed."""
    data = saved(HARD)
    assert here.done > 5
    assert data["status"] == "optimal"
    assert all(line.startswith("ok") for line in check_data(data).lines)
    evidence = refutation_in(data)
    cube = max(here.proofs, key=lambda cube: len(here.proofs[cube]))
    denial = " ".join(str(-literal) for literal in cube) + " 0"
    lines = unpack_proof(evidence)
    kept = [line for line in lines if not line.endswith(f" {denial}")]
    assert denial in kept
    assert len(kept) < len(lines) - 10
    without = copy.deepcopy(data)
    refutation_in(without).update(pack_proof(kept))
    assert "does not follow" in failures(without)[0]
    for change in ([1, 2, 3, 4, 5, 5], [1, 2, 3, 4, 5, 0, 6]):
        changed = copy.deepcopy(data)
        refutation_in(changed)["symmetries"][0] = change
        assert failures(changed)


def test_the_store_goes_on(tmp_path: Path, here: type[Here]) -> None:
    """What is done before a stop is not done again; and nothing of it is used for another formula."""
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
        assert before.items() <= second.refuted.items()
        assert finished(second) is False
        total = here.done
        third = shared(problem, 4, Options(dask="local", cubes=store))
        assert finished(third) is False
        assert here.done == total
        other = shared(problem, 3, Options(dask="local", cubes=store))
        assert finished(other) is False
        assert replayed(problem, other.evidence())[0] == 4
    alone = shared(problem, 4)
    assert finished(alone) is False
    assert set(alone.refuted) == set(second.refuted) == set(third.refuted)
    assert replayed(problem, second.evidence()) == replayed(problem, alone.evidence())


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


def test_the_options(cli: Cli, here: type[Here]) -> None:
    """--dask and --store: what is kept is gone on from; the file checks, and is exported for checkers that
    do not search; nobody at an address is one line.
    """
    command = f"solve {HARD} --dask local --store r.db --quiet"
    assert cli(f"{command} --output first.json").status == 0
    assert here.done > 5
    total = here.done
    assert cli(f"{command} --output second.json").status == 0
    assert here.done == total
    assert cli("check second.json --strict").status == 0
    assert cli("export second.json -o proofs").status == 0
    folder = Path("proofs")
    assert refutes((folder / "formula.cnf").read_text(), (folder / "proof.lrat").read_text())
    refused(cli(f"solve {HARD} --dask nobody"))
