"""SNDlib's networks: nodes with coordinates, links with capacities and costs, in its native format or XML.

References
----------
Orlowski, Wessäly, Pióro, Tomaszewski, "SNDlib 1.0: survivable network design library", Networks 55 (2010).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from schedsolve.network.files.line_formats import label_of, text_of
from schedsolve.network.files.reading import Format, Reading, network_of_items
from schedsolve.network.files.xml_tree import Element, read_xml
from schedsolve.network.graph import Network
from schedsolve.network.positions import with_positions
from schedsolve.runtime.errors import InputError, shown

FORM = "SNDlib"
COSTS = ("pre_installed_capacity", "pre_installed_capacity_cost", "routing_cost", "setup_cost")
"""What stands behind the ends of a link, in this order."""
OF_XML = ("preInstalledModule/capacity", "preInstalledModule/cost", "routingCost", "setupCost")

Edge = tuple[str, str, dict[str, str]]


def parse_sndlib(data: bytes, reading: Reading) -> Network:
    """Return the network of a file in the native format.

    A link is undirected, unless arcs are asked for, or every link has one in the other direction with other
    capacities or costs; those between the same two nodes are joined. Capacities are attributes of edges.
    Demands are left out.
    """
    places: dict[str, tuple[str, str] | None] = {}
    edges: list[Edge] = []
    others: dict[str, int] = {}
    for number, section, line in _entries(text_of(data)):
        if section == "NODES":
            found = re.fullmatch(r"(\S+)(?:\s*\(\s*(\S+)\s+(\S+?)\s*\))?", line)
            if found is None or found[1] in places:
                raise InputError(f"line {number}: expected a new node 'name ( x y )', not {shown(line)}")
            places[found[1]] = (found[2], found[3]) if found[2] else None
        elif section == "LINKS":
            edges.append(_link(number, line))
        elif section not in ("META", "ADMISSIBLE_PATHS"):
            others[section] = others.get(section, 0) + 1
    return _network(places, edges, others, reading)


def _entries(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield the lines within sections with their numbers and the section.

    Raises
    ------
    InputError
        If a section does not end, or a line is in none.
    """
    section, inner = "", 0
    for number, whole in enumerate(text.splitlines(), 1):
        line = whole.partition("#")[0].strip()
        opened = re.fullmatch(r"(\w+)\s*\(", line)
        if not line or line.startswith("?"):
            continue
        if not section and opened:
            section = opened[1]
        elif section and line == ")":
            section, inner = (section, inner - 1) if inner else ("", 0)
        elif section and opened:
            inner += 1
        elif section:
            yield number, section, line
        elif not re.fullmatch(r"([A-Z_]+)\s*\(\s*\)", line):
            raise InputError(f"line {number}: expected a section such as 'NODES (', not {shown(line)}")
    if section:
        raise InputError(f"the section {section} does not end; is the file cut off?")


def _link(number: int, line: str) -> Edge:
    found = re.fullmatch(r"\S+\s*\(\s*(\S+)\s+(\S+?)\s*\)([^()]*)(?:\(([^()]*)\))?", line)
    if found is None:
        raise InputError(f"line {number}: expected a link 'id ( source target ) ...', not {shown(line)}")
    data = dict(zip(COSTS, found[3].split(), strict=False))
    return found[1], found[2], _told(data, (found[4] or "").split()[::2])


def _told(data: dict[str, str], modules: list[str]) -> dict[str, str]:
    """Return the attributes other than 0; with the capacity of the module where there is one."""
    if len(modules) == 1:
        data["module_capacity"] = modules[0]
    elif modules:
        data["module_capacities"] = " ".join(modules)
    return {name: value for name, value in data.items() if value and value.strip("0.")}


def parse_sndlib_xml(data: bytes, reading: Reading) -> Network:
    """Return the network of a file in SNDlib's XML."""
    root = read_xml(data)
    places: dict[str, tuple[str, str] | None] = {}
    for node in root.all("node"):
        name, points = node.text("id"), [child.content for child in node.all("x", "y")]
        if name in places:
            raise InputError(f"line {node.line}: the node {shown(name)} is given twice")
        places[name] = (points[0], points[1]) if len(points) == 2 else None
    edges = [_xml_link(link) for link in root.all("link") if "id" in link.attributes]
    return _network(places, edges, {"demand": len(list(root.all("demand")))}, reading)


def _xml_link(link: Element) -> Edge:
    ends = [[child.content for child in link.all(name)] for name in ("source", "target")]
    if [len(end) for end in ends] != [1, 1]:
        raise InputError(f"line {link.line}: a <link> has one <source> and one <target>")
    data = {}
    for name, path in zip(COSTS, OF_XML, strict=True):
        here = [link]
        for part in path.split("/"):
            here = [child for element in here for child in element.children if child.name == part]
        data[name] = here[0].content if here else ""
    modules = [c.content for module in link.all("addModule") for c in module.all("capacity")]
    return ends[0][0], ends[1][0], _told(data, modules)


def _network(
    places: dict[str, tuple[str, str] | None], edges: list[Edge], others: dict[str, int], reading: Reading
) -> Network:
    for u, v, _ in edges:
        for end in (u, v):
            if end not in places:
                raise InputError(f"a link names {shown(end)}, which is not among the nodes")
    given = {(u, v): data for u, v, data in edges}
    both = len(given) == len(edges) > 0 and all((v, u) in given for u, v in given)
    if both and not reading.directed and all(data == given[v, u] for (u, v), data in given.items()):
        order = {pair: i for i, pair in enumerate(given)}
        edges = [(u, v, data) for u, v, data in edges if order[u, v] < order[v, u]]
    left_out = [
        f"{count} {name.lower().removesuffix('s')}{'s' * (count > 1)}"
        for name, count in others.items()
        if count
    ]
    network = network_of_items(
        {name: {} for name in places},
        edges,
        FORM,
        reading,
        directed=reading.directed or (both and len(edges) == len(given)),
        label=label_of,
        notes=left_out,
        switches=False,
    )
    return with_positions(network, {label_of(name): _point(place) for name, place in places.items()})


def _point(place: tuple[str, str] | None) -> tuple[float, float] | None:
    try:
        return None if place is None else (float(place[0]), float(place[1]))
    except ValueError:
        return None


SNDLIB = Format(
    "SNDlib, native format", (), parse_sndlib, attributes=True, head=re.compile(r"\s*\?SNDlib native format")
)
SNDLIB_XML = Format("SNDlib, XML", (), parse_sndlib_xml, attributes=True, root="network")
