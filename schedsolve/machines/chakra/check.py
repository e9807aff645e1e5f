"""Checking Chakra traces of one collective: messages, deadlock, chunks, sizes, result, and links."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from schedsolve.certify.report import CheckReport
from schedsolve.certify.saved_files import read_bytes
from schedsolve.machines.movement.collectives import COLLECTIVES, ONE_UNIT, Layout
from schedsolve.machines.program_report import ProgramReport, require_gpus
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError, counted
from schedsolve.runtime.files.number_reader import whole_number
from schedsolve.runtime.limits.budget import naming, spend, within

from .reader import Trace, read_trace
from .replay import BrokenTraceError, TraceRun, replay

OF_A_RANK = re.compile(r"(.*)\.(0|[1-9][0-9]{0,5})\.et", re.DOTALL)
"""The name of a rank's trace."""


def trace_files(paths: Sequence[str]) -> list[str]:
    """Return the traces of all ranks, in order.

    Parameters
    ----------
    paths
        All of them, in any order, or one: then those beside it that differ in the rank only; or the name that
        `export` was given, without a rank.

    Raises
    ------
    InputError
        If a rank has none, or they are of several collectives.
    """
    named = paths[0]
    if len(paths) == 1 and not OF_A_RANK.fullmatch(named) and not Path(named).is_file():
        named = f"{named.removesuffix('.et')}.0.et"
    match = OF_A_RANK.fullmatch(named)
    if match is None:
        raise InputError(f"{named}: a trace of one rank is named as NAME.RANK.et, such as ring.0.et")
    stem, folder = match[1], Path(named).parent
    given = list(paths)
    if len(paths) == 1:
        try:
            names = [one.name for one in folder.iterdir()] if folder.is_dir() else []
        except OSError as error:
            raise InputError(f"{folder}: cannot be read: {error.strerror}") from None
        given = [str(folder / name) for name in names if name.startswith(f"{Path(stem).name}.")]
    ranks = {}
    for path in given:
        found = OF_A_RANK.fullmatch(path)
        if found and Path(found[1]) == Path(stem):
            ranks[int(found[2])] = path
        elif len(paths) > 1:
            raise InputError(f"{path}: all traces of one collective are named {stem}.RANK.et")
    for rank in range(max(ranks, default=0) + 1):
        if rank not in ranks:
            raise InputError(f"{stem}.{rank}.et: rank {rank} has no trace; every rank needs one")
    return [ranks[rank] for rank in range(len(ranks))]


def check_trace_files(paths: Sequence[str], network: Network | None) -> CheckReport:
    """Check the traces of a collective.

    Parameters
    ----------
    paths
        As `trace_files` takes them.
    network
        On which they are to run; rank i is the i-th compute node.

    Raises
    ------
    InputError
        If files are missing or are no traces, have nodes that are not replayed, or are for another number of
        ranks than the network has compute nodes.
    """
    with within():
        traces = []
        for path in trace_files(paths):
            with naming(path):
                traces.append(read_trace(read_bytes(path)))
        return check_traces(traces, network)


def check_traces(traces: Sequence[Trace], network: Network | None) -> CheckReport:
    """Check what `check_trace_files` checks, of traces that were read."""
    ranks, said = len(traces), traces[0].said
    require_gpus(network, ranks, f"the traces are for {counted(ranks, 'rank')}")
    collective = said.get("collective", "a collective")
    report = ProgramReport(
        f"{said.get('schedule', collective)}: {collective} of {counted(ranks, 'rank')}, Chakra traces"
    )
    for rank, trace in enumerate(traces):
        for name in ("collective", "chunks", "root", "unit_bytes", "schedule"):
            if trace.said.get(name) != said.get(name):
                report.fail(f"metadata: ranks 0 and {rank} do not name the same {name.replace('_', ' ')}")
                return report
    layout = _layout(said, ranks)
    try:
        run = replay(traces, layout)
    except BrokenTraceError as error:
        report.fail(str(error))
        return report
    report.confirm(f"messages: all {len(run.sender)} that are sent are received, with tag and size")
    report.confirm("it ends, in every order that the dependencies leave open")
    if run.shared:
        report.doubt("that no message is taken for another", run.shared)
    if layout is None or not run.named:
        report.doubt("what the traces result in", "they do not say which chunks their messages carry")
    else:
        _check_sizes(report, run, layout, whole_number(said.get("unit_bytes"), 1, 10**18, text=True))
        report.result(layout, _lacking(run, layout), "result", "rank")
    report.links(network, _sent(run), run.chain, layout)
    return report


def _layout(said: Mapping[str, str], ranks: int) -> Layout | None:
    """Return the buffers of the collective, where the metadata name it."""
    chunks = whole_number(said.get("chunks"), 1, 10**6, text=True)
    root = whole_number(said.get("root"), 0, ranks - 1, text=True)
    collective = said.get("collective")
    if collective not in COLLECTIVES or chunks is None or root is None:
        return None
    units = {"alltoall": ranks * ranks}.get(collective, ranks)
    spend("values", chunks * (ranks if collective in ONE_UNIT else units))
    return Layout(collective, ranks, chunks, root)


def _check_sizes(report: ProgramReport, run: TraceRun, layout: Layout, unit: int | None) -> None:
    """Say whether messages have the bytes of their chunks."""
    if unit is None:
        report.doubt("that messages have the bytes of their chunks", "the traces do not name a unit's")
        return
    at = [unit * j // layout.chunks for j in range(layout.chunks + 1)]
    for (rank, number), move in sorted(run.moves.items()):
        own = sum(at[c % layout.chunks + 1] - at[c % layout.chunks] for c in move.chunks or ())
        if own != move.size:
            report.fail(f"sizes: rank {rank}, node {number}: {move.size} bytes, and its chunks have {own}")
            return
    report.confirm(f"sizes: messages have the bytes of their chunks, {unit} bytes a unit")


def _lacking(run: TraceRun, layout: Layout) -> str | None:
    """Return the first chunk that a rank lacks at the end."""
    owners: dict[int, int] = {}
    for rank in range(layout.ranks):
        for chunk in layout.inputs(rank):
            owners[chunk] = owners.get(chunk, 0) | 1 << rank
    for rank in range(layout.ranks):
        for chunk in layout.outputs(rank):
            value = run.held[rank].get(chunk, 0)
            if value != owners[chunk]:
                lacking = owners[chunk] & ~value
                of = f" of rank {(lacking & -lacking).bit_length() - 1}" if layout.adds else ""
                return f"rank {rank} lacks chunk {chunk}{of}"
    return None


def _sent(run: TraceRun) -> Counter[tuple[int, int]]:
    """Return the chunks, or where they have no names the messages, that go from rank to rank."""
    sent: Counter[tuple[int, int]] = Counter()
    for (rank, _), (peer, number) in run.sender.items():
        chunks = run.moves[peer, number].chunks
        sent[peer, rank] += len(chunks) if run.named and chunks is not None else 1
    return sent
