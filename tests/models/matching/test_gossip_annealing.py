"""Gossips found by annealing: what is followed is what is true, and what is found is a gossip."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from itertools import islice
from math import ceil, log2

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.schedule import Schedule
from schedsolve.modelkit.search import GivenUpError, Question, RunningSearch
from schedsolve.models import get_model
from schedsolve.models.matching.constructions.algorithms import as_schedule
from schedsolve.models.matching.constructions.gossip_annealing import GossipAnnealing
from schedsolve.models.matching.constructions.gossip_mending import GossipMending
from schedsolve.models.matching.constructions.schedule_groups import (
    Group,
    Symmetry,
    drawn_groups,
    generators_of,
)
from schedsolve.models.matching.formulation import ONE_WAY_SHARES, annealed_gossips
from schedsolve.models.matching.formulation.annealed_gossips import (
    FIRST_MOVES,
    GROWTH,
    AnnealedGossips,
    annealed_gossip_search,
)
from schedsolve.models.matching.formulation.mended_gossips import MendedGossips, mended_gossip_search
from schedsolve.models.matching.rules import broken_rule, is_two_way, knowledge_by_round
from schedsolve.models.matching.search.compile_searches import compile_searches
from schedsolve.network.automorphisms import automorphisms
from schedsolve.network.graph import Network
from tests.models.matching.problems import posed
from tests.models.matching.test_exact import questions

pytest.importorskip("numba")

Start = Callable[[Question], RunningSearch | None]
MODES = ("telegraph", "telephone")
SEARCHES = (annealed_gossip_search, mended_gossip_search)


def found(
    problem: Problem, rounds: int, seconds: float = 20.0, seed: int = 0, start: Start = mended_gossip_search
) -> Schedule | None:
    """The schedule that is found within so many CPU seconds, which the referee accepts; None without one."""
    search = start(Question(problem, rounds, seed=seed))
    assert search is not None
    try:
        if not search.advance(seconds):
            return None
    except GivenUpError:
        return None
    placed, schedule = search.found()
    replay = get_model(problem.model).replay(placed, schedule)
    assert (replay.violation, replay.value) == (None, rounds)
    return schedule


@pytest.mark.parametrize(("model", "step"), [("telephone", 2), ("telegraph", 9)])
def test_it_agrees_with_brute_force(model: str, step: int) -> None:
    """On some of the tiny networks a gossip of least length is found, and in a round less none."""
    for problem, value in questions(model, "gossip", step):
        if value:
            assert found(problem, value) is not None, problem.network.edges
        if value > 1:
            for start in SEARCHES:
                assert found(problem, value - 1, 0.02, start=start) is None, problem.network.edges


@pytest.mark.parametrize(
    ("model", "spec", "rounds"),
    [
        *(("telephone", f"hypercube:{d}", d) for d in range(1, 5)),
        *(("telephone", f"complete:{n}", ceil(log2(n)) + n % 2) for n in range(2, 10)),
        *(("telephone", f"cycle:{n}", n // 2) for n in (4, 8, 12)),
        *(("telephone", f"path:{n}", n - 1) for n in (2, 4, 6, 8)),
        ("telephone", "torus:4x4", 4),
        ("telegraph", "hypercube:3", 6),
        ("telegraph", "petersen", 7),
        ("telegraph", "cycle:8", 8),
    ],
)
def test_closed_forms(model: str, spec: str, rounds: int) -> None:
    problem = posed(model, "gossip", spec)
    assert found(problem, rounds) is not None
    if rounds > 3:
        assert found(problem, rounds, start=annealed_gossip_search) is not None


def test_an_involution_in_time_alone_is_not_tried_one_way_or_on_many_nodes() -> None:
    """The least network without automorphisms, six nodes: two-way it is annealed, one-way given up; so is
    one with a hundred nodes.
    """
    asymmetric = Network(6, ((0, 1), (1, 2), (2, 3), (3, 4), (1, 3), (2, 5), (3, 5)))
    assert not list(automorphisms(asymmetric))
    both_ways = Question(posed("telephone", "gossip", asymmetric), 6)
    one_way = Question(posed("telegraph", "gossip", asymmetric), 10)
    assert AnnealedGossips(both_ways).advance(20.0)
    large = Question(posed("telephone", "gossip", "random-regular:3,100"), 11)
    for question in (one_way, large):
        with pytest.raises(GivenUpError):
            AnnealedGossips(question).advance(20.0)


def test_kinds_are_left_after_some_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Five rounds are too few on nine nodes in a square: with short runs the search soon ends."""
    monkeypatch.setattr(annealed_gossips, "FIRST_MOVES", 1000)
    with pytest.raises(GivenUpError):
        AnnealedGossips(Question(posed("telegraph", "gossip", "grid:3x3"), 5)).advance(20.0)


def test_what_setup_compiles_serves_every_search() -> None:
    """Both modes, with and without symmetries, and more than a word of nodes: nothing more is compiled."""
    from schedsolve.models.matching.constructions import mending_moves, symmetric_moves

    compile_searches()
    compiled = [moves.anneal for moves in (mending_moves, symmetric_moves)]
    known = [len(function.signatures) for function in compiled]
    assert known == [1, 1]
    for model, spec in (("telephone", "petersen"), ("telegraph", "debruijn:3"), ("telephone", "cycle:66")):
        for start in SEARCHES:
            found(posed(model, "gossip", spec), 6, 0.02, start=start)
    assert [len(function.signatures) for function in compiled] == known


def test_few_symmetries_are_not_tried_one_way_on_very_many_nodes() -> None:
    """Of four automorphisms on 256 nodes hardly anything is gained; a torus has as many as nodes or more."""

    def steps(model: str, spec: str) -> int:
        return len(list(islice(AnnealedGossips(Question(posed(model, "gossip", spec), 16))._steps, 3)))

    assert steps("telegraph", "debruijn:8") == 0
    assert steps("telephone", "debruijn:8") == steps("telegraph", "debruijn:6") == 3
    assert steps("telegraph", "torus:12x12") == 3


@pytest.mark.parametrize(
    ("model", "spec", "temperatures"),
    [
        ("telephone", "random-regular:3,100", [(3.0, 1.4), (4.0, 1.4), (3.0, 1.4)]),
        ("telephone", "grid:10x10", [(4.0, 0.7), (8.0, 0.7), (4.0, 0.7)]),
        ("telegraph", "random-regular:3,100", [(12.5, 0.7), (25.0, 0.7), (12.5, 0.7)]),
        ("telegraph", "petersen", [(4.0, 0.7), (8.0, 0.7), (4.0, 0.7)]),
    ],
)
def test_temperatures_of_the_runs(model: str, spec: str, temperatures: list[tuple[float, float]]) -> None:
    """One-way the more nodes the hotter; two-way in regular networks never so cold that nothing moves."""
    search = MendedGossips(Question(posed(model, "gossip", spec), 9))
    assert [search._temperatures(run) for run in range(3)] == temperatures


def test_the_kind_that_cost_least_is_annealed_next(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each kind once; then one that comes near to a gossip more often, with more moves each time."""
    runs: list[tuple[int, int]] = []

    class Never:
        """An annealing that misses as many pairs as its group has generators, and two more."""

        slots = (((0, 0, 1),),)

        def __init__(self, _: Network, *, symmetries: Sequence[Symmetry], **__: object) -> None:
            self.missing = 2 + 10 * len(symmetries)

        def anneal(self, moves: int, *_: float) -> None:
            runs[-1] = self.missing, runs[-1][1] + moves

    def begun(self: AnnealedGossips, group: Group) -> Never:
        runs.append((0, 0))
        return Never(self._problem.network, symmetries=generators_of(group))

    monkeypatch.setattr(AnnealedGossips, "_begin", begun)
    steps = AnnealedGossips(Question(posed("telephone", "gossip", "torus:4x4"), 4))._steps
    while len(runs) < 60:
        next(steps)
    kinds = next(i for i, (_, moves) in enumerate(runs) if moves > FIRST_MOVES)
    assert {moves for _, moves in runs[:kinds]} == {FIRST_MOVES}
    near = min(missing for missing, _ in runs[:kinds])
    assert runs[kinds] == (near, FIRST_MOVES * GROWTH)
    later = [missing for missing, _ in runs[kinds:-1]]
    share = [missing for missing, _ in runs[:kinds]].count(near) / kinds
    assert later.count(near) / len(later) > share


@pytest.mark.parametrize("module", ["annealed_gossips", "mended_gossips"])
def test_without_numba_there_is_no_annealing(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As for a Python that is too new for it."""
    question = Question(posed("telephone", "gossip", "petersen"), 5)
    assert all(start(question) is not None for start in SEARCHES)
    monkeypatch.setattr(f"schedsolve.models.matching.formulation.{module}.find_spec", lambda _: None)
    assert [start.__module__.endswith(module) for start in SEARCHES if start(question) is None] == [True]


def test_shares_of_the_time_one_way() -> None:
    """Each that the table names is a decision's of the model; all others are those of two-way calls."""
    one_way, two_way = ({d.name: d.share for d in get_model(model).decisions} for model in MODES)
    assert one_way == two_way | ONE_WAY_SHARES
    assert ONE_WAY_SHARES.keys() <= two_way.keys()


def annealings() -> st.SearchStrategy[GossipAnnealing]:
    """Annealings on small networks of both modes, with a group of symmetries or without."""

    @st.composite
    def drawn(draw: st.DrawFn) -> GossipAnnealing:
        spec = draw(
            st.sampled_from(["cycle:8", "hypercube:3", "grid:3x4", "debruijn:3", "path:2", "cycle:66"])
        )
        network = Network.from_spec(spec)
        rng = random.Random(draw(st.integers(0, 999)))
        known = [tuple(range(network.node_count)), *automorphisms(network)]
        groups = [frozenset[Symmetry](), *drawn_groups(known, rng, 4, turning=True)]
        symmetries = generators_of(draw(st.sampled_from(groups)))
        return GossipAnnealing(
            network,
            two_way=draw(st.booleans()),
            rounds=draw(st.integers(1, 6)),
            symmetries=symmetries,
            generator=rng,
        )

    return drawn()


def problem_and_schedule(annealing: GossipAnnealing) -> tuple[Problem, Schedule]:
    problem = posed("telephone" if annealing.two_way else "telegraph", "gossip", annealing.network)
    return problem, as_schedule(problem, annealing.calls())


@settings(derandomize=True, deadline=None, max_examples=60)
@given(annealings(), st.floats(0.1, 30))
def test_what_is_followed_is_what_is_true(annealing: GossipAnnealing, temperature: float) -> None:
    """After any moves all rounds are legal, and as many pairs are missing as a replay says, in all orbits."""
    if not annealing.slots:
        return
    network = annealing.network
    for moves in (0, 1, 40, 40):
        annealing.anneal(moves, temperature, temperature / 2)
        problem, schedule = problem_and_schedule(annealing)
        assert not any(broken_rule(network, is_two_way(problem), calls) for calls in schedule.rounds)
        held = [1 << v for v in range(network.node_count)]
        for held in knowledge_by_round(problem.demand(), schedule):  # noqa: B007
            pass
        missing = sum(network.node_count - items.bit_count() for items in held)
        orbits = network.node_count**2 // annealing.pairs
        assert missing == annealing.missing * orbits


@settings(derandomize=True, deadline=None, max_examples=20)
@given(st.permutations(range(10)), st.integers(0, 99))
def test_relabelling_changes_no_answer(image: list[int], seed: int) -> None:
    """Whatever the numbers of Petersen's nodes, a gossip in 4 two-way rounds is found."""
    edges = [(image[u], image[v]) for u, v in Network.from_spec("petersen").edges]
    problem = posed("telephone", "gossip", Network(10, tuple(edges)))
    for start in SEARCHES:
        assert found(problem, 5, seed=seed, start=start) is not None


@pytest.mark.parametrize("start", SEARCHES)
@pytest.mark.parametrize(
    ("model", "spec", "rounds"), [("telephone", "petersen", 5), ("telegraph", "petersen", 7)]
)
def test_a_seed_gives_one_schedule_however_the_time_is_sliced(
    model: str, spec: str, rounds: int, start: Start
) -> None:
    problem = posed(model, "gossip", spec)
    search = start(Question(problem, rounds, seed=5))
    assert search is not None
    while not search.advance(0.0):
        pass
    assert search.found()[1] == found(problem, rounds, seed=5, start=start)


@settings(derandomize=True, deadline=None, max_examples=60)
@given(
    st.sampled_from(["cycle:8", "hypercube:3", "grid:3x4", "debruijn:3", "path:2", "cycle:66"]),
    st.sampled_from(["telephone", "telegraph"]),
    st.integers(1, 6),
    st.integers(0, 999),
    st.floats(0.1, 30),
)
def test_what_changes_is_followed(spec: str, model: str, rounds: int, seed: int, temperature: float) -> None:
    """After any moves all rounds are legal, and as many pairs are missing as a replay says."""
    problem, rng = posed(model, "gossip", spec), random.Random(seed)
    network, two_way = problem.network, is_two_way(problem)
    start = [[rng.choice(network.arcs)] if rng.random() < 0.5 else [] for _ in range(rounds)]
    mending = GossipMending(network, two_way=two_way, rounds=start, generator=rng)
    assert all(
        set(calls) <= {*kept, *map(turned, kept)} for calls, kept in zip(start, mending.calls(), strict=True)
    )
    for moves in (0, 1, 40, 40):
        mending.anneal(moves, temperature, temperature / 2)
        schedule = as_schedule(problem, mending.calls())
        assert not any(broken_rule(network, two_way, calls) for calls in schedule.rounds)
        held = [1 << v for v in range(network.node_count)]
        for held in knowledge_by_round(problem.demand(), schedule):  # noqa: B007
            pass
        assert mending.missing == sum(network.node_count - items.bit_count() for items in held)


def turned(call: tuple[int, int]) -> tuple[int, int]:
    return call[1], call[0]


def test_a_hundred_nodes() -> None:
    """The rounds that it begins with are 12."""
    assert found(posed("telephone", "gossip", "random-regular:3,100"), 11) is not None


def test_small_one_way_gossips_are_left_to_the_formula() -> None:
    """The annealing of a solve starts on more than 16 nodes; two-way, on any."""
    for mode, spec, wanted in (
        ("telegraph", "cycle:16", False),
        ("telegraph", "cycle:17", True),
        ("telephone", "cycle:16", True),
    ):
        question = Question(posed(mode, "gossip", spec), 18)
        annealings = [each for each in get_model(mode).decisions if each.backend == "annealing"]
        assert [each.start(question) is not None for each in annealings] == [wanted] * 2
