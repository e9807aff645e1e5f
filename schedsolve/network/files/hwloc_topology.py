"""The XML of hwloc, as `lstopo --of xml` writes it: the accelerators and network cards of a machine over PCI.

Accelerators are compute nodes; bridges, network cards and what host bridges hang at (packages, NUMA nodes)
are switches. Bandwidths are in GB/s: those of PCI are the `pci_link_speed` of the file, those of NVLink and
xGMI stand in its matrices `NVLinkBandwidth` and `XGMIBandwidth`.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations

from schedsolve.network.assumptions import assumed
from schedsolve.network.bandwidths import Bandwidth, bandwidth_from_data, exact_bandwidth
from schedsolve.network.files.pci_levels import BETWEEN_PROCESSORS
from schedsolve.network.files.reading import Format, Reading
from schedsolve.network.files.understood import Note, machine_of, understood
from schedsolve.network.files.xml_tree import Element, read_xml
from schedsolve.network.graph import Label, Network
from schedsolve.network.hardware import Hardware
from schedsolve.runtime.errors import InputError, counted, shown
from schedsolve.runtime.files.number_reader import whole_number

FORM = "hwloc"
GPUS, CARDS = {"0300", "0302", "0380", "1200"}, {"0200", "0207", "0208", "0280"}
"""Classes of PCI: displays and accelerators, networks."""
CONSOLES = {"1a03", "102b"}
"""Vendors of the displays of servers' consoles."""
OF_PORTS = ("3", "2")
"""Types of devices that name a card's port, the better first: OpenFabrics, network."""
OWNERS = ("Package", "Socket", "NUMANode", "Group")
"""Types of objects at which host bridges hang."""
MATRICES, NO_LINKS = {"NVLinkBandwidth", "XGMIBandwidth", "XeLinkBandwidth"}, {"XGMIHops", "NUMALatency"}
NVSWITCH = "nvswitch"
UNKNOWN_SPEED = Fraction(12)
"""GB/s of a link over PCI without a speed, those of PCI of generation 3 in NCCL."""


@dataclass
class _Machine:
    """What has been read: accelerators by the indices of hwloc, switches, links, remarks."""

    gpus: dict[str, int] = field(default_factory=dict)
    count: int = 0
    switches: dict[str, None] = field(default_factory=dict)
    ports: list[str] = field(default_factory=list)
    tops: dict[str, None] = field(default_factory=dict)
    links: list[tuple[Label, Label, Bandwidth]] = field(default_factory=list)
    unknown: int = 0
    unequal: int = 0
    rest: Counter[str] = field(default_factory=Counter)


def parse_hwloc(data: bytes, reading: Reading) -> Network:
    """Return the network in the bytes of a file.

    Accelerators are numbered in the order of the file, a network card is called by its port, a bridge by its
    bus id, a package or NUMA node by its kind and number.

    Raises
    ------
    InputError
        If there is no accelerator, or as the class of networks does.
    """
    root = read_xml(data, doctype=True)
    machine = _Machine()
    for element in root.children:
        if element.name == "object":
            _add_below(machine, element, element)
    if not machine.count:
        raise InputError(
            "it has no accelerators over PCI; make it with devices of PCI, or give the links in .edges"
        )
    _add_matrices(machine, root)
    machine.links += [(one, other, BETWEEN_PROCESSORS) for one, other in combinations(machine.tops, 2)]
    hardware = Hardware(Fraction(1), tuple(machine.ports))
    network = machine_of(range(machine.count), machine.links, machine.switches, hardware=hardware)
    tops = f"between {', '.join(machine.tops)} {BETWEEN_PROCESSORS}, as it says nothing of these"
    unknown, unequal = machine.unknown, machine.unequal
    notes: list[Note] = [
        assumed("processors", tops, len(machine.tops) > 1),
        assumed("pci-links", f"{unknown} PCI links of unknown speed as {UNKNOWN_SPEED}", unknown),
        assumed("switch", "all NVSwitches as one", NVSWITCH in machine.switches),
        assumed("bandwidth", f"{counted(unequal, 'link')} of two speeds with the lower both ways", unequal),
        *(f"{count} {name}" for name, count in sorted(machine.rest.items())),
    ]
    return understood(network, FORM, notes, "in GB/s")


def _add_below(machine: _Machine, parent: Element, owner: Element) -> None:
    """Add the devices below an object; `owner` is the last one that is no bridge and no core or cache."""
    for child in parent.children:
        kind = child.attributes.get("type", "")
        if kind == "Bridge":
            _add_bridge(machine, child, _top(owner))
        elif kind == "PCIDev":
            _add_device(machine, child, _top(owner))
        elif kind in OWNERS:
            _add_below(machine, child, child)
        elif child.name == "object":
            _add_below(machine, child, owner)


def _top(owner: Element) -> str:
    kind = {"Socket": "package", "NUMANode": "numa"}.get(
        owner.attributes["type"], owner.attributes["type"].lower()
    )
    number = owner.attributes.get("os_index", owner.attributes.get("gp_index", ""))
    return kind if kind == "machine" else f"{kind}{number}"


def _is_wanted(element: Element) -> bool:
    """Return whether an object is, or has below it, an accelerator or a network card."""
    devices = [element, *element.all("object")]
    return any(_class(d) in GPUS | CARDS for d in devices if d.attributes.get("type") == "PCIDev")


def _class(device: Element) -> str:
    """Return the class of a PCI device, "" for the display of a console."""
    text = device.attributes.get("pci_type", "").lower()
    vendor = re.search(r"\[([0-9a-f]{4}):", text)
    return "" if vendor and vendor[1] in CONSOLES else text[:4]


def _add_bridge(machine: _Machine, bridge: Element, above: str) -> None:
    """Add what is below a bridge; a host bridge is no link."""
    name = above
    if not _is_wanted(bridge):
        _count_rest(machine, bridge)
        return
    if not bridge.attributes.get("bridge_type", "0-").startswith("0-"):
        name = bridge.attributes.get("pci_busid", bridge.attributes.get("gp_index", "bridge"))
        machine.switches.setdefault(name)
        _add_link(machine, name, above, bridge)
    for child in bridge.children:
        if child.attributes.get("type") == "Bridge":
            _add_bridge(machine, child, name)
        elif child.attributes.get("type") == "PCIDev":
            _add_device(machine, child, name)


def _add_device(machine: _Machine, device: Element, above: str) -> None:
    kind = _class(device)
    if kind in GPUS:
        for element in (device, *device.all("object")):
            machine.gpus[element.attributes.get("gp_index", "")] = machine.count
        _add_link(machine, machine.count, above, device)
        machine.count += 1
    elif kind in CARDS:
        name = _port(device)
        if name in machine.switches:
            name = device.attributes.get("pci_busid", name)
        machine.switches.setdefault(name)
        machine.ports.append(name)
        _add_link(machine, name, above, device)
    else:
        _count_rest(machine, device)


def _port(card: Element) -> str:
    """Return the name of a network card's port, else the card's bus id."""
    names = {
        d.attributes.get("osdev_type", ""): d.attributes.get("name", "") for d in reversed(card.children)
    }
    found = [names[kind] for kind in OF_PORTS if names.get(kind)]
    return found[0] if found else card.text("pci_busid")


def _count_rest(machine: _Machine, element: Element) -> None:
    devices = [element, *element.all("object")]
    count = sum(d.attributes.get("type") == "PCIDev" for d in devices)
    if count:
        machine.rest["other PCI devices"] += count


def _add_link(machine: _Machine, below: Label, above: str, element: Element) -> None:
    """Add the link above a device; what a host bridge hangs at becomes a switch."""
    if above not in machine.switches:
        machine.switches.setdefault(above)
        machine.tops.setdefault(above)
    text = element.attributes.get("pci_link_speed", "0")
    known = bool(text.strip("0."))
    machine.unknown += not known
    machine.links.append((below, above, bandwidth_from_data(text) if known else UNKNOWN_SPEED))


def _add_matrices(machine: _Machine, root: Element) -> None:
    """Add the links of accelerators from the matrices of bandwidths, in MB/s.

    Raises
    ------
    InputError
        With the line, if a matrix is incomplete, or one of another name or object may have such links.
    """
    objects = {found.attributes.get("gp_index", ""): found for found in root.all("object")}
    for matrix in root.all("distances2", "distances2hetero"):
        indexes = [word.rpartition(":")[2] for word in _words(matrix, "indexes")]
        if (name := matrix.attributes.get("name", "")) not in MATRICES:
            if name not in NO_LINKS and not machine.gpus.keys().isdisjoint(indexes):
                raise InputError(f"line {matrix.line}: the matrix {shown(name)} of accelerators is not read")
            continue
        nodes = [_node(machine, index, objects.get(index, matrix)) for index in indexes]
        values = [whole_number(word, text=True) for word in _words(matrix, "u64values")]
        if len(values) != len(nodes) ** 2 or None in values:
            raise InputError(f"line {matrix.line}: {len(nodes)} objects and {len(values)} whole values")
        for i, u in enumerate(nodes):
            for j, v in enumerate(nodes[:i]):
                pair = values[i * len(nodes) + j], values[j * len(nodes) + i]
                # An NVSwitch reports nothing; the speed of its link stands in one direction only.
                speeds = [Fraction(speed, 1000) for speed in pair if speed]
                if u != v and speeds:
                    machine.unequal += len(set(speeds)) > 1
                    machine.links.append((u, v, exact_bandwidth(min(speeds))))


def _node(machine: _Machine, index: str, found: Element) -> Label:
    """Return the label of an object in a matrix: all NVSwitches are one."""
    if index in machine.gpus:
        return machine.gpus[index]
    name = _top(found) if found.attributes.get("type") in OWNERS else NVSWITCH
    if name == NVSWITCH and not found.attributes.get("pci_type", "").startswith("0680"):
        raise InputError(
            f"line {found.line}: a link of an accelerator leads to object {shown(index)}, which is unknown"
        )
    machine.switches.setdefault(name)
    return name


def _words(element: Element, name: str) -> list[str]:
    return [word for child in element.all(name) for word in child.content.split()]


HWLOC = Format("hwloc (lstopo --of xml)", (), parse_hwloc, root="topology")
