"""The time that every construction takes on a fixed list of problems, beside the value of what it builds and
the best cheap bound.

`python -m benchmarks.constructions [--output FILE] [--only TEXT]`

Seconds are user and system time of the building alone, in this process; the replay comes on top and is not
counted.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.search import Effort
from schedsolve.models import build_problem, model_of, replay
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError
from schedsolve.solving.constructions import lower_bounds

FORMAT = "schedsolve-bench-constructions/1"
SECONDS = 2.0
"""For the constructions that search."""
PROBLEMS: tuple[tuple[str, str, str, dict[str, Any]], ...] = (
    ("telephone", "broadcast", "shuffle-exchange:8", {}),
    ("telephone", "gossip", "hypercube:6", {}),
    ("telegraph", "gossip", "path:101", {"period": 6}),
    ("telephone", "gossip", "tree:3,6", {"period": 8}),
    ("line", "broadcast", "random-tree:200,1", {}),
    ("line", "gossip", "tree:3,5", {}),
    ("linear-cost", "broadcast", "complete:243", {"ports": 2, "extra_rounds": 8}),
    *(
        ("fat-tree", "broadcast", f"fat-tree:{n}", {"capacity": shape})
        for shape in ("const", "log", "sqrt", "two-thirds", "linear")
        for n in (64, 256, 1024)
    ),
    *(
        ("fat-tree", "broadcast", "fat-tree:1024", {"capacity": shape, "timing": "rounds"})
        for shape in ("log", "sqrt", "two-thirds", "linear")
    ),
    ("fat-tree", "product", "fat-tree:256", {}),
    ("fat-tree", "prefix", "fat-tree:256", {}),
    ("routing", "deliver", "fat-tree:256", {"pattern": "bit-reversal"}),
)


@dataclass(frozen=True)
class Row:
    """What one construction took. bound: the best lower bound that needs no search."""

    problem: str
    algorithm: str
    value: str
    bound: str
    cpu_seconds: float


def rows(only: str = "") -> Iterator[Row]:
    """The constructions that fit the problems whose name contains the text, one after the other."""
    for model, task, network, options in PROBLEMS:
        name = " ".join([model, task, network, *(f"{key}={value}" for key, value in options.items())])
        if only in name:
            yield from _of_problem(name, build_problem(model, task, Network.from_spec(network), options))


def _of_problem(name: str, problem: Problem) -> Iterator[Row]:
    model = model_of(problem)
    lower = max((bound.value for bound in lower_bounds(model, problem)), default=0)
    for algorithm in model.algorithms:
        if problem.task not in algorithm.tasks or algorithm.refuse(problem) is not None:
            continue
        start = time.process_time()
        try:
            schedule = algorithm.build(problem, Effort(seconds=SECONDS))
        except InputError:
            continue
        seconds = time.process_time() - start
        seen = replay(problem, schedule.without_empty_end())
        assert seen.violation is None, (name, algorithm.name)
        yield Row(name, algorithm.name, str(seen.value), str(lower), round(seconds, 3))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the constructions and print a line for each."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.constructions")
    parser.add_argument("--output", type=Path, default=Path("out/bench-constructions.json"), metavar="FILE")
    parser.add_argument("--only", default="", metavar="TEXT", help="only problems whose name contains this")
    chosen = parser.parse_args(arguments)
    print(f"{'problem':58}  {'construction':24}  {'value':>8}  {'bound':>8}  {'CPU s':>8}")
    found = []
    for row in rows(chosen.only):
        found.append(row)
        print(
            f"{row.problem:58}  {row.algorithm:24}  {row.value:>8}  {row.bound:>8}  {row.cpu_seconds:8.3f}",
            flush=True,
        )
    chosen.output.parent.mkdir(parents=True, exist_ok=True)
    chosen.output.write_text(
        json.dumps({"format": FORMAT, "rows": [asdict(row) for row in found]}) + "\n", encoding="utf-8"
    )
    return 0 if found else 1


if __name__ == "__main__":
    raise SystemExit(main())
