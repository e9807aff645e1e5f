"""What a design file says, read once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeVar

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
T = TypeVar("T")
Read = Callable[[Any], T | None]
STATUSES = {status.value: status for status in Status}
MOST_EDGES, MOST_LIMIT = MOST_NODES * MOST_NODES, 4 * MOST_NODES
MOST_GRAPHS, MOST_PARTS, MOST_ASKED = 10**15, 10_000, 10**6
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
    asked, evidence = (_needed(data, key, *OBJECT) for key in ("asked", "evidence"))
    wanted = _wanted(data, asked)
    objective, limit = wanted.objective, wanted.designs.limit
    # Older formats have no objective: it follows from the model and from what was asked.
    if data.get("objective", "" if data.get("format") == DESIGN_FORMAT else objective) != objective:
        raise InputError(f'"objective" of this design is {objective}, not {shown(data.get("objective"))}')
    timed, kind = objective == "time", "networks" if objective == "time" else "generation"
    if evidence.get("kind") != kind:
        raise InputError(f"a design's evidence is of the kind {kind}, not {shown(evidence.get('kind'))}")
    status = STATUSES.get(str(data.get("status")))
    if status is None or (timed and status in (Status.FEASIBLE, Status.INFEASIBLE)):
        raise InputError(f"a design has no status {shown(data.get('status'))}")
    counts = set() if timed else {"edges", limit, f"least_{limit}", "networks", "taken_from_store"}
    times = {"value"} if timed else {"least_time"} if wanted.timed else set()
    unexamined = [*(set(data) - KEYS - counts - times - set(wanted.designs.parameters))]
    unexamined += [*(set(asked) - set(wanted.to_json())), *(set(evidence) - {"kind"} - EVIDENCE[kind])]
    said: Mapping[str, Any] = {} if timed else data
    texts = _optional(said, "networks", *LIST)
    bound = "lower_bound" if timed else "least_time"
    graphs, digest, results = _generated(evidence) if timed else (0, "", ())
    return SavedDesign(
        wanted,
        status,
        edges=_optional(said, "edges", *_up_to(MOST_EDGES)),
        reached=_optional(said, limit, *_up_to(MOST_LIMIT)),
        value=_optional(data if timed else {}, "value", *TIME),
        least=_optional(said, f"least_{limit}", *_up_to(MOST_LIMIT)),
        lower_bound=_optional(said, "lower_bound", *_up_to(MOST_EDGES)),
        time=_needed(data, bound, *TIME) if wanted.timed else None,
        network=None if data.get("network") is None else _network(data["network"]),
        networks=None if texts is None else tuple(map(_network, texts)),
        result=_optional(data, "result", *OBJECT),
        complete=_optional(evidence, "complete", *OBJECT),
        levels=() if timed else tuple(map(_level, _needed(evidence, "levels", *LIST))),
        graphs=graphs,
        digest=digest,
        results=results,
        unexamined=tuple(f"'{entry}'" for entry in sorted(map(str, unexamined))),
    )


def _wanted(data: Mapping[str, Any], asked: Mapping[str, Any]) -> Wanted:
    """Return what a design's file says was asked for."""
    model, task = data.get("model"), data.get("task")
    if not isinstance(model, str) or not isinstance(task, str):
        raise InputError('a design names its "model" and its "task"')
    designs = designs_of(model)
    if designs is None or task not in designs.tasks:
        raise InputError(f"there are no designs for {shown(model)} {shown(task)}")
    members, source, timed = _members(data), data.get("source"), designs.limit == "time"
    if members.directed and designs.undirected:
        raise InputError(f"designs for {shown(model)} are undirected networks")
    sources = ("min", "max") if designs.tasks[task] else (None,)
    if source not in sources:
        raise InputError(f'"source" of this design is {"min or max" if sources[1:] else "not given"}')
    limit = None if timed else _asked(asked, designs.limit, MOST_EDGES)
    any_links = asked.get("edges") == "any"
    edges = None if any_links else _asked(asked, "edges", MOST_ASKED, least=not timed)
    choice: Choice = "min" if source == "min" else "max"
    wanted = Wanted(model, task, members, choice, limit, edges, any_links or timed, data.get("ports"))
    if timed and not wanted.edge_counts:
        raise InputError("no network is in the class of the design")
    return wanted


def _needed(data: Mapping[str, Any], key: str, read: Read[T], kind: str) -> T:
    """Return an entry of a design's file as it is read; raise InputError if it is none of its kind."""
    found = read(data.get(key))
    if found is None:
        raise InputError(f'"{key}" of a design is {kind}, not {shown(data.get(key))}')
    return found


def _optional(data: Mapping[str, Any], key: str, read: Read[T], kind: str) -> T | None:
    """Return the same, None where there is no entry."""
    return None if data.get(key) is None else _needed(data, key, read, kind)


def _up_to(most: int, least: int = 0) -> tuple[Read[int], str]:
    return lambda value: whole_number(value, least, most), f"a number from {least} to {most}"


def _of_type(kind: type[T]) -> Read[T]:
    return lambda value: value if isinstance(value, kind) else None


OBJECT: tuple[Read[dict[str, Any]], str] = _of_type(dict), "an object"
LIST: tuple[Read[list[Any]], str] = _of_type(list), "a list"
TIME: tuple[Read[Fraction], str] = exact_number, "a time"
TEXT: tuple[Read[str], str] = _of_type(str), "a text"


def _generated(evidence: Mapping[str, Any]) -> tuple[int, str, tuple[Mapping[str, Any], ...]]:
    """Return the number of networks of a class that was generated, their digest, and results for some."""
    results = _needed(evidence, "results", *LIST)
    if not all(isinstance(one, dict) for one in results):
        raise InputError("the results of other networks are a list of results")
    graphs = _needed(evidence, "graphs", *_up_to(MOST_GRAPHS))
    return graphs, _needed(evidence, "digest", *TEXT), tuple(results)


def _members(data: Mapping[str, Any]) -> NetworkClass:
    """Return the class of networks that a design's file names."""
    nodes, given = _needed(data, "nodes", *_up_to(MOST_NODES, 2)), _needed(data, "class", *OBJECT)
    for name, value in given.items():
        if name not in CLASS or type(value) is not CLASS[name]:
            raise InputError(f"a class of networks has no {shown(name)} {shown(value)}")
    return NetworkClass(nodes, **given)


def _asked(asked: Mapping[str, Any], key: str, most: int, *, least: bool = True) -> int | None:
    if least and asked.get(key) == "least":
        return None
    return _needed(asked, key, lambda value: whole_number(value, 0, most), "a number or a word such as least")


def _network(text: Any) -> Network:
    if not isinstance(text, str):
        raise InputError(f"a network of a design is a graph6 or digraph6 string, not {shown(text)}")
    return network_from_text(text)


def _level(data: Any) -> Level:
    keys = {"limit": MOST_LIMIT, "edges": MOST_EDGES, "least_degree": MOST_NODES, "graphs": MOST_GRAPHS}
    if not isinstance(data, dict) or set(data) - {"parts", *LEVEL_FLAGS} != {*keys, "digest"}:
        raise InputError(f"a level of a design has {', '.join(keys)} and digest, not {shown(data)}")
    flags = {flag: data.get(flag, False) for flag in LEVEL_FLAGS}
    for flag, value in flags.items():
        if type(value) is not bool:
            raise InputError(f'"{flag}" of a level is true or false, not {shown(value)}')
    parts = tuple(map(_part, _optional(data, "parts", *LIST) or ()))
    if len(parts) > MOST_PARTS:
        raise InputError(f"a level has at most {MOST_PARTS} parts")
    upper = {key: _up_to(most) for key, most in keys.items()}
    numbers = [_needed(data, key, read, f"{kind} in a level") for key, (read, kind) in upper.items()]
    limit, edges, degree, graphs = numbers
    return Level(limit, edges, degree, graphs, _needed(data, "digest", *TEXT), parts=parts, **flags)


def _part(data: Any) -> tuple[int, str]:
    listed = isinstance(data, list) and len(data) == 2 and isinstance(data[1], str)
    if not listed or whole_number(data[0], 0, MOST_GRAPHS) is None:
        raise InputError(f"a part of a level has a number of networks and a digest, not {shown(data)}")
    return data[0], data[1]
