"""MSCCL++ plans and Chakra traces with anything in them altered: a check refuses them, says what is wrong, or
they do their task when they are run literally, by what shares no rule with it.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any

from schedsolve import build_problem, check, solve, write_program
from schedsolve.certify.report import CheckReport
from schedsolve.machines.chakra.check import check_traces
from schedsolve.machines.chakra.reader import Trace, read_trace
from schedsolve.runtime.errors import InputError
from tests.machines.mscclpp import test_plans
from tests.reference import chakra_literal
from tests.soak.alterations import LEFT_OUT, VALUES, altered, entry, paths

PROBLEMS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("allreduce", "path:3", {"steps": 4, "chunks": 2}),
    ("allgather", "cycle:4", {"steps": 2}),
    ("reduce-scatter", "cycle:4", {"steps": 3}),
    ("alltoall", "cycle:4", {"steps": 2, "chunks": 2}),
)
ORDERS = range(3)
Judged = tuple[Callable[[], CheckReport], Callable[[], bool]]
"""What checks an altered program, and what runs it."""


@cache
def exported(number: int, name: str, in_place: bool) -> tuple[bytes, ...]:
    """The files of a program, of Chakra one for each rank."""
    task, network, parameters = PROBLEMS[number]
    result = solve(build_problem("synchronous", task, network, **parameters))
    with tempfile.TemporaryDirectory() as folder:
        target = "mscclpp" if name == "p.json" else "chakra"
        write_program(result, Path(folder, name), target=target, in_place=in_place)
        return tuple(file.read_bytes() for file in sorted(Path(folder).iterdir()))


def altered_plan(random: Random, plan: Any) -> Any:
    """A plan with one entry left out, given another value, a near one, or that of another place; or with two
    entries of a list exchanged, or one of them doubled.
    """
    path = random.choice(list(paths(plan)))
    old, kind = entry(plan, path), random.randrange(5)
    if kind == 0:
        return altered(plan, path, random.choice([LEFT_OUT] * 20 + list(VALUES.values())))
    if kind == 1 and isinstance(old, int):
        return altered(plan, path, not old if isinstance(old, bool) else old + random.choice((-1, 1)))
    if kind < 3 or not isinstance(path[-1], int):
        alike = [entry(plan, one) for one in paths(plan) if one[-1] == path[-1]]
        return altered(plan, path, random.choice(alike))
    made = json.loads(json.dumps(plan))
    place, at = entry(made, path[:-1]), path[-1]
    other = random.randrange(len(place))
    place[at], place[other] = place[other], place[at]
    return made if kind == 3 else altered(made, path[:-1], [*place, place[at]])


def altered_traces(random: Random, traces: list[Trace]) -> list[Trace]:
    """Traces of which one node is left out or says something else, at its own end or at both."""
    rank = random.randrange(len(traces))
    nodes = dict(traces[rank].nodes)
    own, other = random.choice(list(nodes.values())), random.choice(list(nodes.values()))
    name = random.choice(list(own.values))
    near = own.values[name] + random.choice((-1, 1))
    nodes[own.number] = random.choice(
        (
            replace(own, values={**own.values, name: near}),
            replace(own, values={**own.values, name: other.values.get(name, near)}),
            replace(own, name=other.name),
            replace(own, kind=other.kind),
            replace(own, after=own.after[1:]),
            replace(own, after=(*own.after, other.number)),
            replace(own, after=other.after),
            replace(other, number=own.number),
            replace(own, name=own.name.replace("add", "receive")),
        )
    )
    if random.random() < 0.1:
        left = nodes.keys() - {own.number}
        nodes = {k: replace(nodes[k], after=tuple(left.intersection(nodes[k].after))) for k in left}
    return [*traces[:rank], replace(traces[rank], nodes=nodes), *traces[rank + 1 :]]


def altered_bytes(random: Random, data: bytes) -> bytes:
    """Bytes of which one is another, missing or doubled."""
    at, kind = random.randrange(len(data)), random.randrange(4)
    middle = (b"", data[at : at + 1] * 2, bytes([data[at] ^ 1 << random.randrange(8)]))[min(kind, 2)]
    return data[:at] + middle + data[at + 1 :]


def check_bytes(name: str, files: list[bytes]) -> CheckReport:
    """Write the files of a program, and check them."""
    with tempfile.TemporaryDirectory() as folder:
        named = [name] if name == "p.json" else [f"p.{rank}.et" for rank in range(len(files))]
        for each, data in zip(named, files, strict=True):
            Path(folder, each).write_bytes(data)
        return check(Path(folder, named[0]))


def run_traces(traces: list[Trace]) -> bool:
    """Whether every rank gets what it is to have; KeyError for a collective that is none of ours."""
    task = {name: name for name, *_ in PROBLEMS}[traces[0].said["collective"]]
    nodes, chunks = [trace.nodes for trace in traces], int(traces[0].said["chunks"])
    return all(chakra_literal.is_right(nodes, task, chunks, order) for order in ORDERS)


def drawn(random: Random, number: int, name: str) -> Judged:
    """An altered program."""
    files = list(exported(number, name, name == "p.json" and number < 3 and random.random() < 0.5))
    times = random.choice((0, 1, 1, 1, 2))
    if name == "p.json":
        plan = json.loads(files[0])
        for _ in range(times or 1):
            plan = altered_plan(random, plan)
        written = [json.dumps(plan).encode()]
        return partial(check_bytes, name, written), lambda: test_plans.is_right(plan, ORDERS)
    if not times:
        at = random.randrange(len(files))
        files[at] = altered_bytes(random, files[at])
        return partial(check_bytes, name, files), lambda: run_traces([*map(read_trace, files)])
    traces = [*map(read_trace, files)]
    for _ in range(times):
        traces = altered_traces(random, traces)
    return partial(check_traces, traces, None), partial(run_traces, traces)


def try_program(random: Random) -> tuple[str, str]:
    """Alter a plan or traces: what came of it, and a finding, "" when there is none."""
    number, name = random.randrange(len(PROBLEMS)), random.choice(("p.json", "p.et"))
    checked, run = drawn(random, number, name)
    try:
        report = checked()
    except InputError as error:
        return "refused", "" if str(error) and "\n" not in str(error) else f"{name}: {str(error)!r}"
    if report.failed or not report.complete:
        return ("failed" if report.failed else "not verified"), ""
    try:
        right = run()
    except (KeyError, AssertionError):
        return "not run literally", ""
    return ("agreed", "") if right else ("false", f"{PROBLEMS[number]}, {name}: {report.text}")
