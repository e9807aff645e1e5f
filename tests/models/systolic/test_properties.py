"""What must hold for systolic schedules on every network: symmetry, monotonicity, bounds that enclose,
reversal, refusals.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import networkx as nx
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from schedsolve.modelkit.evidence import lower_claims
from schedsolve.modelkit.problem import Problem, problem_to_json
from schedsolve.modelkit.result import Status
from schedsolve.modelkit.schedule import Call, Schedule
from schedsolve.models import build_problem, model_of, read_problem
from schedsolve.models.systolic.claims import EVIDENCE
from schedsolve.models.systolic.claims.formula import horizon, without_period
from schedsolve.models.systolic.claims.lower_bounds import LOWER_BOUNDS
from schedsolve.models.systolic.claims.path_theorem import path_theorem
from schedsolve.models.systolic.constructions.useful_calls import only_useful_slots
from schedsolve.models.systolic.rules import FORM, replay, run_until_complete
from schedsolve.network.graph import Network
from schedsolve.solving.constructions import construct
from schedsolve.solving.solve import solve

CLAIMS = lower_claims(EVIDENCE)

pytestmark = pytest.mark.usefixtures("little_time_for_heuristics")


TASKS = ("broadcast", "accumulation", "gossip")
INFEASIBLE = 10**9  # more rounds than any other optimum


@dataclass(frozen=True)
class Case:
    """A model, a task, a graph on the nodes 0..n-1, the source or root of a task that has one, a period,
    whether edges are coloured.
    """

    model: str
    task: str
    graph: nx.Graph
    node: int
    period: int
    edge_colouring: bool = False

    @property
    def problem(self) -> Problem:
        options = {"gossip": {}, "accumulation": {"root": self.node}, "broadcast": {"source": self.node}}[
            self.task
        ]
        colouring = {"edge_colouring": True} if self.edge_colouring else {}
        return build_problem(
            self.model,
            self.task,
            Network.from_networkx(self.graph),
            {**options, **colouring, "period": self.period},
        )


@st.composite
def cases(
    draw: st.DrawFn, tasks: Sequence[str] = TASKS, *, most_nodes: int = 6, colouring: bool = True
) -> Case:
    """Connected graphs, for telegraph sometimes strongly connected digraphs, with a task and a period for
    them.
    """
    model, task = draw(st.sampled_from(["telegraph", "telephone"])), draw(st.sampled_from(tasks))
    n = draw(st.integers(1, min(5, most_nodes) if task == "gossip" and model == "telegraph" else most_nodes))
    graph = nx.Graph()
    graph.add_nodes_from(range(n))
    graph.add_edges_from((draw(st.integers(0, v - 1)), v) for v in range(1, n))
    graph.add_edges_from((u, v) for u in range(n) for v in range(u) if draw(st.integers(0, 2)) == 0)
    if model == "telegraph" and draw(st.booleans()):
        graph = graph.to_directed()
        for arc in draw(st.permutations(sorted(graph.edges()))):
            graph.remove_edge(*arc)
            if not nx.is_strongly_connected(graph):
                graph.add_edge(*arc)
                break
    coloured = colouring and task == "gossip" and draw(st.integers(0, 3)) == 0
    return Case(model, task, graph, draw(st.integers(0, n - 1)), draw(st.integers(1, 7)), coloured)


def optimum(case: Case) -> int:
    """The proven optimum, a large number when no number of rounds suffices; its schedule must replay."""
    result = solve(case.problem)
    if result.status is Status.INFEASIBLE:
        assert (result.value, result.schedule) == (None, None)
        return INFEASIBLE
    assert result.status is Status.OPTIMAL
    assert isinstance(result.value, int)
    assert result.schedule is not None
    assert result.schedule.period == case.period
    assert accepts(case.problem, result.schedule)
    seen = replay(case.problem, result.schedule)
    assert (seen.violation, seen.value) == (None, result.value)
    return result.value


def accepts(problem: Problem, schedule: Schedule) -> bool:
    """Whether the schedule is legal, periodic and does the task: the rules once more, with sets."""
    graph, n = problem.network.to_networkx(), problem.network.node_count
    period = problem.period
    assert isinstance(period, int)
    two_way, gossip = problem.model == "telephone", problem.task == "gossip"
    told = set(problem.sources) if problem.task == "broadcast" else set(range(n))
    known = [{v} & told for v in range(n)]
    rounds = [
        {(frozenset(call[:2]), None if two_way else call[:2]) for call in calls} for calls in schedule.rounds
    ]
    if any(first != second for first, second in zip(rounds, rounds[period:], strict=False)):
        return False
    edges = [edge for calls in rounds[:period] for edge, _ in calls]
    if problem.parameters.get("edge_colouring") and len(edges) > len(set(edges)):
        return False
    for calls in schedule.rounds:
        ends = [v for call in calls for v in call[:2]]
        if len(ends) > len(set(ends)) or any(call.two_way != two_way for call in calls):
            return False
        for u, v, *_ in calls:
            if not (graph.has_edge(u, v) or (two_way and graph.has_edge(v, u))):
                return False
            known[v] = known[u] | known[v]
            if two_way:
                known[u] = known[v]
    goal = {problem.sources[0]} if problem.task == "accumulation" else set(range(n))
    return all(known[v] >= told for v in goal) if gossip or problem.task == "accumulation" else all(known)


def some_schedule(case: Case, data: st.DataObject) -> Schedule:
    """A legal and complete schedule whose period is drawn; cases for which the draw is not complete are given
    up.
    """
    problem = case.problem
    slots: list[list[tuple[int, int]]] = []
    edges: set[frozenset[int]] = set()
    for _ in range(case.period):
        calls: list[tuple[int, int]] = []
        for u, v in data.draw(st.permutations(problem.network.arcs)):
            taken = any(w in call for w in (u, v) for call in calls) or (
                case.edge_colouring and frozenset((u, v)) in edges
            )
            if not taken:
                calls.append((u, v))
                edges.add(frozenset((u, v)))
        slots.append(calls)
    one_period = Schedule.two_way(slots) if case.model == "telephone" else Schedule.one_way(slots)
    schedule = run_until_complete(problem, one_period, horizon(problem))
    assume(schedule is not None)
    assert schedule is not None
    return schedule


@settings(derandomize=True, deadline=None, max_examples=50)
@given(cases(), st.data())
def test_relabelling_changes_no_value(case: Case, data: st.DataObject) -> None:
    """The optimum is the same whatever the numbers of the nodes."""
    image = data.draw(st.permutations(range(case.graph.number_of_nodes())))
    graph = nx.relabel_nodes(case.graph, dict(enumerate(image)))
    assert optimum(replace(case, graph=graph, node=image[case.node])) == optimum(case)


@settings(derandomize=True, deadline=None, max_examples=50)
@given(cases(), st.data())
def test_one_more_edge_never_hurts(case: Case, data: st.DataObject) -> None:
    """With one more edge or arc the optimum for a period is the same or less, infeasible being more than
    anything.
    """
    graph = case.graph.copy()
    absent = sorted(nx.non_edges(graph))
    if absent:
        graph.add_edge(*data.draw(st.sampled_from(absent)))
    assert optimum(replace(case, graph=graph)) <= optimum(case)


@settings(derandomize=True, deadline=None, max_examples=50)
@given(cases(colouring=False), st.integers(2, 3))
def test_a_multiple_of_the_period_never_hurts(case: Case, factor: int) -> None:
    """With the period doubled or tripled the optimum is the same or less: what repeats every p rounds repeats
    every 2p rounds.
    """
    assert optimum(replace(case, period=factor * case.period)) <= optimum(case)


@settings(derandomize=True, deadline=None, max_examples=80)
@given(cases())
def test_bounds_and_algorithms_enclose_the_optimum(case: Case) -> None:
    """No lower bound is above the optimum, exact ones meet it, no algorithm is below it; a period does not
    beat none.
    """
    problem, value, most = case.problem, optimum(case), horizon(case.problem)
    for bound in LOWER_BOUNDS:
        found = bound.compute(problem)
        if found is not None:
            assert found <= value, bound.name
            assert found <= most or value == INFEASIBLE, bound.name
            assert not bound.exact or found == min(value, most + 1), bound.name
            assert CLAIMS[bound.name](problem, {}) == found
    upper = path_theorem(problem)
    assert upper is None or value == upper
    assert value == INFEASIBLE or value <= most
    for made in construct(problem, seconds=0.01):
        assert made.value >= value, made.algorithm.name
        assert made.value == len(made.schedule.rounds)
        assert accepts(problem, made.schedule), made.algorithm.name
    free = solve(without_period(problem)).value
    assert isinstance(free, int)
    assert free <= value
    assert case.edge_colouring or case.period < free or value == free


@settings(derandomize=True, deadline=None, max_examples=40)
@given(cases(["gossip"]))
def test_gossip_backwards_in_time(case: Case) -> None:
    """A gossip run backwards, one-way calls turned round, is a gossip on the network with its arcs turned
    round, in as many rounds.
    """
    problem = case.problem
    result = solve(problem)
    assume(result.schedule is not None)
    assert result.schedule is not None
    reverse = replace(problem, network=problem.network.reversed())
    backwards = result.schedule.reversed()
    assert replay(reverse, backwards).violation is None
    assert accepts(reverse, backwards)
    if problem.network.directed:
        assert optimum(replace(case, graph=case.graph.reverse())) == result.value


@settings(derandomize=True, deadline=None, max_examples=30)
@given(cases(["accumulation"]))
def test_accumulation_is_broadcast_backwards(case: Case) -> None:
    """It takes as many rounds as the broadcast from its root with the arcs turned round, whose schedule run
    backwards does it.
    """
    graph = case.graph.reverse() if case.graph.is_directed() else case.graph
    other = replace(case, task="broadcast", graph=graph)
    assert optimum(case) == optimum(other)
    schedule = solve(other.problem).schedule
    if schedule is not None:
        assert accepts(case.problem, schedule.reversed())
        assert replay(case.problem, schedule.reversed()).violation is None


@settings(derandomize=True, deadline=None, max_examples=60)
@given(cases(most_nodes=5), st.data())
def test_calls_that_are_not_needed_go(case: Case, data: st.DataObject) -> None:
    """Of a complete schedule the useful slots are calls of it, take no more rounds, and still have the
    period.
    """
    problem, schedule = case.problem, some_schedule(case, data)
    assert accepts(problem, schedule)
    thin = only_useful_slots(problem, schedule)
    assert replay(problem, thin).violation is None
    assert accepts(problem, thin)
    assert len(thin.rounds) <= len(schedule.rounds)
    assert all(set(few) <= set(calls) for few, calls in zip(thin.rounds, schedule.rounds, strict=False))


@settings(derandomize=True, deadline=None, max_examples=150)
@given(cases(most_nodes=5), st.data())
def test_referee_agrees_with_an_independent_replay(case: Case, data: st.DataObject) -> None:
    """A drawn schedule, changed in up to two places or given another period, is accepted just when a second
    replay accepts it.
    """
    schedule = some_schedule(case, data)
    rounds = [list(calls) for calls in schedule.rounds]
    problem = case.problem
    for _ in range(data.draw(st.integers(0, 2)) if any(rounds) else 0):
        change = data.draw(st.sampled_from(["drop", "move", "turn", "swap rounds", "period"]))
        t = data.draw(st.integers(0, len(rounds) - 1))
        if change == "swap rounds":
            s = data.draw(st.integers(0, len(rounds) - 1))
            rounds[s], rounds[t] = rounds[t], rounds[s]
        elif change == "period":
            problem = problem.with_parameters(period=data.draw(st.integers(1, 8)))
        elif rounds[t]:
            call = rounds[t].pop(data.draw(st.integers(0, len(rounds[t]) - 1)))
            if change == "move":
                rounds[data.draw(st.integers(0, len(rounds) - 1))].append(call)
            elif change == "turn":
                rounds[t].append(Call(call.receiver, call.sender, call.two_way))
    changed = Schedule(tuple(map(tuple, rounds)), problem.period if isinstance(problem.period, int) else None)
    assert (replay(problem, changed).violation is None) == accepts(problem, changed)


def optimal_gossip(line: str) -> tuple[Problem, Schedule]:
    """A problem in a line "telegraph gossip path:7 6" with an optimal schedule that goes on longer than its
    period.
    """
    model, task, network, period = line.split()
    problem = build_problem(model, task, Network.from_spec(network), {"period": period})
    schedule = solve(problem).schedule
    assert schedule is not None
    assert len(schedule.rounds) > int(period)
    assert replay(problem, schedule).violation is None
    return problem, schedule


LINES = [
    "telegraph gossip path:7 6",
    "telephone gossip tree:2,3 3",
    "telephone gossip cycle:9 3",
    "telegraph gossip cycle:5 4",
]


@pytest.mark.parametrize("line", LINES)
def test_a_call_dropped_or_moved_is_refused(line: str) -> None:
    """Where a round has its copy a period away, a call that is dropped, or moved to another round, is named
    as the difference.
    """
    problem, schedule = optimal_gossip(line)
    period = problem.period
    assert isinstance(period, int)
    for t, calls in enumerate(schedule.rounds):
        has_copy = t >= period or t + period < len(schedule.rounds)
        for call in calls:
            rounds = [
                tuple(c for c in other if (s, c) != (t, call)) for s, other in enumerate(schedule.rounds)
            ]
            dropped = replace(schedule, rounds=tuple(rounds))
            moved = replace(
                schedule,
                rounds=tuple(
                    (*other, call) if s == (t + 1) % len(rounds) else other for s, other in enumerate(rounds)
                ),
            )
            for changed in (dropped, moved):
                seen = replay(problem, changed)
                assert not accepts(problem, changed) or not has_copy
                assert (seen.violation is None) == accepts(problem, changed)
            if has_copy:
                violation = str(replay(problem, dropped).violation)
                assert f"with period {period} the two rounds are the same" in violation
                names = [str(problem.network.labels[v]) for v in call[:2]]
                assert f"{names[0]} and {names[1]}" in violation or f"{names[0]} to {names[1]}" in violation


@pytest.mark.parametrize("line", LINES)
def test_another_period_is_refused(line: str) -> None:
    """A schedule written with another period than the problem's, or replayed for one that it does not keep,
    is refused.
    """
    problem, schedule = optimal_gossip(line)
    period = problem.period
    assert isinstance(period, int)
    for other in (period - 1, period + 1, 2 * period):
        assert replay(problem, replace(schedule, period=other)).violation is not None
    shorter = problem.with_parameters(period=period - 1)
    assert not accepts(shorter, schedule)
    assert "the two rounds are the same" in str(
        replay(shorter, replace(schedule, period=period - 1)).violation
    )
    twice = problem.with_parameters(period=2 * period)
    assert replay(twice, replace(schedule, period=2 * period)).violation is None
    assert replay(problem, replace(schedule, period=None)).violation is None


def test_an_edge_used_twice_is_refused() -> None:
    """With edge colouring the second use of an edge in a period is named, either way round; after the period
    it is free again.
    """
    problem = build_problem(
        "telegraph", "gossip", Network.from_spec("cycle:3"), {"period": 3, "edge_colouring": True}
    )
    round_the_ring = [[(0, 1)], [(1, 2)], [(2, 0)], [(0, 1)], [(1, 2)]]
    assert replay(problem, Schedule.one_way(round_the_ring)).violation is None
    violation = str(replay(problem, Schedule.one_way([[(0, 1)], [(1, 0)]])).violation)
    assert (
        violation
        == "round 2: the edge 0-1 was used in round 1; an edge colouring uses every edge at most once in a"
        " period"
    )


@settings(derandomize=True, deadline=None, max_examples=40)
@given(cases(most_nodes=5), st.data())
def test_problems_and_schedules_survive_json(case: Case, data: st.DataObject) -> None:
    """Written as JSON and read again both are the same, period and edge colouring included, and the model
    still takes them.
    """
    problem, schedule = case.problem, some_schedule(case, data)
    again = read_problem(problem_to_json(problem))
    assert again == problem
    assert model_of(again).variant == "period"
    assert FORM.read(schedule.to_json(problem.network.labels), problem.network) == schedule
