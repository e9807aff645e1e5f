"""Positions of nodes: read from files and written to them, shown by pictures, and no part of a problem."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from schedsolve.modelkit.problem import problem_id
from schedsolve.models import build_problem
from schedsolve.network.files.any_format import read_network, write_network
from schedsolve.network.graph import Label, Network
from schedsolve.network.positions import with_positions
from tests.needs import needs

PLACES: dict[Label, tuple[float, float]] = {"a": (0.0, 0.0), "b": (30.0, 0.0), "c": (30.0, 40.5)}


def _network() -> Network:
    return with_positions(Network.from_labels("abc", [("a", "b"), ("b", "c")]), PLACES)


@pytest.mark.parametrize("ending", ["json", "graphml"])
def test_files_keep_positions(ending: str, tmp_path: Path) -> None:
    """What is written is read again."""
    write_network(_network(), tmp_path / f"n.{ending}")
    assert read_network(tmp_path / f"n.{ending}").positions == tuple(PLACES.values())


def test_a_problem_does_not_change() -> None:
    """Neither equality nor the id of a problem depends on positions."""
    there = _network()
    plain = replace(there, positions=())
    assert there == plain
    assert len({problem_id(build_problem("telephone", "gossip", n)) for n in (there, plain)}) == 1


@pytest.mark.parametrize("place", [None, [1], [1, "x"], [1, True], [1, float("nan")], [1, 1e99], [30, 0]])
def test_positions_are_all_or_none(place: object, tmp_path: Path) -> None:
    """A node without a place of its own leaves the layout to the network's shape."""
    nodes = [{"id": v, "pos": list(p)} for v, p in PLACES.items()]
    nodes[0]["pos"] = place  # type: ignore[assignment]
    edges = [{"source": "a", "target": "b"}, {"source": "b", "target": "c"}]
    (tmp_path / "n.json").write_text(json.dumps({"nodes": nodes, "edges": edges}))
    assert read_network(tmp_path / "n.json").positions == ()


@needs("drawing")
def test_pictures_keep_the_shape() -> None:
    """All directions are scaled alike."""
    from schedsolve.drawing.pictures.layouts import layout_of

    (ax, ay), (bx, by), (cx, cy) = layout_of(_network()).points
    assert ay == by
    assert bx == cx
    assert (cy - by) / (bx - ax) == pytest.approx(40.5 / 30)


def test_the_backbone_is_the_same_with_positions() -> None:
    """The two files of the NSFNET hold the same problem."""
    folder = Path(__file__).parents[2] / "instances"
    one, other = (read_network(folder / f"nsfnet.{ending}") for ending in ("edges", "json"))
    assert len(other.positions) == 14
    assert len({problem_id(build_problem("telephone", "gossip", n)) for n in (one, other)}) == 1
