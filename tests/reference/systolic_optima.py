"""The least numbers of rounds of periodic schedules on all tiny networks, as enumerated by
systolic_brute_force, and stored.

Run as `python -m tests.reference.systolic_optima`, it writes the optima of all graphs with at most five
nodes, and of all strongly connected digraphs with at most four, to the file that stored_optima reads.
"""

from __future__ import annotations

import json
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import networkx as nx

from tests.reference.brute_force import (
    connected_graphs,
    orbit_representatives,
    strongly_connected_digraphs,
)
from tests.reference.systolic_brute_force import (
    Optimum,
    systolic_accumulation_rounds,
    systolic_broadcast_rounds,
    systolic_gossip_rounds,
)

STORED = Path(__file__).parent / "systolic_optima.json"


PERIODS = range(1, 9)


def optima(graph: nx.Graph, two_way: bool) -> Iterator[Optimum]:
    """All that is stored of a graph, computed; one source and one root of every orbit."""
    for edge_colouring in (False, True):
        for period in PERIODS:
            value = systolic_gossip_rounds(graph, two_way, period, edge_colouring=edge_colouring)
            yield Optimum(graph, two_way, "gossip", None, edge_colouring, period, value)
    for task, rounds in (
        ("broadcast", systolic_broadcast_rounds),
        ("accumulation", systolic_accumulation_rounds),
    ):
        for node in orbit_representatives(graph):
            for period in PERIODS:
                yield Optimum(graph, two_way, task, node, False, period, rounds(graph, two_way, period, node))


def stored_optima(*, directed: bool = False) -> Iterator[Optimum]:
    """The stored optima: of all connected graphs with at most five nodes, or of all strongly connected
    digraphs with at most four.
    """
    for entry in json.loads(STORED.read_text(encoding="utf-8"))["digraphs" if directed else "graphs"]:
        graph = nx.DiGraph() if directed else nx.Graph()
        graph.add_nodes_from(range(entry["nodes"]))
        graph.add_edges_from(entry["edges"])
        for mode, task, node, colouring, values in entry["optima"]:
            for period, value in enumerate(values, start=PERIODS.start):
                yield Optimum(
                    graph, mode == "two-way", task, node, colouring == "edge colouring", period, value
                )


def tiny_graphs() -> list[nx.Graph]:
    """All connected graphs with at most five nodes, the cheap ones first."""
    return sorted(connected_graphs(), key=lambda graph: (graph.number_of_nodes(), graph.number_of_edges()))


def tiny_digraphs() -> list[nx.DiGraph]:
    """All strongly connected digraphs with at most four nodes, the cheap ones first."""
    found = [graph for n in range(1, 5) for graph in strongly_connected_digraphs(n)]
    return sorted(found, key=lambda graph: (graph.number_of_nodes(), graph.number_of_edges()))


def _entry(graph: nx.Graph, seconds: dict[str, float]) -> dict[str, Any]:
    """What is stored of a graph; the time it takes is added to the seconds of every group."""
    rows: dict[tuple[str, str, int | None, str], list[int | None]] = {}
    for two_way in (False,) if graph.is_directed() else (False, True):
        since = time.perf_counter()
        for found in optima(graph, two_way):
            row = (
                "two-way" if two_way else "one-way",
                found.task,
                found.node,
                "edge colouring" if found.edge_colouring else "",
            )
            rows.setdefault(row, []).append(found.value)
            now = time.perf_counter()
            size = f"{graph.number_of_nodes()} nodes" + ", directed" * graph.is_directed()
            seconds[", ".join((size, row[0], row[1], row[3])).removesuffix(", ")] += now - since
            since = now
    edges = sorted([u, v] if graph.is_directed() else sorted((u, v)) for u, v in graph.edges())
    return {
        "nodes": graph.number_of_nodes(),
        "edges": edges,
        "optima": [[*row, values] for row, values in rows.items()],
    }


def main() -> None:
    """Write the file."""
    seconds: defaultdict[str, float] = defaultdict(float)
    lists = [
        f'"{name}": [\n'
        + ",\n".join(json.dumps(_entry(graph, seconds), separators=(",", ":")) for graph in graphs)
        + "\n]"
        for name, graphs in (("graphs", tiny_graphs()), ("digraphs", tiny_digraphs()))
    ]
    STORED.write_text("{\n" + ",\n".join(lists) + "\n}\n", encoding="utf-8")
    for group, spent in seconds.items():
        print(f"{spent:7.2f} s  {group}")
    print(f"{sum(seconds.values()):7.2f} s in total")


if __name__ == "__main__":
    main()
