"""Checking programs for GPUs and traces: which of them a file is, told by its name or its content."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from functools import cache
from typing import Any

from schedsolve.certify.report import CheckReport
from schedsolve.certify.saved_files import read_bytes
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError
from schedsolve.runtime.limits.budget import OverBudgetError, within

PROGRAM_TEXT, ALGORITHM, TRACE = ".py", ".xml", ".et"
"""The endings of programs, which tell their kind; a plan for MSCCL++ is told by its content."""


def check_program(file: str, given: Mapping[str, Any]) -> CheckReport | None:
    """Check a program for GPUs or a trace; return None for a file of another kind.

    Parameters
    ----------
    file
        The file.
    given
        The arguments of `check`: `topology`, where it is to run, as a network or as text with the options of
        the command line that say how it is read; `others`, Chakra traces of other ranks; `buffers` and
        `executor` of an .xml algorithm, as `schedsolve.machines.msccl.check.check_algorithm_file` takes them.

    Raises
    ------
    InputError
        For a program that verifies itself, options that do not go with the file, and as the checkers do.
    """
    ending, buffers, executor = file.lower(), given.get("buffers"), given.get("executor")
    others = given.get("others", ())
    if others and not ending.endswith(TRACE):
        raise InputError("check takes one file, but of Chakra traces (.et) those of all ranks")
    if not ending.endswith(ALGORITHM) and (buffers is not None or executor is not None):
        raise InputError("--buffers and --executor are for .xml algorithms")
    if buffers == 0:
        raise InputError("--buffers takes a number of 1 or more")
    network = cache(lambda: _where(given))
    if ending.endswith(PROGRAM_TEXT):
        raise InputError(f"{file}: a program in Python verifies itself: run it with --verify")
    if ending.endswith(ALGORITHM):
        from schedsolve.machines.msccl.check import check_algorithm_file
        from schedsolve.machines.msccl.limits import EXECUTORS, RCCL

        chosen = RCCL if executor is None else EXECUTORS[executor]
        report = check_algorithm_file(file, network(), buffers, chosen)
    elif ending.endswith(TRACE):
        from schedsolve.machines.chakra.check import check_trace_files

        report = check_trace_files([file, *others], network())
    elif is_plan_file(file):
        from schedsolve.machines.mscclpp.check import check_plan_file

        report = check_plan_file(file, network())
    else:
        if given.get("topology") is not None:
            raise InputError("a topology is for programs for GPUs; other files name their network")
        return None
    if isinstance(given.get("topology"), str) and "pcie" in given:
        from schedsolve.commands.options import say_understood

        say_understood(argparse.Namespace(**given), network())
    return report


def _where(given: Mapping[str, Any]) -> Network | None:
    """Return the network on which a program is to run."""
    topology = given.get("topology")
    if topology is None:
        return None
    if "pcie" not in given:
        return Network.of(topology)
    from schedsolve.commands.options import asked_network

    network: Network = asked_network(argparse.Namespace(**given), topology)
    return network


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
