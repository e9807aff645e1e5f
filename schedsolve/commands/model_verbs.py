"""The verbs that only one model has, found through the registry."""

from __future__ import annotations

import argparse
import sys
from functools import partial
from typing import Any

from schedsolve.certify.text.output_files import print_json, refuse_output, write_json
from schedsolve.certify.text.text import table_lines
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.result import Result
from schedsolve.modelkit.verb import CliContext, Verb
from schedsolve.models import verb_summaries, verbs


def add_model_verbs(commands: Any, *, named_only: bool = False, named: str | None = None) -> None:
    """Add the verbs of all models to the command line.

    Parameters
    ----------
    commands
        The verbs of the parser.
    named_only
        Whether to add only the names, without loading the models for their arguments.
    named
        The name of those to add, if not all.
    """
    if named_only:
        for name, summary in verb_summaries().items():
            commands.add_parser(name, help=summary)
        return
    added = [verb for verb in verbs() if named in (None, verb.name)]
    subjects: dict[str, Any] = {}
    for name in dict.fromkeys(verb.name for verb in added if verb.subject is not None):
        summary = verb_summaries()[name]
        parser = commands.add_parser(name, help=summary, description=summary, allow_abbrev=False)
        subjects[name] = parser.add_subparsers(dest="subject", metavar="SUBJECT", required=True)
    for verb in added:
        parser = subjects.get(verb.name, commands).add_parser(
            verb.subject or verb.name, help=verb.summary, description=verb.summary, allow_abbrev=False
        )
        verb.add_options(parser)
        parser.set_defaults(command=partial(_run, verb))


def _run(verb: Verb, arguments: argparse.Namespace) -> int:
    context = CliContext(refuse_output, write_json, print_json, table_lines, _progress, _solved)
    return verb.run(arguments, context)


def _solved(problem: Problem, *, seconds: float | None = None) -> Result:
    from schedsolve.modelkit.search import Options
    from schedsolve.solving.solve import solve

    return solve(problem, Options(time_limit=seconds))


def _progress(activity: str) -> None:
    if sys.stderr.isatty():
        print(f"\r\x1b[K{activity}"[:100], end="", file=sys.stderr, flush=True)
