"""The options of programs, spelt alike in all verbs: --alpha, --beta and --size price messages; --for."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING

from schedsolve.commands.options import add_options
from schedsolve.machines.msccl import NOT_WRITTEN
from schedsolve.runtime.errors import shown
from schedsolve.runtime.files.number_reader import byte_count

if TYPE_CHECKING:
    from schedsolve.machines.timing import Costs
    from schedsolve.network.graph import Network

FOR = ("mpi", "torch", "mscclpp", "chakra")
"""The targets of programs, as `schedsolve.machines.targets` names them; its imports are slow."""
CHUNKS = {"--chunks C": "chunks of a unit, where that is open"}


def add_costs(parser: argparse.ArgumentParser) -> None:
    """Add --alpha and --beta."""
    prices = {
        "--alpha A": "seconds of latency of a message, such as 5e-6 (machines have their own)",
        "--beta B": "seconds a byte on a link of bandwidth 1, such as 4e-11 (machines have their own)",
    }
    add_options(parser, prices)


def add_target(parser: argparse.ArgumentParser) -> None:
    """Add --for."""
    text = f"what the program is for: {', '.join(FOR)} (default: .py mpi, .et chakra)"
    add_options(parser, {"--for TARGET": text}, dest="target", type=_target, choices=FOR)


def _target(name: str) -> str:
    if name == "msccl":
        raise argparse.ArgumentTypeError(NOT_WRITTEN)
    return name


def asked_costs(
    arguments: argparse.Namespace, *, assumed: bool = True
) -> Callable[[Network, int], tuple[Costs, str]]:
    """Return what gives the costs on a network of so many bytes, and where they are from.

    assumed: whether a machine that is not known has any.

    Raises
    ------
    InputError
        For what is no price.
    """
    from schedsolve.machines.times import costs_for, price_of

    alpha, beta = price_of(arguments.alpha, "alpha"), price_of(arguments.beta, "beta")
    return lambda network, size: costs_for(network, alpha, beta, size, assumed=assumed)


def byte_size(text: str) -> int:
    """Return a number of bytes, with or without a unit.

    Raises
    ------
    argparse.ArgumentTypeError
        For anything else.
    """
    found = byte_count(text)
    if found is None:
        raise argparse.ArgumentTypeError(
            f"--size is bytes from 1 on, such as 1000, 64MB or 1MiB, not {shown(text)}"
        )
    return found
