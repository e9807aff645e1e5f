"""What doubles in every step, by the places 0..N-1 of the compute nodes.

Recursive doubling, Bruck's algorithms, the binomial tree. They fit where the nodes that exchange have a route
between them.

- Recursive doubling (Stout, Wagar, J. Parallel and Distributed Computing 10, 1990): in step t every node
  exchanges all it has with the node whose place differs in one bit; chunk j takes the bits in turn from j on.
- Bruck et al. (IEEE Trans. Parallel and Distributed Systems 8, 1997): allgather, in step t node i sends the
  first of what it has to i + 2^(t-1); alltoall, it sends there whatever has bit t - 1 of its way to go set.
- Binomial tree: in step t all that have the message send to the node 2^(t-1) further on from the source.
"""

from __future__ import annotations

from collections.abc import Iterator

from schedsolve.modelkit.problem import Problem
from schedsolve.network.graph import Network

from ..claims.hops import Pair
from ..rules.steps import StepSchedule
from .stepwise import Steps, fitting_chunks, routes_between


def doubling_steps(network: Network) -> int:
    """How often 1 is doubled to reach the number of compute nodes."""
    return (len(network.compute_nodes) - 1).bit_length()


def is_power_of_two(count: int) -> bool:
    """Whether a number of nodes is 1, 2, 4, ..."""
    return count & (count - 1) == 0


def doubling_pairs(network: Network) -> Iterator[Pair]:
    """Yield the nodes that exchange in recursive doubling."""
    nodes = network.compute_nodes
    for bit in range(doubling_steps(network)):
        for i, v in enumerate(nodes):
            yield v, nodes[i ^ (1 << bit)]


def doubling_nodes(network: Network) -> Iterator[tuple[int, ...]]:
    """Yield nodes that exchange all they have in two steps or more, each with another by a bit of its place.

    They are those whose places differ from one of them in some successive bits only, by which they stand in
    order. Nothing where nodes that have to exchange are no neighbours.
    """
    nodes, bits = network.compute_nodes, doubling_steps(network)
    if not is_power_of_two(len(nodes)) or missing_pair(network, doubling_pairs(network)):
        return
    for count in range(2, bits + 1):
        for first in range(bits):
            used = [(first + j) % bits for j in range(count)]
            places = [sum(1 << bit for bit in chosen) for chosen in _subsets(used)]
            yield from (
                tuple(nodes[base ^ place] for place in places)
                for base in range(len(nodes))
                if not any(base >> bit & 1 for bit in used)
            )


def shifted_pairs(network: Network) -> Iterator[Pair]:
    """Who sends to whom in Bruck's algorithms."""
    nodes = network.compute_nodes
    for bit in range(doubling_steps(network)):
        for i, v in enumerate(nodes):
            yield v, nodes[(i + (1 << bit)) % len(nodes)]


def sending_pairs(problem: Problem) -> Iterator[Pair]:
    """Who sends to whom in the binomial tree of the problem."""
    for sends in _binomial(problem):
        for u, v in sends:
            yield (v, u) if problem.task == "gather" else (u, v)


def missing_pair(network: Network, pairs: Iterator[Pair]) -> str | None:
    """Why an algorithm does not fit: the first pair without a route; None when all have one."""
    ways = routes_between(network)
    pair = next((pair for pair in pairs if pair not in ways), None)
    if pair is None:
        return None
    return f"there is no route from {network.labels[pair[0]]} to {network.labels[pair[1]]} in one step"


def recursive_doubling(problem: Problem) -> StepSchedule:
    """Allgather; unless the number of chunks is given, what fits in a round for every bit."""
    network, nodes = problem.network, problem.network.compute_nodes
    bits = doubling_steps(network)
    fitting = fitting_chunks(network, doubling_pairs(network))
    chunks, built = problem.parameters.get("chunks") or bits * fitting, Steps(network)
    for j in range(chunks):
        order = [(j + t) % bits for t in range(bits)]
        for step, bit in enumerate(order, 1):
            known = [sum(1 << b for b in chosen) for chosen in _subsets(order[: step - 1])]
            for i, v in enumerate(nodes):
                held = [(i ^ mask) * chunks + j for mask in known]
                built.send(step, v, nodes[i ^ (1 << bit)], held)
    return built.schedule(chunks, problem.parameters["steps"])


def _subsets(bits: list[int]) -> Iterator[list[int]]:
    for mask in range(1 << len(bits)):
        yield [bit for i, bit in enumerate(bits) if mask >> i & 1]


def bruck_allgather(problem: Problem) -> StepSchedule:
    """Bruck's allgather; as many chunks as fit in a round unless the number is given."""
    network, nodes = problem.network, problem.network.compute_nodes
    fitting = fitting_chunks(network, shifted_pairs(network))
    n, chunks, built = len(nodes), problem.parameters.get("chunks") or fitting, Steps(network)
    for step in range(1, doubling_steps(network) + 1):
        far = 1 << (step - 1)
        for i, v in enumerate(nodes):
            held = [(i - back) % n for back in range(min(far, n - far))]
            built.send(step, v, nodes[(i + far) % n], [k * chunks + j for k in held for j in range(chunks)])
    return built.schedule(chunks, problem.parameters["steps"])


def bruck_alltoall(problem: Problem) -> StepSchedule:
    """Bruck's alltoall; as many chunks as fit in a round unless the number is given."""
    network, nodes = problem.network, problem.network.compute_nodes
    fitting = fitting_chunks(network, shifted_pairs(network))
    n, chunks, built = len(nodes), problem.parameters.get("chunks") or fitting, Steps(network)
    for bit in range(doubling_steps(network)):
        for origin in range(n):
            for way in range(n):
                if way >> bit & 1:
                    here = (origin + way % (1 << bit)) % n
                    first = (origin * n + (origin + way) % n) * chunks
                    there = nodes[(here + (1 << bit)) % n]
                    built.send(bit + 1, nodes[here], there, range(first, first + chunks))
    return built.schedule(chunks, problem.parameters["steps"])


def binomial_tree(problem: Problem) -> StepSchedule:
    """Broadcast, scatter or gather; as many chunks as fit in a round unless the number is given.

    A node of a scatter gets what is for all nodes below it; a gather is a scatter turned round.
    """
    network = problem.network
    chunks = problem.parameters.get("chunks") or fitting_chunks(network, sending_pairs(problem))
    rounds, built = list(_binomial(problem)), Steps(network)
    place = {v: i for i, v in enumerate(network.compute_nodes)}
    below = _below(rounds)
    for step, sends in enumerate(rounds, 1):
        for u, v in sends:
            if problem.task == "broadcast":
                built.send(step, u, v, range(chunks))
                continue
            carried = [place[w] * chunks + j for w in sorted(below[v]) for j in range(chunks)]
            if problem.task == "scatter":
                built.send(step, u, v, carried)
            else:
                built.send(len(rounds) + 1 - step, v, u, carried)
    return built.schedule(chunks, problem.parameters["steps"])


def _binomial(problem: Problem) -> Iterator[list[Pair]]:
    """Yield the sends of every step, away from the node where the task starts or ends.

    The longest way first where the tree carries more for the nodes below.
    """
    nodes = problem.network.compute_nodes
    n, start, bits = len(nodes), nodes.index(problem.sources[0]), doubling_steps(problem.network)
    reached = [0]
    for bit in reversed(range(bits)) if problem.task != "broadcast" else range(bits):
        sends = [(at, at + (1 << bit)) for at in reached if at + (1 << bit) < n]
        reached += [to for _, to in sends]
        yield [(nodes[(start + a) % n], nodes[(start + b) % n]) for a, b in sends]


def _below(rounds: list[list[Pair]]) -> dict[int, set[int]]:
    """For every node that receives, itself and all that get theirs through it."""
    below: dict[int, set[int]] = {v: {v} for sends in rounds for _, v in sends}
    for sends in reversed(rounds):
        for u, v in sends:
            if u in below:
                below[u] |= below[v]
    return below
