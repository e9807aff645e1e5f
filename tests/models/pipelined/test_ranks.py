"""Collectives among some compute nodes, while the others relay: rules, claims, values, refusals."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest

from schedsolve.certify.check import check_data
from schedsolve.modelkit.evidence import existence_claims, lower_claims
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.result import result_to_json
from schedsolve.modelkit.search import Options
from schedsolve.models import build_problem
from schedsolve.models.pipelined.claims import EVIDENCE
from schedsolve.models.pipelined.constructions.relays import at_relays
from schedsolve.models.pipelined.rules import replay
from schedsolve.models.pipelined.rules.schedule import Flow, PipelinedSchedule, WeightedTree
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import ClaimError, InputError
from schedsolve.solving.solve import solve
from tests.needs import needs
from tests.soak.collectives import GROUPS, PIPELINED, random_question, try_question

CLAIMS = lower_claims(EVIDENCE)

ONE = Fraction(1)
ENDS = {"broadcast": "source", "scatter": "source", "gather": "root", "reduce": "root"}
CORNERS = [0, 2, 6, 8]


def among(task: str, network: str | Network, ranks: list[int], **options: Any) -> Problem:
    """The problem among some nodes; it starts or ends at the first."""
    end = {ENDS[task]: ranks[0]} if task in ENDS else {}
    return build_problem("pipelined", task, network, {**end, "ranks": ranks, **options})


@needs("export")
@pytest.mark.parametrize(
    ("task", "network", "ranks", "value"),
    [
        # Each leaf gets three shards over its link; with a sum at the hub one unit goes in, and one out.
        ("allgather", "star:5", [1, 2, 3, 4], 3),
        ("allreduce", "star:5", [1, 2, 3, 4], 1),
        ("allreduce", "star:9", [1, 2, 3, 4, 5, 6, 7, 8], 1),
        ("reduce", "star:5", [1, 2, 3, 4], 1),
        ("alltoall", "star:5", [1, 2, 3, 4], 3),
        ("broadcast", "grid:3x3", CORNERS, "1/2"),
        ("reduce", "grid:3x3", CORNERS, "1/2"),
        ("reduce-scatter", "grid:3x3", CORNERS, "3/2"),
        ("scatter", "grid:3x3", CORNERS, "3/2"),
        ("gather", "grid:3x3", CORNERS, "3/2"),
        # Two disjoint ways between opposite nodes of a ring, whoever is on them.
        ("alltoall", "cycle:8", [0, 4], "1/2"),
        ("allgather", "cycle:8", [0, 4], "1/2"),
        ("allgather", "path:9", [0, 8], 1),
        ("allgather", "dgx1", [0, 1, 2, 3], "1/2"),
    ],
)
def test_values(task: str, network: str, ranks: list[int], value: int | str) -> None:
    """Small ones by hand, certified, checked, and verified by the program of a bundle."""
    from schedsolve.export.bundles.bundle import bundle_of

    result = solve(among(task, network, ranks), Options(certify=True, time_limit=30))
    assert (str(result.status), result.value) == ("optimal", Fraction(value))
    data = result_to_json(result)
    assert check_data(data).complete
    assert {"verify.py", "claim.md"} <= set(bundle_of(data))


def test_all_compute_nodes_are_no_group() -> None:
    """A problem with all of them is the problem without ranks."""
    assert among("allgather", "cycle:4", [3, 1, 2, 0]) == build_problem("pipelined", "allgather", "cycle:4")


@pytest.mark.parametrize(
    ("task", "network", "options", "words"),
    [
        ("allgather", "cycle:4", {"ranks": [1]}, "two compute nodes or more"),
        ("allgather", "cycle:4", {"ranks": [1, 1]}, "names a node twice"),
        ("allgather", "cycle:4", {"ranks": [1, 7]}, "7"),
        ("allgather", "leaf-spine:2,2,1", {"ranks": [0, 4]}, "is a switch"),
        ("broadcast", "cycle:4", {"ranks": [1, 2], "source": 0}, "no rank"),
        ("gather", "cycle:4", {"ranks": "1,2", "root": 3}, "no rank"),
        ("reduce", "cycle:4", {"ranks": [1, 2], "root": 1, "ordered": True}, "does not go with"),
    ],
)
def test_refusals(task: str, network: str, options: dict[str, Any], words: str) -> None:
    """One line each."""
    with pytest.raises(InputError, match=words):
        build_problem("pipelined", task, network, options)


STAR = among("allreduce", "star:4", [1, 2, 3])
HUB = WeightedTree(0, ONE, ((0, 1), (0, 2), (0, 3)), ((1, 0), (2, 0), (3, 0)))


@pytest.mark.parametrize(
    ("tree", "words"),
    [
        (HUB, ""),
        (replace(HUB, paths=((0, 1), (0, 2))), "node 3 does not get the part"),
        (replace(HUB, inward=((1, 0), (2, 0))), "the contribution of 3 is left out"),
        (replace(HUB, root=1, paths=((1, 0), (0, 2), (0, 3)), inward=((2, 0), (3, 0), (0, 1))), ""),
        (replace(HUB, root=1, inward=((0, 1), (2, 0), (3, 0))), "node 0 has nothing to pass on"),
        (replace(HUB, root=1, inward=((2, 0), (0, 1), (3, 0))), "does not pass on any more"),
        (replace(HUB, inward=((1, 0, 2), (2, 0), (3, 0))), "goes through node 0, which is no switch"),
    ],
)
def test_sums_at_a_relay(tree: WeightedTree, words: str) -> None:
    """A relay adds up and copies, and has nothing of its own."""
    seen = replay(STAR, PipelinedSchedule(ONE if tree is HUB else Fraction(2), (tree,)))
    assert words in (seen.violation or "")
    assert bool(seen.violation) == bool(words)


def test_flows_leave_nothing_at_relays() -> None:
    """What a relay gets it sends on."""
    problem = among("scatter", "path:3", [0, 2])
    whole = PipelinedSchedule(ONE, flows=(Flow(0, ((0, 1, ONE), (1, 2, ONE))),))
    assert replay(problem, whole).violation is None
    short = replace(whole, flows=(Flow(0, ((0, 1, ONE),)),))
    assert "node 1 gets 1 more than it sends; it should be 0" in (replay(problem, short).violation or "")


def test_symmetries_keep_the_ranks() -> None:
    """A rotation takes ranks to relays, the half turn does not."""
    problem = among("allgather", "cycle:4", [0, 2])
    trees = (
        WeightedTree(0, Fraction(1, 2), ((0, 1), (1, 2))),
        WeightedTree(0, Fraction(1, 2), ((0, 3), (3, 2))),
    )
    half_turn = PipelinedSchedule(Fraction(1, 2), trees, symmetries=((2, 3, 0, 1),))
    assert replay(problem, half_turn).violation is None
    turned = replace(half_turn, symmetries=((1, 2, 3, 0),))
    assert "does not take ranks to ranks" in (replay(problem, turned).violation or "")


def test_counting_needs_a_rank_in_every_group() -> None:
    """At a star's hub sums meet: four sends are not needed, and the bound of three groups is not claimed."""
    with pytest.raises(ClaimError, match="every group has a rank"):
        CLAIMS["counting"](STAR, {"kind": "counting"})
    with pytest.raises(ClaimError, match="every compute node is in one group"):
        CLAIMS["counting"](STAR, {"kind": "counting", "groups": [[1], [2], [3]]})
    assert CLAIMS["counting"](STAR, {"kind": "counting", "groups": [[0, 1, 2], [3]]}) == 1


def test_trees_that_exist() -> None:
    """Without a list of trees, by flows to every rank; a little less time is refused."""
    problem = among("allgather", "grid:3x3", CORNERS)
    assert existence_claims(EVIDENCE)["flows"](problem, {"kind": "flows", "time": "3/2"}) == Fraction(3, 2)
    with pytest.raises(ClaimError, match="does not get enough"):
        existence_claims(EVIDENCE)["flows"](problem, {"kind": "flows", "time": "4/3"})


def test_trees_cut_at_relays() -> None:
    """A part that came to a relay twice comes once, and a way that then leads nowhere is left out."""
    problem = among("broadcast", "grid:3x3", CORNERS)
    paths = ((0, 1, 4, 7, 8), (0, 3, 4, 5, 2), (8, 7, 6))
    made = at_relays(problem, PipelinedSchedule(Fraction(3), (WeightedTree(0, ONE, paths),)))
    assert made.trees[0].paths == ((0, 1), (1, 4), (4, 7), (7, 8), (4, 5), (5, 2), (7, 6))
    assert replay(problem, made).violation is None


@pytest.mark.parametrize("part", range(3))
def test_a_sample_agrees_with_the_oracle(part: int) -> None:
    """Small questions of all ten tasks, among some nodes or all: status, value and both bounds."""
    outcomes = Counter[str]()
    kind = GROUPS._replace(models=(PIPELINED,))
    for number in range(40):
        outcome, finding = try_question(random_question(Random(f"ranks {part} {number}"), (kind,)), number)
        assert not finding
        outcomes[outcome] += 1
    assert outcomes["agreed"] > 30


@needs("machines")
def test_programs_of_the_ranks(tmp_path: Path) -> None:
    """Relays are among the switches of a movement; where they have to add up there is none."""
    from schedsolve.machines.movement.saved_schedule import movement_of
    from schedsolve.machines.programs import write_program

    result = solve(among("allgather", "grid:3x3", CORNERS))
    assert result.indexed is not None
    moved = movement_of(result.problem, result.indexed, chunks=4)
    assert moved.layout.ranks == 4
    assert {v for step in moved.steps for t in step.transfers for v in (t.sender, t.receiver)} == set(CORNERS)
    write_program(result, tmp_path / "corners.py", target="mpi", chunks=4)
    assert "-n 4 " in (tmp_path / "corners.py").read_text()
    hub = solve(STAR)
    with pytest.raises(InputError, match="the relays copy or add up"):
        write_program(hub, tmp_path / "hub.py", target="mpi")
    uneven = solve(build_problem("pipelined", "allgatherv", "path:3", {"sizes": [1, 2, 3]}))
    with pytest.raises(InputError, match="units of many sizes"):
        write_program(uneven, tmp_path / "uneven.py", target="mpi")
