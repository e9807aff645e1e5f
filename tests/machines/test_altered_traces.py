"""Chakra traces with one thing altered: each is refused for what is wrong with it, or gives the same result,
run literally in several orders.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from schedsolve import build_problem, check, solve, write_program
from schedsolve.machines.chakra.check import check_traces
from schedsolve.machines.chakra.reader import Node, Trace, read_trace
from schedsolve.runtime.errors import InputError
from tests.reference.chakra_literal import is_right

Traces = list[Trace]
RECEIVE, SEND = 6, 5
MOST_OF_A_KIND = 4
"""Altered traces of a kind that are looked at, from the first to the last."""
PROBLEMS = (
    ("allreduce", "path:3", {"steps": 4, "chunks": 2}),
    ("allgather", "path:4", {"steps": 3}),
    ("alltoall", "cycle:4", {"steps": 2, "chunks": 2}),
)


@pytest.fixture(scope="module", params=PROBLEMS, ids=lambda problem: problem[0])
def files(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Return the traces of three collectives."""
    task, network, parameters = request.param
    folder = tmp_path_factory.mktemp("traces")
    result = solve(build_problem("synchronous", task, network, **parameters))
    write_program(result, folder / "t.et", target="chakra")
    return sorted(folder.iterdir())


@pytest.fixture
def traces(files: list[Path]) -> Traces:
    """Return them as they are read."""
    return [read_trace(file.read_bytes()) for file in files]


def with_node(traces: Traces, rank: int, *nodes: Node) -> Traces:
    """Return the traces with some nodes of a rank exchanged, or more of them."""
    own = traces[rank]
    changed = replace(own, nodes={**own.nodes, **{node.number: node for node in nodes}})
    return [*traces[:rank], changed, *traces[rank + 1 :]]


def without(traces: Traces, rank: int, number: int) -> Traces:
    """Return the traces without a node, and without what waits for it."""
    own = traces[rank]
    left = {
        k: replace(node, after=tuple(n for n in node.after if n != number))
        for k, node in own.nodes.items()
        if k != number
    }
    return [*traces[:rank], replace(own, nodes=left), *traces[rank + 1 :]]


def places(traces: Traces, kind: int, begin: str = "") -> Iterator[tuple[int, Node]]:
    """Yield the nodes of a kind, each with its rank."""
    for rank, trace in enumerate(traces):
        for node in trace.nodes.values():
            if node.kind == kind and node.name.startswith(begin):
                yield rank, node


def other_end(traces: Traces, rank: int, node: Node) -> tuple[int, Node]:
    """Return the receive of a send, and its rank."""
    peer, tag = node.values["comm_dst"], node.values["comm_tag"]
    for own in traces[peer].nodes.values():
        if own.kind == RECEIVE and (own.values["comm_src"], own.values["comm_tag"]) == (rank, tag):
            return peer, own
    raise AssertionError(node)


def given(node: Node, **values: int) -> Node:
    return replace(node, values={**node.values, **values})


def at_both_ends(change: Callable[[Node], Node]) -> Callable[[Traces], Iterator[Traces]]:
    """Alter a send and its receive."""

    def made(traces: Traces) -> Iterator[Traces]:
        for rank, node in places(traces, SEND):
            peer, other = other_end(traces, rank, node)
            yield with_node(with_node(traces, rank, change(node)), peer, change(other))

    return made


def at_one(
    kind: int, change: Callable[[Node], Node], begin: str = ""
) -> Callable[[Traces], Iterator[Traces]]:
    """Alter a send or a receive alone."""
    return lambda traces: (
        with_node(traces, rank, change(node)) for rank, node in places(traces, kind, begin)
    )


def dropped(kind: int) -> Callable[[Traces], Iterator[Traces]]:
    return lambda traces: (without(traces, rank, node.number) for rank, node in places(traces, kind))


def message_dropped(traces: Traces) -> Iterator[Traces]:
    """Neither sent nor received."""
    for rank, node in places(traces, SEND):
        peer, other = other_end(traces, rank, node)
        yield without(without(traces, rank, node.number), peer, other.number)


def message_twice(traces: Traces) -> Iterator[Traces]:
    """Sent and received again, with a tag of its own."""
    for rank, node in places(traces, SEND):
        peer, other = other_end(traces, rank, node)
        again = replace(given(node, comm_tag=999), number=900)
        yield with_node(with_node(traces, rank, again), peer, replace(given(other, comm_tag=999), number=901))


def waiting_in_a_circle(traces: Traces) -> Iterator[Traces]:
    """A node waits for one that depends on it."""
    for rank, node in places(traces, SEND):
        for before in node.after:
            earlier = traces[rank].nodes[before]
            yield with_node(traces, rank, replace(earlier, after=(*earlier.after, node.number)))


def waiting_for_more(traces: Traces) -> Iterator[Traces]:
    """A send waits for all receives of its rank."""
    for rank, node in places(traces, SEND):
        receives = [one.number for one in traces[rank].nodes.values() if one.kind == RECEIVE]
        yield with_node(traces, rank, replace(node, after=tuple(receives)))


def renamed(old: str, new: str) -> Callable[[Node], Node]:
    return lambda node: replace(node, name=re.sub(old, new, node.name, count=1))


def next_chunk(node: Node) -> Node:
    return replace(node, name=re.sub(r"\d+", lambda found: str(int(found[0]) + 1), node.name, count=1))


NOT_BROUGHT = r"rank \d+, node \d+ \(send .*\): nothing that it depends on has brought chunk \d+"
LACKS = r"result: rank \d+ lacks chunk \d+"
TWICE = r"rank \d+ is added to chunk \d+ twice"
UNSENT, UNRECEIVED = r"rank \d+, node \d+ \(.*\): nobody sends that", r"rank \d+ does not receive tag \d+"
OF_NODES: dict[str, tuple[Callable[[Traces], Iterator[Traces]], str | None]] = {
    "send dropped": (dropped(SEND), UNSENT),
    "receive dropped": (dropped(RECEIVE), UNRECEIVED),
    "message dropped": (message_dropped, f"{LACKS}|{NOT_BROUGHT}"),
    "message twice": (message_twice, None),
    "dependencies dropped": (at_one(SEND, lambda node: replace(node, after=())), None),
    "more dependencies": (waiting_for_more, None),
    "waiting in a circle": (waiting_in_a_circle, r"deadlock: rank \d+, node \d+ .* waits for rank"),
    "size at one end": (
        at_one(SEND, lambda node: given(node, comm_size=node.values["comm_size"] + 1)),
        r"it has \d+ bytes, and rank \d+ waits for \d+",
    ),
    "size at both ends": (
        at_both_ends(lambda node: given(node, comm_size=node.values["comm_size"] + 1)),
        r"sizes: rank \d+, node \d+: \d+ bytes, and its chunks have \d+",
    ),
    "tag at one end": (at_one(RECEIVE, lambda node: given(node, comm_tag=999)), UNSENT),
    "to a rank that is not there": (at_one(SEND, lambda node: given(node, comm_dst=9)), "there are . traces"),
    "no peer": (
        at_one(SEND, lambda node: replace(node, values={"comm_size": 1})),
        "it has no comm_dst, a whole number from 0 on",
    ),
    "to itself": (
        lambda traces: (with_node(traces, r, given(n, comm_dst=r)) for r, n in places(traces, SEND)),
        f"{UNSENT}|{UNRECEIVED}",
    ),
    "another chunk at one end": (at_one(RECEIVE, next_chunk), "what is sent with its tag is send"),
    "another chunk at both ends": (
        at_both_ends(next_chunk),
        rf"{LACKS}|{NOT_BROUGHT}|{TWICE}|no chunk \d+ to add to|has \d+ chunks",
    ),
    "sum turned into a receive": (at_one(RECEIVE, renamed("add", "receive"), "add"), LACKS),
    "receive turned into a sum": (
        at_one(RECEIVE, renamed("receive", "add"), "receive"),
        rf"{TWICE}|there is no chunk \d+ to add to",
    ),
    "send turned into a receive": (at_one(SEND, lambda node: replace(node, kind=RECEIVE)), "no comm_src"),
    "type that is not there": (at_one(SEND, lambda node: replace(node, kind=12)), "no type of nodes 12"),
}
"""By what is altered: how, and what is said then; None where some of these are right."""


def reason(traces: Sequence[Trace]) -> str | None:
    """Return what the checker says is wrong with traces; None for nothing."""
    try:
        report = check_traces(traces, None)
    except InputError as error:
        return str(error)
    failed = [line for line in report.lines if line.startswith("FAILED")]
    assert bool(failed) == report.failed
    assert failed or report.complete
    return "\n".join(failed) or None


def right(traces: Sequence[Trace]) -> bool:
    """Whether the result is that of the collective in all orders that are tried."""
    task, chunks = traces[0].said["collective"], int(traces[0].said["chunks"])
    return all(is_right([trace.nodes for trace in traces], task, chunks, seed) for seed in range(2))


@pytest.mark.parametrize("what", OF_NODES)
def test_nodes(traces: Traces, what: str) -> None:
    """Dropped, doubled and exchanged nodes, and other dependencies."""
    assert right(traces)
    assert reason(traces) is None
    change, expected = OF_NODES[what]
    made = list(change(traces))
    assert made or traces[0].said["collective"] != "allreduce"
    for one in made[:: max(1, len(made) // MOST_OF_A_KIND)]:
        said = reason(one)
        if expected is None:
            assert said is not None or right(one)
        else:
            assert said is not None
            assert re.search(expected, said), said


def saying(**said: str) -> Callable[[Traces], Traces]:
    return lambda traces: [replace(trace, said={**trace.said, **said}) for trace in traces]


OF_TRACES: dict[str, tuple[Callable[[Traces], Traces], str]] = {
    "rank dropped": (lambda traces: traces[:-1], "there are . traces only|has . chunks"),
    "rank added": (lambda traces: [*traces, traces[-1]], f"{UNSENT}|{UNRECEIVED}"),
    "ranks exchanged": (lambda traces: [traces[1], traces[0], *traces[2:]], f"{UNSENT}|{UNRECEIVED}|what is"),
    "empty trace": (lambda traces: [*traces[:-1], replace(traces[-1], nodes={})], f"{UNSENT}|{UNRECEIVED}"),
    "more chunks": (saying(chunks="3"), f"{LACKS}|sizes: |{NOT_BROUGHT}"),
    "larger unit": (saying(unit_bytes="1000003"), "sizes: rank ., node .*: .* bytes, and its chunks have"),
    "another collective": (saying(collective="reduce-scatter"), f"{LACKS}|sizes: |{NOT_BROUGHT}|{TWICE}|has"),
    "one of another collective": (
        lambda traces: [*saying(collective="gather")(traces[:1]), *traces[1:]],
        "metadata: ranks 0 and 1 do not name the same collective",
    ),
}
"""By what is altered: how, and what is said then."""


@pytest.mark.parametrize("what", OF_TRACES)
def test_ranks_and_metadata(traces: Traces, what: str) -> None:
    """Missing ranks, and metadata that say something else."""
    change, expected = OF_TRACES[what]
    said = reason(change(traces))
    assert said is not None
    assert re.search(expected, said), said


def test_truncated_files(files: list[Path], tmp_path: Path) -> None:
    """Cut off within a node, a trace is refused; between two nodes a message is missing."""
    for file in files:
        (tmp_path / file.name).write_bytes(file.read_bytes())
    content = files[1].read_bytes()
    cut = tmp_path / files[1].name
    for share in (2, 3, 5):
        cut.write_bytes(content[: -len(content) // share])
        said = judged(cut)
        assert re.search(f"{cut.name}: no Chakra trace, or cut short|{UNSENT}|{UNRECEIVED}", said), said


def judged(file: Path) -> str:
    """Return what is said of the traces of a collective that are wrong, or cannot be read."""
    try:
        report = check(file)
    except InputError as error:
        return str(error)
    return report.text if report.failed else "right"
