"""Gossips found by annealing: what is followed is what is true, and what is found is a gossip."""

from __future__ import annotations

import random
from math import ceil, log2

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedsolve.modelkit.search import GivenUpError, Question
from schedsolve.models import get_model
from schedsolve.models.matching.constructions.algorithms import as_schedule
from schedsolve.models.matching.constructions.gossip_annealing import GossipAnnealing
from schedsolve.models.matching.constructions.schedule_groups import (
    Symmetry,
    drawn_groups,
    generators_of,
    unturned,
)
from schedsolve.models.matching.formulation import annealed_gossip_search
from schedsolve.models.matching.rules import broken_rule, is_two_way, knowledge_by_round
from schedsolve.network.automorphisms import automorphisms
from schedsolve.network.graph import Network
from schedsolve.problem import Problem
from schedsolve.schedule import Schedule
from tests.models.matching.problems import posed
from tests.models.matching.test_exact import questions


def found(problem: Problem, rounds: int, seconds: float = 20.0, seed: int = 0) -> Schedule | None:
    """The schedule that is found within so many CPU seconds, which the referee accepts; None without one."""
    search = annealed_gossip_search(Question(problem, rounds, seed=seed))
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
            assert found(problem, value - 1, 0.02) is None, problem.network.edges


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
    assert found(posed(model, "gossip", spec), rounds) is not None


def annealings() -> st.SearchStrategy[GossipAnnealing]:
    """Annealings on small networks of both modes, with a group of symmetries or without."""

    @st.composite
    def drawn(draw: st.DrawFn) -> GossipAnnealing:
        spec = draw(st.sampled_from(["cycle:8", "hypercube:3", "grid:3x4", "debruijn:3", "path:2"]))
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
@given(annealings(), st.sampled_from([None, 0.0, 0.3]), st.floats(0.1, 30))
def test_what_is_followed_is_what_is_true(
    annealing: GossipAnnealing, noise: float | None, temperature: float
) -> None:
    """After any moves all rounds are legal, and as many pairs are missing as a replay says, in all orbits."""
    if not annealing.slots:
        return
    annealing.begin(noise)
    network = annealing.network
    for moves in (0, 1, 40):
        for _ in range(moves):
            annealing.step(temperature)
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
    assert found(posed("telephone", "gossip", Network(10, tuple(edges))), 5, seed=seed) is not None


@pytest.mark.parametrize(
    ("model", "spec", "rounds"), [("telephone", "petersen", 5), ("telegraph", "petersen", 7)]
)
def test_a_seed_gives_one_schedule_however_the_time_is_sliced(model: str, spec: str, rounds: int) -> None:
    problem = posed(model, "gossip", spec)
    search = annealed_gossip_search(Question(problem, rounds, seed=5))
    assert search is not None
    while not search.advance(0.0):
        pass
    assert search.found()[1] == found(problem, rounds, seed=5)


def test_generators_generate_the_group() -> None:
    """And those that are not turned generate all that are not."""
    network = Network.from_spec("torus:3x4")
    known = [tuple(range(12)), *automorphisms(network)]
    for group in drawn_groups(known, random.Random(1), 8, turning=True):
        generators = generators_of(group)
        assert len(generators) <= len(group).bit_length()
        for wanted, given_ in (
            (group, generators),
            (unturned(group), [g for g in generators if not g.turned]),
        ):
            closed = {Symmetry(tuple(range(12)))}
            while more := {g.after(s) for s in closed for g in given_} - closed:
                closed |= more
            assert closed == set(wanted)


def test_what_does_not_fit_is_refused() -> None:
    """Other tasks, no rounds, one node, and bit sets of gigabytes."""
    for problem, rounds in (
        (posed("telephone", "broadcast", "cycle:9", source=1), 5),
        (posed("telephone", "gossip", "cycle:9"), 0),
        (posed("telephone", "gossip", "path:1"), 1),
        (posed("telephone", "gossip", "cycle:4000"), 2000),
    ):
        assert annealed_gossip_search(Question(problem, rounds)) is None
