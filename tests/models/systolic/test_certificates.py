"""Systolic results through the command line: what is saved checks, nothing tampered with does, and bad input
gets one line.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from schedsolve.cli import main
from schedsolve.formulas.proof import pack_proof, unpack_proof
from schedsolve.models import read_problem
from schedsolve.models.systolic.claims.lower_bounds import LOWER_BOUNDS
from schedsolve.problem import problem_id
from tests.command_line import Cli, Run

Json = Any
Mutation = Callable[[Json], object]

CASES = {
    "gossip": "telegraph gossip grid:2x3 --period 3",
    "path": "telephone gossip path:6 --period 3",
    "tree": "telegraph gossip tree:2,2 --period 6",
    "complete tree": "telephone gossip tree:3,2 --period 8",
    "collisions": "telegraph gossip path:9 --period 5",
    "colouring": "telephone gossip grid:2x3 --period 2 --edge-colouring",
    "broadcast": "telegraph broadcast grid:3x3 --period 2",
    "best source": "telephone broadcast tree:2,2 --source min --period 3",
    "worst source": "telegraph broadcast grid:3x3 --source max --period 2",
    "accumulation": "telegraph accumulation grid:3x3 --root 4 --period 2",
    "multicast": "telephone multicast grid:3x3 --source 0,2 --targets 7,8 --period 2",
    "long period": "telephone gossip complete:5 --period 100",
    "infeasible": "telephone gossip star:5 --period 3",
    "infeasible path": "telegraph gossip path:5 --period 3",
    "infeasible, refuted": "telephone gossip petersen --period 1",
    "infeasible broadcast": "telephone broadcast tree:3,2 --period 3",
    "infeasible best": "telephone broadcast cycle:5 --source min --period 1",
    "infeasible worst": "telephone broadcast path:3 --source max --period 1",
    "below": "telegraph gossip path:7 --period 6 --rounds 9",
    "enough": "telegraph gossip path:7 --period 6 --rounds 10",
    "least period": "telephone gossip tree:2,2 --period min",
    "least period of a graph": "telegraph gossip grid:2x3 --period min",
    "least period, best root": "telegraph accumulation cycle:5 --root min --period min",
    "least period 1": "telephone gossip path:2 --period min",
    "no round": "telegraph gossip path:1 --period min",
}
STATUSES = {"infeasible": "infeasible", "below": "infeasible", "enough": "feasible"}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which the results of CASES are saved, by `solve --output`; to be read only."""
    folder = tmp_path_factory.mktemp("saved")
    for name, line in CASES.items():
        assert main([*shlex.split(f"solve {line} --quiet --output"), str(folder / f"{name}.json")]) == 0
    return folder


def loaded(files: Path, name: str) -> Json:
    """A saved result."""
    return json.loads((files / f"{name}.json").read_text())


def checked(cli: Cli, data: Json) -> Run:
    """What `check` says of a file with this content."""
    Path("file.json").write_text(json.dumps(data))
    return cli("check file.json")


def refused(run: Run) -> str:
    """The one line that bad input gets."""
    assert (run.status, run.out, run.err.count("\n")) == (2, "", 1), run
    assert run.err.startswith("schedsolve: "), run
    assert run.err.strip().isprintable(), run
    return run.err


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
    lines = seen.out.splitlines()
    assert all(line.startswith("ok       ") for line in lines), seen.out
    assert any(line.startswith("ok       schedule: replayed, ") for line in lines) == (status != "infeasible")


def test_the_cases_cover_the_evidence(files: Path) -> None:
    """Refutations and all the bounds that only systolic schedules have occur in the saved certificates."""
    systolic = {bound.name for bound in LOWER_BOUNDS if not bound.reason.startswith("without a period: ")}
    assert len(systolic) == 6
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


def change(path: str, value: Json) -> Mutation:
    """A mutation that sets the entry at a dotted path."""

    def apply(data: Json) -> None:
        *parents, last = path.split(".")
        for key in parents:
            data = data[int(key)] if isinstance(data, list) else data[key]
        data[last] = value

    return apply


def other_problem(**parts: Json) -> Mutation:
    """Another problem, under its own id."""

    def apply(data: Json) -> None:
        data["problem"].update(parts)
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


def repeated_round(data: Json) -> None:
    """A call of the last round goes to the round before it."""
    rounds = data["schedule"]["rounds"]
    rounds[-2].append(rounds[-1].pop())


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
            change(f"{FOURTH}.lower.0.evidence.rounds", 6),
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
        doubts = [line for line in seen.out.splitlines() if not line.startswith("ok  ")]
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


@pytest.mark.parametrize(("name", "doubts"), [("gossip", 1), ("infeasible", 0), ("least period", 2)])
def test_solved_without_refutations(cli: Cli, name: str, doubts: int) -> None:
    """With --no-certify what a theorem proves is verified all the same, the check is not sure of what a
    search refuted.
    """
    assert cli(f"solve {CASES[name]} --no-certify --output plain.json --quiet").status == 0
    seen = cli("check plain.json")
    assert (seen.status, "FAILED" in seen.out, seen.out.count("not sure")) == (0, False, doubts)


NO_PERIODS = ["0", "-1", "abc", "''", "1.5", "MIN", "' 3'", "3,4", "1000001", "9" * 5000]
REFUSED = {
    "means nothing for telephone broadcast": "solve telephone broadcast cycle:5 --period 3 --edge-colouring",
    "goes with --period": "solve telephone gossip cycle:5 --edge-colouring",
    "does not go with": "solve telephone gossip cycle:5 --period min --edge-colouring",
    "--rounds or --edge-colouring": "solve telephone gossip cycle:5 --period min --rounds 3",
    "not for the worst": "solve telephone broadcast cycle:5 --period min --source max",
    "--period min is for solve": "construct telephone gossip path:5 --period min",
    "a bound is for a given period": "bounds telephone gossip path:5 --period min",
    "an algorithm works for a given period": "compare telephone gossip path:5 --period min",
    "telephone calls on a path": "construct telephone gossip cycle:5 --period 4 --algorithm theorem-3.1",
    "must be even": "construct telephone gossip path:5 --period 3 --algorithm theorem-3.1",
    "a period of 4 or more": "construct telegraph gossip path:5 --period 3 --algorithm theorem-3.2",
    "multiple of that": "construct telephone gossip tree:2,3 --period 8 --algorithm theorem-4.4",
    "not for arity 3 and height 2": "construct telephone gossip tree:3,2 --period 9 --algorithm theorem-4.4",
    "on a complete tree": "construct telegraph gossip path:9 --period 18 --algorithm theorem-4.6",
    "gossip on a path": "construct telephone gossip cycle:5 --period 4 --algorithm path-programme",
    "no number of rounds suffices": "construct telegraph gossip path:5 --period 3 --algorithm path-programme",
    "slots of half the period": "construct telephone gossip star:6 --period 4 --algorithm theorem-2.6",
    "is for gossip, not for broadcast": (
        "construct telephone broadcast path:5 --period 4 --algorithm theorem-3.1"
    ),
    "unknown algorithm": "construct telephone gossip path:5 --algorithm theorem-3.1",
}


@pytest.mark.parametrize("period", NO_PERIODS, ids=[text[:9] for text in NO_PERIODS])
@pytest.mark.parametrize("command", ["solve", "construct", "bounds", "compare"])
def test_no_period(cli: Cli, command: str, period: str) -> None:
    """What is no period gets one line that says what would be one, and exit status 2."""
    assert "--period takes a number of rounds from 1 to 1000000, or min" in refused(
        cli(f"{command} telegraph gossip path:4 --period {period}")
    )


@pytest.mark.parametrize(("word", "line"), REFUSED.items())
def test_bad_input(cli: Cli, word: str, line: str) -> None:
    """Whatever does not fit the period, the network or the task gets one line that names the trouble, and
    exit status 2.
    """
    assert word in refused(cli(line))


BAD_SCHEDULES: dict[str, tuple[Mutation, str]] = {
    "another round": (repeated_round, "breaks a rule"),
    "another period": (change("schedule.period", 2), "breaks a rule"),
    "period 0": (change("schedule.period", 0), '"period" of a schedule'),
    "no schedule": (change("schedule", None), "holds no schedule"),
    "no edge": (change("schedule.rounds", [[{"from": 0, "to": 5}]]), "no edge from 0 to 5"),
    "no node": (change("schedule.rounds", [[{"from": 0, "to": 77}]]), "'77'"),
    "no format": (change("format", "other/1"), "no schedsolve result or schedule file"),
}


@pytest.mark.parametrize("name", BAD_SCHEDULES)
def test_analyse_refuses_what_is_illegal(cli: Cli, files: Path, name: str) -> None:
    """A schedule that breaks a rule, or a file without one, is not analysed."""
    mutate, reason = BAD_SCHEDULES[name]
    data = loaded(files, "gossip")
    mutate(data)
    Path("file.json").write_text(json.dumps(data))
    assert reason in refused(cli("analyse file.json")).replace("node 77", "'77'")


def test_analyse_refuses_other_lines(cli: Cli, files: Path) -> None:
    """A file that is not there, an infeasible result, an unknown node, one end without the other."""
    file, broadcast, infeasible = (
        shlex.quote(str(files / f"{name}.json")) for name in ("gossip", "broadcast", "infeasible")
    )
    assert "cannot be read" in refused(cli("analyse missing.json"))
    assert "holds no schedule" in refused(cli(f"analyse {infeasible}"))
    for more in ("", " --json"):
        assert "'99' is not a node" in refused(cli(f"analyse {file} --from 99 --to 0{more}"))
        assert "'99' is not a node" in refused(cli(f"analyse {file} --from 0 --to 99{more}"))
        assert "two ends" in refused(cli(f"analyse {file} --from 99{more}"))
        assert "two ends" in refused(cli(f"analyse {file} --to 0{more}"))
        assert "no item of this broadcast starts at node 5" in refused(
            cli(f"analyse {broadcast} --from 5 --to 0{more}")
        )


KEYS = (
    "format problem rounds pairs complexity last_arrival unreached critical node_delays path nodes arrivals"
    " tables"
)


@pytest.mark.parametrize("name", [name for name in CASES if not name.startswith(("infeasible", "below"))])
def test_analyse_as_json(cli: Cli, files: Path, name: str) -> None:
    """One object whose keys are those documented, whose complexity is the value, and whose paths are as long
    as they say.
    """
    data = loaded(files, name)
    seen = cli(f"analyse {shlex.quote(str(files / f'{name}.json'))} --json")
    assert (seen.status, seen.err, seen.out.count("\n")) == (0, "", 1)
    found = json.loads(seen.out)
    assert list(found) == KEYS.split()
    assert found["format"] == "schedsolve-analysis/1"
    assert (found["complexity"], found["rounds"], found["unreached"], found["path"]) == (
        data["value"],
        data["value"],
        [],
        None,
    )
    assert all(path["global_time"] == path["rounds"][-1] == data["value"] for path in found["critical"])
    assert all(len(item["rounds"]) == len(found["nodes"]) for item in found["arrivals"])


def test_construct_says_infeasible(cli: Cli) -> None:
    """Where a bound proves that the period is too short, that is the answer, and no complaint about the
    algorithms.
    """
    seen = cli("construct telephone gossip star:6 --period 2 --json")
    assert (seen.status, json.loads(seen.out)["status"], seen.err) == (0, "infeasible", "")
