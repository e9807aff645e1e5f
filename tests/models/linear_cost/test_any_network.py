"""The linear cost model on any network: exact optima of small ones, bounds with their evidence, T, prices."""

from __future__ import annotations

import gzip
import json
import time
from collections.abc import Iterator
from copy import deepcopy
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from schedsolve.modelkit.evidence import lower_claims
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.result import Bound
from schedsolve.models import build_problem
from schedsolve.models.linear_cost.bounds import steady_bound, timed_bound
from schedsolve.models.linear_cost.claims import EVIDENCE
from schedsolve.models.linear_cost.claims.call_graph_tree import Prefix, Setting, prices_bound
from schedsolve.models.linear_cost.constructions.call_graph_families import (
    coloured_call_graphs,
    edge_colours,
    knoedel_call_graphs,
)
from schedsolve.models.linear_cost.constructions.flow_costs import flow_costs
from schedsolve.models.linear_cost.constructions.least_rounds import least_rounds
from schedsolve.models.linear_cost.rules import replay
from schedsolve.models.linear_cost.search.branching import Branching, branching
from schedsolve.models.linear_cost.search.leaf_packing import pack
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import ClaimError, InputError, UnsettledError
from tests.command_line import Cli
from tests.needs import needs
from tests.reference.linear_cost_brute_force import least_cost

CLAIMS = lower_claims(EVIDENCE)

INSTANCES = Path(__file__).parents[3] / "instances"
CONNECTED = (
    ((0, 1),),
    ((0, 1), (1, 2)),
    ((0, 1), (0, 2), (1, 2)),
    ((0, 1), (1, 2), (2, 3)),
    ((0, 1), (0, 2), (0, 3)),
    ((0, 1), (0, 2), (1, 2), (2, 3)),
    ((0, 1), (0, 3), (1, 2), (2, 3)),
    ((0, 1), (0, 3), (1, 2), (1, 3), (2, 3)),
    ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)),
)
"""All connected networks of two to four nodes."""


def posed(spec: str | Network, **options: Any) -> Problem:
    network = spec if isinstance(spec, Network) else Network.from_spec(spec)
    return build_problem("linear-cost", "broadcast", network, options)


def settled(problem: Problem, seconds: float = 120.0) -> tuple[Fraction, Bound]:
    """The optimum by the exact search, its schedule replayed, and the bound with its evidence."""
    value, bound = None, None
    for found in branching(problem, None, seconds):
        if isinstance(found, Bound):
            bound = found
        elif found is not None:
            seen = replay(*found)
            assert seen.violation is None
            value = Fraction(seen.value)
    assert value is not None
    assert bound is not None
    assert bound.evidence is not None
    assert CLAIMS["call graphs"](problem, json.loads(json.dumps(bound.evidence))) == bound.value == value
    return value, bound


@pytest.mark.parametrize(
    ("spec", "ports", "source", "values"),
    [
        ("complete:5", 1, 0, {3: "5/2", 4: "2"}),
        ("complete:3", 2, 0, {1: "1", 2: "2/3", 3: "3/5", 4: "4/7"}),
        ("star:5", 2, 1, {3: "3", 4: "5/2", 5: "9/4"}),
        pytest.param("cycle:6", 2, 0, {7: "7/10", 9: "9/14"}, marks=pytest.mark.slow),
        ("cycle:4", 2, 0, {3: "3/4"}),
        ("complete:2", 1, 0, {1: "1", 3: "1"}),
    ],
)
def test_known_optima(spec: str, ports: int, source: int, values: dict[int, str]) -> None:
    """The least costs for some numbers of rounds, each proven and checked again."""
    for rounds, value in values.items():
        problem = posed(spec, ports=ports, source=source, total_rounds=rounds)
        assert settled(problem)[0] == Fraction(value)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spec", "extra", "weak", "value"),
    [
        ("complete:5", 2, False, "18/11"),
        ("complete:5", 2, True, "8/5"),
        ("complete:5", 4, False, "7/5"),
        ("complete:7", 2, False, "7/4"),
    ],
)
def test_optima_by_long_searches(spec: str, extra: int, weak: bool, value: str) -> None:
    """Least costs by search of up to a minute; where the strict and the weak reading differ, both."""
    problem = posed(spec, extra_rounds=extra, **({"weak_ports": True} if weak else {}))
    assert settled(problem, 600)[0] == Fraction(value)


@pytest.mark.parametrize("nodes", [3, 4, 5, pytest.param(6, marks=pytest.mark.slow)])
def test_families(nodes: int) -> None:
    """Paths and cycles from an end: (T+2q)/(q+1) with q = r // 2 for one port, (T+r)/(r+1) for two; half of
    that on an even cycle for two, (T+r)/(2r+1) on an odd one.
    """
    for extra in range(4):
        t = nodes - 1
        path = Fraction(t + 2 * (extra // 2), extra // 2 + 1)
        assert settled(posed(f"path:{nodes}", extra_rounds=extra))[0] == path
        assert settled(posed(f"path:{nodes}", ports=2, extra_rounds=extra))[0] == Fraction(
            t + extra, extra + 1
        )
        c = nodes // 2
        cost = Fraction(c + extra, 2 * extra + (1 if nodes % 2 else 2))
        if nodes % 2 or extra:
            assert settled(posed(f"cycle:{nodes}", ports=2, extra_rounds=extra))[0] == cost


def cases(extra: int) -> Iterator[tuple[int, tuple[tuple[int, int], ...], int, int, int]]:
    for links in CONNECTED:
        nodes = max(map(max, links)) + 1
        for ports in (1, 2):
            for source in range(nodes):
                least = least_rounds(Network(nodes, links), source, ports).upper
                yield nodes, links, source, ports, least + extra


@pytest.mark.parametrize("extra", [0, 1, pytest.param(2, marks=pytest.mark.slow)])
def test_brute_force(extra: int) -> None:
    """All connected networks with up to four nodes, every source, one port and two: the same least cost."""
    for nodes, links, source, ports, rounds in cases(extra):
        if extra == 1 and source and len(links) > 3:
            continue
        problem = posed(Network(nodes, links), source=source, ports=ports, total_rounds=rounds)
        expected = least_cost(nodes, links, source, ports, rounds)
        assert settled(problem)[0] == expected, (links, source, ports, rounds)


def test_a_changed_proof_proves_what_it_proves_and_no_more() -> None:
    """Multipliers, cuts or the tree changed: the bound is at most the optimum, or the evidence is refused."""
    problem = posed("complete:5", total_rounds=4)
    value, bound = settled(problem)
    claim, evidence = CLAIMS["call graphs"], json.loads(json.dumps(bound.evidence))
    for number in range(0, len(evidence["proofs"]), 8):
        for factor in (Fraction(1, 2), Fraction(3)):
            changed = deepcopy(evidence)
            for pair in changed["proofs"][number]:
                pair[1] = str(Fraction(pair[1]) * factor)
            assert claim(problem, changed) <= value
    shortened = deepcopy(evidence)
    inner = shortened["tree"]
    while isinstance(inner[0], list):
        inner = inner[0]
    inner.pop()
    with pytest.raises(ClaimError):
        claim(problem, shortened)
    for broken in ({"cuts": [[1, 0, 0, 0, 5]]}, {"tree": 10**6}, {"proofs": [[[0, "-1"]]]}):
        with pytest.raises(ClaimError):
            claim(problem, evidence | broken)
    below = [[[pair[0], f"-{pair[1]}"] for pair in proof] for proof in evidence["proofs"]]
    with pytest.raises(ClaimError, match="multiplier of 0 or more"):
        claim(problem, evidence | {"proofs": below})


TWO_CLIQUES = (
    ((0, 1), (0, 4)),
    ((0, 2), (0, 3), (1, 2), (1, 3), (4, 5), (4, 6)),
    (
        *((0, 1), (0, 4), (1, 5), (2, 3), (2, 6), (3, 2), (3, 7), (4, 7)),
        *((5, 1), (5, 6), (6, 2), (6, 5)),
    ),
)
"""Call graphs of three rounds with two ports on instances/two-cliques.edges: two K4 joined by four links."""


def test_flow_is_not_packing(cli: Cli) -> None:
    """Two K4 joined by four links, two ports, three rounds: on some call graphs a flow of 1 gets to every
    node at the cost 5/4, each for itself. No broadcast costs less than 4/3, by the proof in instances/, and
    on these call graphs none less than 11/8.
    """
    file = INSTANCES / "two-cliques-4-3.json.gz"
    data = json.loads(gzip.decompress(file.read_bytes()))
    assert (data["value"], data["lower_bound"]) == ("4/3", "4/3")
    assert cli(f"check --strict {file}").status == 0
    problem = posed(str(INSTANCES / "two-cliques.edges"), ports=2, total_rounds=3)
    links = [(int(e["source"]), int(e["target"])) for e in data["problem"]["network"]["edges"]]
    assert tuple(links) == problem.network.edges
    flow = flow_costs(8, TWO_CLIQUES)
    assert flow is not None
    assert flow.value == Fraction(5, 4)
    setting = Setting.of(problem)
    for graph in TWO_CLIQUES:
        assert all(sum(v in link for link in {frozenset(arc) for arc in graph}) <= 2 for v in range(8))
        assert set(graph) <= problem.network.arc_set
    prefix = Prefix(TWO_CLIQUES, 255, ())
    packing = pack(setting, prefix, time.process_time() + 60)
    assert packing is not None
    assert packing.cost == prices_bound(setting, prefix, packing.prices) == Fraction(11, 8)


@pytest.mark.parametrize(
    ("spec", "ports", "rounds", "steady", "timed"),
    [
        ("complete:5", 1, 6, "5/4", "3/2"),
        ("path:6", 1, 9, "2", "3"),
        ("path:6", 2, 9, "1", "9/5"),
        ("cycle:6", 2, 7, "1/2", "7/10"),
        ("hypercube:4", 1, 6, "1", "2"),
        ("torus:4x4", 4, 6, "1/4", "3/8"),
    ],
)
def test_programs(spec: str, ports: int, rounds: int, steady: str, timed: str) -> None:
    """The steady state's bound and that over time, exact, recomputed from their evidence, and with changed
    multipliers never above.
    """
    problem = posed(spec, ports=ports, total_rounds=rounds)
    for found, value in ((steady_bound(problem, 20), steady), (timed_bound(problem, 20), timed)):
        assert found is not None
        assert found.evidence is not None
        evidence = json.loads(json.dumps(found.evidence))
        claim = CLAIMS[evidence["kind"]]
        assert claim(problem, evidence) == found.value
        if evidence["kind"] == "steady state" or value != "3/8":
            assert found.value == Fraction(value)
        row = next(iter(evidence["multipliers"]))
        evidence["multipliers"][row] = str(Fraction(evidence["multipliers"][row]) / 2)
        assert claim(problem, evidence) <= found.value


def test_staircase() -> None:
    """(j+1)/(jk) for r <= j(T-1) - 1; on a cycle of four with two ports it does not say 1 for r = 1."""
    for spec, t, ports in (("torus:8x8", 8, 2), ("complete:100", 7, 1), ("hypercube:6", 6, 1)):
        for j in (1, 2, 3):
            for extra in ((j - 1) * (t - 1), j * (t - 1) - 1):
                problem = posed(spec, ports=ports, total_rounds=t + extra)
                assert CLAIMS["staircase"](problem, {}) >= Fraction(j + 1, j * ports)
    assert CLAIMS["staircase"](posed("cycle:4", ports=2, total_rounds=3), {}) <= Fraction(3, 4)


@pytest.mark.parametrize(
    ("spec", "ports", "least"),
    [
        ("path:7", 1, 6),
        ("star:6", 1, 5),
        ("star:6", 2, 3),
        ("petersen", 1, 4),
        ("hypercube:6", 1, 6),
        ("torus:8x8", 1, 8),
        ("complete:100", 1, 7),
        ("cycle:7", 1, 4),
        ("complete:1", 1, 0),
    ],
)
def test_least_rounds(spec: str, ports: int, least: int) -> None:
    """T of the network itself."""
    known = least_rounds(Network.from_spec(spec), 0, ports)
    assert (known.lower, known.upper) == (least, least)


def test_total_rounds_follow() -> None:
    """Extra rounds are counted from T; both numbers together, and too few rounds, are refused."""
    problem = posed("path:7", extra_rounds=2)
    assert (problem.parameters["extra_rounds"], problem.parameters["total_rounds"]) == (2, 8)
    with pytest.raises(InputError, match="not both"):
        posed("path:7", extra_rounds=2, total_rounds=8)
    assert issubclass(UnsettledError, InputError)


@pytest.mark.parametrize(
    ("spec", "ports", "rounds", "kind"),
    [
        ("complete:8", 1, 2, "staircase"),
        ("star:5", 2, 1, "staircase"),
        ("cycle:7", 1, 3, "refutation"),
        ("path:2", 1, 0, "staircase"),
    ],
)
def test_fewer_rounds_than_a_broadcast_needs(cli: Cli, spec: str, ports: int, rounds: int, kind: str) -> None:
    """There is no schedule; the bound that says so is more than any schedule costs, and is checked."""
    run = cli(
        f"solve linear-cost broadcast {spec} --ports {ports} --total-rounds {rounds} --output r.json --json"
    )
    data = json.loads(run.out)
    assert (run.status, data["status"], data["schedule"]) == (0, "infeasible", None)
    bound = data["certificate"]["lower"][-1]
    assert (bound["evidence"]["kind"], bound["value"]) == (kind, rounds + 1)
    assert cli("check --strict r.json").status == 0
    assert cli(f"construct linear-cost broadcast {spec} --ports {ports} --total-rounds {rounds}").status in (
        0,
        2,
    )
    enough = posed(spec, ports=ports)
    with pytest.raises(ClaimError):
        CLAIMS["call graphs"](enough, bound["evidence"])


def test_the_search_begins_with_dives() -> None:
    """The first schedules come before the tree is gone through; on a cycle of eight the first is the best."""
    search = Branching(Setting.of(posed("cycle:8", extra_rounds=3)), Fraction(8))
    first = next(found for found in search.run(time.process_time() + 60) if found is not None)
    assert (first.cost, search.nodes) == (Fraction(7, 4), 1)


def test_call_graphs_keep_the_ports() -> None:
    """Colours are matchings, at most one more than the greatest degree; no family uses more links at a node
    than there are ports.
    """
    for spec in ("petersen", "torus:4x5", "complete:7", "hypercube:4", "star:6"):
        network = Network.from_spec(spec)
        colours = edge_colours(network)
        assert sorted(link for links in colours for link in links) == sorted(network.edges)
        assert len(colours) <= max(map(len, network.successors)) + 1
        for ports in (1, 2, 3):
            for links in coloured_call_graphs(network, ports, 6, 1):
                assert all(sum(v in link for link in links) <= ports for v in range(network.node_count))
    for links in knoedel_call_graphs(20, 2, 6, 0):
        assert all(sum(v in link for link in links) <= 2 for v in range(20))


def test_best_number_of_rounds(cli: Cli) -> None:
    """With prices the best number of extra rounds among eight nodes is 44, proven; a price that is none is
    refused.
    """
    run = cli("solve linear-cost broadcast complete:8 --alpha 0.001 --tau 1 --output best.json --json")
    data = json.loads(run.out)
    assert (run.status, data["status"], data["value"]) == (0, "optimal", "9823/9000")
    assert len(data["schedule"]["rounds"]) == 3 + 44
    assert cli("check best.json").status == 0
    for words in ("--alpha 0 --tau 1", "--alpha 1", "--alpha x --tau 1"):
        assert cli(f"solve linear-cost broadcast complete:8 {words}").status == 2


def test_what_was_not_tried_is_named(cli: Cli) -> None:
    """When bounds stay apart the output says which searches were left out, each with the reason."""
    run = cli("solve linear-cost broadcast complete:12 --extra-rounds 1 --time-limit 20")
    (line,) = (line for line in run.out.splitlines() if line.startswith("  not tried, or stopped: "))
    assert run.status == 3
    assert "call graphs, packing (call graphs are enumerated for 2 to 10 nodes)" in line
    assert "coordinate orders, flow program (12 nodes are not (k+1)^T" in line
    assert "not tried" not in cli("solve linear-cost broadcast complete:4").out


@needs("drawing")
def test_a_frontier_with_prices(cli: Cli) -> None:
    """A frontier over the rounds in all is drawn with prices, a round being a step."""
    run = cli("frontier linear-cost broadcast complete:8 --total-rounds 3..7 --output f.json")
    assert run.status == 0
    seen = cli("draw f.json --alpha 1/10 --beta 1 --size 1,3 --output f.svg")
    assert [line.split() for line in seen.out.splitlines()[1:]] == [
        ["1", "6", "linear-cost", "2.1"],
        ["3", "7", "linear-cost", "4.9"],
    ]


@pytest.mark.parametrize(
    ("network", "extra", "total"),
    [("path:5", 0, 3), ("path:5", 0, 5), ("complete:4", 0, 4), ("cycle:6", 1, 3), ("star:4", 2, 4)],
)
def test_extra_rounds_are_beyond_the_least_number(network: str, extra: int, total: int) -> None:
    """A file whose rounds in all are those of another T says something false of the extra rounds."""
    parameters = {"source": 0, "ports": 1, "extra_rounds": extra}
    right = build_problem("linear-cost", "broadcast", network, parameters)
    saved = {**parameters, "total_rounds": right.parameters["total_rounds"]}
    assert build_problem("linear-cost", "broadcast", network, saved, saved=True) == right
    with pytest.raises(InputError, match=r"extra rounds there are \d+( or more)? in all"):
        build_problem("linear-cost", "broadcast", network, {**saved, "total_rounds": total}, saved=True)


@pytest.mark.parametrize(("kind", "last"), [("timed program", 5), ("steady state", 1)])
def test_cuts_part_the_source_from_a_node(kind: str, last: int) -> None:
    """The source is on its side from the start, somebody on the other to the end; nothing crosses others."""
    problem = build_problem("linear-cost", "broadcast", "path:4", source=0, total_rounds=4)
    claim = CLAIMS[kind]
    assert claim(problem, {"cuts": [[0, 0, 0, last]], "multipliers": {}}) == 0
    for cut in ([last, 0, 0, 0], [1, 0, 0, last], [0] * 4, [0, last], [0, -1, 0, last], [0, 0, 0, last + 1]):
        with pytest.raises(ClaimError, match="side"):
            claim(problem, {"cuts": [cut], "multipliers": {}})


def test_a_staircase_of_many_rounds() -> None:
    """Of more rounds than calls can be deep."""
    problem = build_problem("linear-cost", "broadcast", "path:3", source=0, total_rounds=1500)
    assert CLAIMS["staircase"](problem, {}) == Fraction(1500, 1499)
    longer = build_problem("linear-cost", "broadcast", "path:4", source=0, total_rounds=1500)
    assert CLAIMS["staircase"](longer, {}) == Fraction(750, 749)
