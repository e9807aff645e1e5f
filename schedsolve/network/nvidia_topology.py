"""The output of `nvidia-smi topo -m`: a matrix of the connections between the accelerators of a machine.

NVk stands for k NVLinks, and is read as bandwidth k. If every two accelerators show the same k, and that is
more in total than an accelerator has links, they are connected by a switch, each with bandwidth k.
Connections over PCI and the processors (PIX, PXB, PHB, NODE, SYS), network cards and affinities are
omitted.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

from schedsolve.errors import InputError, shown
from schedsolve.network.graph import Network
from schedsolve.network.understood import understood

FORM = "nvidia-smi topo -m"
MOST_LINKS = 18
"""The number of NVLinks of the accelerators that have the most."""
MOST_BEFORE = 100
"""The most lines before the matrix, such as the command and warnings."""
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_CELL = re.compile(r"NV([1-9][0-9]{0,3})")
_OTHER = ("PIX", "PXB", "PHB", "NODE", "SYS", "SOC", "PSB", "NS", "OK", "N/A")


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


def network_from_nvidia_topology(text: str) -> Network:
    """Return the network of the matrix; its labels are the numbers of the accelerators.

    Raises
    ------
    InputError
        With the line, if a row is incomplete, a cell is not valid, or two cells contradict each other; and
        if no two accelerators are joined by NVLink.
    """
    lines = _table(text)
    names = re.split("CPU|NUMA|GPU NUMA", lines[0][1])[0].split()
    gpus = [name for name in names if re.fullmatch("GPU[0-9]{1,9}", name)]
    rows = _rows(lines, names)
    links: dict[tuple[int, int], int] = {}
    others: Counter[str] = Counter()
    for name in gpus:
        if name not in rows:
            raise InputError(f"line {lines[-1][0]}: it ends without the row of {name}; is it cut off?")
        number, cells = rows[name]
        if len(cells) < len(names):
            raise InputError(
                f"line {number}: {name} has {len(cells)} cells, and there are {len(names)} columns; is it cut"
                " off?"
            )
        for other, cell in zip(names, cells, strict=False):
            found = _CELL.fullmatch(cell)
            if (cell == "X") != (other == name) or not (found or cell == "X" or cell in _OTHER):
                raise InputError(f"line {number}, column {other}: {shown(cell)} is no connection of {name}")
            if found and other in gpus:
                links[int(name[3:]), int(other[3:])] = int(found[1])
            elif other in gpus and name < other and cell != "X":
                others[cell] += 1
    for (u, v), count in links.items():
        if links.get((v, u)) != count:
            raise InputError(
                f"line {rows[f'GPU{v}'][0]}, column GPU{u}: it should be NV{count}, as in the row of GPU{u}"
            )
    left_out = [f"{count} pairs joined by {name} only" for name, count in others.items()]
    left_out += _rest(names, gpus, lines[0][1])
    return _network([int(name[3:]) for name in gpus], links, left_out)


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


def _rest(names: list[str], gpus: list[str], header: str) -> list[str]:
    """Return what the matrix has that the network does not represent."""
    cards = len(names) - len(gpus)
    found = [f"{cards} network card{'s' if cards > 1 else ''}"] if cards else []
    return [*found, "affinities"] if "Affinity" in header else found


def _network(gpus: list[int], links: Mapping[tuple[int, int], int], left_out: list[str]) -> Network:
    pairs = {(u, v): count for (u, v), count in links.items() if u < v}
    if not pairs:
        raise InputError(
            "no two accelerators are joined by NVLink (NV1, NV2, ...), which is all that is read"
        )
    widths = set(pairs.values())
    complete = len(pairs) == len(gpus) * (len(gpus) - 1) // 2
    if complete and len(widths) == 1 and min(widths) * (len(gpus) - 1) > MOST_LINKS:
        (width,) = widths
        joined = [(v, "switch") for v in gpus]
        network = Network.from_labels(
            [*gpus, "switch"], joined, bandwidths=[width] * len(gpus), switches=["switch"]
        )
        also = f"NV{width} between all is more than an accelerator has links, and read as one switch"
        return understood(network, FORM, left_out, also)
    network = Network.from_labels(gpus, list(pairs), bandwidths=list(pairs.values()))
    return understood(network, FORM, left_out)
