"""Checking an MSCCL XML file.

Whether the executor takes it, whether it gives the right result, ends with a given number of buffers a
connection, and uses links that the network has; and what it costs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import TypeVar

from schedsolve.certify.report import CheckReport
from schedsolve.certify.saved_files import read_bytes
from schedsolve.machines.movement.collectives import ROOTED, Layout
from schedsolve.machines.mscclpp.plan import Plan
from schedsolve.machines.routes import routes_from
from schedsolve.modelkit.result import value_to_json
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError, counted
from schedsolve.runtime.limits.budget import naming, within

from .algorithm import Algorithm, read_algorithm
from .limits import RCCL, Executor, refusals
from .replay import Run, replay

Found = TypeVar("Found", Algorithm, Plan)
Seen = TypeVar("Seen")
BUFFERS_OF_PROTOCOL = {"LL": 8, "LL128": 8}
"""How many messages a connection buffers; 2 with other protocols."""
MOST_LOADS = 8
"""Links whose loads are listed."""


def check_algorithm_file(
    path: str, network: Network | None, buffers: int | None, executor: Executor = RCCL
) -> CheckReport:
    """Check a file.

    Parameters
    ----------
    path
        The file.
    network
        On which it is to run; gpu i is the i-th compute node.
    buffers
        Of a connection, each for a message; what the protocol has unless given.
    executor
        Whose demands the file is to meet.

    Raises
    ------
    InputError
        If the file cannot be read, is no MSCCL algorithm, or is for another number of gpus than the network
        has compute nodes.
    """
    with within(), naming(path):
        return check_algorithm(read_algorithm(read_bytes(path)), network, buffers, executor)


def check_algorithm(
    algorithm: Algorithm, network: Network | None, buffers: int | None, executor: Executor = RCCL
) -> CheckReport:
    """Check what `check_algorithm_file` checks, of an algorithm that was read."""
    gpus = len(algorithm.gpus)
    require_gpus(network, gpus, f"the algorithm is for {gpus} gpus")
    said = algorithm.attributes
    name, layout = said.get("name", "an algorithm"), algorithm.layout
    report = CheckReport(
        f"{name}: {said.get('coll')} of {counted(gpus, 'gpu')},"
        f" {counted(said.get('nchunksperloop'), 'chunk')} a loop"
    )
    reasons = list(refusals(algorithm, executor))
    for reason in reasons:
        report.fail(f"executor {executor.name}: {reason}" if executor != RCCL else f"executor: {reason}")
    if not reasons:
        report.confirm("executor: all attributes are there, and all numbers within its limits")
    room = BUFFERS_OF_PROTOCOL.get(said.get("proto", ""), 2) if buffers is None else buffers
    run = None
    for in_place in (False, True):
        if (algorithm.in_place if in_place else algorithm.out_of_place) or (run is None and in_place):
            run = _check_run(report, algorithm, room, in_place=in_place)
    if layout is None:
        report.doubt("what a custom collective results in", "the file does not say what it should be")
    if run is not None:
        check_links(report, network, run.sent, run.chain, layout.chunks if layout else 1)
    return report


def _check_run(report: CheckReport, algorithm: Algorithm, room: int, *, in_place: bool) -> Run:
    algorithm, run = at_its_root(
        algorithm,
        rooted="root" in algorithm.attributes,
        run=lambda one: replay(one, room, in_place=in_place),
        wrong=lambda run: run.buffers.wrong(),
    )
    where = "in place" if in_place else "out of place"
    counted = f"{room} buffer{'s' if room > 1 else ''} a connection"
    if run.deadlock:
        report.fail(f"{where}: deadlock with {counted}: {run.deadlock}")
        return run
    least = next(k for k in range(1, room + 1) if k == room or _ends(algorithm, k, in_place=in_place))
    report.confirm(f"{where}: it ends with {counted}" + (f", and with {least}" if least < room else ""))
    if not _ends(algorithm, room, in_place=in_place, by_chunk=True):
        report.note(f"{where}: where chunks are so large that each takes a buffer, it may not end")
    if run.mismatch:
        report.fail(f"{where}: {run.mismatch}")
    if run.buffers.race:
        report.fail(f"{where}: race: {run.buffers.race}")
    elif run.races:
        report.confirm(f"{where}: nothing is read or written while another block may write it")
    else:
        report.doubt("that no two blocks race", "the algorithm is too large for it")
    if run.buffers.changed:
        report.fail(f"{where}: {run.buffers.changed}")
    if algorithm.layout is not None:
        report_result(report, where, algorithm.layout, run.buffers.wrong())
    return run


def _ends(algorithm: Algorithm, room: int, *, in_place: bool, by_chunk: bool = False) -> bool:
    run = replay(algorithm, room, in_place=in_place, races=False, by_chunk=by_chunk)
    return run.deadlock is None


def at_its_root(
    found: Found, *, rooted: bool, run: Callable[[Found], Seen], wrong: Callable[[Seen], str | None]
) -> tuple[Found, Seen]:
    """Return what a file says with the root for which its result is right, and its run.

    `rooted` says whether the file names the root.
    """
    first, layout = run(found), found.layout
    if layout is None or layout.collective not in ROOTED or rooted:
        return found, first
    for root in range(layout.ranks):
        moved = replace(found, layout=replace(layout, root=root))
        seen = run(moved)
        if wrong(seen) is None:
            return moved, seen
    return found, first


def report_one(report: CheckReport, where: str, fault: str | None, claim: str) -> None:
    """Confirm a claim, or say what is wrong with it if something is."""
    if fault:
        report.fail(f"{where}: {fault}")
    else:
        report.confirm(f"{where}: {claim}")


def report_result(report: CheckReport, where: str, layout: Layout, wrong: str | None) -> None:
    """Say whether every gpu gets what the collective gives it; `wrong` is what one gets instead, if any."""
    root = f", root {layout.root}" if layout.collective in ROOTED else ""
    report_one(report, where, wrong, f"every gpu gets what the {layout.collective} gives it{root}")


def require_gpus(network: Network | None, gpus: int, what_for: str) -> None:
    """Raise InputError if a network that was named has another number of compute nodes than there are gpus.

    `what_for` says how many gpus there are.
    """
    if network is not None and len(network.compute_nodes) != gpus:
        nodes = len(network.compute_nodes)
        raise InputError(f"{what_for}, and the network has {nodes} compute nodes")


def link_loads(network: Network, sent: Mapping[tuple[int, int], int]) -> dict[tuple[int, int], int]:
    """Return the chunks that cross each link.

    Parameters
    ----------
    network
        The network.
    sent
        The chunks between gpus.

    Raises
    ------
    InputError
        That names the first two between which there is no way.
    """
    nodes, labels = network.compute_nodes, network.labels
    loads: dict[tuple[int, int], int] = {}
    for (u, v), count in sorted(sent.items()):
        way = routes_from(network, nodes[u]).get(nodes[v])
        if way is None:
            raise InputError(
                f"gpu {u} sends to gpu {v}, and there is no link from {labels[nodes[u]]} to"
                f" {labels[nodes[v]]}, nor a way through switches"
            )
        for link in pairwise(way):
            loads[link] = loads.get(link, 0) + count
    return loads


def check_links(
    report: CheckReport,
    network: Network | None,
    sent: Mapping[tuple[int, int], int],
    chain: int,
    chunks: int,
) -> None:
    """Say which links are used, and how much, of a network that was named.

    Parameters
    ----------
    report
        Where that is said.
    network
        The network; None where none was named.
    sent
        The chunks between gpus.
    chain
        The messages of the longest chain.
    chunks
        Of a unit.
    """
    if network is None:
        report.note("links: not looked at; name the network with --topology")
        report.note(f"steps: {chain}, the messages of the longest chain")
        return
    report.rest_on(network.assumptions)
    try:
        loads = link_loads(network, sent)
    except InputError as error:
        report.fail(f"links: {error}")
        return
    report.confirm(f"links: all {len(sent)} pairs of gpus that talk are joined by a link or through switches")
    report.note(f"steps: {chain}, the messages of the longest chain")
    rounds = {link: Fraction(load, network.bandwidth_of[link]) for link, load in loads.items()}
    busiest = sorted(rounds, key=lambda link: (-rounds[link], link))
    if not busiest:
        return
    most = rounds[busiest[0]]
    report.note(
        f"rounds: {value_to_json(most)}, on the busiest of {counted(len(busiest), 'link')};"
        f" {value_to_json(most / chunks)} per chunk of a unit"
    )
    for link in busiest[:MOST_LOADS]:
        u, v = (network.labels[end] for end in link)
        report.note(
            f"load {u} to {v}: {counted(loads[link], 'chunk')},"
            f" {counted(value_to_json(rounds[link]), 'round')}"
        )
    if len(busiest) > MOST_LOADS:
        report.note(f"and {len(busiest) - MOST_LOADS} more links, none of them busier")
