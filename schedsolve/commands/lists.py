"""`schedsolve models`, `networks` and `algorithms`: what there is."""

from __future__ import annotations

import argparse
from typing import Any

from schedsolve.commands.options import EXIT_DONE


def add_lists(commands: Any) -> None:
    """Add the verbs to the command line."""
    for name, command, text in (
        ("models", _list_models, "the models, their tasks and parameters"),
        ("networks", _list_networks, "the named networks and the file formats"),
        ("algorithms", _list_algorithms, "the algorithms of every model"),
    ):
        commands.add_parser(name, help=text, allow_abbrev=False).set_defaults(command=command)


def _list_models(_: argparse.Namespace) -> int:
    from schedsolve.models import models

    for model in models().values():
        print(f"{model.title}: {model.summary}\n  {model.source}")
        for task, parameters in model.tasks.items():
            print(f"  {task}: {' '.join(f'{p.option} {p.metavar or str()}'.rstrip() for p in parameters)}")
    return EXIT_DONE


def _list_networks(_: argparse.Namespace) -> int:
    from schedsolve.network.families import families

    for family in families():
        print(f"{family.form:<24} {family.description}")
    print(
        "or a file: .edges .txt (edge list, a third column for bandwidths, --directed for arcs) .topo"
        " .dimacs .col .g6 .graphml .json (node-link) .mbt .in"
    )
    return EXIT_DONE


def _list_algorithms(_: argparse.Namespace) -> int:
    from schedsolve.models import models

    for model in models().values():
        print(f"{model.title}:")
        for algorithm in model.algorithms:
            print(f"  {algorithm.name} ({', '.join(sorted(algorithm.tasks))}): {algorithm.source}")
    return EXIT_DONE
