"""The line model on the command line: what is saved verifies, nothing that was tampered with does, and bad
input is named in one line.
"""

from __future__ import annotations

import copy
import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from schedsolve.commands.cli import main
from schedsolve.modelkit.evidence import lower_claims
from schedsolve.modelkit.formulas.proof import pack_proof, unpack_proof
from schedsolve.models.line.claims import EVIDENCE
from tests.command_line import Cli, Run

CLAIMS = lower_claims(EVIDENCE)

Json = Any


def checked(cli: Cli, data: Json) -> Run:
    """`check` of a file with this content."""
    Path("file.json").write_text(json.dumps(data))
    return cli("check file.json")


BASES = {
    "tree": "broadcast tree:2,3",
    "tree-accumulation": "accumulation random-tree:12,1 --root 5",
    "tree-gossip": "gossip path:6",
    "best": "broadcast cycle:10 --source min",
    "worst": "broadcast grid:3x3 --source max",
    "cycle": "gossip cycle:8 --ports 1",
    "accumulation": "accumulation cycle:10 --root 3",
    "multicast": "multicast grid:3x3 --source 0 --targets 2,6,8",
    "one-port": "gossip cycle:6 --ports 1",
    "odd": "gossip path:3 --ports 1",
    "two-rounds": "gossip circulant:15,1,2",
    "crowded": "gossip cycle:6",
    "below": "broadcast cycle:10 --rounds 2",
    "enough": "broadcast cycle:10 --rounds 3",
}


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Json]:
    """The results of BASES as saved, each with a refutation but for one that takes long to find."""
    folder = tmp_path_factory.mktemp("saved")
    for name, line in BASES.items():
        by = "" if name == "two-rounds" else "--certify refutation"
        assert main([*shlex.split(f"solve line {line} {by} --quiet --output"), str(folder / name)]) == 0
    return {name: json.loads((folder / name).read_text()) for name in BASES}


def kinds(data: Json) -> set[str]:
    """The kinds of evidence in a certificate."""
    return {bound["evidence"]["kind"] for bound in data["certificate"]["lower"]}


@pytest.mark.parametrize("base", BASES)
def test_saved_results_check(cli: Cli, saved: dict[str, Json], base: str) -> None:
    """Every part of a saved result is confirmed, a refutation or prices too."""
    seen = checked(cli, saved[base])
    assert (seen.status, seen.err) == (0, "")
    assert all(line.startswith("ok ") for line in seen.out.splitlines()[1:-1])
    assert ("two-rounds" if base == "two-rounds" else "refutation") in kinds(saved[base])
    assert saved[base]["status"] == {"below": "infeasible", "enough": "feasible"}.get(base, "optimal")


def test_the_bases_cover_all_kinds_of_evidence(saved: dict[str, Json]) -> None:
    """Every theorem of the line model proves some lower bound, and one is proven by a refutation alone."""
    assert set().union(*(kinds(data) for data in saved.values())) == {*CLAIMS, "refutation"}
    bound = saved["cycle"]["lower_bound"]
    tight = [b["evidence"]["kind"] for b in saved["cycle"]["certificate"]["lower"] if b["value"] == bound]
    assert tight == ["refutation"]


def evidence(data: Json, kind: str) -> Json:
    """The evidence of a kind in a certificate."""
    return next(
        bound["evidence"] for bound in data["certificate"]["lower"] if bound["evidence"]["kind"] == kind
    )


def change(path: str, new: Json) -> Callable[[Json], None]:
    """A mutation that replaces the part at the path, keys joined by dots, by `new`, or by what `new` makes of
    it.
    """

    def apply(data: Json) -> None:
        *keys, last = [int(key) if key.isdigit() else key for key in path.split(".")]
        part = data
        for key in keys:
            part = part[key]
        part[last] = new(part[last]) if callable(new) else new

    return apply


def both_values(value: int) -> Callable[[Json], None]:
    """A mutation that claims another optimum."""
    return lambda data: data.update(value=value, lower_bound=value)


def proof_lines(alter: Callable[[list[str]], list[str]]) -> Callable[[Json], None]:
    """A mutation of the proof's lines that records the right hash of the altered proof."""

    def apply(data: Json) -> None:
        proof = evidence(data, "refutation")
        proof.update(pack_proof(alter(unpack_proof(proof))))

    return apply


def stale(kind: str, /, **parts: Json) -> Callable[[Json], None]:
    """A mutation of the evidence of a kind."""
    return lambda data: evidence(data, kind).update(parts)


def detour(call: Json) -> Json:
    """The call with its path bent to a node twice."""
    return {**call, "path": [*call["path"][:1], *call["path"]]}


FIRST = "schedule.rounds.0.0"
TAMPERED: list[tuple[str, Callable[[Json], None], str]] = [
    ("tree", both_values(2), "claims a value"),
    ("tree", change("value", 4), "claims a value"),
    ("tree", change("lower_bound", 4), "lower bound"),
    ("tree", change("lower_bound", 2), "optimal"),
    ("tree", change(FIRST, detour), "visits node 0 twice"),
    ("tree", change("schedule.rounds.1", []), "after the last round"),
    ("tree", change("schedule.rounds.0", lambda calls: [*calls, calls[0]]), "uses the edge 0-"),
    ("tree", stale("tree-message", kind="tree-gossip"), "premises"),
    ("tree", stale("tree-message", kind="miracle"), "no evidence of the kind"),
    ("tree", stale("refutation", rounds=3), "lower bound"),
    ("tree", change("problem.parameters.ports", 1), "FAILED"),
    ("tree", change("problem.network", "path:15"), "FAILED"),
    ("tree-accumulation", change("problem.parameters.root", 4), "FAILED"),
    ("tree-gossip", change("schedule.rounds.0.0.path", [0, 5]), "FAILED"),
    (
        "tree-gossip",
        change("schedule.rounds.2.0", lambda call: {"from": call["between"][1], "to": call["between"][0]}),
        "after the last round",
    ),
    ("best", change("node", 5), "FAILED"),
    ("best", both_values(2), "claims a value"),
    ("worst", change("schedules", None), "no schedule for node"),
    ("worst", change("schedules.4.schedule.rounds.0", []), "schedule for node 4"),
    ("cycle", both_values(2), "claims a value"),
    ("cycle", change("schedule.rounds.1.0.path", lambda path: [path[0], path[-1], path[0]]), "FAILED"),
    ("cycle", change("schedule.rounds.2.0.path", lambda path: path[::-1]), "leads from"),
    ("cycle", stale("refutation", proof="AAAA"), "damaged"),
    ("cycle", stale("refutation", sha256="0" * 64), "hash"),
    ("cycle", stale("refutation", rounds=4), "lower bound"),
    ("cycle", stale("refutation", rounds=99), "FAILED"),
    ("cycle", stale("refutation", rounds=-1), "FAILED"),
    ("cycle", stale("refutation", symmetries=[[1, 0, 2, 3, 4, 5, 6, 7]]), "no automorphism"),
    ("cycle", stale("refutation", kind="degree-growth"), "FAILED"),
    ("cycle", proof_lines(lambda lines: []), "without a contradiction"),
    ("cycle", proof_lines(lambda lines: ["0"]), "does not follow"),
    ("cycle", proof_lines(lambda lines: ["1 0", "-1 0", *lines]), "does not follow"),
    ("cycle", proof_lines(lambda lines: lines[: len(lines) // 2]), "without a contradiction"),
    ("cycle", proof_lines(lambda lines: ["x 0", *lines]), "not a clause"),
    ("cycle", change("problem.parameters.ports", 2), "FAILED"),
    ("cycle", change("certificate.problem_id", "0" * 64), "another problem"),
    ("accumulation", change("schedule.rounds.0", lambda calls: calls[1:]), "does not know the item"),
    ("multicast", change("problem.parameters.targets", [1, 2, 6, 8]), "FAILED"),
    ("one-port", change("problem.parameters.ports", "all"), "another problem"),
    (
        "one-port",
        change("schedule.rounds.0", [{"between": [v, v + 1], "path": [v, v + 1]} for v in (0, 1)]),
        "more than 1 call",
    ),
    ("odd", stale("odd-order", kind="tree-gossip"), "FAILED"),
    ("below", change("problem.parameters.rounds", 3), "another problem"),
    ("below", change("status", "optimal"), "FAILED"),
    ("enough", change("problem.parameters.rounds", 2), "claims that 2 rounds suffice"),
]


@pytest.mark.parametrize(
    ("base", "mutate", "reason"), TAMPERED, ids=[f"{i}-{base}" for i, (base, _, _) in enumerate(TAMPERED)]
)
def test_tampered_results(
    cli: Cli, saved: dict[str, Json], base: str, mutate: Callable[[Json], None], reason: str
) -> None:
    """A saved result in which a value, a path, the evidence, the proof or the problem was changed fails, for
    the right reason.
    """
    data = copy.deepcopy(saved[base])
    mutate(data)
    seen = checked(cli, data)
    assert (seen.status, seen.err) == (1, ""), seen
    assert any(line.startswith("FAILED") and reason in line for line in seen.out.splitlines()), seen.out


def test_a_proof_for_more_ports_says_nothing_without_its_id(cli: Cli, saved: dict[str, Json]) -> None:
    """The refutation of one-port rounds is refused as one for all ports, even when the file names the right
    problem.
    """
    from schedsolve.modelkit.problem import problem_id
    from schedsolve.models import read_problem

    data = copy.deepcopy(saved["odd"])
    data["problem"]["parameters"]["ports"] = "all"
    data["certificate"]["problem_id"] = problem_id(read_problem(data["problem"]))
    seen = checked(cli, data)
    assert seen.status == 1
    assert "does not follow" in seen.out or "clause" in seen.out or "without a contradiction" in seen.out


def test_no_edit_of_a_call_passes_unless_it_is_legal(cli: Cli, saved: dict[str, Json]) -> None:
    """Whatever takes the place of a call's ends or path, the check fails or refuses the file, and never
    crashes.
    """
    data = saved["cycle"]
    for name in ("between", "path"):
        junks: list[Json] = [
            [],
            [0],
            [0, 0],
            [0, 4],
            [0, 1, 0, 7],
            [99, 0],
            ["0", 1],
            None,
            3,
            "x",
            {},
            [[0, 1]],
        ]
        for junk in junks:
            edited = copy.deepcopy(data)
            edited["schedule"]["rounds"][1][0][name] = junk
            seen = checked(cli, edited)
            if seen.status == 2:
                assert (seen.out, seen.err.count("\n")) == ("", 1), (name, junk, seen)
            else:
                ends = sorted(map(str, data["schedule"]["rounds"][1][0]["between"]))
                same = isinstance(junk, list) and sorted(map(str, junk)) == ends
                assert seen.status == 1 or same or (name, junk) == ("path", []), (name, junk, seen)


FILES = {"parts.edges": "0 1\n2 3", "arcs.edges": "0 1\n1 2", "round.edges": "0 1\n1 2\n2 0\n2 1"}
REFUSED = {
    "--ports takes": (
        "broadcast path:3 --ports 0 | gossip path:3 --ports -1 | broadcast path:3 --ports x | multicast"
        " path:3 --targets 1 --ports '' | accumulation path:3 --ports 1.5 | gossip path:3 --ports 9999999999"
        " | gossip path:3 --ports min"
    ),
    "undirected network": "gossip arcs.edges --directed | gossip round.edges --directed",
    "disconnected": ("gossip parts.edges | broadcast parts.edges | accumulation parts.edges"),
    "not strongly connected": (
        "broadcast arcs.edges --directed --source 1 | accumulation arcs.edges --directed --root 1 | broadcast"
        " arcs.edges --directed --source min"
    ),
    "a multicast needs --targets": "multicast path:3",
    "a multicast needs a given source": "multicast path:3 --source min --targets 1",
    "its nodes are 0..2": "multicast path:3 --targets 7 | broadcast path:3 --source 3",
    "means nothing": "gossip path:3 --source 1 | broadcast path:3 --targets 1 | gossip path:3 --period 2",
    "its tasks are": "product path:3",
    "no backend": "gossip path:3 --backend cplex",
}
LINES = [(f"solve line {line.strip()}", word) for word, lines in REFUSED.items() for line in lines.split("|")]
LINES += [
    ("construct line broadcast cycle:5 --algorithm tree-broadcast", "not a tree"),
    ("construct line broadcast path:5 --algorithm tree-broadcast --ports 1", "all ports"),
    ("construct line gossip cycle:5 --algorithm tree-gossip", "not a tree"),
    ("construct line broadcast arcs.edges --directed --algorithm one-port", "undirected"),
    ("construct line gossip path:5 --algorithm flow-search", "flow-search"),
]


@pytest.mark.parametrize(("line", "word"), LINES, ids=[line for line, _ in LINES])
def test_bad_input(cli: Cli, line: str, word: str) -> None:
    """One line on standard error that names the trouble, nothing on standard output, and exit status 2."""
    for name, text in FILES.items():
        Path(name).write_text(text)
    seen = cli(line)
    assert (seen.status, seen.out, seen.err.count("\n")) == (2, "", 1), seen
    assert seen.err.startswith("schedsolve: ")
    assert word in seen.err


def own(rounds: Json, network: Json = "path:4", **parameters: Json) -> Json:
    """A user's own broadcast."""
    problem = {
        "model": "line",
        "task": "broadcast",
        "network": network,
        "parameters": {"source": 0, **parameters},
    }
    return {"format": "schedsolve-schedule/1", "problem": problem, "schedule": {"rounds": rounds}}


def test_own_schedules(cli: Cli) -> None:
    """A legal schedule ends with 0 and no claim; an edge used twice is named, with the two calls, and ends
    with 1.
    """
    far, near, last = {"from": 0, "to": 2, "path": [0, 1, 2]}, {"from": 0, "to": 1}, {"from": 2, "to": 3}
    seen = checked(cli, own([[far], [near, last]]))
    assert (seen.status, "makes no claim" in seen.out) == (0, True)
    seen = checked(cli, own([[far, near], [last]]))
    assert (seen.status, seen.err) == (1, "")
    assert "round 1: the call from 0 to 1 uses the edge 0-1, as does the call from 0 to 2" in seen.out
    labelled = {
        "nodes": [{"id": v} for v in "abc"],
        "edges": [{"source": "a", "target": "b"}, {"source": "b", "target": "c"}],
    }
    calls = [{"from": "a", "to": "c"}, {"between": ["b", "a"], "path": ["b", "a"]}]
    seen = checked(cli, own([calls], labelled, source="a"))
    assert "round 1: the call between b and a uses the edge a-b, as does the call from a to c" in seen.out
    seen = checked(cli, own([[far], [near, last]], ports=1))
    assert seen.status == 0
    seen = checked(cli, own([[{"from": 0, "to": 2}], [near, last]], "cycle:4"))
    assert (seen.status, 'needs a "path"' in seen.out) == (1, True)
    assert checked(cli, own([[{"from": 0, "to": 2, "path": [0, 9, 2]}]])).status == 2


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("broadcast path:9 --source 0 --ports 1", 4),
        ("broadcast torus:4x4", 2),
        ("gossip petersen", 2),
        ("gossip cycle:6 --ports 1", 3),
    ],
)
def test_solve_prints_one_object(cli: Cli, line: str, value: int) -> None:
    """With --json; every call has its path from end to end."""
    seen = cli(f"solve line {line} --json --no-certify")
    assert (seen.status, seen.err) == (0, "")
    data = json.loads(seen.out)
    assert (data["status"], data["value"], data["lower_bound"], len(data["schedule"]["rounds"])) == (
        "optimal",
        value,
        value,
        value,
    )
    for call in (call for calls in data["schedule"]["rounds"] for call in calls):
        ends = call.get("between") or [call["from"], call["to"]]
        assert [call["path"][0], call["path"][-1]] == ends
