"""All trees that a few stand for under symmetries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from schedsolve.models.pipelined.rules.schedule import PipelinedSchedule, WeightedTree
from schedsolve.network.graph import Network
from schedsolve.network.orbits import first_of_orbit


def with_images(network: Network, schedule: PipelinedSchedule, most: int) -> PipelinedSchedule | None:
    """Return the schedule with all images of its trees, without symmetries; None for more than `most`.

    The trees that are images of one carry its weight in equal parts, as elements of the group take it to each
    of them equally often; those of one root carry the weight of the tree that stands for them. So every link
    carries what it carried.
    """
    firsts = first_of_orbit(network.node_count, schedule.symmetries)
    found: list[WeightedTree] = []
    for tree in schedule.trees:
        images = _images(tree, schedule.symmetries, most - len(found))
        if images is None:
            return None
        roots = firsts.count(firsts[tree.root])
        found += [replace(image, weight=tree.weight * roots / len(images)) for image in images]
    return PipelinedSchedule(schedule.time, tuple(found))


def _images(tree: WeightedTree, symmetries: Sequence[Sequence[int]], most: int) -> list[WeightedTree] | None:
    """Return the images of a tree, itself included, each once; None for more than `most`."""
    found = [tree]
    known = {(frozenset(tree.paths), frozenset(tree.inward))}
    for one in found:
        for symmetry in symmetries:
            paths, inward = (
                tuple(tuple(symmetry[v] for v in path) for path in way) for way in (one.paths, one.inward)
            )
            key = frozenset(paths), frozenset(inward)
            if key not in known:
                if len(found) >= most:
                    return None
                known.add(key)
                found.append(WeightedTree(symmetry[one.root], tree.weight, paths, inward))
    return found
