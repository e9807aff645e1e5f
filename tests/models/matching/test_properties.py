"""What must hold for the matching models on every network: bounds, algorithms, the referee, thinning, and
automorphisms.
"""

from __future__ import annotations

from dataclasses import replace

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedsolve.modelkit.evidence import lower_claims
from schedsolve.modelkit.problem import problem_to_json
from schedsolve.modelkit.schedule import Schedule
from schedsolve.models import build_problem, read_problem
from schedsolve.models.matching.bounds.searched import searched_bound
from schedsolve.models.matching.claims import EVIDENCE
from schedsolve.models.matching.claims.lower_bounds import LOWER_BOUNDS
from schedsolve.models.matching.constructions.useful_calls import only_useful_calls
from schedsolve.models.matching.rules import replay
from schedsolve.solving.constructions import construct
from tests.models.matching.cases import Case, accepts, cases, optimum, some_schedule

CLAIMS = lower_claims(EVIDENCE)

pytestmark = pytest.mark.usefixtures("little_time_for_heuristics")


@settings(derandomize=True, deadline=None, max_examples=60)
@given(cases(), st.data())
def test_relabelling_changes_no_value(case: Case, data: st.DataObject) -> None:
    """The optimum is the same whatever the numbers of the nodes."""
    image = data.draw(st.permutations(range(case.graph.number_of_nodes())))
    moved = {
        name: [image[v] for v in nodes] if isinstance(nodes, list) else image[nodes]
        for name, nodes in case.options.items()
    }
    graph = nx.relabel_nodes(case.graph, dict(enumerate(image)))
    assert optimum(replace(case, graph=graph, options=moved)) == optimum(case)


@settings(derandomize=True, deadline=None, max_examples=60)
@given(cases(), st.data())
def test_one_more_edge_never_hurts(case: Case, data: st.DataObject) -> None:
    """With one more edge or arc the optimum is the same or less."""
    graph = case.graph.copy()
    absent = sorted(nx.non_edges(graph))
    if absent:
        graph.add_edge(*data.draw(st.sampled_from(absent)))
    assert optimum(replace(case, graph=graph)) <= optimum(case)


@settings(derandomize=True, deadline=None, max_examples=150)
@given(cases())
def test_bounds_and_algorithms_enclose_the_optimum(case: Case) -> None:
    """No lower bound is above the brute-force optimum, those called exact meet it, and no algorithm is below
    it.
    """
    problem, value = case.problem, case.brute_force()
    for bound in LOWER_BOUNDS:
        found = bound.compute(problem)
        if found is not None:
            assert found == value if bound.exact else found <= value, bound.name
            assert CLAIMS[bound.name](problem, {}) == found
    searched = searched_bound(problem, 0, 0.02)
    if searched is not None:
        assert searched.evidence is not None
        assert CLAIMS["covering"](problem, searched.evidence) == searched.value <= value
    constructions = construct(problem, seconds=0.01)
    assert constructions
    for c in constructions:
        assert c.value >= value, c.algorithm.name
        assert c.value == len(c.schedule.rounds)
        assert accepts(problem, c.schedule.rounds), c.algorithm.name


@settings(derandomize=True, deadline=None, max_examples=60)
@given(cases(["accumulation"]), st.integers(0, 9))
def test_reversed_broadcast_is_an_accumulation(case: Case, seed: int) -> None:
    """A broadcast schedule run backwards accumulates at its source, on the network with the arcs turned
    round; and back again.
    """
    problem = case.problem
    broadcast = build_problem(
        case.model, "broadcast", problem.network.reversed(), {"source": case.options["root"]}
    )
    thin = only_useful_calls(broadcast, some_schedule(broadcast, seed))
    assert replay(problem, thin.reversed()).violation is None
    back = only_useful_calls(problem, some_schedule(problem, seed))
    assert replay(broadcast, back.reversed()).violation is None
    assert optimum(case) == optimum(
        Case(case.model, "broadcast", broadcast.network.to_networkx(), {"source": case.options["root"]})
    )


@settings(derandomize=True, deadline=None, max_examples=100)
@given(cases(), st.integers(0, 9))
def test_thinned_schedules_need_every_call(case: Case, seed: int) -> None:
    """A random schedule is accepted; thinned it still is, in as many rounds, by some of its calls, of which
    none can be left out.
    """
    problem = case.problem
    schedule = some_schedule(problem, seed)
    assert replay(problem, schedule) == replace(
        replay(problem, schedule), value=len(schedule.rounds), violation=None
    )
    thin = only_useful_calls(problem, schedule)
    assert replay(problem, thin).violation is None
    assert len(thin.rounds) == len(schedule.rounds)
    assert all(set(few) <= set(calls) for few, calls in zip(thin.rounds, schedule.rounds, strict=True))
    for t, calls in enumerate(thin.rounds):
        for call in calls:
            without = [[c for c in other if (s, c) != (t, call)] for s, other in enumerate(thin.rounds)]
            violation = replay(problem, Schedule(tuple(map(tuple, without)))).violation
            assert violation is not None
            assert violation.startswith(f"after the last round ({len(thin.rounds)}): ")


@settings(derandomize=True, deadline=None, max_examples=60)
@given(cases())
def test_problems_survive_json(case: Case) -> None:
    """A problem written as JSON and read again is the same, and the model still takes it."""
    assert read_problem(problem_to_json(case.problem)) == case.problem
