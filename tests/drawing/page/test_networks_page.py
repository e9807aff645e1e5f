"""The page of a store's networks, as far as it can be tested without a browser."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from schedsolve import Network, build_problem, solve
from schedsolve.modelkit.result import result_to_json
from schedsolve.network.classes.invariants import invariants
from schedsolve.solving.store import ResultKey, Store, record_of
from tests.command_line import Cli, refused
from tests.drawing.page.test_page import Outline

LABELLED = Network(3, ((0, 1), (1, 2)), labels=("a</script>", "b", "c"), name="my file.edges")
PROBLEMS: tuple[tuple[str, str, Network, dict[str, Any]], ...] = (
    ("telephone", "gossip", Network.from_spec("graph6:D`{"), {}),
    ("telephone", "gossip", Network.from_spec("path:5"), {"period": "min"}),
    ("telephone", "broadcast", LABELLED, {"source": "max"}),
    ("linear-cost", "broadcast", Network.from_spec("complete:4"), {"extra_rounds": 1}),
)


@pytest.fixture
def page(cli: Cli) -> Outline:
    """The page of a store with a few problems, another one open."""
    with Store("some.db", write=True) as store:
        for model, task, network, parameters in PROBLEMS:
            problem = build_problem(model, task, network, parameters)
            store.add(problem, ResultKey(), record_of(result_to_json(solve(problem))))
        still = build_problem("telegraph", "gossip", Network.from_spec("path:5"))
        data = {**result_to_json(solve(still)), "status": "bounded", "lower_bound": 4}
        store.add(still, ResultKey(), record_of(data))
    seen = cli("draw some.db -o some.html")
    assert (seen.status, seen.out, seen.err) == (0, "", "")
    return Outline(Path("some.html").read_text(encoding="utf-8"))


def test_the_page_has_what_the_store_has(page: Outline) -> None:
    """A row a network with its invariants and proven optima; edges, places for the nodes and their labels;
    and the command that solves each problem. The page is well formed and takes nothing from elsewhere.
    """
    assert page.open == []
    assert not any(name in ("src", "href") for _, name, _ in page.attributes)
    assert "default-src 'none'" in str(page.attributes)
    data = page.data
    rows = {
        row[0]: dict(zip([column["name"] for column in data["columns"]], row, strict=True))
        for row in zip(*data["values"], strict=True)
    }
    networks = dict(zip(rows, data["networks"], strict=True))
    for _, _, network, _ in PROBLEMS:
        row, drawn = rows[network.name], networks[network.name]
        assert all(row[name] == value for name, value in invariants(network).items() if name in row)
        assert drawn["edges"] == [v for edge in network.edges for v in edge]
        places = set(zip(drawn["points"][::2], drawn["points"][1::2], strict=True))
        assert len(places) == network.node_count
        assert all(0 <= c <= 100 for place in places for c in place)
    assert networks["my file.edges"]["labels"] == ["a</script>", "b", "c"]
    assert {name: drawn["posed"] for name, drawn in networks.items()} == {
        "graph6:D`{": 1, "path:5": 1, "my file.edges": 0, "complete:4": 1,
    }  # fmt: skip
    columns = {column["name"]: column for column in data["columns"]}
    assert rows["path:5"]["telephone_gossip_period_min"] == 2
    assert rows["path:5"]["telegraph_gossip"] is None
    assert columns["telephone_gossip_period_min"]["command"] == ["telephone gossip", "--period min"]
    cost = next(name for name in columns if "extra_rounds" in name)
    assert columns[cost]["fractions"] == {str(float(Fraction(3, 2))): "3/2"}
    assert rows["complete:4"][cost] == 1.5


def test_numbers_and_labels_leave_the_data_in_place(page: Outline) -> None:
    """Two scripts, the data and the program; every element that the program asks for is there."""
    assert len(page.texts["script"]) == 2
    ids = {value for _, name, value in page.attributes if name == "id"}
    assert set(re.findall(r'byId\("([a-z-]+)"\)', page.texts["script"][1])) <= ids


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("draw some.db -o some.svg", "1 to 60 networks, not 0"),
        ("draw some.db some.db -o some.html", "alone"),
        ("draw some.db -o some.html --view rounds", "alone"),
        ("draw empty.db -o some.html", "not 0"),
    ],
)
def test_what_cannot_be_drawn(cli: Cli, line: str, words: str) -> None:
    """One line each, and no file."""
    for name in ("some.db", "empty.db"):
        with Store(name, write=True):
            pass
    assert words in refused(cli(line))
    assert not list(Path().glob("some.[sh]*"))
