"""`check`: what it accepts, and that it refuses what was tampered with."""

from __future__ import annotations

import copy
import gzip
import json
import shlex
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from schedsolve.commands.cli import main
from tests.command_line import Cli, Json, checked, refused


def test_garbage_is_no_file_of_ours(cli: Cli) -> None:
    """What is no schedsolve file is refused as bad input."""
    garbage = [
        b"",
        b"\x00\xff garbage \x80",
        b"[1, 2]",
        b"{}",
        b"[" * 100_000,
        b'{"format": "other/1"}',
        b"\x1f\x8b",
    ]
    for content in [*garbage, gzip.compress(b"{}" * 999)[:-9]]:
        Path("garbage").write_bytes(content)
        refused(cli("check garbage"))


AB, BC = {"between": ["a", "b"]}, {"between": ["c", "b"]}


PATH = {
    "nodes": [{"id": v} for v in "abc"],
    "edges": [{"source": "a", "target": "b"}, {"source": "b", "target": "c"}],
}


def own(rounds: Json, **changes: Json) -> dict[str, Json]:
    """A user's own telephone gossip schedule on the path a-b-c."""
    problem = {"model": "telephone", "task": "gossip", "network": PATH, **changes}
    return {"format": "schedsolve-schedule/1", "problem": problem, "schedule": {"rounds": rounds}}


def test_own_schedules(cli: Cli) -> None:
    """A user's schedule is replayed: complete and legal ends with 0 and no claim of optimality, else the
    first fault is named, with 1.
    """
    seen = checked(cli, own([[AB], [BC], [AB]]))
    assert (seen.status, "makes no claim" in seen.out) == (0, True)
    assert checked(cli, own([[AB], [BC], [AB]], parameters={"rounds": 3})).status == 0
    faults: Json = {
        "does not know the item of node c": [[AB], [BC]],
        "round 1: node b takes part in two calls": [[AB, BC]],
    }
    faults |= {"no edge from a to c": [[{"between": ["a", "c"]}]], "one-way": [[{"from": "a", "to": "b"}]]}
    for fault, rounds in faults.items():
        seen = checked(cli, own(rounds))
        assert (seen.status, fault in seen.out, "FAILED" in seen.out) == (1, True, True), seen
    assert (
        "more than the 2 rounds asked for"
        in checked(cli, own([[AB], [BC], [AB]], parameters={"rounds": 2})).out
    )
    unreadable = [
        own(rounds)
        for rounds in (None, [AB], [[AB, 7]], [[{"between": ["a", "z"]}]], [[{"from": "a", "to": ["b"]}]])
    ]
    for data in [
        *unreadable,
        own([], network="path:0"),
        own([], task="rest"),
        own([], parameters={"source": "a"}),
        own([], parameters=3),
    ]:
        refused(checked(cli, data))


BASES = {
    "star": "telephone gossip star:4",
    "cover": "telephone broadcast harary:3,14",
    "worst": "telephone broadcast path:4 --source max",
}


BASES |= {"least": "telegraph accumulation path:5 --root min"}


BASES |= {"below": "telephone gossip path:4 --rounds 2", "enough": "telephone gossip path:4 --rounds 3"}


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Json]:
    """The results of BASES as saved; each has a theorem or a covering, and a refutation, for evidence."""
    folder = tmp_path_factory.mktemp("saved")
    for name, line in BASES.items():
        assert (
            main([*shlex.split(f"solve {line} --certify refutation --quiet --output"), str(folder / name)])
            == 0
        )
    return {name: json.loads((folder / name).read_text()) for name in BASES}


def edited(data: Json, path: str, new: Json) -> Json:
    """A copy of the data with the part at the path, keys joined by dots, replaced by `new`, or by what `new`
    makes of it.
    """
    data = copy.deepcopy(data)
    *keys, last = [int(key) if key.isdigit() else key for key in path.split(".")]
    part = data
    for key in keys:
        part = part[key]
    part[last] = new(part[last]) if callable(new) else new
    return data


@pytest.mark.parametrize("base", BASES)
def test_saved_results_check(cli: Cli, saved: dict[str, Json], base: str) -> None:
    """Every part of a saved result is confirmed, a refutation too."""
    seen = checked(cli, saved[base])
    assert (seen.status, seen.err) == (0, "")
    assert all(shown.startswith("ok ") for shown in seen.out.splitlines()[1:-1])
    assert saved[base]["certificate"]["lower"][-1]["evidence"]["kind"] == "refutation"


EVIDENCE = "certificate.lower.3.evidence"


CALL, COVERING = {"between": [0, 1]}, {"kind": "covering", "rounds": 4, "weights": [1] * 4}


TAMPERED: list[tuple[str, str, list[Json], str]] = [
    ("star", "value", [4, 6, "11/2", None], "claims a value"),
    ("star", "schedule.rounds.0", [[], [{"between": [0, 2]}]], "after the last round"),
    (
        "star",
        "schedule.rounds.1",
        [lambda calls: calls * 2, lambda calls: [*calls, CALL, CALL]],
        "round 2: node 0 takes part in two calls",
    ),
    ("star", "schedule.rounds.2.0", [{"between": [1, 2]}], "round 3: there is no edge from 1 to 2"),
    ("star", "schedule.rounds.3.0", [{"from": 0, "to": 2}], "round 4: the call from 0 to 2 is one-way"),
    ("star", "schedule.rounds", [lambda rounds: [*rounds, []]], "takes 6 rounds"),
    ("star", "schedule", [None], "has no schedule"),
    ("star", "problem.network", ["path:4", "star:5", "cycle:4"], "the links of the file are other ones"),
    ("star", "bounds.3.value", [4, 6, None], "bound"),
    ("star", "bounds.4.value", [4, 6, None], "bound"),
    ("star", EVIDENCE, [{"kind": "cycle-gossip"}, {"kind": "odd-order"}], "premises"),
    (
        "star",
        EVIDENCE,
        [COVERING, {**COVERING, "source": [0]}, {**COVERING, "source": 9}, {"kind": []}, None],
        "lower bound 5",
    ),
    ("star", "certificate.lower.3.evidence.rounds", [3, 5, -1, None], "lower bound 5"),
    ("star", "certificate.lower.3.evidence.proof", ["", "?", lambda text: text[:-8]], "the proof is damaged"),
    ("cover", f"{EVIDENCE}.weights", [[0] * 14, [1] * 13, [-1] * 14, [0.5] * 14, None, "1"], "lower bound 5"),
    ("cover", f"{EVIDENCE}.rounds", [3, 5, -1, "4"], "lower bound 5"),
    ("worst", "schedules", [lambda every: every[1:], None], "no schedule for node 0"),
    ("worst", "schedules.2.schedule.rounds", [[]], "schedule for node 2"),
    ("worst", "schedule.rounds", [[], lambda rounds: rounds[1:]], "schedule"),
    ("least", "node", [0], "after the last round"),
    ("below", "problem.parameters.rounds", [3, 1], "another problem"),
    ("enough", "problem.parameters.rounds", [2], "claims that 2 rounds suffice"),
]


@pytest.mark.parametrize(
    ("base", "path", "news", "reason"), TAMPERED, ids=[f"{base}-{path}" for base, path, _, _ in TAMPERED]
)
def test_tampered_results(
    cli: Cli, saved: dict[str, Json], base: str, path: str, news: list[Json], reason: str
) -> None:
    """A saved result in which a claim, a call, the evidence or the problem was changed fails, with the
    reason, and exit status 1.
    """
    for new in news:
        seen = checked(cli, edited(saved[base], path, new))
        assert (seen.status, seen.err) == (1, ""), (new, seen)
        assert any(
            line.startswith("FAILED") and reason in f"{line} FAILED" for line in seen.out.splitlines()
        ), (new, seen)


def test_no_edit_passes(cli: Cli, saved: dict[str, Json]) -> None:
    """Whatever takes the place of any part of a result but its remarks, the check fails with a reason, or
    refuses the file in one line.
    """

    def places(part: Json, path: str) -> Iterator[str]:
        for key, inner in (
            part.items() if isinstance(part, dict) else enumerate(part[:2]) if isinstance(part, list) else ()
        ):
            if key not in ("bounds", "reason", "runtime_seconds", "name", "side", "by"):
                yield f"{path}{key}"
                yield from places(inner, f"{path}{key}.")

    passed = []
    junk: list[Json] = [True, -1, 1.5, "x", [], {}, [[]], [{}], 10**30]
    for path, new in product(places(saved["least"], ""), junk):
        seen = checked(cli, edited(saved["least"], path, new))
        if seen.status == 0:
            passed.append((path, new))
        else:
            assert (seen.status, "FAILED" in seen.out, seen.err) == (1, True, "") or refused(seen), (
                path,
                new,
            )
    # A name that nobody knows is not verified; all else is about the links that stand beside it.
    assert passed == [("problem.network", "x")]


def test_no_false_claim_passes(cli: Cli, saved: dict[str, Json]) -> None:
    """Of all combinations of status, value and lower bound, those that pass are true."""
    states, values = ("optimal", "bounded", "feasible", "infeasible", "unknown"), (None, 4, 5, 6)
    for status, value, lower in product(states, values, values):
        if (
            checked(cli, {**saved["star"], "status": status, "value": value, "lower_bound": lower}).status
            == 0
        ):
            assert status not in ("feasible", "infeasible")
            assert value == 5
            assert lower == 5 or (lower in (None, 4) and status != "optimal")


@pytest.mark.parametrize(
    "text", ["x\nok       lower bound 99: recomputed", "x\x1b[2K", "\ud800"], ids=range(3)
)
def test_text_in_a_file_is_no_verdict(cli: Cli, saved: dict[str, Json], text: str) -> None:
    """Text from the file that contains line breaks, or what is no text, cannot pass for lines of the
    report.
    """
    seen = checked(cli, edited(saved["star"], "certificate.lower.3.reason", text))
    assert all(line.isprintable() and "99" not in line[:30] for line in seen.out.splitlines())


def test_the_summary_only(cli: Cli) -> None:
    """`-q` leaves the last line, and the exit status as it is."""
    assert cli("solve telephone gossip path:4 -q -o found.json").status == 0
    full, short = cli("check found.json"), cli("check -q found.json")
    assert (short.status, short.out.splitlines()) == (full.status, full.out.splitlines()[-1:])
