"""Machines: collectives as programs, their times, plans for a machine, and checks of such programs."""

from schedsolve.extensions import Extension

EXTENSION = Extension(
    verbs={
        "plan": "the best certified schedule of a collective on a machine for each size, and its program",
        "time": "how long a saved schedule takes on its machine, compared with rings, trees and the optimum",
        "steps": "an optimal pipelined schedule, cut into chunks and steps",
    },
    options={"check": "commands.checked_programs:add_options", "export": "commands.programs:add_options"},
    names={
        "plan": "plan:plan_of_sizes",
        "steps": "commands.steps:cut_in_steps",
        "times": "times:times",
        "write_program": "programs:write_program",
    },
    modules={"torch": "torch"},
    file_checks=("any_file:check_program",),
    functions={
        "export_program": "commands.programs:export_asked",
        "times": "times:times",
    },
)
