"""Exported traces take as long as `time` says: in a network of first-come links, and in ASTRA-sim where it is
installed (its program for networks with congestion, named by ASTRA_SIM or on the PATH, of the commit that
docs/simulator.md names).
"""

from __future__ import annotations

import os
import shutil
from fractions import Fraction
from pathlib import Path

import pytest

from benchmarks.simulated_traces import (
    BINARY,
    CASES,
    KEYS,
    LATENCY,
    OWN_SETTINGS,
    RING,
    Case,
    costs_of,
    custom,
    simulate,
    solved,
)  # fmt: skip
from schedsolve.machines.programs import export_program
from schedsolve.machines.timing import Costs, timing
from tests.reference.chakra_reader import Node, nodes
from tests.reference.fifo_links import nanoseconds

PROGRAM = os.environ.get("ASTRA_SIM") or shutil.which(BINARY)
installed = pytest.mark.skipif(PROGRAM is None, reason="ASTRA-sim is not installed")
ON_THE_RING = [case for case in CASES if case.fabric is RING and case.unit < 8_000_000]


def computed(case: Case) -> Fraction:
    """What `time` says, in nanoseconds."""
    costs = costs_of(case)
    return timing(solved(case).movement(costs=costs), costs, "dependencies").seconds * 10**9


def exported(case: Case, folder: Path) -> list[dict[int, Node]]:
    """Its traces, read again."""
    export_program(solved(case), str(folder / "t.et"), costs=costs_of(case), target="chakra")
    return [nodes((folder / f"t.{rank}.et").read_bytes()) for rank in range(8)]


def around(u: int, v: int) -> list[int]:
    """The shorter way on a ring of 8, clockwise where both are equal."""
    step = 1 if (v - u) % 8 <= 4 else -1
    return [(u + step * k) % 8 for k in range((v - u) * step % 8 + 1)]


@pytest.mark.parametrize("case", ON_THE_RING, ids=lambda case: f"{case.model} {case.task}")
@pytest.mark.usefixtures("little_time_for_heuristics")
def test_sends_keep_their_order_on_a_link(tmp_path: Path, case: Case) -> None:
    """No send that may start early passes one that relays: traces take no longer than computed."""
    assert nanoseconds(exported(case, tmp_path), around, LATENCY, 50) == computed(case)


@installed
@pytest.mark.parametrize("case", CASES[:10], ids=lambda case: f"{case.fabric.topology} {case.task}")
def test_the_simulator_takes_what_was_computed(case: Case) -> None:
    assert PROGRAM is not None
    assert custom(PROGRAM, case, solved(case)) == computed(case)


@installed
@pytest.mark.parametrize("case", CASES[10:15], ids=lambda case: case.task)
def test_a_switch_of_the_simulator_stores_and_forwards(tmp_path: Path, case: Case) -> None:
    assert PROGRAM is not None
    stored = nanoseconds(exported(case, tmp_path), lambda u, v: [u, 8, v], LATENCY // 2, 50)
    assert custom(PROGRAM, case, solved(case)) == stored > computed(case)


@installed
def test_the_ring_of_eight_in_its_example_network(tmp_path: Path) -> None:
    """At its 50 GB/s of 2^30 bytes, each message without its fraction of a nanosecond; and its own ring."""
    assert PROGRAM is not None
    costs = Costs(Fraction(5, 10**7), Fraction(1, 50 * 2**30), 2**20)
    export_program(solved(CASES[0]), str(tmp_path / "t.et"), costs=costs, target="chakra")
    system = {"all-reduce-implementation-custom": ["t"]}
    assert simulate(PROGRAM, tmp_path, "Ring", 500, 50, system) == 21086
    own = {f"{key}-implementation": ["ring"] for key in KEYS.values()} | OWN_SETTINGS
    assert simulate(PROGRAM, tmp_path, "Ring", 500, 50, own, size=2**20) == 43025
