"""What a design file says, read once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from schedsolve.experiments.designs.levels import Choice, Designs, Level, Question
from schedsolve.experiments.designs.of_model import designs_of
from schedsolve.modelkit.result import Status
from schedsolve.network.classes.network_class import MOST_NODES, NetworkClass, network_from_text
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError, shown
from schedsolve.runtime.files.number_reader import exact_number, whole_number

KEYS = {
    "format", "model", "task", "nodes", "class", "source", "asked", "status", "edges",
    "lower_bound", "network", "networks", "result", "evidence", "runtime_seconds", "taken_from_store",
}  # fmt: skip
"""The last two claim nothing: a check decides all again."""
CLASS = {
    "directed": bool, "max_degree": int, "regular": int, "bipartite": bool, "circulant": bool, "cayley": bool,
    "planar": bool, "vertex_transitive": bool,
}  # fmt: skip
STATUSES = {status.value: status for status in Status}
MOST_EDGES, MOST_LIMIT = MOST_NODES * MOST_NODES, 4 * MOST_NODES
MOST_GRAPHS, MOST_PARTS = 10**15, 10_000
LEVEL_FLAGS = ("geng", "leaves_apart")


@dataclass(frozen=True)
class SavedDesign:
    """A design as the file has it.

    Attributes
    ----------
    reached, edges
        The rounds (or steps) and links of the network.
    any_links, least_time
        Whether links do not count, and the time that the file then claims no network of the class goes below,
        where networks have one.
    least, lower_bound
        What the file claims: no network takes fewer rounds, and none with `reached` rounds has fewer links.
    asked_limit, asked_edges
        The numbers asked for, None for the least.
    result, complete
        Results in the file: for the network, and for the complete network.
    unexamined
        Entries that nobody reads.
    """

    model: str
    task: str
    designs: Designs
    members: NetworkClass
    choice: Choice | None
    asked_limit: int | None
    asked_edges: int | None
    any_links: bool
    least_time: Fraction | None
    status: Status
    edges: int | None
    reached: int | None
    least: int | None
    lower_bound: int | None
    network: Network | None
    networks: tuple[Network, ...] | None
    result: Mapping[str, Any] | None
    complete: Mapping[str, Any] | None
    levels: tuple[Level, ...]
    unexamined: tuple[str, ...]

    @property
    def limit_name(self) -> str:
        """The parameter that counts: rounds or steps."""
        return self.designs.limit

    @property
    def words(self) -> str:
        """The design in words."""
        named = [f"{name}={value}" for name, value in self.members.to_json().items()]
        return f"design of {self.model} {self.task} with {self.members.nodes} nodes {' '.join(named)}".strip()

    def question(self, limit: int) -> Question:
        """Return the question that a level answers."""
        return Question(self.designs, self.task, self.choice or "max", self.members, limit)


def read_design(data: Mapping[str, Any]) -> SavedDesign:
    """Return what a design file says.

    Raises
    ------
    InputError
        If an entry is missing or is none of a design's.
    """
    model, task = named_task(data)
    designs = designs_of(model)
    if designs is None or task not in designs.tasks:
        raise InputError(f"there are no designs for {shown(model)} {shown(task)}")
    designs, members = designs.for_ports(data.get("ports")), members_of(data)
    if members.directed and designs.undirected:
        raise InputError(f"designs for {shown(model)} are undirected networks")
    choice = _choice(data.get("source"), designs.tasks[task])
    asked, evidence = object_in(data, "asked"), object_in(data, "evidence")
    if evidence.get("kind") != "generation":
        raise InputError(f"a design's evidence is of the kind generation, not {shown(evidence.get('kind'))}")
    status = STATUSES.get(str(data.get("status")))
    if status is None:
        raise InputError(f"a design has no status {shown(data.get('status'))}")
    limit, texts = designs.limit, data.get("networks")
    if texts is not None and not isinstance(texts, list):
        raise InputError('"networks" of a design is a list')
    any_links = asked.get("edges") == "any"
    timed = any_links and designs.least_time is not None
    least_time = exact_number(data.get("least_time")) if timed else None
    if timed and least_time is None:
        raise InputError('a design with any links has its "least_time"')
    own = KEYS | ({"least_time"} if timed else set()) | {limit, f"least_{limit}", *designs.parameters}
    unexamined = [*(set(data) - own), *(set(asked) - {limit, "edges"})]
    unexamined += sorted(set(evidence) - {"kind", "complete", "levels"})
    return SavedDesign(
        model,
        task,
        designs,
        members,
        choice,
        _asked(asked, limit),
        None if any_links else _asked(asked, "edges"),
        any_links,
        least_time,
        status,
        _number(data, "edges", MOST_EDGES),
        _number(data, limit, MOST_LIMIT),
        _number(data, f"least_{limit}", MOST_LIMIT),
        _number(data, "lower_bound", MOST_EDGES),
        _network(data.get("network")),
        None if texts is None else tuple(one for text in texts if (one := _network(text, needed=True))),
        optional_object(data, "result"),
        optional_object(evidence, "complete"),
        tuple(_level(one) for one in _levels(evidence)),
        tuple(f"'{entry}'" for entry in sorted(map(str, unexamined))),
    )


def named_task(data: Mapping[str, Any]) -> tuple[str, str]:
    """Return the names of the model and the task in a design's file.

    Raises
    ------
    InputError
        If one is missing.
    """
    model, task = data.get("model"), data.get("task")
    if not isinstance(model, str) or not isinstance(task, str):
        raise InputError('a design names its "model" and its "task"')
    return model, task


def object_in(data: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """Return an entry of a design's file that is an object.

    Raises
    ------
    InputError
        If it is none.
    """
    found = data.get(key)
    if not isinstance(found, Mapping):
        raise InputError(f'"{key}" of a design is an object, not {shown(found)}')
    return found


def optional_object(data: Mapping[str, Any], key: str) -> Mapping[str, Any] | None:
    """Return an entry that is an object, None where there is none; raise InputError for anything else."""
    return None if data.get(key) is None else object_in(data, key)


def _levels(evidence: Mapping[str, Any]) -> list[Any]:
    found = evidence.get("levels")
    if not isinstance(found, list):
        raise InputError('"levels" of a design is a list')
    return found


def members_of(data: Mapping[str, Any]) -> NetworkClass:
    """Return the class of networks that a design's file names.

    Raises
    ------
    InputError
        If it names none.
    """
    nodes, given = whole_number(data.get("nodes"), 2, MOST_NODES), object_in(data, "class")
    if nodes is None:
        raise InputError(f'"nodes" of a design is a number from 2 to {MOST_NODES}')
    for name, value in given.items():
        if name not in CLASS or type(value) is not CLASS[name]:
            raise InputError(f"a class of networks has no {shown(name)} {shown(value)}")
    return NetworkClass(nodes, **given)


def _choice(value: Any, has_source: bool) -> Choice | None:
    if has_source and value in ("min", "max"):
        return "min" if value == "min" else "max"
    if has_source or value is not None:
        raise InputError(f'"source" of this design is {"min or max" if has_source else "not given"}')
    return None


def _asked(asked: Mapping[str, Any], key: str) -> int | None:
    value = asked.get(key)
    number = whole_number(value, 0, MOST_EDGES)
    if value != "least" and number is None:
        raise InputError(f'"{key}" asked of a design is a number or least, not {shown(value)}')
    return number


def _number(data: Mapping[str, Any], key: str, most: int) -> int | None:
    value = data.get(key)
    if value is None:
        return None
    number = whole_number(value, 0, most)
    if number is None:
        raise InputError(f'"{key}" of a design is a number from 0 to {most}, not {shown(value)}')
    return number


def _network(text: Any, *, needed: bool = False) -> Network | None:
    if text is None and not needed:
        return None
    if not isinstance(text, str):
        raise InputError(f"a network of a design is a graph6 or digraph6 string, not {shown(text)}")
    return network_from_text(text)


def _level(data: Any) -> Level:
    keys = {"limit": MOST_LIMIT, "edges": MOST_EDGES, "least_degree": MOST_NODES, "graphs": MOST_GRAPHS}
    if not isinstance(data, Mapping) or set(data) - {"parts", *LEVEL_FLAGS} != {*keys, "digest"}:
        raise InputError(f"a level of a design has {', '.join(keys)} and digest, not {shown(data)}")
    limit, edges, degree, graphs = (_number(data, key, most) for key, most in keys.items())
    digest = data["digest"]
    for flag in LEVEL_FLAGS:
        if type(data.get(flag, False)) is not bool:
            raise InputError(f'"{flag}" of a level is true or false, not {shown(data[flag])}')
    if limit is None or edges is None or degree is None or graphs is None or not isinstance(digest, str):
        raise InputError("a level of a design lacks a number")
    flags = {flag: data.get(flag, False) for flag in LEVEL_FLAGS}
    return Level(limit, edges, degree, graphs, digest, parts=_parts(data.get("parts", [])), **flags)


def _parts(data: Any) -> tuple[tuple[int, str], ...]:
    if not isinstance(data, list) or len(data) > MOST_PARTS:
        raise InputError(f"the parts of a level are a list of at most {MOST_PARTS}, not {shown(data)}")
    for part in data:
        numbers = isinstance(part, list) and len(part) == 2 and isinstance(part[1], str)
        if not numbers or whole_number(part[0], 0, MOST_GRAPHS) is None:
            raise InputError(f"a part of a level has a number of networks and a digest, not {shown(part)}")
    return tuple((graphs, digest) for graphs, digest in data)
