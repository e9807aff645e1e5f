"""`schedsolve --help`: the commands in groups, each group with an example."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import wrap

GROUPS: tuple[tuple[str, tuple[str, ...], str], ...] = (
    (
        "solve",
        ("solve", "frontier", "bounds", "construct"),
        "solve {problem} -o gossip.json",
    ),
    ("many", ("sweep", "results", "compare"), "compare {problem} cycle:8 complete:9"),
    ("look", ("check", "draw", "analyse", "demo"), "draw gossip.json -o gossip.html"),
    (
        "other tools",
        ("plan", "time", "export", "formulate", "solution"),
        "plan allgather dgx1 --size 1MB -o allgather.py",
    ),
    ("catalogue", ("list", "completion"), "list algorithms {model}"),
    ("research", ("design", "explore", "simulate"), "explore periods --help"),
)
"""The commands that `--help` lists, with an example of each group; others are older names for these."""
WIDTH, INDENT = 92, 14


def overview(summaries: Mapping[str, str]) -> str:
    """Return the help of the whole command line.

    Parameters
    ----------
    summaries
        What each command does, by name, in one line.
    """
    from schedsolve.models import examples_of, model_names

    problem = examples_of(model_names())[0]
    model, task, _ = problem.split(" ", 2)
    lines = [
        "usage: schedsolve COMMAND ...",
        "",
        "Optimal communication schedules, solved exactly and certified.",
    ]
    for title, verbs, example in GROUPS:
        there = [verb for verb in verbs if verb in summaries]
        lines += ["", f"{title}:"] if there else []
        for verb in there:
            first, *rest = wrap(summaries[verb], WIDTH - INDENT)
            lines += [f"  {verb:<{INDENT - 3}} {first}", *(" " * INDENT + line for line in rest)]
        if example.split(" ")[0] in there:
            lines.append(
                f"  {'example:':<{INDENT - 3}} schedsolve {example.format(problem=problem, model=model)}"
            )
    lines += [
        "",
        f"`schedsolve help solve` has the options of all models; `schedsolve help solve {model} {task}`",
        "narrows them down to those of one. --version shows the version.",
    ]
    return "\n".join(lines) + "\n"
