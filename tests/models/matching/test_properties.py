"""What must hold for the matching models on every network: bounds, algorithms, the referee, thinning, and
automorphisms.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import permutations
from typing import Any

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedsolve.modelkit.search import Options, Progress
from schedsolve.models import build_problem, read_problem
from schedsolve.models.matching.bounds.searched import searched_bound
from schedsolve.models.matching.claims import CLAIMS
from schedsolve.models.matching.claims.lower_bounds import LOWER_BOUNDS
from schedsolve.models.matching.constructions.useful_calls import only_useful_calls
from schedsolve.models.matching.rules import FORM, replay
from schedsolve.network.automorphisms import automorphisms, is_automorphism
from schedsolve.network.graph import Network
from schedsolve.problem import Problem, problem_to_json
from schedsolve.result import Status
from schedsolve.schedule import Call, Schedule
from schedsolve.solving.constructions import construct
from schedsolve.solving.solve import solve
from tests.reference.brute_force import (
    accumulation_rounds,
    broadcast_rounds,
    connected_graphs,
    gossip_rounds,
    multicast_rounds,
    strongly_connected_digraphs,
)

pytestmark = pytest.mark.usefixtures("little_time_for_heuristics")

Rounds = list[list[Call]]

ONE_MESSAGE = ("broadcast", "multicast")


@dataclass(frozen=True)
class Case:
    """A model, a task and a graph on the nodes 0..n-1, with options that name nodes."""

    model: str
    task: str
    graph: nx.Graph
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def problem(self) -> Problem:
        return build_problem(self.model, self.task, Network.from_networkx(self.graph), self.options)

    @property
    def two_way(self) -> bool:
        return self.model == "telephone"

    def brute_force(self) -> int:
        """The optimum by the oracle."""
        if self.task == "gossip":
            return gossip_rounds(self.graph, self.two_way)
        if self.task == "accumulation":
            root: int = self.options["root"]
            return accumulation_rounds(self.graph, self.two_way)[root]
        targets = self.options.get("targets", range(self.graph.number_of_nodes()))
        return multicast_rounds(self.graph, self.two_way, self.options["source"], [targets])[0]


@st.composite
def cases(
    draw: st.DrawFn, tasks: Sequence[str] = (*ONE_MESSAGE, "accumulation", "gossip"), most_nodes: int = 6
) -> Case:
    """Connected graphs, for telegraph sometimes (strongly connected) digraphs, with a task for them."""
    model, task = draw(st.sampled_from(["telegraph", "telephone"])), draw(st.sampled_from(tasks))
    n = draw(
        st.integers(1, most_nodes if task in ONE_MESSAGE or model == "telephone" else min(4, most_nodes))
    )
    graph = nx.Graph()
    graph.add_nodes_from(range(n))
    graph.add_edges_from((draw(st.integers(0, v - 1)), v) for v in range(1, n))
    graph.add_edges_from((u, v) for u in range(n) for v in range(u) if draw(st.booleans()))
    if model == "telegraph" and draw(st.booleans()):
        graph = graph.to_directed()
        for arc in draw(st.permutations(sorted(graph.edges()))):
            graph.remove_edge(*arc)
            if not nx.is_strongly_connected(graph):
                graph.add_edge(*arc)
                break
    nodes = st.lists(st.integers(0, n - 1), min_size=1, unique=True)
    options: dict[str, Any] = {}
    if task == "accumulation":
        options = {"root": draw(st.integers(0, n - 1))}
    elif task in ONE_MESSAGE:
        options = {"source": draw(nodes)[:2]} | ({"targets": draw(nodes)} if task == "multicast" else {})
    return Case(model, task, graph, options)


def optimum(case: Case) -> int:
    result = solve(case.problem)
    assert result.status is Status.OPTIMAL
    assert isinstance(result.value, int)
    return result.value


def some_schedule(problem: Problem, seed: int) -> Schedule:
    """A legal and complete schedule of random rounds, full of useless calls."""
    generator = random.Random(seed)
    two_way = problem.model == "telephone"
    rounds: Rounds = []
    while not accepts(problem, rounds):
        busy: set[int] = set()
        calls = []
        for u, v in generator.sample(problem.network.arcs, len(problem.network.arcs)):
            if busy.isdisjoint((u, v)) and generator.random() < 0.8:
                busy |= {u, v}
                calls.append(Call(u, v, two_way))
        rounds.append(calls)
    return Schedule(tuple(map(tuple, rounds)))


def accepts(problem: Problem, rounds: Sequence[Sequence[Call]]) -> bool:
    """Whether the rounds are legal and do the task: the rules once more, with sets in place of bit masks."""
    graph, n = problem.network.to_networkx(), problem.network.node_count
    one_message = problem.task in ONE_MESSAGE
    everyone = set(range(n))
    know: dict[int, set[Any]] = {
        v: ({"message"} if v in problem.sources else set()) if one_message else {v} for v in range(n)
    }
    for calls in rounds:
        ends = [end for call in calls for end in (call.sender, call.receiver)]
        if len(set(ends)) < len(ends):
            return False
        before = {v: set(items) for v, items in know.items()}
        for call in calls:
            if call.two_way != (problem.model == "telephone") or not graph.has_edge(
                call.sender, call.receiver
            ):
                return False
            know[call.receiver] |= before[call.sender]
            if call.two_way:
                know[call.sender] |= before[call.receiver]
    if one_message:
        return all(know[v] for v in problem.targets)
    return all(know[v] == everyone for v in (problem.sources if problem.task == "accumulation" else everyone))


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


@settings(derandomize=True, deadline=None, max_examples=300)
@given(cases(), st.integers(0, 9), st.data())
def test_referee_agrees_with_an_independent_replay(case: Case, seed: int, data: st.DataObject) -> None:
    """On random schedules with a random change or two the referee accepts just what a second replay
    accepts.
    """
    problem, n = case.problem, case.graph.number_of_nodes()
    rounds: Rounds = [list(calls) for calls in some_schedule(problem, seed).rounds]
    if data.draw(st.booleans()):
        rounds = [
            list(calls) for calls in only_useful_calls(problem, Schedule(tuple(map(tuple, rounds)))).rounds
        ]
    for _ in range(data.draw(st.integers(0, 2)) if n > 1 and rounds else 0):
        calls = data.draw(st.sampled_from(rounds))
        change = data.draw(st.sampled_from(["remove", "add", "turn", "mode", "end round"]))
        if change == "add":
            u, v = data.draw(st.permutations(range(n)))[:2]
            calls.append(Call(u, v, case.two_way))
        elif change == "end round":
            calls.clear()
        elif calls:
            call = calls.pop(data.draw(st.integers(0, len(calls) - 1)))
            if change == "turn":
                calls.append(Call(call.receiver, call.sender, call.two_way))
            elif change == "mode":
                calls.append(call._replace(two_way=not call.two_way))
    seen = replay(problem, Schedule(tuple(map(tuple, rounds))))
    assert (seen.violation is None) == accepts(problem, rounds)
    assert seen.value == len(rounds)


def calls_in(text: str, network: Network, two_way: bool) -> Schedule:
    """The schedule in a text like "ab cd | bc": rounds of calls between nodes of one letter."""
    rounds = [
        [Call(network.node(word[0]), network.node(word[1]), two_way) for word in part.split()]
        for part in text.split("|")
    ]
    return Schedule(tuple(map(tuple, rounds)) if text else ())


REFUSED = [
    (
        "telephone",
        "gossip",
        "ab cd | bc",
        "after the last round (2): node a does not know the item of nodes c, d; 1 more node misses something",
    ),
    ("telephone", "gossip", "ab cd ab | bc | ab cd", "round 1: node a takes part in two calls"),
    ("telephone", "gossip", "ab | bc cd | ab cd", "round 2: node c takes part in two calls"),
    ("telephone", "gossip", "ab cd | ad | ab cd", "round 2: there is no edge from a to d in the network"),
    (
        "telephone",
        "gossip",
        "",
        (
            "after the last round (0): node a does not know the item of nodes b, c, d; 3 more nodes miss"
            " something"
        ),
    ),
    ("telegraph", "broadcast", "", "after the last round (0): the message has not reached nodes b, c, d"),
    ("telegraph", "broadcast", "ab | bc", "after the last round (2): the message has not reached node d"),
    (
        "telegraph",
        "broadcast",
        "ab | cb | cd",
        "after the last round (3): the message has not reached nodes c, d",
    ),
    ("telegraph", "broadcast", "ab | bc cd", "round 2: node c takes part in two calls"),
    ("telegraph", "broadcast", "ab bc | cd", "round 1: node b takes part in two calls"),
    ("telegraph", "broadcast", "ab | bc | bd", "round 3: there is no edge from b to d in the network"),
    (
        "telegraph",
        "accumulation",
        "dc | cb",
        "after the last round (2): node a does not know the item of nodes b, c, d",
    ),
    (
        "telegraph",
        "accumulation",
        "dc | bc | ba",
        "after the last round (3): node a does not know the item of nodes c, d",
    ),
    (
        "telegraph",
        "accumulation",
        "",
        "after the last round (0): node a does not know the item of nodes b, c, d",
    ),
]


@pytest.mark.parametrize(("model", "task", "text", "reason"), REFUSED)
def test_refusals_on_a_path(model: str, task: str, text: str, reason: str) -> None:
    """The referee names the first broken rule with round and node, or what is missing in the end, in the
    network's labels.
    """
    network = Network.from_labels("abcd", ["ab", "bc", "cd"])  # type: ignore[list-item]
    schedule = calls_in(text, network, two_way=model == "telephone")
    assert replay(build_problem(model, task, network), schedule).violation == reason


def test_refusal_of_the_other_mode() -> None:
    """A one-way call is no telephone call, and a two-way call no telegraph call; the refusal shows how to
    write it in a file.
    """
    network = Network.from_labels("abc", ["ab", "bc"])  # type: ignore[list-item]
    one_way, two_way = Schedule.one_way([[(0, 1)], [(1, 2)]]), Schedule.two_way([[(0, 1)], [(1, 2)]])
    telegraph, telephone = (
        build_problem(model, "broadcast", network) for model in ("telegraph", "telephone")
    )
    assert replay(telegraph, one_way).violation is replay(telephone, two_way).violation is None
    for problem, wrong, reason in ((telegraph, two_way, "two-way"), (telephone, one_way, "one-way")):
        violation = str(replay(problem, wrong).violation)
        assert violation.startswith("round 1: the call ")
        assert f" is {reason}; a {problem.model} call is " in violation
        shown = FORM.read({"rounds": [[json.loads(violation[violation.index("{") :])]]}, network)
        assert shown.rounds[0] == (Call(0, 1, problem is telephone),)


def test_refusal_against_the_arrow() -> None:
    """On a directed network a call against its arc is refused."""
    problem = build_problem("telegraph", "gossip", Network(3, ((0, 1), (1, 2), (2, 0)), directed=True))
    assert (
        replay(problem, Schedule.one_way([[(1, 0)]])).violation
        == "round 1: there is no arc from 1 to 0 in the network"
    )


@pytest.mark.parametrize("reports", range(1, 9))
@pytest.mark.parametrize(
    "line", ["telegraph gossip petersen", "telephone broadcast grid:3x3", "telegraph accumulation ccc:3"]
)
def test_interrupted_solve_returns_what_it_has(line: str, reports: int) -> None:
    """Interrupted anywhere, solve returns true bounds, and a schedule that replays if it has one."""
    left = iter(range(reports))
    upper = []

    def stop(progress: Progress) -> None:
        upper.append(progress.upper)
        if next(left, None) is None:
            raise KeyboardInterrupt

    model, task, network = line.split()
    options = {"gossip": {}, "broadcast": {"source": "max"}, "accumulation": {"root": "min"}}[task]
    problem = build_problem(model, task, Network.from_spec(network), options)
    result = solve(problem, Options(progress=stop, time_limit=20))
    grid = nx.convert_node_labels_to_integers(nx.grid_2d_graph(3, 3), ordering="sorted")
    known = {"petersen": 7, "ccc:3": 6}.get(network) or max(broadcast_rounds(grid, True, [v]) for v in grid)
    assert isinstance(result.lower_bound, int)
    assert result.lower_bound <= known
    if result.schedule is None:
        assert (result.status, result.value, set(upper)) == (Status.BOUNDED, None, {None})
    else:
        assert isinstance(result.value, int)
        assert result.value >= known
        assert result.status is (Status.OPTIMAL if result.value == result.lower_bound else Status.BOUNDED)
        placed = problem if result.node is None else problem.at_node(result.node)
        assert accepts(placed, result.schedule.rounds)


@pytest.mark.parametrize("source", [0, "min", "max"])
def test_no_time_at_all(source: int | str) -> None:
    """With next to no time the result says that nothing is known, rather than something wrong."""
    problem = build_problem("telephone", "broadcast", Network.from_spec("torus:4x4"), {"source": source})
    result = solve(problem, Options(time_limit=1e-9))
    assert (result.status, result.value, result.schedule) == (Status.BOUNDED, None, None)
    assert isinstance(result.lower_bound, int)
    assert result.lower_bound <= 4


def test_all_automorphisms_of_small_networks() -> None:
    """What is found are automorphisms, and all but the identity, as many as networkx's matcher finds, with or
    without a fixed node.
    """
    for graph in [*connected_graphs(6), *strongly_connected_digraphs(3), *strongly_connected_digraphs(4)]:
        network, n = Network.from_networkx(graph), graph.number_of_nodes()
        matcher = (
            nx.algorithms.isomorphism.DiGraphMatcher
            if graph.is_directed()
            else nx.algorithms.isomorphism.GraphMatcher
        )
        expected = {
            tuple(image[v] for v in range(n)) for image in matcher(graph, graph).isomorphisms_iter()
        } - {tuple(range(n))}
        found = automorphisms(network, limit=720, steps=10**7)
        assert all(is_automorphism(network, image) for image in found)
        assert len(found) == len(expected)
        assert set(found) == expected
        assert set(automorphisms(network, fixing=((n - 1,),))) == {
            image for image in expected if image[n - 1] == n - 1
        }


def test_generators_of_larger_groups() -> None:
    """Of a group above the limit, the automorphisms given generate all of it."""
    for graph in connected_graphs(5):
        network = Network.from_networkx(graph)
        order = len(automorphisms(network, steps=10**7)) + 1
        if order >= 4:
            given_ones = automorphisms(network, limit=order - 2)
            group = [tuple(range(network.node_count))]
            reached = set(group)
            for image in group:
                for step in given_ones:
                    product = tuple(step[v] for v in image)
                    if product not in reached:
                        reached.add(product)
                        group.append(product)
            assert len(given_ones) < order - 1
            assert len(group) == order
    assert len(automorphisms(Network.from_spec("complete:8"))) == 7 * 8 // 2


def test_is_automorphism() -> None:
    """Just the two renumberings that keep a path's edges are accepted, and just the rotations of a directed
    cycle.
    """
    path = Network.from_spec("path:4")
    assert [p for p in permutations(range(4)) if is_automorphism(path, p)] == [(0, 1, 2, 3), (3, 2, 1, 0)]
    cycle = Network(3, ((0, 1), (1, 2), (2, 0)), directed=True)
    assert [p for p in permutations(range(3)) if is_automorphism(cycle, p)] == [
        (0, 1, 2),
        (1, 2, 0),
        (2, 0, 1),
    ]
    assert not is_automorphism(path, (0, 1, 2))
    assert not is_automorphism(path, (0, 0, 0, 0))


@settings(derandomize=True, deadline=None, max_examples=60)
@given(cases())
def test_problems_survive_json(case: Case) -> None:
    """A problem written as JSON and read again is the same, and the model still takes it."""
    assert read_problem(problem_to_json(case.problem)) == case.problem
