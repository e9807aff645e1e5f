"""Designs of the line model: rounds, decisions and bounds against searches that try everything."""

from __future__ import annotations

import json
from typing import Any

import networkx as nx
import pytest

from schedsolve import design
from schedsolve.certify.check import check_data
from schedsolve.experiments.designs.by_model.line import call_sets, with_ports
from schedsolve.modelkit.result import Status
from schedsolve.network.classes.canonical_form import Rows
from schedsolve.runtime.errors import InputError
from tests.command_line import Cli, refused
from tests.reference.brute_force import atlas
from tests.reference.line_brute_force import largest_rounds, least_rounds

SMALL = [g for g in atlas() if 2 <= len(g) <= 4 and nx.is_connected(g)]
SPARSE = [g for g in atlas() if len(g) == 5 and nx.is_connected(g) and g.size() <= 6]
TREES = {2: 1, 3: 1, 4: 2, 5: 3, 6: 6, 7: 11}
"""Trees up to isomorphism (OEIS A000055)."""
ONE_PORT = {2: (1, 1), 3: (3, 1), 4: (2, 1), 5: (4, 3), 6: (3, 2), 7: (4, 8)}
"""Rounds of a gossip with one port, and the number of trees that take so few."""


def rows_of(graph: nx.Graph) -> Rows:
    return tuple(sum(1 << w for w in graph[v]) for v in range(len(graph)))


@pytest.mark.parametrize("ports", [1, 2, 3, 4])
def test_the_calls_of_a_round_are_all_that_paths_allow(ports: int) -> None:
    """Against all sets of edge-disjoint paths, in every graph of up to four nodes and sparse ones of five."""
    for graph in SMALL + SPARSE:
        expected = largest_rounds(len(graph), tuple(sorted(graph.edges())), False, ports)
        assert set(call_sets(rows_of(graph), ports)) == set(expected)


@pytest.mark.parametrize("ports", [1, 2, "all"])
def test_decisions_by_brute_force(ports: int | str) -> None:
    """Of a gossip, and of a broadcast from the best and the worst source."""
    designs = with_ports(ports)
    for graph in SMALL + SPARSE:
        n, rows = len(graph), rows_of(graph)
        gossip = _least(graph, ports, tuple(1 << v for v in range(n)))
        broadcasts = [_least(graph, ports, tuple(int(v == s) for v in range(n))) for s in range(n)]
        values: dict[Any, int] = {
            ("gossip", "max"): gossip,
            ("broadcast", "max"): max(broadcasts),
            ("broadcast", "min"): min(broadcasts),
        }
        for (task, choice), value in values.items():
            for rounds in range(value + 2):
                assert designs.suffices(task, rows, False, rounds, choice) == (rounds >= value)
            least = designs.least_degree(task, n, value, choice)
            assert least <= min(d for _, d in graph.degree())


def _least(graph: nx.Graph, ports: int | str, start: tuple[int, ...]) -> int:
    n, everything = len(graph), max(start) | sum(start)
    goal = (everything,) * n
    found = least_rounds(graph, None if ports == "all" else int(ports), start, [goal])[0]
    assert found is not None
    return found


@pytest.mark.parametrize("n", TREES)
def test_every_tree_broadcasts_with_one_port(n: int) -> None:
    """In ceil(log2 n) rounds from every node (Farley 1980)."""
    found = design("line", "broadcast", n, ports=1, every=True)
    assert (found.status, found.sides.reached, found.sides.edges) == (
        Status.OPTIMAL,
        (n - 1).bit_length(),
        n - 1,
    )
    assert len(found.networks or ()) == TREES[n]


@pytest.mark.parametrize("n", ONE_PORT)
def test_trees_of_one_port_gossips(n: int) -> None:
    rounds, trees = ONE_PORT[n]
    found = design("line", "gossip", n, ports=1, every=True)
    assert (found.status, found.sides.reached, found.sides.edges) == (Status.OPTIMAL, rounds, n - 1)
    assert len(found.networks or ()) == trees


FILES: list[tuple[str, int, dict[str, Any], tuple[int, int]]] = [
    ("gossip", 5, {}, (1, 10)),
    ("gossip", 5, {"rounds": 2}, (2, 4)),
    ("gossip", 6, {"ports": 2}, (2, 7)),
    ("gossip", 6, {"ports": 1, "every": True}, (3, 5)),
    ("gossip", 6, {"max_degree": 3}, (2, 7)),
    ("broadcast", 6, {"ports": 2, "source": "min"}, (2, 5)),
]


@pytest.mark.parametrize(("task", "n", "options", "value"), FILES)
def test_files(task: str, n: int, options: dict[str, Any], value: tuple[int, int]) -> None:
    data = json.loads(json.dumps(design("line", task, n, **options).to_json()))
    assert (data["status"], data["rounds"], data["edges"]) == ("optimal", *value)
    assert check_data(data).complete


def test_altered_ports_are_not_believed() -> None:
    data = json.loads(json.dumps(design("line", "gossip", 5, ports=2).to_json()))
    assert check_data(data).complete
    assert check_data({**data, "ports": 1}).failed
    assert not check_data({name: value for name, value in data.items() if name != "ports"}).complete
    with pytest.raises(InputError, match="ports takes"):
        check_data({**data, "ports": 0})
    with pytest.raises(InputError, match="undirected"):
        check_data({**data, "class": {"directed": True}})


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("line gossip --nodes 5 --ports 0", "--ports takes"),
        ("telephone gossip --nodes 5 --ports 2", "have no ports"),
        ("line broadcast --nodes 5 --directed", "undirected"),
        ("line multicast --nodes 5", "no designs for line multicast"),
        ("pipelined alltoall --nodes 6 --regular 3 --ports 2", "--ports means nothing"),
    ],
)
def test_bad_input(cli: Cli, line: str, words: str) -> None:
    assert words in refused(cli(f"design {line}"))
