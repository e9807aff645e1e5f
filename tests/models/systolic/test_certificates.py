"""Systolic results through the command line: what is saved checks, nothing tampered with does, and bad input
gets one line.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from schedsolve.modelkit.formulas.proof import pack_proof, unpack_proof
from schedsolve.modelkit.problem import problem_id
from schedsolve.models import read_problem
from schedsolve.models.systolic.claims.lower_bounds import LOWER_BOUNDS
from tests.command_line import Cli, checked
from tests.models.systolic.saved_results import CASES, Mutation, change, loaded, repeated_round

Json = Any

STATUSES = {"infeasible": "infeasible", "below": "infeasible", "enough": "feasible"}


def refutations(data: Json) -> list[Json]:
    """All refutations in a file, those of shorter periods included."""
    certificate = data["certificate"]
    bounds = [
        *certificate["lower"],
        *(bound for entry in certificate.get("shorter_periods", []) for bound in entry["lower"]),
    ]
    return [bound["evidence"] for bound in bounds if bound["evidence"]["kind"] == "refutation"]


def kinds(data: Json) -> set[str]:
    """The kinds of evidence in a file."""
    entries = (
        [data["certificate"], *data["certificate"].get("shorter_periods", [])] if data["certificate"] else []
    )
    return {bound["evidence"]["kind"] for entry in entries for bound in entry["lower"]}


@pytest.mark.parametrize("name", CASES)
def test_what_is_saved_is_verified(cli: Cli, files: Path, name: str) -> None:
    """`check` confirms every line of every saved result, with exit status 0: optima, decisions, infeasible
    ones, least periods.
    """
    status = next((STATUSES[word] for word in STATUSES if name.startswith(word)), "optimal")
    assert loaded(files, name)["status"] == status
    seen = cli(f"check {shlex.quote(str(files / f'{name}.json'))}")
    assert (seen.status, seen.err) == (0, "")
    lines = seen.out.splitlines()[1:-1]
    assert all(line.startswith("ok       ") for line in lines), seen.out
    assert any(line.startswith("ok       schedule: replayed, ") for line in lines) == (status != "infeasible")


def test_the_cases_cover_the_evidence(files: Path) -> None:
    """Refutations and all the bounds that only systolic schedules have occur in the saved certificates."""
    systolic = {bound.name for bound in LOWER_BOUNDS if not bound.reason.startswith("without a period: ")}
    assert len(systolic) == 5
    found = set().union(*(kinds(loaded(files, name)) for name in CASES))
    assert found >= systolic | {"refutation"}


def test_a_least_period_has_a_proof_for_each_shorter_one(cli: Cli, files: Path) -> None:
    """The file says which period it is, the schedule has it, and a line of the check names every shorter
    one.
    """
    for name, value, period in (
        ("least period", 7, 5),
        ("least period of a graph", 5, 4),
        ("least period 1", 1, 1),
    ):
        data = loaded(files, name)
        assert data["problem"]["parameters"]["period"] == "min"
        shorter = [entry["period"] for entry in data["certificate"].get("shorter_periods", [])]
        assert (data["value"], data["period"], data["schedule"]["period"], shorter) == (
            value,
            period,
            period,
            list(range(1, period)),
        )
        out = checked(cli, data).out
        assert all(f"ok       period {p}: lower bound " in out for p in range(1, period))


def other_problem(**parts: Json) -> Mutation:
    """Another problem, under its own id."""

    def apply(data: Json) -> None:
        data["problem"].update(parts)
        if "network" in parts:
            del data["problem"]["links"]
        data["certificate"]["problem_id"] = problem_id(read_problem(data["problem"]))

    return apply


def rehashed(alter: Callable[[list[str]], list[str]]) -> Mutation:
    """A mutation of the lemmas of every proof, each with the hash of the altered proof."""

    def apply(data: Json) -> None:
        for evidence in refutations(data):
            evidence.update(pack_proof(alter(unpack_proof(evidence))))

    return apply


def several(*mutations: Mutation) -> Mutation:
    """Some mutations one after another."""
    return lambda data: [mutate(data) for mutate in mutations]


def refutation(**parts: Json) -> Mutation:
    """Other parts of the first refutation."""
    return lambda data: refutations(data)[0].update(**parts)


def values(value: int) -> Mutation:
    """Another value on both sides, in the list of bounds too."""

    def apply(data: Json) -> None:
        data.update(value=value, lower_bound=value)
        data["bounds"] += [{"side": side, "value": value, "reason": "because"} for side in ("lower", "upper")]

    return apply


THIRD, FOURTH = (f"certificate.shorter_periods.{place}" for place in (2, 3))
MUTATIONS: dict[str, dict[str, tuple[Mutation, str]]] = {
    "gossip": {
        "value up": (change("value", 8), "claims a value of 8"),
        "value down": (change("value", 6), "above the value"),
        "lower bound up": (change("lower_bound", 8), "above the value"),
        "lower bound down": (change("lower_bound", 6), "claims to be optimal"),
        "both down": (values(6), "claims a value of 6"),
        "lemma added": (rehashed(lambda lines: ["1 0", *lines]), "does not follow"),
        "lemmas dropped": (rehashed(lambda lines: lines[len(lines) // 2 :]), "lower bound 7: "),
        "proof emptied": (rehashed(lambda _: []), "without a contradiction"),
        "lemma text without its hash": (refutation(**{**pack_proof(["0"]), "sha256": "0" * 64}), "hash"),
        "rounds of the refutation": (refutation(rounds=7), "lower bound 7: "),
        "refutation at the horizon": (refutation(rounds=15), "lower bound 7: "),
        "refutation beyond the horizon": (refutation(rounds=16), "at most p (n - 1) rounds"),
        "theorem on paths": (refutation(kind="path-gossip"), "premises"),
        "call moved": (repeated_round, "schedule: round"),
        "other period": (other_problem(parameters={"period": 4}), "schedule: "),
        "schedule too": (
            several(other_problem(parameters={"period": 2}), change("schedule.period", 2)),
            "the two rounds are the same",
        ),
        "other period, old id": (change("problem.parameters.period", 4), "another problem"),
        "period of the schedule": (change("schedule.period", 2), "schedule: "),
        "other mode": (other_problem(model="telephone"), "one-way"),
    },
    "tree": {
        "edge colouring": (
            other_problem(parameters={"period": 6, "edge_colouring": True}),
            "uses every edge at most once",
        )
    },
    "infeasible": {
        "optimal": (change("status", "optimal"), "has no schedule"),
        "a value": (change("value", 5), "FAILED"),
        "a lower bound": (change("lower_bound", 5), "neither value nor lower bound"),
        "period with which it is feasible": (other_problem(parameters={"period": 4}), "lower bound 13: "),
        "network on which it is feasible": (other_problem(network="path:5"), "lower bound 13: "),
        "bound down": (change("certificate.lower.0.value", 12), "lower bound 12: "),
        "lemma added": (rehashed(lambda lines: ["1 0", *lines]), "does not follow"),
        "refutation below the horizon": (refutation(rounds=11), "lower bound 13: "),
        "theorem": (change("certificate.lower.0.evidence.kind", "path-gossip"), "premises"),
        "no proof left": (change("certificate.lower", []), "does not prove it"),
    },
    "least period": {
        "value": (change("value", 8), "claims a value of 8"),
        "lower bound": (change("lower_bound", 6), "claims to be optimal"),
        "both down": (values(6), "claims a value of 6"),
        "period said": (change("period", 4), "the least period is 4, but its schedule has 5"),
        "period of the schedule": (change("schedule.period", 4), "the two rounds are the same"),
        "period 6": (
            several(change("period", 6), change("schedule.period", 6)),
            "the two rounds are the same",
        ),
        "lemma added": (rehashed(lambda lines: ["1 0", *lines]), "period 4: lower bound 8: "),
        "value of a shorter period": (change(f"{FOURTH}.lower.0.value", 9), "period 4: lower bound 9: "),
        "too low a value of a shorter period": (
            change(f"{FOURTH}.lower.0.value", 7),
            "period 4: lower bound 7: ",
        ),
        "proof for other rounds": (
            change(f"{FOURTH}.lower.1.evidence.rounds", 6),
            "period 4: lower bound 8: ",
        ),
        "periods exchanged": (
            several(change(f"{FOURTH}.period", 3), change(f"{THIRD}.period", 4)),
            "period 3: lower bound 8: ",
        ),
        "a given period instead": (other_problem(parameters={"period": 4}), "schedule: "),
        "other network": (other_problem(network="path:7"), "there is no edge"),
        "infeasible": (
            lambda d: d.update(status="infeasible", value=None, lower_bound=None, schedule=None),
            "infeasible",
        ),
    },
}
TAMPERED = [(name, what) for name, mutations in MUTATIONS.items() for what in mutations]


@pytest.mark.parametrize(("name", "what"), TAMPERED)
def test_tampering_is_found(cli: Cli, files: Path, name: str, what: str) -> None:
    """Every mutation makes the check fail with exit status 1, for the right reason."""
    mutate, reason = MUTATIONS[name][what]
    data = loaded(files, name)
    mutate(data)
    seen = checked(cli, data)
    assert (seen.status, seen.err) == (1, ""), seen
    assert any(
        line.startswith("FAILED") and (reason in line or reason == "FAILED") for line in seen.out.splitlines()
    ), seen.out


@pytest.mark.parametrize("period", [1, 2, 3, 4])
def test_a_missing_proof_for_a_shorter_period(cli: Cli, files: Path, period: int) -> None:
    """Without the entry of a shorter period, or with an empty one, the check is not sure of it, and of
    nothing else; exit status 0.
    """
    for empty in (False, True):
        data = loaded(files, "least period")
        entries = data["certificate"]["shorter_periods"]
        if empty:
            entries[period - 1]["lower"] = []
        else:
            del entries[period - 1]
        seen = checked(cli, data)
        doubts = [line for line in seen.out.splitlines()[1:-1] if not line.startswith("ok  ")]
        assert seen.status == 0
        assert len(doubts) == 1
        assert doubts[0].startswith(f"not sure period {period}: not certified")


@pytest.mark.parametrize("name", ["gossip", "infeasible", "least period"])
def test_without_a_certificate(cli: Cli, files: Path, name: str) -> None:
    """A file without a certificate is replayed, and the check is not sure of the rest; exit status 0."""
    data = loaded(files, name)
    data["certificate"] = None
    seen = checked(cli, data)
    assert (seen.status, "FAILED" in seen.out, "not sure lower bound" in seen.out) == (0, False, True)
    assert seen.out.count("not sure period") == (4 if name == "least period" else 0)


@pytest.mark.parametrize(
    ("name", "doubts"),
    [("gossip", 1), ("infeasible", 0), ("least period", 0), ("least period of a graph", 2)],
)
def test_solved_without_refutations(cli: Cli, name: str, doubts: int) -> None:
    """With --no-certify what a theorem proves is verified all the same, the check is not sure of what a
    search refuted.
    """
    assert cli(f"solve {CASES[name]} --no-certify --output plain.json --quiet").status == 0
    seen = cli("check plain.json")
    assert (seen.status, "FAILED" in seen.out, seen.out.count("not sure")) == (0, False, doubts)
