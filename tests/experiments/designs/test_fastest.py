"""Fastest networks: brute force over a class, what `check` says of the files, altered files, refusals."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from schedsolve import build_problem, fastest_network, solve
from schedsolve.certify.check import check_data
from schedsolve.certify.report import CheckReport
from schedsolve.experiments.designs.by_model.pipelined import DESIGNS, least_time
from schedsolve.modelkit.result import Status
from schedsolve.network.classes.network_class import NetworkClass, network_of
from schedsolve.runtime.errors import InputError
from schedsolve.runtime.limits.budget import trusting
from tests.command_line import Cli, json_of, refused


@cache
def saved(task: str, nodes: int, **options: Any) -> str:
    return json.dumps(fastest_network("pipelined", task, nodes, **options).to_json())


def check(text: str, change: Callable[[Any], object] = lambda _: None) -> CheckReport:
    data = json.loads(text)
    change(data)
    return check_data(data)


@pytest.mark.parametrize("task", ["allgather", "reduce-scatter", "allreduce", "alltoall"])
@pytest.mark.parametrize(
    ("nodes", "options"),
    [(4, {"max_degree": 2}), (5, {"max_degree": 3, "bipartite": True}), (6, {"regular": 3})],
)
def test_no_network_of_the_class_is_faster(task: str, nodes: int, options: Any) -> None:
    members = NetworkClass(nodes, **options)
    networks = [network_of(rows) for m in members.edge_counts() for rows in members.members(m)]
    problems = [build_problem("pipelined", task, network) for network in networks]
    times = [solve(problem).value for problem in problems]
    assert all(least_time(problem) <= (time or 0) for problem, time in zip(problems, times, strict=True))
    for m in members.edge_counts():
        in_class = DESIGNS["pipelined"].bound(task, members, m)
        at_most = [t for n, t in zip(networks, times, strict=True) if len(n.edges) <= m and t is not None]
        assert 0 < in_class <= min(at_most)
    found = fastest_network("pipelined", task, nodes, **options)
    assert found.status is Status.OPTIMAL
    assert found.value == found.lower_bound == min(time for time in times if time is not None)
    assert found.graphs in (0, len(networks))
    assert check(json.dumps(found.to_json())).complete


@pytest.mark.parametrize(("nodes", "time"), [(2, 1), (3, 1), (5, 1)])
def test_the_complete_network_passes_a_unit_on_every_link(nodes: int, time: int) -> None:
    assert fastest_network("pipelined", "alltoall", nodes, regular=nodes - 1).value == time


@pytest.mark.parametrize(
    ("task", "nodes", "degree", "time"),
    [
        ("allgather", 24, 4, Fraction(23, 4)),
        ("allreduce", 16, 3, Fraction(30, 48)),
        ("alltoall", 20, 6, Fraction(16, 3)),
        ("alltoall", 2, 1, 1),
    ],
)
def test_counting_alone_decides_larger_classes(task: str, nodes: int, degree: int, time: Fraction) -> None:
    found = fastest_network("pipelined", task, nodes, regular=degree)
    assert (found.value, found.status, found.graphs) == (time, Status.OPTIMAL, 0)
    assert check(json.dumps(found.to_json())).complete


def test_cubic_networks_and_circulants() -> None:
    assert fastest_network("pipelined", "alltoall", 10, regular=3).value == 5
    found = fastest_network("pipelined", "alltoall", 12, regular=4, circulant=True)
    assert (found.value, found.status) == (Fraction(14, 3), Status.OPTIMAL)


# Of the five cubic networks with eight nodes three are excluded by results alone.
CUBIC = {"nodes": 8, "regular": 3}


def test_others_are_excluded_by_results() -> None:
    data = json.loads(saved("alltoall", **CUBIC))
    assert len(data["evidence"]["results"]) == 3
    assert check(saved("alltoall", **CUBIC)).complete


def without_others(data: Any) -> None:
    data["evidence"]["results"] = []


def other_digest(data: Any) -> None:
    data["evidence"]["digest"] = "0" * 64


def fewer_graphs(data: Any) -> None:
    data["evidence"]["graphs"] -= 1


def larger_bound(data: Any) -> None:
    data["lower_bound"] = "1000"


def smaller_value(data: Any) -> None:
    data["value"] = data["lower_bound"] = "1"
    data["result"]["value"] = data["result"]["lower_bound"] = "1"


def other_network(data: Any) -> None:
    data["network"] = "G?????"


def other_class(data: Any) -> None:
    data["class"] = {"regular": 2}


def others_claim_more(data: Any) -> None:
    for result in data["evidence"]["results"]:
        result["lower_bound"] = "1000"


def other_task(data: Any) -> None:
    data["task"] = "allgather"


CHANGES = (
    without_others, other_digest, fewer_graphs, larger_bound, smaller_value, other_network, other_class,
    others_claim_more, other_task,
)  # fmt: skip


@pytest.mark.parametrize("change", CHANGES)
def test_an_altered_file_is_not_confirmed(change: Callable[[Any], None]) -> None:
    assert not check(saved("alltoall", **CUBIC), change).complete


def test_a_result_of_another_network_excludes_none() -> None:
    def alter(data: Any) -> None:
        data["evidence"]["results"] = [data["result"]] * len(data["evidence"]["results"])

    assert not check(saved("alltoall", **CUBIC), alter).complete


NOTHING: dict[str, Any] = {"value": None, "result": None, "network": None}
SAID: list[tuple[str, Callable[[Any], object]]] = [
    ("an optimal design has a time equal to its lower bound", lambda data: data.update(lower_bound=1)),
    ("status optimal: it does not follow", without_others),
    ("status optimal: it does not follow", lambda data: data["result"].update(remark=1)),
    *[("a time stands with its network", lambda data, key=key: data.update({key: None})) for key in NOTHING],
    *[
        ("a time stands with its network", lambda data, key=key: data.update(NOTHING | {key: data[key]}))
        for key in NOTHING
    ],
    ("for another problem: another network", lambda data: data.update(network="G?zTb_")),
    ("the network's result has no schedule of time 5", lambda data: data.update(value=5)),
    ("the network's result has no schedule", lambda data: data["result"].update(schedule=None)),
    ("it does not say", lambda data: data["evidence"]["results"][0].update(lower_bound=None)),
]


@pytest.mark.parametrize(("words", "change"), SAID)
def test_what_is_said_of_an_altered_file(words: str, change: Callable[[Any], object]) -> None:
    assert words in check(saved("alltoall", **CUBIC), change).text


def test_what_a_file_need_not_have(monkeypatch: pytest.MonkeyPatch) -> None:
    """A network, where none is found; many networks are generated again only where the size is trusted."""
    report = check(saved("alltoall", **CUBIC), lambda data: data.update(NOTHING, status="unknown"))
    assert report.complete
    monkeypatch.setattr("schedsolve.experiments.designs.check_networks.MOST_NETWORKS", 4)
    assert "5 networks are not generated again" in check(saved("alltoall", **CUBIC)).text
    with trusting():
        assert check(saved("alltoall", **CUBIC)).complete


def test_a_network_has_as_few_links_as_asked_for() -> None:
    def complete(data: Any) -> None:
        result = solve(build_problem("pipelined", "allgather", "graph6:C~"), certify=True).to_json()
        data.update(network="C~", result=json.loads(json.dumps(result)), value=1)

    assert "it has more than 4 links" in check(saved("allgather", 4, edges=4), complete).text


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("status", "infeasible"),
        ("asked", {}),
        ("evidence", {"kind": "generation"}),
        ("value", "many"),
        ("class", 1),
        ("network", "G??????"),
        ("objective", "links"),
        ("objective", None),
    ],
)
def test_a_file_that_is_none_is_refused(key: str, value: Any) -> None:
    with pytest.raises(InputError):
        check(saved("alltoall", **CUBIC), lambda data: data.update({key: value}))


def test_the_time_limit_keeps_honest_bounds() -> None:
    found = fastest_network("pipelined", "alltoall", 16, regular=3, time_limit=0.2)
    assert found.status is not Status.OPTIMAL
    assert found.lower_bound == 11
    assert check(json.dumps(found.to_json())).failures == 0


def test_the_command(cli: Cli, tmp_path: Any) -> None:
    data = json_of(cli("design pipelined alltoall --nodes 6 --regular 3 --json"))
    assert (data["value"], data["evidence"]["graphs"]) == ("7/3", 0)
    path = tmp_path / "fastest.json"
    printed = cli(f"design pipelined alltoall --nodes 6 --regular 3 -o {path}").out
    assert printed.startswith("optimal: time 7/3, 9 links, proven\nnetwork EFz_: 0-3 0-4")
    assert "evidence: cut, lengths, networks" in cli(f"check --strict {path}").out


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ("allreduce --nodes 5", "the fastest network is the complete one: limit degrees"),
        ("broadcast --nodes 5 --regular 2", "there are no designs for pipelined broadcast"),
        ("allgather --nodes 5 --regular 2 --rounds 3", "--rounds means nothing for pipelined"),
        ("allgather --nodes 5 --regular 2 --directed", "undirected"),
        ("allgather --nodes 5 --edges 3", "so few links"),
    ],
)
def test_refusals(cli: Cli, arguments: str, reason: str) -> None:
    assert reason in refused(cli(f"design pipelined {arguments}"))
