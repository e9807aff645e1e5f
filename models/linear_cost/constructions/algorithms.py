"""The algorithms of the linear cost model by name: where each works, and the schedules it builds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.schedule import Schedule
from schedsolve.modelkit.search import Algorithm, Effort
from schedsolve.runtime.errors import InputError

from ..rules import Shape, shape_of
from .exchange import greedy, recursive_exchange
from .pipelined import pipelined_trees, unequal_costs
from .pipelines import Tree, breadth_first_tree, chain_tree, long_path, ring_tree
from .pipelines import pipelined as pipelined_down
from .protocol import Protocol
from .scatter_allgather import exchange_and_serve, scatter_allgather

LARGEST_PROTOCOL = 3_000_000
"""Messages beyond which no protocol is written down."""

TASKS = frozenset({"broadcast"})


def placed(problem: Problem, protocol: Protocol) -> Schedule:
    """Return the protocol from the problem's source: node x is x plus the source, coordinate by coordinate.

    Raises
    ------
    InputError
        If it uses a link that the network does not have.
    """
    shape, source = shape_of(problem), problem.sources[0]
    radix = shape.ports + 1

    def node(x: int) -> int:
        if not shape.is_perfect:
            return {0: source, source: 0}.get(x, x)
        digits = ((x // radix**i % radix, source // radix**i % radix) for i in range(shape.dimension))
        return sum((a + b) % radix * radix**i for i, (a, b) in enumerate(digits))

    schedule = protocol.schedule(node)
    for calls in schedule.rounds:
        for call in calls:
            if not problem.network.has_arc(*call[:2]):
                u, v = (problem.network.labels[end] for end in call[:2])
                raise InputError(f"it needs the link {u}-{v}, which the network does not have")
    return schedule


def _messages(shape: Shape) -> int:
    return shape.nodes * shape.ports * shape.rounds


def unfit(shape: Shape) -> str | None:
    """Why no protocol can be built for these numbers; None when one can."""
    if shape.extra_rounds < 0:
        return f"no broadcast takes fewer than {shape.dimension} rounds"
    if _messages(shape) > LARGEST_PROTOCOL:
        return f"a protocol for {shape.nodes} nodes is too long to write down"
    return None


def _not_everywhere(problem: Problem) -> str | None:
    return unfit(shape_of(problem))


def _imperfect(shape: Shape) -> str | None:
    if not shape.is_perfect:
        return f"it needs (k+1)^T nodes, such as {(shape.ports + 1) ** shape.dimension}"
    return unfit(shape)


def _not_perfect(problem: Problem) -> str | None:
    return _imperfect(shape_of(problem))


def _no_pipeline(problem: Problem) -> str | None:
    shape = shape_of(problem)
    if shape.dimension < 1 or shape.extra_rounds < max(1, shape.dimension - 1):
        return "it needs at least T - 1 extra rounds, and one"
    return _imperfect(shape)


MOST_GATHERED = 1500
"""Nodes up to which every node has a packet of its own."""


def _no_scatter(problem: Problem) -> str | None:
    shape, n = shape_of(problem), problem.network.node_count
    if len(problem.network.edges) < n * (n - 1) // 2:
        return "it needs a complete network"
    if shape.is_perfect:
        return "among (k+1)^T nodes the recursive exchange does better"
    if shape.extra_rounds < 1:
        return "it needs an extra round"
    return unfit(shape)


def _scatter_allgather(problem: Problem, _: Effort) -> Schedule:
    shape = shape_of(problem)
    found = [exchange_and_serve(shape.ports, shape.nodes, shape.extra_rounds)]
    if problem.parameters.get("weak_ports") and shape.nodes <= MOST_GATHERED:
        found.append(scatter_allgather(shape.ports, shape.nodes))
    fitting = [protocol for protocol in found if len(protocol.rounds) <= shape.rounds]
    return placed(problem, min(fitting, key=lambda protocol: protocol.cost))


def _no_unequal_costs(problem: Problem) -> str | None:
    shape = shape_of(problem)
    if shape.dimension < 2 or shape.extra_rounds < shape.dimension + 3:
        return "it needs T >= 2 and at least T + 3 extra rounds"
    return _imperfect(shape)


def _builder(build_protocol: Callable[[Shape], Protocol]) -> Callable[[Problem, Effort], Schedule]:
    return lambda problem, _: placed(problem, build_protocol(shape_of(problem)))


def _pipeline(problem: Problem, trees: Sequence[Tree]) -> Schedule:
    """Return the cheapest of the pipelines down these trees."""
    shape = shape_of(problem)
    found: list[Protocol] = []
    for tree in trees:
        with suppress(InputError):
            found.append(pipelined_down(tree, shape.ports, shape.rounds))
    if not found:
        raise InputError(f"one packet takes more than {shape.rounds} rounds this way")
    return min(found, key=lambda protocol: protocol.cost).schedule(lambda x: x)


def _tree_pipeline(problem: Problem, _: Effort) -> Schedule:
    network, source = problem.network, problem.sources[0]
    most = max(len(s) for s in network.successors)
    widths = sorted({min(width, most) for width in (1, 2, 3, problem.parameters["ports"], most)})
    return _pipeline(problem, [breadth_first_tree(network, source, width) for width in widths])


def _chain_pipeline(problem: Problem, _: Effort) -> Schedule:
    path = long_path(problem.network, problem.sources[0])
    if path is None:
        raise InputError("no path through all nodes was found")
    return _pipeline(problem, [chain_tree(path)])


def _ring_pipeline(problem: Problem, _: Effort) -> Schedule:
    ring = long_path(problem.network, problem.sources[0], closed=True)
    if ring is None:
        raise InputError("no ring through all nodes was found")
    return _pipeline(problem, [ring_tree(ring)])


def _no_chain(problem: Problem) -> str | None:
    shape = shape_of(problem)
    if shape.nodes < 2 or shape.rounds < shape.nodes - 1:
        return "a chain of all nodes needs N - 1 rounds"
    return unfit(shape)


def _no_ring(problem: Problem) -> str | None:
    shape = shape_of(problem)
    if shape.nodes < 3 or shape.rounds < shape.nodes // 2:
        return "a ring needs three nodes, and half as many rounds as nodes"
    return unfit(shape)


ALGORITHMS = (
    Algorithm(
        "tree-pipeline",
        "packets one after the other down a spanning tree",
        TASKS,
        _not_everywhere,
        _tree_pipeline,
    ),
    Algorithm(
        "chain-pipeline",
        "packets one after the other along a path through all nodes",
        TASKS,
        _no_chain,
        _chain_pipeline,
    ),
    Algorithm(
        "ring-pipeline",
        "packets one after the other along both ways of a ring through all nodes",
        TASKS,
        _no_ring,
        _ring_pipeline,
    ),
    Algorithm(
        "greedy",
        "Beauquier et al. (1999), Proposition 8",
        TASKS,
        _not_everywhere,
        _builder(lambda shape: greedy(shape.ports, shape.nodes)),
    ),
    Algorithm(
        "scatter-allgather",
        "exchange among (k+1)^d nodes, then the others; with weak ports Bruck et al. (1997) among all",
        TASKS,
        _no_scatter,
        _scatter_allgather,
    ),
    Algorithm(
        "recursive-exchange",
        "Beauquier et al. (1999), Lemma 9 and Proposition 10",
        TASKS,
        _not_perfect,
        _builder(lambda shape: recursive_exchange(shape.ports, shape.dimension, shape.extra_rounds)),
    ),
    Algorithm(
        "pipelined-trees",
        "Beauquier et al. (1999), Proposition 25",
        TASKS,
        _no_pipeline,
        _builder(lambda shape: pipelined_trees(shape.ports, shape.dimension, shape.extra_rounds)),
    ),
    Algorithm(
        "unequal-costs",
        "pipelined trees with large and small rounds, docs/conjecture-31.md",
        TASKS,
        _no_unequal_costs,
        _builder(lambda shape: unequal_costs(shape.ports, shape.dimension)),
    ),
)
