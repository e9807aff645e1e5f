"""Designs: published tables, what `check` says of their files, altered files, and the command."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from itertools import combinations, combinations_with_replacement
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

from schedsolve import design
from schedsolve.certify.check import check_data
from schedsolve.certify.report import CheckReport
from schedsolve.experiments.designs.by_model import matching
from schedsolve.experiments.designs.by_model.matching import fewest_links, least_degree, reached
from schedsolve.modelkit.result import Status
from schedsolve.network.classes.canonical_form import Rows
from schedsolve.network.classes.network_class import NetworkClass, network_from_text
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError
from schedsolve.solving.clock import Clock
from tests.command_line import Cli, json_of, refused
from tests.reference import brute_force
from tests.reference.brute_force import atlas

GOSSIP = {2: 1, 3: 2, 4: 4, 5: 5, 6: 6, 7: 7, 8: 12, 9: 9}
"""OEIS A317185."""
BROADCAST = {2: 1, 3: 2, 4: 4, 5: 5, 6: 6, 7: 8, 8: 12, 9: 10, 15: 24, 16: 32}
"""OEIS A007192."""
ONE_WAY = {2: 1, 3: 2, 4: 3, 5: 5, 6: 6, 7: 6}


@cache
def saved(model: str, task: str, nodes: int, **options: Any) -> str:
    return json.dumps(design(model, task, nodes, **options).to_json())


def check(text: str, change: Callable[[Any], object] = lambda _: None) -> CheckReport:
    data = json.loads(text)
    change(data)
    return check_data(data)


@pytest.mark.parametrize("n", GOSSIP)
def test_minimum_gossip_graphs(n: int) -> None:
    found = design("telephone", "gossip", n)
    assert (found.status, found.sides.edges) == (Status.OPTIMAL, GOSSIP[n])


@pytest.mark.parametrize("n", BROADCAST)
def test_minimum_broadcast_graphs(n: int) -> None:
    found = design("telephone", "broadcast", n)
    assert (found.status, found.sides.edges) == (Status.OPTIMAL, BROADCAST[n])


@pytest.mark.parametrize("n", ONE_WAY)
def test_one_way_gossip_graphs(n: int) -> None:
    found = design("telegraph", "gossip", n)
    assert (found.status, found.sides.edges) == (Status.OPTIMAL, ONE_WAY[n])


@pytest.mark.parametrize(
    ("two_way", "n"), [(True, 2), (True, 3), (True, 4), (True, 5), (False, 2), (False, 3), (False, 4)]
)
def test_all_gossip_graphs_by_brute_force(n: int, two_way: bool) -> None:
    """Every connected graph by a search that tries everything: the least rounds, then the fewest edges."""
    graphs = [g for g in atlas() if len(g) == n and nx.is_connected(g)]
    value = {g: (brute_force.gossip_rounds(g, two_way), g.number_of_edges()) for g in graphs}
    best = min(value.values())
    found = design("telephone" if two_way else "telegraph", "gossip", n, every=True)
    assert (found.sides.reached, found.sides.edges) == best
    assert found.networks is not None
    assert len(found.networks) == sum(v == best for v in value.values())


@pytest.mark.parametrize("choice", ["min", "max"])
def test_broadcasts_by_brute_force(choice: str) -> None:
    """From every source of every connected graph with five nodes."""
    graphs = [g for g in atlas() if len(g) == 5 and nx.is_connected(g)]
    every = min if choice == "min" else max
    best = min(
        (every(brute_force.broadcast_rounds(g, True, [s]) for s in g), g.number_of_edges()) for g in graphs
    )
    found = design("telephone", "broadcast", 5, source=choice)
    assert (found.sides.reached, found.sides.edges) == best


def test_no_node_of_a_fast_network_has_a_smaller_degree() -> None:
    """The least degree against all connected graphs with up to six nodes; the cube attains it."""
    for graph in (g for g in atlas() if 2 <= len(g) <= 6 and nx.is_connected(g)):
        rounds = max(brute_force.broadcast_rounds(graph, True, [s]) for s in graph)
        low = min(d for _, d in graph.degree())
        assert least_degree("broadcast", len(graph), rounds, "max") <= low
    assert [least_degree("gossip", n, 3, "max") for n in (5, 6, 7, 8, 9)] == [1, 2, 2, 3, 9]
    assert least_degree("broadcast", 8, 3, "min") == 0


def test_no_fast_network_has_fewer_links() -> None:
    """What degrees exclude, against all connected graphs with up to six nodes; one more in minimum ones."""
    for graph in (g for g in atlas() if 2 <= len(g) <= 6 and nx.is_connected(g)):
        rounds = {v: brute_force.broadcast_rounds(graph, True, [v]) for v in graph}
        assert fewest_links("broadcast", len(graph), max(rounds.values()), "max") <= graph.number_of_edges()
        for v, taken in rounds.items():
            assert reached([graph.degree(w) for w in graph[v]], taken) >= len(graph)
    least = {7: 8, 10: 12, 13: 16, 15: 24, 26: 42, 27: 44, 30: 0, 31: 65}
    for n, links in least.items():
        assert fewest_links("broadcast", n, (n - 1).bit_length(), "max") == links
    assert fewest_links("broadcast", 15, 4, "min") == fewest_links("broadcast", 15, 3, "max") == 0
    assert [reached(near, 4) for near in ((4, 4, 3), (3, 3, 3), (4, 3), (3, 4), (9,))] == [15, 14, 13, 13, 9]


@pytest.mark.parametrize("nodes", range(2, 7))
def test_least_sums_of_degrees(nodes: int) -> None:
    """Against all sequences of degrees in which large ones sum to the number of least ones or more."""
    for least, near in combinations(range(1, 7), 2):
        sums = [
            sum(degrees)
            for degrees in combinations_with_replacement(range(least, near + 2), nodes)
            if degrees.count(least) <= sum(d for d in degrees if d >= near)
        ]
        assert matching.least_degree_sum(nodes, least, near) == min(sums)


def test_what_degrees_exclude_is_checked() -> None:
    """Of 15 nodes with three links each no network of 23 links is generated; less is not believed."""
    text = saved("telephone", "broadcast", 15)
    assert json.loads(text)["evidence"]["levels"] == []
    assert check(text).complete
    assert not check(text, lambda data: data.update(lower_bound=25)).complete


CLASSES: list[tuple[tuple[str, str, int], dict[str, Any], tuple[int, int]]] = [
    (("telephone", "gossip", 8), {"max_degree": 2}, (4, 8)),
    (("telephone", "gossip", 8), {"regular": 3}, (3, 12)),
    (("telephone", "gossip", 6), {"bipartite": True}, (3, 6)),
    (("telephone", "gossip", 8), {"circulant": True}, (3, 12)),
    (("telephone", "gossip", 6), {"edges": 5}, (5, 5)),
    (("telephone", "gossip", 6), {"rounds": 5}, (5, 5)),
    (("telegraph", "gossip", 4), {"directed": True}, (4, 4)),
    (("synchronous", "allgather", 10), {"regular": 3}, (2, 15)),
    (("synchronous", "allgather", 16), {"max_degree": 4, "circulant": True, "edges": "least"}, (3, 32)),
    (("synchronous", "allgather", 6), {"max_degree": 3, "edges": "least"}, (2, 7)),
    (("synchronous", "allgather", 6), {"steps": 1}, (1, 15)),
]


@pytest.mark.parametrize(("asked", "options", "value"), CLASSES)
def test_classes_and_their_files(
    asked: tuple[str, str, int], options: dict[str, Any], value: tuple[int, int]
) -> None:
    """Rounds and links, and everything that the file claims is verified. The Petersen graph is the only cubic
    one of diameter 2 with ten nodes.
    """
    data = json.loads(saved(*asked, **options))
    assert (data["status"], data.get("rounds", data.get("steps")), data["edges"]) == ("optimal", *value)
    assert check(saved(*asked, **options)).complete


def test_least_diameters_of_small_networks() -> None:
    """Allgather in S steps against the diameters of all graphs of the atlas with six nodes."""
    graphs = [g for g in atlas() if len(g) == 6 and nx.is_connected(g)]
    best = min((nx.diameter(g), g.number_of_edges()) for g in graphs if max(d for _, d in g.degree()) <= 3)
    found = design("synchronous", "allgather", 6, max_degree=3, edges="least")
    assert (found.sides.reached, found.sides.edges) == best


def test_given_rounds_and_links_are_decided() -> None:
    asked: list[tuple[dict[str, int], str]] = [
        ({"rounds": 4, "edges": 6}, "feasible"),
        ({"rounds": 3, "edges": 5}, "infeasible"),
        ({"rounds": 2}, "infeasible"),
        ({"rounds": 3, "edges": 6}, "feasible"),
        ({"edges": 5}, "optimal"),
    ]
    for options, status in asked:
        text = saved("telephone", "gossip", 6, **options)
        assert json.loads(text)["status"] == status
        assert check(text).complete


def test_a_time_limit_leaves_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """A class too large to go through ends at the limit, and nothing is claimed that is not proven; the
    complete network has all the time that it takes.
    """
    monkeypatch.setattr("schedsolve.experiments.designs.design.SHARE_OF_COMPLETE", 0.001)
    found = design("telephone", "gossip", 40, time_limit=0.3)
    assert found.status in (Status.UNKNOWN, Status.BOUNDED)
    assert (found.sides.limit, found.sides.finished) == (6, False)


@pytest.mark.parametrize(("workers", "share"), [(1, 10.0), (2, 1.0)])
def test_what_a_time_limit_counts(monkeypatch: pytest.MonkeyPatch, workers: int, share: float) -> None:
    """CPU time, and ten times as long by the clock at the most; the clock alone where workers decide."""
    clocks: list[Clock] = []

    def designed(_: object, clock: Clock, *__: object) -> None:
        clocks.append(clock)

    monkeypatch.setattr("schedsolve.experiments.designs.design._designed", designed)
    design("telephone", "gossip", 5, time_limit=8, workers=workers)
    assert clocks[0].left_by_the_clock == pytest.approx(8 * share, abs=1)
    assert clocks[0].left == pytest.approx(8, abs=1)


def _six() -> str:
    return saved("telephone", "gossip", 6, every=True)


def _other_network(data: Any) -> None:
    data["network"] = "E???"


def _lower_digest(data: Any) -> None:
    level = data["evidence"]["levels"][-1]
    level["digest"] = level["digest"][:-1] + ("0" if level["digest"][-1] != "0" else "1")


ASKED_FOR_FIVE: dict[str, Any] = {"asked": {"rounds": 3, "edges": 5}}
NOTHING_FOUND: dict[str, Any] = {
    "network": None,
    "networks": None,
    "result": None,
    "edges": None,
    "rounds": None,
}
FAILED: list[tuple[str, Callable[[Any], object]]] = [
    ("is in the class|network|disconnected", _other_network),
    ("links, not 7", lambda data: data.update(edges=7)),
    ("no number of links", lambda data: data.update(edges=None)),
    ("another problem", lambda data: data.update(network="ExCG")),
    ("digest", _lower_digest),
    ("0 networks", lambda data: data["evidence"]["levels"][-1].update(graphs=1)),
    ("suffice for 1", lambda data: data["evidence"]["levels"].append(_working_level())),
    ("are found", lambda data: data["networks"].pop()),
    ("are found", lambda data: data["networks"].append(data["networks"][0])),
    ("schedule", lambda data: data["result"]["schedule"]["rounds"].pop()),
    ("no schedule", lambda data: data["result"].update(status="unknown")),
    ("degrees from", lambda data: data.update({"class": {"max_degree": 1}})),
    ("no network of the class has 16 links", lambda data: data["evidence"]["levels"].append(_empty_level())),
    ("complete network: another network", lambda data: data["evidence"].update(complete=_of_five())),
    ("infeasible design has no network", lambda data: data.update(ASKED_FOR_FIVE, status="infeasible")),
]


def _of_five() -> Any:
    """Of five nodes a gossip takes a round more than of six."""
    return json.loads(saved("telephone", "gossip", 5))["evidence"]["complete"]


def _empty_level() -> dict[str, Any]:
    """A level of more links than a network has, which would exclude all networks with fewer."""
    return {"limit": 3, "edges": 16, "least_degree": 2, "graphs": 0, "digest": "0" * 64}


def _working_level() -> dict[str, Any]:
    """The level of the network itself, honestly counted, which excludes nothing."""
    from schedsolve.experiments.designs.levels import decided
    from schedsolve.experiments.designs.wanted import wanted

    return decided(wanted("telephone", "gossip", NetworkClass(6)).question(3), 6).to_json()


@pytest.mark.parametrize(("words", "change"), FAILED)
def test_false_claims_fail(words: str, change: Callable[[Any], object]) -> None:
    import re

    report = check(_six(), change)
    assert report.failed
    assert re.search(words, "\n".join(line for line in report.lines if line.startswith("FAILED")))


UNPROVEN: list[tuple[str, Callable[[Any], object]]] = [
    ("at least 6 links", lambda data: data["evidence"]["levels"].pop()),
    ("at least 3 rounds", lambda data: data["evidence"].update(complete=None)),
    ("status optimal", lambda data: data.update(lower_bound=5)),
    ("at least 4 rounds", lambda data: data.update(least_rounds=4)),
    ("status optimal", lambda data: data.update(result=None)),
    ("remark", lambda data: data.update(remark=1)),
    ("15 links", lambda data: data.update(ASKED_FOR_FIVE, status="bounded", lower_bound=15)),
    ("at least 6 links", lambda data: data.update(NOTHING_FOUND, status="unknown")),
    ("6 links, 3 rounds", lambda data: data.update(result=None, status="bounded")),
    ("5 links", lambda data: data.update({**NOTHING_FOUND, "edges": 5, "status": "bounded"})),
]


@pytest.mark.parametrize(("words", "change"), UNPROVEN)
def test_claims_without_proof_are_not_verified(words: str, change: Callable[[Any], object]) -> None:
    report = check(_six(), change)
    assert not report.complete
    assert any(words in claim for claim in report.unverified), report.unverified


REFUSED: list[tuple[str, Callable[[Any], object]]] = [
    ("no designs for", lambda data: data.update(model="routing")),
    ("from 2 to", lambda data: data.update(nodes=True)),
    ("class of networks", lambda data: data.update({"class": {"chordal": True}})),
    ("class of networks", lambda data: data.update({"class": {"directed": 1}})),
    ("kind generation", lambda data: data["evidence"].update(kind="trust")),
    ("no status", lambda data: data.update(status="certain")),
    ("a level", lambda data: data["evidence"]["levels"].append({})),
    ("a level", lambda data: data["evidence"]["levels"][0].update(graphs=None)),
    ('"source"', lambda data: data.update(source="max")),
    ("is an object", lambda data: data.update(asked=[])),
    ("graph6", lambda data: data.update(network="!")),
    ("number", lambda data: data.update(edges=-1)),
    ("number", lambda data: data.update(lower_bound=1.0)),
    ("is a list", lambda data: data["evidence"].update(levels={})),
    ("is a list", lambda data: data.update(networks="E")),
    ("both ways", lambda data: data.update({"class": {"directed": True}})),
]


@pytest.mark.parametrize(("words", "change"), REFUSED)
def test_what_is_no_design_is_refused(words: str, change: Callable[[Any], object]) -> None:
    with pytest.raises(InputError, match=words):
        check(_six(), change)


def test_many_networks_are_decided_again_only_where_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("schedsolve.experiments.designs.check_design.MOST_NETWORKS", 0)
    report = check(saved("telephone", "gossip", 7))
    assert not report.failed
    assert any("6 links" in claim for claim in report.unverified)


def test_why_a_network_is_no_member() -> None:
    path = Network(4, ((0, 1), (1, 2), (2, 3)))
    triangle = Network(4, (*combinations(range(3), 2), (2, 3)))
    assert NetworkClass(4).why_not(path) is None
    assert "no undirected" in str(NetworkClass(5).why_not(path))
    assert "degrees from 1 to 3" in str(NetworkClass(4, max_degree=2).why_not(triangle))
    assert "degrees from 1 to 2" in str(NetworkClass(4, regular=2).why_not(path))
    assert "bipartite" in str(NetworkClass(4, bipartite=True).why_not(triangle))
    assert "circulant" in str(NetworkClass(4, circulant=True).why_not(path))
    assert "connected" in str(NetworkClass(4).why_not(Network(4, ((0, 1), (2, 3)))))


@pytest.mark.parametrize("nodes", range(2, 13))
def test_circulants_up_to_a_degree_are_those_of_all(nodes: int) -> None:
    """Even and odd degrees, a jump of half the nodes included."""

    def rows(**limits: int) -> list[Rows]:
        members = NetworkClass(nodes, circulant=True, **limits)  # type: ignore[arg-type]
        return [one for edges in members.edge_counts() for one in members.members(edges)]

    for degree in range(1, nodes):
        assert rows(max_degree=degree) == [one for one in rows() if one[0].bit_count() <= degree]


def test_the_command(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The verdict, the JSON, a file that check verifies, and the network alone."""
    monkeypatch.chdir(tmp_path)
    run = cli("design telephone gossip --nodes 6 --all -o six.json")
    assert run.status == 0
    assert run.out.startswith("optimal: 6 links, 3 rounds, proven\n")
    assert "all 1:" in run.out
    assert cli("check six.json --strict").status == 0
    data = json_of(cli("design telephone gossip --nodes 6 --json"))
    assert (data["status"], data["edges"], data["rounds"], data["lower_bound"]) == ("optimal", 6, 3, 6)
    assert len(network_from_text(data["network"]).edges) == 6
    run = cli("design synchronous allgather --nodes 5 --steps least --max-degree 2 -o five.edges -q")
    assert run.out == "optimal: 5 links, 2 steps, time 2, proven\n"
    assert len(Network.from_spec("five.edges").edges) == 5
    directed = json_of(cli("design telegraph gossip --nodes 3 --directed --json"))
    assert network_from_text(directed["network"]).directed


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("routing permutation --nodes 4", "no designs for routing"),
        ("telephone multicast --nodes 4", "no designs for telephone multicast"),
        ("telephone gossip --nodes x", "is no whole number"),
        ("telephone gossip --nodes 1", "from 2 to"),
        ("telephone gossip --nodes 5 --source min", "--source means nothing"),
        ("telephone broadcast --nodes 5 --source 3", "--source of a design"),
        ("telephone gossip --nodes 5 --directed", "both ways"),
        ("telephone gossip --nodes 5 --regular 3", "odd number of ends"),
        ("telephone gossip --nodes 6 --regular 3 --max-degree 2", "larger degree"),
        ("telephone gossip --nodes 5 --max-degree 5", "from 1 to 4"),
        ("telephone gossip --nodes 5 --edges 3", "so few links"),
        ("telephone gossip --nodes 5 --rounds -1", "--rounds takes"),
        ("telephone gossip --nodes 5 --steps 3", "counts rounds"),
        ("synchronous allgather --nodes 5 --rounds 3", "counts steps"),
        ("pipelined allgather --nodes 5 --directed --regular 2", "undirected"),
        ("telegraph gossip --nodes 5 --directed --circulant", "undirected"),
        ("telephone gossip --nodes 25 --circulant", "refused"),
        ("telephone gossip --nodes 5 --bipartite --circulant", "there is none"),
        ("telephone gossip --nodes 6 -o six.txtt", "ends in .json"),
        ("telephone gossip --nodes 6 -o nowhere/six.json", "no folder"),
    ],
)
def test_bad_input(cli: Cli, line: str, words: str) -> None:
    assert words in refused(cli(f"design {line}"))
