"""The algorithms of the line model by name: the problems that each accepts, and its schedules."""

from __future__ import annotations

from collections.abc import Callable

from schedsolve.modelkit.form import Path
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.schedule import Call, Schedule
from schedsolve.modelkit.search import Algorithm, Effort
from schedsolve.modelkit.useful_calls import traced_calls
from schedsolve.models.matching.constructions.algorithms import GOSSIP, ONE_MESSAGE
from schedsolve.models.matching.constructions.textbook import flooding
from schedsolve.network.graph import Network

from ..claims.trees import broadcast_centres, is_tree_shaped
from ..rules import ports_of
from .flow_search import flow_broadcast
from .gossip_annealing import annealed_gossip
from .gossip_search import line_gossip
from .spanning_trees import one_port_tree_broadcast, tree_based_broadcast
from .tree_broadcast import Rounds, through_centre, tree_multicast
from .tree_gossip import tree_gossip


def promising_nodes(problem: Problem, limit: int = 3) -> list[int]:
    """Return at most `limit` nodes that are likely to be the best source or root.

    In a tree this is one node of least broadcast time, otherwise the nodes with the most edges.
    """
    network = problem.broadcast_network
    if network.is_tree:
        return broadcast_centres(network)[1][:1]
    far = network.eccentricities
    return sorted(range(network.node_count), key=lambda v: (-len(network.successors[v]), far[v] or 0, v))[
        :limit
    ]


def schedule_of(problem: Problem, rounds: Rounds) -> Schedule:
    """Return the schedule of a protocol for the problem.

    The calls of a gossip are two-way. For an accumulation, the protocol is a broadcast and is run
    backwards.
    """
    two_way = problem.task == "gossip"
    schedule = Schedule(
        tuple(tuple(Call(u, v, two_way, Path(path)) for u, v, path in calls) for calls in rounds)
    )
    return schedule.reversed() if problem.task == "accumulation" else schedule


def _not_a_tree(problem: Problem) -> str | None:
    if not is_tree_shaped(problem.network):
        return "the network is not a tree"
    if problem.task != "gossip" and len(problem.sources) > 1:
        return "it works from a single source"
    return "it is for all ports" if ports_of(problem) is not None else None


def _not_from_one_source(problem: Problem) -> str | None:
    if len(problem.sources) > 1:
        return "it works from a single source"
    if is_tree_shaped(problem.network):
        return "the network is a tree"
    return "it is for all ports" if ports_of(problem) is not None else None


def _not_undirected_from_one_source(problem: Problem) -> str | None:
    if problem.network.directed:
        return "it needs an undirected network"
    return "it works from a single source" if len(problem.sources) > 1 else None


def _settled_tree(problem: Problem) -> str | None:
    """Return why a problem that an optimal algorithm solves is refused; None for other problems."""
    if _not_a_tree(problem) is None:
        return "the network is a tree, for which there is an optimal algorithm"
    return None


def _cohen(problem: Problem, _: Effort) -> Schedule:
    return schedule_of(
        problem, tree_multicast(problem.broadcast_network, problem.sources[0], problem.targets)
    )


def _farley(problem: Problem, _: Effort) -> Schedule:
    return schedule_of(problem, one_port_tree_broadcast(problem.network, problem.sources[0], problem.targets))


def _farley_gossip(problem: Problem, _: Effort) -> Schedule:
    centre = promising_nodes(problem)[0]
    broadcast = one_port_tree_broadcast(problem.network, centre, problem.targets)
    return schedule_of(problem, through_centre(broadcast))


def _flooding(problem: Problem, _: Effort) -> Schedule:
    rounds = flooding(problem.broadcast_network, problem.sources, problem.targets)
    calls: Rounds = [[(u, v, (u, v)) for u, v in pairs] for pairs in rounds]
    return traced_calls(problem.demands(), schedule_of(problem, calls))


def _spanning_trees(problem: Problem, effort: Effort) -> Schedule:
    rounds = tree_based_broadcast(problem.broadcast_network, problem.sources[0], problem.targets, effort)
    return traced_calls(problem.demands(), schedule_of(problem, rounds))


def _flows(problem: Problem, effort: Effort) -> Schedule:
    rounds = flow_broadcast(
        problem.broadcast_network, problem.sources, problem.targets, ports_of(problem), effort
    )
    return traced_calls(problem.demands(), schedule_of(problem, rounds))


def _gossip_by(
    search: Callable[[Network, int | None, Effort], Rounds],
) -> Callable[[Problem, Effort], Schedule]:
    """Return the function that builds schedules by a heuristic for gossip."""

    def build(problem: Problem, effort: Effort) -> Schedule:
        rounds = search(problem.network, ports_of(problem), effort)
        return traced_calls(problem.demands(), schedule_of(problem, rounds))

    return build


ALGORITHMS = (
    Algorithm(
        "tree-broadcast",
        "optimal in trees; Cohen, Theorem 1 and Corollaries 1 and 2",
        ONE_MESSAGE,
        _not_a_tree,
        _cohen,
    ),
    Algorithm(
        "tree-gossip",
        "accumulation and broadcast at a centre, optimal in trees; Cohen, Theorem 2",
        GOSSIP,
        _not_a_tree,
        lambda problem, _: schedule_of(problem, tree_gossip(problem.network)),
    ),
    Algorithm(
        "one-port",
        "ceil(log2 k) rounds for k nodes with one port, in a spanning tree, optimal; Farley (1980)",
        ONE_MESSAGE,
        _not_undirected_from_one_source,
        _farley,
    ),
    Algorithm(
        "one-port-gossip",
        "textbook: one-port to a centre backwards, then forwards, 2 ceil(log2 n) - 1 rounds",
        GOSSIP,
        lambda _: None,
        _farley_gossip,
        rival=True,
    ),
    Algorithm(
        "flooding",
        "textbook: every informed node calls its uninformed neighbour of greatest degree",
        ONE_MESSAGE,
        lambda _: None,
        _flooding,
        rival=True,
    ),
    Algorithm(
        "spanning-trees",
        "heuristic: Cohen's algorithm in spanning trees improved by local search",
        ONE_MESSAGE,
        _not_from_one_source,
        _spanning_trees,
        thorough=True,
    ),
    Algorithm(
        "flow-search",
        "heuristic: as many calls a round as a maximum flow allows, restarts",
        ONE_MESSAGE,
        _settled_tree,
        _flows,
        thorough=True,
    ),
    Algorithm(
        "gossip-search",
        "heuristic: accumulation and broadcast at a centre, greedy exchanges, restarts",
        GOSSIP,
        _settled_tree,
        _gossip_by(line_gossip),
        thorough=True,
    ),
    Algorithm(
        "gossip-annealing",
        "heuristic: simulated annealing over what every node does with the trails of a round",
        GOSSIP,
        _settled_tree,
        _gossip_by(annealed_gossip),
        thorough=True,
    ),
)
