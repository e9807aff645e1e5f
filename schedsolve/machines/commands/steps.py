"""The verb `schedsolve steps`: an optimal pipelined schedule, cut into chunks and steps."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Hashable, Mapping
from fractions import Fraction
from typing import Any

from schedsolve.certify.text.output_files import refuse_output, write_json
from schedsolve.commands.options import EXIT_DONE, add_options, add_verb
from schedsolve.machines.streams.steps import Steps, in_steps
from schedsolve.modelkit.demands import UNEQUAL_TASKS
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.result import value_to_json
from schedsolve.models.pipelined.formulation.explicit import explicit_schedule
from schedsolve.models.pipelined.options import ROOT, SOURCE
from schedsolve.models.pipelined.rules.demand import (
    FLOW_TASKS,
    REDUCTIONS,
    TREE_TASKS,
    check,
    end_parameter,
)
from schedsolve.models.synchronous.rules.steps import StepSchedule
from schedsolve.network.assumptions import as_read, assumptions_to_json
from schedsolve.network.graph import Network, NetworkLike
from schedsolve.network.named.spec import network_to_data
from schedsolve.runtime.errors import InputError, counted, one_line

TASKS = tuple(task for task in (*TREE_TASKS, *FLOW_TASKS, *REDUCTIONS) if task not in UNEQUAL_TASKS)


def add_steps(commands: Any) -> None:
    """Add the verb to the command line."""
    parser = add_verb(
        commands, "steps", steps_command, "an optimal pipelined schedule, cut into chunks and steps"
    )
    parser.add_argument("task", metavar="TASK", choices=TASKS, help=", ".join(TASKS))
    add_options(parser, {"network NETWORK": "a family such as dgx1, or a file"})
    chunks = "chunks a unit, from 1; several numbers make a frontier, a row each, in place of one schedule"
    add_options(parser, {"--chunks C,..": chunks}, required=True)
    node = "the source, or the root of a gather or a reduce (default: the first)"
    add_options(parser, {"--node V": node})
    add_options(parser, {"-o --output FILE": "the schedule as JSON, which `check` replays"}, required=True)


def steps_command(arguments: argparse.Namespace) -> int:
    """Find the schedule, cut it, write it, and say what its rounds per chunk are."""
    numbers = _chunk_numbers(arguments.chunks)
    refuse_output(arguments.output)
    problem = _problem(arguments.task, Network.from_spec(arguments.network), arguments.node)
    if problem.network.understood:
        print(one_line(f"{problem.network.name}: {problem.network.understood}"), file=sys.stderr)
    schedule = explicit_schedule(problem)
    made = {chunks: in_steps(problem, schedule, chunks) for chunks in numbers}
    for chunks, steps in made.items():
        rounds = sum(rounds for rounds, _ in steps)
        rate = value_to_json(Fraction(rounds, chunks))
        begin = f"{counted(chunks, 'chunk')}: " if len(made) > 1 else ""
        print(
            f"{begin}{counted(len(steps), 'step')}, {counted(rounds, 'round')},"
            f" {counted(rate, 'round')} per chunk; with more chunks they tend"
            f" to {value_to_json(schedule.time)}{as_read(problem.network.assumptions)}"
        )
    one = steps_file(problem, made[numbers[0]], numbers[0]) if len(numbers) == 1 else None
    write_json(one or frontier_file(problem, made), arguments.output)
    return EXIT_DONE


def cut_in_steps(
    task: str, network: NetworkLike, *, chunks: int, node: Hashable | None = None
) -> dict[str, Any]:
    """Return an optimal pipelined schedule, cut into chunks and steps.

    The JSON data of a schedule file, which `check` replays.

    Parameters
    ----------
    task
        The task.
    network
        The network.
    chunks
        Of a unit, from 1.
    node
        The label of the source or the root, the first when not given.

    Raises
    ------
    InputError
        For a task that is not of this model, and where there is no list of trees or flows to cut.
    """
    if task not in TASKS or chunks < 1:
        raise InputError(f"steps takes one of {', '.join(TASKS)}, and chunks from 1 on")
    named = Network.of(network)
    problem = _problem(task, named, None if node is None else str(named.labels[named.node(node)]))
    return steps_file(problem, in_steps(problem, explicit_schedule(problem), chunks), chunks)


def _chunk_numbers(text: str) -> list[int]:
    """Return the numbers of chunks in "6" or "6,12,60".

    Raises
    ------
    InputError
        For anything else.
    """
    if not re.fullmatch("[1-9][0-9]{0,6}(,[1-9][0-9]{0,6})*", text):
        raise InputError(f"--chunks takes numbers from 1 on, such as 6 or 6,12,60; not {text!r:.60}")
    return sorted(set(map(int, text.split(","))))


def _problem(task: str, network: Network, node: str | None) -> Problem:
    parameters: dict[str, Any] = {}
    if task in ("broadcast", "scatter", "gather", "reduce"):
        parameter = ROOT if task in ("gather", "reduce") else SOURCE
        chosen = parameter.default(network) if node is None else parameter.read(node, network)
        parameters[end_parameter(task)] = chosen
    elif node is not None:
        raise InputError(f"--node is for tasks that start or end at one node; {task} does not")
    problem = Problem("pipelined", task, network, parameters)
    check(problem)
    return problem


def steps_file(problem: Problem, steps: Steps, chunks: int) -> dict[str, Any]:
    """Return the steps as a schedule file of the synchronous model."""
    return {
        "format": "schedsolve-schedule/1",
        "problem": {
            "model": "synchronous",
            "task": problem.task,
            "network": network_to_data(problem.network),
            "parameters": {**problem.parameters, "steps": len(steps), "chunks": chunks},
        },
        **assumptions_to_json(problem.network.assumptions),
        "schedule": StepSchedule(tuple(steps)).to_json(problem.network.labels),
    }


def frontier_file(problem: Problem, made: Mapping[int, Steps]) -> dict[str, Any]:
    """Return a frontier with a row for every number of chunks, which `draw` shows beside others."""
    rows = []
    for chunks, steps in made.items():
        rounds = sum(rounds for rounds, _ in steps)
        counts = {"chunks": chunks, "steps": len(steps), "rounds": rounds}
        rows.append({**counts, "status": "feasible", "value": value_to_json(Fraction(rounds, chunks))})
    names = {"model": "synchronous", "task": problem.task, "network": problem.network.name}
    names |= assumptions_to_json(problem.network.assumptions)
    return {"format": "schedsolve-frontier/1", **names, "parameter": "chunks", "rows": rows}
