"""The output of `nvidia-smi topo -m`: a matrix of the connections between the devices of a machine.

NVk stands for k NVLinks. Accelerators that show more in a row than one has links are connected by a switch,
each with as many links as it shows with any other. Where NVLink connects all
accelerators, one NVLink is bandwidth 1 and the rest is left out, unless the bandwidth of PCI is given.
Otherwise, bandwidths are in GB/s, and PIX, PXB, PHB, NODE and SYS give switches, processors and network
cards (`schedsolve.network.files.pci_levels`).
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from schedsolve.network.assumptions import Assumption, assumed, left_out
from schedsolve.network.bandwidths import Bandwidth
from schedsolve.network.files.line_formats import text_of
from schedsolve.network.files.pci_levels import (
    HOST_BRIDGE,
    MACHINE,
    NUMA_NODE,
    ONE_SWITCH,
    SWITCHES,
    pci_tree,
    pcie_from_text,
)
from schedsolve.network.files.reading import Format, Reading
from schedsolve.network.files.understood import machine_of, understood
from schedsolve.network.graph import Label, Network
from schedsolve.network.hardware import Hardware
from schedsolve.network.partition import Partition
from schedsolve.runtime.errors import InputError, counted, shown

FORM = "nvidia-smi topo -m"
MOST_LINKS = 18
"""The number of NVLinks of the accelerators that have the most."""
LINKS_OF = {"P100": 4, "V100": 6, "A100": 12, "A800": 8, "H800": 8}
"""Those of others, which a text may name beside the matrix."""
NVLINK = Fraction(20)
"""GB/s of an NVLink, those with which NCCL computes for an accelerator that it does not know."""
MOST_BEFORE = 100
"""The most lines before the matrix, such as the command and warnings."""
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_CELL = re.compile(r"NV([1-9][0-9]{0,3})")
_LEVELS = {
    "PSB": ONE_SWITCH, "PIX": ONE_SWITCH, "PXB": SWITCHES, "PHB": HOST_BRIDGE, "NODE": NUMA_NODE,
    "SYS": MACHINE, "SOC": MACHINE,
}  # fmt: skip
"""What the way between two devices crosses at most; SOC is an older name of SYS."""
_OF_P2P = {"OK", "NS", "CNS", "GNS", "TNS", "DR"}
"""Cells of `nvidia-smi topo -p2p`, which tells what works and not what is connected."""


@dataclass(frozen=True)
class _Matrix:
    """The devices in the order of the columns, by name, and the cells of pairs, the first device first."""

    gpus: list[str]
    cards: list[str]
    cells: Mapping[tuple[str, str], str]
    affinity: Mapping[str, str]
    affinities: bool


def is_nvidia_topology(text: str) -> bool:
    """Return whether the text, from a line among its first ones on, looks like that matrix."""
    return bool(_table(text))


def _table(text: str) -> list[tuple[int, str]]:
    """Return the lines of the matrix with their numbers, without what stands before it, or nothing."""
    lines = [(n, line) for n, line in enumerate(_COLOUR.sub("", text).splitlines(), 1) if line.strip()]
    for start, (_, line) in enumerate(lines[:MOST_BEFORE]):
        if re.match("GPU[0-9]{1,9}$", line.split()[0]) and (
            "Affinity" in line
            or any(re.match(r"\s*GPU0\s+X(\s|$)", row) for _, row in lines[start + 1 : start + 3])
        ):
            return lines[start:]
    return []


def parse_nvidia_topology(data: bytes, reading: Reading) -> Network:
    """Return the network of the matrix.

    The labels of accelerators are their numbers, those of network cards the names in the legend; PCI switches
    are `pci0`, processors `cpu0`.

    Raises
    ------
    InputError
        With the line, if a row is incomplete, a cell is not valid, or two cells contradict each other.
    """
    text, pcie = text_of(data), reading.pcie
    matrix = _matrix(text)
    number: dict[str, Label] = {name: int(name[3:]) for name in matrix.gpus}
    counts = {
        (number[u], number[v]): int(found[1])
        for (u, v), cell in matrix.cells.items()
        if (found := _CELL.fullmatch(cell)) and u in number and v in number
    }
    gpus = list(number.values())
    named = re.findall(r"\b(?:NVIDIA|Tesla) ([A-Z]+[0-9]+)", text)
    most = max((LINKS_OF.get(name, MOST_LINKS) for name in named), default=MOST_LINKS)
    nvlinks, nvswitches, notes = _nvlinks(gpus, counts, most)
    joined = Partition([*gpus, *nvswitches], ((u, v) for u, v, _ in nvlinks))
    affinities = ["affinities"] * matrix.affinities
    if not pcie and len(joined.firsts()) == 1:
        others = Counter(
            cell for (u, v), cell in matrix.cells.items() if u in number and v in number and cell in _LEVELS
        )
        notes.append(assumed("bandwidth", "bandwidth 1 for an NVLink, whose speed it does not say"))
        notes += [left_out("pairs", f"{n} pairs joined by {name} only", n) for name, n in others.items()]
        count = len(matrix.cards)
        notes.append(left_out("network-cards", counted(count, "network card"), count))
        also = "--pcie gen4x16 adds PCI and network cards" if matrix.cards or others else ""
        network = machine_of(gpus, nvlinks, nvswitches, hardware=Hardware(NVLINK))
        return understood(network, FORM, [*notes, *affinities], also)
    speeds = pcie_from_text(pcie)
    names = _legend(text)
    labels = {**number, **{card: names.get(card, card) for card in matrix.cards}}
    tree = pci_tree(
        list(labels.values()),
        {(labels[u], labels[v]): level for (u, v), level in _levels(matrix).items()},
        speeds,
    )
    links: list[tuple[Label, Label, Bandwidth]] = [(u, v, count * NVLINK) for u, v, count in nvlinks]
    switches: list[Label] = [*(labels[card] for card in matrix.cards), *tree.switches, *nvswitches]
    notes.append(assumed("bandwidth", f"an NVLink as {NVLINK} GB/s", bool(nvlinks)))
    ports = tuple(str(labels[card]) for card in matrix.cards)
    network = machine_of(gpus, links + tree.links, switches, hardware=Hardware(Fraction(1), ports))
    return understood(network, FORM, [*tree.notes, *notes, *affinities])


def _matrix(text: str) -> _Matrix:
    """Return the devices and the cells of the pairs of devices."""
    lines = _table(text)
    names = re.split("CPU|NUMA|GPU NUMA", lines[0][1])[0].split()
    gpus = [name for name in names if re.fullmatch("GPU[0-9]{1,9}", name)]
    rows = _rows(lines, names)
    cells: dict[tuple[str, str], str] = {}
    for name in names:
        if name not in rows:
            if name in gpus:
                raise InputError(f"line {lines[-1][0]}: it ends without the row of {name}; is it cut off?")
            continue
        number, row = rows[name]
        if len(row) < len(names):
            raise InputError(
                f"line {number}: {name} has {len(row)} cells, and there are {len(names)} columns; is it cut"
                " off?"
            )
        for other, cell in zip(names, row, strict=False):
            if cell in _OF_P2P:
                raise InputError(
                    f"line {number}: this is `nvidia-smi topo -p2p`, which says what works and not what is"
                    " connected; give the output of `nvidia-smi topo -m`"
                )
            both = name in gpus and other in gpus
            valid = cell == "X" or cell in _LEVELS or (_CELL.fullmatch(cell) if both else cell == "N/A")
            if (cell == "X") != (other == name) or not valid:
                raise InputError(f"line {number}, column {other}: {shown(cell)} is no connection of {name}")
            first = cells.get((other, name))
            if first is not None and first != cell:
                raise InputError(
                    f"line {number}, column {other}: it should be {first}, as in the row of {other}"
                )
            if first is None and other != name:
                cells[name, other] = cell
    affinity = {name: rows[name][1][len(names)] for name in gpus if len(rows[name][1]) > len(names)}
    cards = [name for name in names if name not in gpus]
    return _Matrix(gpus, cards, cells, affinity, "Affinity" in lines[0][1])


def _rows(lines: list[tuple[int, str]], names: list[str]) -> dict[str, tuple[int, list[str]]]:
    """Return the line and the cells of every row, by the name of its column."""
    if len(set(names)) < len(names):
        raise InputError(f"line {lines[0][0]}: a column is given twice")
    rows: dict[str, tuple[int, list[str]]] = {}
    for number, line in lines[1:]:
        name, *cells = line.split()
        if name in rows:
            raise InputError(f"line {number}: the row {name} is given twice")
        if name in names:
            rows[name] = number, cells
    return rows


def _legend(text: str) -> dict[str, str]:
    """Return the names of network cards that the legend below the matrix has, by column."""
    found = re.findall(r"^\s*(NIC[0-9]{1,4}):\s+(\S+)\s*$", _COLOUR.sub("", text), re.MULTILINE)
    names = dict(found)
    return names if len(set(names.values())) == len(names) else {}


def _levels(matrix: _Matrix) -> dict[tuple[str, str], int]:
    """Return what the ways between pairs of devices cross.

    Of two accelerators that NVLink joins, the way over PCI is not shown; they are in one NUMA node if their
    affinities are the same.
    """
    levels = {}
    for (u, v), cell in matrix.cells.items():
        if cell in _LEVELS:
            levels[u, v] = _LEVELS[cell]
        elif u in matrix.gpus and v in matrix.gpus and matrix.affinity.get(u) == matrix.affinity.get(v):
            levels[u, v] = NUMA_NODE
    return levels


def _nvlinks(
    gpus: list[Label], counts: Mapping[tuple[Label, Label], int], most: int
) -> tuple[list[tuple[Label, Label, int]], list[Label], list[Assumption]]:
    """Return the NVLinks between accelerators, or to switches, the switches' labels, and what was assumed.

    Parameters
    ----------
    gpus
        The labels of the accelerators.
    counts
        How many NVLinks a pair shows.
    most
        The most that an accelerator has.

    Raises
    ------
    InputError
        If one has more than that, and does not show any to some accelerator that others lead to.
    """
    links: list[tuple[Label, Label, int]] = []
    switches: list[Label] = []
    notes: list[Assumption] = []
    parts, rows = Partition(gpus, counts), defaultdict(list)
    islands: dict[Label, list[tuple[Label, Label, int]]] = defaultdict(list)
    for (u, v), count in counts.items():
        islands[parts.first(u)].append((u, v, count))
        rows[u].append(count)
        rows[v].append(count)
    for island in islands.values():
        own = {v: max(rows[v]) for u, w, _ in island for v in (u, w)}
        largest = max(own, key=lambda v: sum(rows[v]))
        total, shared = sum(rows[largest]), 2 * len(island) == len(own) * (len(own) - 1)
        fewer = sum(count < min(own[u], own[v]) for u, v, count in island)
        if total <= most:
            links += island
            direct = shared and len(own) > 2 and not fewer
            notes.append(assumed("switch", "NVLinks between all as direct, and not by a switch", direct))
            continue
        if not shared:
            raise InputError(
                f"GPU{largest} shows {total} NVLinks, more than an accelerator has ({most}), as by a switch,"
                f" but some pairs of the {len(own)} that these join show none"
            )
        switches.append(f"switch{len(switches) or ''}")
        links += [(v, switches[-1], count) for v, count in own.items()]
        said = f"{total} NVLinks in a row are more than an accelerator has, and read as one switch"
        less = f"that {counted(fewer, 'pair')} show fewer NVLinks than both have to the switch"
        notes += [assumed("switch", said), left_out("pairs", less, fewer)]
    return links, switches, notes


NVIDIA = Format(FORM, (), parse_nvidia_topology, pcie=True)
