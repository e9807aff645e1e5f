"""One question to z3 about a collective in steps, in a process of its own.

`python -m benchmarks.peer_z3 < QUESTION`: the question is a JSON object with "network", "task", "chunks",
"steps" and "rounds"; the answer another one with "found" and the CPU "seconds" of the encoding and the
solver.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

from benchmarks.plain_z3 import satisfiable, steps_model
from schedsolve.models import build_problem
from schedsolve.network.graph import Network


def main() -> None:
    """Ask, and print the answer; who waits for it stops it."""
    question: dict[str, Any] = json.load(sys.stdin)
    asked = {name: question[name] for name in ("chunks", "steps", "rounds")}
    network = Network.from_spec(question["network"])
    problem = build_problem("synchronous", question["task"], network, asked)
    start = time.process_time()
    found = satisfiable(steps_model(problem))
    print(json.dumps({"found": found, "seconds": time.process_time() - start}))


if __name__ == "__main__":
    main()
