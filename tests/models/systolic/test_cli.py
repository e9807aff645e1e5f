"""Systolic problems on the command line: bad input, analyse and construct."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from tests.command_line import Cli, refused
from tests.models.systolic.saved_results import (
    CASES,
    Mutation,
    change,
    loaded,
    repeated_round,
)
from tests.needs import needs

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
    "gossip on a path": "construct telephone gossip cycle:5 --period 4 --algorithm path-program",
    "no number of rounds suffices": "construct telegraph gossip path:5 --period 3 --algorithm path-program",
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


@needs("drawing")
@pytest.mark.parametrize("name", BAD_SCHEDULES)
def test_analyse_refuses_what_is_illegal(cli: Cli, files: Path, name: str) -> None:
    """A schedule that breaks a rule, or a file without one, is not analysed."""
    mutate, reason = BAD_SCHEDULES[name]
    data = loaded(files, "gossip")
    mutate(data)
    Path("file.json").write_text(json.dumps(data))
    assert reason in refused(cli("analyse file.json")).replace("node 77", "'77'")


@needs("drawing")
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


@needs("drawing")
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
