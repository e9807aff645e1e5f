"""One field of any network or problem inside any saved file altered, with the id that a forger would write; true
certificates transplanted to another problem. What a check accepts is true of the problem as it then stands in
the file, computed anew.
"""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import permutations
from random import Random
from typing import Any

from schedsolve import degree_frontier, design, fastest_network, solve
from schedsolve.backends.lookahead import split
from schedsolve.certify.check import check_data
from schedsolve.errors import InputError
from schedsolve.limits.budget import Budget, within
from schedsolve.modelkit.designs import digest_of, form_hash
from schedsolve.modelkit.search import Question
from schedsolve.models import build_problem, read_problem
from schedsolve.models.systolic.command import explored, rows_to_json
from schedsolve.network.canonical_form import Rows
from schedsolve.network.design_classes import NetworkClass, graph_text, network_of
from schedsolve.network.graph import Network
from schedsolve.network.links import links_to_json
from schedsolve.network.node_link import network_to_json
from schedsolve.problem import problem_id
from schedsolve.result import result_to_json
from schedsolve.solving.cube_search import CubeSearch, formula_of
from tests.soak.falsehoods import falsehood
from tests.soak.saved_results import LINES, posed, saved

Data = Any
RESULTS = (
    *LINES,
    "pipelined allgather grid:2x3 --ranks 0,1,4",
    "pipelined allgatherv path:3 --sizes 1,2,3",
)
CUBES = "telegraph gossip complete:4"
OTHERS = ("cubes", "design", "ports", "fastest", "degrees", "least degree", "periods")
"""Saved files of other kinds than plain results, or with a proof in cubes."""


@cache
def _text(name: str) -> str:
    if name == "cubes":
        return json.dumps(_in_cubes())
    made: Any = {
        "design": lambda: design("telephone", "broadcast", 6, max_degree=3),
        "ports": lambda: design("line", "gossip", 5, ports=1),
        "fastest": lambda: fastest_network("pipelined", "alltoall", 8, regular=3),
        "degrees": lambda: degree_frontier("synchronous", "allgather", 6, range(2, 4)),
        "least degree": lambda: degree_frontier("telephone", "gossip", 5, "least"),
    }
    if name in made:
        return json.dumps(made[name]().to_json())
    if name == "periods":
        return json.dumps(rows_to_json(2, True, explored(arity=2, periods=(7, 8), two_way=True)))
    return json.dumps(saved(name))


def _in_cubes() -> Data:
    """A result whose refutation is split into cubes."""
    data = saved(CUBES)
    asked = formula_of(pickle.dumps((Question(posed(CUBES), data["value"] - 1, True), "formula")))
    cubes = [part.cube for part in split(asked, (), 8)]
    proofs = [(cube, CubeSearch(asked, True).work(cube, 10).proof) for cube in cubes]
    evidence = {
        **asked.evidence,
        "lemmas": list(asked.lemmas),
        "cubes": [{"cube": list(cube), **(proof or {})} for cube, proof in proofs],
    }
    data["certificate"]["lower"] = [
        {"side": "lower", "value": data["value"], "reason": "", "by": "search", "evidence": evidence}
    ]
    return data


def file(name: str) -> Data:
    """A saved file: the result of a line, or one of OTHERS."""
    return json.loads(_text(name))


def objects(data: Data) -> Iterator[Data]:
    """All objects in a file."""
    if isinstance(data, dict):
        yield data
    for part in data.values() if isinstance(data, dict) else data if isinstance(data, list) else ():
        yield from objects(part)


def _network(random: Random, network: Network) -> Network:
    """The network with one field altered. Raises InputError or IndexError where it has none."""
    edges, n = list(network.edges), network.node_count
    bandwidths = list(network.bandwidths or [1] * len(edges))
    kind, at = random.randrange(7), random.randrange(max(1, len(edges)))
    if kind == 0:
        bandwidths[at] = random.choice([b for b in (1, 2, 3, 10) if b != bandwidths[at]])
    elif kind == 1:
        return replace(network, switches=network.switches ^ {random.randrange(n)})
    elif kind == 2:
        return replace(network, directed=not network.directed, bandwidths=tuple(bandwidths))
    elif kind == 3:
        edges[at] = edges[at][::-1]
    elif kind == 4:
        del edges[at], bandwidths[at]
    elif kind == 5:
        edges, bandwidths = [*edges, random.choice([*permutations(range(n), 2)])], [*bandwidths, 1]
    else:
        u, v = random.sample(range(n), 2)
        labels = list(network.labels)
        labels[u], labels[v] = labels[v], labels[u]
        return replace(network, labels=tuple(labels), nodes=())
    return replace(network, edges=tuple(edges), bandwidths=tuple(bandwidths))


def _value(random: Random, old: Any) -> Any:
    """Another value of about the same form."""
    if isinstance(old, bool):
        return not old
    if isinstance(old, int):
        return max(0, old + random.choice((-2, -1, 1, 2)))
    if isinstance(old, list) and old:
        at = random.randrange(len(old))
        whole = [*old[:at], _value(random, old[at]), *old[at + 1 :]]
        return random.choice((whole, old[::-1], [*old[:at], *old[at + 1 :]], [*old, old[at]]))
    return random.choice(("min", "max", "all", "linear", "1/2", "one-way", "any", 1, 2, "DQ{", "Es\\o"))


def alter(random: Random, data: Data) -> None:
    """One alteration of a problem in a file, or of a field of what it is for. May raise InputError."""
    problems = [one for one in objects(data) if {"model", "task", "network", "parameters"} <= one.keys()]
    said = random.choice([*problems, data])
    if said is data:
        said = random.choice(
            [one for one in objects(data) if "problem" not in one and "evidence" not in one] or [data]
        )
        said = random.choice((said, data, data.get("class", data), data.get("asked", data)))
    if said in problems and random.random() < 0.7:
        network = _network(random, read_problem(said).network)
        if "links" in said and random.random() < 0.5:
            said["links"] = links_to_json(network)
        else:
            said.pop("links", None)
            said["network"] = {"name": random.choice((network.name, "")), **network_to_json(network)}
    else:
        place = said["parameters"] if said in problems and said["parameters"] else said
        key = random.choice(sorted(place))
        place[key] = _value(random, place[key])


def own_ids(data: Data) -> None:
    """Write the right id of every problem."""
    for one in objects(data):
        if isinstance(one.get("certificate"), dict) and "problem" in one:
            with suppress(InputError):
                one["certificate"]["problem_id"] = problem_id(read_problem(one["problem"]))


def _false_design(data: Data) -> str | None:
    """What is false in a design, computed anew."""
    of = data["model"], data["task"], data["nodes"]
    if data["format"] == "schedsolve-fastest-design/1":
        most = None if data["asked"]["edges"] == "any" else data["asked"]["edges"]
        made = fastest_network(
            data["model"], data["task"], data["nodes"], edges=most, **data["class"]
        ).to_json()
        keys = ["value"] if data["status"] == "optimal" else []
    else:
        asked = {name: data[name] for name in ("source", "ports") if name in data} | data["asked"]
        made = design(*of, **asked, **data["class"]).to_json()
        keys = ["status", "edges", *({"rounds", "steps"} & data.keys())]
        keys = keys if data["asked"]["edges"] != "any" else keys[:1]
    wrong = [f"{key} {data[key]}, not {made[key]}" for key in keys if data[key] != made[key]]
    return "; ".join(wrong) if data["status"] in ("optimal", "infeasible") else None


def false_in(data: Data) -> str | None:
    """What is false in a file that a check accepts."""
    for one in objects(data):
        kind = one.get("format", "")
        wrong = falsehood(one)[0] if kind == "schedsolve-result/1" else None
        if "design" in kind and "degree" not in kind:
            wrong = _false_design(one)
        if kind == "schedsolve-periods/1":
            periods = tuple(row["period"] for row in one["rows"])
            made = explored(arity=one["arity"], periods=periods, two_way=one["mode"] == "two-way")
            ends = [(row["works_up_to"], row["fails_from"]) for row in one["rows"]]
            now = [(row["works_up_to"], row["fails_from"]) for row in rows_to_json(2, True, made)["rows"]]
            wrong = None if ends == now else f"{ends}, not {now}"
        if wrong:
            return wrong
    return None


def judged(data: Data) -> tuple[str, str]:
    """What a check makes of a file, and what is false in what it accepts, "" for nothing."""
    try:
        with within(Budget(seconds=20)):
            report = check_data(json.loads(json.dumps(data)))
    except InputError:
        return "refused", ""
    if not report.complete:
        return ("failed" if report.failed else "not verified"), ""
    wrong = false_in(data)
    return ("false", wrong) if wrong else ("accepted", "")


def try_network(random: Random, results: tuple[str, ...] = RESULTS) -> tuple[str, str]:
    """Alter one field of a network or of what a file is for; what came of it, and a finding, "" for none."""
    name = random.choice((random.choice(results), random.choice(OTHERS)))
    data = file(name)
    try:
        alter(random, data)
    except (InputError, IndexError, ValueError):
        return "no alteration", ""
    if random.random() < 0.8:
        own_ids(data)
    out, wrong = judged(data)
    return out, wrong and f"{name}: accepted, but {wrong}"


@cache
def _tree_or_cycle(rows: Rows, slower: int) -> str:
    """The result of an allgather on a network of four nodes, all links so many times slower."""
    network = network_of(rows)
    slow = replace(network, bandwidths=(Fraction(1, slower),) * len(network.edges))
    return json.dumps(result_to_json(solve(build_problem("pipelined", "allgather", slow), certify=True)))


def _fastest_of_four(random: Random) -> Data:
    """A network of four nodes and links at most that is said to be the fastest; the others may be slower."""
    members, data = NetworkClass(4), fastest_network("pipelined", "allgather", 4, edges=4).to_json()
    every = [rows for links in (3, 4) for rows in members.members(links)]
    chosen = random.choice(every)
    data["result"] = json.loads(_tree_or_cycle(chosen, 1))
    data["value"] = data["lower_bound"] = data["result"]["value"]
    data["network"] = graph_text(chosen)
    others = [_tree_or_cycle(rows, random.choice((1, 10))) for rows in every if rows != chosen]
    digest = digest_of(sum(map(form_hash, every)))
    results = [json.loads(one) for one in others]
    data["evidence"] = {"kind": "networks", "graphs": len(every), "digest": digest, "results": results}
    return data


def try_transplant(random: Random) -> tuple[str, str]:
    """A true certificate, perhaps with schedule and verdict, for an altered or another problem."""
    if random.random() < 0.1:
        out, wrong = judged(_fastest_of_four(random))
        return out, wrong and f"fastest of four nodes: {wrong}"
    name = random.choice(RESULTS)
    model = name.partition(" ")[0]
    data, other = file(name), file(random.choice([line for line in RESULTS if line.startswith(f"{model} ")]))
    if random.random() < 0.5:
        other = file(name)
        with suppress(InputError, IndexError, ValueError):
            alter(random, other)
    for key in ("certificate", "bounds", "lower_bound", "lower_bound_by", "schedule", "value", "status"):
        if key in ("certificate", "bounds") or random.random() < 0.7:
            other[key] = data[key]
    if other.get("schedule") is None:
        other["value"] = other["value_by"] = None
        other["status"] = random.choice(("bounded", "infeasible", other["status"]))
    own_ids(other)
    out, wrong = judged(other)
    return out, wrong and f"{name}: accepted for another problem, but {wrong}"
