"""Solve a fixed list of problems with schedsolve and by the means that one would take without it, and compare
what they take.

`python -m benchmarks.bench [--output FILE] [--limit SECONDS] [--only TEXT]`

The peers are the textbook integer program with CBC and with HiGHS, a plain model for CP-SAT and one for z3,
where it is installed, and schedsolve's own CP-SAT backend alone. Every solve is a process of its own, run one
after the other and each with one thread. "CPU s" is user and system time of the whole process and its
children, the start of Python and its imports included; "solve s" is what the solve took of it once everything
was imported, for schedsolve and its peers alike, and the ratios compare these. The peak is the largest
resident set of any process. The integer program is given as horizon the value of the best schedule that
schedsolve's constructions built, and is not charged for it. A peer has a limit: of CPU time for CBC, some of
which it counts by the wall clock, and by the clock for the others; building the program comes on top for the
integer programs. A figure after > is what had been used when a peer stopped at its limit.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Any

FORMAT = "schedsolve-bench/2"
LIMIT_SECONDS = 5.0
SCHEDSOLVE_LIMIT_SECONDS = 120
MOST_VARIABLES = 300_000
"""A larger integer program is not tried."""

ROOT = Path(__file__).resolve().parents[1]
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


@dataclass(frozen=True)
class Instance:
    """A problem of the bench; broadcasts are from node 0."""

    model: str
    task: str
    network: str

    @property
    def name(self) -> str:
        """The problem as it is written on the command line."""
        return " ".join(self.words)

    @property
    def words(self) -> tuple[str, str, str]:
        """The words of that line."""
        return self.model, self.task, self.network


@dataclass(frozen=True)
class PeerRun:
    """What a peer took for one instance. None stands for what is not known.

    status: "optimal", "infeasible", "limit", "not tried" or "failed". value: rounds of its best schedule.
    lower_bound: rounds that it proved to be needed. ratio: of its CPU seconds, without start and imports, to
    schedsolve's; when it was stopped at its limit, the true ratio is larger.
    """

    status: str
    value: int | None = None
    lower_bound: int | None = None
    solve_seconds: float | None = None
    ratio: float | None = None


def _above(x: int | None, y: int | None) -> bool:
    return x is not None and y is not None and x > y


@dataclass(frozen=True)
class Row:
    """What one instance took. None stands for what is not known.

    status: of schedsolve's result, or "failed". horizon: the number of rounds that the integer program was
    given. solve_seconds: the CPU seconds without start and imports.
    """

    instance: str
    status: str
    value: int | None
    lower_bound: int | None
    cpu_seconds: float
    solve_seconds: float
    wall_seconds: float
    peak_mb: float
    horizon: int | None = None
    peers: Mapping[str, PeerRun] = field(default_factory=dict)

    def contradicted_by(self, peer: PeerRun) -> bool:
        """Whether a peer disproves a value or a bound of schedsolve's."""
        if peer.status == "infeasible":
            return True
        optimal_above = peer.status == "optimal" and _above(peer.value, self.value)
        return optimal_above or _above(peer.lower_bound, self.value) or _above(self.lower_bound, peer.value)

    @property
    def failed(self) -> bool:
        """Whether a solve failed, or a peer contradicts schedsolve."""
        return self.status == "failed" or any(
            peer.status == "failed" or self.contradicted_by(peer) for peer in self.peers.values()
        )


@dataclass(frozen=True)
class Run:
    """A finished process: its answer, None when it failed, and what it used."""

    answer: Mapping[str, Any] | None
    complaint: str
    cpu_seconds: float
    wall_seconds: float
    peak_mb: float


def _instances(model: str, task: str, networks: str) -> tuple[Instance, ...]:
    return tuple(Instance(model, task, network) for network in networks.split())


INSTANCES = (
    *_instances(
        "telephone",
        "broadcast",
        "ccc:8 torus:31x31 shuffle-exchange:10 hypercube:10 ccc:7 butterfly:4 debruijn:7 grid:4x4",
    ),
    *_instances(
        "telephone",
        "gossip",
        "path:41 cycle:31 complete:9 tree:2,7 ccc:4 grid:6x6 petersen complete:7 grid:4x4 debruijn:4"
        " hypercube:4 torus:4x4 random-regular:3,14 random-regular:3,16",
    ),
    *_instances(
        "telegraph",
        "gossip",
        "path:21 cycle:16 complete:8 petersen grid:4x4 complete:6 cycle:8 path:6 hypercube:3 kautz:2,2",
    ),
    *_instances("telephone", "gossip", "path:5 cycle:6 complete:5 grid:3x3"),
    *_instances("telegraph", "gossip", "path:5 cycle:6 complete:5 grid:3x3"),
)


def run_process(arguments: Sequence[str]) -> Run:
    """Run Python with these arguments to its end; the answer is the JSON object that it prints.

    Source: wait4(2), whose usage covers the process and the children that it waited for.
    """
    start = time.monotonic()
    with tempfile.TemporaryFile("w+") as complaints:
        process = subprocess.Popen(
            [sys.executable, *arguments],
            stdout=subprocess.PIPE,
            stderr=complaints,
            text=True,
            cwd=ROOT,
            env={**os.environ, **ONE_THREAD},
        )
        assert process.stdout is not None
        with process.stdout:
            text = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        complaints.seek(0)
        complaint = (complaints.read().strip().splitlines() or [f"exit status {process.returncode}"])[-1]
    kilobyte = 1 if sys.platform == "darwin" else 1024
    try:
        answer = json.loads(text)
    except ValueError:
        answer = None
    return Run(
        answer,
        complaint,
        usage.ru_utime + usage.ru_stime,
        time.monotonic() - start,
        usage.ru_maxrss * kilobyte / 2**20,
    )


def solve_by_schedsolve(instance: Instance) -> Run:
    """Solve an instance with schedsolve."""
    return run_process(["-m", "benchmarks.solve_once", *instance.words, str(SCHEDSOLVE_LIMIT_SECONDS)])


def _integer_program(solver: str) -> Callable[[Instance, int, float], list[str]]:
    def arguments(instance: Instance, horizon: int, limit: float) -> list[str]:
        given = (
            f"--horizon {horizon} --time-limit {limit} --most-variables {MOST_VARIABLES} --solver {solver}"
        )
        return ["-m", "benchmarks.textbook_ilp", *instance.words, *given.split()]

    return arguments


PEERS: Mapping[str, Callable[[Instance, int, float], list[str]]] = {
    "--backend cpsat": lambda instance, _, limit: [
        *("-m", "benchmarks.solve_once", *instance.words, str(limit), "cpsat")
    ],
    "plain CP-SAT": lambda instance, _, limit: [
        *("-m", "benchmarks.plain_cpsat", *instance.words, "--time-limit", str(limit))
    ],
    "z3": lambda instance, _, limit: [
        *("-m", "benchmarks.plain_z3", *instance.words, "--time-limit", str(limit))
    ],
    "CBC": _integer_program("CBC"),
    "HiGHS": _integer_program("HiGHS"),
}
"""The arguments of Python for each peer, given an instance, a horizon and a limit in seconds."""


def measure(instance: Instance, limit: float) -> Row:
    """Solve an instance with schedsolve and with its peers."""
    own = solve_by_schedsolve(instance)
    if own.answer is None:
        print(f"{instance.name}: schedsolve failed: {own.complaint}", file=sys.stderr)
    answer = own.answer or {"status": "failed", "value": None, "lower_bound": None, "bounds": ()}
    seconds = round(answer.get("solve_cpu_seconds", 0.0), 4)
    horizon = constructed_rounds(answer)
    return Row(
        instance=instance.name,
        status=answer["status"],
        value=answer["value"],
        lower_bound=answer["lower_bound"],
        cpu_seconds=round(own.cpu_seconds, 3),
        solve_seconds=seconds,
        wall_seconds=round(own.wall_seconds, 3),
        peak_mb=round(own.peak_mb, 1),
        horizon=horizon,
        peers={
            name: _peer_run(
                f"{instance.name}, {name}", run_process(arguments(instance, horizon, limit)), seconds
            )
            for name, arguments in PEERS.items()
            if horizon is not None and (name != "z3" or find_spec("z3"))
        },
    )


def _peer_run(name: str, run: Run, own_seconds: float) -> PeerRun:
    if run.answer is None:
        print(f"{name} failed: {run.complaint}", file=sys.stderr)
        return PeerRun("failed")
    status = {"feasible": "limit", "unknown": "limit"}.get(run.answer["status"], run.answer["status"])
    if status == "not tried":
        return PeerRun(status)
    seconds = run.answer["solve_cpu_seconds"]
    return PeerRun(
        status,
        run.answer["value"],
        run.answer.get("lower_bound"),
        round(seconds, 3),
        round(seconds / max(own_seconds, 1e-4), 1),
    )


def constructed_rounds(result: Mapping[str, Any]) -> int | None:
    """The rounds of the best schedule that a construction built, in a result of `schedsolve solve --json`."""
    values = [
        b["value"]
        for b in result["bounds"]
        if b["side"] == "upper" and b["reason"].startswith("construction")
    ]
    return min(values, default=None)


HEADER = (
    "instance",
    "value",
    "bound",
    "CPU s",
    "solve s",
    "peak MB",
    *(f"{peer}: s (ratio)" for peer in PEERS),
)
WIDTHS = (-39, 5, 5, 7, 8, 7, *(26 for _ in PEERS))


def row_cells(row: Row) -> tuple[str, ...]:
    """The cells of a row of the table, in the order of HEADER."""
    return (
        row.instance,
        *("-" if x is None else str(x) for x in (row.value, row.lower_bound)),
        f"{row.cpu_seconds:.2f}",
        f"{row.solve_seconds:.3f}",
        f"{row.peak_mb:.0f}",
        *(_peer_cell(row, row.peers[name]) if name in row.peers else "-" for name in PEERS),
    )


def _peer_cell(row: Row, peer: PeerRun) -> str:
    if peer.solve_seconds is None:
        return peer.status
    stopped = "> " if peer.status == "limit" else ""
    contradiction = " CONTRADICTS" if row.contradicted_by(peer) else ""
    return f"{stopped}{peer.solve_seconds:.2f} ({stopped}{peer.ratio:.3g}){contradiction}"


def table_line(cells: Sequence[str]) -> str:
    """The cells, padded to the widths of the columns."""
    return "  ".join(
        cell.ljust(-width) if width < 0 else cell.rjust(width)
        for cell, width in zip(cells, WIDTHS, strict=True)
    )


def summary_lines(rows: Sequence[Row]) -> list[str]:
    """What the rows say together."""
    lines = [f"proven optimal by schedsolve: {sum(row.status == 'optimal' for row in rows)} of {len(rows)}"]
    for task in ("broadcast", "gossip"):
        of_task = [row for row in rows if f" {task} " in row.instance]
        if of_task:
            slowest = max(of_task, key=lambda row: row.cpu_seconds)
            lines.append(f"slowest {task}: {slowest.cpu_seconds:.2f} CPU s ({slowest.instance})")
    lines.append(f"largest peak of schedsolve: {max(row.peak_mb for row in rows):.0f} MB")
    for name in PEERS:
        tried = [
            row.peers[name] for row in rows if name in row.peers and row.peers[name].solve_seconds is not None
        ]
        ratios = sorted(peer.ratio for peer in tried if peer.status == "optimal" and peer.ratio is not None)
        lines.append(f"{name}: {len(ratios)} of {len(tried)} tried found and proven")
        if ratios:
            lines[-1] += (
                f", at {ratios[0]:.3g} to {ratios[-1]:.3g} times schedsolve's CPU seconds"
                f" (median {median(ratios):.3g})"
            )
    return lines


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the bench; the exit status is 0, or 1 when a solve failed or two answers contradict each other."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.bench",
        description="Compare schedsolve with the formulations that one would write in an afternoon.",
    )
    parser.add_argument(
        "--output",
        type=Path,
        default=Path("out/bench.json"),
        metavar="FILE",
        help="the JSON report (default %(default)s)",
    )
    parser.add_argument(
        "--limit",
        type=float,
        default=LIMIT_SECONDS,
        metavar="SECONDS",
        help="of each peer (default %(default)s)",
    )
    parser.add_argument(
        "--only",
        default="",
        metavar="TEXT",
        help="only the instances whose names contain this, such as 'gossip cycle'",
    )
    parsed = parser.parse_args(arguments)
    chosen = [instance for instance in INSTANCES if parsed.only in instance.name]
    if not chosen or not 0 < parsed.limit < float("inf"):
        parser.error(
            f"no instance contains '{parsed.only}'"
            if not chosen
            else "--limit takes a number of seconds above 0"
        )
    start_up = solve_by_schedsolve(Instance("telephone", "gossip", "path:1")).cpu_seconds
    report: dict[str, Any] = {
        "format": FORMAT,
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "python": platform.python_version(),
        "processors": os.cpu_count(),
        "limit_seconds": parsed.limit,
        "start_up_cpu_seconds": round(start_up, 3),
    }
    parsed.output.parent.mkdir(parents=True, exist_ok=True)
    print(table_line(HEADER))
    rows: list[Row] = []
    for instance in chosen:
        rows.append(measure(instance, parsed.limit))
        print(table_line(row_cells(rows[-1])), flush=True)
        parsed.output.write_text(
            json.dumps({**report, "rows": [asdict(row) for row in rows]}, indent=1) + "\n", encoding="utf-8"
        )
    print(f"CPU s is that of the whole process; {start_up:.2f} s of it is the start of schedsolve")
    print("\n".join(summary_lines(rows)))
    return int(any(row.failed for row in rows))


if __name__ == "__main__":
    raise SystemExit(main())
