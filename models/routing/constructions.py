"""Schedules of the routing model: optimal off-line routing and random routing.

Sources: König 1916 for the rounds; Benes 1964 and Waksman 1968 (the looping algorithm) for the routers;
Strumpen and Krishnamurthy (JPDC 2005) for random routing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.schedule import Call, Schedule
from schedsolve.modelkit.search import Algorithm, Effort

from .rules import Message, UpstreamPorts, messages_of, processor_count, turning_level
from .simulation.simulation import DEFAULT_RULES, random_schedule

DELIVER = frozenset({"deliver"})


def colour_messages(messages: Sequence[Message]) -> list[int]:
    """Return a round, numbered from 0, for every message, in as few rounds as possible.

    No source and no destination occurs twice in a round. This is König's edge coloring of a bipartite
    multigraph: a message takes a round a that is free at its source. If a is not free at its destination,
    some round b is free there; then the path from the destination whose messages alternate between a and b
    is recolored, by exchanging a and b. The path never reaches the source, because it enters sources by
    messages of round a only, and a is free at the source.

    Parameters
    ----------
    messages
        The messages, each a source and a destination.

    References
    ----------
    König, Über Graphen und ihre Anwendung auf Determinantentheorie und Mengenlehre (1916).
    """
    rounds = [0] * len(messages)
    busy: tuple[dict[int, dict[int, int]], dict[int, dict[int, int]]] = ({}, {})
    for number, (source, destination) in enumerate(messages):
        at_source, at_destination = busy[0].setdefault(source, {}), busy[1].setdefault(destination, {})
        a, b = _first_free(at_source), _first_free(at_destination)
        path = []
        node, end, wanted = destination, 1, a
        while wanted in busy[end].get(node, {}):
            path.append(busy[end][node][wanted])
            end = 1 - end
            node, wanted = messages[path[-1]][end], a + b - wanted
        for i in path:
            for side in (0, 1):
                del busy[side][messages[i][side]][rounds[i]]
        for i in path:
            rounds[i] = a + b - rounds[i]
            for side in (0, 1):
                busy[side][messages[i][side]][rounds[i]] = i
        rounds[number] = a
        at_source[a] = at_destination[a] = number
    return rounds


def _first_free(rounds: Mapping[int, int]) -> int:
    return next(t for t in range(len(rounds) + 1) if t not in rounds)


def route_permutation(destinations: Mapping[int, int], n: int) -> dict[int, int]:
    """Return routers by which messages with distinct sources and distinct destinations pass in one round.

    Two messages from sibling nodes 2 i and 2 i + 1 take different upstream ports at level 0, and so do two
    messages to sibling nodes. This is possible: a message has at most one such partner at its source and
    one at its destination, and on a cycle the two kinds alternate, so its length is even. The messages with
    the same port then have distinct sources and destinations among the n / 2 pairs of siblings, and are
    routed in the same way from level 1 upward.

    By induction two messages from, or to, the same subtree of 2^l nodes differ in one of their first l
    ports, so they use different wires.

    Parameters
    ----------
    destinations
        The destination of each source.
    n
        The number of processing nodes, 2^h.

    Returns
    -------
    dict
        For every source a router of level h - 1. A message that turns at a lower level takes the ports that
        lead to this router as far as it goes up.

    References
    ----------
    Benes 1964 and Waksman 1968 (the looping algorithm).
    """
    routers = dict.fromkeys(destinations, 0)
    layers = [list(destinations)]
    for level in range(n.bit_length() - 2):
        following = []
        for layer in layers:
            port = _two_colour(layer, destinations, level)
            following += [[v for v in layer if port[v] == p] for p in (0, 1)]
            for v in layer:
                routers[v] |= port[v] << level
        layers = [layer for layer in following if layer]
    return routers


def _two_colour(layer: Sequence[int], destinations: Mapping[int, int], level: int) -> dict[int, int]:
    """Return a port for every message of a layer, by its source.

    Two messages from sibling subtrees of 2^level nodes get different ports, and so do two messages to them.
    """
    from_subtree = {v >> level: v for v in layer}
    to_subtree = {destinations[v] >> level: v for v in layer}
    port: dict[int, int] = {}
    for start in layer:
        reached = [] if start in port else [start]
        port.setdefault(start, 0)
        for v in reached:
            for partner in (from_subtree.get(v >> level ^ 1), to_subtree.get(destinations[v] >> level ^ 1)):
                if partner is not None and partner not in port:
                    port[partner] = 1 - port[v]
                    reached.append(partner)
    return port


def offline_schedule(problem: Problem) -> Schedule:
    """Return a shortest schedule: rounds by edge coloring, and routers by the looping algorithm."""
    messages = messages_of(problem)
    n = processor_count(problem.network)
    sent: dict[int, dict[int, int]] = {}
    for (source, destination), t in zip(messages, colour_messages(messages), strict=True):
        sent.setdefault(t, {})[source] = destination
    calls = []
    for t in range(len(sent)):
        routers = route_permutation(sent[t], n)
        calls.append(tuple(_call(s, d, routers[s]) for s, d in sent[t].items()))
    return Schedule(tuple(calls))


def ports_to(router: int, level: int) -> UpstreamPorts:
    """Return the upstream ports that lead to a router of a level, the lowest level first."""
    return UpstreamPorts(router >> below & 1 for below in range(level))


def _call(source: int, destination: int, router: int) -> Call:
    return Call(source, destination, payload=ports_to(router, turning_level(source, destination)))


def random_routing(problem: Problem, effort: Effort) -> Schedule:
    """Return the rounds of a run of random routing, under the default options of `simulation.Rules`.

    The rule of conflicts is the paper's message rejection rule.
    """
    import numpy as np

    pairs = np.array(messages_of(problem), dtype=np.int32).reshape(-1, 2)
    delivered = random_schedule(pairs[:, 0], pairs[:, 1], DEFAULT_RULES, np.random.default_rng(effort.seed))
    return Schedule(tuple(tuple(_call(*message) for message in calls) for calls in delivered))


def _always(_: Problem) -> None:
    return None


ALGORITHMS = (
    Algorithm(
        "benes",
        "optimal: König's edge colouring, and the looping algorithm in every round",
        DELIVER,
        _always,
        lambda p, _: offline_schedule(p),
    ),
    Algorithm(
        "random-routing",
        "random upstream ports, rejected messages sent again; Strumpen and Krishnamurthy 2005",
        DELIVER,
        _always,
        random_routing,
    ),
)
