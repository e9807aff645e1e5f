"""One question to msccl-tools' synthesis with z3, in a process of its own.

`python peer_msccl.py CHECKOUT < QUESTION`: the question is a JSON object with "links" (rows [from, to,
bandwidth]), "nodes", "task", "chunks", "steps" and "rounds"; the answer another one with "found" and the CPU
"seconds" of the encoding and the solver.
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
    from msccl import collectives  # type: ignore[import-not-found]
    from msccl.instance import Instance  # type: ignore[import-not-found]
    from msccl.path_encoding import PathEncoding  # type: ignore[import-not-found]
    from msccl.topologies.topology import Topology  # type: ignore[import-not-found]

    nodes = question["nodes"]
    links = [[0] * nodes for _ in range(nodes)]
    for u, v, bandwidth in question["links"]:
        links[v][u] = bandwidth
    ends = [0] if question["task"] in ("broadcast", "gather", "scatter") else []
    collective = getattr(collectives, question["task"])(nodes, *ends)
    steps = question["steps"]
    extra = question["rounds"] - steps
    start = time.process_time()
    encoding = PathEncoding(Topology("asked", links), collective)
    found = encoding.solve(Instance(steps, extra_rounds=extra, chunks=question["chunks"]))
    print(json.dumps({"found": found is not None, "seconds": time.process_time() - start}))


if __name__ == "__main__":
    main()
