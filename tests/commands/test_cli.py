"""The command line, run in this process: what it prints, its exit statuses, every kind of bad input, and what
`check` accepts.
"""

from __future__ import annotations

import gzip
import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command_line import Cli, Run, checked, json_of, refused
from tests.without_theorems import without_knowledge_sizes

HARD = "telegraph gossip random-regular:3,30,1"


SOLVED = {
    "telephone gossip complete:9": 5,
    "telegraph gossip path:21": 22,
    "telephone gossip tree:2,4": 15,
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
    result = json_of(cli(f"solve {HARD} --time-limit 0.2 --backend sat --output bounded.gz --json"), status=3)
    assert result["status"] == "bounded"
    assert 5 <= result["lower_bound"] < result["value"] == len(result["schedule"]["rounds"])
    assert json.loads(gzip.decompress(Path("bounded.gz").read_bytes())) == result
    assert (cli("check bounded.gz").status, "FAILED" in cli("check bounded.gz").out) == (0, False)
    result = json_of(
        cli(f"solve {HARD} --time-limit 0.2 --rounds {result['lower_bound'] + 1} --json"), status=3
    )
    assert result["status"] == "unknown"
    shown = cli(f"solve {HARD} --time-limit 0.2 --quiet")
    assert (shown.status, shown.err, shown.out.count("\n")) == (3, "", 1)
    assert shown.out.startswith("stopped at the time limit: at least ")


def test_without_certificate(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a certificate the check succeeds, and says that the lower bound is not certified, where only a
    search proves it.
    """
    without_knowledge_sizes(monkeypatch)
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
    built = json_of(cli("construct telephone gossip path:6 --json -o built.json"))
    assert (built["value"], built["algorithms"]["path-matchings"]) == (5, 5)
    assert cli("check --strict built.json").status == 0
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
