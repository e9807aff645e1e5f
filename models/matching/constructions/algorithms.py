"""The algorithms of the matching models by name.

Which networks each works on, and the schedules it builds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.schedule import Schedule
from schedsolve.modelkit.search import Algorithm, Effort
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError

from ..rules import is_two_way
from . import gossip_families
from .broadcast_search import search_broadcast
from .gossip_search import search_gossip
from .textbook import dimension_gossip, dimension_order, flooding, lattice_of, rank_doubling
from .trees import broadcast_centre, tree_broadcast
from .useful_calls import only_useful_calls

Pairs = Sequence[Sequence[tuple[int, int]]]

MOST_CALLS = 1_000_000
"""The most calls of a schedule in which useless ones are sought, each of which takes some 600 bytes."""
MOST_WRITTEN = 1_900_000
"""The most different calls of a known gossip: their file is one that `check` reads."""
MOST_REPEATED = 50_000_000
"""The most calls of a known gossip of two rounds in turn, which are replayed in half a minute."""
MOST_WEIGHED = 5_000_000
"""The most calls that one attempt of the search for a gossip weighs, which takes some 8 seconds."""

MOST_RANKS = 512
"""The most nodes between whose ranks shortest paths are looked for, which takes some tenths of a second."""

ONE_MESSAGE = frozenset({"broadcast", "multicast", "accumulation"})
GOSSIP = frozenset({"gossip"})


def promising_nodes(problem: Problem, limit: int = 3) -> list[int]:
    """Nodes that are likely to be the best source or root.

    In a tree its broadcast centre, else at most `limit` of least eccentricity.
    """
    if problem.network.is_tree:
        return [broadcast_centre(problem.network)]
    far = problem.broadcast_network.eccentricities
    degree = [len(out) for out in problem.broadcast_network.successors]
    return sorted(range(problem.network.node_count), key=lambda v: (far[v] or 0, -degree[v], v))[:limit]


def as_schedule(problem: Problem, rounds: Pairs) -> Schedule:
    """Return the schedule of a broadcast's rounds; run backwards when the problem is an accumulation."""
    if problem.task == "accumulation":
        rounds = [[(v, u) for u, v in calls] for calls in reversed(rounds)]
    return Schedule.two_way(rounds) if is_two_way(problem) else Schedule.one_way(rounds)


def _broadcast_in_tree(problem: Problem, _: Effort) -> Schedule:
    return as_schedule(problem, tree_broadcast(problem.network, problem.sources[0], problem.targets))


def _broadcast_in_complete_network(problem: Problem, _: Effort) -> Schedule:
    return as_schedule(problem, _doubling(problem.sources, problem.targets))


def _doubling(sources: Sequence[int], targets: Sequence[int]) -> list[list[tuple[int, int]]]:
    """In every round each informed node calls a target that is not informed, while there is one."""
    informed = list(dict.fromkeys(sources))
    missing = sorted(set(targets) - set(informed), reverse=True)
    rounds = []
    while missing:
        calls = [(sender, missing.pop()) for sender in informed[: len(missing)]]
        rounds.append(calls)
        informed += [receiver for _, receiver in calls]
    return rounds


def _not_complete(problem: Problem) -> str | None:
    return None if problem.network.is_complete else "the network is not complete"


def _not_a_tree(problem: Problem) -> str | None:
    if not problem.network.is_tree:
        return "the network is not a tree"
    if problem.task in ONE_MESSAGE and len(problem.sources) > 1:
        return "it works from a single source"
    return None


def _broadcast_in_hypercube(problem: Problem, _: Effort) -> Schedule:
    """In round i every informed node calls its neighbour in dimension i."""
    source = problem.sources[0]
    dimension = problem.network.node_count.bit_length() - 1
    rounds = [[(source ^ x, source ^ x ^ 1 << i) for x in range(1 << i)] for i in range(dimension)]
    return only_useful_calls(problem, as_schedule(problem, rounds))


def _not_a_hypercube_with_one_source(problem: Problem) -> str | None:
    return _not_the_family("hypercube")(problem) or (
        "it works from a single source" if len(problem.sources) > 1 else None
    )


def _search_broadcast(problem: Problem, effort: Effort) -> Schedule:
    rounds = search_broadcast(problem.broadcast_network, problem.sources, problem.targets, effort)
    return as_schedule(problem, rounds)


def _in_then_out(problem: Problem, effort: Effort) -> Schedule:
    """Return a gossip along the arrows: everything comes to a node, and goes out from it by other calls."""
    network = problem.network
    best: list[list[tuple[int, int]]] = []
    of_each = Effort(effort.seed, min(0.3, effort.seconds / 6), effort.goal // 2)
    for node in promising_nodes(problem):
        inward = search_broadcast(network.reversed(), [node], problem.targets, of_each)
        rounds = [[(v, u) for u, v in calls] for calls in reversed(inward)]
        rounds += search_broadcast(network, [node], problem.targets, of_each)
        best = rounds if not best or len(rounds) < len(best) else best
    return only_useful_calls(problem, as_schedule(problem, best))


def _accumulate_then_broadcast(problem: Problem, effort: Effort) -> Schedule:
    network = problem.network
    if network.directed:
        return _in_then_out(problem, effort)
    if network.is_complete:
        rounds = gossip_families.accumulate_then_broadcast(
            _doubling([0], problem.targets), is_two_way(problem)
        )
        return only_useful_calls(problem, as_schedule(problem, rounds))
    best: Pairs = []
    of_each = Effort(effort.seed, min(0.3, effort.seconds / 3), effort.goal // 2)
    for node in promising_nodes(problem):
        if network.is_tree:
            found: Pairs = tree_broadcast(network, node, problem.targets)
        else:
            found = search_broadcast(network, [node], problem.targets, of_each)
        best = found if not best or len(found) < len(best) else best
    rounds = gossip_families.accumulate_then_broadcast([list(calls) for calls in best], is_two_way(problem))
    schedule = as_schedule(problem, rounds)
    if network.is_tree:
        # A gossip needs a call each way on each edge, two-way on all edges but one: these are as few.
        return Schedule(tuple(tuple(sorted(calls)) for calls in schedule.rounds))
    return only_useful_calls(problem, schedule)


def _search_gossip(problem: Problem, effort: Effort) -> Schedule:
    network = problem.network
    links = network.edges if is_two_way(problem) else network.arcs
    # On a directed network the only other algorithm takes twice a broadcast's rounds.
    if effort.goal * len(links) > MOST_WEIGHED and not network.directed:
        raise InputError(f"one attempt would weigh more than {MOST_WEIGHED} calls")
    rounds = search_gossip(problem.network, effort, two_way=is_two_way(problem))
    return only_useful_calls(problem, as_schedule(problem, rounds))


def _not_the_family(family: str, *, two_way: bool | None = None) -> Callable[[Problem], str | None]:
    """Refuses networks that are not, number by number, the family's, and the other mode."""

    def refuse(problem: Problem) -> str | None:
        if two_way is not None and is_two_way(problem) != two_way:
            return f"it is for {'telephone' if two_way else 'telegraph'} calls"
        if family == "complete" and not problem.network.is_complete:
            return "the network is not complete"
        n = problem.network.node_count
        size = n.bit_length() - 1 if family == "hypercube" else n
        smallest = {"cycle": 3}.get(family, 1)
        if n < smallest or problem.network.directed or (family == "hypercube" and n != 1 << size):
            return f"the network is no {family}"
        calls = n * n // 4 if family in ("path", "cycle") else 0
        repeats = two_way and (family == "path" or n % 2 == 0)
        most = MOST_REPEATED if repeats else MOST_WRITTEN if two_way else MOST_CALLS
        if calls > most:
            return f"its schedule would have more than the {most} calls that are built"
        known = Network.from_spec(f"{family}:{size}").edges == problem.network.edges
        return (
            None if known else f"the network is not {family}:{size} with its nodes numbered in the same way"
        )

    return refuse


def _family_gossip(
    name: str, source: str, family: str, *, two_way: bool, build: Callable[[int], list[list[tuple[int, int]]]]
) -> Algorithm:
    def run(problem: Problem, _: Effort) -> Schedule:
        n = problem.network.node_count
        rounds = build(n.bit_length() - 1 if family == "hypercube" else n)
        schedule = as_schedule(problem, rounds)
        # In long gossips hardly a call is useless, and to look for them takes longer than all the rest.
        return schedule if schedule.call_count > MOST_CALLS else only_useful_calls(problem, schedule)

    return Algorithm(name, source, GOSSIP, _not_the_family(family, two_way=two_way), run)


def _flooding(problem: Problem, _: Effort) -> Schedule:
    rounds = flooding(problem.broadcast_network, problem.sources, problem.targets)
    return only_useful_calls(problem, as_schedule(problem, rounds))


def _rank_doubling(problem: Problem, _: Effort) -> Schedule:
    rounds = rank_doubling(problem.broadcast_network, problem.sources[0], problem.targets)
    return as_schedule(problem, rounds)


def _not_ranked(problem: Problem) -> str | None:
    if len(problem.sources) > 1:
        return "it works from a single source"
    if problem.network.is_complete:
        return "in a complete network it is complete-broadcast"
    return None if problem.network.node_count <= MOST_RANKS else f"it is for at most {MOST_RANKS} nodes"


def _dimension_order(problem: Problem, _: Effort) -> Schedule:
    lattice = lattice_of(problem.network)
    assert lattice is not None
    return as_schedule(problem, dimension_order(lattice, problem.sources[0], problem.targets))


def _dimension_gossip(problem: Problem, _: Effort) -> Schedule:
    lattice = lattice_of(problem.network)
    assert lattice is not None
    rounds = dimension_gossip(lattice, is_two_way(problem))
    return only_useful_calls(problem, as_schedule(problem, rounds))


def _not_a_lattice(problem: Problem) -> str | None:
    lattice = lattice_of(problem.network)
    if lattice is None:
        return "the network is no grid or torus of two or more dimensions with its nodes numbered in its way"
    if problem.task in GOSSIP:
        most = lattice.node_count * sum(lattice.sides)
        return None if most <= MOST_CALLS else f"its schedule may have more than {MOST_CALLS} calls"
    return "it works from a single source" if len(problem.sources) > 1 else None


def _always(_: Problem) -> None:
    return None


ALGORITHMS = (
    Algorithm(
        "tree-broadcast",
        "optimal in trees; Slater, Cockayne, Hedetniemi (1981)",
        ONE_MESSAGE,
        _not_a_tree,
        _broadcast_in_tree,
    ),
    Algorithm(
        "complete-broadcast",
        "the informed nodes double in every round, optimal in complete networks",
        ONE_MESSAGE,
        _not_complete,
        _broadcast_in_complete_network,
    ),
    Algorithm(
        "hypercube-broadcast",
        "one dimension a round, optimal in hypercubes",
        ONE_MESSAGE,
        _not_a_hypercube_with_one_source,
        _broadcast_in_hypercube,
    ),
    _family_gossip(
        "path-matchings",
        "the two matchings in turn, optimal; Hromkovic et al. (1994), Theorem 3.1",
        "path",
        two_way=True,
        build=gossip_families.two_way_path,
    ),
    _family_gossip(
        "cycle-matchings",
        "matchings in turn, optimal in two-way cycles",
        "cycle",
        two_way=True,
        build=gossip_families.two_way_cycle,
    ),
    _family_gossip(
        "cycle-waves",
        "waves round a one-way cycle; compare Hromkovic, Jeschke, Monien (1990)",
        "cycle",
        two_way=False,
        build=gossip_families.one_way_cycle,
    ),
    _family_gossip(
        "hypercube-exchange",
        "one dimension a round, optimal",
        "hypercube",
        two_way=True,
        build=gossip_families.two_way_hypercube,
    ),
    _family_gossip(
        "hypercube-there-and-back",
        "each dimension there and back, 2d rounds",
        "hypercube",
        two_way=False,
        build=gossip_families.one_way_hypercube,
    ),
    _family_gossip(
        "knodel",
        "ceil(log2 n) rounds, one more for odd n, optimal; Knodel (1975)",
        "complete",
        two_way=True,
        build=gossip_families.two_way_complete,
    ),
    _family_gossip(
        "fibonacci",
        "Fibonacci growth in complete graphs; Even, Monien (1989)",
        "complete",
        two_way=False,
        build=gossip_families.one_way_complete,
    ),
    Algorithm(
        "accumulate-then-broadcast",
        "r <= 2 min b, r_2 <= 2 min b - 1, equal in trees; Hromkovic et al. (1994), section 2",
        GOSSIP,
        _always,
        _accumulate_then_broadcast,
    ),
    Algorithm(
        "dimension-order",
        "textbook: along routes that correct one coordinate after the other, on grids and tori",
        ONE_MESSAGE,
        _not_a_lattice,
        _dimension_order,
    ),
    Algorithm(
        "dimension-by-dimension",
        "textbook: all lines of one dimension gossip, then those of the next, on grids and tori",
        GOSSIP,
        _not_a_lattice,
        _dimension_gossip,
    ),
    Algorithm(
        "rank-doubling",
        "textbook: the binomial tree of MPI by rank, over shortest paths where there is no link",
        ONE_MESSAGE,
        _not_ranked,
        _rank_doubling,
    ),
    Algorithm(
        "flooding",
        "textbook: every informed node calls its uninformed neighbour of greatest degree",
        ONE_MESSAGE,
        _always,
        _flooding,
    ),
    Algorithm(
        "matching-search",
        "heuristic: maximum-weight matchings with lookahead, restarts, local search",
        ONE_MESSAGE,
        _always,
        _search_broadcast,
        thorough=True,
    ),
    Algorithm(
        "gossip-search",
        "heuristic: greedy matchings by a potential with lookahead, restarts",
        GOSSIP,
        _always,
        _search_gossip,
        thorough=True,
    ),
)
