"""The XML that NCCL and RCCL write to NCCL_TOPO_DUMP_FILE: a machine as a tree of PCI devices.

Accelerators are compute nodes; PCI bridges, processors, network cards and their ports, and the NVSwitches
(all of a machine are one) are switches. Bandwidths are in GB/s and are those that NCCL 2.x computes with
(`schedsolve.network.files.nccl_bandwidths`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations, count
from typing import NamedTuple

from schedsolve.network.assumptions import Assumption, assumed, left_out
from schedsolve.network.bandwidths import Bandwidth
from schedsolve.network.files.nccl_bandwidths import between_processors, of_direct_link, of_pci, of_port
from schedsolve.network.files.reading import Format, Reading
from schedsolve.network.files.understood import machine_of, understood
from schedsolve.network.files.xml_tree import Element, read_xml
from schedsolve.network.graph import Label, Network
from schedsolve.network.hardware import Hardware
from schedsolve.runtime.errors import InputError, shown

FORM = "NCCL topology"
SWITCH_CLASS, PROCESSOR_CLASS = "0x068000", "0x068001"
LINKS = ("nvlink", "xgmi")
_PCI = ("pci", "gpu", "nic", "pcilink")
READ = {"system": ("cpu",), "cpu": ("pci", "nic"), "pci": _PCI, "gpu": (*LINKS, "c2c"), "nic": ("net",)}
"""What is read within an element; anything else but within <nic> may be a link of an accelerator."""
WITHIN_A_SWITCH = 5000
"""GB/s of a <pcilink>, by which two bridges are one chip (`LOC_BW` of NCCL)."""


class _Gpu(NamedTuple):
    element: Element
    bus: str
    processor: Label
    name: int


@dataclass
class _Machine:
    """What has been read: the accelerators' names by element, the links, and remarks with their numbers.

    `chips` are pairs of bridges, by their bus ids, that are one chip.
    """

    names: dict[int, int]
    gpus: list[_Gpu] = field(default_factory=list)
    switches: dict[Label, None] = field(default_factory=dict)
    links: list[tuple[Label, Label, Bandwidth]] = field(default_factory=list)
    ports: list[str] = field(default_factory=list)
    chips: set[tuple[str, str]] = field(default_factory=set)
    remarks: Counter[tuple[str, str]] = field(default_factory=Counter)

    def switch(self, name: str) -> str:
        """Add a switch and return its label, `name/2` if there is one of this name, as NCCL adds another."""
        label = next(label for label in _numbered(name) if label not in self.switches)
        self.switches[label] = None
        return label


def parse_nccl_topology(data: bytes, reading: Reading) -> Network:
    """Return the network in the bytes of a file.

    The label of an accelerator is its rank, or else its device; a processor is `cpu0`, a bridge or a card is
    called by its bus id, a port by its name.

    Raises
    ------
    InputError
        With the line, if the XML is of another kind or of several hosts, there is no accelerator, there is
        a bus id of two accelerators, an element that may be a link of one is unknown, a link leads nowhere,
        or two ends count a link differently.
    """
    root = read_xml(data)
    if root.name != "system":
        raise InputError(f"line {root.line}: a topology of NCCL begins with <system>, not <{root.name:.60}>")
    if len({cpu.attributes.get("host_hash") for cpu in root.all("cpu")}) > 1:
        raise InputError("it has the processors of several hosts; a file of one host is read")
    found = list(root.all("gpu"))
    if not found:
        raise InputError(f"line {root.line}: there is no <gpu> in it")
    machine = _Machine({id(gpu): name for gpu, name in zip(found, _names(found), strict=True)})
    processors = {}
    for place, cpu in enumerate(root.all("cpu")):
        name = machine.switch(f"cpu{cpu.attributes.get('numaid', place)}")
        processors[name] = between_processors(cpu.attributes)
        _add_below(machine, cpu, name, name)
    if len(machine.gpus) < len(found):
        raise InputError(f"line {root.line}: every <gpu> is within a <pci> of a <cpu>")
    left = _unread(root)
    nvswitch = _add_direct_links(machine)
    _join(machine, processors)
    hardware = Hardware(Fraction(1), tuple(machine.ports), cables=True)
    gpus = sorted(machine.names.values())
    network = machine_of(gpus, machine.links, machine.switches, hardware=hardware)
    notes = [assumed("bandwidth", "in GB/s, as NCCL takes them")]
    notes.append(assumed("switch", "all NVSwitches as one", bool(nvswitch)))
    notes += [assumed(about, f"{n} {words}", n) for (about, words), n in machine.remarks.items()]
    return understood(network, FORM, notes + left)


def _numbered(name: str) -> Iterator[str]:
    """Yield a name, and then the name with 2, 3, ..."""
    yield name
    yield from (f"{name}/{number}" for number in count(2))


def _names(gpus: list[Element]) -> list[int]:
    """Return the ranks of accelerators, or else their devices, or else their places."""
    for name in ("rank", "dev"):
        if all(name in gpu.attributes for gpu in gpus):
            numbers = [gpu.number(name) for gpu in gpus]
            if len(set(numbers)) == len(numbers):
                return numbers
    return list(range(len(gpus)))


def _add_below(machine: _Machine, parent: Element, above: str, processor: str) -> None:
    """Add the devices below a processor or bridge, whose name is `above`."""
    for child in parent.children:
        if child.name == "pci":
            _add_device(machine, child, above, processor)
        elif child.name == "nic":
            _add_ports(machine, child, above)
        elif child.name == "pcilink":
            one, other = sorted((parent.text("busid").lower(), child.text("target").lower()))
            machine.chips.add((one, other))


def _add_device(machine: _Machine, pci: Element, above: str, processor: str) -> None:
    """Add a PCI device: accelerators, a network card, or a bridge with what is below it."""
    bus = pci.text("busid").lower()
    lanes = pci.number("link_width", 0, 64) if "link_width" in pci.attributes else 0
    machine.remarks["pci-links", "PCI links of unknown width as 16 lanes"] += not lanes
    bandwidth, known = of_pci(pci.attributes.get("link_speed", ""), lanes or 16)
    machine.remarks["pci-links", "PCI links of unknown speed as 8 GT/s"] += not known
    gpus = [child for child in pci.children if child.name == "gpu"]
    for gpu in gpus:
        name = machine.names[id(gpu)]
        machine.gpus.append(_Gpu(gpu, bus, processor, name))
        machine.links.append((name, above, bandwidth))
        for link in gpu.all("c2c"):
            total = Fraction(link.number("count", 1, 10_000) * link.number("bw", 1), 1000)
            machine.links.append((name, processor, total))
    if gpus and len(pci.children) > 1:
        listed = ", ".join(f"<{child.name:.40}>" for child in pci.children)
        raise InputError(f"line {pci.line}: a device has {len(gpus)} <gpu> among {listed}; one alone is read")
    if not gpus:
        label = machine.switch(bus)
        machine.links.append((label, above, bandwidth))
        _add_below(machine, pci, label, processor)


def _add_ports(machine: _Machine, nic: Element, card: str) -> None:
    """Add the ports of a network card; a port of no device (PCI) hangs at the processor."""
    for net in nic.children:
        if net.name == "net" and net.attributes.get("net", "1") != "0":
            name = net.attributes.get("name") or f"net{net.attributes.get('dev', '')}"
            speed = net.attributes.get("speed", "").strip()
            known = not speed.startswith("-") and speed not in ("", "0")
            machine.remarks["ports", "ports of unknown speed as 10 Gb/s"] += not known
            bandwidth = of_port(net.number("speed") if known else 0)
            machine.ports.append(machine.switch(name))
            machine.links.append((machine.ports[-1], card, bandwidth))


def _add_direct_links(machine: _Machine) -> str:
    """Add NVLink and xGMI between accelerators, and to NVSwitches and processors; return the NVSwitch or "".

    Raises
    ------
    InputError
        With the line, if one leads nowhere or two ends count it differently.
    """
    by_bus = {gpu.bus: gpu for gpu in machine.gpus}
    if len(by_bus) < len(machine.gpus):
        raise InputError("two accelerators have the same bus id")
    counts: Counter[tuple[int, int]] = Counter()
    lines: dict[tuple[int, int], int] = {}
    each: dict[tuple[int, int], Bandwidth] = {}
    nvswitch = ""
    for gpu, link in ((one, link) for one in machine.gpus for link in one.element.all(*LINKS)):
        number, target = link.number("count", 1, 10_000), link.text("target").lower()
        bandwidth, known = of_direct_link(link.name, gpu.element.attributes)
        machine.remarks[link.name, f"{link.name} of unknown accelerators as {bandwidth}"] += not known
        kind = link.attributes.get("tclass", "")
        if target in by_bus:
            pair = gpu.name, by_bus[target].name
            if pair[0] == pair[1]:
                raise InputError(f"line {link.line}: accelerator {gpu.name} is linked to itself")
            counts[pair] += number
            lines[pair], each[pair] = link.line, bandwidth
        elif kind.startswith(PROCESSOR_CLASS):
            machine.links.append((gpu.name, gpu.processor, number * bandwidth))
        elif kind.startswith(SWITCH_CLASS):
            nvswitch = nvswitch or machine.switch("nvswitch")
            machine.links.append((gpu.name, nvswitch, number * bandwidth))
        else:
            raise InputError(f"line {link.line}: no accelerator has the bus id {shown(target)}")
    for (u, v), number in counts.items():
        if counts.get((v, u)) != number:
            raise InputError(
                f"line {lines[u, v]}: {number} links from accelerator {u} to {v}, and {counts.get((v, u), 0)}"
                f" from {v} to {u}"
            )
        if u < v:
            machine.links.append((u, v, number * min(each[u, v], each[v, u])))
    return nvswitch


def _join(machine: _Machine, speeds: Mapping[str, tuple[Fraction, bool]]) -> None:
    """Link bridges of one chip, if both are in the file, and every two processors, as NCCL does."""
    chips = [pair for pair in sorted(machine.chips) if machine.switches.keys() >= set(pair)]
    machine.links += [(one, other, Fraction(WITHIN_A_SWITCH)) for one, other in chips]
    machine.remarks["pci-links", f"pairs of bridges in one chip as {WITHIN_A_SWITCH}"] += len(chips)
    for one, other in combinations(speeds, 2):
        machine.links.append((one, other, min(speeds[one][0], speeds[other][0])))
    if len(speeds) > 1:
        unknown = sum(not known for _, known in speeds.values())
        machine.remarks["processors", "processors, every two of which are linked"] += len(speeds)
        machine.remarks["processors", "processors of unknown make, 5000 between them"] += unknown


def _unread(root: Element) -> list[Assumption]:
    """Return the elements that are not read, with their numbers.

    Raises
    ------
    InputError
        With the line, if one may be a link of an accelerator.
    """
    counts: Counter[str] = Counter()
    waiting = [root]
    for element in waiting:
        for child in element.children:
            if child.name in READ.get(element.name, ()):
                waiting.append(child)
            elif element.name in READ and element.name != "nic":
                raise InputError(
                    f"line {child.line}: <{child.name:.40}> within <{element.name}> is not read, and may be a"
                    " link of an accelerator"
                )
            else:
                counts[child.name] += 1
    return [left_out("elements", f"{number} <{name:.40}>", number) for name, number in sorted(counts.items())]


NCCL = Format(FORM, (".xml",), parse_nccl_topology, root="system")
