"""Pipelined schedules as data: weighted trees, or flows, and the time in which one unit of all passes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Generic, cast

from schedsolve.modelkit.result import value_to_json
from schedsolve.modelkit.schedule import Image, Node
from schedsolve.network.graph import Label, Network
from schedsolve.runtime.display.tabular import CallTable
from schedsolve.runtime.errors import InputError, counted
from schedsolve.runtime.files.number_reader import exact_number

Path = tuple[int, ...]


@dataclass(frozen=True)
class WeightedTree(Generic[Node]):
    """The way of a part of the root's unit.

    It leads to all compute nodes, or from all contributions to a part to the root, or is both, one after the
    other.

    weight: the part's size. paths: from a node that has the part, through switches, to one that gets it; in
    an order in which every node has the part before it passes it on. inward: of a reduction, from a node that
    has added up what it got, through switches, to one that adds this up; in an order in which every node has
    got everything before it passes it on.
    """

    root: Node
    weight: Fraction
    paths: tuple[tuple[Node, ...], ...] = ()
    inward: tuple[tuple[Node, ...], ...] = ()

    def turned(self) -> WeightedTree[Node]:
        """Return the tree backwards: what went out comes in."""
        turned = ((path[::-1] for path in reversed(paths)) for paths in (self.inward, self.paths))
        return WeightedTree(self.root, self.weight, *map(tuple, turned))


@dataclass(frozen=True)
class Flow(Generic[Node]):
    """What one node sends to others, or, in a gather, gets from them: how much of it every link carries.

    Attributes
    ----------
    links
        (from, to, amount).
    """

    node: Node
    links: tuple[tuple[Node, Node, Fraction], ...]


@dataclass(frozen=True, repr=False)
class PipelinedSchedule(CallTable, Generic[Node]):
    """A schedule of long messages, as weighted trees or flows.

    Attributes
    ----------
    time
        In which one unit of all passes, steadily.
    trees
        Of an allgather, a broadcast or a reduction.
    flows
        Of other tasks.
    symmetries
        Automorphisms of the network, images of the nodes in order. Where there are any, the trees or flows
        are those of one node of every orbit, and stand for their images under the group, all in equal parts.
    """

    time: Fraction
    trees: tuple[WeightedTree[Node], ...] = ()
    flows: tuple[Flow[Node], ...] = ()
    symmetries: tuple[tuple[Node, ...], ...] = ()
    origin: PipelinedSchedule[int] | None = field(default=None, compare=False, repr=False, kw_only=True)

    def __repr__(self) -> str:
        made = f"{counted(len(self.trees), 'tree')}, {counted(len(self.flows), 'flow')}"
        return f"<PipelinedSchedule: time {self.time}, {made}>"

    def records(self) -> list[dict[str, Any]]:
        """Return a row for each path of a tree, in its order, or for each link of a flow."""
        return [
            {
                "tree": number,
                "root": tree.root,
                "weight": tree.weight,
                "inward": inward,
                "sender": path[0],
                "receiver": path[-1],
                "switches": path[1:-1],
            }
            for number, tree in enumerate(self.trees, 1)
            for inward, paths in ((True, tree.inward), (False, tree.paths))
            for path in paths
        ] + [
            {"flow": flow.node, "sender": u, "receiver": v, "amount": amount}
            for flow in self.flows
            for u, v, amount in flow.links
        ]

    @property
    def indexed(self) -> PipelinedSchedule[int]:
        """The schedule on the nodes 0..n-1, of one on the users' nodes."""
        return cast("PipelinedSchedule[int]", self) if self.origin is None else self.origin

    def labeled(self, nodes: Sequence[Any]) -> PipelinedSchedule[Any]:
        """Return the schedule on the users' nodes."""
        numbered = self.indexed
        moved: PipelinedSchedule[Any] = replace(numbered, symmetries=()).moved(nodes)
        symmetries = tuple(tuple(nodes[v] for v in image) for image in numbered.symmetries)
        return replace(moved, symmetries=symmetries, origin=numbered)

    def to_json(self, labels: Sequence[Label]) -> dict[str, Any]:
        """Return the schedule as a JSON object that speaks the network's labels."""
        if self.origin is not None:
            return self.origin.to_json(labels)
        data: dict[str, Any] = {"time": value_to_json(self.time)}
        trees: Sequence[WeightedTree[Any]] = self.trees
        flows: Sequence[Flow[Any]] = self.flows
        symmetries: Sequence[Sequence[Any]] = self.symmetries
        if self.trees:
            data["trees"] = [
                {
                    "root": labels[tree.root],
                    "weight": value_to_json(tree.weight),
                    **{
                        name: [[labels[v] for v in path] for path in paths]
                        for name, paths in (("inward", tree.inward), ("paths", tree.paths))
                        if paths
                    },
                }
                for tree in trees
            ]
        if self.flows:
            data["flows"] = [
                {
                    "node": labels[flow.node],
                    "links": [[labels[u], labels[v], value_to_json(x)] for u, v, x in flow.links],
                }
                for flow in flows
            ]
        if symmetries:
            data["symmetries"] = [[labels[v] for v in image] for image in symmetries]
        return data

    def lines(self, labels: Sequence[Label]) -> list[str]:
        """Return the schedule for a terminal, a line for each tree or flow.

        It is cut after `MOST_NAMED` paths or links.
        """
        if self.origin is not None:
            return self.origin.lines(labels)
        lines = []
        trees: Sequence[WeightedTree[Any]] = self.trees
        flows: Sequence[Flow[Any]] = self.flows
        for tree in trees:
            for words, paths in (("to", tree.inward), ("from", tree.paths)):
                named = _some([">".join(str(labels[v]) for v in path) for path in paths])
                if paths:
                    lines.append(f"tree {words} {labels[tree.root]}, weight {tree.weight}: {named}")
        for flow in flows:
            links = _some([f"{labels[u]}>{labels[v]} {x}" for u, v, x in flow.links])
            lines.append(f"flow of {labels[flow.node]}: {links}")
        if self.symmetries:
            lines.append(
                f"and their images under the group that {len(self.symmetries)} automorphisms generate"
            )
        return lines

    def moved(self, image: Sequence[Image]) -> PipelinedSchedule[Image]:
        """Return the schedule on a network whose nodes are renumbered, node v to image[v]."""
        numbered = self.indexed
        trees = tuple(
            WeightedTree(
                image[t.root],
                t.weight,
                *(tuple(tuple(image[v] for v in p) for p in paths) for paths in (t.paths, t.inward)),
            )
            for t in numbered.trees
        )
        flows = tuple(
            Flow(image[f.node], tuple((image[u], image[v], x) for u, v, x in f.links)) for f in numbered.flows
        )
        back: dict[Any, int] = {w: v for v, w in enumerate(image)}
        symmetries = tuple(
            tuple(image[old[back[v]]] for v in range(len(image))) for old in numbered.symmetries
        )
        return PipelinedSchedule(self.time, trees, flows, symmetries)

    def without_empty_end(self) -> PipelinedSchedule[Node]:
        """Return the schedule itself, which has no end."""
        return self


MOST_NAMED = 8


def _some(names: Sequence[str]) -> str:
    rest = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (f", ({rest} more)" if rest > 0 else "")


class PipelinedForm:
    """How pipelined schedules are read from files."""

    schedule = PipelinedSchedule

    def read(self, data: Any, network: Network) -> PipelinedSchedule:
        """Return the schedule that `to_json` wrote, or a user wrote by hand, on this network.

        Raises
        ------
        InputError
            If it has another shape or names an unknown node.
        """
        if not isinstance(data, Mapping) or "time" not in data or ("trees" in data) == ("flows" in data):
            raise InputError(
                'a pipelined schedule is {"time": T, "trees": [...]} or {"time": T, "flows": [...]}, perhaps'
                ' with "symmetries"'
            )
        foreign = sorted(set(data) - {"time", "trees", "flows", "symmetries"})
        if foreign:
            raise InputError(f'"{foreign[0]:.60}" means nothing in a pipelined schedule')
        return PipelinedSchedule(
            _amount(data["time"], "time"),
            tuple(_tree(entry, network) for entry in _list(data.get("trees", []), "trees")),
            tuple(_flow(entry, network) for entry in _list(data.get("flows", []), "flows")),
            tuple(_nodes(entry, network) for entry in _list(data.get("symmetries", []), "symmetries")),
        )


FORM = PipelinedForm()


def _tree(data: Any, network: Network) -> WeightedTree:
    needed, ways = {"root", "weight"}, {"paths", "inward"}
    if not isinstance(data, Mapping) or not needed < set(data) <= needed | ways:
        raise InputError(
            'a tree is {"root": A, "weight": W, "paths": [[A, B], ...]}, in a reduction with "inward" paths;'
            f" not {data!r:.60}"
        )
    paths, inward = (
        tuple(_nodes(path, network) for path in _list(data.get(name, []), name))
        for name in ("paths", "inward")
    )
    return WeightedTree(_nodes([data["root"]], network)[0], _amount(data["weight"], "weight"), paths, inward)


def _flow(data: Any, network: Network) -> Flow:
    if not isinstance(data, Mapping) or set(data) != {"node", "links"}:
        raise InputError(f'a flow is {{"node": A, "links": [[A, B, AMOUNT], ...]}}; not {data!r:.60}')
    links = []
    for entry in _list(data["links"], "links"):
        if not isinstance(entry, list) or len(entry) != 3:
            raise InputError(f"a link of a flow is [FROM, TO, AMOUNT]; not {entry!r:.60}")
        u, v = _nodes(entry[:2], network)
        links.append((u, v, _amount(entry[2], "amount")))
    return Flow(_nodes([data["node"]], network)[0], tuple(links))


def _list(data: Any, name: str) -> list[Any]:
    if not isinstance(data, list):
        raise InputError(f'"{name}" is a list; not {data!r:.60}')
    return data


def _nodes(data: Any, network: Network) -> tuple[int, ...]:
    if not isinstance(data, list) or not all(
        isinstance(v, int | str) and not isinstance(v, bool) for v in data
    ):
        raise InputError(f"nodes are named by their labels, numbers or texts, in a list; not {data!r:.60}")
    return tuple(network.node(v) for v in data)


def _amount(data: Any, name: str) -> Fraction:
    """Return a positive number: whole, or a fraction as text."""
    value = exact_number(data)
    if value is None or value <= 0:
        raise InputError(f'a {name} is a positive whole number or a fraction such as "4/3"; not {data!r:.60}')
    return value
