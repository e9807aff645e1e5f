"""The clock of links and dependencies: times computed by hand, and what holds of every run."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import pairwise

from schedsolve.machines.movement.link_clock import Message, run

F = Fraction


def test_a_chain_in_a_pipeline() -> None:
    """Two chunks over two links: the second follows the first; the latency holds nobody up."""
    chain = [
        Message((0, 1), 1, ()),
        Message((0, 1), 1, ()),
        Message((1, 2), 1, (0,)),
        Message((1, 2), 1, (1,)),
    ]
    made = run(chain, {(0, 1): F(1), (1, 2): F(1)}, F(1, 2))
    assert [made.tick * x for x in made.starts] == [0, 1, F(3, 2), F(5, 2)]
    assert made.seconds == 4


def test_a_switch_forwards_while_it_receives() -> None:
    """Links of one speed take the time of one; behind a slow link a fast one waits until it can."""
    way = [Message((0, 9, 1), 4, ())]
    assert run(way, {(0, 9): F(1), (9, 1): F(1)}).seconds == 4
    assert run(way, {(0, 9): F(1), (9, 1): F(1, 4)}).seconds == 4
    assert run(way, {(0, 9): F(1, 4), (9, 1): F(1)}).seconds == 4
    made = run(way, {(0, 9): F(1), (9, 1): F(1, 4)})
    assert [(int(made.tick * a), int(made.tick * b)) for a, b in made.busy[9, 1]] == [(3, 4)]


def test_ports_of_switches_queue() -> None:
    """Two senders to one receiver share its link; they do not hold their own while they wait."""
    both = [Message((0, 9, 2), 1, ()), Message((1, 9, 2), 1, ()), Message((1, 9, 3), 1, ())]
    seconds = {(0, 9): F(1), (1, 9): F(1), (9, 2): F(1), (9, 3): F(1)}
    made = run(both, seconds)
    assert made.seconds == 2
    assert made.tick * made.arrivals[2] == 2


def test_the_order_of_the_program_holds() -> None:
    """A message that waits holds up those behind it on its link; with priorities it does not."""
    waiting = [Message((2, 0), 5, ()), Message((0, 1), 1, (0,)), Message((0, 1), 1, ())]
    seconds = {(2, 0): F(1), (0, 1): F(1)}
    assert run(waiting, seconds).seconds == 7
    made = run(waiting, seconds, priority=[0, 0, 1])
    assert made.seconds == 6
    assert list(made.order) == [0, 2, 1]


def test_a_message_passes_a_node_that_sends_too() -> None:
    """A link that starts at a node's own messages also carries what only passes; one at a time."""
    both = [Message((0, 1, 2), 2, ()), Message((1, 2), 2, ())]
    made = run(both, {(0, 1): F(1), (1, 2): F(1)})
    spans = sorted(made.busy[1, 2])
    assert spans[0][1] <= spans[1][0]
    assert made.seconds == 4


def test_no_link_carries_two_at_a_time() -> None:
    """In random runs, with priorities and without: busy times of a link do not overlap and are as long as
    what it carries, everything waits for what it needs, and the run in the order found is the same.
    """
    draw = random.Random(7)
    for _ in range(60):
        messages: list[Message] = []
        for number in range(30):
            path = tuple(draw.sample(range(6), draw.choice((2, 2, 3, 4))))
            after = {i for i in draw.sample(range(number), min(number, 2)) if messages[i].path[-1] == path[0]}
            messages.append(Message(path, draw.randint(1, 3), tuple(after)))
        seconds = {(u, v): F(draw.randint(1, 6), 6) for u in range(6) for v in range(6) if u != v}
        latency = F(draw.randint(0, 2), 4)
        for priority in (None, [draw.random() for _ in messages]):
            made = run(messages, seconds, latency, priority)
            assert sorted(made.order) == list(range(30))
            for link, spans in made.busy.items():
                assert all(one[1] <= other[0] for one, other in pairwise(spans))
                carried = sum(
                    m.chunks for m in messages for at in range(len(m.path) - 1) if m.path[at : at + 2] == link
                )
                assert sum(b - a for a, b in spans) * made.tick == carried * seconds[link]
            for number, message in enumerate(messages):
                assert all(made.arrivals[other] <= made.starts[number] for other in message.after)
                slowest = max(
                    seconds[message.path[i], message.path[i + 1]] for i in range(len(message.path) - 1)
                )
                least = message.chunks * slowest + latency
                assert (made.arrivals[number] - made.starts[number]) * made.tick >= least
