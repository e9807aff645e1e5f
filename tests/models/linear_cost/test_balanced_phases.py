"""Pipelines of packets among an even number of nodes with one port, in phases found by counting."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

from schedsolve.models import build_problem
from schedsolve.models.linear_cost.constructions.balanced_phases import balanced_phases, find_phase
from schedsolve.solving.constructions import construct
from schedsolve.solving.solve import solve
from tests.models.linear_cost.test_constructions import cost_of
from tests.reference.linear_cost_replay import second_replay

MANY = (184, 190, 366, 368, 382, 510, 514, 630, 730, 732, 766, 1022, 1024)
"""Where other numbers of served nodes had to be tried, and sizes around powers of two."""


@pytest.mark.parametrize("nodes", [*range(4, 130, 2), *MANY])
def test_a_phase_is_what_its_definition_says(nodes: int) -> None:
    """Every node meets one other in a round, sends what it owned before, and is sent nothing that it owns; it
    leaves with all old packets and one new one, and as many leave with each as came.
    """
    phase = find_phase(nodes)
    length = (nodes - 1).bit_length()
    owned = [{p} for p in phase.begins]
    owned[0] = set(range(length))
    assert len(phase.rounds) == length
    for i, sends in enumerate(phase.rounds):
        owned[0].add(length + i)
        before = [set(packets) for packets in owned]
        met: dict[int, int] = {}
        for u, v, p in sends:
            assert p in before[u]
            assert p not in before[v]
            assert met.setdefault(u, v) == v
            assert met.setdefault(v, u) == u
            owned[v].add(p)
        assert len(met) == nodes
    assert all(owned[v] == {*range(length), length + phase.ends[v]} for v in range(1, nodes))
    assert Counter(phase.begins[1:]) == Counter(phase.ends[1:])


@pytest.mark.parametrize("nodes", [4, 6, 10, 12, 14, 22, 46, 64, 100])
def test_every_number_of_packets_takes_t_plus_r_rounds(nodes: int) -> None:
    """The cost is (T + r) / (r + 1), by a replay that shares nothing with the package."""
    least = (nodes - 1).bit_length()
    for extra in range(2 * least + 2):
        protocol = balanced_phases(nodes, extra + 1)
        assert len(protocol.rounds) == least + extra
        assert cost_of(protocol, 1, nodes) == Fraction(least + extra, extra + 1)


def test_a_packet_left_out_is_missing() -> None:
    """No message of the protocol is in vain: without any one of some, somebody misses a packet."""
    protocol = balanced_phases(14, 5)
    for t, messages in enumerate(protocol.rounds):
        for i in range(0, len(messages), 5):
            rounds = list(protocol.rounds)
            rounds[t] = messages[:i] + messages[i + 1 :]
            assert not second_replay(14, None, 1, 5, rounds).is_complete(5)


def test_a_hundred_nodes_with_five_extra_rounds() -> None:
    """The bounds meet at 2, at once."""
    problem = build_problem("linear-cost", "broadcast", "complete:100", {"ports": 1, "extra_rounds": 5})
    result = solve(problem)
    assert (result.status.value, result.value) == ("optimal", 2)


@pytest.mark.parametrize(
    ("network", "ports", "why"),
    [
        ("complete:9", 1, "even number of nodes"),
        ("complete:2", 1, "from 4 to"),
        ("complete:10", 2, "one port"),
        ("cycle:10", 1, "complete network"),
    ],
)
def test_where_there_are_no_phases(network: str, ports: int, why: str) -> None:
    """A reason says so."""
    problem = build_problem("linear-cost", "broadcast", network, {"ports": ports, "total_rounds": 9})
    with pytest.raises(ValueError, match=why):
        construct(problem, "balanced-phases")
