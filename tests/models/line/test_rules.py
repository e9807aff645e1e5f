"""The referee of the line model: every rule by name, and a second replay that shares no code with it."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedsolve.modelkit.form import Path
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.schedule import Call, Message, Schedule
from schedsolve.modelkit.useful_calls import traced_calls
from schedsolve.models import build_problem
from schedsolve.models.line.constructions.tree_broadcast import tree_broadcast
from schedsolve.models.line.rules import replay
from schedsolve.models.linear_cost.rules import Packets
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError
from tests.reference.line_replay import Items, second_replay


def net(edges: str, *, directed: bool = False) -> Network:
    """A network of one-letter nodes from words such as ab bc."""
    words = edges.split()
    return Network.from_labels(sorted({*"".join(words)}), [(e[0], e[1]) for e in words], directed=directed)


SQUARE, TREE, ARCS = net("ab bc cd ad ac"), net("ab bc cd be"), net("ab ba bc cb ca", directed=True)
CYCLE, KITE = net("ab bc cd ad"), net("ab ac bc cd")


def posed(task: str, network: Network, **options: Any) -> Problem:
    return build_problem("line", task, network, options)


def schedule_of(text: str, network: Network) -> Schedule:
    """A schedule from words: abc is a one-way call along a, b, c; a=c needs no path; a~bc a two-way call
    along a, b, c; | ends a round.
    """
    rounds = []
    for part in text.split("|"):
        calls = []
        for word in part.split():
            nodes = tuple(network.node(x) for x in word if x not in "=~")
            calls.append(Call(nodes[0], nodes[-1], "~" in word, Path(() if "=" in word else nodes)))
        rounds.append(tuple(calls))
    return Schedule(tuple(rounds) if text.strip() else ())


def violation(problem: Problem, text: str) -> str | None:
    return replay(problem, schedule_of(text, problem.network)).violation


TREE_14 = "0-1 0-2 0-12 1-3 2-4 2-5 2-6 3-10 4-8 5-11 6-7 6-9 6-13"


# Algorithm 1 of the paper, on the smallest tree known on which the printed lines go wrong (docs/errata.md).
def test_algorithm_1() -> None:
    """From node 13 it informs the 14 nodes in 4 rounds, the least number; the referee accepts its calls, and
    not those of three rounds.
    """
    network = Network(14, tuple((int(u), int(v)) for u, v in (edge.split("-") for edge in TREE_14.split())))
    rounds = [
        tuple(Call(path[0], path[-1], payload=Path(path)) for _, _, path in calls)
        for calls in tree_broadcast(network, 13)
    ]
    problem = posed("broadcast", network, source=13)
    seen = replay(problem, Schedule(tuple(rounds)))
    assert (seen.violation, seen.value) == (None, 4)
    assert "after the last round (3)" in str(replay(problem, Schedule(tuple(rounds[:-1]))).violation)


REFUSED = [
    (
        SQUARE,
        "all",
        "abc bcd",
        "round 1: the call from b to d uses the edge b-c, as does the call from a to c",
    ),
    (
        SQUARE,
        "all",
        "ab | ad cda",
        "round 2: the call from c to a uses the edge a-d, as does the call from a to d",
    ),
    (CYCLE, "all", "ab ba", "round 1: the call from b to a uses the edge a-b, as does the call from a to b"),
    (
        CYCLE,
        "all",
        "a~bc bad",
        "round 1: the call from b to d uses the edge a-b, as does the call between a and c",
    ),
    (TREE, "all", "a=d c=e", "round 1: the call from c to e uses the edge b-c, as does the call from a to d"),
    (
        TREE,
        "all",
        "ab | a=e a=c",
        "round 2: the call from a to c uses the edge a-b, as does the call from a to e",
    ),
    (ARCS, "all", "abc ab", "round 1: the call from a to b uses the edge a-b, as does the call from a to c"),
    (ARCS, "all", "ac", "round 1: the path of the call from a to c goes from a to c, where there is no arc"),
    (ARCS, "all", "a~b", "round 1: the call between a and b is two-way, but the network has arcs"),
    (
        ARCS,
        "all",
        "a=c",
        (
            'round 1: the call from a to c needs a "path": its ends are no neighbours and the network is no'
            " undirected tree"
        ),
    ),
    (
        CYCLE,
        "all",
        "ab | acd",
        "round 2: the path of the call from a to d goes from a to c, where there is no edge",
    ),
    (
        CYCLE,
        "all",
        "a=c",
        (
            'round 1: the call from a to c needs a "path": its ends are no neighbours and the network is no'
            " undirected tree"
        ),
    ),
    (KITE, "all", "abcacd", "round 1: the path of the call from a to d visits node a twice"),
    (KITE, "all", "dcabc", "round 1: the path of the call from d to c visits node c twice"),
    (SQUARE, "all", "a=a", "round 1: the call from a to a has one end only"),
    (SQUARE, "all", "abca", "round 1: the call from a to a has one end only"),
    (SQUARE, 1, "ab ad", "round 1: node a takes part in more than 1 call"),
    (SQUARE, 1, "ab cb", "round 1: node b takes part in more than 1 call"),
    (SQUARE, 1, "ab | a~b bc", "round 2: node b takes part in more than 1 call"),
    (SQUARE, 2, "ab ad ac", "round 1: node a takes part in more than 2 calls"),
    (SQUARE, "all", "", "after the last round (0): the message has not reached nodes b, c, d"),
    (SQUARE, "all", "abc ad", "after the last round (1): the message has not reached node b"),
    (TREE, 1, "a=d | b=a c=e", "after the last round (2): the message has not reached nodes b, c, e"),
    (SQUARE, "all", "ab bc ad", "after the last round (1): the message has not reached node c"),
]


@pytest.mark.parametrize(
    ("network", "ports", "text", "reason"), REFUSED, ids=[f"{i}-{row[2]}" for i, row in enumerate(REFUSED)]
)
def test_refusals_of_a_broadcast(network: Network, ports: int | str, text: str, reason: str) -> None:
    """The first broken rule is named with its round, the edge and both calls; else whom the message has not
    reached.
    """
    assert violation(posed("broadcast", network, source="a", ports=ports), text) == reason


ACCEPTED = [
    ("broadcast", SQUARE, {"source": "a"}, "ab ac ad"),
    ("broadcast", CYCLE, {"source": "a", "ports": 1}, "abc | ab cd"),
    ("broadcast", CYCLE, {"source": "a", "ports": 1}, "a=b | a=d b=c"),
    ("broadcast", ARCS, {"source": "a"}, "a=b | b=c"),
    ("broadcast", TREE, {"source": "a", "ports": 1}, "a=d | a=b d=c | b=e"),
    ("broadcast", ARCS, {"source": "a"}, "ab | ba bc"),
    ("broadcast", net("ab ba bc cb", directed=True), {"source": "c"}, "cba | ab"),
    ("accumulation", SQUARE, {"root": "a"}, "ba ca da"),
    ("accumulation", TREE, {"root": "a", "ports": 1}, "e=b d=c | c=a | b=a"),
    ("gossip", CYCLE, {"ports": 1}, "a~b c~d | b~c a~d"),
]


@pytest.mark.parametrize(("task", "network", "options", "text"), ACCEPTED)
def test_what_is_accepted(task: str, network: Network, options: dict[str, Any], text: str) -> None:
    """Passing through needs no port, a call in a tree no path; two opposite arcs are no conflict."""
    seen = replay(posed(task, network, **options), schedule_of(text, network))
    assert (seen.violation, seen.value, seen.legal) == (None, text.count("|") + 1, True)


def test_passing_through_needs_no_port() -> None:
    """Node b calls with its only port while two calls pass through it."""
    cross = net("ab bc db be bf")
    complaint = violation(posed("broadcast", cross, source="a", ports=1), "abc dbe")
    assert str(complaint).endswith("not reached nodes b, d, e, f")
    assert (
        violation(posed("multicast", cross, source="a,d,f", targets="c,e,b", ports=1), "abc dbe fb") is None
    )


def test_a_node_that_is_passed_through_learns_nothing() -> None:
    """The message from a to c goes by b, which then still misses it."""
    assert (
        violation(posed("broadcast", net("ab bc"), source="a"), "abc")
        == "after the last round (1): the message has not reached node b"
    )


def test_knowledge_is_that_from_before_the_round() -> None:
    """Two calls one after the other within a round bring only what was known before, in either order of
    writing.
    """
    problem = posed("multicast", net("ab bc"), source="a", targets="c")
    assert (
        violation(problem, "ab bc")
        == violation(problem, "bc ab")
        == "after the last round (1): the message has not reached node c"
    )
    assert violation(problem, "ab | bc") is None


def test_who_misses_what() -> None:
    """An accumulation and a gossip name the node and the items."""
    path = net("ab bc cd")
    assert (
        violation(posed("accumulation", path, root="a"), "dc cb | ba")
        == "after the last round (2): node a does not know the item of node d"
    )
    seen = violation(posed("gossip", path), "a~b c~d | b~c")
    assert seen is not None
    assert seen.startswith("after the last round (2): node a does not know the item of nodes c, d")
    assert violation(posed("gossip", path), "a~b c~d | b~c | a~b c~d") is None


def test_one_way_calls_may_make_a_gossip() -> None:
    """Both ends can learn what the other knew; a call that only brings it one way is no offence."""
    assert violation(posed("gossip", net("ab bc")), "ab | bc | cba | ab") is None


def test_relays_outside_the_group() -> None:
    """In a multicast nodes that are no targets may be informed and call, and those that nobody asks about may
    stay uninformed.
    """
    problem = posed("multicast", TREE, source="a", targets="d,e")
    assert violation(problem, "ab | b=e b=d") is None
    assert violation(problem, "a=d | d=e") is None
    assert violation(problem, "ab | b=e") == "after the last round (2): the message has not reached node d"


def test_schedules_of_other_models_are_refused() -> None:
    """Clocked messages, packets and a period mean nothing here."""
    problem = posed("broadcast", net("ab"), source="a")
    call = (Call(0, 1),)
    assert replay(problem, Schedule((call,))).violation is None
    for schedule, word in (
        (Schedule(messages=(Message(0, 1, 0),)), "clocked"),
        (Schedule((call,), head={"packet_count": 2}), "packet_count"),
        (Schedule(((Call(0, 1, payload=Packets((0,))),),)), "packets"),
        (Schedule((call,), period=1), "repeats every 1 rounds"),
    ):
        assert word in str(replay(problem, schedule).violation)


def test_wrong_ends() -> None:
    """A path that leads elsewhere than the call."""
    problem = posed("broadcast", CYCLE, source="a")
    assert (
        replay(problem, Schedule(((Call(0, 2, False, Path((0, 1))),),))).violation
        == "round 1: the path of the call from a to c leads from a to b"
    )
    assert (
        replay(problem, Schedule(((Call(0, 2, True, Path((2, 1, 0))),),))).violation
        == "round 1: the path of the call between a and c leads from c to a"
    )


@pytest.mark.parametrize("task", ["broadcast", "accumulation", "gossip"])
def test_a_single_node(task: str) -> None:
    """Nothing is to be done."""
    seen = replay(posed(task, Network(1, ())), Schedule())
    assert (seen.violation, seen.value, seen.legal) == (None, 0, True)


def random_problem(rng: random.Random) -> Problem:
    """A task on a connected network of 1 to 6 nodes, often a tree, sometimes with arcs."""
    n = rng.randint(1, 6)
    edges = {(rng.randrange(v), v) for v in range(1, n)}
    if n > 1 and rng.random() < 0.6:
        edges |= {(u, v) for v in range(n) for u in range(v) if rng.random() < 0.4}
    task = rng.choice(["broadcast", "multicast", "accumulation", "gossip"])
    directed = task != "gossip" and rng.random() < 0.3
    arcs = edges | {(v, u) for u, v in edges} if directed else edges
    options: dict[str, Any] = {"ports": rng.choice(["all", 1, 2])}
    if task != "gossip":
        options["root" if task == "accumulation" else "source"] = rng.randrange(n)
    if task == "multicast":
        options["targets"] = rng.sample(range(n), rng.randint(1, n))
    return posed(task, Network(n, tuple(arcs), directed=directed), **options)


def random_round(problem: Problem, rng: random.Random, careful: bool) -> list[Call]:
    """Calls along random walks that visit no node twice; careful: over free edges and ports only; else also
    damaged in some way.
    """
    network, ports = problem.network, problem.parameters["ports"]
    free = set(network.edges)
    left = Counter(dict.fromkeys(range(network.node_count), 9 if ports == "all" else ports))
    calls = []
    for _ in range(rng.randint(0, 2 * network.node_count)):
        route = [rng.randrange(network.node_count)]
        for _ in range(rng.choice([1, 1, 2, 3])):
            ways = [v for v in network.successors[route[-1]] if v not in route]
            if careful:
                ways = [
                    v
                    for v in ways
                    if ((route[-1], v) if network.directed else (min(route[-1], v), max(route[-1], v)))
                    in free
                ]
            if not ways:
                break
            route.append(rng.choice(ways))
        if len(route) < 2 or (careful and not (left[route[0]] and left[route[-1]])):
            continue
        free -= {step if network.directed else (min(step), max(step)) for step in pairwise(route)}
        left.subtract((route[0], route[-1]))
        call = Call(route[0], route[-1], not network.directed and rng.random() < 0.8, Path(route))
        calls.append(call if careful or rng.random() < 0.8 else damaged(call, network.node_count, rng))
    return calls


def damaged(call: Call, n: int, rng: random.Random) -> Call:
    """The call with another end, another path, no path, or both ways."""
    other = rng.randrange(n)
    ways = [
        call._replace(receiver=other),
        call._replace(payload=Path((*call.payload, other))),
        call._replace(payload=Path()),
        call._replace(two_way=True),
    ]
    return rng.choice([*ways, call._replace(payload=Path((call.payload[0], other, *call.payload[1:])))])


def wanted(problem: Problem) -> tuple[Items, Items]:
    """What every node holds at first, and what it must hold in the end."""
    n = problem.network.node_count
    everything = range(n)
    if problem.task in ("broadcast", "multicast"):
        return [[0] * (v in problem.sources) for v in range(n)], [
            [0] * (v in problem.targets) for v in range(n)
        ]
    knowing = [v for v in range(n) if problem.task == "gossip" or v in problem.sources]
    return [[v] for v in range(n)], [everything if v in knowing else () for v in range(n)]


@settings(derandomize=True, deadline=None, max_examples=300)
@given(st.integers(0, 10**9))
def test_the_referee_agrees_with_a_second_replay(seed: int) -> None:
    """On random schedules, legal and illegal, complete and not."""
    rng = random.Random(seed)
    problem = random_problem(rng)
    careful = rng.random() < 0.5
    rounds = [random_round(problem, rng, careful) for _ in range(rng.randint(0, 5))]
    schedule = Schedule(tuple(tuple(calls) for calls in rounds))
    seen = replay(problem, schedule)
    ports = problem.parameters["ports"]
    assert (seen.violation is None) == second_replay(
        problem.network.edges,
        problem.network.directed,
        None if ports == "all" else ports,
        rounds,
        *wanted(problem),
    )
    assert seen.value == len(rounds)
    assert seen.legal or not careful
    if seen.violation is None:
        thin = traced_calls(problem.demands(), schedule)
        assert thin.call_count <= schedule.call_count
        assert len(thin.rounds) == len(rounds)
        assert replay(problem, thin).violation is None


def test_random_schedules_are_of_all_kinds() -> None:
    """Among a few hundred seeds there are complete, incomplete and illegal schedules, each more than twenty
    times.
    """
    kinds: Counter[str] = Counter()
    for seed in range(600):
        rng = random.Random(seed)
        problem = random_problem(rng)
        careful = rng.random() < 0.5
        seen = replay(
            problem,
            Schedule(tuple(tuple(random_round(problem, rng, careful)) for _ in range(rng.randint(0, 5)))),
        )
        kinds["complete" if seen.violation is None else "incomplete" if seen.legal else "illegal"] += 1
    assert min(kinds[kind] for kind in ("complete", "incomplete", "illegal")) > 20


def test_gossip_needs_an_undirected_network() -> None:
    """It is refused before anything is replayed."""
    with pytest.raises(InputError, match="undirected"):
        posed("gossip", ARCS)


def test_ends_and_paths_that_are_not_written() -> None:
    """A call has two ends, also in a tree, where no path need be written; nor between neighbors anywhere."""
    assert "one end only" in str(violation(posed("broadcast", TREE, source="a"), "a="))
    for network in (SQUARE, CYCLE, ARCS):
        said = str(violation(posed("broadcast", network, source="a"), "a=b"))
        assert said.startswith("after the last round")
    assert "needs a" in str(violation(posed("broadcast", CYCLE, source="a"), "a=c"))
