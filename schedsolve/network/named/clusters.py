"""Several boxes as one network: equal ones on a fabric, or two joined by links.

`dgx1-cluster-4,8x400Gb,rail` and `dgx1-joined-h100:1-by-0-0=400Gb` (`derived.py`). Every node
is called by its box and by its name there: `0.gpu3`, `1.cpu0`. An accelerator reaches the fabric through the
network ports of its box, over PCI as the box's file says, else through cards of its own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from schedsolve.network.assumptions import Assumption, assumed, distinct
from schedsolve.network.bandwidths import Bandwidth, bandwidth_from_data, exact_bandwidth
from schedsolve.network.files.understood import machine_of, understood
from schedsolve.network.graph import Label, Network
from schedsolve.network.hardware import Hardware
from schedsolve.network.named.derived_texts import BY, CLUSTER, FABRICS, JOINED
from schedsolve.network.named.holes import link_ends
from schedsolve.network.sizes import check_size
from schedsolve.runtime.errors import InputError, cut, shown
from schedsolve.runtime.files.number_reader import whole_number
from schedsolve.runtime.limits.budget import naming

MOST_BOXES = 100_000
UNITS = {"": Fraction(1), "Gb": Fraction(1, 8), "Gbps": Fraction(1, 8), "GB": Fraction(1)}
"""GB/s of a unit; "" stands for the unit of the box."""

Link = tuple[str, str, Bandwidth]


@dataclass(frozen=True)
class _Speed:
    """A bandwidth, in GB/s or in the unit of the box."""

    value: Bandwidth
    in_gigabytes: bool


@dataclass(frozen=True)
class _Fabric:
    """What joins boxes: the kind, the numbers of leaf and spine switches, and the speed between these."""

    kind: str
    leaves: int = 0
    spines: int = 0
    uplink: _Speed | None = None


@dataclass(frozen=True)
class _Box:
    """The nodes and links of a box by the names that they get in a cluster; `ports` are some of the switches.

    Attributes
    ----------
    cables
        Whether the link of a port stands for the port's own speed.
    """

    name: str
    gpus: tuple[str, ...]
    switches: tuple[str, ...]
    links: tuple[Link, ...]
    directed: bool
    ports: tuple[str, ...]
    cables: bool


def cluster(network: Network, text: str) -> Network:
    """Return several boxes on a fabric.

    Parameters
    ----------
    network
        One box.
    text
        `N,KxSPEED,FABRIC`, such as "4,8x400Gb,rail": the number of boxes, the network cards of each with
        their speed, and what joins them. Without `KxSPEED` the ports of the box have the speeds of its file.
        A speed is in Gb (Gb/s), in GB (GB/s), or without a unit in that of the box. The fabric is one
        `switch`; `rail`, a switch for the first cards of all boxes, one for the second ones, and so on, which
        `rail:S,U` joins by S spine switches, every two at U; or `leaf-spine:L,S,U`, L leaf switches with N/L
        boxes each, joined by S spine switches likewise.

    Returns
    -------
    The accelerators box by box, then the switches box by box, then those of the fabric.

    Raises
    ------
    InputError
        If the text is of another form, or the box has not as many ports or accelerators as the cards need.
    """
    with naming(f"{cut(network.name, 60)}{CLUSTER}{cut(text, 60)}"):
        count, cards, speed, fabric = _parts(text)
        check_size(count * network.node_count, count * len(network.edges))
        unit, said = _unit([network], [one for one in (speed, fabric.uplink) if one is not None])
        box, ends, reached = _with_cards(_box(network, unit[0]), cards, speed)
        links, lower = _fabric(count, fabric, ends)
    boxes = [box] * count
    spines = [f"spine{j}" for j in range(fabric.spines)]
    if fabric.uplink is not None:
        links += [(one, spine, fabric.uplink.value) for one in lower for spine in spines]
    made = _joined(boxes, links, lower + spines)
    also = "; ".join(part for part in (said, reached, _of_box(network, "each box")) if part)
    return replace(
        understood(made, f"{count} boxes", also=also, whole=False),
        name=f"{network.name or 'network'}{CLUSTER}{text}",
        hardware=_hardware(network, said, count),
        assumptions=_assumptions([network], said, reached),
    )


def joined(one: Network, other: Network, text: str) -> Network:
    """Return two boxes, 0 and 1, and links between them.

    Parameters
    ----------
    one, other
        The boxes, both undirected or both directed.
    text
        `U-V=SPEED`, separated by commas: a node of the first box, one of the second, by their labels, and
        the bandwidth of the link between them, which is one in each direction.

    Raises
    ------
    InputError
        If the text is of another form, there is no such node, or only one box has arcs.
    """
    with naming(f"{cut(one.name, 60)}{JOINED}{cut(other.name, 60)}"):
        if one.directed != other.directed:
            raise InputError("one of the two has arcs, and the other has not")
        given = [item.rpartition("=")[::2] for item in text.split(",")]
        if not all(ends and speed for ends, speed in given):
            raise InputError(f"the links are given as U-V=400Gb, separated by commas, not {shown(text)}")
        speeds = [_speed(speed) for _, speed in given]
        units, said = _unit([one, other], speeds)
        pairs = [link_ends(one, other, ends) for ends, _ in given]
    boxes = [_box(network, unit) for network, unit in zip((one, other), units, strict=True)]
    called = [_names(one), _names(other)]
    links = [
        (f"0.{called[0][u]}", f"1.{called[1][v]}", speed.value)
        for (u, v), speed in zip(pairs, speeds, strict=True)
    ]
    also = "; ".join(part for part in (said, _of_box(one, "box 0"), _of_box(other, "box 1")) if part)
    return replace(
        understood(_joined(boxes, links, []), "2 boxes", also=also, whole=False),
        name=f"{one.name or 'network'}{JOINED}{other.name or 'network'}{BY}{text}",
        hardware=_hardware(one, said, 2),
        assumptions=_assumptions([one, other], said),
    )


def _parts(text: str) -> tuple[int, int, _Speed | None, _Fabric]:
    """Return the numbers of boxes and of cards, 0 if not given, the cards' speed, and the fabric."""
    first, _, rest = text.partition(",")
    count = whole_number(first.strip(), 2, MOST_BOXES, text=True)
    if count is None:
        raise InputError(f"the number of boxes is a whole number from 2 on, not {shown(first)}")
    found = re.fullmatch(r"\s*([1-9][0-9]{0,5})x([^,]*),(.*)", rest)
    if found is None:
        return count, 0, None, _fabric_of(rest)
    return count, int(found[1]), _speed(found[2]), _fabric_of(found[3])


def _fabric_of(text: str) -> _Fabric:
    kind, colon, numbers = text.strip().partition(":")
    parts = numbers.split(",") if colon else []
    if (kind, len(parts)) in (("switch", 0), ("rail", 0)):
        return _Fabric(kind)
    sizes = [whole_number(part.strip(), 1, MOST_BOXES, text=True) for part in parts[:-1]]
    if (kind, len(parts)) in (("rail", 2), ("leaf-spine", 3)) and None not in sizes:
        return _Fabric(kind, (sizes[0] or 0) * (len(parts) - 2), sizes[-1] or 0, _speed(parts[-1]))
    if re.fullmatch(r"\s*[1-9][0-9]{0,5}x[^,]*", text):
        raise InputError(f"what joins the boxes is missing: {FABRICS}; such as {text.strip()},switch")
    raise InputError(
        f"the network cards are given as 8x400Gb, and what joins the boxes as {FABRICS} (L leaf switches,"
        f" S spine switches, U the speed between every two), not {shown(text)}"
    )


def _speed(text: str) -> _Speed:
    found = re.fullmatch(r"([0-9./]+)([a-zA-Z]*)", text.strip().removesuffix("/s"))
    if found is None or found[2] not in UNITS:
        raise InputError(
            f"a speed is given as 400Gb (Gb/s), as 50GB (GB/s), or as 50 in the box's unit, not {shown(text)}"
        )
    value = bandwidth_from_data(found[1])
    return _Speed(exact_bandwidth(value * UNITS[found[2]]), bool(found[2]))


def _unit(boxes: Sequence[Network], speeds: Sequence[_Speed]) -> tuple[list[Fraction], str]:
    """Return what the bandwidths of each box are multiplied by, and what is said of it, "" for nothing.

    Raises
    ------
    InputError
        If some speeds have a unit and others have none, or the boxes have different units and these do not.
    """
    kinds = {speed.in_gigabytes for speed in speeds}
    if len(kinds) > 1:
        raise InputError("give all speeds with a unit, such as 400Gb, or none")
    own = [box.hardware.gigabytes if box.hardware else None for box in boxes]
    if True not in kinds:
        if len(set(own)) > 1:
            raise InputError(
                "the two have bandwidths in different units; give speeds with a unit, such as 400Gb"
            )
        return [Fraction(1)] * len(boxes), ""
    said = ["in GB/s"]
    for box, gigabytes in zip(boxes, own, strict=True):
        if gigabytes is None:
            said.append(f"the bandwidths of {cut(box.name, 60)} are taken as GB/s")
        elif gigabytes != 1:
            said.append(f"bandwidth 1 of {cut(box.name, 60)} as {gigabytes}")
    return [gigabytes or Fraction(1) for gigabytes in own], ", ".join(dict.fromkeys(said))


def _assumptions(boxes: Sequence[Network], said: str, cards: str = "") -> tuple[Assumption, ...]:
    """Return those of boxes, of their units, if `said` is not empty, and of where the network cards are.

    Nothing is assumed of cards that are ports in a box's file, nor of a box that was read without assumptions
    or is a named machine: that is a definition.
    """
    notes = [note for box in boxes for note in box.assumptions]
    ports = any(box.hardware and box.hardware.ports for box in boxes)
    cards_of = assumed("network-cards", cards, bool(cards and notes) and not ports)
    units = [box for box in boxes if said and box.hardware is None]
    notes += [assumed("bandwidth", f"the bandwidths of {cut(box.name, 60)} as GB/s") for box in units]
    return distinct([*notes, cards_of])


def _hardware(box: Network, said: str, count: int) -> Hardware | None:
    """Return the facts of a cluster; `said` is empty if it keeps the unit of the box."""
    if said:
        return Hardware(Fraction(1), boxes=count)
    return box.hardware and Hardware(box.hardware.gigabytes, boxes=count)


def _names(network: Network) -> dict[Label, str]:
    """Return what the nodes of a box are called: `gpu3`, `switch8` or just `switch`, or their own names."""
    numbered = [network.labels[v] for v in sorted(network.switches) if isinstance(network.labels[v], int)]
    names = {label: f"gpu{label}" if isinstance(label, int) else label for label in network.labels}
    names.update({label: "switch" if len(numbered) == 1 else f"switch{label}" for label in numbered})
    if len(set(names.values())) < len(names):
        raise InputError(f"two nodes of {cut(network.name, 60)} would be called the same in a cluster")
    return names


def _box(network: Network, factor: Fraction) -> _Box:
    """Return a box with its bandwidths multiplied by a factor."""
    labels, names, known = network.labels, _names(network), network.hardware
    if known is not None and known.ports:
        ports = tuple(port for port in known.ports if port in labels)
    else:
        alone = (v for v in sorted(network.switches) if len(_neighbours(network, v)) == 1)
        ports = tuple(names[labels[v]] for v in alone)
    given = network.bandwidths or (1,) * len(network.edges)
    return _Box(
        name=network.name,
        gpus=tuple(names[labels[v]] for v in network.compute_nodes),
        switches=tuple(names[labels[v]] for v in sorted(network.switches)),
        links=tuple(
            (names[labels[u]], names[labels[v]], exact_bandwidth(bandwidth * factor))
            for (u, v), bandwidth in zip(network.edges, given, strict=True)
        ),
        directed=network.directed,
        ports=ports,
        cables=known is not None and known.cables,
    )


def _neighbours(network: Network, v: int) -> set[int]:
    return {*network.successors[v], *network.predecessors[v]}


def _with_cards(box: _Box, cards: int, speed: _Speed | None) -> tuple[_Box, list[tuple[str, Bandwidth]], str]:
    """Return the box with its network cards, for each card its node and speed, and what to say of them.

    Raises
    ------
    InputError
        If the box cannot have so many network cards.
    """
    if box.ports:
        return _with_ports(box, cards, speed)
    if speed is None:
        raise InputError("the box has no network ports; give its network cards, such as 8x400Gb")
    said = f"{cards} network cards at {speed.value} in each, at the accelerators"
    count = len(box.gpus)
    if cards % count == 0:
        return box, [(gpu, speed.value) for gpu in box.gpus for _ in range(cards // count)], said
    if count % cards:
        raise InputError(
            f"of {count} accelerators and {cards} network cards one number must divide the other: nothing is"
            " known of the box's own cards"
        )
    share = count // cards
    names = tuple(f"nic{i}" for i in range(cards))
    links = [(gpu, names[i // share], speed.value) for i, gpu in enumerate(box.gpus)]
    wider = replace(
        box, switches=box.switches + names, links=(*box.links, *_both_ways(links, directed=box.directed))
    )
    return wider, [(name, speed.value) for name in names], f"{said}, {share} to a card"


def _with_ports(box: _Box, cards: int, speed: _Speed | None) -> tuple[_Box, list[tuple[str, Bandwidth]], str]:
    """Return what `_with_cards` does, for a box that has network ports."""
    ports, listed = box.ports, cut(", ".join(box.ports), 120)
    if cards and cards != len(ports):
        raise InputError(
            f"the box has {len(ports)} network ports, {listed}, and not {cards}; take away those that are not"
            f" on the fabric, as in {cut(box.name, 60)}-without-{ports[-1]}"
        )
    own = {port: max(b for u, v, b in box.links if port in (u, v)) for port in ports}
    said = f"through the ports {listed} of each"
    if speed is None:
        return box, list(own.items()), said
    given, others = speed.value, sorted({value for value in own.values() if value != speed.value})
    said += f" at {given}"
    if box.cables and others:
        said += f" (the file says {', '.join(map(str, others))})"
        links = tuple((u, v, given if {u, v} & set(ports) else b) for u, v, b in box.links)
        box = replace(box, links=links)
    elif others and others[0] < given:
        said += f" (their links within the box have {', '.join(map(str, others))})"
    return box, [(port, given) for port in ports], said


def _fabric(
    count: int, fabric: _Fabric, ends: Sequence[tuple[str, Bandwidth]]
) -> tuple[list[Link], list[str]]:
    """Return the links from the boxes to the lower switches of the fabric, and these switches."""
    if fabric.kind == "switch":
        lower = ["fabric"]
    elif fabric.kind == "rail":
        lower = [f"rail{i}" for i in range(len(ends))]
    else:
        lower = [f"leaf{i}" for i in range(fabric.leaves)]
        if count % fabric.leaves:
            raise InputError(f"{count} boxes cannot be shared equally by {fabric.leaves} leaf switches")
    check_size(len(lower) + fabric.spines, count * len(ends) + len(lower) * fabric.spines)
    links: list[Link] = []
    for k in range(count):
        for i, (end, bandwidth) in enumerate(ends):
            place = i if fabric.kind == "rail" else k * len(lower) // count
            links.append((f"{k}.{end}", lower[place], bandwidth))
    return links, lower


def _joined(boxes: Sequence[_Box], links: Sequence[Link], switches: Sequence[str]) -> Network:
    """Return the boxes as one network with links in both directions between them, and further switches."""
    directed = boxes[0].directed
    inner = [
        (f"{k}.{u}", f"{k}.{v}", bandwidth) for k, box in enumerate(boxes) for u, v, bandwidth in box.links
    ]
    gpus = [f"{k}.{name}" for k, box in enumerate(boxes) for name in box.gpus]
    others = [f"{k}.{name}" for k, box in enumerate(boxes) for name in box.switches] + list(switches)
    return machine_of(gpus, inner + _both_ways(links, directed=directed), others, directed=directed)


def _both_ways(links: Sequence[Link], *, directed: bool) -> list[Link]:
    return [*links, *((v, u, bandwidth) for u, v, bandwidth in links)] if directed else list(links)


def _of_box(network: Network, which: str) -> str:
    return f"{which}: {network.understood}" if network.understood else ""
