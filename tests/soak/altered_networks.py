"""One field of any network or problem inside any saved file altered, with the id that a forger would write;
true certificates transplanted to another problem. What a check accepts is true of the file as it then is, by
brute force or computed again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import permutations
from random import Random
from typing import Any

from schedsolve import build_problem, degree_frontier, design, fastest_network, solve
from schedsolve.certify.check import check_data
from schedsolve.experiments.designs.levels import digest_of, form_hash
from schedsolve.modelkit.problem import problem_id
from schedsolve.modelkit.search import Options
from schedsolve.models import read_problem
from schedsolve.models.systolic.command import explored, rows_to_json
from schedsolve.network.classes.canonical_form import Rows
from schedsolve.network.classes.network_class import NetworkClass, graph_text, network_of
from schedsolve.network.files.node_link import network_to_json
from schedsolve.network.graph import Network
from schedsolve.network.links import links_to_json
from schedsolve.runtime.errors import InputError
from schedsolve.runtime.limits.budget import Budget, within
from tests.soak.falsehoods import falsehood
from tests.soak.mutants import mutate_anywhere
from tests.soak.saved_results import LINES, posed, saved
from tests.solving.jobs_here import finished, shared

Data = Any
MACHINES = ("pipelined allgather grid:2x3 --ranks 0,1,4", "pipelined allgatherv path:3 --sizes 1,2,3")
RESULTS = (*LINES, *MACHINES)
NO_ALTERATION = (InputError, IndexError, KeyError, TypeError, ValueError)


def _in_cubes() -> Data:
    """A result whose refutation is split into cubes."""
    data, search = (
        saved("telegraph gossip complete:5"),
        shared(posed("telegraph gossip complete:5"), 4, Options(workers=1)),
    )
    assert finished(search) is False
    bound = {"side": "lower", "value": 5, "reason": "", "by": "search", "evidence": search.evidence()}
    return {**data, "certificate": {**data["certificate"], "lower": [bound]}}


OTHERS: Mapping[str, Callable[[], Data]] = {
    "cubes": _in_cubes,
    "design": lambda: design("telephone", "broadcast", 6, max_degree=3).to_json(),
    "ports": lambda: design("line", "gossip", 5, ports=1).to_json(),
    "fastest": lambda: fastest_network("pipelined", "alltoall", 8, regular=3).to_json(),
    "degrees": lambda: degree_frontier("synchronous", "allgather", 6, range(2, 4)).to_json(),
    "least degree": lambda: degree_frontier("telephone", "gossip", 5, "least").to_json(),
    "periods": lambda: rows_to_json(2, True, explored(arity=2, periods=(7, 8), two_way=True)),
}
"""Saved files of other kinds than plain results, or with a proof in cubes."""


@cache
def _text(name: str) -> str:
    return json.dumps(OTHERS[name]() if name in OTHERS else saved(name))


def file(name: str) -> Data:
    """A saved file: the result of a line, or one of OTHERS."""
    return json.loads(_text(name))


def objects(data: Data) -> Iterator[Data]:
    """All objects in a file."""
    if isinstance(data, dict):
        yield data
    for part in data.values() if isinstance(data, dict) else data if isinstance(data, list) else ():
        yield from objects(part)


def _altered(random: Random, network: Network) -> Network:
    """The network with one field altered."""
    edges, n, at = list(network.edges), network.node_count, random.randrange(len(network.edges))
    bandwidths, labels = list(network.bandwidths or [1] * len(edges)), list(network.labels)
    kind, (u, v) = random.randrange(7), random.choice([*permutations(range(n), 2)])
    if kind == 0:
        bandwidths[at] = random.choice([b for b in (1, 2, 3, 10) if b != bandwidths[at]])
    elif kind == 1:
        return replace(network, switches=network.switches ^ {v})
    elif kind == 2:
        return replace(network, directed=not network.directed)
    elif kind == 3:
        labels[u], labels[v] = labels[v], labels[u]
        return replace(network, labels=tuple(labels), nodes=())
    elif kind == 4:
        del edges[at], bandwidths[at]
    elif kind == 5:
        edges, bandwidths = [*edges, (u, v)], [*bandwidths, 1]
    else:
        edges[at] = edges[at][::-1]
    return replace(network, edges=tuple(edges), bandwidths=tuple(bandwidths))


def alter(random: Random, data: Data) -> None:
    """One alteration of a problem in a file, or of what a file is for. Raises NO_ALTERATION for none."""
    problems = [one for one in objects(data) if {"model", "task", "network", "parameters"} <= one.keys()]
    said = random.choice([*problems, data])
    if said is data or random.random() < 0.3:
        mutate_anywhere(random, random.choice((said, said.get("class", said), said.get("parameters", said))))
        return
    network = _altered(random, read_problem(said).network)
    if "links" in said and random.random() < 0.5:
        said["links"] = links_to_json(network)
    else:
        said.pop("links", None)
        said["network"] = {"name": random.choice((network.name, "")), **network_to_json(network)}


def own_ids(data: Data) -> None:
    """Write the right id of every problem."""
    for one in objects(data):
        with suppress(*NO_ALTERATION):
            one["certificate"]["problem_id"] = problem_id(read_problem(one["problem"]))


def _false_design(data: Data) -> str:
    """What is false in a design, computed again."""
    edges = data["asked"]["edges"]
    names = {"model", "task", "nodes", "source", "ports"} & data.keys()
    asked: Any = {name: data[name] for name in names} | data["class"]
    if data["objective"] == "time":
        made = fastest_network(**asked, edges=None if edges == "any" else edges).to_json()
        keys = {"value"}
    else:
        made = design(**asked, **data["asked"]).to_json()
        keys = {"status"} if edges == "any" else {"status", "edges", "rounds", "steps"} & data.keys()
    wrong = [f"{key} {data[key]}, not {made[key]}" for key in keys if data[key] != made[key]]
    return "; ".join(wrong) if data["status"] in ("optimal", "infeasible") else ""


def _false_periods(data: Data) -> str:
    """Which period is said to fail too early, or to work where it fails."""
    rows, two_way = {row["period"]: row for row in data["rows"]}, data["mode"] == "two-way"
    made = rows_to_json(2, True, explored(arity=data["arity"], periods=tuple(rows), two_way=two_way))
    for row in made["rows"]:
        said, true = rows[row["period"]]["fails_from"], row["fails_from"]
        if (said or 99) < (true or 99) or (rows[row["period"]]["works_up_to"] == "every height" and true):
            return f"period {row['period']} fails from {true}, not {said}"
    return ""


def false_in(data: Data) -> str:
    """What is false in a file that a check accepts, "" for nothing."""
    said = ""
    for one in objects(data):
        kind = str(one.get("format", ""))
        if kind == "schedsolve-result/1":
            said = said or falsehood(one)[0] or ""
        elif kind == "schedsolve-design/2" and "rows" not in one:
            said = said or _false_design(one)
        elif kind == "schedsolve-periods/1":
            said = said or _false_periods(one)
    return said


def judged(name: str, data: Data) -> tuple[str, str]:
    """What a check makes of a file, and what is false in what it accepts, "" for nothing."""
    try:
        with within(Budget(seconds=20)):
            report = check_data(json.loads(json.dumps(data)))
    except InputError:
        return "refused", ""
    if not report.complete:
        return ("failed" if report.failed else "not verified"), ""
    wrong = false_in(data)
    return ("false", f"{name}: accepted, but {wrong}") if wrong else ("accepted", "")


def try_network(random: Random, results: tuple[str, ...] = RESULTS) -> tuple[str, str]:
    """Alter one field of a network or of what a file is for: what came of it, and a finding, "" for none."""
    name = random.choice((random.choice(results), random.choice([*OTHERS])))
    data = file(name)
    try:
        alter(random, data)
    except NO_ALTERATION:
        return "no alteration", ""
    if random.random() < 0.8:
        own_ids(data)
    return judged(name, data)


@cache
def _allgather(rows: Rows, kind: str) -> str:
    """The result of an allgather on a network, or of one that its links or sizes make ten times as long."""
    network = network_of(rows)
    slow = replace(network, bandwidths=(Fraction(1, 10),) * len(network.edges), name="")
    problem = build_problem("pipelined", "allgather", slow if kind == "slow links" else network)
    if kind == "sizes":
        problem = build_problem("pipelined", "allgatherv", network, sizes=[10] * 4)
    return json.dumps(solve(problem, certify=True).to_json())


def fastest_of_four(random: Random) -> Data:
    """A network of four nodes and links at most that is said to be the fastest; the others may be slower."""
    data = fastest_network("pipelined", "allgather", 4, edges=4).to_json()
    every = [rows for links in (3, 4) for rows in NetworkClass(4).members(links)]
    chosen, kind = random.choice(every), random.choice(("as it is", "slow links", "sizes"))
    result = json.loads(_allgather(chosen, "as it is"))
    data |= {"network": graph_text(chosen), "result": result}
    data |= {"value": result["value"], "lower_bound": result["value"]}
    others = [json.loads(_allgather(rows, kind)) for rows in every if rows != chosen]
    digest = digest_of(sum(map(form_hash, every)))
    data["evidence"] = {"kind": "networks", "graphs": len(every), "digest": digest, "results": others}
    return data


def try_transplant(random: Random) -> tuple[str, str]:
    """A true certificate, perhaps with schedule and verdict, for an altered or another problem."""
    if random.random() < 0.1:
        return judged("fastest of four nodes", fastest_of_four(random))
    name = random.choice(RESULTS)
    alike = [line for line in RESULTS if line.split()[0] == name.split()[0]]
    data, other = file(name), file(random.choice((name, random.choice(alike))))
    with suppress(*NO_ALTERATION):
        alter(random, other)
    for key in ("certificate", "bounds", "lower_bound", "lower_bound_by", "schedule", "value", "status"):
        if key in ("certificate", "bounds") or random.random() < 0.7:
            other[key] = data[key]
    own_ids(other)
    return judged(f"{name}, transplanted", other)
