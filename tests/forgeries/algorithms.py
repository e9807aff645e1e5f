"""Forged MSCCL XML: right algorithms with one thing changed, run on a network."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from functools import partial
from xml.etree import ElementTree

from schedsolve.machines.msccl.algorithm import KINDS, read_algorithm
from schedsolve.machines.msccl.check import check_algorithm
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError
from schedsolve.runtime.limits.budget import OverBudgetError, within
from tests.machines.msccl.algorithms import pair, parts, relay, ring, scratch
from tests.reference.msccl_literal import wrong

ROOM = 2
RIGHT = {
    "allgather": (pair(), "path:2"),
    "allreduce": (ring(), "cycle:3"),
    "broadcast": (relay(), "path:3"),
    "reduce": (scratch(), "path:2"),
    "reduce-scatter": (parts(), "path:2"),
}
"""Right algorithms, each with a network that it runs on."""
REFUSED = (
    ("minBytes", None), ("maxBytes", "x"), ("proto", "Fast"), ("proto", None), ("coll", "custom"),
    ("nchannels", "0"), ("inplace", "2"), ("nchunksperloop", "0"), ("ngpus", "9"), ("coll", "alltoall"),
)  # fmt: skip
"""Attributes of <algo> that the executor refuses, or that are another task's."""


def forged() -> Iterator[tuple[str, str, Callable[[], str]]]:
    """The tasks, the names of their forgeries, and what tells whether they get through."""
    for task, (text, network) in RIGHT.items():
        yield task, "as it is", partial(_refused, text, network)
        yield (
            task,
            "no link",
            partial(_accepted, text, {"cycle:3": "path:3", "path:3": "star:3"}.get(network, "")),
        )
        for name, changed in list(_changed(text))[:: 4 if task == "allreduce" else 1]:
            yield task, name, partial(_false, changed, network)
        for name, value in REFUSED:
            yield task, f"{name} {value}", partial(_accepted, _attribute(text, name, value), network)


def _attribute(text: str, name: str, value: str | None) -> str:
    root = ElementTree.fromstring(text)
    if value is None:
        del root.attrib[name]
    else:
        root.set(name, value)
    return ElementTree.tostring(root, "unicode")


def _changed(text: str) -> Iterator[tuple[str, str]]:
    """With one step changed, left out, or exchanged with the next; with another peer, or none waited for."""
    root = ElementTree.fromstring(text)
    for b, block in enumerate(root.iter("tb")):
        for s, step in enumerate(block):
            kinds = sorted(KINDS - {step.attrib["type"]})
            offsets = [
                (f"{side}off", str(int(step.attrib[f"{side}off"]) + d))
                for side in ("src", "dst")
                for d in (1, -1)
            ]
            buffers = [
                (f"{side}buf", x) for side in ("src", "dst") for x in "ios" if x != step.attrib[f"{side}buf"]
            ]
            waits = [("depid", str(x)) for x in (-1, 0, 1) if str(x) != step.attrib["depid"]]
            signals = [("hasdep", str(1 - int(step.attrib["hasdep"])))]
            sizes = [("cnt", "0"), ("cnt", "2"), ("cnt", "1")]
            for key, value in [*(("type", k) for k in kinds), *offsets, *buffers, *waits, *signals, *sizes]:
                if step.attrib[key] != value:
                    yield f"step {b}.{s} {key} {value}", _with(root, b, s, {key: value})
            yield f"step {b}.{s} left out", _reordered(root, b, [*range(s), *range(s + 1, len(block))])
            swapped = [*range(s), s + 1, s, *range(s + 2, len(block))]
            if s + 1 < len(block):
                yield f"step {b}.{s} later", _reordered(root, b, swapped)
            yield f"step {b}.{s} twice", _reordered(root, b, [*range(s + 1), *range(s, len(block))])


def _with(root: ElementTree.Element, block: int, step: int, said: dict[str, str]) -> str:
    changed = copy.deepcopy(root)
    list(changed.iter("tb"))[block][step].attrib.update(said)
    return ElementTree.tostring(changed, "unicode")


def _reordered(root: ElementTree.Element, block: int, order: list[int]) -> str:
    changed = copy.deepcopy(root)
    element = list(changed.iter("tb"))[block]
    steps = [copy.deepcopy(element[i]) for i in order]
    element[:] = steps
    for number, step in enumerate(steps):
        step.set("s", str(number))
    return ElementTree.tostring(changed, "unicode")


def accepted(text: str, network: str) -> bool:
    """Whether `check --strict` accepts the algorithm on a network; "" for that of two unjoined nodes."""
    joined = Network.from_spec(network) if network else Network(2, ())
    try:
        with within():
            return check_algorithm(read_algorithm(text.encode()), joined, ROOM).complete
    except (InputError, OverBudgetError):
        return False


def _accepted(text: str, network: str) -> str:
    return "accepted" if accepted(text, network) else ""


def _refused(text: str, network: str) -> str:
    return "" if accepted(text, network) else "not verified"


def _false(text: str, network: str) -> str:
    return "accepted, though it ends badly" if accepted(text, network) and wrong(text, ROOM) else ""
