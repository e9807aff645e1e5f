"""The pipelined model on the command line: solved, saved, checked, drawn, and refused in one line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from schedsolve.network.files.topology_file import network_to_topology
from tests.command_line import Cli, checked, json_of, refused
from tests.models.pipelined.problems import UNBALANCED
from tests.needs import needs


@needs("drawing")
@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("allgather dgx1", "7/6"), ("alltoall a100:2", "8/25"), ("broadcast mi250:1 --source 3", "1/300"),
        ("scatter path:4 --source 1", 2), ("gather path:4 --root 3", 3), ("alltoall petersen", 5),
    ],
)  # fmt: skip
def test_optimal_and_checked(cli: Cli, line: str, value: object) -> None:
    """Both sides meet; everything that the file claims is verified; the picture names the bottleneck."""
    data = json_of(cli(f"solve pipelined {line} --json --output result.json"))
    assert (data["status"], data["objective"], data["value"], data["lower_bound"]) == (
        "optimal", "time", value, value,
    )  # fmt: skip
    assert cli("check --strict result.json").status == 0
    assert cli("draw result.json -o picture.svg").status == 0
    assert "the bottleneck" in Path("picture.svg").read_text()


def test_a_weaker_link_in_the_file_is_named(cli: Cli) -> None:
    """The schedule no longer fits: the check fails and says over which link."""
    cli("solve pipelined allgather mi250:1 --output result.json")
    data = json.loads(Path("result.json").read_text())
    network = network_to_topology_of("mi250:1")
    for link in network["links"]:
        if link[:2] == [0, 4]:
            link[2] -= 1
    Path("weaker.topo").write_text(json.dumps(network))
    weaker = json_of(cli("solve pipelined allgather weaker.topo --json"))
    data["problem"] = weaker["problem"]
    seen = checked(cli, data)
    assert seen.status == 1
    assert "the link from 4 to 0 carries" in seen.out or "the link from 0 to 4 carries" in seen.out


def network_to_topology_of(spec: str) -> dict[str, list[list[int]]]:
    """A machine as the data of a .topo file."""
    return network_to_topology(type(UNBALANCED).from_spec(spec))


def test_an_unbalanced_switch_is_said(cli: Cli) -> None:
    """Bounded by 1 and 2, with exit status 3, and the bound names the switch."""
    Path("unbalanced.topo").write_text(json.dumps(network_to_topology(UNBALANCED)))
    data = json_of(cli("solve pipelined broadcast unbalanced.topo --json"), 3)
    assert (data["status"], data["lower_bound"], data["value"]) == ("bounded", 1, 2)
    assert "more bandwidth on one side: 3" in data["bounds"][0]["reason"]


TAMPERED: list[tuple[str, Any]] = [
    ("value", "80"),
    ("value", 0),
    ("value", None),
    ("evidence", {"kind": "flows", "time": "80"}),
    ("evidence", {"kind": "cut", "nodes": [0]}),
    ("evidence", {}),
    ("evidence", None),
    ("side", "lower"),
]


@needs("drawing")
def test_an_optimum_without_a_schedule(cli: Cli) -> None:
    """Too many trees to write: the cut, and the flows by which there are such trees, both recomputed."""
    data = json_of(cli("solve pipelined allgather random-regular:4,320,1 --json --output result.json"))
    assert (data["status"], data["value"], data["schedule"]) == ("optimal", "319/4", None)
    assert cli("check --strict result.json").status == 0
    assert "holds no schedule" in refused(cli("draw result.json -o picture.svg"))
    for key, new in TAMPERED:
        edited = json.loads(json.dumps(data))
        edited["certificate"]["upper"][0][key] = new
        assert checked(cli, edited).status == 1, (key, new)
    edited = json.loads(json.dumps(data))
    del edited["certificate"]["upper"]
    assert "has no schedule" in checked(cli, edited).out
    edited["certificate"]["lower"][0]["evidence"] = {"kind": "flows", "time": "319/4"}
    assert checked(cli, edited).status == 1


@pytest.mark.parametrize(
    "line",
    [
        "allgather path:1",
        "broadcast dgx1 --source 9",
        "broadcast a100:2 --source 17",
        "gather dgx1 --root 1,2",
        "scatter dgx1 --source min",
        "allgather dgx1 --rounds 3",
        "gossip dgx1",
        "allgather dgx1 --backend sat",
    ],
)
def test_bad_input(cli: Cli, line: str) -> None:
    """One compute node, no node, a switch, two roots, and what the model does not know."""
    refused(cli(f"solve pipelined {line}"))


def test_nobody_to_reach(cli: Cli) -> None:
    """Ways in one direction only."""
    Path("one-way.topo").write_text(
        '{"format": "schedsolve-topology/1", "compute": [0, 1, 2], "directed": true,'
        ' "links": [[0, 1, 2], [1, 2, 1]]}'
    )
    assert "there is no way" in refused(cli("solve pipelined alltoall one-way.topo"))
    assert json_of(cli("solve pipelined broadcast one-way.topo --json"))["value"] == 1
    refused(cli("solve pipelined gather one-way.topo --root 0"))


def test_bounds_and_constructions(cli: Cli) -> None:
    """`bounds` names the bottleneck with its links, `construct` replays what it built."""
    assert (
        "over bandwidth 6, that of the links 1>0, 2>0, 3>0, 4>0" in cli("bounds pipelined allgather dgx1").out
    )
    assert "time 4" in cli("construct pipelined allgather dgx1").out


@needs("machines")
@pytest.mark.parametrize(
    ("line", "steps", "rate"),
    [
        ("allgather dgx1 --chunks 60", 14, "22/15"), ("broadcast path:4 --chunks 9", 11, "11/9"),
        ("alltoall path:3 --chunks 2", 3, "5/2"), ("gather leaf-spine:2,2,1 --chunks 2 --node 3", 1, "3"),
    ],
)  # fmt: skip
def test_steps_are_replayed_by_the_synchronous_referee(cli: Cli, line: str, steps: int, rate: str) -> None:
    """The file is a legal schedule of the other model, with the steps and the rounds that were said."""
    said = cli(f"steps {line} -o steps.json").out
    assert said.startswith(f"{steps} step")
    assert f" {rate} rounds per chunk" in said
    assert cli("check --strict steps.json").status == 0
    problem = json.loads(Path("steps.json").read_text())["problem"]
    assert (problem["model"], problem["parameters"]["steps"]) == ("synchronous", steps)


@pytest.mark.parametrize(
    "line",
    [
        "allgather dgx1 --chunks 0",
        "allgather dgx1 --chunks 2 --node 1",
        "broadcast a100:2 --chunks 1 --node 17",
    ],
)
def test_steps_refused(cli: Cli, line: str) -> None:
    """No chunks, a node where there is none to choose, and a switch."""
    refused(cli(f"steps {line} -o steps.json"))
