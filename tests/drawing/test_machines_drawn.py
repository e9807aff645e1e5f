"""Pictures of machines: switches above their compute nodes, messages side by side, units of axes."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from schedsolve import Network, build_problem, frontier, solve
from schedsolve.drawing import frontier_figure, result_figure
from schedsolve.drawing.pictures.layouts import layout_of
from schedsolve.drawing.pictures.panel_grid import MOST_SIDE_BY_SIDE
from schedsolve.drawing.pictures.planar import has_crossings
from schedsolve.drawing.pictures.tiers import tiers
from schedsolve.network.named.spec import network_from_spec


@pytest.mark.parametrize("spec", ["a100:2", "h100:1", "dgx2", "leaf-spine:3,4,2", "star:5"])
def test_compute_nodes_are_in_a_row_below_their_switches(spec: str) -> None:
    """Neighbors of one switch stand next to each other, and no two nodes in one place."""
    network = network_from_spec(spec)
    if spec == "star:5":
        network = Network(6, network.edges, switches=frozenset({0}))
    points = tiers(network)
    assert len(points) == network.node_count
    heights = {v: y for v, (_, y) in enumerate(points)}
    assert {heights[v] for v in network.compute_nodes} == {0.0}
    assert all(heights[v] > 0 for v in network.switches)
    row = sorted(network.compute_nodes, key=lambda v: points[v][0])
    for switch in network.switches:
        near = [place for place, v in enumerate(row) if switch in network.successors[v]]
        if 0 < len(near) < len(row) and spec != "a100:2":
            assert near == list(range(near[0], near[-1] + 1))
    for (ux, uy), (vx, vy) in combinations(points, 2):
        assert abs(ux - vx) + abs(uy - vy) > 0.4


def test_other_networks_have_no_rows() -> None:
    """Without switches, or with links between compute nodes."""
    assert tiers(network_from_spec("petersen")) == []
    assert tiers(Network(3, ((0, 1), (1, 2), (0, 2)), switches=frozenset({2}))) == []


def test_a_planar_machine_with_room_has_no_crossings() -> None:
    """Two switches above four nodes that both of them reach: rows cross, the plane does not."""
    edges = tuple((v, s) for v in range(4) for s in (4, 5))
    network = Network(6, edges, switches=frozenset({4, 5}))
    assert has_crossings(network, tiers(network))
    layout = layout_of(network)
    assert not has_crossings(network, list(layout.points)) or layout.least_distance >= 0.6


def titles(figure: Any) -> list[str]:
    """The titles of the panels."""
    return [ax.get_title() for part in figure.subfigs for ax in part.axes if ax.get_title()]


def test_trees_are_much_alike() -> None:
    """A few are shown, the others are counted; an allreduce on a DGX-1 has dozens."""
    figure = result_figure(solve(build_problem("pipelined", "allreduce", "dgx1")), "rounds")
    assert len(titles(figure)) == MOST_SIDE_BY_SIDE
    legends = [text.get_text() for part in figure.subfigs for text in part.legends[0].get_texts()]
    assert any(text.endswith("more are not shown") for text in legends)


def test_a_flow_that_stands_for_others_says_so() -> None:
    """An alltoall on a circulant lists the flow of one node; rotations are those of the others."""
    result = solve(build_problem("pipelined", "alltoall", "circulant:7,1,2"))
    assert titles(result_figure(result, "rounds")) == ["from 0, turned for 6 more: flow 1"]


def test_messages_over_one_link_are_side_by_side() -> None:
    """Two messages of a round through one channel are two lines, neither of which hides the other."""
    result = solve(build_problem("routing", "deliver", "fat-tree:4", messages=[[0, 2], [1, 3]]))
    (panel,) = result_figure(result, "rounds").subfigs
    lines = [np.asarray(p.get_path().vertices) for p in panel.axes[0].patches if not p.get_fill()][1:]
    middles = {tuple(((line[0] + line[-1]) / 2).round(3)) for line in lines}
    assert len(middles) == len(lines) == 8


def test_axes_name_their_units() -> None:
    """Time in whole steps or rounds; costs by what 1 is."""
    steps = result_figure(solve(build_problem("synchronous", "alltoall", "cycle:5", steps=2)), "space-time")
    (ax,) = steps.subfigs[0].axes
    assert ax.get_ylabel() == "time, in steps"
    assert all(Fraction(tick).denominator == 1 for tick in ax.get_yticks())
    rows = frontier("linear-cost", "broadcast", "complete:4", "extra_rounds", range(2))
    chart = frontier_figure(rows).axes[0]
    assert chart.get_ylabel() == "cost (1: the whole message in one call)"
    assert chart.get_xlim()[0] > -1
