"""Devices joined over PCI and the processors, by how far apart every two of them are.

Tools of vendors tell for a pair of devices what the way between them crosses: one PCI switch, several, the
host bridge, the bridges of one NUMA node, or the link between NUMA nodes. These levels make a tree: a switch
for devices under one, a switch above those that several switches join, a processor for a NUMA node, which a
way over a host bridge crosses too, and a link between every two processors.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations

from schedsolve.network.assumptions import Assumption, assumed, left_out
from schedsolve.network.bandwidths import Bandwidth, bandwidth_from_data
from schedsolve.network.files.nccl_bandwidths import LANE
from schedsolve.network.graph import Label
from schedsolve.network.partition import Partition
from schedsolve.runtime.errors import InputError, shown

ONE_SWITCH, SWITCHES, HOST_BRIDGE, NUMA_NODE, MACHINE = range(1, 6)
"""What a way crosses at most."""
DEFAULT_PCIE = "gen4x16"
BETWEEN_PROCESSORS = Fraction(16)
"""GB/s, those of two processors of AMD, where nothing is said."""
GENERATIONS = {1: "2.5", 2: "5", 3: "8", 4: "16", 5: "32", 6: "64"}
"""GT/s of a lane by the generation of PCI."""


@dataclass(frozen=True)
class Pcie:
    """What a link over PCI has: `slot` GB/s, and `between` GB/s between two processors; and what to say."""

    slot: Fraction
    between: Fraction
    text: str
    between_text: str


def pcie_from_text(text: str) -> Pcie:
    """Return the bandwidths that a text such as "gen4x16" or "gen5x16,22" names.

    The second number is that between two processors, in GB/s; "" is the default.

    Raises
    ------
    InputError
        If it is none.
    """
    name, comma, second = (text or DEFAULT_PCIE).partition(",")
    found = re.fullmatch("gen([1-6])x(1|2|4|8|16|32)", name.strip().lower())
    if found is None or (comma and not second):
        raise InputError(
            f"--pcie takes a generation and a width such as gen4x16, and behind a comma the GB/s between two"
            f" processors, not {shown(text)}"
        )
    between = Fraction(bandwidth_from_data(second)) if comma else BETWEEN_PROCESSORS
    slot = LANE[GENERATIONS[int(found[1])]] * int(found[2])
    said = f"PCI {name} as {slot} GB/s" + ("" if text else " (--pcie says otherwise)")
    also = f"between processors {between} GB/s" + ("" if comma else " (--pcie gen4x16,22 says otherwise)")
    return Pcie(slot, between, said, also)


@dataclass
class PciTree:
    """The links over PCI, the labels of the switches, the pairs that contradict the others, assumptions."""

    links: list[tuple[Label, Label, Bandwidth]] = field(default_factory=list)
    switches: list[str] = field(default_factory=list)
    contradictions: int = 0
    notes: list[Assumption] = field(default_factory=list)


def pci_tree(devices: Sequence[Label], levels: Mapping[tuple[Label, Label], int], pcie: Pcie) -> PciTree:
    """Return the switches, processors and links that join devices.

    Parameters
    ----------
    devices
        Their labels.
    levels
        For pairs of devices, what the way between them crosses; what is within a level of another is within
        it of whatever that other one is, so pairs that are missing follow from others, or are as far apart as
        two NUMA nodes. A pair that is given as farther apart than others make it counts as a contradiction.
    pcie
        The bandwidths.
    """
    tree = PciTree()
    parts = {level: _parts(devices, levels, level) for level in (ONE_SWITCH, SWITCHES, NUMA_NODE)}
    tree.contradictions = sum(
        any(part[u] == part[v] for below, part in parts.items() if below < level)
        for (u, v), level in levels.items()
    )
    said = f"{tree.contradictions} cells that contradict others"
    tree.notes = [assumed("pci-links", pcie.text), left_out("cells", said, tree.contradictions)]
    tops: dict[Label, list[Label]] = {}
    for node in dict.fromkeys(parts[NUMA_NODE].values()):
        tops[node] = []
        for wide in _within(parts[SWITCHES], parts[NUMA_NODE], node):
            below = [
                _joined(tree, [v for v in devices if parts[ONE_SWITCH][v] == narrow], pcie)
                for narrow in _within(parts[ONE_SWITCH], parts[SWITCHES], wide)
            ]
            tops[node].append(_joined(tree, below, pcie))
    _add_processors(tree, list(tops.values()), pcie)
    return tree


def _parts(
    devices: Sequence[Label], levels: Mapping[tuple[Label, Label], int], most: int
) -> dict[Label, Label]:
    """Return for every device the first one that ways of a level or less join it to."""
    parts = Partition(devices, (pair for pair, level in levels.items() if level <= most))
    return {v: parts.first(v) for v in devices}


def _within(inner: Mapping[Label, Label], outer: Mapping[Label, Label], part: Label) -> Iterator[Label]:
    """Yield the inner parts that an outer one has, in the order of their devices."""
    yield from dict.fromkeys(inner[v] for v, name in outer.items() if name == part)


def _joined(tree: PciTree, below: list[Label], pcie: Pcie) -> Label:
    """Return the one node, or a new PCI switch above several."""
    if len(below) == 1:
        return below[0]
    switch = f"pci{sum(name.startswith('pci') for name in tree.switches)}"
    tree.switches.append(switch)
    tree.links += [(v, switch, pcie.slot) for v in below]
    return switch


def _add_processors(tree: PciTree, tops: list[list[Label]], pcie: Pcie) -> None:
    """Add a processor for every NUMA node, unless it were the end of a single link."""
    if len(tops) == 1 and len(tops[0]) == 1:
        return
    names = [f"cpu{i}" for i in range(len(tops))]
    for name, below in zip(names, tops, strict=True):
        tree.links += [(v, name, pcie.slot) for v in below]
    tree.links += [(one, other, pcie.between) for one, other in combinations(names, 2)]
    tree.switches += names
    tree.notes.append(assumed("processors", pcie.between_text, len(names) > 1))
