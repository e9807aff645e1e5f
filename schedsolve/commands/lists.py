"""`schedsolve list`: the models, networks and algorithms; each list has a command of its own too."""

from __future__ import annotations

import argparse
from itertools import groupby
from typing import Any

from schedsolve.certify.text.output_files import print_text, refuse_output
from schedsolve.commands.options import EXIT_DONE, TRUST, add_options, add_reading, add_verb, asked_network
from schedsolve.network.named.derived_texts import BY, CLUSTER, FABRICS, JOINED
from schedsolve.runtime.errors import InputError, one_line

LISTS = {
    "models": "the models, their tasks and parameters",
    "networks": "the named networks and the file formats, or one network and its links",
    "algorithms": "the algorithms, of all models or of one",
}


def add_lists(commands: Any) -> None:
    """Add `list`, and the lists by their own names, to the command line."""
    text = "the models, networks or algorithms that there are, or one network and its links"
    parser = commands.add_parser("list", help=text, description=text, allow_abbrev=False)
    subjects = parser.add_subparsers(metavar="models|networks|algorithms", required=True)
    for place in (subjects, commands):
        for name, text in LISTS.items():
            one = add_verb(place, name, _COMMANDS[name], text)
            if name == "networks":
                _add_network(one)
            if name == "algorithms":
                one.add_argument("model", metavar="MODEL", nargs="?", help="only those of this model")


def _add_network(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("network", metavar="NETWORK", nargs="?", help="show this one, link by link")
    add_reading(parser)
    group = parser.add_argument_group(
        "clusters",
        "boxes like NETWORK, as in the text NETWORK-cluster-4,8x400Gb,rail, or two joined by links",
    )
    clusters = {
        "--nodes N": "so many boxes",
        "--fabric KIND": f"what joins them: {FABRICS}",
        "--nics KxSPEED": "network cards of each box, such as 8x400Gb, if its file has no ports or others",
        "--join OTHER": "join NETWORK and this one by --link",
    }
    add_options(group, clusters)
    link = {"--link U-V=SPEED": "a link between a node of NETWORK and one of OTHER; may be repeated"}
    add_options(group, link, action="append", default=[])
    add_options(parser, {"-o --output FILE": "write it in the format that the name tells"} | TRUST)


def _list_models(_: argparse.Namespace) -> int:
    from schedsolve.models import models

    for model in models().values():
        print(f"{model.title}: {model.summary}\n  {model.source}")
        for task, parameters in model.tasks.items():
            print(f"  {task}: {' '.join(f'{p.option} {p.metavar or str()}'.rstrip() for p in parameters)}")
    return EXIT_DONE


def _list_networks(arguments: argparse.Namespace) -> int:
    from schedsolve.network.files.formats import FORMATS
    from schedsolve.network.named.derived_texts import FORMS
    from schedsolve.network.named.families import families

    if arguments.network is not None:
        return _show_network(arguments)
    if arguments.output is not None:
        raise InputError("--output needs a network to write")
    for family in families():
        print(f"{family.form:<24} {family.description}")
    for text, description in FORMS:
        print(f"{text:<24} {description}")
    print("or a file, told by its content and its ending:")
    for form in FORMATS:
        only = "" if form.compose else " (only read)"
        print(f"{' '.join(form.endings) or '.txt':<24} {form.name}{only}")
    return EXIT_DONE


def _show_network(arguments: argparse.Namespace) -> int:
    """Print how a network was interpreted, and its links; write it to a file if asked."""
    from schedsolve.network.files.any_format import write_network
    from schedsolve.network.files.understood import understood

    network = asked_network(arguments, _text(arguments))
    if arguments.output is not None:
        refuse_output(arguments.output)
        write_network(network, arguments.output)
    said = network.understood or understood(network, "network").understood
    arrow = "->" if network.directed else "--"
    lines = [one_line(f"{network.name}: {said}"), *map(str, network.assumptions)]
    if network.switches:
        lines.append(f"switches: {', '.join(str(network.labels[v]) for v in sorted(network.switches))}")
    lines += [
        f"  {network.labels[u]} {arrow} {network.labels[v]}: bandwidth {bandwidth}"
        for (u, v), bandwidth in zip(
            network.edges, network.bandwidths or (1,) * len(network.edges), strict=True
        )
    ]
    print_text("\n".join(lines))
    return EXIT_DONE


def _text(arguments: argparse.Namespace) -> str:
    """Return the text of the network, of its cluster, or of two joined boxes.

    Raises
    ------
    InputError
        If options are missing or do not go together.
    """
    of_cluster, of_two = (arguments.nodes, arguments.fabric), (arguments.join, arguments.link or None)
    given = [*of_cluster, arguments.nics, *of_two]
    if not any(option is not None for option in given):
        return str(arguments.network)
    if None not in of_cluster and of_two == (None, None):
        parts = (arguments.nodes, arguments.nics, arguments.fabric)
        return f"{arguments.network}{CLUSTER}{','.join(part for part in parts if part is not None)}"
    if None not in of_two and given[:3] == [None, None, None]:
        return f"{arguments.network}{JOINED}{arguments.join}{BY}{','.join(arguments.link)}"
    raise InputError("a cluster needs --nodes and --fabric, and two boxes are joined by --join and --link")


def _list_algorithms(arguments: argparse.Namespace) -> int:
    from schedsolve.models import get_model, models, models_named

    if arguments.model is not None:
        get_model(arguments.model)
    listed = models().values() if arguments.model is None else models_named(arguments.model)
    for algorithms, alike in groupby(listed, key=lambda model: model.algorithms):
        print(f"{', '.join(model.title for model in alike)}:")
        for algorithm in algorithms:
            tasks = ", ".join(sorted(algorithm.tasks))
            only = "; not used by solve" if algorithm.rival else ""
            print(f"  {algorithm.name} ({tasks}{only}): {algorithm.source}")
    return EXIT_DONE


_COMMANDS = {"models": _list_models, "networks": _list_networks, "algorithms": _list_algorithms}
