"""Allreduces put together of a reduce-scatter and an allgather."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from schedsolve.modelkit.problem import Problem

from ..rules.schedule import PipelinedSchedule, WeightedTree


def composed(problem: Problem, adding: PipelinedSchedule, copying: PipelinedSchedule) -> PipelinedSchedule:
    """Return the allreduce in which every compute node is the root of an equal part of the buffer.

    First all is added up, then all is copied, in the time of the one and the other.

    Parameters
    ----------
    problem
        The problem.
    adding
        An allgather on the reversed network, whose trees backwards bring the contributions together.
    copying
        An allgather on the network itself. Both without symmetries.
    """
    trees: list[WeightedTree] = []
    for root in problem.network.compute_nodes:
        inward = [tree.turned() for tree in adding.trees if tree.root == root]
        outward = [tree for tree in copying.trees if tree.root == root]
        trees += paired(inward, outward, len(problem.network.compute_nodes))
    time = (adding.time + copying.time) / len(problem.network.compute_nodes)
    return PipelinedSchedule(time, tuple(trees))


def paired(
    inward: Sequence[WeightedTree], outward: Sequence[WeightedTree], parts: int
) -> Iterator[WeightedTree]:
    """Yield the trees of one root, inward and outward ones of the same weights joined.

    Parameters
    ----------
    inward, outward
        Trees of the root, whose weights sum to the same.
    parts
        The number by which all weights are divided.
    """
    coming, going = ([(tree, tree.weight) for tree in trees] for trees in (inward, outward))
    while coming and going:
        (one, left), (other, right) = coming.pop(), going.pop()
        weight = min(left, right)
        yield WeightedTree(one.root, weight / parts, other.paths, one.inward)
        if left > weight:
            coming.append((one, left - weight))
        if right > weight:
            going.append((other, right - weight))
