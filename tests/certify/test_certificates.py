"""Certificates: what is saved verifies, and nothing that was tampered with does."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable, Iterator
from functools import cache
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import pytest

from schedsolve.certify.check import check_data, check_file
from schedsolve.modelkit.evidence import lower_claims
from schedsolve.modelkit.formulas.proof import pack_proof, unpack_proof
from schedsolve.modelkit.problem import Problem, problem_id
from schedsolve.modelkit.result import result_to_json
from schedsolve.modelkit.search import Certify, Options
from schedsolve.models import build_problem
from schedsolve.models.matching.claims import EVIDENCE
from schedsolve.models.matching.claims.formula import refutation_formula
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import ClaimError, InputError
from schedsolve.solving.solve import solve
from tests.certify.test_plain_formulas import satisfiable
from tests.forgeries.verdicts import bound_file

CLAIMS = lower_claims(EVIDENCE)

Data = dict[str, Any]

CASES = {
    "distance": ("telephone", "gossip", "grid:4x4", {}),
    "degree-growth": ("telegraph", "broadcast", "cycle:7", {"source": 2}),
    "odd-order": ("telephone", "gossip", "complete:7", {}),
    "tree-broadcast": ("telegraph", "accumulation", "tree:3,2", {"root": 0}),
    "tree-gossip": ("telephone", "gossip", "path:5", {}),
    "cycle-gossip": ("telegraph", "gossip", "cycle:8", {}),
    "covering": ("telephone", "broadcast", "ccc:4", {}),
    "knowledge-sizes": ("telegraph", "gossip", "complete:8", {}),
    "prices-between": ("telegraph", "gossip", "harary:3,16", {}),
    "refutation": ("telegraph", "gossip", "complete:6", {}),
}


@cache
def _saved(model: str, task: str, network: str, options: str, seconds: float | None, certify: Certify) -> str:
    problem = build_problem(model, task, Network.from_spec(network), json.loads(options))
    return json.dumps(result_to_json(solve(problem, Options(certify=certify, time_limit=seconds))))


def saved(
    model: str,
    task: str,
    network: str,
    options: dict[str, Any] | None = None,
    seconds: float | None = None,
    certify: Certify = "refutation",
) -> Data:
    """A certified result as it is read from its file; seconds: the time limit."""
    data: Data = json.loads(_saved(model, task, network, json.dumps(options or {}), seconds, certify))
    return data


def verdict(data: Data) -> str:
    """ "ok" when the check confirms everything, else the first failure, or the message of a refused file."""
    try:
        report = check_data(data)
    except InputError as error:
        return f"refused: {error}"
    failures = [line for line in report.lines if line.startswith("FAILED")]
    return (
        failures[0]
        if report.failed
        else "ok"
        if all(line.startswith("ok") for line in report.lines)
        else "not certified"
    )


def evidence(data: Data, kind: str) -> Data:
    """The evidence of a kind in a certificate."""
    found: Data = next(b["evidence"] for b in data["certificate"]["lower"] if b["evidence"]["kind"] == kind)
    return found


@pytest.mark.parametrize("kind", CASES)
def test_every_kind_of_evidence_is_saved_and_verified(kind: str) -> None:
    """Each kind of evidence occurs in a certificate, and the whole file is confirmed."""
    # Prices prove at once what takes long to meet: the result is stopped before.
    stopped = kind == "prices-between"
    certify: Certify = "refutation" if kind == "refutation" else True
    data = saved(*CASES[kind], seconds=0.3 if stopped else None, certify=certify)
    assert evidence(data, kind)
    assert data["status"] == ("bounded" if stopped else "optimal")
    assert verdict(data) == "ok"


def test_the_cases_cover_all_kinds() -> None:
    """No kind of evidence is left untested; that for larger networks, and one that only files of earlier
    versions hold, have tests of their own.
    """
    assert {*CASES, "informed-sets", "golden-ratio"} == {*CLAIMS, "refutation"}


@pytest.mark.parametrize(
    ("model", "task", "network", "value"),
    [
        ("telephone", "gossip", "complete:7", 4),
        ("telegraph", "gossip", "cycle:12", 10),
        ("telephone", "gossip", "petersen", 4),
        ("telephone", "broadcast", "ccc:4", 9),
        ("telegraph", "gossip", "complete:6", 5),
        ("telephone", "gossip", "grid:4x4", 6),
    ],
)
def test_a_refutation_is_replayed(model: str, task: str, network: str, value: int, tmp_path: Path) -> None:
    """The optimum's file holds a refutation of one round less, asked for even where a theorem proves the
    bound too, and checking the file replays it.
    """
    file = tmp_path / "result.json"
    file.write_text(json.dumps(saved(model, task, network)))
    lines = check_file(str(file)).lines
    assert lines[1].startswith(f"ok       schedule: replayed, {value} rounds")
    assert any(
        line.startswith(f"ok       lower bound {value}: refutation of {value - 1} rounds replayed")
        for line in lines
    )


@pytest.mark.parametrize(
    ("task", "options"),
    [
        ("broadcast", {"source": "min"}),
        ("broadcast", {"source": "max"}),
        ("accumulation", {"root": "max"}),
        ("multicast", {"source": 0, "targets": [5, 8]}),
        ("gossip", {"rounds": 3}),
        ("gossip", {"rounds": 4}),
    ],
)
def test_other_questions_are_certified(task: str, options: Data) -> None:
    """The best and the worst source, a multicast, and decisions are certified like optima."""
    assert verdict(saved("telephone", task, "grid:3x3", options)) == "ok"


def change(path: str, value: Any) -> Callable[[Data], None]:
    """A mutation that sets the entry at a dotted path."""

    def apply(data: Data) -> None:
        *parents, last = path.split(".")
        for key in parents:
            data = data[int(key)] if isinstance(data, list) else data[key]
        data[last] = value

    return apply


def rehashed(alter: Callable[[list[str]], list[str]]) -> Callable[[Data], None]:
    """A mutation of the proof's lines that records the right hash of the altered proof."""

    def apply(data: Data) -> None:
        proof = evidence(data, "refutation")
        proof.update(pack_proof(alter(unpack_proof(proof))))

    return apply


def forget_call(data: Data) -> None:
    """Remove a call of the last round."""
    data["schedule"]["rounds"][-1].pop()


def other_problem(**parts: Any) -> Callable[[Data], None]:
    """Another problem, under its own id."""

    def apply(data: Data) -> None:
        data["problem"].update(parts)
        del data["problem"]["links"]
        problem = Problem(
            data["problem"]["model"],
            data["problem"]["task"],
            Network.from_spec(data["problem"]["network"]),
            data["problem"]["parameters"],
        )
        data["certificate"]["problem_id"] = problem_id(problem)

    return apply


MUTATIONS = {
    "value": (change("value", 6), "claims a value of 6"),
    "both values up": (lambda d: d.update(value=6, lower_bound=6), "claims a value of 6"),
    "both values down": (lambda d: d.update(value=4, lower_bound=4), "claims a value of 4"),
    "lower bound up": (change("lower_bound", 6), "above the value"),
    "lower bound down": (change("lower_bound", 4), "claims to be optimal"),
    "status": (change("status", "infeasible"), "infeasible"),
    "call forgotten": (forget_call, "after the last round"),
    "round doubled": (lambda d: d["schedule"]["rounds"].append([]), "the schedule takes 6"),
    "hash": (lambda d: evidence(d, "refutation").update(sha256="0" * 64), "hash"),
    "proof damaged": (lambda d: evidence(d, "refutation").update(proof="AAAA"), "damaged"),
    "proof cut off": (
        lambda d: evidence(d, "refutation").update(proof=evidence(d, "refutation")["proof"][:400]),
        "damaged",
    ),
    "proof missing": (lambda d: evidence(d, "refutation").pop("proof"), "comes with a proof"),
    "proof emptied": (rehashed(lambda lines: []), "without a contradiction"),
    "proof halved": (rehashed(lambda lines: lines[: len(lines) // 2]), "without a contradiction"),
    "lemmas dropped": (
        rehashed(lambda lines: [line for i, line in enumerate(lines) if i % 3 or line.startswith("d")]),
        "does not follow",
    ),
    "lemma invented": (rehashed(lambda lines: ["1 0", *lines]), "does not follow"),
    "contradiction claimed": (rehashed(lambda lines: ["0"]), "does not follow"),
    "lemma about a new variable": (
        rehashed(lambda lines: ["999999 0", *lines]),
        "not a clause over the formula's variables",
    ),
    "no clause": (rehashed(lambda lines: ["one two 0", *lines]), "not a clause"),
    "rounds of the refutation": (lambda d: evidence(d, "refutation").update(rounds=5), "lower bound 5:"),
    "symmetry broken": (
        lambda d: evidence(d, "refutation").update(symmetries=[[1, 2, 3, 4, 5, 5]]),
        "no automorphism",
    ),
    "kind": (lambda d: evidence(d, "refutation").update(kind="miracle"), "no evidence of the kind"),
    "wrong theorem": (lambda d: evidence(d, "refutation").update(kind="tree-gossip"), "premises"),
    "problem id": (change("certificate.problem_id", "0" * 64), "another problem"),
    "larger network": (other_problem(network="complete:7"), "after the last round"),
    "other network": (other_problem(network="cycle:6"), "there is no edge"),
    "other mode": (other_problem(model="telephone"), "one-way"),
    "certificate gone": (change("certificate", None), "not certified"),
    "certificate emptied": (change("certificate.lower", []), "the certificate does not prove it"),
}


@pytest.mark.parametrize("name", MUTATIONS)
def test_tampering_is_found(name: str) -> None:
    """Every mutation of a certified result makes the check fail, or say that the lower bound is not
    certified, for the right reason.
    """
    mutate, reason = MUTATIONS[name]
    data = saved(*CASES["refutation"])
    assert verdict(data) == "ok"
    mutate(data)
    assert reason in verdict(data)


def test_a_proof_from_another_problem_fails() -> None:
    """A refutation made for another network proves nothing, even under the right problem id."""
    data, other = saved("telephone", "gossip", "complete:7"), saved("telephone", "gossip", "petersen")
    proof = evidence(other, "refutation")
    evidence(data, "refutation").update(proof=proof["proof"], sha256=proof["sha256"])
    assert "does not follow" in verdict(data) or "not a clause over" in verdict(data)


def test_a_bound_for_another_node_proves_nothing() -> None:
    """The end of a path needs four rounds, its middle three."""
    problem = build_problem("telephone", "broadcast", Network.from_spec("path:5"), {"source": 2})
    data = bound_file(problem, {"kind": "distance"}, 4)
    data["certificate"]["lower"][0]["node"] = 0
    assert check_data(data).failed
    data["problem"]["parameters"]["source"] = "max"
    data["certificate"]["problem_id"] = problem_id(problem.with_parameters(source="max"))
    assert check_data(data).complete


def test_what_a_bound_does_not_prove() -> None:
    """More than its evidence does; that as many rounds as it says are too few; anything without evidence."""
    problem = build_problem("telephone", "broadcast", Network.from_spec("path:5"), {"source": 0})
    evidence = {"kind": "distance"}
    assert check_data(bound_file(problem, evidence, 4)).complete
    assert check_data(bound_file(problem, evidence, 5)).failed
    for rounds, infeasible in ((3, True), (4, False)):
        data = bound_file(problem.with_parameters(rounds=rounds), evidence, 4)
        data |= {"status": "infeasible", "lower_bound": None}
        assert check_data(data).complete is infeasible
    bare = check_data({**bound_file(problem, evidence, 4), "certificate": None})
    assert "lower bound 4: not certified, the file holds nothing that proves it" in bare.text


def test_no_symmetry_without_a_round() -> None:
    """A refutation of 0 rounds may use no symmetry: it would speak of calls that do not exist."""
    problem = build_problem(
        "telegraph", "multicast", Network.from_spec("path:3"), {"source": 1, "targets": 1}
    )
    assert satisfiable(refutation_formula(problem, {"rounds": 0})[1])
    with pytest.raises(ClaimError, match="no first round"):
        refutation_formula(problem, {"rounds": 0, "symmetries": [[2, 1, 0]]})


def test_an_optimal_schedule_does_not_end_idle() -> None:
    """An uncertified claim of optimality is refused when the last round is empty."""
    data = saved("telephone", "gossip", "complete:7")
    data["schedule"]["rounds"].append([])
    data.update(value=5, lower_bound=5, certificate=None)
    data["bounds"] = [{"side": side, "value": 5, "reason": "because"} for side in ("lower", "upper")]
    assert "last round is empty" in verdict(data)


def test_symmetries_must_keep_the_source() -> None:
    """A proof may use only automorphisms that keep the sources."""
    data = saved("telephone", "broadcast", "cycle:6", {"source": 0})
    evidence(data, "refutation")["symmetries"] = [[1, 2, 3, 4, 5, 0]]
    assert "moves a source or a target away" in verdict(data)


@pytest.mark.parametrize("weights", [[0] * 64, [1] * 63, [-1] * 64, ["1"] * 64, None, [1.0] * 64])
def test_covering_weights_are_computed_anew(weights: Any) -> None:
    """Weights that prove nothing, or are none, are refused."""
    data = saved(*CASES["covering"], certify=True)
    evidence(data, "covering")["weights"] = weights
    assert verdict(data).startswith("FAILED   lower bound 9:")


def test_more_rounds_than_a_covering_proves() -> None:
    """A covering proves its number of rounds, not more."""
    data = saved(*CASES["covering"], certify=True)
    evidence(data, "covering")["rounds"] += 1
    assert verdict(data).startswith("FAILED   lower bound 9:")


@pytest.mark.parametrize(
    "garbage", [None, 3, [], "x", {"format": "schedsolve-result/1"}, {"format": "schedsolve-result/2"}]
)
def test_garbage_is_refused(garbage: Any) -> None:
    """What is no schedsolve file is refused, not crashed on."""
    with pytest.raises(InputError):
        check_data(garbage)


@pytest.mark.parametrize("kinds", [2, pytest.param(5, marks=pytest.mark.slow)])
def test_broken_entries_never_crash(kinds: int) -> None:
    """Any entry of a certified result, replaced by something of another type, is refused, fails or is said to
    be unverified. kinds: of how many other types, in turn.
    """
    original = saved("telephone", "gossip", "complete:5")

    def paths(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else []
        return [p for key, value in items for p in ((*path, key), *paths(value, (*path, key)))]

    harmless = {"runtime_seconds", "reason", "bounds", "objective", "parameters"}
    junks: Iterator[Any] = cycle((None, 7, "junk", [[]], {}))
    tried = [(path, junk) for path in paths(original)[:400] for junk in islice(junks, kinds)]
    unbroken = pickle.dumps(original)
    for path, junk in tried:
        data = pickle.loads(unbroken)
        place = data
        for key in path[:-1]:
            place = place[key]
        if place[path[-1]] == junk:
            continue
        place[path[-1]] = junk
        assert verdict(data) != "ok" or harmless & {str(key) for key in path}, (path, junk)
