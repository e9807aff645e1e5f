"""The options of `check` for programs."""

from __future__ import annotations

import argparse

from schedsolve.commands.options import add_options as add
from schedsolve.commands.options import add_reading
from schedsolve.modelkit.verb import natural


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add where a program is to run, and what an .xml algorithm has to meet."""
    parser.add_argument("others", metavar="TRACE", nargs="*", help=argparse.SUPPRESS)
    add(parser, {"--topology NETWORK": "where a program for MSCCL, MSCCL++ or ASTRA-sim is to run"})
    add_reading(parser)
    buffers = "chunks that a connection of an .xml algorithm buffers (default: what its protocol has)"
    add(parser, {"--buffers N": buffers}, type=natural)
    parser.add_argument(
        "--executor",
        choices=("msccl", "azure", "rccl"),
        metavar="NAME",
        help="whose demands an .xml algorithm is to meet: msccl, azure or rccl (default rccl, the narrowest)",
    )
