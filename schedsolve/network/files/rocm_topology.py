"""The output of `rocm-smi --showtopo` and its parts: matrices of weights, hops and kinds of links of GPUs.

XGMI of weight 15 is a link; of 30, 45 and so on it goes through other GPUs. The hops of a new driver do not
tell these apart: they are 1 for every pair that XGMI reaches, and are read where there are no weights. Where
XGMI connects all GPUs, such a link is bandwidth 1, as the tool does not say how wide it is, and the rest is
left out, unless the bandwidth of PCI is given. Otherwise, bandwidths are in GB/s, and pairs over PCIE are
joined by processors, one for each NUMA node (`schedsolve.network.files.pci_levels`).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction

from schedsolve.network.assumptions import assumed, left_out
from schedsolve.network.bandwidths import Bandwidth
from schedsolve.network.files.line_formats import text_of
from schedsolve.network.files.pci_levels import HOST_BRIDGE, MACHINE, pci_tree, pcie_from_text
from schedsolve.network.files.reading import Format, Reading
from schedsolve.network.files.understood import machine_of, understood
from schedsolve.network.graph import Label, Network
from schedsolve.network.hardware import Hardware
from schedsolve.runtime.errors import InputError, counted, shown
from schedsolve.runtime.files.number_reader import whole_number

FORM = "rocm-smi --showtopo"
HEAD = re.compile(
    r"(?s).{0,4000}?(?:ROCm System Management Interface|=\s*(?:Weight|Hops|Link Type) between two GPUs)"
)
XGMI = Fraction(24)
"""GB/s of a link, those with which RCCL computes for an accelerator that it does not know."""
HOP = 15
"""What a hop over XGMI weighs (`KFD_CRAT_XGMI_WEIGHT` of the kernel's driver)."""
TITLE = re.compile(r"=+\s*(.*?)\s*=+\s*")
WEIGHT, HOPS, KIND = "Weight between two GPUs", "Hops between two GPUs", "Link Type between two GPUs"
TABLES = {WEIGHT, HOPS, KIND, "Link accessibility between two GPUs"}
"""What is read, and what says only whether there is a way."""
NUMA = re.compile(r"GPU\[([0-9]{1,4})\]\s*:.*Numa Node:\s*(-?[0-9]{1,6})\s*")

Pair = tuple[int, int]


def parse_rocm_topology(data: bytes, reading: Reading) -> Network:
    """Return the network of the output of `rocm-smi` with `--showtopo` or `--showtopotype`.

    Hops and NUMA nodes are read too.

    Raises
    ------
    InputError
        If there is no matrix of kinds of links, a matrix is incomplete, or two cells contradict each other.
    """
    tables, numa = _tables(text_of(data))
    if KIND not in tables:
        raise InputError(
            "it has no table 'Link Type between two GPUs'; give what rocm-smi prints with its option showtopo"
        )
    kinds = _symmetric(tables[KIND], KIND)
    gpus = sorted({v for pair in kinds for v in pair} or set(tables[KIND]))
    hops = _symmetric(tables[HOPS], HOPS) if HOPS in tables else {}
    weights = _symmetric(tables[WEIGHT], WEIGHT) if WEIGHT in tables else {}
    unknown = set(kinds.values()) - {"XGMI", "PCIE"}
    if unknown:
        raise InputError(f"the link type {shown(min(unknown))} is unknown; XGMI and PCIE are read")
    direct = [pair for pair, kind in kinds.items() if kind == "XGMI" and _is_link(pair, weights, hops)]
    others = [pair for pair, kind in kinds.items() if kind == "PCIE"]
    far = sum(kind == "XGMI" for kind in kinds.values()) - len(direct)
    gone = [f"{counted(far, 'pair')} joined by XGMI over several hops"] * (far > 0)
    notes = [left_out("tables", f"the table {shown(name)}") for name in tables if name not in TABLES]
    by_hops = bool(direct) and not weights
    notes.append(assumed("xgmi-links", "XGMI of one hop as a link, as there are no weights", by_hops))
    alone = machine_of(gpus, [(u, v, 1) for u, v in direct])
    if not reading.pcie and alone.is_connected and len(gpus) > 1:
        notes.append(assumed("bandwidth", "bandwidth 1 for XGMI, whose width it does not say"))
        notes.append(left_out("pairs", f"{len(others)} pairs joined by PCIE only", len(others)))
        return understood(alone, FORM, [*notes, *gone], "--pcie gen4x16 adds PCI")
    speeds = pcie_from_text(reading.pcie)
    levels: dict[tuple[Label, Label], int] = {
        (u, v): HOST_BRIDGE if numa.get(u, u) == numa.get(v, v) else MACHINE
        for i, u in enumerate(gpus)
        for v in gpus[i + 1 :]
    }
    tree = pci_tree(gpus, levels, speeds)
    links: list[tuple[Label, Label, Bandwidth]] = [(u, v, XGMI) for u, v in direct]
    network = machine_of(gpus, links + tree.links, tree.switches, hardware=Hardware(Fraction(1)))
    notes.append(assumed("bandwidth", f"XGMI as {XGMI} GB/s", bool(direct)))
    notes.append(
        assumed("numa", "NUMA nodes are not given, and each GPU has a processor of its own", not numa)
    )
    return understood(network, FORM, [*tree.notes, *notes, *gone])


def _is_link(pair: Pair, weights: Mapping[Pair, str], hops: Mapping[Pair, str]) -> bool:
    """Return whether a pair that XGMI joins has a link of its own.

    Raises
    ------
    InputError
        If its weight is not that of a number of hops, or contradicts the hops.
    """
    stated = whole_number(hops.get(pair, "1"), 1, text=True) or 0
    weight = whole_number(weights.get(pair), HOP, text=True) or 0 if weights else HOP * stated
    if not stated or not weight or weight % HOP or (weight == HOP and stated > 1):
        raise InputError(
            f"XGMI of GPU{pair[0]} and GPU{pair[1]} has weight {shown(weights.get(pair, ''))} and"
            f" {shown(hops.get(pair, ''))} hops, of which each weighs {HOP}"
        )
    return weight == HOP


def _tables(text: str) -> tuple[dict[str, dict[int, dict[int, str]]], dict[int, int]]:
    """Return the cells by table, row and column, and the NUMA nodes of GPUs.

    Raises
    ------
    InputError
        If a row has another number of cells than there are columns.
    """
    tables: dict[str, dict[int, dict[int, str]]] = defaultdict(dict)
    numa: dict[int, int] = {}
    title = ""
    columns: list[int] = []
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if found := TITLE.fullmatch(line.strip()):
            title, columns = found[1], []
        elif found := NUMA.fullmatch(line.strip()):
            numa[int(found[1])] = int(found[2])
        elif words and all(re.fullmatch("GPU[0-9]{1,4}", word) for word in words):
            columns = [int(word[3:]) for word in words]
        elif columns and words and re.fullmatch("GPU[0-9]{1,4}", words[0]):
            if len(words) != len(columns) + 1 or int(words[0][3:]) not in columns:
                raise InputError(
                    f"line {number}: {words[0]} has {len(words) - 1} cells, and there are {len(columns)}"
                    " columns; is it cut off?"
                )
            tables[title][int(words[0][3:])] = dict(zip(columns, words[1:], strict=True))
    for name, rows in tables.items():
        lacking = {v for row in rows.values() for v in row} - set(rows)
        if lacking:
            raise InputError(f"'{name}' ends without the row of GPU{min(lacking)}; is it cut off?")
    return dict(tables), numa


def _symmetric(rows: Mapping[int, Mapping[int, str]], title: str) -> dict[Pair, str]:
    """Return the cells of pairs u < v.

    Raises
    ------
    InputError
        If the two cells of a pair differ.
    """
    for u, row in rows.items():
        for v, cell in row.items():
            if rows[v][u] != cell:
                raise InputError(
                    f"'{title}': {shown(cell)} in the row of GPU{u}, {shown(rows[v][u])} in that of GPU{v}"
                )
    return {(u, v): cell for u, row in rows.items() for v, cell in row.items() if u < v}


ROCM = Format(FORM, (), parse_rocm_topology, pcie=True, head=HEAD)
