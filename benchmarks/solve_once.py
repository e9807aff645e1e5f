"""Solve one problem with schedsolve, and print its result with the CPU time that the solve took once
everything was imported.

`python -m benchmarks.solve_once MODEL TASK NETWORK TIME_LIMIT [BACKEND]`
"""

from __future__ import annotations

import json
import sys
import time

import networkx  # noqa: F401
import numpy as np  # noqa: F401
import pysat.solvers  # noqa: F401

from schedsolve import Network, Options, build_problem, solve
from schedsolve.modelkit.result import result_to_json
from schedsolve.models import get_model


def main() -> int:
    """Solve the problem that the command line names; broadcasts are from the first node."""
    model, task, network, limit, *backend = sys.argv[1:]
    get_model(model)
    if backend == ["cpsat"]:
        import ortools.sat.python.cp_model  # noqa: F401
    options = Options(time_limit=float(limit), backend=backend[0] if backend else None)
    start = time.process_time()
    result = solve(build_problem(model, task, Network.from_spec(network)), options)
    print(json.dumps({**result_to_json(result), "solve_cpu_seconds": time.process_time() - start}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
