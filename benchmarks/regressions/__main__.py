"""Solve the problems of the table again, and print what is worse.

`python -m benchmarks.regressions [--share 2/5] [--only TEXT] [--record]`

Every solve is a process of its own, forked from one that has imported everything, with one thread; its CPU
time is that of the process and its children. A row that is worse is run twice more, and is worse if it was so
in two of the three runs; the exit status is then 1. The CPU time of all rows is compared with the table's.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import shlex
import sys
import time
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace
from pathlib import Path

from benchmarks.regressions.table import Row, read_table, write_table

ROOT = Path(__file__).resolve().parents[2]
RUNS, AGREEING = 3, 2
RECORDED_AT_ONCE = 20


def solved(row: Row) -> Row:
    """Return the row with the outcome of a solve in a process of its own."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        with os.fdopen(writing, "w") as pipe:
            pipe.write(_outcome(row))
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        text = pipe.read()
    usage = os.wait4(child, 0)[2]
    return replace(
        row, **json.loads(text or '{"status": "failed"}'), cpu_seconds=usage.ru_utime + usage.ru_stime
    )


def _outcome(row: Row) -> str:
    """Return the status, value and bound of a solve by the command line, as JSON; from a forked process."""
    from schedsolve.__main__ import main

    options = ["--json", "--certify", "--time-limit", f"{row.limit:g}", "--seed", str(row.seed)]
    sys.argv = ["schedsolve", "solve", *shlex.split(row.problem), *options]
    out = io.StringIO()
    try:
        with redirect_stdout(out), redirect_stderr(io.StringIO()):
            main()
        result = json.loads(out.getvalue())
    except (Exception, SystemExit):
        return '{"status": "failed", "value": "", "lower_bound": ""}'
    sides = {side: "" if result[side] is None else str(result[side]) for side in ("value", "lower_bound")}
    return json.dumps({"status": result["status"], **sides})


def warm() -> None:
    """Import what solves import, so that the processes forked from this one need not."""
    from schedsolve import models, solve

    for model in ("telephone", "line", "linear-cost", "fat-tree", "routing", "synchronous", "pipelined"):
        models.get_model(model).searches()
    import networkx  # noqa: F401
    import numba  # noqa: F401
    import numpy  # noqa: F401
    import pysat.solvers  # noqa: F401

    assert solve is not None


def again(rows: list[Row], left: list[str]) -> Iterator[Row]:
    """Yield every row with its new outcome, and append what is worse to `left`."""
    for number, before in enumerate(rows, 1):
        now = solved(before)
        runs = [now]
        if now.worse_than(before):
            runs += [solved(before) for _ in range(RUNS - 1)]
        worse = [each for run in runs if (each := run.worse_than(before))]
        if len(worse) >= AGREEING:
            left.append(f"{before.problem} ({before.limit:g} s): {'; '.join(worse[-1])}")
            print(left[-1], flush=True)
        if sys.stderr.isatty():
            print(f"\r{number} of {len(rows)}, {len(left)} worse ", end="", file=sys.stderr, flush=True)
        yield min(runs, key=lambda run: (len(run.worse_than(before)), run.cpu_seconds))


def _chosen(rows: list[Row], share: str, only: str) -> list[Row]:
    part, parts = map(int, share.split("/"))
    return [row for i, row in enumerate(rows) if i % parts == part - 1 and only in row.problem]


def main() -> int:
    """Run the table, or a share of it; return 1 if a row is worse."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--share", default="1/1", help="2/5: the second of five parts, as every fifth row")
    parser.add_argument("--only", default="", help="rows whose problem contains this text")
    parser.add_argument("--record", action="store_true", help="write the outcomes of new rows into the table")
    arguments = parser.parse_args()
    os.chdir(ROOT)
    warm()
    table = read_table()
    rows = _chosen(table, arguments.share, arguments.only)
    if arguments.record:
        known: dict[tuple[str, float, int], Row] = {}
        for row in sorted((row for row in rows if not row.status), key=lambda row: row.limit):
            known[row.key] = solved(row)
            if len(known) % RECORDED_AT_ONCE == 0:
                write_table([known.get(one.key, one) for one in table])
        write_table([known.get(row.key, row) for row in table])
        return 0
    left: list[str] = []
    start = time.monotonic()
    new = list(again(rows, left))
    before, now = (sum(row.cpu_seconds for row in each) for each in (rows, new))
    print(f"{len(rows)} problems, {len(left)} worse; {now:.0f} CPU s ({before:.0f} in the table)", end="")
    print(f", {time.monotonic() - start:.0f} s by the clock")
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
