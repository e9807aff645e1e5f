"""The output of `ibnetdiscover`: the switches and channel adapters of an InfiniBand fabric, port by port.

Channel adapters are compute nodes. Bandwidths are in GB/s, without the coding: 4 lanes of QDR have 4, of EDR
100/8.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from schedsolve.network.assumptions import assumed
from schedsolve.network.bandwidths import Bandwidth
from schedsolve.network.files.line_formats import text_of
from schedsolve.network.files.reading import Format, Reading
from schedsolve.network.files.understood import machine_of, understood
from schedsolve.network.graph import Label, Network
from schedsolve.network.hardware import Hardware
from schedsolve.runtime.errors import InputError, counted, shown

FORM = "ibnetdiscover"
HEAD = re.compile(r"(?sm).*?^[ \t]*(?:(?:Switch|Ca)\s+[0-9]+\s+\"[SHR]-[0-9a-f]+\"|vendid=0x)")
NODE = re.compile(r"(Switch|Ca|Rt)\s+[0-9]+\s+\"([^\"]+)\"\s*#\s*\"([^\"]*)\".*")
EXTERNAL = r"(?:\[ext [^\]]*\])?"
"""The number of a port on the outside of its chassis, which `ibnetdiscover --grouping` adds."""
PORT = re.compile(
    rf"\[([0-9]+)\]{EXTERNAL}(?:\([0-9a-f]+\))?\s+\"([^\"]+)\"\[([0-9]+)\]{EXTERNAL}"
    r"(?:\([0-9a-f]+\))?(?:\s*#(.*))?"
)
SPEED = re.compile(r"\b(1|2|4|8|12)x([A-Z]+[0-9]*)\b")
LANE = {
    "SDR": Fraction(2), "DDR": Fraction(4), "QDR": Fraction(8), "FDR10": Fraction(10),
    "FDR": Fraction(150, 11), "EDR": Fraction(25), "HDR": Fraction(50), "NDR": Fraction(100),
    "XDR": Fraction(200),
}  # fmt: skip
"""Gb/s of a lane, without the coding."""

End = tuple[str, str]
"""A node and its port."""


@dataclass
class _Fabric:
    """Nodes by id with their kind and description, the speed of every pair of ports, those of two speeds."""

    nodes: dict[str, tuple[str, str]] = field(default_factory=dict)
    cables: dict[tuple[End, End], Fraction | None] = field(default_factory=dict)
    unequal: set[tuple[End, End]] = field(default_factory=set)


def parse_ibnetdiscover(data: bytes, reading: Reading) -> Network:
    """Return the network of the output.

    An adapter is called by its host, and if the host has several by both their names; a switch by its
    description, or by its id where another one has the same.

    Raises
    ------
    InputError
        With the line, if it is of another form, or a port leads to a node that is not described.
    """
    fabric = _fabric(text_of(data))
    labels = _labels(fabric)
    links: list[tuple[Label, Label, Bandwidth]] = []
    unknown = 0
    for ((u, _), (v, _)), speed in fabric.cables.items():
        unknown += speed is None
        if u != v:
            links.append((labels[u], labels[v], Fraction(10, 8) if speed is None else speed))
    switches = [labels[node] for node, (kind, _) in fabric.nodes.items() if kind != "Ca"]
    adapters = [labels[node] for node, (kind, _) in fabric.nodes.items() if kind == "Ca"]
    network = machine_of(adapters, links, switches, hardware=Hardware(Fraction(1)))
    unequal, several = len(fabric.unequal), sum(number > 1 for number in _adapters(fabric).values())
    lower = f"{counted(unequal, 'link')} whose ends state two speeds: the lower is taken"
    apart = f"{counted(several, 'host')} with several adapters, each of which is a node"
    unsaid = assumed("bandwidth", f"{counted(unknown, 'link')} of unknown speed as 10 Gb/s", unknown)
    notes = [unsaid, assumed("bandwidth", lower, unequal), assumed("nodes", apart, several)]
    return understood(network, FORM, notes, "in GB/s")


def _fabric(text: str) -> _Fabric:
    fabric = _Fabric()
    neighbours: dict[str, tuple[str, str]] = {}
    here = ""
    for number, line in _lines(text):
        if found := NODE.fullmatch(line):
            here = found[2]
            fabric.nodes[here] = found[1], found[3].strip()
        elif found := PORT.fullmatch(line):
            if not here:
                raise InputError(f"line {number}: a port stands before its node")
            ends = (here, found[1]), (found[2], found[3])
            speed = SPEED.search(found[4] or "")
            pair = min(ends), max(ends)
            described = re.match(r"\s*\"([^\"]*)\"", found[4] or "")
            if described and found[2].startswith("H-"):
                neighbours.setdefault(found[2], ("Ca", described[1].strip()))
            known = Fraction(int(speed[1]) * LANE[speed[2]], 8) if speed and speed[2] in LANE else None
            before = fabric.cables.get(pair)
            if before and known and before != known:
                fabric.unequal.add(pair)
            fabric.cables[pair] = min(before, known) if before and known else before or known
        elif line.startswith(("[", "Switch", "Ca", "Rt")):
            raise InputError(f"line {number}: {shown(line)} is not a line of ibnetdiscover; is it cut off?")
    # An adapter without a block of its own is described behind the switch's port that leads to it.
    fabric.nodes = {**neighbours, **fabric.nodes}
    if not fabric.nodes:
        raise InputError("this looks like ibnetdiscover, and has no Switch and no Ca; is it cut off?")
    for (u, _), (v, _) in fabric.cables:
        for node in (u, v):
            if node not in fabric.nodes:
                raise InputError(f"a port leads to {shown(node)}, which is not described; is it cut off?")
    return fabric


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines with their numbers, without comments and the ids of hardware."""
    for number, line in enumerate(text.splitlines(), 1):
        words = line.strip()
        if words and not words.startswith("#") and not re.match(r"[a-z]+=", words):
            yield number, words


def _labels(fabric: _Fabric) -> dict[str, Label]:
    """Return the labels of nodes by their ids."""
    hosts = _adapters(fabric)
    names: dict[str, str] = {}
    for node, (kind, words) in zip(fabric.nodes, _described(fabric), strict=True):
        if kind == "Ca" and words and hosts[words[0]] == 1:
            names[node] = words[0]
        else:
            names[node] = ".".join(words)
    counts = Counter(names.values())
    return {node: name if name and counts[name] == 1 else node for node, name in names.items()}


def _adapters(fabric: _Fabric) -> Counter[str]:
    """Return the numbers of adapters by their hosts."""
    return Counter(words[0] for kind, words in _described(fabric) if kind == "Ca" and words)


def _described(fabric: _Fabric) -> list[tuple[str, list[str]]]:
    return [(kind, text.split()) for kind, text in fabric.nodes.values()]


INFINIBAND = Format(FORM, (), parse_ibnetdiscover, head=HEAD)
