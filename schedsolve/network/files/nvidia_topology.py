"""The output of `nvidia-smi topo -m`: a matrix of the connections between the devices of a machine.

NVk stands for k NVLinks. If every two accelerators show the same k, and that is more in total than an
accelerator has links, they are connected by a switch, each with k links. Where NVLink connects all
accelerators, one NVLink is bandwidth 1 and the rest is left out, unless the bandwidth of PCI is given.
Otherwise, bandwidths are in GB/s, and PIX, PXB, PHB, NODE and SYS give switches, processors and network
cards (`schedsolve.network.files.pci_levels`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from schedsolve.network.bandwidths import Bandwidth
from schedsolve.network.files.line_formats import text_of
from schedsolve.network.files.pci_levels import (
    BETWEEN_PROCESSORS,
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
from schedsolve.runtime.errors import InputError, shown

FORM = "nvidia-smi topo -m"
MOST_LINKS = 18
"""The number of NVLinks of the accelerators that have the most."""
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
    rest: list[str]


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
    nvlinks, nvswitch = _nvlinks(gpus, counts)
    said = [
        f"NV{nvlinks[0][2]} between all is more than an accelerator has links, and read as one switch"
        for _ in nvswitch
    ]
    joined = Partition([*gpus, *nvswitch], ((u, v) for u, v, _ in nvlinks))
    if not pcie and len(joined.firsts()) == 1:
        others = Counter(
            cell for (u, v), cell in matrix.cells.items() if u in number and v in number and cell in _LEVELS
        )
        left_out = [f"{count} pairs joined by {name} only" for name, count in others.items()] + matrix.rest
        if matrix.cards or others:
            said.append("--pcie gen4x16 adds PCI and network cards")
        network = machine_of(gpus, nvlinks, nvswitch, hardware=Hardware(NVLINK))
        return understood(network, FORM, left_out, "; ".join(said))
    speeds = pcie_from_text(pcie)
    names = _legend(text)
    labels = {**number, **{card: names.get(card, card) for card in matrix.cards}}
    tree = pci_tree(
        list(labels.values()),
        {(labels[u], labels[v]): level for (u, v), level in _levels(matrix).items()},
        speeds,
    )
    links: list[tuple[Label, Label, Bandwidth]] = [(u, v, count * NVLINK) for u, v, count in nvlinks]
    switches: list[Label] = [*(labels[card] for card in matrix.cards), *tree.switches, *nvswitch]
    said += [speeds.text] + (["an NVLink as 20 GB/s"] if nvlinks else [])
    if tree.processors > 1:
        said.append(f"between processors {speeds.between} GB/s" + _unsaid(speeds.between, pcie))
    said += [f"{tree.contradictions} cells contradict others and are not used"] * (tree.contradictions > 0)
    left_out = [name for name in matrix.rest if not name.endswith(("card", "cards"))]
    ports = tuple(str(labels[card]) for card in matrix.cards)
    network = machine_of(gpus, links + tree.links, switches, hardware=Hardware(Fraction(1), ports))
    return understood(network, FORM, left_out, "; ".join(said))


def _unsaid(between: Fraction, pcie: str) -> str:
    return " (--pcie gen4x16,22 says otherwise)" if between == BETWEEN_PROCESSORS and "," not in pcie else ""


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
            valid = _CELL.fullmatch(cell) or cell in _LEVELS or cell in ("X", "N/A")
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
    rest = [f"{len(cards)} network card{'s' if len(cards) > 1 else ''}"] if cards else []
    rest += ["affinities"] if "Affinity" in lines[0][1] else []
    return _Matrix(gpus, cards, cells, affinity, rest)


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
    gpus: list[Label], counts: Mapping[tuple[Label, Label], int]
) -> tuple[list[tuple[Label, Label, int]], list[Label]]:
    """Return the NVLinks between accelerators, or to one switch, and that switch's label, if there is one."""
    widths = set(counts.values())
    complete = len(counts) == len(gpus) * (len(gpus) - 1) // 2
    if complete and len(widths) == 1 and min(widths) * (len(gpus) - 1) > MOST_LINKS:
        return [(v, "switch", min(widths)) for v in gpus], ["switch"]
    return [(u, v, count) for (u, v), count in counts.items()], []


NVIDIA = Format(FORM, (), parse_nvidia_topology, pcie=True)
