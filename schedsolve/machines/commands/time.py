"""`schedsolve time`: the time of a saved schedule on its machine, compared with its rivals."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from schedsolve.certify.text.output_files import print_json, print_text, refuse_output
from schedsolve.commands.options import EXIT_DONE, JSON, TRUST, add_options, add_verb
from schedsolve.machines.commands.costs import CHUNKS, add_costs, asked_costs, byte_size
from schedsolve.modelkit.verb import natural
from schedsolve.runtime.errors import InputError, shown

if TYPE_CHECKING:
    from schedsolve.machines.times import Times
    from schedsolve.machines.timing import Timing


def add_time(commands: Any) -> None:
    """Add the verb to the command line."""
    text = "how long a saved schedule takes on its machine, compared with rings, trees and the proven optimum"
    parser = add_verb(commands, "time", time_command, text)
    parser.add_argument("file", metavar="FILE")
    add_costs(parser)
    size = {"--size BYTES": "bytes of a unit, such as 1000000, 64MB or 1MiB, cut into the chunks"}
    add_options(parser, size, type=byte_size, required=True)
    add_options(parser, CHUNKS, type=natural)
    parser.add_argument(
        "--clock",
        choices=("dependencies", "steps"),
        default="dependencies",
        help="what a message waits for: its data and its links (default), or the end of the step before",
    )
    options = {
        "--full": "list all steps and links",
        "-o --output OUT": "a chart: a name that ends in .svg or .png",
        **JSON,
        **TRUST,
    }
    add_options(parser, options)


def time_command(arguments: argparse.Namespace) -> int:
    """Run the verb and return the exit status."""
    from schedsolve.machines.movement.saved_schedule import read_saved
    from schedsolve.machines.times import MOST_LINES, times_of
    from schedsolve.machines.timing import STEPS

    out = arguments.output
    if out is not None:
        if not out.endswith((".svg", ".png")):
            raise InputError(f"a chart's name ends in .svg or .png; not {shown(out)}")
        refuse_output(out)
    given = asked_costs(arguments)
    saved = read_saved(arguments.file)
    costs, source = given(saved.problem.network, arguments.size)
    movement = saved.movement(arguments.chunks, in_lockstep=arguments.clock == STEPS, costs=costs)
    found = times_of(saved.problem, movement, costs, arguments.clock, saved.proven(movement), source)
    if out is not None:
        from schedsolve.extensions import ask

        draw_times = ask("drawing", "draw_times")

        draw_times(found, out)
    if arguments.json:
        print_json(_json(found))
    else:
        print_text("\n".join(found.lines(10**9 if arguments.full else MOST_LINES)))
    return EXIT_DONE


def _json(found: Times) -> dict[str, Any]:
    from schedsolve.network.assumptions import assumptions_to_json

    ours, proven = found.schedule, found.proven
    labels = ours.movement.network.labels
    return {
        "format": "schedsolve-time/1",
        **assumptions_to_json(found.problem.network.assumptions),
        **_speed(ours),
        "ratio_to_optimum": found.ratio_to_optimum,
        "optimum_busbw": None if proven is None else proven.bus_bandwidth(ours),
        "seconds_by_rounds": float(ours.seconds_by_rounds),
        "clock": ours.clock,
        "alpha": float(ours.costs.alpha),
        "beta": float(ours.costs.beta),
        "unit_bytes": ours.costs.size,
        "buffer_bytes": ours.buffer_bytes,
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
        "rivals": {
            rival.name: {
                **_speed(rival.timing),
                "steps": len(rival.timing.steps),
                "on_links": rival.on_links,
            }
            for rival in found.rivals.values()
        },
        "textbook": {
            name: {"seconds": float(other.seconds), "steps": len(other.steps)}
            for name, other in found.textbook.items()
        },
    }


def _speed(timing: Timing) -> dict[str, float | None]:
    return {
        "seconds": float(timing.seconds),
        "algbw": timing.algorithm_bandwidth,
        "busbw": timing.bus_bandwidth,
    }
