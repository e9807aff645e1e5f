"""Solve a fixed list of problems with schedsolve and with the textbook integer program, and compare what
they take.

`python -m benchmarks.bench [--output FILE] [--ilp-limit SECONDS] [--only TEXT]`

Every solve is a process of its own, run one after the other and each with one thread. "CPU s" is user and
system time of the whole process and its children, the start of Python and its imports included; "solve s" is
what the solve took of it once everything was imported, in schedsolve and in the integer program alike, and
the ratio compares these. The peak is the largest resident set of any process. The integer program is given
as horizon the value of the best schedule that schedsolve's constructions built, and is not charged for it.
The limit is on CBC's CPU time, some of which it counts by the wall clock; building the program comes on
top. A figure after > is what had been used when CBC stopped at its limit.
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
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

FORMAT = "schedsolve-bench/1"
ILP_LIMIT_SECONDS = 25.0
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
        return f"{self.model} {self.task} {self.network}"


@dataclass(frozen=True)
class Row:
    """What one instance took. None stands for what is not known.

    status: of schedsolve's result, or "failed". horizon: the number of rounds that the integer program was
    given.
    ilp_status: "optimal", "infeasible", "limit", "not tried" or "failed". ilp_value: rounds of its best
    schedule.
    solve_seconds, ilp_solve_seconds: the CPU seconds without start and imports. ratio: of the integer
    program's to schedsolve's; when it was stopped at its limit, the true ratio is larger.
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
    ilp_status: str = "not tried"
    ilp_value: int | None = None
    ilp_variables: int | None = None
    ilp_cpu_seconds: float | None = None
    ilp_solve_seconds: float | None = None
    ratio: float | None = None

    @property
    def contradicted(self) -> bool:
        """Whether the integer program disproves a bound of schedsolve's."""
        if self.ilp_status == "infeasible":
            return True
        above = (
            self.value is not None
            and self.ilp_value is not None
            and self.ilp_status == "optimal"
            and self.ilp_value > self.value
        )
        return above or (
            self.lower_bound is not None and self.ilp_value is not None and self.ilp_value < self.lower_bound
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
        "path:41 cycle:31 complete:9 tree:2,7 ccc:4 grid:6x6 petersen complete:7 grid:4x4",
    ),
    *_instances(
        "telegraph", "gossip", "path:21 cycle:16 complete:8 petersen grid:4x4 complete:6 cycle:8 path:6"
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
    return run_process(
        [
            "-m",
            "benchmarks.solve_once",
            instance.model,
            instance.task,
            instance.network,
            str(SCHEDSOLVE_LIMIT_SECONDS),
        ]
    )


def solve_by_ilp(instance: Instance, horizon: int, limit: float) -> Run:
    """Solve an instance with the textbook integer program, within a horizon and so many CPU seconds of
    CBC's.
    """
    options = ["--horizon", str(horizon), "--time-limit", str(limit), "--most-variables", str(MOST_VARIABLES)]
    return run_process(
        ["-m", "benchmarks.textbook_ilp", instance.model, instance.task, instance.network, *options]
    )


def measure(instance: Instance, ilp_limit: float) -> Row:
    """Solve an instance both ways."""
    own = solve_by_schedsolve(instance)
    answer = own.answer or {
        "status": "failed",
        "value": None,
        "lower_bound": None,
        "bounds": (),
        "solve_cpu_seconds": 0.0,
    }
    if own.answer is None:
        print(f"{instance.name}: schedsolve failed: {own.complaint}", file=sys.stderr)
    row = Row(
        instance=instance.name,
        status=answer["status"],
        value=answer["value"],
        lower_bound=answer["lower_bound"],
        cpu_seconds=round(own.cpu_seconds, 3),
        solve_seconds=round(answer["solve_cpu_seconds"], 4),
        wall_seconds=round(own.wall_seconds, 3),
        peak_mb=round(own.peak_mb, 1),
        horizon=constructed_rounds(answer),
    )
    return row if row.horizon is None else _with_ilp(row, solve_by_ilp(instance, row.horizon, ilp_limit))


def _with_ilp(row: Row, ilp: Run) -> Row:
    if ilp.answer is None:
        print(f"{row.instance}: the integer program failed: {ilp.complaint}", file=sys.stderr)
        return replace(row, ilp_status="failed")
    tried = ilp.answer["status"] != "not tried"
    return replace(
        row,
        ilp_status=ilp.answer["status"],
        ilp_value=ilp.answer["rounds"],
        ilp_variables=ilp.answer["variables"],
        ilp_cpu_seconds=round(ilp.cpu_seconds, 3) if tried else None,
        ilp_solve_seconds=round(ilp.answer["solve_cpu_seconds"], 3) if tried else None,
        ratio=round(ilp.answer["solve_cpu_seconds"] / max(row.solve_seconds, 1e-4), 1) if tried else None,
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
    "lower bound",
    "CPU s",
    "solve s",
    "wall s",
    "peak MB",
    "horizon",
    "ILP solve s",
    "ILP/schedsolve",
)
WIDTHS = (-39, 5, 11, 7, 8, 7, 7, 7, 29, 14)


def row_cells(row: Row) -> tuple[str, ...]:
    """The cells of a row of the table, in the order of HEADER."""
    stopped = "> " if row.ilp_status == "limit" else ""
    if row.ilp_solve_seconds is not None:
        ilp = f"{stopped}{row.ilp_solve_seconds:.2f}" + (" CONTRADICTS" if row.contradicted else "")
    else:
        ilp = f"not tried ({row.ilp_variables} variables)" if row.ilp_variables else row.ilp_status
    numbers = ("-" if x is None else str(x) for x in (row.value, row.lower_bound))
    times = (
        f"{row.cpu_seconds:.2f}",
        f"{row.solve_seconds:.3f}",
        f"{row.wall_seconds:.2f}",
        f"{row.peak_mb:.0f}",
    )
    horizon = "-" if row.horizon is None else str(row.horizon)
    return (
        row.instance,
        *numbers,
        *times,
        horizon,
        ilp,
        "-" if row.ratio is None else f"{stopped}{row.ratio:.0f}",
    )


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
    finished = [row for row in rows if row.ilp_status == "optimal"]
    lines.append(
        f"the ILP found and proved the optimum of {len(finished)} of"
        f" {sum(row.ilp_status != 'not tried' for row in rows)} tried"
    )
    if finished:
        ratios = ", ".join(
            f"{row.ratio:.0f} ({row.instance})" for row in sorted(finished, key=lambda row: row.ratio or 0)
        )
        lines.append(f"ILP/schedsolve where the ILP finished: {ratios}")
    return lines


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the bench; the exit status is 0, or 1 when a solve failed or the two ways contradict each other."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.bench",
        description="Compare schedsolve with the integer program that one would write in an afternoon.",
    )
    parser.add_argument(
        "--output",
        type=Path,
        default=Path("out/bench.json"),
        metavar="FILE",
        help="the JSON report (default %(default)s)",
    )
    parser.add_argument(
        "--ilp-limit",
        type=float,
        default=ILP_LIMIT_SECONDS,
        metavar="SECONDS",
        help="CPU time of CBC (default %(default)s)",
    )
    parser.add_argument(
        "--only",
        default="",
        metavar="TEXT",
        help="only the instances whose names contain this, such as 'gossip cycle'",
    )
    parsed = parser.parse_args(arguments)
    chosen = [instance for instance in INSTANCES if parsed.only in instance.name]
    if not chosen or not 0 < parsed.ilp_limit < float("inf"):
        parser.error(
            f"no instance contains '{parsed.only}'"
            if not chosen
            else "--ilp-limit takes a number of seconds above 0"
        )
    start_up = solve_by_schedsolve(Instance("telephone", "gossip", "path:1")).cpu_seconds
    report: dict[str, Any] = {
        "format": FORMAT,
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "python": platform.python_version(),
        "processors": os.cpu_count(),
        "ilp_limit_seconds": parsed.ilp_limit,
        "start_up_cpu_seconds": round(start_up, 3),
    }
    parsed.output.parent.mkdir(parents=True, exist_ok=True)
    print(table_line(HEADER))
    rows: list[Row] = []
    for instance in chosen:
        rows.append(measure(instance, parsed.ilp_limit))
        print(table_line(row_cells(rows[-1])), flush=True)
        parsed.output.write_text(
            json.dumps({**report, "rows": [asdict(row) for row in rows]}, indent=1) + "\n", encoding="utf-8"
        )
    print(f"CPU s is that of the whole process; {start_up:.2f} s of it is the start of schedsolve")
    print("\n".join(summary_lines(rows)))
    return 1 if any(row.contradicted or "failed" in (row.status, row.ilp_status) for row in rows) else 0


if __name__ == "__main__":
    raise SystemExit(main())
