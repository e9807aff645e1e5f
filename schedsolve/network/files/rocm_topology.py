"""The output of `rocm-smi --showtopo` and its parts: matrices of weights, hops and kinds of links of GPUs.

XGMI with one hop is a link; XGMI with more hops goes through other GPUs. Where XGMI connects all GPUs, such a
link is bandwidth 1, as the tool does not say how wide it is, and the rest is left out, unless the bandwidth
of PCI is given. Otherwise, bandwidths are in GB/s, and pairs over PCIE are joined by processors, one for each
NUMA node (`schedsolve.network.files.pci_levels`).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction

from schedsolve.network.bandwidths import Bandwidth
from schedsolve.network.files.line_formats import text_of
from schedsolve.network.files.pci_levels import HOST_BRIDGE, MACHINE, pci_tree, pcie_from_text
from schedsolve.network.files.reading import Format, Reading
from schedsolve.network.files.understood import machine_of, understood
from schedsolve.network.graph import Label, Network
from schedsolve.network.hardware import Hardware
from schedsolve.runtime.errors import InputError, shown

FORM = "rocm-smi --showtopo"
HEAD = re.compile(
    r"(?s).{0,4000}?(?:ROCm System Management Interface|=\s*(?:Weight|Hops|Link Type) between two GPUs)"
)
XGMI = Fraction(24)
"""GB/s of a link, those with which RCCL computes for an accelerator that it does not know."""
TITLE = re.compile(r"=+\s*(.*?)\s*=+\s*")
WEIGHT, HOPS, KIND = "Weight between two GPUs", "Hops between two GPUs", "Link Type between two GPUs"
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
    direct = [pair for pair, kind in kinds.items() if kind == "XGMI" and hops.get(pair, "1") == "1"]
    others = [pair for pair, kind in kinds.items() if kind == "PCIE"]
    unknown = set(kinds.values()) - {"XGMI", "PCIE"}
    if unknown:
        raise InputError(f"the link type {shown(min(unknown))} is unknown; XGMI and PCIE are read")
    far = sum(kind == "XGMI" for kind in kinds.values()) - len(direct)
    left_out = [f"{far} pairs joined by XGMI over several hops"] * (far > 0)
    left_out += ["weights"] * (WEIGHT in tables)
    alone = machine_of(gpus, [(u, v, 1) for u, v in direct])
    if not reading.pcie and alone.is_connected and len(gpus) > 1:
        left_out += [f"{len(others)} pairs joined by PCIE only"] * (len(others) > 0)
        also = "bandwidth 1 for XGMI, whose width it does not say; --pcie gen4x16 adds PCI"
        return understood(alone, FORM, left_out, also)
    speeds = pcie_from_text(reading.pcie)
    levels: dict[tuple[Label, Label], int] = {
        (u, v): HOST_BRIDGE if numa.get(u, u) == numa.get(v, v) else MACHINE
        for i, u in enumerate(gpus)
        for v in gpus[i + 1 :]
    }
    tree = pci_tree(gpus, levels, speeds)
    links: list[tuple[Label, Label, Bandwidth]] = [(u, v, XGMI) for u, v in direct]
    network = machine_of(gpus, links + tree.links, tree.switches, hardware=Hardware(Fraction(1)))
    said = [speeds.text] + ["XGMI as 24 GB/s"] * bool(direct)
    said += [f"between processors {speeds.between} GB/s"] * (tree.processors > 1)
    said += ["NUMA nodes are not given, and each GPU has a processor of its own"] * (not numa)
    return understood(network, FORM, left_out, "; ".join(said))


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
