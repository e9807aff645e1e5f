"""What a design file says, read once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from schedsolve.experiments.designs.levels import DESIGN_FORMAT, Choice, Level
from schedsolve.experiments.designs.of_model import designs_of
from schedsolve.experiments.designs.wanted import Wanted
from schedsolve.modelkit.result import Status
from schedsolve.network.classes.network_class import MOST_NODES, NetworkClass, network_from_text
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError, shown
from schedsolve.runtime.files.number_reader import exact_number, whole_number

KEYS = {
    "format", "objective", "model", "task", "nodes", "class", "source", "asked", "status", "lower_bound",
    "network", "result", "evidence", "runtime_seconds",
}  # fmt: skip
"""The last claims nothing: a check decides all again; nor does what was taken from a store."""
EVIDENCE = {"generation": {"complete", "levels"}, "networks": {"graphs", "digest", "results"}}
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
    wanted
        What was asked for.
    reached, edges, value
        The rounds (or steps) and links of the network; or its time, where the least is the objective.
    least, lower_bound
        What the file claims: no network takes fewer rounds, and none with `reached` rounds has fewer links.
    time
        The time that the file claims no network of the class goes below, where networks have one.
    result, complete
        Results in the file: for the network, and for the complete network.
    levels
        Those that were decided.
    graphs, digest, results
        Where the least time is the objective: the networks of the class, and what excludes some of them.
    unexamined
        Entries that nobody reads.
    """

    wanted: Wanted
    status: Status
    edges: int | None
    reached: int | None
    value: Fraction | None
    least: int | None
    lower_bound: int | None
    time: Fraction | None
    network: Network | None
    networks: tuple[Network, ...] | None
    result: Mapping[str, Any] | None
    complete: Mapping[str, Any] | None
    levels: tuple[Level, ...]
    graphs: int
    digest: str
    results: tuple[Mapping[str, Any], ...]
    unexamined: tuple[str, ...]

    @property
    def timed(self) -> bool:
        """Whether the least time is the objective."""
        return self.wanted.objective == "time"

    @property
    def words(self) -> str:
        """The design in words."""
        wanted, nodes = self.wanted, self.wanted.members.nodes
        named = " ".join(f"{name}={value}" for name, value in wanted.members.to_json().items())
        kind = "fastest network for" if self.timed else "design of"
        return f"{kind} {wanted.model} {wanted.task} with {nodes} nodes {named}".strip()


def read_design(data: Mapping[str, Any]) -> SavedDesign:
    """Return what a design file says.

    Raises
    ------
    InputError
        If an entry is missing or is none of a design's.
    """
    asked = object_in(data, "asked")
    wanted = _wanted(data, asked)
    # Older formats have no objective: it follows from the model and from what was asked.
    if (
        data.get("objective", None if data.get("format") == DESIGN_FORMAT else wanted.objective)
        != wanted.objective
    ):
        raise InputError(
            f'"objective" of this design is {wanted.objective}, not {shown(data.get("objective"))}'
        )
    timed = wanted.objective == "time"
    evidence, kind = object_in(data, "evidence"), "networks" if timed else "generation"
    if evidence.get("kind") != kind:
        raise InputError(f"a design's evidence is of the kind {kind}, not {shown(evidence.get('kind'))}")
    status = STATUSES.get(str(data.get("status")))
    if status is None or (timed and status in (Status.FEASIBLE, Status.INFEASIBLE)):
        raise InputError(f"a design has no status {shown(data.get('status'))}")
    limit, texts = wanted.designs.limit, _list(data, "networks")
    counts = set() if timed else {"edges", limit, f"least_{limit}", "networks", "taken_from_store"}
    times = {"value"} if timed else {"least_time"} if wanted.timed else set()
    unexamined = [*(set(data) - KEYS - counts - times - set(wanted.designs.parameters))]
    unexamined += [*(set(asked) - set(wanted.to_json()))]
    unexamined += sorted(set(evidence) - {"kind"} - EVIDENCE[kind])
    said: Mapping[str, Any] = {} if timed else data
    return SavedDesign(
        wanted,
        status,
        _number(said, "edges", MOST_EDGES),
        _number(said, limit, MOST_LIMIT),
        _time(data, "value") if timed and data.get("value") is not None else None,
        _number(said, f"least_{limit}", MOST_LIMIT),
        _number(said, "lower_bound", MOST_EDGES),
        _time(data, "lower_bound" if timed else "least_time") if wanted.timed else None,
        _network(data.get("network")),
        None if texts is None else tuple(one for text in texts if (one := _network(text, needed=True))),
        optional_object(data, "result"),
        optional_object(evidence, "complete"),
        () if timed else tuple(map(_level, _list(evidence, "levels", needed=True) or ())),
        *(_class(evidence) if timed else (0, "", ())),
        tuple(f"'{entry}'" for entry in sorted(map(str, unexamined))),
    )


def _wanted(data: Mapping[str, Any], asked: Mapping[str, Any]) -> Wanted:
    """Return what a design's file says was asked for."""
    model, task = data.get("model"), data.get("task")
    if not isinstance(model, str) or not isinstance(task, str):
        raise InputError('a design names its "model" and its "task"')
    designs = designs_of(model)
    if designs is None or task not in designs.tasks:
        raise InputError(f"there are no designs for {shown(model)} {shown(task)}")
    ports, members, timed = data.get("ports"), members_of(data), designs.limit == "time"
    if members.directed and designs.undirected:
        raise InputError(f"designs for {shown(model)} are undirected networks")
    choice = _choice(data.get("source"), designs.tasks[task])
    limit = None if timed else _asked(asked, designs.limit, MOST_EDGES)
    any_links = asked.get("edges") == "any"
    edges = None if any_links else _asked(asked, "edges", 10**6, least=not timed)
    wanted = Wanted(model, task, members, choice, limit, edges, any_links or timed, ports)
    if timed and not wanted.edge_counts:
        raise InputError("no network is in the class of the design")
    return wanted


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


def _list(data: Mapping[str, Any], key: str, *, needed: bool = False) -> list[Any] | None:
    """Return an entry that is a list, None where there is none and none is needed."""
    found = data.get(key)
    if not isinstance(found, list) and (needed or found is not None):
        raise InputError(f'"{key}" of a design is a list')
    return found


def _class(evidence: Mapping[str, Any]) -> tuple[int, str, tuple[Mapping[str, Any], ...]]:
    """Return the number of networks of a class that was generated, their digest, and results for some."""
    graphs, digest = _number(evidence, "graphs", MOST_GRAPHS), evidence.get("digest")
    results = _list(evidence, "results", needed=True) or ()
    if graphs is None or not isinstance(digest, str) or not all(isinstance(one, Mapping) for one in results):
        raise InputError("the evidence of a fastest network is a number of networks, a digest, and results")
    return graphs, digest, tuple(results)


def _time(data: Mapping[str, Any], key: str) -> Fraction:
    found = exact_number(data.get(key))
    if found is None:
        raise InputError(f'"{key}" of this design is a time, not {shown(data.get(key))}')
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


def _choice(value: Any, has_source: bool) -> Choice:
    if value == "min" and has_source:
        return "min"
    if value != ("max" if has_source else None):
        raise InputError(f'"source" of this design is {"min or max" if has_source else "not given"}')
    return "max"


def _asked(asked: Mapping[str, Any], key: str, most: int, *, least: bool = True) -> int | None:
    value = asked.get(key)
    number = whole_number(value, 0, most)
    if number is None and not (least and value == "least"):
        raise InputError(f'"{key}" asked of a design is a number or a word such as least, not {shown(value)}')
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
