"""`schedsolve time`: how long a saved schedule takes on its machine, beside the textbook's algorithms."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from schedsolve.commands.options import EXIT_DONE, add_trust
from schedsolve.errors import InputError, shown
from schedsolve.modelkit.verb import natural
from schedsolve.number_reader import measured_number
from schedsolve.report.output_files import print_json, print_text, refuse_output

if TYPE_CHECKING:
    from schedsolve.report.timing import Timing


def add_time(commands: Any) -> None:
    """Add the verb to the command line."""
    text = (
        "how long a saved schedule takes on its machine, per step and link, beside the textbook's algorithms"
    )
    parser = commands.add_parser("time", help=text, description=text, allow_abbrev=False)
    parser.add_argument("file", metavar="FILE")
    parser.add_argument("--alpha", metavar="A", required=True, help="seconds of a step, such as 5e-6")
    parser.add_argument(
        "--beta", metavar="B", required=True, help="seconds a byte on a link of bandwidth 1, such as 4e-11"
    )
    parser.add_argument(
        "--size", metavar="BYTES", type=natural, required=True, help="bytes of a unit, cut into the chunks"
    )
    parser.add_argument("--chunks", metavar="C", type=natural, help="chunks of a unit, where that is open")
    parser.add_argument("-o", "--output", metavar="OUT", help="a chart: a name that ends in .svg or .png")
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    add_trust(parser)
    parser.set_defaults(command=time_command)


def time_command(arguments: argparse.Namespace) -> int:
    """Run the verb; the exit status."""
    from schedsolve.export.movements import read_movement
    from schedsolve.report.times import times_of
    from schedsolve.report.timing import Costs

    out = arguments.output
    if out is not None:
        if not out.endswith((".svg", ".png")):
            raise InputError(f"a chart's name ends in .svg or .png; not {shown(out)}")
        refuse_output(out)
    costs = Costs(_seconds(arguments.alpha, "--alpha"), _seconds(arguments.beta, "--beta"), arguments.size)
    problem, movement = read_movement(arguments.file, arguments.chunks)
    found = times_of(problem, movement, costs)
    if out is not None:
        from schedsolve.draw.time_chart import draw_times

        draw_times(found, out)
    if arguments.json:
        print_json(_json(found.schedule, found.textbook))
    else:
        print_text(str(found))
    return EXIT_DONE


def _seconds(text: str, option: str) -> Fraction:
    value = measured_number(text)
    if value is None or not 0 <= value <= 10**9:
        raise InputError(f"{option} takes seconds from 0 on, such as 5e-6, not {shown(text)}")
    return value


def _json(ours: Timing, others: Mapping[str, Timing]) -> dict[str, Any]:
    labels = ours.movement.network.labels
    return {
        "format": "schedsolve-time/1",
        "seconds": float(ours.seconds),
        "seconds_by_rounds": float(ours.seconds_by_rounds),
        "chunks": ours.movement.chunks,
        "steps": [
            {
                "seconds": float(step.seconds),
                "links": [
                    [labels[u], labels[v], count, float(step.busy[u, v])]
                    for (u, v), count in sorted(step.loads.items())
                ],
            }
            for step in ours.steps
        ],
        "links": [[labels[u], labels[v], count, float(busy)] for (u, v), (count, busy) in ours.links.items()],
        "textbook": {
            name: {"seconds": float(other.seconds), "steps": len(other.steps)}
            for name, other in others.items()
        },
    }
