"""Analyses of schedules: time-paths against a search through all of them, collisions and crossings on paths,
and what is printed.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from schedsolve.drawing.analysis.analysis import Analysis
from schedsolve.drawing.analysis.by_model.matching import analyse
from schedsolve.drawing.analysis.by_model.systolic import analyse as analyse_systolic
from schedsolve.drawing.analysis.by_model.systolic import period_strip
from schedsolve.drawing.analysis.text import analysis_lines, analysis_to_json, path_text
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.schedule import Schedule
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError
from tests.models.gossips import crossed_twice, gossip, periodic


def texts(analysis: Analysis, *ends: Any) -> str:
    """All that is printed, after the JSON was seen to be plain and every line to be one."""
    json.dumps(analysis_to_json(analysis, *ends), allow_nan=False)
    lines = analysis_lines(analysis, *ends)
    assert all(line and line.isprintable() for line in lines)
    return "\n".join(lines)


@pytest.mark.parametrize("model", ["telegraph", "telephone"])
@pytest.mark.parametrize("make", [analyse, analyse_systolic])
def test_smallest_networks(make: Callable[[Problem, Schedule], Analysis], model: str) -> None:
    """One node has nothing to do; two nodes have no inner node."""
    two_way = model == "telephone"
    alone = make(Problem(model, "gossip", Network.from_spec("path:1"), {"period": 1}), Schedule(()))
    assert (alone.complexity, alone.pair_count, alone.critical_paths) == (0, 0, ())
    assert "complexity 0" in texts(alone, 0, 0)
    pair = Problem(model, "gossip", Network.from_spec("path:2"), {"period": 2})
    nothing = make(pair, Schedule(()))
    assert (nothing.complexity, nothing.last_arrival, len(nothing.unreached), nothing.critical_paths) == (
        None,
        0,
        2,
        (),
    )
    assert "0 -> 1, 1 -> 0" in texts(nothing)
    schedule = Schedule.two_way([[(0, 1)]]) if two_way else Schedule.one_way([[(0, 1)], [(1, 0)]])
    done = make(pair, schedule)
    assert done.complexity == len(schedule.rounds)
    assert ("1 + 0 = 1 round (" in texts(done)) == (make is analyse_systolic and not two_way)


def test_what_is_printed_of_a_path() -> None:
    """The critical pairs with their time-paths, the delays per node, the strip, collisions and crossings, in
    the network's labels.
    """
    network, period_rounds = crossed_twice()
    lines = analysis_lines(analyse_systolic(gossip(network, period=4), periodic(period_rounds, 11)), "1", 6)
    assert lines[:4] == [
        "telegraph gossip on six (6 nodes), period 4",
        "complexity 10: all of 30 pairs reached after round 10; the schedule has 11 rounds",
        "from 1 to 6: global time 9, start delay 0, delays: 1 at 2, 2 at 3, 1 at 5",
        "  1 -1-> 2 -3-> 3 -6-> 4 -7-> 5 -9-> 6",
    ]
    rows = [" ".join(line.split()) for line in lines]
    assert "6 1 5 10 6 -2-> 5 -4-> 4 -5-> 3 -8-> 2 -10-> 1" in rows
    assert "3 4 0 2" in rows
    assert "2 <1 >1 >3 <3" in rows
    assert "2 4 (ii) 1 1 yes" in rows
    assert "3 -5 1 2 2 2 0" in rows
    incomplete = texts(analyse_systolic(gossip(network, period=4), periodic(period_rounds, 9)))
    assert "incomplete: 2 of 30 pairs unreached; the last arrival is in round 9 of 9 rounds" in incomplete
    assert "unreached: 5 -> 1, 6 -> 1" in incomplete
    assert "crosses" not in incomplete


def test_what_is_printed_of_a_tree() -> None:
    """Two-way calls on a tree: the strip with partners, and the patterns with parents and children."""
    network = Network.from_spec("star:4")
    schedule = Schedule.two_way([[(0, 1)], [(0, 2)], [(0, 3)]] * 2)
    shown = texts(analyse_systolic(Problem("telephone", "gossip", network, {"period": 3}), schedule), 3, 1)
    assert "3 -3-> 0 -4-> 1" in shown
    assert "  0     =1  =2  =3" in shown
    assert "  0     C1  C2  C3\n  1      P   N   N" in shown
    assert period_strip(network, Schedule.one_way([[(1, 0)], [(0, 2)]]), 2)[0] == (0, ("<1", ">2"))


def test_long_paths_and_many_pairs_are_cut() -> None:
    """Of many critical pairs ten are shown, and of long time-paths the beginning and the last arc; the path
    asked for is shown in full.
    """
    n = 60
    schedule = Schedule.one_way(
        [[(v, v - 1)] for v in range(n - 1, 0, -1)] + [[(v, v + 1)] for v in range(n - 1)]
    )
    analysis = analyse(gossip(Network.from_spec(f"path:{n}")), schedule)
    lines = analysis_lines(analysis, 0, n - 1)
    assert max(map(len, lines)) <= 160
    assert sum(line.endswith("-118-> 59") for line in lines) == 11
    assert any("0 -60-> 1 -61-> 2 " in line and line.endswith(" more ... -118-> 59") for line in lines)
    assert "  and 49 more" in lines
    assert path_text(analysis.critical_paths[0], range(n)) in " ".join(line.strip() for line in lines)
    assert len(analysis_to_json(analysis)["critical"]) == n - 1


def test_bad_choices_are_refused() -> None:
    """A chosen pair has two nodes of the network, and a source where something starts."""
    schedule = Schedule.one_way([[(0, 1)], [(1, 2)]])
    analysis = analyse(
        Problem("telegraph", "broadcast", Network.from_spec("path:4"), {"source": 0}), schedule
    )
    for ends, fault in {
        (0, None): "two ends",
        (None, 1): "two ends",
        (0, 9): "not a node",
        (1, 2): "starts at 0",
    }.items():
        for show in (analysis_lines, analysis_to_json):
            with pytest.raises(InputError, match=fault):
                show(analysis, *ends)
    assert "from 0 to 3: unreached" in texts(analysis, 0, 3)
    assert analysis_to_json(analysis, 0, 2)["path"]["rounds"] == [1, 2]
    shared = analyse(
        Problem("telegraph", "broadcast", Network.from_spec("path:4"), {"source": [0, 3]}), schedule
    )
    assert "first from 0" in texts(shared, 3, 2)
    assert shared.complexity == 2
