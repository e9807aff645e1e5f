"""One-way gossip by origins and destinations: the same least number of rounds as by brute force, and what is
refused as a proof.
"""

from __future__ import annotations

import sys
from itertools import combinations, product
from random import Random
from typing import Any

import pytest
from pysat.solvers import Solver

from schedsolve.backends.sat import SatQuestion, SatSearch
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.schedule import Schedule
from schedsolve.modelkit.search import GivenUpError, Question
from schedsolve.models.matching.claims.origins import origins_formula, pair_orbits, sender_sets
from schedsolve.models.matching.claims.refutations import refuted
from schedsolve.models.matching.formulation.origins import origins_search
from schedsolve.models.matching.rules import replay
from schedsolve.network.automorphisms import automorphisms
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import ClaimError, InputError
from schedsolve.runtime.limits.budget import within
from tests.models.matching.problems import posed
from tests.models.matching.refutations import proven
from tests.reference.brute_force import connected_graphs, gossip_rounds, strongly_connected_digraphs

Json = dict[str, Any]
UNPROVEN = r"does not follow|not a clause over|without a contradiction"


def _refutation(problem: Problem, rounds: int) -> Json | None:
    """What proves that so many rounds do not suffice; None when a schedule is found, which is replayed."""
    search = origins_search(Question(problem, rounds, certify=True))
    assert search is not None
    answer = None
    while answer is None:
        answer = search.advance(10.0)
    evidence = search.evidence() if answer is False else None
    if answer:
        seen = replay(*search.found())
        assert seen.violation is None
        assert seen.value == rounds
    search.close()
    return None if evidence is None else dict(evidence)


def test_the_least_number_of_rounds_is_that_of_brute_force() -> None:
    """On connected graphs and strongly connected digraphs just what brute force excludes is refuted."""
    graphs = [*connected_graphs(4)[1:], *connected_graphs(5)[11::9], *strongly_connected_digraphs(3)]
    for graph in graphs:
        problem, best = (
            posed("telegraph", "gossip", Network.from_networkx(graph)),
            gossip_rounds(graph, False),
        )
        for rounds in range(2, best + 1):
            evidence = _refutation(problem, rounds)
            assert (evidence is not None) == (rounds < best), (graph.edges, rounds)
            assert evidence is None or proven(problem, evidence) == rounds + 1


def test_sets_of_senders_by_trying_all_rounds() -> None:
    """On random digraphs the tails of all rounds, but for those that are part of others'; a node by itself
    has a round too, in which nobody calls.
    """
    rng = Random(4)
    for n, density in product((1, 2, 3, 4, 5, 6), (0.15, 0.4)):
        arcs = [(u, v) for u in range(n) for v in range(n) if u != v and rng.random() < density]
        rounds = [
            calls
            for size in range(n // 2 + 1)
            for calls in combinations(arcs, size)
            if len({v for call in calls for v in call}) == 2 * size
        ]
        tails = {frozenset(u for u, _ in calls) for calls in rounds}
        greatest = {one for one in tails if not any(one < other for other in tails)}
        found = sender_sets(Network(n, tuple(arcs), directed=True))
        assert set(found) == greatest
        assert len(found) == len(greatest)


def test_orbits_of_complete_graphs() -> None:
    """In a complete graph with 2m nodes any m nodes can call, and pairs of sets differ by what they share."""
    network = Network.from_spec("complete:6")
    assert sorted(map(len, sender_sets(network))) == [3] * 20
    assert len(pair_orbits(network, automorphisms(network))) == 4


def test_calls_that_origins_and_destinations_do_without() -> None:
    """No sender of the first round calls in the next, and no receiver of the last is called before it."""
    network = Network.from_spec("complete:4")
    pair = (frozenset({0, 1}), frozenset({2, 3}))
    formula = origins_formula(network, 5, [pair])
    call = {(link, t): formula.call(a, t) for a, link in enumerate(formula.links) for t in (1, 3)}
    chosen = [formula.senders[pair[0]], formula.receivers[pair[1]]]
    with Solver(name="minisat22", bootstrap_with=formula.cnf.clauses) as solver:
        for link, t, fits in (((0, 2), 1, False), ((2, 0), 1, True), ((0, 2), 3, False), ((2, 0), 3, True)):
            assert solver.propagate([*chosen, call[link, t]])[0] == fits


def test_orbits_of_a_path() -> None:
    """Without automorphisms only senders and receivers change places; a directed network keeps them apart."""
    network = Network.from_spec("path:4")
    sets = len(sender_sets(network))
    assert len(pair_orbits(network, [])) == sets * (sets + 1) // 2
    directed = Network(4, ((0, 1), (1, 2), (2, 0), (1, 3), (3, 0)), directed=True)
    assert len(pair_orbits(directed, [])) == len(sender_sets(directed)) * len(
        sender_sets(directed.reversed())
    )


@pytest.fixture(scope="module")
def complete() -> tuple[Problem, Json]:
    """A gossip in the complete graph of six nodes, and what refutes three rounds."""
    problem = posed("telegraph", "gossip", "complete:6")
    evidence = _refutation(problem, 3)
    assert evidence is not None
    assert evidence["keeping"]
    assert proven(problem, evidence) == 4
    return problem, evidence


def test_automorphisms_changed_are_refused(complete: tuple[Problem, Json]) -> None:
    """What is no automorphism merges no pairs and compares no rounds; without one the formula is another."""
    path = posed("telegraph", "gossip", "path:3")
    for key in ("symmetries", "keeping"):
        with pytest.raises(ClaimError, match="no automorphism"):
            refuted(path, {"rounds": 3, "premise": complete[1]["premise"], key: [[1, 0, 2]]})
        with pytest.raises(ClaimError, match="lists of node numbers"):
            refuted(path, {"rounds": 3, "premise": complete[1]["premise"], key: [[None]]})
    with pytest.raises(ClaimError, match=UNPROVEN):
        proven(complete[0], complete[1] | {"symmetries": []})


def test_a_pair_left_out_is_refused() -> None:
    """In path:4 four rounds suffice; without the pairs that lead there a proof is found, and refused."""
    network, rounds = Network.from_spec("path:4"), 4
    problem = posed("telegraph", "gossip", network)
    images = automorphisms(network)
    hopeless = [pair for pair in pair_orbits(network, images) if not _decided(network, rounds, [pair])[0]]
    assert 0 < len(hopeless) < len(pair_orbits(network, images))
    answer, proof = _decided(network, rounds, hopeless)
    assert answer is False
    claimed = {"rounds": rounds, "premise": "origins and destinations", "symmetries": list(map(list, images))}
    with pytest.raises(ClaimError, match=UNPROVEN):
        proven(problem, claimed | proof)


def _decided(network: Network, rounds: int, pairs: list[Any]) -> tuple[bool | None, Json]:
    """Whether so many rounds suffice for one of the pairs, and the proof if not."""
    formula = origins_formula(network, rounds, pairs)
    problem = posed("telegraph", "gossip", network)
    question = SatQuestion(
        formula.cnf, [], lambda _: (problem, Schedule(())), cases=list(formula.senders.values())
    )
    search = SatSearch(lambda: question, with_proof=True)
    answer = None
    while answer is None:
        answer = search.advance(10.0)
    evidence = dict(search.evidence() or {}) if answer is False else {}
    search.close()
    return answer, evidence


def test_other_rounds_and_premises_are_refused(complete: tuple[Problem, Json]) -> None:
    """A proof is for its number of rounds, and the premise for one-way gossip on small networks."""
    problem, evidence = complete
    with pytest.raises(ClaimError, match=UNPROVEN):
        proven(problem, evidence | {"rounds": 4})
    for rounds, said in ((1, "at least two rounds"), (12, "too large"), ("3", "how many rounds")):
        with pytest.raises(ClaimError, match=said):
            refuted(problem, evidence | {"rounds": rounds})
    with pytest.raises(ClaimError, match="a premise that there is not"):
        refuted(problem, evidence | {"premise": "another"})
    for model, task in (("telephone", "gossip"), ("telegraph", "broadcast")):
        with pytest.raises(ClaimError, match="for one-way gossip"):
            refuted(posed(model, task, "complete:6"), evidence)
    with pytest.raises(ClaimError, match="at most 12 nodes"):
        refuted(posed("telegraph", "gossip", "cycle:13"), evidence)


def test_a_file_may_not_ask_for_much(complete: tuple[Problem, Json], monkeypatch: pytest.MonkeyPatch) -> None:
    """Orbits under many automorphisms are not computed, and as many comparisons not written down."""
    problem, evidence = complete
    with pytest.raises(ClaimError, match="too many pairs"):
        refuted(
            posed("telegraph", "gossip", "complete:12"), evidence | {"symmetries": [list(range(12))] * 30}
        )
    with within(), pytest.raises(InputError, match="over budget"):
        refuted(problem, evidence | {"keeping": [list(range(6))] * 1001})
    monkeypatch.setattr(sys.modules[origins_formula.__module__], "LARGEST_SYMMETRY_PART", 60)
    with pytest.raises(ClaimError, match="too many automorphisms"):
        refuted(problem, evidence)


def test_where_it_does_not_apply(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is for one-way gossip in at least two rounds on at most twelve nodes, and gives up on many pairs."""
    cycle = posed("telegraph", "gossip", "cycle:6")
    assert origins_search(Question(cycle, 1)) is None
    assert origins_search(Question(posed("telephone", "gossip", "cycle:6"), 4)) is None
    assert origins_search(Question(posed("telegraph", "broadcast", "cycle:6", source=0), 4)) is None
    assert origins_search(Question(posed("telegraph", "gossip", "cycle:13"), 8)) is None
    search = origins_search(Question(posed("telegraph", "gossip", "complete:12"), 6))
    monkeypatch.setattr(sys.modules[origins_formula.__module__], "MOST_STEPS", 1000)
    assert search is not None
    with pytest.raises(GivenUpError):
        search.advance(1.0)


@pytest.mark.slow
def test_the_petersen_graph() -> None:
    """Six rounds are refuted in a second, which takes the plain formula ten."""
    problem = posed("telegraph", "gossip", "petersen")
    evidence = _refutation(problem, 6)
    assert evidence is not None
    assert proven(problem, evidence) == 7
