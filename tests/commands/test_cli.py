"""The command line, run in this process: what it prints, its exit statuses, every kind of bad input, and what
`check` accepts.
"""

from __future__ import annotations

import copy
import gzip
import json
import shlex
import subprocess
import sys
from _thread import interrupt_main
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from threading import Timer
from typing import Any

import pytest

from schedsolve.cli import main
from tests.command_line import Cli, Run

Json = Any
HARD = "telegraph gossip random-regular:3,30,1"


def refused(run: Run) -> str:
    """The one line that bad input gets."""
    assert (run.status, run.out) == (2, ""), run
    assert run.err.startswith("schedsolve: "), run
    assert run.err.count("\n") == 1, run
    assert run.err.strip().isprintable(), run
    return run.err


def json_of(run: Run, status: int = 0) -> Json:
    """The one object on standard output."""
    assert (run.status, run.err) == (status, ""), run
    assert run.out.count("\n") == 1
    return json.loads(run.out)


def checked(cli: Cli, data: Json, name: str = "file.json") -> Run:
    Path(name).write_text(json.dumps(data))
    return cli(f"check {name}")


SOLVED = {
    "telephone gossip complete:9": 5,
    "telegraph gossip path:21": 22,
    "telephone gossip tree:2,4": 15,
    "telegraph gossip petersen": 7,
    "telephone broadcast ccc:7 --source 0": 16,
    "telegraph accumulation ccc:3 --root 0": 6,
    "telegraph broadcast ccc:3 --source max --backend cpsat": 6,
    "telegraph multicast grid:3x3 --source 0,2 --targets 7,8": 3,
}


@pytest.mark.parametrize(("line", "value"), SOLVED.items())
def test_solve(cli: Cli, line: str, value: int) -> None:
    """Values that are known come out optimal, as one JSON object whose schedule has as many rounds, with exit
    status 0.
    """
    result = json_of(cli(f"solve {line} --json"))
    assert result["format"] == "schedsolve-result/1"
    assert (result["status"], result["objective"], result["value"], result["lower_bound"]) == (
        "optimal",
        "rounds",
        value,
        value,
    )
    assert len(result["schedule"]["rounds"]) == value
    assert [result["problem"][name] for name in ("model", "task", "network")] == line.split()[:3]
    assert {bound["side"] for bound in result["bounds"]} == {"lower", "upper"}
    assert checked(cli, result).status == 0


@pytest.mark.parametrize(
    ("line", "least"), [("telephone gossip cycle:9", 6), ("telegraph broadcast star:6 --source max", 5)]
)
@pytest.mark.parametrize("backend", ["sat", "cpsat"])
def test_rounds(cli: Cli, line: str, least: int, backend: str) -> None:
    """--rounds M is feasible from the optimum on, with a schedule, and infeasible below, without one; both
    are decisions: status 0.
    """
    for rounds in (least, least + 2):
        result = json_of(cli(f"solve {line} --rounds {rounds} --backend {backend} --json"))
        assert (result["status"], len(result["schedule"]["rounds"])) == ("feasible", result["value"])
        assert result["value"] <= rounds == result["problem"]["parameters"]["rounds"]
    for rounds in (0, least - 1):
        result = json_of(cli(f"solve {line} --rounds {rounds} --backend {backend} --json"))
        assert (result["status"], result["value"], result["lower_bound"], result["schedule"]) == (
            "infeasible",
            None,
            None,
            None,
        )


def test_time_limit(cli: Cli) -> None:
    """Stopped at a limit, the result has true bounds and a schedule, or says that the number of rounds is
    undecided; exit status 3.
    """
    result = json_of(cli(f"solve {HARD} --time-limit 0.5 --backend sat --output bounded.gz --json"), status=3)
    assert result["status"] == "bounded"
    assert 5 <= result["lower_bound"] < result["value"] == len(result["schedule"]["rounds"])
    assert json.loads(gzip.decompress(Path("bounded.gz").read_bytes())) == result
    assert (cli("check bounded.gz").status, "FAILED" in cli("check bounded.gz").out) == (0, False)
    result = json_of(
        cli(f"solve {HARD} --time-limit 0.5 --rounds {result['lower_bound'] + 1} --json"), status=3
    )
    assert result["status"] == "unknown"
    shown = cli(f"solve {HARD} --time-limit 0.5 --quiet")
    assert (shown.status, shown.err, shown.out.count("\n")) == (3, "", 1)
    assert shown.out.startswith("stopped at a limit: at least ")


def test_interrupt(cli: Cli) -> None:
    """Ctrl-C during a search ends it with the bounds and the schedule found so far, and exit status 3."""
    timer = Timer(1.5, interrupt_main)
    timer.start()
    try:
        result = json_of(cli(f"solve {HARD} --time-limit 60 --json"), status=3)
    finally:
        timer.cancel()
    assert result["runtime_seconds"] < 59
    assert result["lower_bound"] < result["value"] == len(result["schedule"]["rounds"])


def test_without_certificate(cli: Cli) -> None:
    """Without a certificate the check succeeds, and says that the lower bound is not certified."""
    assert (
        json_of(cli("solve telegraph gossip complete:6 --no-certify --output plain.json --json"))[
            "certificate"
        ]
        is None
    )
    seen = cli("check plain.json")
    assert seen.status == 0
    assert "not sure lower bound 5: not certified" in seen.out


def test_labels_of_files(cli: Cli) -> None:
    """The JSON speaks the labels of the network's file, and takes the sources that the file names."""
    Path("line.mbt").write_text("4 1 3\n1 2\n2 3\n3 4\n1\n")
    result = json_of(cli("solve telegraph broadcast line.mbt --json"))
    assert result["problem"]["parameters"] == {"source": 1}
    assert result["schedule"]["rounds"] == [
        [{"from": 1, "to": 2}],
        [{"from": 2, "to": 3}],
        [{"from": 3, "to": 4}],
    ]
    assert checked(cli, result).status == 0
    Path("fork.edges").write_text("left hub\nhub right\nright far\n")
    result = json_of(cli("solve telephone broadcast fork.edges --source hub --json"))
    assert [sorted(call["between"]) for call in result["schedule"]["rounds"][0]] == [["hub", "right"]]
    assert json_of(cli("solve telephone broadcast fork.edges --source min --json"))["node"] in (
        "hub",
        "right",
    )
    assert "right>far" in cli("solve telegraph broadcast fork.edges --source left").out
    Path("ring.edges").write_text("a b\nb c\nc a\n")
    result = json_of(cli("solve telegraph gossip ring.edges --directed --json"))
    assert (result["value"], result["problem"]["network"]["directed"]) == (4, True)
    assert checked(cli, result).status == 0


def test_labels_that_are_words_of_options(cli: Cli) -> None:
    """A node called min is not mistaken for the best source where it is the default, and asking for the best
    source still works.
    """
    Path("words.edges").write_text("min max\nmax c\n")
    for task, option in (("broadcast", "source"), ("accumulation", "root")):
        assert json_of(cli(f"solve telephone {task} words.edges --{option} c --json"))["value"] == 2
        assert json_of(cli(f"solve telephone {task} words.edges --json"))["value"] == 2


def test_other_commands(cli: Cli) -> None:
    """construct, bounds and compare tell the same story as solve, and the listings name what there is."""
    built = json_of(cli("construct telephone gossip path:6 --json"))
    assert (built["value"], built["algorithms"]["path-matchings"]) == (5, 5)
    assert checked(cli, built).status == 0
    built = json_of(cli("construct telegraph gossip cycle:8 --algorithm cycle-waves --seed 1 --json"))
    assert built["algorithms"] == {"cycle-waves": built["value"]}
    bounds = json_of(cli("bounds telegraph broadcast path:6 --source max --json"))["bounds"]
    assert max(bound["value"] for bound in bounds if bound["side"] == "lower") == 5
    rows = json_of(cli("compare telephone gossip cycle:7 --json"))["rows"]
    assert [(row["value"], row["lower_bound"], row["gap"]) for row in rows] == [(5, 5, "0")]
    for command, words in {
        "models": "telegraph telephone gossip --rounds",
        "networks": "ccc:D .mbt",
        "algorithms": "knodel",
    }.items():
        shown = cli(command)
        assert (shown.status, shown.err, [word for word in words.split() if word not in shown.out]) == (
            0,
            "",
            [],
        )


@pytest.mark.parametrize("command", ["compare", "construct"])
def test_deciding_is_for_solve(cli: Cli, command: str) -> None:
    """Algorithms decide no numbers of rounds, and say so."""
    assert "unrecognized arguments: --rounds" in refused(
        cli(f"{command} telegraph gossip knodel:3,8 --rounds 8")
    )


FILES = {
    "parts.edges": "a b\nc d",
    "loop.edges": "a b\nb b",
    "none.edges": "# nothing",
    "words.edges": "a b c",
    "arcs.edges": "a b\nb a",
}
FILES |= {
    "lies.mbt": "2 1 1\n1 2\n9",
    "bad.col": "p edge 2 1\ne 1 3",
    "list.json": "[]",
    "bad.graphml": "<graphml",
    "x.g6": "\x01",
}
REFUSED = {
    "disconnected": "gossip parts.edges | broadcast parts.edges --source a",
    "directed": "gossip arcs.edges --directed | gossip path:3 --directed",
    "self-loop": "gossip loop.edges",
    "empty": "gossip none.edges",
    ".edges: line 1": "gossip words.edges",
    "outside the nodes": "gossip lies.mbt | gossip bad.col",
    "network": "gossip list.json | gossip sphere:3 | gossip cycle3",
    "GraphML": "gossip bad.graphml",
    "graph6": "gossip x.g6 | gossip graph6:",
    "No such file": "gossip missing.edges",
    "at least": "gossip path:0 | gossip path:-3 | gossip cycle:2 | gossip torus:2x5",
    "it takes N": "gossip path | gossip cycle:3,4",
    "not an integer": "gossip path:x | gossip path:1.5 | gossip 'path:3\n'",
    "too large": "gossip complete:99999 | gossip path:99999999999",
    "its nodes are 0..2": (
        "broadcast path:3 --source 3 | broadcast path:3 --source -1 | multicast path:3 --targets 5"
    ),
    "is not a node": "broadcast path:3 --source '' | broadcast path:3 --source '0\n1'",
    "twice": "broadcast path:3 --source 0,0",
    "takes one node": "accumulation path:3 --root 0,1",
    "a multicast needs": "multicast path:3 | multicast path:3 --targets 1 --source min",
    "means nothing": "gossip path:3 --source 0 | broadcast path:3 --root 0 | accumulation path:3 --targets 1",
    " or more": (
        "gossip path:3 --workers 0 | gossip path:3 --workers -1 | gossip path:3 --rounds 1.5 | gossip path:3"
        " --seed x"
    ),
    "than any schedule": f"gossip path:3 --rounds 9999999999 | gossip path:3 --rounds {'9' * 5000}",
    "above 0": (
        "gossip path:3 --time-limit -1 | gossip path:3 --time-limit soon | gossip path:3 --time-limit nan"
    ),
    "cpsat, sat": "gossip path:3 --backend abacus | gossip path:3 --backend 'a\nb'",
    "cannot write": (
        "gossip path:3 --output missing/x.json | gossip path:3 --output . | gossip path:3 --output ''"
    ),
    "arguments": "gossip path:3 --colour red | gossip path:3 cycle:4 | gossip",
    "its tasks are": "gosip path:3 | 'gossip\n' path:3",
}
REFUSED_COMMANDS = {
    "COMMAND": " | sovle telephone gossip path:3",
    "telegraph, telephone": "solve semaphore gossip path:3",
    "algorithm": (
        "construct telephone gossip path:3 --algorithm magic | construct telephone broadcast path:3"
        " --source max"
    ),
    "knodel": (
        "construct telephone gossip path:3 --algorithm knodel | construct telephone broadcast path:3"
        " --algorithm knodel"
    ),
    "unknown network": "compare telephone gossip path:3 sphere:1",
    "FILE": "check",
    "cannot be read": "check missing.json | check .",
}
LINES = [(f"solve telephone {line}", word) for word, lines in REFUSED.items() for line in lines.split(" | ")]
LINES += [(line, word) for word, lines in REFUSED_COMMANDS.items() for line in lines.split(" | ")]


@pytest.mark.parametrize(("line", "word"), LINES, ids=[line[:60] for line, _ in LINES])
def test_bad_input(cli: Cli, line: str, word: str) -> None:
    """Whatever cannot be used gets one line on standard error that names the trouble, nothing on standard
    output, and exit status 2.
    """
    for name, text in FILES.items():
        Path(name).write_text(text)
    assert word in refused(cli(line))


def test_module_as_a_command(tmp_path: Path) -> None:
    """`python -m schedsolve` is the command: status 0 with one object, status 2 with one line, and no
    complaint when nobody reads.
    """

    def shell(line: str) -> Run:
        command = f"{shlex.quote(sys.executable)} -m schedsolve {line}"
        done = subprocess.run(command, shell=True, check=False, capture_output=True, text=True, cwd=tmp_path)
        return Run(done.returncode, done.stdout, done.stderr)

    assert json_of(shell("solve telephone gossip cycle:6 --json"))["value"] == 3
    assert "at least 3" in refused(shell("solve telephone gossip cycle:2"))
    assert shell("networks | true") == Run(0, "", "")


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
    assert "more than the 2 asked for" in checked(cli, own([[AB], [BC], [AB]], parameters={"rounds": 2})).out
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
        assert main([*shlex.split(f"solve {line} --quiet --output"), str(folder / name)]) == 0
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
    assert all(shown.startswith("ok ") for shown in seen.out.splitlines())
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
    ("star", "problem.network", ["path:4", "star:5", "cycle:4"], "another problem"),
    ("star", "bounds.3.value", [4, 6, None], "bound"),
    ("star", "bounds.4.value", [4, 6, None], "bound"),
    ("star", EVIDENCE, [{"kind": "cycle-gossip"}, {"kind": "odd-order"}], "premises"),
    (
        "star",
        EVIDENCE,
        [COVERING, {**COVERING, "source": [0]}, {**COVERING, "source": 9}, {"kind": []}, None],
        "lower bound 5",
    ),
    ("star", "certificate.lower.5.evidence.rounds", [3, 5, -1, None], "lower bound 5"),
    ("star", "certificate.lower.5.evidence.proof", ["", "?", lambda text: text[:-8]], "the proof is damaged"),
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
            if key not in ("bounds", "reason", "runtime_seconds", "name", "side"):
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
    assert passed == []


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
    "text", ["x\nok       lower bound 99: computed anew", "x\x1b[2K", "\ud800"], ids=range(3)
)
def test_text_in_a_file_is_no_verdict(cli: Cli, saved: dict[str, Json], text: str) -> None:
    """Text from the file that contains line breaks, or what is no text, cannot pass for lines of the
    report.
    """
    seen = checked(cli, edited(saved["star"], "certificate.lower.3.reason", text))
    assert all(line.isprintable() and "99" not in line[:30] for line in seen.out.splitlines())
