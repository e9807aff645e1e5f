"""`explore ratio`: gossip with a period against broadcast, over a set of networks."""

from __future__ import annotations

from fractions import Fraction

import schedsolve
from schedsolve.models.systolic.command.ratio import explored
from schedsolve.network.graph import Network
from tests.command_line import Cli, json_of, refused


def test_trees_with_the_least_period(cli: Cli) -> None:
    """In trees a gossip takes twice a broadcast from the best source, so all of them have both extremes."""
    data = json_of(cli("explore ratio trees:6 --period min --json"))
    assert [row["ratio"] for row in data["rows"]] == [2] * 6
    assert data["least"] == data["greatest"]
    assert len(data["least"]["networks"]) == 6
    assert all(len(graph["edges"]) == 5 for graph in data["least"]["networks"])


def test_a_period_makes_a_difference(cli: Cli) -> None:
    """The rows agree with `solve`, and the extremes are those of the rows."""
    data = json_of(cli("explore ratio path:4..7 --period 4 --json"))
    for row in data["rows"]:
        gossip = json_of(cli(f"solve telegraph gossip {row['network']} --period 4 --json"))
        broadcast = json_of(cli(f"solve telegraph broadcast {row['network']} --source min --json"))
        assert (gossip["value"], broadcast["value"]) == (row["gossip"], row["broadcast"])
        assert (row["status"] == "infeasible") is (gossip["status"] == "infeasible")
    ratios = {row["network"]: row["ratio"] for row in data["rows"] if row["ratio"] is not None}
    for name, pick in (("least", min), ("greatest", max)):
        extreme = pick(map(Fraction, ratios.values()))
        assert Fraction(data[name]["ratio"]) == extreme
        found = [graph["network"] for graph in data[name]["networks"]]
        assert found == [network for network, ratio in ratios.items() if Fraction(ratio) == extreme]
    assert Fraction(data["least"]["ratio"]) < Fraction(data["greatest"]["ratio"])


def test_a_period_that_is_too_short(cli: Cli) -> None:
    """A gossip on a star needs a slot for each arc, so that only the path has a ratio."""
    data = json_of(cli("explore ratio trees:4 --period 4 --json"))
    assert [row["status"] for row in data["rows"]] == ["settled", "infeasible"]
    assert data["rows"][1]["ratio"] is None
    assert len(data["greatest"]["networks"]) == 1


def test_what_is_open_has_no_extremes(cli: Cli) -> None:
    """A limit that leaves a row open leaves both extremes open; the exit status is 3."""
    data = json_of(cli("explore ratio debruijn:4 --period 7 --time-limit 0.000001 --json"), status=3)
    assert (data["least"], data["greatest"]) == (None, None)
    assert [row["status"] for row in data["rows"]] == ["open"]


def test_in_python() -> None:
    (row,) = explored(networks=[Network.from_spec("path:4")], period="min", solve=schedsolve.solve)
    assert row.settled
    assert row.least == 2


def test_bad_input_gets_one_line(cli: Cli) -> None:
    assert "two nodes or more" in refused(cli("explore ratio trees:1 --period 3"))
    assert "or min; not 'x'" in refused(cli("explore ratio trees:4 --period x"))
    assert "or min; not '0'" in refused(cli("explore ratio trees:4 --period 0"))
