"""Topologies of tools that make or simulate collectives: ASTRA-sim's two kinds of files, and TACCL's.

References
----------
Won, Heo, Rashidi, Sridharan, Srinivasan, Krishna, "ASTRA-sim2.0", ISPASS 2023.
Shah et al., "TACCL: guiding collective algorithm synthesis using communication sketches", NSDI 2023.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from math import prod
from typing import Any

from schedsolve.network.assumptions import Assumption, assumed, left_out
from schedsolve.network.bandwidths import Bandwidth, bandwidth_from_data, exact_bandwidth
from schedsolve.network.files.line_formats import text_of
from schedsolve.network.files.reading import Format, Reading
from schedsolve.network.files.understood import machine_of, understood
from schedsolve.network.graph import Label, Network
from schedsolve.network.hardware import Hardware
from schedsolve.network.sizes import check_size
from schedsolve.runtime.errors import InputError, counted, shown
from schedsolve.runtime.files.number_reader import exact_number, whole_number

ASTRA = re.compile(r"(?ms).{0,4000}?^[ \t]*topology[ \t]*:[ \t]*(?:\[|(?:#[^\n]*)?\n[ \t]*-)")
LISTS = re.compile(r"(?m)^\s*(\w+)\s*:(?:\s*\[([^\]]*)\]|[ \t]*((?:\n\s*-[^\n]*)+)|[ \t]*([^\s\[][^\n]*))")
NS3 = re.compile(r"\s*[0-9]{1,9}[ \t]+[0-9]{1,9}[ \t]+[0-9]{1,9}[ \t]*\n")
RATE = re.compile(r"([0-9]{1,18}(?:\.[0-9]{1,18})?)([KMGT]?)bps")
DELAY = re.compile(r"([0-9]{1,18}(?:\.[0-9]{1,18})?)(ns|us|ms|s)")
SECONDS = {"ns": 10**9, "us": 10**6, "ms": 1000, "s": 1}
"""How many of a unit are a second."""
FACTORS: dict[str, Fraction] = {
    "": Fraction(1, 10**9),
    "K": Fraction(1, 10**6),
    "M": Fraction(1, 10**3),
    "G": Fraction(1),
    "T": Fraction(1000),
}
"""Gb/s of a unit."""

Link = tuple[Label, Label, Bandwidth]


def parse_astra_sim(data: bytes, reading: Reading) -> Network:
    """Return the network of ASTRA-sim's analytical backend: a product of rings, cliques and switches.

    NPU number i has the coordinates that i has as a number with these sides, the first one counting fastest.
    """
    lists = dict(_lists(text_of(data)))
    names = ("topology", "npus_count", "bandwidth")
    lacking = [name for name in names if name not in lists]
    if lacking:
        raise InputError(f"a topology of ASTRA-sim has a list {lacking[0]!r}")
    kinds, sizes, speeds = (lists[name] for name in names)
    waits = [_seconds(f"{word}ns") for word in lists.get("latency", ())]
    if len({len(kinds), len(sizes), len(speeds), len(waits) or len(kinds)}) > 1:
        raise InputError("the lists topology, npus_count, bandwidth and latency have different lengths")
    sides = [whole_number(size, 1, 10**6, text=True) or 0 for size in sizes]
    if not all(sides):
        raise InputError(f"npus_count has numbers from 1 on, not {shown(', '.join(sizes))}")
    count = prod(sides)
    check_size(
        count,
        count * sum(size if kind == "FullyConnected" else 1 for kind, size in zip(kinds, sides, strict=True)),
    )
    links: list[Link] = []
    switches: list[str] = []
    below = 1
    for number, (kind, side, speed) in enumerate(zip(kinds, sides, speeds, strict=True)):
        bandwidth = bandwidth_from_data(speed)
        starts = (v for v in range(count) if v // below % side == 0)
        for group, first in enumerate(starts):
            members = [first + below * i for i in range(side)]
            if kind == "Switch":
                switches.append(f"switch{number}.{group}")
            links += _dimension(kind, members, bandwidth, switches)
        below *= side
    hardware = Hardware(Fraction(1), latency=max(waits, default=None))
    network = machine_of(range(count), links, switches, hardware=hardware)
    unread = [left_out("fields", name) for name in lists if name not in (*names, "latency")]
    return understood(network, "ASTRA-sim", [_one_latency(waits), *unread], "in GB/s", whole=False)


def _seconds(word: str) -> Fraction:
    found = DELAY.fullmatch(word)
    if found is None:
        raise InputError(f"a latency is a number of ns, us, ms or s, not {shown(word)}")
    return Fraction(found[1]) / SECONDS[found[2]]


def _one_latency(waits: Sequence[Fraction]) -> Assumption:
    """Return what is assumed where latencies differ."""
    said = f"one latency for all, the largest: {float(max(waits, default=0)) * 1e6:g} us"
    return assumed("latency", said, len(set(waits)) > 1)


def _lists(text: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the keys of a YAML file of lists, with the items as text; a value is a list of one."""
    text = re.sub(r"#[^\n]*", "", text)
    for found in LISTS.finditer(text):
        items = (found[2] or found[4] or "").split(",") if found[3] is None else found[3].split("\n")[1:]
        yield found[1], [item.strip().removeprefix("-").strip(" \"'") for item in items]


def _dimension(
    kind: str, members: Sequence[int], bandwidth: Bandwidth, switches: Sequence[str]
) -> list[Link]:
    """Return the links among the nodes on one line of a dimension; two in a ring are joined twice."""
    n = len(members)
    if kind == "Switch":
        return [(v, switches[-1], bandwidth) for v in members]
    if kind == "FullyConnected":
        return [(u, v, bandwidth) for u, v in combinations(members, 2)]
    if kind == "Ring":
        return [(members[i], members[(i + 1) % n], bandwidth) for i in range(n if n > 1 else 0)]
    raise InputError(f"Ring, FullyConnected and Switch are read, not {shown(kind)}")


def is_ns3(text: str) -> bool:
    """Return whether a text is a topology for ns-3 as ASTRA-sim and HPCC write it.

    Numbers of nodes, switches and links stand first, then the switches, then a line for each link.
    """
    if not NS3.match(text):
        return False
    lines = [line.split() for line in text.splitlines() if line.strip()]
    return (
        int(lines[0][2]) > 0
        and len(lines) > 2
        and len(lines[2]) > 2
        and RATE.fullmatch(lines[2][2]) is not None
    )


def parse_ns3(data: bytes, reading: Reading) -> Network:
    """Return the network of such a file; bandwidths are in Gb/s."""
    lines = [(n, line.split()) for n, line in enumerate(text_of(data).splitlines(), 1) if line.strip()]
    n, switch_count, link_count = map(int, lines[0][1])
    check_size(n, link_count)
    switches = [whole_number(word, 0, n - 1, text=True) for word in lines[1][1]]
    if None in switches or len(set(switches)) != switch_count:
        raise InputError(f"line {lines[1][0]}: expected {switch_count} switches among the nodes 0..{n - 1}")
    if len(lines) - 2 != link_count:
        raise InputError(f"{link_count} links are announced, but {len(lines) - 2} lines follow")
    links: list[Link] = []
    for number, words in lines[2:]:
        ends = [whole_number(word, 0, n - 1, text=True) for word in words[:2]]
        rate = RATE.fullmatch(words[2]) if len(words) > 2 else None
        if rate is None or ends[0] is None or ends[1] is None:
            raise InputError(f"line {number}: expected 'u v 400Gbps delay ...', not {shown(' '.join(words))}")
        links.append((ends[0], ends[1], exact_bandwidth(Fraction(rate[1]) * FACTORS[rate[2]])))
    waits = [_seconds(words[3]) for _, words in lines[2:] if len(words) > 3]
    losses = sum(any(word.strip("0.") for word in words[4:5]) for _, words in lines[2:])
    known = [v for v in switches if v is not None]
    hardware = Hardware(Fraction(1, 8), latency=max(waits, default=None))
    network = machine_of(range(n), links, known, hardware=hardware)
    notes = [_one_latency(waits), left_out("error-rates", counted(losses, "error rate"), losses)]
    return understood(network, "ns-3 topology", notes, "in Gb/s", whole=False)


def is_taccl(found: object) -> bool:
    """Return whether an object of JSON is a topology of TACCL."""
    return (
        isinstance(found, dict)
        and "gpus_per_node" in found
        and bool({"links", "node_invbws_list"} & set(found))
    )


def parse_taccl(found: dict[str, Any]) -> Network:
    """Return the network of one node in a topology file of TACCL.

    The row of a matrix is the receiver. Bandwidth is 1 / invbws, chunks of the file's size in a microsecond.

    Raises
    ------
    InputError
        If the file names no links, which its kind of topology then has, or a matrix is not square.
    """
    if "links" not in found:
        raise InputError(
            "this topology of TACCL has costs and no links, which follow from the kind that TACCL is called"
            " with; name the machine instead: dgx1 for NDv2, dgx2 for DGX2, complete:N for HubAndSpoke"
        )
    n = found["gpus_per_node"]
    links: Any = found["links"]
    costs: Any = found.get("invbws")
    square = isinstance(n, int) and all(
        isinstance(m, list) and len(m) == n and all(isinstance(row, list) and len(row) == n for row in m)
        for m in (links, costs)
    )
    if not square:
        raise InputError(
            "'links' and 'invbws' of TACCL's topology are matrices of gpus_per_node rows and columns"
        )
    arcs: dict[tuple[int, int], Bandwidth] = {}
    for v in range(n):
        for u in range(n):
            if not links[v][u]:
                continue
            cost = exact_number(costs[v][u], decimal=True)
            if u == v or cost is None or cost <= 0:
                raise InputError(f"the link from {u} to {v} has no cost in 'invbws'")
            arcs[u, v] = exact_bandwidth(Fraction(1) / cost)
    directed = any(arcs.get((v, u)) != b for (u, v), b in arcs.items())
    given = [(u, v, b) for (u, v), b in arcs.items() if directed or u < v]
    network = machine_of(range(n), given, directed=directed)
    others = [str(key) for key in found if key not in ("name", "gpus_per_node", "links", "invbws")]
    notes = [name if name == "alpha" else left_out("fields", name) for name in others]
    return understood(network, "TACCL", notes, "bandwidth is 1 / invbws", whole=False)


ASTRA_SIM = Format("ASTRA-sim, analytical", (".yml", ".yaml"), parse_astra_sim, head=ASTRA)
NS3_TOPOLOGY = Format("ASTRA-sim, ns-3", (), parse_ns3)
