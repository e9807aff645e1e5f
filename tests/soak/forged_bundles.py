"""Bundles as a forger alters them, who keeps the printed functions and makes all else fit: keys of CLAIM,
FUNCTIONS, network, schedule and evidence, with hashes, numbers and claim.md made again. What the functions
verify nevertheless is true, by what the solver finds for the problem in the words.
"""

from __future__ import annotations

import json
import pkgutil
from contextlib import suppress
from fractions import Fraction
from hashlib import sha256
from importlib import import_module
from random import Random
from typing import Any

from schedsolve import kernel
from schedsolve.errors import InputError
from schedsolve.kernel.network import read_network
from schedsolve.kernel.theorems import THEOREMS
from schedsolve.kernel.verdict import claim_text, judge, said, shown
from schedsolve.modelkit.search import Options
from schedsolve.models import build_problem
from schedsolve.network.graph import Network
from schedsolve.problem import Problem
from schedsolve.solving.solve import solve
from tests.export.bundles import bundle, program
from tests.soak.referees import ODD, altered

Claim = dict[str, Any]
LINES = (
    "telephone gossip path:3", "telephone broadcast grid:2x3 --source 1", "telegraph gossip complete:4",
    "telegraph gossip path:5 --period 4", "telephone gossip star:5 --period 3",
    "telegraph broadcast kautz:2,1 --source 0", "telephone multicast path:5 --source 0 --targets 3,1",
    "telegraph accumulation path:4 --root min", "telephone broadcast path:4 --source max",
    "telegraph gossip path:5 --period 4 --edge-colouring", "line gossip path:3 --ports 1",
    "line accumulation kautz:2,1 --root 0", "line broadcast cycle:5 --rounds 1",
    "linear-cost broadcast complete:4 --extra-rounds 1", "fat-tree broadcast fat-tree:4",
    "fat-tree product fat-tree:4", "fat-tree prefix fat-tree:4 --timing rounds",
    "routing deliver fat-tree:4 --pattern random:2", "pipelined alltoall cycle:4",
    "pipelined gather path:3 --root 1", "pipelined allreduce path:3",
    "pipelined reduce leaf-spine:2,2,1 --root 0 --ordered",
    "synchronous broadcast path:3 --steps 2 --chunks 1", "synchronous allgather cycle:5 --steps 1",
    "synchronous allreduce path:3 --steps 2 --chunks 1",
)  # fmt: skip
FUNCTIONS = {
    name: function
    for module in pkgutil.iter_modules(kernel.__path__, f"{kernel.__name__}.")
    for name, function in vars(import_module(module.name)).items()
}
ROLES = [list(THEOREMS), *([x for row in THEOREMS.values() for x in row[at].split()] for at in (0, 1))]
NUMBERS: list[Any] = [None, 0, 1, 2, 3, 4, 9, "1/2", "7/2", "-1", "2/1"]
NODES: list[Any] = [[], [0], [1], [0, 1], [1, 1], [99]]
VALUES: dict[str, list[Any]] = {
    "task": sorted({task for row in THEOREMS.values() for task in row[3]}),
    "capacities": [[1], [1, 1, 1], [1, 2, 2], [2, 1, 1], [1, 1, 1, 1]],
    "messages": [[], [[0, 1]], [[0, 0], [0, 0]], [[0, 9]], [[0, 1], [0, 2], [0, 3]]],
    "sizes": [[], [1, 2, 0], [[0, 1], [1, 0]], 1],
    "rests_on": [[], [""], ["Theorem 7"], ["x\nVerified: 1"]],
    "how": ["", "It is well known."],
    "premises": [["P is NP."]],
}
for _keys, _values in (
    ("sources targets ranks switches", NODES),
    ("period ports steps chunks rounds nodes links lower_bound value", NUMBERS),
    ("impossible open worst two_way directed in_rounds ordered switches_copy edge_colouring", [True, False]),
):
    VALUES |= dict.fromkeys(_keys.split(), _values)
PARAMETERS = (
    "targets", "period", "edge_colouring", "ports", "weak_ports", "messages", "ranks", "sizes", "ordered",
    "switches_copy", "steps", "chunks",
)  # fmt: skip
NAMES = {**{name: name for name in PARAMETERS}, "rounds": "total_rounds", "capacities": "capacity_table"}
"""The options that keys of CLAIM stand for."""
MODELS = {
    "path_calls": "line", "packets": "linear-cost", "messages": "fat-tree", "operands": "fat-tree",
    "routes": "routing", "steps": "synchronous", "trees": "pipelined", "flows": "pipelined",
}  # fmt: skip
_SOLVED: dict[str, Any] = {}


def with_another_claim(claim: Claim, rng: Random) -> None:
    """Leave out a key of a claim, or give another value to one, or one more."""
    key = rng.choice([*claim, *VALUES])
    if key in claim and rng.random() < 0.2:
        del claim[key]
    else:
        claim[key] = rng.choice(VALUES.get(key, [json.loads(text) for text in ODD]))


def with_another_file(files: dict[str, bytes], rng: Random) -> None:
    """Alter the schedule, the evidence or a link."""
    name = rng.choice([name for name in files if name.endswith((".json", ".edges"))])
    if name.endswith(".json"):
        files[name] = json.dumps(altered(json.loads(files[name]), rng)).encode()
        return
    lines = files[name].decode().splitlines()
    u, v = (rng.choice(lines).split() * 2)[:2]
    kept = rng.choice([lines, [line for line in lines if line.split()[:2] != [u, v]]])
    more = rng.choice([f"{u} {v} 2", f"{v} {u}", f"{u} {rng.randrange(6)}", "5", f"{u} {v} 1 1", ""])
    files[name] = "\n".join([*kept, more]).encode()


def fit(claim: Claim, files: dict[str, bytes], functions: list[Any], rng: Random) -> None:
    """Make the words of the proof, the numbers and the hashes fit, as far as the functions go."""
    texts = {name: content.decode() for name, content in files.items()}
    with suppress(Exception):
        told = {**claim, "evidence": json.loads(texts.get("evidence.json", "{}"))}
        claim["how"] = said(functions[2])[0]
        network = read_network(told, texts["network.edges"])
        claim["links"] = len(network.edges)
        if rng.random() < 0.7 and claim["value"] is not None:
            value = Fraction(shown(told, network, json.loads(texts["schedule.json"]), functions[1]))
            claim["value"] = int(value) if value.denominator == 1 else str(value)
        if rng.random() < 0.7 and functions[2] is not None and claim.get("ports") != 0:
            bound = Fraction(min(functions[2](told, network, texts), 10**6))
            claim["lower_bound"] = int(bound) if bound.denominator == 1 else str(bound)
    if isinstance(claim.get("sha256"), dict):
        claim["sha256"] = {name: sha256(files[name]).hexdigest() for name in claim["sha256"]}


def problem_in_words(claim: Claim, words: str, edges: str) -> Problem:
    """The problem that a claim is about; raises InputError where there is none."""
    read, task = read_network(claim, edges), claim["task"]
    usual = "telephone" if claim.get("two_way") else "telegraph"
    model = MODELS.get(words.removesuffix("_in_words"), usual)
    widths = tuple(read.bandwidth[link] for link in read.edges) if THEOREMS[words][2].get("switches?") else ()
    network = Network(read.n, tuple(read.edges), read.directed, bandwidths=widths, switches=read.switches)
    options = {NAMES[key]: value for key, value in claim.items() if key in NAMES and value is not False}
    if "sources" in claim:
        name = "root" if task in ("accumulation", "gather", "reduce", "product") else "source"
        chosen = "max" if claim.get("worst") else "min" if claim.get("open") else None
        options[name] = chosen or (claim["sources"] if len(claim["sources"]) > 1 else claim["sources"][0])
    if "ports" in claim:
        options["ports"] = claim["ports"] or "all"
    if "in_rounds" in claim:
        options["timing"] = "rounds" if claim["in_rounds"] else "clock"
    return build_problem(model, task, network, options)


def falsehood(claim: Claim, words: str, edges: str) -> str:
    """What is false in a theorem, "" for nothing."""
    try:
        problem = problem_in_words(claim, words, edges)
    except InputError as error:
        # Of what cannot be done at all it may say that it takes long.
        return "" if claim["value"] is None else f"there is no such problem: {error}"
    key = repr((problem, problem.network.edges, problem.network.bandwidths))
    if key not in _SOLVED:
        result = solve(problem, Options(time_limit=10))
        _SOLVED[key] = result.lower_bound or 0, None if result.status == "infeasible" else result.value
    least, most = _SOLVED[key]
    low = claim["value"] is not None and Fraction(claim["value"]) < least
    high = claim.get("impossible") or Fraction(claim["lower_bound"] or 0) > (most or 0)
    return f"at least {least} and at most {most}" if low or (most is not None and high) else ""


def try_bundle(random: Random) -> tuple[str, str]:
    """Forge a bundle in one to three places: what came of it, and a finding, "" for none."""
    line = random.choice(LINES)
    files = dict(bundle(line))
    names = program(files)
    claim = json.loads(json.dumps(names["CLAIM"]))
    functions: list[Any] = [None if one is None else FUNCTIONS[one.__name__] for one in names["FUNCTIONS"]]
    for _ in range(random.choice((1, 1, 2, 3))):
        kind, role = random.random(), random.randrange(3)
        if kind < 0.5:
            with_another_claim(claim, random)
        elif kind < 0.7:
            functions[role] = FUNCTIONS[random.choice(ROLES[role])]
        else:
            with_another_file(files, random)
    if random.random() < 0.9:
        fit(claim, files, functions, random)
    try:
        files["claim.md"] = claim_text(claim, functions[0]).encode()
        judge(claim, files, *functions)
    except Exception:  # whatever ends the program with 1
        return "refused", ""
    edges = files["network.edges"].decode()
    wrong = "" if claim["rests_on"] else falsehood(claim, functions[0].__name__, edges)
    told = f"{line}: {files['claim.md'].decode()} {claim} {functions} {edges}: {wrong}"
    return ("false", told) if wrong else ("verified", "")
