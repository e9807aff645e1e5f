"""Spoilt schedules and certificates are refused by name; bad questions in one line."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from schedsolve import Network, Options, build_problem, solve
from schedsolve.certify.check import check_data
from schedsolve.modelkit.result import result_to_json
from schedsolve.models.synchronous.claims.hops import routes
from schedsolve.models.synchronous.rules import Send, Step, StepSchedule, replay
from schedsolve.runtime.errors import InputError


@pytest.fixture(scope="module")
def allgather() -> dict[str, Any]:
    """The certified result of an allgather on dgx1 in two steps."""
    problem = build_problem("synchronous", "allgather", Network.from_spec("dgx1"), {"steps": 2})
    data: dict[str, Any] = json.loads(json.dumps(result_to_json(solve(problem, Options(certify=True)))))
    assert not check_data(data).failed
    return data


def drop(data: dict[str, Any]) -> None:
    data["schedule"]["steps"][1]["sends"][0]["chunks"].pop()


def double(data: dict[str, Any]) -> None:
    send = data["schedule"]["steps"][1]["sends"][0]
    send["chunks"].append(send["chunks"][0])


def move_earlier(data: dict[str, Any]) -> None:
    """A chunk that its sender only gets in the first step."""
    first, second = data["schedule"]["steps"]
    got = {(send["to"], chunk) for send in first["sends"] for chunk in send["chunks"]}
    for send in second["sends"]:
        for chunk in send["chunks"]:
            if (send["from"], chunk) in got:
                send["chunks"].remove(chunk)
                first["sends"].append({**send, "chunks": [chunk]})
                return


def shorten(data: dict[str, Any]) -> None:
    max(data["schedule"]["steps"], key=lambda step: step["rounds"])["rounds"] -= 1


def miscount(data: dict[str, Any]) -> None:
    data["rounds"] += 1


def prices(data: dict[str, Any]) -> Any:
    bounds = [b for b in data["certificate"]["lower"] if b["evidence"]["kind"] == "prices"]
    return bounds[-1]["evidence"]["tables"][0]["prices"]


def raise_price(data: dict[str, Any]) -> None:
    prices(data)[0][3] = "1000"


def lower_price(data: dict[str, Any]) -> None:
    prices(data)[0][3] = "-1"


def break_symmetry(data: dict[str, Any]) -> None:
    bounds = [b for b in data["certificate"]["lower"] if b["evidence"]["kind"] == "prices"]
    bounds[-1]["evidence"]["symmetries"][-1] = [1, 0, 2, 3, 4, 5, 6, 7]


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (drop, "does not hold chunk"),
        (double, "twice"),
        (move_earlier, "does not hold chunk"),
        (shorten, "the link from"),
        (miscount, "rounds, but the schedule has 3"),
        (raise_price, "its evidence proves"),
        (lower_price, "the price -1 is negative"),
        (break_symmetry, "no automorphism"),
    ],
)
def test_spoilt_results(
    allgather: dict[str, Any], spoil: Callable[[dict[str, Any]], None], words: str
) -> None:
    """A chunk dropped, doubled or sent too early, a step too short, a price raised: each is named."""
    data = copy.deepcopy(allgather)
    spoil(data)
    report = check_data(data)
    assert report.failed
    assert any(words in line for line in report.lines), report.lines


FORK = Network(4, ((0, 3), (1, 3), (2, 3)), bandwidths=(2, 1, 1), switches=frozenset({3}))


@pytest.mark.parametrize(
    ("sends", "rounds", "words"),
    [
        ([Send(0, 1, (0,), (3,)), Send(0, 2, (0,), (3,))], 1, None),
        ([Send(0, 1, (0,)), Send(0, 2, (0,), (3,))], 1, "there is no link from 0 to 1"),
        ([Send(0, 1, (0,), (2,))], 1, "passes 2, which is no switch"),
        ([Send(0, 1, (0,), (3, 3))], 1, "passes a switch twice"),
        ([Send(0, 3, (0,))], 1, "node 3 is a switch"),
        ([Send(1, 2, (0,), (3,))], 1, "node 1 does not hold chunk 0"),
        ([Send(0, 1, (0,), (3,)), Send(1, 2, (0,), (3,))], 1, "node 1 does not hold chunk 0"),
        ([Send(0, 1, (5,), (3,))], 1, "there is no chunk 5"),
        ([Send(0, 1, (0,), (3,)), Send(0, 1, (0,), (3,))], 1, "sent to node 1 twice"),
        ([Send(0, 1, (0,), (3,))], 1, "node 2 does not hold chunk 0"),
        ([Send(0, 1, (0,), (3,))], 0, "it lasts 0 rounds"),
    ],
)
def test_switches(sends: list[Send], rounds: int, words: str | None) -> None:
    """A send through a switch loads every link; the switch neither copies nor keeps."""
    problem = build_problem("synchronous", "broadcast", FORK, {"steps": 1, "chunks": 1})
    violation = replay(problem, StepSchedule((Step(rounds, tuple(sends)),), 1)).violation
    assert (violation is None) == (words is None)
    assert words is None or words in (violation or "")


@pytest.mark.parametrize(
    ("task", "spec", "options", "words"),
    [
        ("allgather", "dgx1", {}, "needs steps"),
        ("allgather", "dgx1", {"steps": 0}, "steps takes a number from 1"),
        ("allgather", "dgx1", {"steps": 2, "chunks": 0}, "chunks takes a number from 1"),
        ("allgather", "dgx1", {"steps": 2, "chunks": 1, "rounds": 0}, "rounds takes a number from 1"),
        ("allgather", "dgx1", {"steps": 3, "chunks": 1, "rounds": 2}, "3 steps take as many rounds"),
        ("allgather", "dgx1", {"steps": 3, "rounds": 4}, "goes with chunks"),
        ("allgather", "path:1", {"steps": 1}, "two compute nodes"),
        ("broadcast", "graph6:E?_?", {"steps": 3}, "there is no path from node"),
        ("gather", "a100:2", {"steps": 2, "root": 16}, "node 16 is a switch"),
        ("broadcast", "dgx1", {"steps": 2, "source": "min"}, "needs one given node"),
        ("allgather", "hypercube:13", {"steps": 20}, "at most 4096 nodes"),
    ],
)
def test_bad_questions(task: str, spec: str, options: dict[str, Any], words: str) -> None:
    """What cannot be posed is refused in one line."""
    with pytest.raises(InputError, match=words) as raised:
        build_problem("synchronous", task, Network.from_spec(spec), options)
    assert "\n" not in str(raised.value)


def test_a_long_chain_of_switches() -> None:
    """Ways through 1500 switches, one behind the other."""
    links = tuple((i, i + 1) for i in range(1501))
    (there, back) = routes(Network(1502, links, switches=frozenset(range(1, 1501))))
    assert (there.sender, there.receiver, there.switches) == (0, 1501, tuple(range(1, 1501)))
    assert back.links == tuple((i, i - 1) for i in range(1501, 0, -1))
