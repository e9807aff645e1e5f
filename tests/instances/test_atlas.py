"""The atlas that ships: what it has is complete, the same in the files that are made of it, and what brute
force finds on the smallest networks. `make atlas-check` verifies its certificates.
"""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

from schedsolve import Network, results_frame
from schedsolve.network.classes.invariants import invariants
from schedsolve.network.classes.sets import networks_of
from tests.command_line import Cli
from tests.reference import brute_force, line_brute_force
from tests.reference.systolic_brute_force import systolic_gossip_rounds

ATLAS = Path(__file__).parents[2] / "instances" / "atlas"
CONNECTED = {2: 1, 3: 2, 4: 6, 5: 21, 6: 112, 7: 853}
"""Connected graphs by their nodes, OEIS A001349."""
TREES = {2: 1, 3: 1, 4: 2, 5: 3, 6: 6, 7: 11, 8: 23, 9: 47, 10: 106, 11: 235, 12: 551}
"""Trees by their nodes, OEIS A000055."""

Row = dict[str, str]
Question = tuple[str, str, str]
BEST, WORST = ("telephone", "broadcast", "source=min"), ("telephone", "broadcast", "source=max")
GOSSIP = {True: ("telephone", "gossip", ""), False: ("telegraph", "gossip", "")}
PERIOD = {two_way: (model, task, "period=min") for two_way, (model, task, _) in GOSSIP.items()}
LINE = ("line", "gossip", "ports=all")


@cache
def rows() -> list[Row]:
    """The rows of the CSV."""
    with (ATLAS / "atlas.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@cache
def values() -> dict[str, dict[Question, Row]]:
    """For every network the rows by their questions."""
    found: dict[str, dict[Question, Row]] = {}
    for row in rows():
        found.setdefault(row["network"], {})[row["model"], row["task"], row["parameters"]] = row
    return found


def test_every_network_has_every_row_once() -> None:
    """As many graphs and trees as there are, and for each the questions that are asked of it, all optimal."""
    assert len(rows()) == sum(map(len, values().values()))
    expected: Counter[Question] = Counter()
    for n in range(2, 13):
        all_of_them = CONNECTED.get(n, TREES[n])
        expected.update(dict.fromkeys([BEST, WORST, *GOSSIP.values()], all_of_them))
        expected[LINE] += TREES[n]
        expected.update(dict.fromkeys(PERIOD.values(), TREES[n] if n <= 8 else 0))
    assert Counter(question for asked in values().values() for question in asked) == expected
    graphs = Counter(int(next(iter(asked.values()))["n"]) for asked in values().values())
    assert graphs == {**TREES, **CONNECTED}
    assert {(row["status"], row["value"] == row["lower_bound"]) for row in rows()} == {("optimal", True)}


def test_the_networks_are_those_of_the_list() -> None:
    """The sets of the list of problems, without a further one isomorphic to another."""
    listed = [network for spec in ("graphs:2..7", "trees:8..12") for network in networks_of(spec)]
    assert {network.name for network in listed} == set(values())
    small = [network.name for network in networks_of(str(ATLAS / "small-trees.g6"))]
    assert small == [network.name for network in listed if network.is_tree and network.node_count <= 7]
    for network in listed[:300] + listed[-20:]:
        said = next(iter(values()[network.name].values()))
        for name, value in invariants(network).items():
            if name in said:
                shown = "" if value is None else str(int(value) if isinstance(value, bool) else value)
                assert said[name] == shown, (network.name, name)


def graphs(n: int) -> dict[str, nx.Graph]:
    """The networks of the atlas with so many nodes, as graphs of networkx."""
    found = {name: nx.from_graph6_bytes(name.removeprefix("graph6:").encode()) for name in values()}
    return {name: graph for name, graph in found.items() if len(graph) == n}


def value(name: str, question: Question) -> int:
    return int(values()[name][question]["value"])


@pytest.mark.parametrize("n", [2, 3, 4, pytest.param(5, marks=pytest.mark.slow)])
def test_broadcast_and_gossip_agree_with_brute_force(n: int) -> None:
    """From every source, by calls in both modes: the best and the worst source; the gossip."""
    for name, graph in graphs(n).items():
        for two_way in (True, False):
            rounds = [brute_force.broadcast_rounds(graph, two_way, [source]) for source in graph]
            assert (value(name, BEST), value(name, WORST)) == (min(rounds), max(rounds)), name
            for question, found in ((BEST, min(rounds)), (WORST, max(rounds))):
                assert rounds[int(values()[name][question]["node"])] == found
            assert value(name, GOSSIP[two_way]) == brute_force.gossip_rounds(graph, two_way), name


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_line_gossip_agrees_with_brute_force(n: int) -> None:
    """In all trees, with all ports."""
    for name, graph in graphs(n).items():
        if nx.is_tree(graph):
            assert value(name, LINE) == line_brute_force.gossip_rounds(graph, None), name


@pytest.mark.parametrize("two_way", [True, False])
def test_least_periods_agree_with_brute_force(two_way: bool) -> None:
    """The first period with which a gossip takes no more rounds than without one."""
    for name, graph in {**graphs(2), **graphs(3), **graphs(4)}.items():
        if nx.is_tree(graph):
            best = brute_force.gossip_rounds(graph, two_way)
            period = next(p for p in range(1, 99) if systolic_gossip_rounds(graph, two_way, p) == best)
            row = values()[name][PERIOD[two_way]]
            assert (int(row["value"]), int(row["period"])) == (best, period), name


def test_the_page_has_the_values_of_the_table(cli: Cli) -> None:
    """For every network and question, and the same edges."""
    assert cli(f"draw {ATLAS / 'atlas.csv'} -o atlas.html").status == 0
    page = Path("atlas.html").read_text(encoding="utf-8")
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page)
    assert found is not None
    data: dict[str, Any] = json.loads(found[1])
    columns = {column["name"]: cells for column, cells in zip(data["columns"], data["values"], strict=True)}
    assert columns["network"] == list(values())
    for question in (BEST, WORST, *GOSSIP.values(), LINE, *PERIOD.values()):
        model, task, parameters = question
        name = re.sub("source=|ports=all", "", f"{model}_{task}_{parameters}").replace("=", "_").rstrip("_")
        answer = "period" if question in PERIOD.values() else "value"
        shown = [asked[question][answer] if question in asked else None for asked in values().values()]
        assert [None if cell is None else str(cell) for cell in columns[name]] == shown, name
    for name, drawn in zip(values(), data["networks"], strict=True):
        assert drawn["edges"] == [v for edge in Network.from_spec(name).edges for v in edge]


def test_csv_and_parquet_hold_the_same(cli: Cli) -> None:
    """Every cell; `pip install 'schedsolve[tables]'`."""
    pytest.importorskip("pyarrow")
    pytest.importorskip("pandas")
    from pyarrow import parquet

    names = list(rows()[0])
    table = ATLAS / "atlas.csv"
    assert cli(f"results {table} --columns {','.join(names)} --output atlas.parquet").status == 0
    assert parquet.read_table("atlas.parquet").column_names == names
    left, right = (results_frame(str(file), columns=names) for file in (table, "atlas.parquet"))
    assert len(left) == len(rows())
    assert left.equals(right)
