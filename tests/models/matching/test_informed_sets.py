"""Branching on informed sets: the bases of a round, trees against breadth-first search, what is refused."""

from __future__ import annotations

import copy
from collections.abc import Collection, Generator
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.search import GivenUpError, Question
from schedsolve.models import build_problem, model_of
from schedsolve.models.matching.bounds.covering import Ascent
from schedsolve.models.matching.bounds.searched import broadcast_sources
from schedsolve.models.matching.claims.covering import covering_claim
from schedsolve.models.matching.claims.informed_sets import informed_after, informed_sets_claim
from schedsolve.models.matching.formulation import DECISIONS
from schedsolve.models.matching.formulation.informed_sets import InformedSetsSearch, informed_sets_search
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import ClaimError
from schedsolve.solving.searches import DecisionRun
from schedsolve.solving.tasks import Task
from tests.models.matching.small_broadcasts import ATLAS, least_rounds, problems
from tests.models.matching.test_exact import questions

Json = dict[str, Any]


def _can_be_informed(network: Network, informed: frozenset[int], fresh: Collection[int]) -> bool:
    """Whether one round can inform just these: every one called, no caller twice."""
    if not fresh:
        return True
    v, *rest = fresh
    return any(
        _can_be_informed(network, informed - {u}, rest) for u in informed if v in network.successors[u]
    )


def _as_problem(network: Network, sources: Collection[int], targets: Collection[int]) -> Problem:
    def named(nodes: Collection[int]) -> list[Any]:
        return [network.labels[v] for v in sorted(nodes)]

    return build_problem(
        "telegraph", "multicast", network, {"source": named(sources), "targets": named(targets)}
    )


def _refuted(problem: Problem, rounds: int) -> Json | None:
    """The tree that refutes so many rounds; None when the search gives up."""
    search = InformedSetsSearch(problem, rounds)
    try:
        while search.advance(1.0) is None:
            pass
    except GivenUpError:
        return None
    return dict(search.evidence())


def _proven(problem: Problem, tree: Json) -> int:
    """The bound of a tree, or of the weights alone where the sources are a leaf."""
    claim = covering_claim if tree["kind"] == "covering" else informed_sets_claim
    return claim(problem, tree)


@pytest.fixture
def late_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    """Trees that are branched on until one round is left."""
    leaf = InformedSetsSearch._leaf

    def late(
        search: InformedSetsSearch, ascent: Ascent, informed: frozenset[int], left: int
    ) -> Generator[None, None, int | None]:
        return None if left > 1 else (yield from leaf(search, ascent, informed, left))

    monkeypatch.setattr(InformedSetsSearch, "_leaf", late)


@settings(derandomize=True, deadline=None, max_examples=80)
@given(problems(), st.data())
def test_bases_are_the_largest_sets_that_a_round_can_inform(
    problem: tuple[Network, list[int], list[int]], data: st.DataObject
) -> None:
    """What a round may lead to is what trying all sets of nodes gives, the largest of them."""
    network, _, _ = problem
    nodes = range(network.node_count)
    informed = data.draw(st.frozensets(st.sampled_from(nodes), min_size=1))
    outside = [v for v in nodes if v not in informed]
    possible = [
        informed | set(fresh)
        for size in range(len(outside) + 1)
        for fresh in combinations(outside, size)
        if _can_be_informed(network, informed, fresh)
    ]
    most = max(map(len, possible))
    assert informed_after(network, informed) == {after for after in possible if len(after) == most}


@pytest.mark.usefixtures("late_leaves")
def test_trees_decide_all_small_graphs() -> None:
    """On every connected graph of up to five nodes just the numbers of rounds below the optimum are refuted,
    and the trees prove it.
    """
    for network in ATLAS:
        everyone = range(network.node_count)
        problem, optimum = _as_problem(network, [0], everyone), least_rounds(network, [0], everyone)
        for rounds in range(1, optimum + 1):
            tree = _refuted(problem, rounds)
            assert (tree is not None) == (rounds < optimum)
            assert tree is None or _proven(problem, tree) == rounds + 1


@pytest.mark.usefixtures("late_leaves")
@pytest.mark.parametrize(("model", "step"), [("telephone", 2), ("telegraph", 9)])
def test_trees_of_a_gossip_refute_what_a_broadcast_does_not_allow(model: str, step: int) -> None:
    """On tiny networks, directed too, just the numbers of rounds below the least of a broadcast from a node
    farthest from some other; the least of a gossip, by brute force, is no lower.
    """
    for problem, value in questions(model, "gossip", step):
        network = problem.network
        sources, far = broadcast_sources(problem), network.eccentricities
        assert [far[v] for v in sources] == [max(d or 0 for d in far)]
        optimum = least_rounds(network, sources, range(network.node_count))
        for rounds in range(1, optimum + 1):
            tree = _refuted(problem, rounds)
            assert (tree is not None) == (rounds < optimum)
            assert tree is None or _proven(problem, tree) == rounds + 1 <= value


@settings(derandomize=True, deadline=None, max_examples=40)
@given(problem=problems())
def test_trees_decide_multicasts_with_several_sources(problem: tuple[Network, list[int], list[int]]) -> None:
    """On random networks, directed or not, likewise, with leaves as early as weights are found."""
    network, sources, targets = problem
    if not set(targets) - set(sources):
        return
    posed, optimum = _as_problem(*problem), least_rounds(network, sources, targets)
    for rounds in range(1, optimum + 1):
        tree = _refuted(posed, rounds)
        assert (tree is not None) == (rounds < optimum)
        assert tree is None or _proven(posed, tree) == rounds + 1


def test_an_accumulation_is_a_broadcast_backwards() -> None:
    """On a directed network with all arcs turned round."""
    network = Network.from_spec("debruijn:3")
    problem = build_problem("telegraph", "accumulation", network, {"root": 0})
    tree = _refuted(problem, 3)
    assert tree is not None
    assert _proven(problem, tree) == 4


@pytest.fixture
def petersen(late_leaves: None) -> tuple[Problem, Json]:
    """A broadcast in the Petersen graph, and a tree with symmetries that refutes three rounds."""
    problem = build_problem("telephone", "broadcast", Network.from_spec("petersen"), {"source": 0})
    tree = _refuted(problem, 3)
    assert tree is not None
    assert tree["symmetries"]
    assert [len(level) for level in tree["levels"]][:2] == [1, 1]
    assert informed_sets_claim(problem, tree) == 4
    return problem, tree


def _complaint(problem: Problem, tree: Json) -> str:
    with pytest.raises(ClaimError) as refusal:
        informed_sets_claim(problem, tree)
    return str(refusal.value)


def test_a_branch_left_out_is_refused(petersen: tuple[Problem, Json]) -> None:
    """Whichever state is taken away, the round that leads to it is named, or the sources are missed."""
    problem, tree = petersen
    for t, level in enumerate(tree["levels"]):
        for i in range(len(level)):
            changed = copy.deepcopy(tree)
            del changed["levels"][t][i]
            said = "begins with the sources" if t == 0 else f"a branch is left out: round {t} may inform"
            assert said in _complaint(problem, changed)


def test_symmetries_left_out_or_changed_are_refused(petersen: tuple[Problem, Json]) -> None:
    """Without a symmetry that the tree needs, branches are missing; a changed one is no automorphism."""
    problem, tree = petersen
    assert "a branch is left out" in _complaint(problem, tree | {"symmetries": []})
    image = list(tree["symmetries"][0])
    image[0], image[1] = image[1], image[0]
    assert "is no automorphism" in _complaint(problem, tree | {"symmetries": [image]})
    multicast = _as_problem(problem.network, [0], [1])
    moved = [x for x in tree["symmetries"] if x[1] != 1]
    assert "moves a target away" in _complaint(multicast, tree | {"symmetries": moved})


def test_a_leaf_that_proves_nothing_is_refused(petersen: tuple[Problem, Json]) -> None:
    """Lowered weights, weights for others, too few of them, and a leaf made a state to branch on."""
    problem, tree = petersen

    def with_leaf(weights: Any) -> Json:
        changed = copy.deepcopy(tree)
        changed["levels"][-1][0]["weights"] = weights
        return changed

    number = tree["levels"][-1][0]["weights"]
    weights = tree["weights"][number]
    assert informed_sets_claim(problem, with_leaf(weights)) == 4
    assert "proves nothing" in _complaint(problem, with_leaf([0 for _ in weights]))
    assert "weights >= 0" in _complaint(problem, with_leaf([-1, *weights[1:]]))
    assert "needs 10 weights" in _complaint(problem, with_leaf(weights[1:]))
    assert "integers for weights" in _complaint(problem, with_leaf([str(w) for w in weights]))
    for wrong in (-1, len(tree["weights"])):
        assert "integers for weights" in _complaint(problem, with_leaf(wrong))
    lowered = [[0] * 10 if i == number else w for i, w in enumerate(tree["weights"])]
    assert "proves nothing" in _complaint(problem, tree | {"weights": lowered})
    assert "are a list" in _complaint(problem, tree | {"weights": 3})
    assert "a branch is left out: round 3" in _complaint(problem, with_leaf(None))
    leaf = {"rounds": 3, "levels": [[{"informed": [0], "weights": [0, 0, 5] + [0] * 7}]]}
    assert "need not be informed" in _complaint(_as_problem(problem.network, [0], [1]), leaf)


@pytest.mark.parametrize(
    "levels", [None, [], [[]], [3], [[3]], [[{"informed": ["0"]}]], [[{"informed": [10]}]]]
)
def test_garbage_is_refused(levels: Any) -> None:
    """What is no tree proves nothing."""
    problem = build_problem("telephone", "broadcast", Network.from_spec("petersen"), {"source": 0})
    _complaint(problem, {"rounds": 3, "levels": levels})


def test_more_rounds_than_a_tree_refutes(petersen: tuple[Problem, Json]) -> None:
    """A tree proves its number of rounds, not more."""
    problem, tree = petersen
    _complaint(problem, tree | {"rounds": 4})


def test_where_it_does_not_apply() -> None:
    """It is for messages whose sources are given, and networks in which weights are confirmed in time."""
    network = Network.from_spec("cycle:9")
    open_source = build_problem("telephone", "broadcast", network, {"source": "min"})
    assert informed_sets_search(Question(open_source, 4)) is None
    large = build_problem("telephone", "broadcast", Network.from_spec("star:30000"), {"source": 0})
    assert informed_sets_search(Question(large, 20000)) is None


def test_giving_up_ends_the_task() -> None:
    """A search that sees that the rounds suffice is given no more time."""
    decision = next(d for d in DECISIONS if d.start is informed_sets_search)
    problem = build_problem("telephone", "broadcast", Network.from_spec("path:3"), {"source": 1})
    question = Question(problem, 2)
    search = decision.start(question)
    assert search is not None
    task = Task(search=decision, run=DecisionRun(model_of(problem), decision, question, search))
    while not task.ended:
        assert task.advance(1.0) == ()


def test_the_sources_are_a_leaf_or_the_search_gives_up() -> None:
    """One round fewer than the bound is refuted by weights alone; in a network of some size the sources are
    branched on only when they come close.
    """
    problem = build_problem("telephone", "broadcast", Network.from_spec("debruijn:6"), {"source": 0})
    tree = _refuted(problem, 7)
    assert tree is not None
    assert tree["kind"] == "covering"
    assert covering_claim(problem, tree) == 8
    wide = build_problem("telephone", "broadcast", Network.from_spec("random-regular:5,500"), {"source": 0})
    search = informed_sets_search(Question(wide, 11))
    assert search is not None
    with pytest.raises(GivenUpError):
        search.advance(60.0)
    with pytest.raises(ValueError, match="finds no schedule"):
        search.found()


@pytest.mark.slow
@pytest.mark.parametrize(("task", "options"), [("broadcast", {"source": 0}), ("gossip", {})])
def test_butterfly_of_dimension_five(task: str, options: Json) -> None:
    """Eight rounds are refuted where growth is the obstacle, and SAT takes half a minute for a broadcast."""
    problem = build_problem("telephone", task, Network.from_spec("butterfly:5"), options)
    tree = _refuted(problem, 8)
    assert tree is not None
    assert informed_sets_claim(problem, tree) == 9
