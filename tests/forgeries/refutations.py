"""Forged refutations: proofs that prove nothing, and formulas without a model though the rounds suffice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations
from typing import Any

from schedsolve.modelkit.formulas.proof import pack_proof, unpack_proof
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.result import Value, value_from_json
from schedsolve.models import read_problem
from tests.evidence.catalogue import Entry, entries
from tests.evidence.recipes import MATCHING
from tests.evidence.truths import transplants
from tests.forgeries.alterations import altered
from tests.forgeries.verdicts import accepted, bound_file, has_model, next_value, refutable

Evidence = dict[str, Any]
EXACT = ("telegraph", "telephone", "telegraph --period", "telephone --period", "line", "routing")
"""Whose formulas have a model just where the rounds suffice."""
LARGEST = 9
"""Nodes up to which the formulas of other problems are looked at."""
PROOF = ("proof", "sha256", "cubes", "lemmas")


def forged(entry: Entry) -> Iterator[tuple[str, Callable[[], str]]]:
    """Their names, and what tells whether they get through."""
    data, evidence = entry.data, entry.bound["evidence"]
    problem, value = read_problem(data["problem"]), value_from_json(entry.bound["value"])
    assert value is not None
    least, said = value_from_json(data["value"]), {k: v for k, v in evidence.items() if k not in PROOF}
    if least is None:
        yield from _of_all_rounds(entry)
        return
    one_more = {**evidence, "rounds": evidence["rounds"] + 1}
    # A refutation without a period is one with a period; its form was tried.
    for name, proof in _proofs(entry) if entry.name not in MATCHING or "--" not in entry.title else ():
        yield name, partial(_accepted, bound_file(problem, {**one_more, **proof}, next_value(problem, value)))
    for changed in [*altered(said, 12), *_symmetric(problem, said)]:
        if changed.get("kind") == "refutation":
            more = {**changed, "rounds": said["rounds"] + 1}
            yield "another formula", partial(_too_high, problem, more, least)
    if entry.name.endswith(("symmetries", "cubes")):
        # That is no other formula.
        return
    said = {key: value for key, value in said.items() if key not in ("symmetries", "keeping")}
    small = [pair for pair in transplants(entry) if pair[0].network.node_count <= LARGEST]
    for number, (other, true) in enumerate(small):
        # Where the least number of rounds has a schedule, so has one more, and none has one less.
        for rounds in _around(other, true)[: 1 + number % 2]:
            yield "another problem", partial(_too_high, other, {**said, "rounds": rounds}, true)
        # The items of some pairs may arrive where not all do.
        exact = entry.title in EXACT and "pairs" not in said
        if exact and true >= 1 and number % 2 == 0:
            less = {**said, "rounds": int(true) - 1}
            yield "a round less", partial(_too_weak, other, less)


def _of_all_rounds(entry: Entry) -> Iterator[tuple[str, Callable[[], str]]]:
    """Where a refutation is about the rounds that the problem has, and any cost: of problems that can be
    solved in theirs.
    """
    for other, true in transplants(entry):
        rounds = other.parameters.get("total_rounds", 0)
        for said in {rounds - 1, rounds, rounds + 1, int(true)}:
            evidence = {"kind": "refutation", "rounds": said}
            yield "another problem", partial(_too_high, other, evidence, true)


def _around(problem: Problem, least: Value) -> list[int]:
    """The numbers of rounds that suffice, from the least."""
    rounds = least * problem.parameters.get("chunks", 1)
    return [int(rounds), int(rounds) + 1] if rounds == int(rounds) else []


def _proofs(entry: Entry) -> Iterator[tuple[str, Evidence]]:
    evidence = entry.bound["evidence"]
    if "cubes" in evidence:
        cubes = evidence["cubes"]
        yield "a cube left out", {"cubes": cubes[1:]}
        yield "the other cube left out", {"cubes": cubes[:-1]}
        yield "a cube twice", {"cubes": [cubes[0], cubes[0]]}
        yield "a cube that says nothing", {"cubes": [{**cubes[0], "cube": []}]}
        yield (
            "cubes exchanged",
            {
                "cubes": [
                    {**one, "cube": other["cube"]} for one, other in zip(cubes, cubes[::-1], strict=True)
                ]
            },
        )
        yield "a lemma before all", {"lemmas": [2]}
        yield "lemmas that say all", {"lemmas": [1, -1]}
        return
    lines = unpack_proof(evidence)
    yield "an empty proof", pack_proof([])
    yield "the contradiction at once", pack_proof(["0"])
    yield "the last lemmas left out", pack_proof(lines[: len(lines) // 2])
    yield "the first lemmas left out", pack_proof([*lines[len(lines) // 2 + 1 :], "0"])
    yield "a unit that does not follow", pack_proof(["1 0", *lines])
    yield "its negation", pack_proof(["-1 0", "1 0", "0"])
    yield "a variable that is not", pack_proof(["1000000 0", "-1000000 0", "0"])
    yield "no clause", pack_proof(["1", "-1", "0 0"])
    yield "the hash of another text", {"sha256": "0" * 64}
    for other in entries():
        theirs = other.bound["evidence"]
        if other.title == entry.title and other != entry and "proof" in theirs:
            yield f"the proof of {other.name}", {key: theirs[key] for key in ("proof", "sha256")}


def _symmetric(problem: Problem, said: Evidence) -> Iterator[Evidence]:
    """With renumberings that exchange two nodes, or turn all, whether they keep anything or not."""
    if "symmetries" not in said:
        return
    n = problem.network.node_count
    swaps = [[v if x == u else u if x == v else x for x in range(n)] for u, v in combinations(range(n), 2)]
    turned = [[(v + 1) % n for v in range(n)], [n - 1 - v for v in range(n)], [0] * n, list(range(n - 1))]
    for image in [*swaps[:: max(1, len(swaps) // 6)], *turned]:
        yield {**said, "symmetries": [image]}


def _too_weak(problem: Problem, evidence: Evidence) -> str:
    if problem.choice == "max" or not has_model(problem, evidence):
        return ""
    return f"its formula has a model, though {evidence['rounds']} rounds do not suffice"


def _accepted(data: Any) -> str:
    return "accepted" if accepted(data) else ""


def _too_high(problem: Problem, evidence: Evidence, least: Value) -> str:
    if problem.choice == "max":
        return ""
    value = refutable(problem, evidence)
    return f"refutes what takes {least}, up to {value}" if value is not None and value > least else ""
