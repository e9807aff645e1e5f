"""`schedsolve check`: replay a saved result or a schedule of your own, and verify its claims."""

from __future__ import annotations

import argparse
from typing import Any

from schedsolve.commands.options import EXIT_CLAIM_FAILS, EXIT_DONE, add_trust
from schedsolve.report.output_files import print_text


def add_check(commands: Any) -> None:
    """Add the verb to the command line."""
    parser = commands.add_parser(
        "check", help="replay a saved result or your own schedule, and verify its claims", allow_abbrev=False
    )
    parser.add_argument("file", metavar="FILE")
    parser.add_argument(
        "--strict",
        action="store_true",
        help="exit with 1 unless everything that the file claims was verified",
    )
    add_trust(parser)
    parser.set_defaults(command=check_command)


def check_command(arguments: argparse.Namespace) -> int:
    """Run the verb; the exit status."""
    from schedsolve.certify.check import check_file

    report = check_file(arguments.file)
    print_text(report.text)
    doubtful = report.failed or (arguments.strict and not report.complete)
    return EXIT_CLAIM_FAILS if doubtful else EXIT_DONE
