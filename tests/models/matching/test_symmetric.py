"""Gossip schedules that a group of symmetries keeps: the groups, and what is found with them."""

from __future__ import annotations

import random

import pytest

from schedsolve.backends.sat import SatSearch
from schedsolve.modelkit.schedule import Schedule
from schedsolve.modelkit.search import GivenUpError, Question
from schedsolve.models import get_model
from schedsolve.models.matching.constructions import schedule_groups
from schedsolve.models.matching.constructions.gossip_annealing import GossipAnnealing
from schedsolve.models.matching.constructions.schedule_groups import (
    Group,
    Symmetry,
    drawn_groups,
    generators_of,
    has_useful_calls,
    kind_of,
    size_of,
    unturned,
)
from schedsolve.models.matching.constructions.schedule_groups import (
    groups_of as groups_from_generators,
)
from schedsolve.models.matching.formulation import sat
from schedsolve.models.matching.formulation.symmetric import (
    large_groups_search,
    symmetric_question,
    symmetric_search,
)
from schedsolve.network.automorphisms import automorphisms, is_automorphism
from schedsolve.network.graph import Network
from tests.models.matching.problems import posed


def groups_of(spec: str) -> list[Group]:
    """Groups of symmetries of a network, one of every kind."""
    network = Network.from_spec(spec)
    known = [tuple(range(network.node_count)), *automorphisms(network)]
    found = drawn_groups(known, random.Random(3), 12, turning=True)
    return list({kind_of(network, group): group for group in found}.values())


@pytest.mark.parametrize("spec", ["petersen", "cycle:12", "hypercube:3", "grid:3x4", "debruijn:3", "path:2"])
def test_groups(spec: str) -> None:
    """Each is closed, consists of automorphisms, and only turned ones keep a node, and the identity."""
    network = Network.from_spec(spec)
    identity = tuple(range(network.node_count))
    for group in groups_of(spec):
        assert all(one.after(other) in group for one in group for other in group)
        for symmetry in group:
            assert is_automorphism(network, symmetry.image)
            kept = sum(v == x for v, x in enumerate(symmetry.image))
            assert symmetry.turned or kept in (0, network.node_count)
            assert symmetry.turned or kept == 0 or symmetry.image == identity


def test_the_largest_group_of_a_cycle() -> None:
    """All rotations of a cycle, or as many that also reflect it, and each of them turned too."""
    assert max(map(size_of, groups_of("cycle:12"))) == (12, 24)


def closed(generators: list[Symmetry]) -> set[Symmetry]:
    """What symmetries generate, one product after the other."""
    group, waiting = set[Symmetry](), list(generators)
    while waiting:
        symmetry = waiting.pop()
        if symmetry not in group:
            group.add(symmetry)
            waiting += [symmetry.after(generator) for generator in generators]
    return group


@pytest.mark.parametrize("spec", ["petersen", "cycle:12", "ccc:3", "torus:3x4", "grid:3x4"])
def test_what_symmetries_generate(spec: str) -> None:
    """It is all their products, unless one of these that is not turned keeps a node."""
    network, rng, possible = Network.from_spec(spec), random.Random(1), set[bool]()
    identity = Symmetry(tuple(range(network.node_count)))
    known = [identity.image, *automorphisms(network)]
    for _ in range(60):
        drawn = [Symmetry(rng.choice(known), rng.random() < 0.3) for _ in range(rng.randint(1, 3))]
        everything = frozenset(closed(drawn))
        fits = all(symmetry.is_possible for symmetry in everything)
        assert schedule_groups._generated(drawn) == (everything if fits else None)
        assert not fits or closed(generators_of(everything)) | {identity} == everything
        possible.add(fits)
    assert possible == {True, False}


def test_groups_are_not_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """One symmetry more than fits and it is no group."""
    rotation = Symmetry(tuple((v + 1) % 12 for v in range(12)))
    monkeypatch.setattr(schedule_groups, "LARGEST_GROUP", 144)
    assert len(schedule_groups._generated([rotation]) or ()) == 12
    monkeypatch.setattr(schedule_groups, "LARGEST_GROUP", 143)
    assert schedule_groups._generated([rotation]) is None


def test_normal_subgroups_are_drawn() -> None:
    """All translations of the cube in cube-connected cycles, which random products seldom generate."""
    network = Network.from_spec("ccc:4")
    translations = {tuple(4 * (v // 4 ^ word) + v % 4 for v in range(64)) for word in range(16)}
    found = [{one.image for one in group} for group in groups_from_generators(network, random.Random(0), 12)]
    assert translations in found


@pytest.mark.parametrize("two_way", [True, False])
@pytest.mark.parametrize("spec", ["cycle:9", "cycle:12", "ccc:3", "torus:3x4", "petersen"])
def test_useful_calls(spec: str, two_way: bool) -> None:
    """They connect the nodes as the orbits do from which annealing chooses."""
    network, seen = Network.from_spec(spec), set[bool]()
    for group in [frozenset[Symmetry](), *groups_of(spec)]:
        generators = [one for one in generators_of(group) if not one.turned]
        annealing = GossipAnnealing(
            network, two_way=two_way, rounds=1, symmetries=generators, generator=random.Random(0)
        )
        links = {(min(u, v), max(u, v)) for slot in annealing.slots for _, u, v in slot}
        connected = None not in Network(network.node_count, tuple(sorted(links))).distances_from([0])
        assert has_useful_calls(network, group, two_way=two_way) == connected
        seen.add(connected)
        assert len(unturned(group)) <= network.node_count
    assert True in seen


def moved(schedule: Schedule, symmetry: Symmetry) -> list[set[tuple[int, int]]]:
    """The calls of each round, those of a two-way call in both directions, moved by a symmetry."""
    image = symmetry.image
    rounds = [
        {(c.sender, c.receiver) for c in calls} | {(c.receiver, c.sender) for c in calls if c.two_way}
        for calls in schedule.rounds
    ]
    rounds = [{(image[u], image[v]) for u, v in calls} for calls in rounds]
    return [{(v, u) for u, v in calls} for calls in reversed(rounds)] if symmetry.turned else rounds


@pytest.mark.parametrize(
    ("model", "spec", "rounds"),
    [
        ("telegraph", "hypercube:3", 6),
        ("telegraph", "cycle:12", 10),
        ("telephone", "torus:4x4", 4),
        ("telegraph", "grid:3x4", 8),
    ],
)
def test_what_is_found_is_symmetric(
    model: str, spec: str, rounds: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every schedule found is complete, and each symmetry of its group makes itself of it."""
    monkeypatch.setattr(sat, "only_useful_calls", lambda problem, schedule: schedule)
    problem, found = posed(model, "gossip", spec), 0
    for group in groups_of(spec):
        search = SatSearch(lambda group=group: symmetric_question(problem, rounds, group))  # type: ignore[misc]
        if search.advance(2.0):
            placed, schedule = search.found()
            seen = get_model(model).replay(placed, schedule)
            assert seen.violation is None
            as_it_is = moved(schedule, Symmetry(tuple(range(problem.network.node_count))))
            assert all(moved(schedule, symmetry) == as_it_is for symmetry in group)
            found += 1
        search.close()
    assert found


@pytest.mark.parametrize(
    ("model", "spec", "rounds"), [("telephone", "butterfly:3", 6), ("telegraph", "ccc:3", 11)]
)
def test_it_finds(model: str, spec: str, rounds: int) -> None:
    """Schedules that the other searches take long for."""
    search = symmetric_search(Question(posed(model, "gossip", spec), rounds))
    assert search is not None
    while search.advance(1.0) is None:
        pass
    seen = get_model(model).replay(*search.found())
    assert (seen.violation, seen.value) == (None, rounds)
    assert search.evidence() is None
    search.close()


def test_large_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    """A gossip in a network whose whole formula is too large, here for a tenth of what is taken; other
    networks are left to other searches.
    """
    large = large_groups_search(Question(posed("telephone", "gossip", "ccc:5"), 13))
    assert large is not None
    large.close()
    question = Question(posed("telephone", "gossip", "ccc:4"), 9)
    assert large_groups_search(question) is None
    assert large_groups_search(Question(posed("telephone", "broadcast", "ccc:7"), 18)) is None
    monkeypatch.setattr("schedsolve.models.matching.formulation.symmetric.LARGEST_GOSSIP", 400_000)
    search = large_groups_search(question)
    assert search is not None
    while search.advance(1.0) is None:
        pass
    seen = get_model("telephone").replay(*search.found())
    assert (seen.violation, seen.value) == (None, 9)
    search.close()


def test_it_gives_up() -> None:
    """Where all groups are refuted it says nothing of schedules without symmetries."""
    search = symmetric_search(Question(posed("telegraph", "gossip", "path:3"), 3))
    assert search is not None
    with pytest.raises(GivenUpError):
        assert [search.advance(1.0) for _ in range(100)] == []


def test_where_it_does_not_apply() -> None:
    """It is for gossip."""
    assert symmetric_search(Question(posed("telephone", "broadcast", "cycle:9"), 6)) is None


def test_one_way_large_networks_without_automorphisms_are_left_out() -> None:
    """With an involution in time alone little is gained: only small networks, or two-way."""
    large, small = ("random-regular:3,50", "random-regular:3,20,4")
    assert not any(len(list(automorphisms(Network.from_spec(spec)))) for spec in (large, small))
    assert symmetric_search(Question(posed("telegraph", "gossip", large), 12)) is None
    assert symmetric_search(Question(posed("telephone", "gossip", large), 8)) is not None
    assert symmetric_search(Question(posed("telegraph", "gossip", small), 9)) is not None
