"""How near exported programs come to what is proven, for every target.

`python -m benchmarks.exported_programs [--machines A,B] [--tasks A,B] [--targets A,B] [--time-limit S]`

Every problem is solved as `schedsolve solve pipelined` does, and its result exported with default options. A
cell is the time of the program that was written, counted as `schedsolve export` counts it, divided by the
proven lower bound: without latency, and with 1 us of latency for 1 GB (as nccl-tests counts sizes, with
bandwidths in GB/s). The chunks of a unit and the CPU seconds of the export stand behind the first.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import time
from fractions import Fraction
from pathlib import Path

from schedsolve.machines.movement.collectives import ONE_UNIT
from schedsolve.machines.movement.saved_schedule import SavedSchedule
from schedsolve.machines.programs import export_program
from schedsolve.machines.targets import TARGETS
from schedsolve.machines.timing import Costs
from schedsolve.modelkit.search import Options
from schedsolve.models import build_problem
from schedsolve.runtime.errors import InputError
from schedsolve.solving.solve import solve

MACHINES = (
    "dgx1", "amd4", "a100:2", "a100:4", "h100:2", "mi250:1", "torus:4x4", "kautz:2,3", "hypercube:3",
    "dragonfly:2,1", "leaf-spine:2,4,2", "dgx2", "mi300x",
)  # fmt: skip
TASKS = ("allgather", "alltoall", "allreduce", "reduce-scatter", "broadcast")
GOALS = {"mpi": 1.05, "torch": 1.05, "chakra": 1.05}
GOAL_WITH_LATENCY, MOST_CHUNKS = 1.25, 2000
ALPHA, BETA, BYTES = Fraction(1, 10**6), Fraction(1, 10**9), 10**9


def main() -> int:
    """Print the table; 1 if a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--machines", default=" ".join(MACHINES), help="separated by spaces")
    parser.add_argument("--tasks", default=",".join(TASKS))
    parser.add_argument("--targets", default=",".join(TARGETS))
    parser.add_argument("--time-limit", type=float, default=120.0, help="seconds of a solve")
    arguments = parser.parse_args()
    targets = arguments.targets.split(",")
    print(f"| machine | task | proven | {' | '.join(targets)} |")
    print("|---" * (3 + len(targets)) + "|", flush=True)
    missed = 0
    for machine in arguments.machines.split():
        for task in arguments.tasks.split(","):
            value, cells, short = _line(machine, task, targets, arguments.time_limit)
            missed += short
            print(f"| {machine} | {task} | {value} | {' | '.join(cells)} |", flush=True)
    print(f"{missed} goals missed")
    return 1 if missed else 0


def _line(machine: str, task: str, targets: list[str], limit: float) -> tuple[str, list[str], int]:
    """Return the value of a problem, the cells of its targets, and how many goals they miss."""
    more = {"source": "0"} if task == "broadcast" else {}
    result = solve(build_problem("pipelined", task, machine, more), Options(time_limit=limit))
    if result.indexed is None:
        return str(result.value), ["no schedule"] * len(targets), 0
    source = SavedSchedule("the result", result.placed, result.indexed, result)
    ranks = len(result.problem.network.compute_nodes)
    unit = BYTES if task in ONE_UNIT else BYTES // ranks
    cells, missed = [], 0
    for target in targets:
        start = time.process_time()
        plain, chunks, says = _written(source, target, None)
        spent = time.process_time() - start
        priced, _, also = _written(source, target, Costs(ALPHA, BETA, unit))
        if plain is None or priced is None:
            cells.append((says or also)[:60])
            missed += target in GOALS
            continue
        far = plain > GOALS.get(target, plain) or (target in GOALS and chunks > MOST_CHUNKS)
        flags = [far, target in GOALS and priced > GOAL_WITH_LATENCY]
        first, second = (
            f"{'**' if flag else ''}{ratio:.2f}{'**' if flag else ''}"
            for flag, ratio in zip(flags, (plain, priced), strict=True)
        )
        cells.append(f"{first} ({chunks}, {spent:.0f} s), {second}")
        missed += sum(flags)
    return str(result.value), cells, missed


def _written(source: SavedSchedule, target: str, costs: Costs | None) -> tuple[float | None, int, str]:
    """Return the ratio of the program that is written and its chunks, or what refuses it."""
    with tempfile.TemporaryDirectory() as folder:
        file = str(Path(folder) / f"program{TARGETS[target].endings[0]}")
        try:
            said = export_program(source, file, costs=costs, target=target)
        except InputError as error:
            return None, 0, str(error)
    found = re.match(r"([0-9.]+) times .*; ([0-9]+) chunk", said[-1])
    return (float(found[1]), int(found[2]), "") if found else (None, 0, "no bound")


if __name__ == "__main__":
    sys.exit(main())
