"""One question to ForestColl's Python, in a process of its own.

`python peer_forestcoll.py CHECKOUT < QUESTION`: the question is a JSON object with "links" (rows [from, to,
bandwidth]), "compute" nodes, and whether "trees" are wanted; the answer another one with the "value" (the
time of a unit a node) and the CPU "seconds".
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any


def main() -> None:
    """Ask, and print the answer."""
    sys.path.insert(0, sys.argv[1])
    question: dict[str, Any] = json.load(sys.stdin)
    import networkx as nx
    from pipeline_allgather import (  # type: ignore[import-not-found]
        OptimalBranchingsAlgo,
        optimal_pipeline_spanning_trees,
    )

    graph = nx.DiGraph()
    for u, v, bandwidth in question["links"]:
        graph.add_edge(u, v, capacity=bandwidth)
    start = time.process_time()
    if question["trees"]:
        (length, count), _ = optimal_pipeline_spanning_trees(graph, compute_nodes=question["compute"])
    else:
        algorithm = OptimalBranchingsAlgo(graph, capacitated=True, compute_nodes=question["compute"])
        length, count = algorithm.binary_search()
    print(json.dumps({"value": length / count, "seconds": time.process_time() - start}))


if __name__ == "__main__":
    main()
