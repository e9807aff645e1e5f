"""The referee of the matching models: every rule by name, and a second replay."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedsolve.modelkit.form import Path
from schedsolve.modelkit.schedule import Call, Message, Schedule
from schedsolve.models import build_problem
from schedsolve.models.matching.constructions.useful_calls import only_useful_calls
from schedsolve.models.matching.rules import FORM, replay
from schedsolve.network.graph import Network
from tests.models.matching.cases import Case, Rounds, accepts, cases, some_schedule


# Theorem 3.1 of the paper: two-way gossip in the path P_n, odd and even edges in turn.
@pytest.mark.parametrize("n", range(2, 13))
def test_the_algorithm_of_theorem_3_1(n: int) -> None:
    """It takes n - 1 rounds for even n and n for odd n, and is not complete a round earlier."""
    problem = build_problem("telephone", "gossip", Network.from_spec(f"path:{n}"))
    edges = [[(v, v + 1) for v in range(first, n - 1, 2)] for first in (0, 1)]
    rounds = n - 1 + n % 2 if n > 2 else 1
    schedule = Schedule.two_way([edges[t % 2] for t in range(rounds)])
    assert replay(problem, schedule).violation is None
    assert "after the last round" in str(replay(problem, Schedule(schedule.rounds[:-1])).violation)


@settings(derandomize=True, deadline=None, max_examples=100)
@given(cases(), st.integers(0, 9), st.data())
def test_referee_agrees_with_an_independent_replay(case: Case, seed: int, data: st.DataObject) -> None:
    """On random schedules with a random change or two the referee accepts just what a second replay
    accepts.
    """
    problem, n = case.problem, case.graph.number_of_nodes()
    rounds: Rounds = [list(calls) for calls in some_schedule(problem, seed).rounds]
    if data.draw(st.booleans()):
        rounds = [
            list(calls) for calls in only_useful_calls(problem, Schedule(tuple(map(tuple, rounds)))).rounds
        ]
    for _ in range(data.draw(st.integers(0, 2)) if n > 1 and rounds else 0):
        calls = data.draw(st.sampled_from(rounds))
        change = data.draw(st.sampled_from(["remove", "add", "turn", "mode", "end round"]))
        if change == "add":
            u, v = data.draw(st.permutations(range(n)))[:2]
            calls.append(Call(u, v, case.two_way))
        elif change == "end round":
            calls.clear()
        elif calls:
            call = calls.pop(data.draw(st.integers(0, len(calls) - 1)))
            if change == "turn":
                calls.append(Call(call.receiver, call.sender, call.two_way))
            elif change == "mode":
                calls.append(call._replace(two_way=not call.two_way))
    seen = replay(problem, Schedule(tuple(map(tuple, rounds))))
    assert (seen.violation is None) == accepts(problem, rounds)
    assert seen.value == len(rounds)


def calls_in(text: str, network: Network, two_way: bool) -> Schedule:
    """The schedule in a text like "ab cd | bc": rounds of calls between nodes of one letter."""
    rounds = [
        [Call(network.node(word[0]), network.node(word[1]), two_way) for word in part.split()]
        for part in text.split("|")
    ]
    return Schedule(tuple(map(tuple, rounds)) if text else ())


REFUSED = [
    (
        "telephone",
        "gossip",
        "ab cd | bc",
        "after the last round (2): node a does not know the item of nodes c, d; 1 more node misses something",
    ),
    ("telephone", "gossip", "ab cd ab | bc | ab cd", "round 1: node a takes part in two calls"),
    ("telephone", "gossip", "ab | bc cd | ab cd", "round 2: node c takes part in two calls"),
    ("telephone", "gossip", "ab cd | ad | ab cd", "round 2: there is no edge from a to d in the network"),
    (
        "telephone",
        "gossip",
        "",
        (
            "after the last round (0): node a does not know the item of nodes b, c, d; 3 more nodes miss"
            " something"
        ),
    ),
    ("telegraph", "broadcast", "", "after the last round (0): the message has not reached nodes b, c, d"),
    ("telegraph", "broadcast", "ab | bc", "after the last round (2): the message has not reached node d"),
    (
        "telegraph",
        "broadcast",
        "ab | cb | cd",
        "after the last round (3): the message has not reached nodes c, d",
    ),
    ("telegraph", "broadcast", "ab | bc cd", "round 2: node c takes part in two calls"),
    ("telegraph", "broadcast", "ab bc | cd", "round 1: node b takes part in two calls"),
    ("telegraph", "broadcast", "ab | bc | bd", "round 3: there is no edge from b to d in the network"),
    (
        "telegraph",
        "accumulation",
        "dc | cb",
        "after the last round (2): node a does not know the item of nodes b, c, d",
    ),
    (
        "telegraph",
        "accumulation",
        "dc | bc | ba",
        "after the last round (3): node a does not know the item of nodes c, d",
    ),
    (
        "telegraph",
        "accumulation",
        "",
        "after the last round (0): node a does not know the item of nodes b, c, d",
    ),
]


@pytest.mark.parametrize(("model", "task", "text", "reason"), REFUSED)
def test_refusals_on_a_path(model: str, task: str, text: str, reason: str) -> None:
    """The referee names the first broken rule with round and node, or what is missing in the end, in the
    network's labels.
    """
    network = Network.from_labels("abcd", ["ab", "bc", "cd"])  # type: ignore[list-item]
    schedule = calls_in(text, network, two_way=model == "telephone")
    assert replay(build_problem(model, task, network), schedule).violation == reason


def test_refusal_of_the_other_mode() -> None:
    """A one-way call is no telephone call, and a two-way call no telegraph call; the refusal shows how to
    write it in a file.
    """
    network = Network.from_labels("abc", ["ab", "bc"])  # type: ignore[list-item]
    one_way, two_way = Schedule.one_way([[(0, 1)], [(1, 2)]]), Schedule.two_way([[(0, 1)], [(1, 2)]])
    telegraph, telephone = (
        build_problem(model, "broadcast", network) for model in ("telegraph", "telephone")
    )
    assert replay(telegraph, one_way).violation is replay(telephone, two_way).violation is None
    for problem, wrong, reason in ((telegraph, two_way, "two-way"), (telephone, one_way, "one-way")):
        violation = str(replay(problem, wrong).violation)
        assert violation.startswith("round 1: the call ")
        assert f" is {reason}; a {problem.model} call is " in violation
        shown = FORM.read({"rounds": [[json.loads(violation[violation.index("{") :])]]}, network)
        assert shown.rounds[0] == (Call(0, 1, problem is telephone),)


def test_schedules_of_other_models_are_refused() -> None:
    """Messages by the clock, a period, and calls that say more than their ends mean nothing here."""
    problem = build_problem("telegraph", "broadcast", Network.from_spec("path:2"))
    call = Call(0, 1)
    assert replay(problem, Schedule(((call,),))).violation is None
    for schedule, word in (
        (Schedule(messages=(Message(0, 1, 0),)), "clocked"),
        (Schedule(((call,),), period=1), "repeats every 1 rounds"),
        (Schedule(((call._replace(payload=Path((0, 1))),),)), "path"),
    ):
        assert word in str(replay(problem, schedule).violation)


def test_refusal_against_the_arrow() -> None:
    """On a directed network a call against its arc is refused."""
    problem = build_problem("telegraph", "gossip", Network(3, ((0, 1), (1, 2), (2, 0)), directed=True))
    assert (
        replay(problem, Schedule.one_way([[(1, 0)]])).violation
        == "round 1: there is no arc from 1 to 0 in the network"
    )
