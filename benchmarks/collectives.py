"""What collectives take, beside z3, and beside msccl-tools (z3 too) and ForestColl where checkouts are given.

`python -m benchmarks.collectives [--msccl-tools DIR] [--forestcoll DIR] [--peer-python PYTHON] [--limit S]
[--only TEXT] [--output FILE]`

The checkouts may be named by MSCCL_TOOLS and FORESTCOLL in the environment too, and the Python that has what
they import by PEER_PYTHON. Without them they are not asked; z3 is asked with `plain_z3` where the package
z3-solver is installed. Every solve is a process of
its own with one thread: "CPU s" is user and system time of the whole process, certificates and the start
of Python included; a peer's is that of its encoding and solving alone. What a peer did not answer within the
limit counts what it took until then.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from importlib.util import find_spec
from math import ceil
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
LIMIT = 30.0
BY_STEPS = ("z3", "msccl-tools")
"""Who answers whether C chunks can be moved in S steps with R rounds."""


@dataclass(frozen=True)
class Case:
    """A line of the benchmark.

    words: of the command, after `schedsolve`. goal: CPU seconds that it should stay below. peers: who else is
    asked, if anybody. questions: of (C, S, R), that they get.
    """

    words: str
    goal: float
    peers: tuple[str, ...] = ()
    questions: tuple[tuple[int, int, int], ...] = ()


CASES = (
    Case("frontier synchronous allgather dgx1 --steps 2..3", 2, BY_STEPS, ((2, 2, 3), (6, 3, 7))),
    Case("solve synchronous allgather dgx1 --steps 3 --chunks 6 --rounds 7", 0.5, BY_STEPS, ((6, 3, 7),)),
    Case("solve synchronous alltoall dgx1 --steps 2 --chunks 3 --rounds 8", 1, BY_STEPS, ((3, 2, 8),)),
    Case(
        "solve synchronous allgather hypercube:4 --steps 4 --chunks 4 --rounds 15",
        1,
        BY_STEPS,
        ((4, 4, 15),),
    ),
    Case("solve synchronous allgather torus:8x8 --steps 8 --chunks 4 --rounds 63", 60),
    Case("solve synchronous allgather hypercube:6 --steps 6 --chunks 6 --rounds 63", 60),
    Case("frontier synchronous broadcast dgx1 --steps 2..7", 15),
    Case("solve pipelined allgather a100:2", 5, ("ForestColl",)),
    Case("solve pipelined allgather a100:128", 5),
    Case("solve pipelined allgather mi250:2", 10, ("ForestColl",)),
    Case("solve pipelined alltoall genkautz:4,64", 10),
    Case("solve pipelined alltoall torus:8x8x8", 5),
)


@dataclass(frozen=True)
class PeerAnswer:
    """What a peer said, and its CPU seconds; `ended` is False where it failed or was stopped."""

    said: str
    seconds: float
    ended: bool


@dataclass(frozen=True)
class Row:
    """What a case took, in CPU seconds, and those who were asked too."""

    words: str
    found: str
    seconds: float
    goal: float
    peers: Mapping[str, PeerAnswer]


def run(words: Sequence[str], limit: float, given: str = "") -> tuple[str | None, float]:
    """Standard output of a process, None when it fails or is stopped after so many CPU seconds, and the CPU
    seconds that it took.
    """
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        ["sh", "-c", f'ulimit -t {ceil(limit)}; exec "$@"', "sh", *words],
        input=given,
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, **ONE_THREAD},
        check=False,
    )
    text = done.stdout if done.returncode == 0 else None
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return text, used


def measure(case: Case, peers: Mapping[str, Sequence[str]], limit: float) -> Row:
    """Run a case, and those of its peers that there are: the words of their commands."""
    with tempfile.TemporaryDirectory() as folder:
        file = str(Path(folder) / "out.json")
        words = [sys.executable, "-m", "schedsolve", *case.words.split(), "--quiet", "--output", file]
        text, seconds = run(words, 600)
        found = "failed" if text is None else _found(json.loads(Path(file).read_text()))
    asked = {name: _ask(case, peers[name], limit) for name in case.peers if name in peers}
    return Row(case.words, found, seconds, case.goal, asked)


def _found(data: Mapping[str, Any]) -> str:
    rows = data.get("rows", [data])
    return ", ".join(f"{row['status']} {row['value']}" for row in rows)


def _ask(case: Case, command: Sequence[str], limit: float) -> PeerAnswer:
    """A peer's answers in words, and its CPU seconds together."""
    from schedsolve import Network

    _, _, task, spec = case.words.split()[:4]
    network = Network.from_spec(spec)
    question: dict[str, Any] = {
        "nodes": network.node_count,
        "compute": list(network.compute_nodes),
        "task": task,
        "network": spec,
        "links": [[u, v, int(b)] for (u, v), b in network.bandwidth_of.items()],
        "trees": True,
    }
    total, said, ended = 0.0, [], True
    for chunks, steps, rounds in case.questions or ((0, 0, 0),):
        asked = {**question, "chunks": chunks, "steps": steps, "rounds": rounds}
        text, used = run(command, limit, json.dumps(asked))
        answer = json.loads(text.splitlines()[-1]) if text else None
        total += used if answer is None else answer["seconds"]
        if answer is None:
            said.append("no answer" if used > 0.9 * limit else "failed")
            ended = False
        elif "value" in answer:
            said.append(str(Fraction(answer["value"]).limit_denominator(10_000)))
        else:
            said.append("feasible" if answer["found"] else "infeasible")
    return PeerAnswer(", ".join(said), total, ended)


def peer_commands(python: str, msccl_tools: str | None, forestcoll: str | None) -> dict[str, list[str]]:
    """The commands of the peers that there are: checkouts, and z3 where it is installed."""
    folder = ROOT / "benchmarks"
    commands = {}
    if find_spec("z3"):
        commands["z3"] = [sys.executable, "-m", "benchmarks.peer_z3"]
    if msccl_tools:
        commands["msccl-tools"] = [python, str(folder / "peer_msccl.py"), msccl_tools]
    if forestcoll:
        commands["ForestColl"] = [python, str(folder / "peer_forestcoll.py"), forestcoll]
    return commands


def main() -> int:
    """Run the cases that are asked for, and print and write a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--msccl-tools", default=os.environ.get("MSCCL_TOOLS"), metavar="DIR")
    parser.add_argument("--forestcoll", default=os.environ.get("FORESTCOLL"), metavar="DIR")
    parser.add_argument("--peer-python", default=os.environ.get("PEER_PYTHON", sys.executable))
    parser.add_argument(
        "--limit",
        type=float,
        default=LIMIT,
        help="CPU seconds of a peer for a question (default %(default)g)",
    )
    parser.add_argument("--only", default="", metavar="TEXT", help="cases whose command contains it")
    parser.add_argument("--output", metavar="FILE", help="the rows as JSON")
    arguments = parser.parse_args()
    peers = peer_commands(arguments.peer_python, arguments.msccl_tools, arguments.forestcoll)
    rows = []
    for case in CASES:
        if arguments.only in case.words:
            row = measure(case, peers, arguments.limit)
            rows.append(row)
            late = "" if row.seconds < row.goal else " TOO SLOW"
            line = f"{row.words}: {row.found}; {row.seconds:.2f} s of {row.goal:g}{late}"
            beside = [f"; {name}: {peer.said}, {peer.seconds:.1f} s" for name, peer in row.peers.items()]
            print(line + "".join(beside), flush=True)
    if arguments.output:
        Path(arguments.output).parent.mkdir(parents=True, exist_ok=True)
        Path(arguments.output).write_text(json.dumps([asdict(row) for row in rows], indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
