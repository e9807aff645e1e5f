"""`schedsolve models`, `networks` and `algorithms`: what there is."""

from __future__ import annotations

import argparse
from typing import Any

from schedsolve.commands.options import EXIT_DONE, add_trust
from schedsolve.errors import InputError, one_line
from schedsolve.report.output_files import print_text, refuse_output


def add_lists(commands: Any) -> None:
    """Add the verbs to the command line."""
    for name, command, text in (
        ("models", _list_models, "the models, their tasks and parameters"),
        ("networks", _list_networks, "the named networks and the file formats, or one network and its links"),
        ("algorithms", _list_algorithms, "the algorithms of every model"),
    ):
        parser = commands.add_parser(name, help=text, allow_abbrev=False)
        parser.set_defaults(command=command)
        if name == "networks":
            _add_network(parser)


def _add_network(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("network", metavar="NETWORK", nargs="?", help="show this one, link by link")
    parser.add_argument("--directed", action="store_true", help="read an edge list as arcs")
    parser.add_argument("-o", "--output", metavar="FILE", help="write it in the format that the name tells")
    add_trust(parser)


def _list_models(_: argparse.Namespace) -> int:
    from schedsolve.models import models

    for model in models().values():
        print(f"{model.title}: {model.summary}\n  {model.source}")
        for task, parameters in model.tasks.items():
            print(f"  {task}: {' '.join(f'{p.option} {p.metavar or str()}'.rstrip() for p in parameters)}")
    return EXIT_DONE


def _list_networks(arguments: argparse.Namespace) -> int:
    from schedsolve.network.families import families

    if arguments.network is not None:
        return _show_network(arguments)
    if arguments.output is not None:
        raise InputError("--output needs a network to write")
    for family in families():
        print(f"{family.form:<24} {family.description}")
    print(
        "or a file: .edges .txt (edge list, a third column for bandwidths, --directed for arcs) .topo"
        " .dimacs .col .g6 .graphml .json (node-link) .mbt .in; machines: .txt (nvidia-smi topo -m) .xml"
        " (NCCL_TOPO_DUMP_FILE) .json (msccl link matrix)"
    )
    return EXIT_DONE


def _show_network(arguments: argparse.Namespace) -> int:
    """Print what was understood of a network, and its links; write it to a file if asked for."""
    from schedsolve.network.files import write_network
    from schedsolve.network.graph import Network
    from schedsolve.network.understood import understood

    network = Network.from_spec(arguments.network, directed=arguments.directed)
    if arguments.output is not None:
        refuse_output(arguments.output)
        write_network(network, arguments.output)
    said = network.understood or understood(network, "network").understood
    arrow = "->" if network.directed else "--"
    lines = [one_line(f"{network.name}: {said}")]
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


def _list_algorithms(_: argparse.Namespace) -> int:
    from schedsolve.models import models

    for model in models().values():
        print(f"{model.title}:")
        for algorithm in model.algorithms:
            print(f"  {algorithm.name} ({', '.join(sorted(algorithm.tasks))}): {algorithm.source}")
    return EXIT_DONE
