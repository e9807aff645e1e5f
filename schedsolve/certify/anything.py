"""Checking whatever makes a claim: a result, JSON data, a file, or a program that an extension knows."""

from __future__ import annotations

import json
from collections.abc import Mapping
from os import PathLike, fspath
from typing import Any

from schedsolve.certify.check import check_data, check_file
from schedsolve.certify.report import CheckReport
from schedsolve.extensions import checked_by_extensions
from schedsolve.modelkit.result import Result, result_to_json
from schedsolve.network.graph import NetworkLike
from schedsolve.runtime.errors import InputError, shown
from schedsolve.runtime.files.number_reader import refuse_deep


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
        found: CheckReport | None = checked_by_extensions(named, {"topology": topology})
        if found is not None:
            return found
    if topology is not None:
        raise InputError("a topology is for programs for GPUs; other files name their network")
    if named is not None:
        return check_file(named)
    if isinstance(claimed, Result):
        return check_data(json.loads(json.dumps(result_to_json(claimed))))
    refuse_deep(claimed)
    return check_data(claimed)
