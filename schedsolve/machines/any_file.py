"""Checking whatever makes a claim: a result, JSON data, a file, or a program; and which of them a file is."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from os import PathLike, fspath
from typing import Any

from schedsolve.certify.check import check_data, check_file
from schedsolve.certify.report import CheckReport
from schedsolve.certify.saved_files import read_bytes
from schedsolve.errors import InputError, shown
from schedsolve.files.number_reader import refuse_deep
from schedsolve.limits.budget import OverBudgetError, within
from schedsolve.network.graph import Network, NetworkLike
from schedsolve.result import Result, result_to_json

PROGRAM_TEXT, ALGORITHM, TRACE = ".py", ".xml", ".et"
"""The endings of programs, which tell their kind; a plan for MSCCL++ is told by its content."""


def check(
    claimed: Result | Mapping[str, Any] | str | PathLike[str], *, topology: NetworkLike | None = None
) -> CheckReport:
    """Replay the schedule and verify every claim, by code that shares nothing with what solves.

    Parameters
    ----------
    claimed
        A result, which is checked as if it were read from its file; the JSON data of a saved result or
        schedule; or the name of such a file, of an .xml algorithm for MSCCL, of a plan for MSCCL++ or of a
        rank's Chakra trace, with those of the other ranks beside it.
    topology
        The network on which a program is to run, or what `Network.of` takes.

    Raises
    ------
    InputError
        For anything else, and for a file that cannot be read.

    Examples
    --------
    ```pycon
    >>> from schedsolve import build_problem, check, solve
    >>> report = check(solve(build_problem("telephone", "gossip", "cycle:6"), certify=True))
    >>> report.failed, report.complete
    (False, True)

    ```
    """
    if not isinstance(claimed, Result | Mapping | str | PathLike):
        raise InputError(
            f"what is checked is a result, its JSON data or a file; not {shown(claimed)}; replay(problem,"
            " schedule) is for a schedule"
        )
    named = None if isinstance(claimed, Result | Mapping) else fspath(claimed)
    if named is not None:
        report = check_program(named, lambda: None if topology is None else Network.of(topology))
        if report is not None:
            return report
    if topology is not None:
        raise InputError("a topology is for programs for GPUs; other files name their network")
    if named is not None:
        return check_file(named)
    if isinstance(claimed, Result):
        return check_data(json.loads(json.dumps(result_to_json(claimed))))
    refuse_deep(claimed)
    return check_data(claimed)


def check_program(
    file: str,
    network: Callable[[], Network | None],
    *,
    others: Sequence[str] = (),
    buffers: int | None = None,
    executor: str | None = None,
) -> CheckReport | None:
    """Check a program for GPUs or a trace; return None for a file of another kind.

    Parameters
    ----------
    file
        The file.
    network
        Gives where it is to run; asked for programs only.
    others
        Chakra traces of other ranks.
    buffers, executor
        Of an .xml algorithm, as `schedsolve.machines.msccl.check.check_algorithm_file` takes them.

    Raises
    ------
    InputError
        For a program that verifies itself, and as the checkers do.
    """
    ending = file.lower()
    if ending.endswith(PROGRAM_TEXT):
        raise InputError(f"{file}: a program in Python verifies itself: run it with --verify")
    if ending.endswith(ALGORITHM):
        from schedsolve.machines.msccl.check import check_algorithm_file
        from schedsolve.machines.msccl.limits import EXECUTORS, RCCL

        chosen = RCCL if executor is None else EXECUTORS[executor]
        return check_algorithm_file(file, network(), buffers, chosen)
    if ending.endswith(TRACE):
        from schedsolve.machines.chakra.check import check_trace_files

        return check_trace_files([file, *others], network())
    if is_plan_file(file):
        from schedsolve.machines.mscclpp.check import check_plan_file

        return check_plan_file(file, network())
    return None


@within()
def is_plan_file(path: str) -> bool:
    """Whether a file looks like a plan: JSON with gpus that is no file of ours."""
    if not path.lower().endswith((".json", ".json.gz")):
        return False
    try:
        content = read_bytes(path)
    except (InputError, OverBudgetError):
        return False
    return b'"gpus"' in content and b'"schedsolve-' not in content
