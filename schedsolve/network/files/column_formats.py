"""Networks in columns: Matrix Market, METIS, and SLURM's topology.conf."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import chain

from schedsolve.network.assumptions import assumed
from schedsolve.network.bandwidths import ATTRIBUTE, bandwidth_from_data
from schedsolve.network.files.line_formats import label_of, text_of
from schedsolve.network.files.reading import (
    Format,
    Reading,
    missing_attribute,
    network_of_items,
    with_words,
)
from schedsolve.network.files.understood import understood
from schedsolve.network.graph import Network
from schedsolve.network.sizes import check_size
from schedsolve.runtime.errors import InputError, counted, shown

VALUE = re.compile(r"[+-]?(?:\d{1,40}\.?\d{0,40}|\.\d{1,40})(?:[eEdD][+-]?\d{1,2})?")
"""A number as programs in Fortran, C and Python write it."""
SLURM_LINE = re.compile(r"^\s*SwitchName\s*=", re.IGNORECASE | re.MULTILINE)
HOSTS = re.compile(r"([^,\[\]]*)(?:\[([^\]]*)\])?(?:,|$)")


def parse_matrix_market(data: bytes, reading: Reading) -> Network:
    """Return the network of a square Matrix Market file: its entries other than 0 are links.

    A link leads from row to column. A symmetric matrix has undirected links, one that is written as general
    too unless arcs are asked for; values are the bandwidths. The diagonal is left out.
    """
    lines = text_of(data).splitlines()
    head = lines[0].lower().split() if lines else []
    if len(head) != 5 or head[:2] != ["%%matrixmarket", "matrix"]:
        raise InputError("the first line of a Matrix Market file is '%%MatrixMarket matrix ...'")
    if head[2] != "coordinate" or head[3] not in ("real", "integer", "pattern"):
        raise InputError(f"a matrix '{head[2]} {head[3]}' is not read; write it as 'coordinate real'")
    body = [line.split() for line in lines[1:] if line.strip() and not line.startswith("%")]
    sizes = body.pop(0) if body else []
    if len(sizes) != 3 or not all(re.fullmatch("[0-9]{1,9}", x) for x in sizes) or sizes[0] != sizes[1]:
        raise InputError(
            "the matrix needs a line 'n n entries' behind its comments, with as many rows as columns"
        )
    n, entries = int(sizes[0]), int(sizes[2])
    check_size(n, entries)
    if len(body) != entries:
        raise InputError(f"{entries} entries are announced, but {len(body)} lines follow")
    if head[4] not in ("symmetric", "general"):
        raise InputError(f"a matrix that is '{head[4]}' is not read; write it as 'general' or 'symmetric'")
    symmetric, diagonal = head[4] == "symmetric", 0
    width = 2 if head[3] == "pattern" else 3
    edges = []
    for words in body:
        if len(words) != width or not all(re.fullmatch("[1-9][0-9]{0,8}", x) for x in words[:2]):
            raise InputError(
                f"an entry is 'row column{' value' * (width == 3)}', not {shown(' '.join(words))}"
            )
        u, v = int(words[0]), int(words[1])
        if max(u, v) > n:
            raise InputError(f"the entry {u} {v} is outside of 1..{n}")
        value = _matrix_value(words[2]) if width == 3 else 1
        if u == v:
            diagonal += value != 0
        elif value != 0:
            edges.append((u, v, {ATTRIBUTE: value} if width == 3 else {}))
    entries_of = {(u, v): data for u, v, data in edges}
    if len(entries_of) < len(edges) or (symmetric and any((v, u) in entries_of for u, v in entries_of)):
        raise InputError("an entry is given twice; a symmetric matrix has one triangle only")
    directed = not symmetric
    if directed and not reading.directed and edges:
        directed = any(entries_of.get((v, u)) != data for (u, v), data in entries_of.items())
        edges = edges if directed else [(u, v, data) for u, v, data in edges if u < v]
    network = network_of_items(
        {v: {} for v in range(1, n + 1)},
        edges,
        "Matrix Market",
        Reading(),
        directed=directed,
        label=lambda node: node,
        switches=False,
    )
    gone = [f"{diagonal} entries of the diagonal"] * bool(diagonal)
    return understood(network, "Matrix Market", [*network.assumptions, *gone])


def _matrix_value(word: str) -> Fraction:
    """Return the value of an entry, exactly."""
    if not VALUE.fullmatch(word):
        raise InputError(f"{shown(word)} is not a number")
    value = Fraction(word.lower().replace("d", "e"))
    if value < 0:
        raise InputError(
            f"the entry {word} is not a bandwidth, which is positive; write 'coordinate pattern'"
            " if its entries are links only"
        )
    return value


def compose_matrix_market(network: Network) -> bytes:
    """Return a Matrix Market file."""
    if network.switches:
        raise ValueError("a matrix has no switches")
    kind, shape = "real" if network.bandwidths else "pattern", "general" if network.directed else "symmetric"
    n = network.node_count
    lines = [f"%%MatrixMarket matrix coordinate {kind} {shape}", f"{n} {n} {len(network.edges)}"]
    for i, (u, v) in enumerate(network.edges):
        # Of a symmetric matrix the lower triangle is written.
        ends = (u, v) if network.directed else (v, u)
        value = f" {_decimal(network.bandwidths[i])}" if network.bandwidths else ""
        lines.append(f"{ends[0] + 1} {ends[1] + 1}{value}")
    return "".join(line + "\n" for line in lines).encode()


def _decimal(value: object) -> str:
    text = str(value)
    if "/" in text:
        raise ValueError("a matrix has no fractions")
    return text


def metis_lines(text: str) -> list[list[str]] | None:
    """Return the lines of a METIS file after its head, or None if the text is not one.

    It is one if a line of each node follows the head `n m`, and the neighbours on them are mutual and as many
    as the head announces: no edge list is read for it by chance.
    """
    lines = [line.split() for line in text.splitlines() if not line.startswith("%")]
    while lines and not lines[-1]:
        lines.pop()
    head = lines[0] if lines else []
    if not 2 <= len(head) <= 4 or not all(re.fullmatch("[0-9]{1,9}", word) for word in chain(*lines)):
        return None
    n, m = int(head[0]), int(head[1])
    rest = lines[1:] + [[]] * (n + 1 - len(lines))
    if len(rest) != n or n < 2:
        return None
    arcs = {(u, v) for u, v, _ in _metis_arcs(head, rest)}
    if len(arcs) != 2 * m or any((v, u) not in arcs or u == v or not 1 <= v <= n for u, v in arcs):
        return None
    return [head, *rest]


def _metis_arcs(head: list[str], rest: list[list[str]]) -> Iterator[tuple[int, int, str]]:
    """Yield each node, its neighbour and the weight of the edge, "" without weights."""
    form = head[2].zfill(3) if len(head) > 2 else "000"
    skipped = (form[0] == "1") + (int(head[3]) if len(head) > 3 else 1) * (form[1] == "1")
    for u, words in enumerate(rest, 1):
        own = words[skipped:]
        step = 2 if form[2] == "1" else 1
        for i in range(0, len(own), step):
            yield u, int(own[i]), own[i + 1] if step == 2 and i + 1 < len(own) else ""


def parse_metis(data: bytes, reading: Reading) -> Network:
    """Return the network of a METIS file, whose nodes are 1..n."""
    lines = metis_lines(text_of(data))
    if lines is None:
        raise InputError(
            "a METIS file has a head 'n m' and a line with the neighbours of each node 1..n, m edges in all"
        )
    head, *rest = lines
    check_size(int(head[0]), int(head[1]))
    arcs = list(_metis_arcs(head, rest))
    weight_of = {(u, v): weight for u, v, weight in arcs}
    for u, v, weight in arcs:
        if weight != weight_of[v, u]:
            raise InputError(f"the edge {u} {v} has the weights {weight} and {weight_of[v, u]}; give one")
    edges = [(u, v, {"weight": weight} if weight else {}) for u, v, weight in arcs if u < v]
    form = head[2].zfill(3) if len(head) > 2 else "000"
    given = {name: "" for name, sign in zip(("size", "weight"), form, strict=False) if sign == "1"}
    return network_of_items(
        dict.fromkeys(range(1, len(rest) + 1), given),
        edges,
        "METIS",
        reading,
        directed=False,
        label=lambda v: v,
        switches=False,
    )


def compose_metis(network: Network) -> bytes:
    """Return a METIS file."""
    lines = [f"{network.node_count} {len(network.edges)}"]
    lines += [" ".join(str(v + 1) for v in out) for out in network.successors]
    return "".join(line + "\n" for line in lines).encode()


def parse_slurm(data: bytes, reading: Reading) -> Network:
    """Return the network of SLURM's topology.conf: its nodes, and its switches as switches."""
    switches: dict[str, tuple[list[str], list[str], str]] = {}
    for number, line in enumerate(text_of(data).splitlines(), 1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        fields = {name.lower(): value for name, _, value in (word.partition("=") for word in words)}
        if "switchname" not in fields or not all("=" in word for word in words):
            raise InputError(
                f"line {number}: SLURM's topology.conf has SwitchName=... Nodes=..., not"
                f" {shown(line.strip())}; links as lines 'FROM TO' are .edges"
            )
        below, nodes = _hosts(fields.get("switches", "")), _hosts(fields.get("nodes", ""))
        for name in _hosts(fields["switchname"]):
            if name in switches:
                raise InputError(f"line {number}: the switch {shown(name)} is given twice")
            switches[name] = nodes, below, fields.get("linkspeed", "")
    compute = list(dict.fromkeys(chain.from_iterable(nodes for nodes, _, _ in switches.values())))
    unknown = {s for _, below, _ in switches.values() for s in below} - set(switches)
    if unknown:
        raise InputError(f"the switch {shown(min(unknown))} has no line of its own")
    links, speeds = [], []
    for name, (nodes, below, speed) in switches.items():
        links += [(label_of(end), label_of(name)) for end in (*nodes, *below)]
        speeds += [speed] * (len(nodes) + len(below))
    asked = reading.bandwidth.lower() == "linkspeed"
    if reading.bandwidth != ATTRIBUTE and not (asked and any(speeds)):
        raise missing_attribute(reading.bandwidth, ["LinkSpeed"] if any(speeds) else [])
    network = Network.from_labels(
        [label_of(node) for node in (*compute, *switches)],
        links,
        bandwidths=[bandwidth_from_data(speed or "1") for speed in speeds] if asked else [],
        switches=[label_of(name) for name in switches],
    )
    form = "SLURM topology.conf"
    if any(speeds) and not asked:
        return with_words(network, form, [{"LinkSpeed": speed} for speed in speeds if speed])
    count = speeds.count("")
    lacking = assumed("bandwidth", f"{counted(count, 'link')} without a LinkSpeed as 1", count)
    return understood(network, form, [lacking])


def _hosts(text: str) -> list[str]:
    """Return the names of a host list, such as "n[0-3,7],login"."""
    found = []
    for stem, ranges in HOSTS.findall(text):
        if not stem and not ranges:
            continue
        for part in ranges.split(",") if ranges else [""]:
            low, _, high = part.partition("-")
            if not re.fullmatch("[0-9]{1,9}", low) or not re.fullmatch("[0-9]{0,9}", high):
                if part:
                    raise InputError(f"{shown(text)} is not a list of hosts such as n[0-3,7]")
                found.append(stem)
                continue
            check_size(int(high or low) - int(low) + 1, 0)
            found += [f"{stem}{i:0{len(low)}d}" for i in range(int(low), int(high or low) + 1)]
    return found


MATRIX_MARKET = Format(
    "Matrix Market",
    (".mtx",),
    parse_matrix_market,
    compose_matrix_market,
    1,
    arcs=None,
    weights=True,
    head=re.compile(r"\s*%%MatrixMarket", re.IGNORECASE),
)
METIS = Format("METIS", (".graph", ".metis"), parse_metis, compose_metis, 1, attributes=True)
SLURM = Format("SLURM topology.conf", (".conf",), parse_slurm, attributes=True)
