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
from schedsolve.kernel.network import read_network
from schedsolve.kernel.theorems import THEOREMS
from schedsolve.kernel.verdict import claim_text, judge, said, shown
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.search import Options
from schedsolve.models import build_problem
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError
from schedsolve.solving.solve import solve
from tests.export.bundles import OTHERS, WORST, bundle, program
from tests.soak.referees import ODD, altered

DIRECTED = ("telegraph broadcast kautz:2,1 --source 0", "line accumulation kautz:2,1 --root 0")
LINES = (*(line for line in OTHERS if "ccc" not in line), *WORST, *DIRECTED)
FUNCTIONS = {
    name: function
    for module in pkgutil.iter_modules(kernel.__path__, f"{kernel.__name__}.")
    for name, function in vars(import_module(module.name)).items()
}
ROLES = [list(THEOREMS), *([x for row in THEOREMS.values() for x in row[at].split()] for at in (0, 1))]
TASKS = sorted({task for row in THEOREMS.values() for task in row[3]})
KEYS = sorted(
    {key.rstrip("?") for row in THEOREMS.values() for keys in (row[2], *row[3].values()) for key in keys}
)
VALUES = [
    *json.loads(ODD), 3, 4, 5, 9, None, True, False, "7/2", "-1", "2/1", [""], ["Theorem 7"], ["x\n1"],
    [1], [1, 1], [99], [1, 1, 1], [1, 2, 2], [2, 1, 1], [[0, 0], [0, 0]], [[0, 1], [1, 0]],
]  # fmt: skip
NAMES = {"rounds": "total_rounds", "capacities": "capacity_table"}
MODELS = {
    "path_calls": "line", "packets": "linear-cost", "messages": "fat-tree", "operands": "fat-tree",
    "routes": "routing", "steps": "synchronous", "trees": "pipelined", "flows": "pipelined",
}  # fmt: skip
_SOLVED: dict[str, Any] = {}


def alter(claim: dict[str, Any], files: dict[str, bytes], functions: list[Any], rng: Random) -> None:
    """Alter a key of the claim, a function, a link, the schedule or the evidence."""
    kind, role = rng.random(), rng.randrange(3)
    key = rng.choice([*claim, *KEYS, "impossible", "premises"])
    name = rng.choice([name for name in files if name.endswith((".json", ".edges"))])
    if kind < 0.1:
        claim.pop(key, None)
    elif kind < 0.5:
        claim[key] = rng.choice(TASKS if key == "task" else VALUES)
    elif kind < 0.7:
        functions[role] = FUNCTIONS[rng.choice(ROLES[role])]
    elif name.endswith(".json"):
        files[name] = json.dumps(altered(json.loads(files[name]), rng)).encode()
    else:
        lines = files[name].decode().splitlines()
        u, v = (rng.choice(lines).split() * 2)[:2]
        kept = rng.choice([lines, [line for line in lines if line.split()[:2] != [u, v]]])
        more = rng.choice([f"{u} {v} 2", f"{v} {u}", f"{u} {rng.randrange(6)}", "5", f"{u} {v} 1 1", ""])
        files[name] = "\n".join([*kept, more]).encode()


def fit(claim: dict[str, Any], files: dict[str, bytes], functions: list[Any], rng: Random) -> None:
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


def problem_in_words(claim: dict[str, Any], words: str, edges: str) -> Problem:
    """The problem that a claim is about; raises InputError where there is none."""
    read, task = read_network(claim, edges), claim["task"]
    usual = "telephone" if claim.get("two_way") else "telegraph"
    model = MODELS.get(words.removesuffix("_in_words"), usual)
    widths = tuple(read.bandwidth[link] for link in read.edges) if "switches?" in THEOREMS[words][2] else ()
    network = Network(read.n, tuple(read.edges), read.directed, bandwidths=widths, switches=read.switches)
    stated = set(KEYS) - {"two_way", "sources", "open", "worst", "in_rounds", "switches"}
    options = {
        NAMES.get(key, key): value for key, value in claim.items() if key in stated and value is not False
    }
    if "sources" in claim:
        name = "root" if task in ("accumulation", "gather", "reduce", "product") else "source"
        chosen = "max" if claim.get("worst") else "min" if claim.get("open") else None
        options[name] = chosen or (claim["sources"] if len(claim["sources"]) > 1 else claim["sources"][0])
    if "ports" in claim:
        options["ports"] = claim["ports"] or "all"
    if "in_rounds" in claim:
        options["timing"] = "rounds" if claim["in_rounds"] else "clock"
    return build_problem(model, task, network, options)


def falsehood(claim: dict[str, Any], words: str, edges: str) -> str:
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
    files, names = dict(bundle(line)), program(bundle(line))
    claim = json.loads(json.dumps(names["CLAIM"]))
    functions: list[Any] = [None if one is None else FUNCTIONS[one.__name__] for one in names["FUNCTIONS"]]
    for _ in range(random.choice((1, 1, 2, 3))):
        alter(claim, files, functions, random)
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
