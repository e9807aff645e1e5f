"""Exported Chakra traces in ASTRA-sim's analytical network, compared with computed times.

`python -m benchmarks.simulated_traces [--simulator FILE] [--unaware FILE]`

The programs are AstraSim_Analytical_Congestion_Aware and, if given, AstraSim_Analytical_Congestion_Unaware;
docs/simulator.md says how to build them. Every link has 50 bytes a nanosecond, and every message 500 ns of
latency.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from schedsolve.machines.chakra.writer import _bytes, _number, _text, _varint
from schedsolve.machines.movement.saved_schedule import SavedSchedule
from schedsolve.machines.programs import export_program
from schedsolve.machines.timing import Costs, timing
from schedsolve.modelkit.search import Options
from schedsolve.models import build_problem
from schedsolve.runtime.errors import SchedsolveError
from schedsolve.solving.solve import solve

BINARY = "AstraSim_Analytical_Congestion_Aware"
COLLECTIVE_NODE = 7
KINDS = {"allreduce": 0, "allgather": 2, "alltoall": 6, "reduce-scatter": 7}
"""Collectives that the simulator has algorithms for, by the schema's numbers."""
KEYS = {
    "allreduce": "all-reduce",
    "allgather": "all-gather",
    "alltoall": "all-to-all",
    "reduce-scatter": "reduce-scatter",
}
OWN_SETTINGS = {"endpoint-delay": 10, "active-chunks-per-dimension": 1, "local-mem-bw": 1600}
"""Of its own algorithms, as in its example of a ring; without a delay it aborts."""
LATENCY, BYTES_A_NANOSECOND = 500, 50


class Fabric(NamedTuple):
    """A topology of the simulator, and the same network here.

    hops: links of a message's path, each of which has a part of the latency.
    """

    network: str
    topology: str
    hops: int


RING = Fabric("cycle:8", "Ring", 1)
FULL = Fabric("complete:8", "FullyConnected", 1)
SWITCH = Fabric("leaf-spine:1,8,1", "Switch", 2)


class Case(NamedTuple):
    """A schedule to simulate: how it is found, and the bytes of a unit."""

    fabric: Fabric
    model: str
    task: str
    parameters: str
    unit: int


def _in_steps(fabric: Fabric, *cases: tuple[str, int, int, int]) -> tuple[Case, ...]:
    """Cases by their task, steps, chunks, and bytes of a unit."""
    return tuple(
        Case(fabric, "synchronous", task, f"steps={steps} chunks={chunks}", unit)
        for task, steps, chunks, unit in cases
    )


DIRECT = (
    ("allreduce", 2, 8, 1_000_000),
    ("allgather", 1, 1, 1_000_000),
    ("reduce-scatter", 1, 1, 125_000),
    ("alltoall", 1, 1, 125_000),
    ("broadcast", 2, 8, 1_000_000),
)
CASES = (
    *_in_steps(
        RING,
        ("allreduce", 8, 16, 1_000_000),
        ("allgather", 4, 2, 1_000_000),
        ("reduce-scatter", 4, 2, 125_000),
        ("alltoall", 4, 1, 125_000),
        ("broadcast", 8, 8, 1_000_000),
    ),
    *_in_steps(FULL, *DIRECT),
    *_in_steps(SWITCH, *DIRECT),
    Case(RING, "pipelined", "allreduce", "", 16_000_000),
    Case(RING, "pipelined", "allgather", "", 4_000_000),
    Case(RING, "pipelined", "alltoall", "", 1_000_000),
    Case(RING, "pipelined", "broadcast", "", 8_000_000),
    Case(FULL, "pipelined", "allreduce", "", 16_000_000),
    Case(SWITCH, "pipelined", "allreduce", "", 16_000_000),
)


def workload(kind: int, size: int) -> bytes:
    """A trace of one collective: what asks the simulator to carry one out."""
    head = _text(1, "0.0.4")
    attributes = (
        _text(1, "is_cpu_op") + _number(27, 0),
        _text(1, "comm_type") + _number(9, kind),
        _text(1, "comm_size") + _number(9, size),
    )
    node = (
        _text(2, "collective") + _number(3, COLLECTIVE_NODE) + b"".join(_bytes(10, one) for one in attributes)
    )
    return _varint(len(head)) + head + _varint(len(node)) + node


def simulate(
    program: str,
    folder: Path,
    topology: str,
    latency: float,
    bandwidth: float,
    system: Mapping[str, object],
    *,
    kind: int = 0,
    size: int = 1,
    ranks: int = 8,
) -> int:
    """Nanoseconds until the last rank has finished a collective; bandwidth in 2^30 bytes a second."""
    for rank in range(ranks):
        (folder / f"work.{rank}.et").write_bytes(workload(kind, size))
    network = {"topology": topology, "npus_count": ranks, "bandwidth": bandwidth, "latency": latency}
    (folder / "network.yml").write_text("".join(f"{key}: [ {value} ]\n" for key, value in network.items()))
    memory = {"memory-type": "NO_MEMORY_EXPANSION"}
    fixed = {"scheduling-policy": "FIFO", "preferred-dataset-splits": 1, "local-mem-bw": 50}
    for name, content in (("memory", memory), ("system", fixed | dict(system))):
        (folder / f"{name}.json").write_text(json.dumps(content))
    run = subprocess.run(
        [
            program,
            "--workload-configuration=work",
            "--system-configuration=system.json",
            "--remote-memory-configuration=memory.json",
            "--network-configuration=network.yml",
        ],
        cwd=folder, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    finished = dict(re.findall(r"sys\[(\d+)\] finished, (\d+) cycles", run.stdout))
    if run.returncode or len(finished) != ranks:
        raise SchedsolveError(f"{program} ended with {run.returncode}: {(run.stderr or run.stdout)[-500:]}")
    return max(map(int, finished.values()))


def decimal_bandwidth(bytes_a_nanosecond: int) -> float:
    """As the simulator's GB/s, exactly."""
    return bytes_a_nanosecond * 10**9 / 2**30


def solved(case: Case) -> SavedSchedule:
    """The schedule."""
    more = dict(one.split("=") for one in case.parameters.split())
    if case.task == "broadcast":
        more["source"] = "0"
    result = solve(build_problem(case.model, case.task, case.fabric.network, more), Options(time_limit=60))
    if result.indexed is None:
        raise SchedsolveError(f"{case}: no schedule was found")
    return SavedSchedule("the result", result.placed, result.indexed, result)


def costs_of(case: Case) -> Costs:
    """The costs of the fabric, whose links have bandwidth 1 here."""
    return Costs(Fraction(LATENCY, 10**9), Fraction(1, BYTES_A_NANOSECOND * 10**9), case.unit)


def custom(program: str, case: Case, source: SavedSchedule) -> int:
    """Nanoseconds of the exported traces."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        export_program(source, str(folder / "t.et"), costs=costs_of(case), target="chakra")
        return simulate(
            program,
            folder,
            case.fabric.topology,
            LATENCY / case.fabric.hops,
            decimal_bandwidth(BYTES_A_NANOSECOND),
            {"all-reduce-implementation-custom": ["t"]},
        )


def native(program: str, case: Case, algorithm: str) -> int | None:
    """Nanoseconds of the simulator's own algorithm; None where it has none."""
    if case.task not in KINDS:
        return None
    size = case.unit * (8 if case.task in {"alltoall", "reduce-scatter"} else 1)
    system: dict[str, object] = {f"{key}-implementation": [algorithm] for key in KEYS.values()}
    with tempfile.TemporaryDirectory() as name:
        return simulate(
            program,
            Path(name),
            case.fabric.topology,
            LATENCY / case.fabric.hops,
            decimal_bandwidth(BYTES_A_NANOSECOND),
            system | OWN_SETTINGS,
            kind=KINDS[case.task],
            size=size,
        )


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--simulator", default=BINARY)
    parser.add_argument("--unaware", help="the program without congestion")
    arguments = parser.parse_args()
    heads = [
        "topology",
        "collective",
        "(C, S, R)",
        "unit",
        "formula",
        "`time`",
        "simulated",
        "without congestion",
    ]
    heads += ["its ring", "its direct"]
    print(f"| {' | '.join(heads)} |")
    print("|---" * 4 + "|--:" * 6 + "|")
    for case in CASES:
        source, costs = solved(case), costs_of(case)
        movement = source.movement(costs=costs)
        priced = timing(movement, costs, "dependencies")
        in_steps = case.model == "synchronous"
        cells = [
            float(priced.seconds_by_rounds * 10**9) if in_steps else None,
            float(priced.seconds * 10**9),
            custom(arguments.simulator, case, source),
            custom(arguments.unaware, case, source) if arguments.unaware else None,
            native(arguments.simulator, case, "ring"),
            native(arguments.simulator, case, "direct"),
        ]
        shown = ["" if cell is None else f"{cell:,.0f}" for cell in cells]
        sizes = f"({movement.chunks}, {len(movement.steps)}, {movement.rounds})" if in_steps else "pipelined"
        words = f"{case.fabric.topology} | {case.task} | {sizes} | {case.unit:,}"
        print(f"| {words} | {' | '.join(shown)} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
