"""One-way gossip with the fewest calls and full first and last rounds: the same answers as without these, and
what is refused as a proof.
"""

from __future__ import annotations

import random
from typing import Any

import pytest
from pysat.solvers import Solver

from schedsolve.backends.lookahead import split
from schedsolve.backends.sat import SatSearch, decide
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.schedule import Schedule
from schedsolve.modelkit.search import Question
from schedsolve.models.matching.claims.ends import ends_are_full
from schedsolve.models.matching.claims.fewest_calls import PREMISE, fewest_calls_formula
from schedsolve.models.matching.claims.formula import rounds_formula
from schedsolve.models.matching.claims.refutations import refuted
from schedsolve.models.matching.formulation.sat import decode, sat_search
from schedsolve.models.matching.rules import replay
from schedsolve.network.automorphisms import automorphisms
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import ClaimError
from tests.models.matching.problems import posed
from tests.models.matching.refutations import FAILS, proven
from tests.reference.brute_force import connected_graphs, gossip_rounds, strongly_connected_digraphs

NO_PROOF = "no price|earns more|allow"
Json = dict[str, Any]
Rounds = list[list[tuple[int, int]]]


def _suffices(problem: Problem, rounds: int) -> bool:
    """Whether the formula has a model; one is replayed."""
    formula = fewest_calls_formula(problem, rounds, automorphisms(problem.network))
    answer, true = decide(formula.cnf, 600.0)
    assert answer is not None
    if answer:
        seen = replay(*decode(problem, formula, true))
        assert seen.violation is None
        assert seen.value == rounds
    return answer


def test_the_same_as_by_brute_force() -> None:
    """On connected graphs and strongly connected digraphs, for all numbers of rounds with full ends."""
    graphs = [*connected_graphs(4), *connected_graphs(5)[::3], *strongly_connected_digraphs(3)]
    asked = 0
    for graph in graphs:
        problem, best = (
            posed("telegraph", "gossip", Network.from_networkx(graph)),
            gossip_rounds(graph, False),
        )
        for rounds in range(3, 6):
            if ends_are_full(graph.number_of_nodes(), rounds) and rounds <= best:
                assert _suffices(problem, rounds) == (rounds == best), (graph.edges, rounds)
                asked += 1
    assert asked > 20


@pytest.mark.parametrize(("spec", "best"), [("complete:6", 5), ("circulant:10,1,3,5", 6)])
def test_where_the_bound_is_met(spec: str, best: int) -> None:
    """Schedules are not lost where just enough rounds are allowed."""
    problem = posed("telegraph", "gossip", spec)
    assert [_suffices(problem, rounds) for rounds in (best - 1, best)] == [False, True]


def test_the_same_as_without_the_premise() -> None:
    """On random networks with more nodes, some of them directed."""
    rng, answers = random.Random(1), set()
    for n in (6,) * 12:
        arcs = [(v, (v + 1) % n) for v in range(n)]
        arcs += [(u, v) for u in range(n) for v in range(n) if u != v and rng.random() < 0.3]
        network = Network(n, tuple(sorted(set(arcs))), directed=True)
        if rng.random() < 0.5:
            both = {(min(arc), max(arc)) for arc in arcs}
            network = Network(n, tuple(sorted(both)))
        problem = posed("telegraph", "gossip", network)
        for rounds in (4, 5):
            if ends_are_full(n, rounds):
                plain, _ = decide(rounds_formula(problem, rounds).cnf, 600.0)
                assert _suffices(problem, rounds) == plain, (network.arcs, rounds)
                answers.add(plain)
    assert answers == {True, False}


def test_what_the_formula_leaves_out() -> None:
    """Of two ways to pair senders and receivers, in the first round and in the last, that without the
    smallest arc; on an undirected network also senders that are fewer at first than the receivers in the end.
    """
    undirected = Network.from_spec("complete:4")
    directed = Network(4, undirected.arcs, directed=True)
    for network in (undirected, directed):
        formula = fewest_calls_formula(posed("telegraph", "gossip", network), 4, [])
        call = {(link, t): formula.call(a, t) for a, link in enumerate(formula.links) for t in (1, 4)}
        with Solver(name="minisat22", bootstrap_with=formula.cnf.clauses) as solver:
            for t in (1, 4):
                assert not solver.propagate([call[(0, 3), t], call[(1, 2), t]])[0]
                assert solver.propagate([call[(0, 2), t], call[(1, 3), t]])[0]
                assert not solver.propagate([call[(0, 2), t], call[(0, 3), t]])[0]
            late = [
                *(call[link, 1] for link in ((2, 0), (3, 1))),
                *(call[link, 4] for link in ((2, 0), (3, 1))),
            ]
            assert solver.propagate(late)[0] == network.directed


def test_split_by_the_senders_first() -> None:
    """The parts of the formula: in each all senders of the first round are given, no two alike, half of the
    nodes each, and no two images of each other.
    """
    problem = posed("telegraph", "gossip", "petersen")
    search = sat_search(Question(problem, 6))
    assert isinstance(search, SatSearch)
    asked, seen = search.question, set[frozenset[int]]()
    for part in split(asked, (), 1):
        if not part.closed:
            with Solver(name="minisat22", bootstrap_with=asked.cnf.clauses) as solver:
                consistent, trail = solver.propagate(assumptions=list(part.cube))
                known = {literal for literal in trail if abs(literal) in asked.split_first} | set(part.cube)
                fixed = [v for v in asked.split_first if solver.propagate(assumptions=[-v]) == (False, [])]
            assert consistent
            senders = frozenset(asked.split_first.index(v) for v in {*known, *fixed} if v > 0)
            assert len(senders) == 5
            images = [frozenset(image[v] for v in senders) for image in automorphisms(problem.network)]
            assert seen.isdisjoint(images)
            seen.add(senders)
    assert len(seen) == 4


def test_calls_that_a_gossip_does_without() -> None:
    """Random gossips, calls left out while they stay gossips: whoever calls a node that has not called waits
    until it is called.
    """
    rng = random.Random(2)
    for spec in ("petersen", "cycle:5", "complete:6", "grid:2x4"):
        network = Network.from_spec(spec)
        for _ in range(5):
            rounds = _without_idle_calls(network, _random_gossip(network, rng), rng)
            assert _waiting(rounds)
            assert _waiting([[(v, u) for u, v in calls] for calls in reversed(rounds)])


def _random_gossip(network: Network, rng: random.Random) -> Rounds:
    known, rounds = [{v} for v in range(network.node_count)], list[list[tuple[int, int]]]()
    while any(len(items) < network.node_count for items in known):
        busy, calls = set[int](), list[tuple[int, int]]()
        for u, v in rng.sample(network.arcs, len(network.arcs)):
            if not busy & {u, v}:
                busy |= {u, v}
                calls.append((u, v))
        for u, v in calls:
            known[v] |= known[u]
        rounds.append(calls)
    return rounds


def _without_idle_calls(network: Network, rounds: Rounds, rng: random.Random) -> Rounds:
    problem = posed("telegraph", "gossip", network)
    calls = [(t, call) for t, calls in enumerate(rounds) for call in calls]
    for t, call in rng.sample(calls, len(calls)):
        fewer = [[other for other in calls if (s, other) != (t, call)] for s, calls in enumerate(rounds)]
        if replay(problem, Schedule.one_way(fewer)).violation is None:
            rounds = fewer
    return rounds


def _waiting(rounds: Rounds) -> bool:
    have_called, waiting = set[int](), set[int]()
    for calls in rounds:
        senders = {u for u, _ in calls}
        if senders & waiting:
            return False
        waiting -= {v for _, v in calls}
        waiting |= {u for u, v in calls if v not in have_called}
        have_called |= senders
    return True


@pytest.fixture(scope="module")
def petersen() -> tuple[Problem, Json]:
    """A gossip in the Petersen graph, and what refutes six rounds."""
    problem = posed("telegraph", "gossip", "petersen")
    search = sat_search(Question(problem, 6, certify=True))
    assert search is not None
    answer = None
    while answer is None:
        answer = search.advance(10.0)
    evidence = search.evidence()
    search.close()
    assert answer is False
    assert evidence is not None
    return problem, dict(evidence)


def test_a_proof_is_replayed(petersen: tuple[Problem, Json]) -> None:
    """The premise is named, with prices for the outer rounds, and the bound follows."""
    assert petersen[1]["premise"] == PREMISE
    assert len(petersen[1]["outer_calls"]) == 5
    assert proven(*petersen) == 7


def test_prices_are_part_of_the_proof(petersen: tuple[Problem, Json]) -> None:
    """Without some of them the proof does not hold; with one that proves nothing it is refused."""
    problem, evidence = petersen
    entries = evidence["outer_calls"]
    with pytest.raises(ClaimError, match=FAILS):
        proven(problem, evidence | {"outer_calls": entries[1:]})
    forged = {**entries[0], "second": 2, "last_but_one": 2}
    with pytest.raises(ClaimError, match=NO_PROOF):
        proven(problem, evidence | {"outer_calls": [*entries, forged]})
    with pytest.raises(ClaimError, match="a list of"):
        proven(problem, evidence | {"outer_calls": None})


def test_too_many_symmetries(petersen: tuple[Problem, Json], monkeypatch: pytest.MonkeyPatch) -> None:
    """A file may not ask for more comparisons than are affordable."""
    monkeypatch.setattr("schedsolve.models.matching.claims.fewest_calls.LARGEST_SYMMETRY_PART", 60)
    with pytest.raises(ClaimError, match="too many symmetries"):
        refuted(*petersen)


def test_what_is_refused(petersen: tuple[Problem, Json]) -> None:
    """Other symmetries, other problems, more rounds than the premise is for, another premise."""
    problem, evidence = petersen
    for changed, says in (
        ({"symmetries": []}, FAILS),
        ({"symmetries": [[1, 0, *range(2, 10)]]}, "no automorphism"),
        ({"rounds": 5}, f"{FAILS}|{NO_PROOF}"),
        ({"rounds": 7, "outer_calls": []}, "may be idle"),
        ({"rounds": 2}, "at least 3 rounds"),
        ({"rounds": 20}, "too large"),
        ({"premise": "full ends"}, "a premise that there is not"),
        ({"premise": ["fewest calls"]}, "a premise that there is not"),
    ):
        with pytest.raises(ClaimError, match=says):
            proven(problem, evidence | changed)
    for other in (posed("telephone", "gossip", "petersen"), posed("telegraph", "broadcast", "petersen")):
        with pytest.raises(ClaimError, match=f"{PREMISE}: for one-way gossip"):
            proven(other, evidence | {"outer_calls": []})
