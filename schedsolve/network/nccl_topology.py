"""The XML that NCCL and RCCL write to NCCL_TOPO_DUMP_FILE: a machine as a tree of PCI devices.

Every accelerator lists its direct links: <nvlink> and <xgmi> with a count are links of that bandwidth, to
another accelerator by its bus id, or to an NVSwitch by its class; all switches of a machine are one. PCI,
processors and network cards are omitted.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from schedsolve.errors import InputError, shown
from schedsolve.network.graph import Network
from schedsolve.network.understood import understood
from schedsolve.network.xml_tree import Element, read_xml

FORM = "NCCL topology"
SWITCH_CLASS = "0x068000"
LINKS = ("nvlink", "xgmi")


class _Gpu(NamedTuple):
    element: Element
    bus: str
    name: int


def network_from_nccl_topology(data: bytes) -> Network:
    """Return the network in the bytes of a file; a node's label is its accelerator's rank, or else device.

    Raises
    ------
    InputError
        With the line, if the XML is of another kind, a link leads nowhere, or two ends count a link
        differently; and if there is no accelerator, or no link between accelerators.
    """
    root = read_xml(data)
    if root.name != "system":
        raise InputError(f"line {root.line}: a topology of NCCL begins with <system>, not <{root.name:.60}>")
    gpus = _named(list(_gpus(root, "")))
    if not gpus:
        raise InputError(f"line {root.line}: there is no <gpu> in it")
    by_bus = {gpu.bus: gpu for gpu in gpus}
    links: dict[tuple[int, int], int] = {}
    lines: dict[tuple[int, int], int] = {}
    switched: dict[int, int] = {}
    elsewhere = 0
    for gpu in gpus:
        for link in gpu.element.all(*LINKS):
            target, count = link.text("target").lower(), link.number("count", 1, 10_000)
            if target in by_bus:
                pair = gpu.name, by_bus[target].name
                if pair[0] == pair[1]:
                    raise InputError(f"line {link.line}: accelerator {gpu.name} is linked to itself")
                links[pair] = links.get(pair, 0) + count
                lines[pair] = link.line
            elif link.attributes.get("tclass", "").startswith(SWITCH_CLASS):
                switched[gpu.name] = switched.get(gpu.name, 0) + count
            elif link.attributes.get("tclass", "").startswith("0x03"):
                raise InputError(f"line {link.line}: no accelerator has the bus id {shown(target)}")
            else:
                elsewhere += 1
    for (u, v), count in links.items():
        if links.get((v, u)) != count:
            back = links.get((v, u), 0)
            raise InputError(
                f"line {lines[u, v]}: {count} links from accelerator {u} to {v}, and {back} from {v} to {u}"
            )
    if not links and not switched:
        raise InputError(
            f"its {len(gpus)} accelerators have no NVLink or xGMI, and what goes over PCI is left out"
        )
    left_out = [*_rest(root), *([f"{elsewhere} links to other devices"] if elsewhere else [])]
    return understood(_network([gpu.name for gpu in gpus], links, switched), FORM, left_out)


def _gpus(element: Element, bus: str) -> Iterator[tuple[Element, str]]:
    """Yield the accelerators below an element, each with the bus id of its device."""
    for child in element.children:
        if child.name == "gpu":
            yield child, bus
        else:
            yield from _gpus(child, child.attributes.get("busid", bus).lower())


def _named(found: list[tuple[Element, str]]) -> list[_Gpu]:
    for name in ("rank", "dev"):
        if all(name in element.attributes for element, _ in found):
            numbers = [element.number(name) for element, _ in found]
            if len(set(numbers)) == len(numbers):
                return sorted(
                    (
                        _Gpu(element, bus, number)
                        for (element, bus), number in zip(found, numbers, strict=True)
                    ),
                    key=lambda gpu: gpu.name,
                )
    return [_Gpu(element, bus, place) for place, (element, bus) in enumerate(found)]


def _rest(root: Element) -> list[str]:
    counts = {
        name: sum(1 for _ in root.all(element))
        for name, element in (("processor", "cpu"), ("PCI device", "pci"), ("network port", "net"))
    }
    return [f"{count} {name}{'s' if count > 1 else ''}" for name, count in counts.items() if count]


def _network(gpus: list[int], links: dict[tuple[int, int], int], switched: dict[int, int]) -> Network:
    edges: list[tuple[int | str, int | str]] = [(u, v) for u, v in links if u < v]
    bandwidths = [links[u, v] for u, v in links if u < v]
    if not switched:
        return Network.from_labels(gpus, edges, bandwidths=bandwidths)
    edges += [(v, "switch") for v in switched]
    bandwidths += list(switched.values())
    return Network.from_labels([*gpus, "switch"], edges, bandwidths=bandwidths, switches=["switch"])
