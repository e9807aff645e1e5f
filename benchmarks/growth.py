"""How CPU time and memory of commands grow with what they write.

`python -m benchmarks.growth [--limit SECONDS] [--only TEXT]`

Every command runs on networks of about 10, 30, 100, 300, ... nodes until a run takes more CPU time than the
limit. Each run is a process of its own with one thread; "CPU s" is its user and system time, "MB" its largest
resident set. Exponents are slopes of logarithms by that of the number of nodes, by least squares, with what
the smallest run takes subtracted: of the bytes of the result's file, of the CPU time, of the memory.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from math import isqrt, log
from pathlib import Path
from statistics import linear_regression

from benchmarks.bench import ONE_THREAD

LIMIT_SECONDS = 12
ABOVE_START = 1.5
"""Runs that take less than so many times the least amount say nothing of the growth."""
SIZES = (10, 30)
"""Their multiples by powers of ten are the numbers of nodes."""

COMMANDS: tuple[tuple[str, str], ...] = (
    ("telephone broadcast path:{n}", "solve"),
    ("telephone broadcast grid:{r}x{r}", "solve"),
    ("telephone broadcast random-tree:{n}", "solve"),
    ("telephone broadcast complete:{n}", "solve"),
    ("telephone gossip path:{n}", "solve"),
    ("telephone gossip cycle:{n}", "solve"),
    ("telephone gossip star:{n}", "solve"),
    ("telegraph gossip complete:{n}", "solve"),
    ("telegraph gossip path:{n} --period 4", "solve"),
    ("line broadcast path:{n}", "solve"),
    ("line broadcast random-tree:{n}", "solve"),
    ("line gossip star:{n}", "solve"),
    ("telephone accumulation hypercube:{d}", "solve"),
    ("fat-tree product fat-tree:{p}", "solve"),
    ("pipelined broadcast cycle:{n}", "solve"),
    ("pipelined allgather cycle:{n}", "solve"),
    ("pipelined allreduce torus:{r}x{r}", "solve"),
    ("synchronous allgather cycle:{n} --steps {h}", "solve"),
    ("telephone broadcast grid:{r}x{r}", "check"),
    ("pipelined broadcast cycle:{n}", "check"),
    ("telegraph gossip path:{n} --period 4", "check"),
    ("line broadcast path:{n}", "draw"),
)


@dataclass(frozen=True)
class Run:
    """What a command took, and the bytes that it wrote; `ended` is False if the limit stopped it."""

    nodes: int
    seconds: float
    megabytes: float
    written: int
    ended: bool


def measure(command: str, verb: str, n: int, limit: int, folder: Path) -> Run:
    """Run a command on about n nodes; what `check` and `draw` read is solved first and not counted."""
    problem = command.format(
        n=n, r=isqrt(n), h=n // 2, p=1 << n.bit_length() - 1, d=n.bit_length() - 1
    ).split()
    result = folder / "result.json"
    result.unlink(missing_ok=True)
    run = _run(["solve", *problem, "-q", "-o", str(result)], limit)
    written = result.stat().st_size if result.exists() else 0
    if verb != "solve" and written:
        picture = folder / "picture.svg"
        run = _run(
            ["check", str(result)] if verb == "check" else ["draw", str(result), "-o", str(picture)], limit
        )
    seconds, megabytes, ended = run
    return Run(n, seconds, megabytes, written, ended and written > 0)


def _run(arguments: Sequence[str], limit: int) -> tuple[float, float, bool]:
    """Return the CPU seconds of a run, its megabytes, and whether it ended within the limit, settled."""
    limited = ["sh", "-c", 'ulimit -t "$0" && exec "$@"', str(limit)]
    process = subprocess.Popen(
        [*limited, sys.executable, "-m", "schedsolve", *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, **ONE_THREAD},
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    kilobyte = 1 if sys.platform == "darwin" else 1024
    seconds = usage.ru_utime + usage.ru_stime
    return seconds, usage.ru_maxrss * kilobyte / 2**20, process.returncode == 0 and seconds <= limit


def growth(command: str, verb: str, limit: int, folder: Path) -> Iterator[Run]:
    """Yield the runs of a command that end within the limit."""
    for power in count():
        for size in SIZES:
            run = measure(command, verb, size * 10**power, limit, folder)
            if not run.ended:
                return
            yield run


def exponent(runs: Sequence[Run], amounts: Sequence[float]) -> float | None:
    """Return the slope of log amount by log nodes, from 1.5 times the least amount on, which is taken off.

    None with too few runs.
    """
    least = min(amounts)
    points = [
        (log(run.nodes), log(amount - least))
        for run, amount in zip(runs, amounts, strict=True)
        if amount >= ABOVE_START * least
    ]
    if len(points) < 2:
        return None
    return linear_regression([x for x, _ in points], [y for _, y in points]).slope


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the commands and print a table, as Markdown."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.growth", description=__doc__.splitlines()[0])
    parser.add_argument(
        "--limit", type=int, default=LIMIT_SECONDS, metavar="SECONDS", help="CPU time of a run"
    )
    parser.add_argument("--only", default="", metavar="TEXT", help="only commands that contain this")
    parsed = parser.parse_args(arguments)
    print("| command | nodes | written | CPU s | MB | exponent written | of CPU s | of MB |")
    print("|---|---|---|---|---|---|---|---|")
    for command, verb in COMMANDS:
        if parsed.only not in f"{verb} {command}":
            continue
        with tempfile.TemporaryDirectory() as folder:
            runs = list(growth(command, verb, parsed.limit, Path(folder)))
        if not runs:
            print(f"| `{verb} {command}` | none | | | | | | |", flush=True)
            continue
        last = runs[-1]
        amounts = ([float(getattr(r, name)) for r in runs] for name in ("written", "seconds", "megabytes"))
        slopes = (exponent(runs, of_each) for of_each in amounts)
        shown = ("-" if slope is None else f"{slope:.2f}" for slope in slopes)
        print(
            f"| `{verb} {command}` | {last.nodes} | {last.written / 1e6:.2f} MB | {last.seconds:.1f}"
            f" | {last.megabytes:.0f} | {' | '.join(shown)} |",
            flush=True,
        )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
