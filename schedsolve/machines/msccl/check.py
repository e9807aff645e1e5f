"""Checking an MSCCL XML file.

Whether the executor takes it, whether it gives the right result, ends with a given number of buffers a
connection, and uses links that the network has; and what it costs.
"""

from __future__ import annotations

from schedsolve.certify.report import CheckReport
from schedsolve.certify.saved_files import read_bytes
from schedsolve.machines.program_report import ProgramReport, at_its_root, require_gpus
from schedsolve.machines.symbolic_run import Outcome
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import counted
from schedsolve.runtime.limits.budget import naming, within

from .algorithm import Algorithm, read_algorithm
from .limits import RCCL, Executor, refusals
from .replay import of_another_length, replay

BUFFERS_OF_PROTOCOL = {"LL": 8, "LL128": 8}
"""How many messages a connection buffers; 2 with other protocols."""


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
    report = ProgramReport(
        f"{name}: {said.get('coll')} of {counted(gpus, 'gpu')},"
        f" {counted(said.get('nchunksperloop'), 'chunk')} a loop"
    )
    report.refusals(
        f"executor {executor.name}" if executor != RCCL else "executor",
        refusals(algorithm, executor),
        "all attributes are there, and all numbers within its limits",
    )
    other = of_another_length(algorithm)
    if other is not None:
        report.fail(f"messages: {other}")
        return report
    room = BUFFERS_OF_PROTOCOL.get(said.get("proto", ""), 2) if buffers is None else buffers
    run = None
    for in_place in (False, True):
        if (algorithm.in_place if in_place else algorithm.out_of_place) or (run is None and in_place):
            run = _check_run(report, algorithm, room, in_place=in_place)
    if layout is None:
        report.doubt("what a custom collective results in", "the file does not say what it should be")
    if run is not None and run.deadlock is None:
        report.links(network, run.sent, run.chain, layout)
    return report


def _check_run(report: ProgramReport, algorithm: Algorithm, room: int, *, in_place: bool) -> Outcome:
    algorithm, run = at_its_root(
        algorithm,
        rooted="root" in algorithm.attributes,
        run=lambda one: replay(one, room, in_place=in_place),
    )
    where = "in place" if in_place else "out of place"
    counted = f"{room} buffer{'s' if room > 1 else ''} a connection"
    if run.deadlock:
        report.fail(f"{where}: deadlock with {counted}: {run.deadlock}")
        return run
    least = next(k for k in range(1, room + 1) if k == room or _ends(algorithm, k, in_place=in_place))
    report.confirm(f"{where}: it ends with {counted}" + (f", and with {least}" if least < room else ""))
    if not report.failed and not _ends(algorithm, room, in_place=in_place, by_chunk=True):
        report.note(f"{where}: where chunks are so large that each takes a buffer, it may not end")
    report.races(run, where)
    if run.memory.changed:
        report.fail(f"{where}: {run.memory.changed}")
    if algorithm.layout is not None:
        report.result(algorithm.layout, run.memory.wrong(), where)
    return run


def _ends(algorithm: Algorithm, room: int, *, in_place: bool, by_chunk: bool = False) -> bool:
    run = replay(algorithm, room, in_place=in_place, races=False, by_chunk=by_chunk)
    return run.deadlock is None
