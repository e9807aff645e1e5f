"""The referee of the routing model, against a replay written apart from it, and every rule that it can find
broken.
"""

from __future__ import annotations

import random

import pytest

from schedsolve import Network, build_problem
from schedsolve.modelkit.form import Path
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.schedule import Call, Message, Schedule
from schedsolve.models import model_of
from schedsolve.models.routing.constructions import offline_schedule
from schedsolve.models.routing.rules import FORM, UpstreamPorts, turning_level, wires
from schedsolve.runtime.errors import InputError
from tests.reference.routing_reference import top_of, walk


def problem_of(n: int, messages: list[tuple[int, int]]) -> Problem:
    return build_problem(
        "routing", "deliver", Network.from_spec(f"fat-tree:{n}"), {"messages": [list(m) for m in messages]}
    )


def send(source: int, destination: int, *ports: int) -> Call:
    return Call(source, destination, payload=UpstreamPorts(ports))


def violation(n: int, messages: list[tuple[int, int]], *rounds: list[Call]) -> str | None:
    problem = problem_of(n, messages)
    return model_of(problem).replay(problem, Schedule(tuple(map(tuple, rounds)))).violation


# The examples in the proof of Lemma 1, on the network of Figure 1 with 16 nodes.
@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        (send(0, 4, 0, 1), send(8, 10, 0), None),  # i = 2, k = 3, j = 1: disjoint subtrees
        (send(0, 5, 0, 1), send(6, 2, 0, 1), None),  # i = k = j = 2: they cross
        (send(0, 9, 0, 1, 1), send(5, 6, 1), None),  # i = 3, k = 2, j = 1
        (send(0, 9, 0, 1, 1), send(2, 4, 1, 0), None),  # i = 3, j = 2, k = 1: only upstream in common
        (send(0, 5, 1, 0), send(4, 6, 1), None),  # i = k = 2, j = 1: no collision at 4 or 5
        (send(0, 6, 1, 0), send(4, 6, 0), "round 1: "),  # the same destination
        (send(0, 6, 1, 0), send(4, 7, 1), "round 1: "),  # the same router of level 1
        (send(0, 6, 1, 0), send(4, 7, 0), None),  # another router of level 1
    ],
)
def test_the_examples_of_lemma_1(first: Call, second: Call, words: str | None) -> None:
    """Two messages collide on their way down only."""
    found = violation(16, [(first.sender, first.receiver), (second.sender, second.receiver)], [first, second])
    assert (found is None) == (words is None)
    assert words is None or str(found).startswith(words)


def test_a_message_takes_as_many_wires_as_the_paper_says() -> None:
    """Two nodes whose lowest common router node has level v are 2 (v + 1) links apart, on the wires of the
    network written out.
    """
    for source in range(8):
        for destination in set(range(8)) - {source}:
            top = turning_level(source, destination)
            assert top == top_of((source, destination))
            ports = [1, 0, 1][:top]
            assert (
                len(list(wires(source, destination, ports)))
                == len(walk(8, (source, destination), ports))
                == 2 * (top + 1)
            )


def test_the_referee_agrees_with_the_network_written_out() -> None:
    """Two messages with any ports share a wire by the referee exactly when they share a link of the network,
    in the same direction.
    """
    generator = random.Random(1)
    seen = set()
    for _ in range(2000):
        messages = [(generator.randrange(8), generator.randrange(8)) for _ in range(2)]
        if any(s == d for s, d in messages):
            continue
        ports = [tuple(generator.randrange(2) for _ in range(top_of(m))) for m in messages]
        shared = bool(set(walk(8, messages[0], ports[0])) & set(walk(8, messages[1], ports[1])))
        found = violation(8, messages, [send(*m, *p) for m, p in zip(messages, ports, strict=True)])
        assert (found is not None) == shared
        seen.add(shared)
    assert seen == {True, False}


@pytest.mark.parametrize(
    ("rounds", "words"),
    [
        ([[send(0, 3, 0), send(2, 3)]], "wire to node 3"),
        ([[send(0, 3, 0), send(1, 2, 0)]], "wire up between nodes 0..1 and router 0 of level 1"),
        ([[send(0, 3, 2)]], '"upstream_ports" with 1 entries'),
        ([[send(0, 3)]], '"upstream_ports" with 1 entries'),
        ([[send(0, 3, 0, 0)]], '"upstream_ports" with 1 entries'),
        ([[send(1, 0)]], "delivers no message"),
        ([[send(0, 3, 0)], [send(0, 3, 0)]], "round 2: the call from 0 to 3 delivers no message"),
        ([[Call(0, 3, True)]], "two-way"),
        ([[Call(0, 3, payload=Path((0, 4, 6, 5, 3)))]], "path"),
        ([[send(0, 5, 0)]], "not a processing node"),
        ([[send(3, 3)]], "one end only"),
        ([[send(0, 3, 0)], [send(2, 3)]], "the message from 1 to 2 is not delivered"),
    ],
)
def test_every_broken_rule_is_named(rounds: list[list[Call]], words: str) -> None:
    """One schedule for each rule that can be broken."""
    found = violation(4, [(0, 3), (2, 3), (1, 2)], *rounds)
    assert found is not None
    assert words in found


def test_other_forms_of_schedules_are_refused() -> None:
    """A clocked schedule, a period, and packets mean nothing here."""
    problem = problem_of(4, [(0, 3)])
    replay = model_of(problem).replay
    for schedule in (
        Schedule(messages=(Message(0, 3, 0),)),
        Schedule(((send(0, 3, 0),),), period=1),
        Schedule((), head={"packet_count": 2}),
    ):
        assert replay(problem, schedule).violation


def test_a_mutated_schedule_is_rejected() -> None:
    """Turning any one port of a round that uses every wire makes two messages share a wire, and leaving a
    message out is noticed.
    """
    n = 16
    problem = problem_of(n, [(v, (v + 8) % n) for v in range(n)])
    schedule = offline_schedule(problem)
    replay = model_of(problem).replay
    assert replay(problem, schedule).violation is None
    (calls,) = schedule.rounds
    for number, call in enumerate(calls):
        others = calls[:number] + calls[number + 1 :]
        assert replay(problem, Schedule((others,))).violation
        for level, port in enumerate(call.payload):
            ports = (*call.payload[:level], 1 - port, *call.payload[level + 1 :])
            assert replay(
                problem, Schedule(((*others, call._replace(payload=UpstreamPorts(ports))),))
            ).violation


def test_schedules_survive_json() -> None:
    """The ports are kept, and bad ones refused."""
    problem = problem_of(8, [(0, 7), (3, 1), (6, 7)])
    schedule = offline_schedule(problem)
    data = schedule.to_json(problem.network.labels)
    assert FORM.read(data, problem.network) == schedule
    data["rounds"][0][0]["upstream_ports"] = [2]
    with pytest.raises(InputError, match="upstream ports are a list of 0 and 1"):
        FORM.read(data, problem.network)


def test_other_models_refuse_ports() -> None:
    """A telegraph call goes through no routers."""
    problem = build_problem("telegraph", "broadcast", Network.from_spec("path:2"))
    assert model_of(problem).replay(problem, Schedule((((send(0, 1, 0)),),))).violation
