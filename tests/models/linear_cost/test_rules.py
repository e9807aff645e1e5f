"""The referee of the linear cost model: every rule by name, and a second replay that shares no code with
it.
"""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedsolve.modelkit.form import Path
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.schedule import Call, Message, Schedule
from schedsolve.models import build_problem, read_problem
from schedsolve.models.linear_cost.constructions.pipelined import unequal_costs
from schedsolve.models.linear_cost.laboratory import hamming_network
from schedsolve.models.linear_cost.rules import Packets, Shape, replay, rounds_allowed
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError
from tests.reference.linear_cost_replay import second_replay


def net(edges: str) -> Network:
    """A network of one-letter nodes from words such as ab bc."""
    words = edges.split()
    return Network.from_labels(sorted({*"".join(words)}), [(e[0], e[1]) for e in words])


COMPLETE, PATH, CYCLE = net("ab ac ad bc bd cd"), net("ab bc cd"), net("ab bc cd ad")


def posed(network: Network, **options: Any) -> Problem:
    return build_problem("linear-cost", "broadcast", network, {"source": network.labels[0], **options})


def schedule_of(text: str, network: Network, packet_count: int | None = 1) -> Schedule:
    """A schedule from words: ab:01 is a message from a to b with the packets 0 and 1, ab is ab:0, ab: has
    none; | ends a round.
    """
    rounds = []
    for part in text.split("|"):
        calls = []
        for word in part.split():
            ends, packets = word.split(":") if ":" in word else (word, "0")
            calls.append(
                Call(network.node(ends[0]), network.node(ends[1]), payload=Packets(int(p) for p in packets))
            )
        rounds.append(tuple(calls))
    return Schedule(tuple(rounds), head={} if packet_count is None else {"packet_count": packet_count})


def violation(problem: Problem, text: str, packet_count: int = 1) -> str | None:
    return replay(problem, schedule_of(text, problem.network, packet_count)).violation


# Proposition 8 of the paper (whose proof means f_T(0) = T): no extra rounds.
@pytest.mark.parametrize(("ports", "dimension"), [(1, 1), (1, 3), (2, 2), (3, 2), (2, 3)])
def test_the_cost_without_extra_rounds(ports: int, dimension: int) -> None:
    """Among (k+1)^T nodes every informed node passes the whole message on along coordinate t in round t: T
    rounds that cost 1 each.
    """
    base = ports + 1
    rounds = [
        tuple(Call(u, u + j * base**t, payload=Packets((0,))) for u in range(base**t) for j in range(1, base))
        for t in range(dimension)
    ]
    problem = posed(Network.from_spec(f"complete:{base**dimension}"), ports=ports, extra_rounds=0)
    seen = replay(problem, Schedule(tuple(rounds), head={"packet_count": 1}))
    assert (seen.violation, seen.value) == (None, dimension)
    assert replay(problem, Schedule(tuple(rounds[:-1]), head={"packet_count": 1})).violation is not None


REFUSED = [
    (PATH, 1, 1, "bc", "round 1: the message from b to c has packet 0, which its sender does not own yet"),
    (PATH, 2, 1, "ab bc", "round 1: the message from b to c has packet 0, which its sender does not own yet"),
    (
        PATH,
        2,
        2,
        "ab:0 | bc:01",
        "round 2: the message from b to c has packet 1, which its sender does not own yet",
    ),
    (
        PATH,
        2,
        2,
        "ab:0 | bc:1 ab:1",
        "round 2: the message from b to c has packet 1, which its sender does not own yet",
    ),
    (
        PATH,
        1,
        2,
        "ab:2",
        "round 1: the message from a to b has packet 2, but the 2 packets are numbered from 0",
    ),
    (
        PATH,
        1,
        3,
        "ab:9",
        "round 1: the message from a to b has packet 9, but the 3 packets are numbered from 0",
    ),
    (PATH, 1, 2, "ab:", "round 1: the message from a to b has no packets"),
    (PATH, 1, 2, "ab:01 | bc:0 | ab:", "round 3: the message from a to b has no packets"),
    (PATH, 1, 2, "ab:00", "round 1: the message from a to b has a packet twice"),
    (PATH, 1, 2, "ab:101", "round 1: the message from a to b has a packet twice"),
    (PATH, 1, 1, "ac", "round 1: the message from a to c uses a link that the network does not have"),
    (CYCLE, 2, 1, "ab | bd", "round 2: the message from b to d uses a link that the network does not have"),
    (PATH, 1, 2, "ab:0 ab:1", "round 1: two messages go from a to b; put their packets into one"),
    (PATH, 1, 2, "ab:0 | ab:1 ab:1", "round 2: two messages go from a to b; put their packets into one"),
    (COMPLETE, 1, 1, "ab ac", "round 1: node a is linked with more than 1 node"),
    (COMPLETE, 2, 1, "ab ac ad", "round 1: node a is linked with more than 2 nodes"),
    (COMPLETE, 1, 2, "ab:01 | ac:0 bc:1", "round 2: node c is linked with more than 1 node"),
    (COMPLETE, 1, 2, "ab:01 | ac:0 ba:0", "round 2: node a is linked with more than 1 node"),
    (COMPLETE, 2, 1, "ab ac | ba ca ad", "round 2: node a is linked with more than 2 nodes"),
    (PATH, 1, 1, "ab | bc", "after round 2 node d misses packet 0"),
    (PATH, 2, 2, "ab:01 | bc:1 | cd:1", "after round 3 node c misses packet 0"),
    (PATH, 1, 3, "", "after round 1 node b misses packet 0"),
    (COMPLETE, 3, 3, "ab:012 ac:01 ad:012", "after round 1 node c misses packet 2"),
]


@pytest.mark.parametrize(
    ("network", "ports", "count", "text", "reason"),
    REFUSED,
    ids=[f"{i}-{row[3]}" for i, row in enumerate(REFUSED)],
)
def test_refusals(network: Network, ports: int, count: int, text: str, reason: str) -> None:
    """The first broken rule is named with its round and its message or node; else who misses which packet."""
    assert violation(posed(network, ports=ports, extra_rounds=5), text, count) == reason


ACCEPTED = [
    (PATH, 1, 1, "ab | bc | cd", Fraction(3)),
    (PATH, 2, 2, "ab:0 | ab:1 bc:0 | bc:1 cd:0 | cd:1", Fraction(2)),
    (PATH, 2, 3, "ab:012 | bc:012 | cd:01 | cd:2", Fraction(3)),
    (COMPLETE, 1, 1, "ab | ac bd", Fraction(2)),
    (COMPLETE, 1, 2, "ab:0 | ac:1 bd:0 | ab:1 ba:0 cd:1 dc:0", Fraction(3, 2)),
    (COMPLETE, 3, 3, "ab:0 ac:1 ad:2 | ab:12 ac:02 ad:01", Fraction(1)),
    (COMPLETE, 3, 3, "ab:0 ac:1 ad:2 | bc:0 bd:0 cb:1 cd:1 db:2 dc:2", Fraction(2, 3)),
    (COMPLETE, 1, 1, "| ab | | ac bd |", Fraction(2)),
]


@pytest.mark.parametrize(("network", "ports", "count", "text", "cost"), ACCEPTED)
@pytest.mark.parametrize("weak", [False, True])
def test_what_is_accepted(
    network: Network, ports: int, count: int, text: str, cost: Fraction, weak: bool
) -> None:
    """A link is used both ways, an empty round is free, what the strict reading allows the weak one does too;
    the cost is exact.
    """
    seen = replay(
        posed(network, ports=ports, extra_rounds=5, weak_ports=weak), schedule_of(text, network, count)
    )
    assert (seen.violation, seen.value, seen.legal) == (None, cost, True)
    assert isinstance(seen.value, Fraction)
    assert [note.split(":")[0] for note in seen.notes] == ["rounds", "ports", "complete"]
    assert ("weak reading" in seen.notes[1]) == weak


def test_a_packet_is_owned_from_the_next_round_on() -> None:
    """Within a round nothing is passed on, whichever message is written first."""
    problem = posed(PATH, ports=2, extra_rounds=5)
    for text in ("ab bc", "bc ab"):
        assert (
            violation(problem, text)
            == "round 1: the message from b to c has packet 0, which its sender does not own yet"
        )
    assert violation(problem, "ab | bc | cd") is None


def test_links_or_sends_and_receives() -> None:
    """With one port a node may send to one node and receive from another in the weak reading, but not in the
    strict one.
    """
    text = "ab:0 | ab:1 bc:0 | ad:01 bc:1"
    strict, weak = (posed(COMPLETE, extra_rounds=5, weak_ports=weak) for weak in (False, True))
    assert violation(strict, text, 2) == "round 2: node b is linked with more than 1 node"
    assert violation(weak, text, 2) is None
    assert violation(strict, "ab | ac cd") == "round 2: node c is linked with more than 1 node"


def test_ports_in_the_weak_reading() -> None:
    """Sends and receives are counted apart, and each has its own words."""
    weak = posed(COMPLETE, extra_rounds=5, weak_ports=True)
    assert violation(weak, "ab ac") == "round 1: node a sends to more than 1 node"
    assert violation(weak, "ab:01 | ac:0 bc:1", 2) == "round 2: node c receives from more than 1 node"
    assert (
        violation(posed(COMPLETE, ports=2, weak_ports=True), "ab ac ad")
        == "round 1: node a sends to more than 2 nodes"
    )
    three = posed(COMPLETE, ports=2, extra_rounds=5, weak_ports=True)
    assert violation(three, "ab ac | ad bd cd") == "round 2: node d receives from more than 2 nodes"


def test_too_many_rounds() -> None:
    """T + r rounds are allowed, empty ones counted; T is the network's own least number."""
    few = posed(PATH, total_rounds=2)
    assert violation(few, "ab | bc | cd") == "the schedule has 3 rounds, 2 are allowed"
    assert violation(posed(PATH), "ab | bc | cd") is None
    assert violation(posed(PATH), "ab | bc | cd |") == "the schedule has 4 rounds, 3 are allowed"
    assert violation(posed(COMPLETE, ports=3), "ab ac | ad") == "the schedule has 2 rounds, 1 are allowed"
    assert replay(few, schedule_of("ab | bc | cd", PATH)).value == 3


def test_problems_of_the_first_version_count_from_the_complete_network() -> None:
    """A file that has extra rounds only means T of the complete network; its problem is read as it stands
    where that is T of its network too, and refused on others, also where it says no number of rounds.
    """
    data: dict[str, Any] = {"model": "linear-cost", "task": "broadcast", "network": "path:3"}
    for network, said, rounds in (
        ("complete:5", {"extra_rounds": 2}, 5),
        ("path:3", {"extra_rounds": 1}, 3),
        ("star:4", {"ports": 3, "extra_rounds": 0}, 1),
        ("path:5", {"extra_rounds": 0, "total_rounds": 4}, 4),
    ):
        parameters = {"source": 0, "ports": 1, **said}
        old = read_problem({**data, "network": network, "parameters": parameters})
        assert old.parameters == parameters
        assert rounds_allowed(old) == rounds
    for network, said in (
        ("path:5", {"extra_rounds": 0}),
        ("path:4", {"extra_rounds": 1}),
        ("cycle:4", {"extra_rounds": 0}),
        ("star:4", {}),
    ):
        with pytest.raises(InputError, match=r'as version 0.1.0 reads them; .* give "total_rounds"'):
            read_problem({**data, "network": network, "parameters": said})


def test_schedules_of_other_models_are_refused() -> None:
    """Two-way calls, paths, clocked messages, a period, and a message that is not cut into packets."""
    problem, call = posed(net("ab")), Call(0, 1, payload=Packets((0,)))
    assert replay(problem, Schedule(((call,),), head={"packet_count": 1})).violation is None
    for schedule, words in (
        (
            Schedule(((call._replace(two_way=True),),), head={"packet_count": 1}),
            "the message from a to b should be one-way",
        ),
        (
            Schedule(((call._replace(payload=Path((0, 1))),),), head={"packet_count": 1}),
            'a call has "path"',
        ),
        (Schedule(messages=(Message(0, 1, 0),)), "the schedule is clocked"),
        (Schedule(((call,),), period=1, head={"packet_count": 1}), "the schedule has a period"),
        (Schedule(((call,),)), '"packet_count" should say'),
        (
            Schedule(((Call(0, 0, payload=Packets((0,))),),), head={"packet_count": 1}),
            "uses a link that the network does not have",
        ),
    ):
        seen = replay(problem, schedule)
        assert words in str(seen.violation)
        assert not seen.legal


def test_who_misses_what() -> None:
    """A legal schedule that is not complete says so, with the node's label and the packet, and still has its
    cost.
    """
    seen = replay(posed(PATH, extra_rounds=3), schedule_of("ab:012 | bc:02 | cd:0", PATH, 3))
    assert (seen.violation, seen.legal, seen.value) == ("after round 3 node c misses packet 1", True, 2)
    assert seen.notes == ()


@pytest.mark.parametrize("ports", [1, 5])
def test_a_single_node(ports: int) -> None:
    """Nothing is to be done, and it costs nothing."""
    seen = replay(posed(Network(1, ()), ports=ports), Schedule(head={"packet_count": 1}))
    assert (seen.violation, seen.value, seen.legal) == (None, 0, True)


@pytest.mark.parametrize(
    ("options", "words"),
    [({"ports": "0"}, "ports"), ({"extra_rounds": -1}, "extra_rounds"), ({"source": "min"}, "source")],
)
def test_problems_that_cannot_be_posed(options: dict[str, Any], words: str) -> None:
    """A bad number of ports or of rounds, and an open source."""
    with pytest.raises(InputError, match=words):
        posed(COMPLETE, **options)


def random_rounds(
    nodes: int, ports: int, count: int, length: int, rng: random.Random, careful: bool
) -> list[list[tuple[int, int, list[int]]]]:
    """Messages with packets that their senders own, over free links; unless careful, sometimes one that
    breaks a rule.
    """
    owned = {v: set(range(count)) if v == 0 else set[int]() for v in range(nodes)}
    rounds = []
    for _ in range(length):
        sends: list[tuple[int, int, list[int]]] = []
        partners: dict[int, set[int]] = {v: set() for v in range(nodes)}
        for u in rng.sample(range(nodes), nodes):
            for v in rng.sample(range(nodes), nodes):
                full = any(len(partners[a] | {b}) > ports for a, b in ((u, v), (v, u)))
                if (
                    u != v
                    and owned[u]
                    and (not full or (not careful and rng.random() < 0.1))
                    and rng.random() < 0.8
                ):
                    partners[u].add(v)
                    partners[v].add(u)
                    amount = rng.randint(1, len(owned[u])) if rng.random() < 0.5 else len(owned[u])
                    sends.append((u, v, rng.sample(sorted(owned[u]), amount)))
        if not careful and sends and rng.random() < 0.3:
            u, v, packets = sends.pop()
            twice, vain = [*packets, packets[0]], [rng.randrange(count + 1)]
            sends.append(
                rng.choice(
                    [
                        (u, v, []),
                        (u, v, twice),
                        (u, v, vain),
                        (v, u, packets),
                        (u, rng.randrange(nodes), packets),
                    ]
                )
            )
        for _, v, packets in sends:
            owned[v].update(p for p in packets if p < count)
        rounds.append(sends)
    return rounds


def both_replays(seed: int) -> tuple[str, str]:
    """What the referee and the second replay say of one random schedule, with its cost."""
    rng = random.Random(seed)
    nodes, ports, count, extra, weak = (
        rng.randint(1, 6),
        rng.randint(1, 3),
        rng.randint(1, 4),
        rng.randint(0, 4),
        rng.random() < 0.4,
    )
    pairs = [(u, v) for v in range(nodes) for u in range(v) if u == v - 1 or rng.random() < 0.9]
    rounds = random_rounds(nodes, ports, count, rng.randint(0, 6), rng, rng.random() < 0.6)
    problem = posed(Network(nodes, tuple(pairs)), ports=ports, extra_rounds=extra, weak_ports=weak)
    calls = tuple(tuple(Call(u, v, payload=Packets(packets)) for u, v, packets in sends) for sends in rounds)
    seen = replay(problem, Schedule(calls, head={"packet_count": count}))
    said = "complete" if seen.violation is None else "incomplete" if seen.legal else "illegal"
    mine = second_replay(nodes, {frozenset(pair) for pair in pairs}, ports, count, rounds, weak=weak)
    least = next(t for t in range(9) if (ports + 1) ** t >= nodes)
    legal = mine.legal and len(rounds) <= least + extra
    kind = "complete" if legal and mine.is_complete(count) else "incomplete" if legal else "illegal"
    return f"{said} {seen.value}", f"{kind} {sum(mine.costs, Fraction(0))}"


@settings(derandomize=True, deadline=None, max_examples=500)
@given(st.integers(0, 10**9))
def test_the_referee_agrees_with_a_second_replay(seed: int) -> None:
    """On random schedules, legal and illegal, complete and not, in both readings of the ports; so do the
    costs.
    """
    said, mine = both_replays(seed)
    assert said == mine


def test_random_schedules_are_of_all_kinds() -> None:
    """Among a few hundred seeds there are complete, incomplete and illegal schedules, each more than fifty
    times.
    """
    kinds = Counter(both_replays(seed)[0].split()[0] for seed in range(600))
    assert min(kinds[kind] for kind in ("complete", "incomplete", "illegal")) > 50, kinds


def test_a_large_protocol() -> None:
    """729 nodes, 27 packets and 15 rounds of up to 1458 messages."""
    protocol, shape = unequal_costs(2, 6), Shape(2, 729, 9)
    assert (protocol.packet_count, len(protocol.rounds)) == (27, 15)
    parameters = {"source": 0, "ports": 2, "extra_rounds": 9}
    seen = replay(
        Problem("linear-cost", "broadcast", hamming_network(shape), parameters),
        protocol.schedule(lambda x: x),
    )
    assert (seen.violation, seen.value) == (None, Fraction(7, 9))
    mine = second_replay(
        729, {frozenset(edge) for edge in hamming_network(shape).edges}, 2, 27, protocol.rounds
    )
    assert mine.is_complete(27)
    assert sum(mine.costs) == Fraction(7, 9)
