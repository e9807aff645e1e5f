"""The verbs that only one model has, found through the registry."""

from __future__ import annotations

import argparse
import sys
from functools import partial
from typing import Any

from schedsolve.modelkit.verb import Desk, Verb
from schedsolve.models import verb_summaries, verbs
from schedsolve.report.output_files import print_json, refuse_output, write_json
from schedsolve.report.text import table_lines


def add_model_verbs(commands: Any, *, named_only: bool = False) -> None:
    """Add the verbs of all models to the command line; named_only: without what they take, and so without
    loading the models.
    """
    if named_only:
        for name, summary in verb_summaries().items():
            commands.add_parser(name, help=summary)
        return
    subjects: dict[str, Any] = {}
    for name in dict.fromkeys(verb.name for verb in verbs() if verb.subject is not None):
        summary = verb_summaries()[name]
        parser = commands.add_parser(name, help=summary, description=summary, allow_abbrev=False)
        subjects[name] = parser.add_subparsers(dest="subject", metavar="SUBJECT", required=True)
    for verb in verbs():
        parser = subjects.get(verb.name, commands).add_parser(
            verb.subject or verb.name, help=verb.summary, description=verb.summary, allow_abbrev=False
        )
        verb.add_options(parser)
        parser.set_defaults(command=partial(_run, verb))


def _run(verb: Verb, arguments: argparse.Namespace) -> int:
    return verb.run(arguments, Desk(refuse_output, write_json, print_json, table_lines, _progress))


def _progress(activity: str) -> None:
    if sys.stderr.isatty():
        print(f"\r\x1b[K{activity}"[:100], end="", file=sys.stderr, flush=True)
