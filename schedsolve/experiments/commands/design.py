"""`schedsolve design`: the sparsest network on which a task takes few rounds, both sides proven."""

from __future__ import annotations

import argparse
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from schedsolve.certify.text.output_files import print_json, print_text, refuse_output, write_json
from schedsolve.commands.options import (
    AS_WRITTEN,
    EXIT_DONE,
    EXIT_LIMIT,
    JSON,
    add_options,
    add_verb,
)
from schedsolve.experiments.commands.sweep import refuse_executor
from schedsolve.modelkit.verb import natural, seconds
from schedsolve.runtime.display.progress import TextLine
from schedsolve.runtime.errors import InputError, shown
from schedsolve.runtime.files.number_reader import whole_number

if TYPE_CHECKING:
    from schedsolve.experiments.designs.record import Design
    from schedsolve.experiments.designs.search import Progress


def add_design(commands: Any) -> None:
    """Add the verb to the command line."""
    from schedsolve.experiments.designs.by_model import EXAMPLES

    text = (
        "the network with the fewest links on which a task takes the fewest rounds, or the one of a class"
        " in which it takes the least time, both sides proven"
    )
    examples = "\n".join(["examples:", *(f"  schedsolve design {one}" for one in EXAMPLES)])
    parser = add_verb(commands, "design", design_command, text, epilog=examples, formatter_class=AS_WRITTEN)
    parser.add_argument("model", metavar="MODEL", help="the model, as in the examples below")
    parser.add_argument("task", metavar="TASK", help="such as gossip; see the examples")
    add_options(parser, {"--nodes N": "the number of nodes"}, required=True, type=natural)
    degrees = {
        "--max-degree D|A..B|least": "no node has more links; a range gives a table over degrees; least: the"
        " least degree with as few rounds as any network",
        "--regular D|A..B": "every node has so many links; likewise",
    }
    add_options(parser, degrees)
    options = {
        "--rounds M|least": "the number of rounds (default: the least)",
        "--steps S|least": "likewise, for a model that counts steps",
        "--edges E|least": "the most links, or any (default: the fewest; any in steps with a limited degree)",
        "--bipartite": "every link joins two sides",
        "--directed": "the links are arcs; degrees count those in and out, each",
        "--circulant": "circulants only, all of them",
        "--cayley": "Cayley graphs only, all of them",
        "--planar": "networks drawn without crossings only",
        "--vertex-transitive": "automorphisms take every node to every other",
        "--source one|all|min|max": "of a broadcast: every source takes so few rounds (all or max, the"
        " default), or one does (one or min)",
        "--ports K|all": "of the line model: in how many calls of a round a node may be (default: all)",
        "--dask ADDRESS|local": "decide networks on the cluster of the Dask scheduler at this address, or on"
        " one started here",
        "--store RESULTS.db": "keep there what is decided; the same command resumes",
        "--all": "print every optimal network, as graph6",
        "-o --output NETWORK": "save the network with its schedule and the proof (.json, .json.gz), which"
        " check replays; or the network alone, in the format of the ending (such as .edges)",
        **JSON,
        "-q --quiet": "print the verdict only, and no progress",
    }
    add_options(parser, options)
    limit = {"--time-limit S": "stop after S seconds with the best network and bounds"}
    add_options(parser, limit, type=seconds)
    add_options(parser, {"--workers W": "processes that decide networks (default 1)"}, type=natural)


def design_command(arguments: argparse.Namespace) -> int:
    """Run the verb and return the exit status."""
    from schedsolve.modelkit.result import Status
    from schedsolve.network.files.any_format import is_network_file

    output = arguments.output
    if output is not None:
        refuse_output(output)
        if not _is_json(output) and not is_network_file(output):
            raise InputError(
                f"--output of a design ends in .json or in a network's format such as .edges, not in"
                f" '{Path(output).suffix:.20}'"
            )
    refuse_executor(arguments)
    watched = sys.stderr.isatty() and not arguments.quiet
    with ExitStack() as opened:
        if watched:
            opened.callback(TextLine.clear)
        progress = TextLine() if watched else lambda _: None
        by_degree = _range_of_degrees(arguments)
        if by_degree is not None:
            return _by_degree(arguments, *by_degree, progress)
        found = _found(arguments, progress, opened)
    if output is not None:
        _save(found, output)
    if arguments.json:
        print_json(found.to_json())
    else:
        print_text("\n".join([found.verdict] if arguments.quiet and not arguments.all else found.lines))
    return EXIT_LIMIT if found.status in (Status.BOUNDED, Status.UNKNOWN) else EXIT_DONE


def _found(arguments: argparse.Namespace, progress: Progress, opened: ExitStack) -> Design:
    """Return the design."""
    from schedsolve.experiments.designs.design import design

    store = None
    if arguments.store is not None:
        from schedsolve.solving.store import Store

        store = opened.enter_context(Store(arguments.store, write=True))
    own = {
        name: getattr(arguments, name) for name in ("rounds", "steps", "source", "ports", "workers", "dask")
    }
    return design(**_asked(arguments), **own, every=arguments.all, store=store, progress=progress)


def _range_of_degrees(arguments: argparse.Namespace) -> tuple[str, range | Literal["least"]] | None:
    """Return the option that gives a range of degrees, and the range; else make both options numbers."""
    from schedsolve.solving.frontier import range_of

    for name in ("max_degree", "regular"):
        text = getattr(arguments, name)
        if name == "max_degree" and text == "least":
            return name, "least"
        if text is not None and ".." in text:
            return name, range_of(text)
        if text is not None and whole_number(text, 0, 10**6, text=True) is None:
            option = name.replace("_", "-")
            raise InputError(f"--{option} takes a degree, or a range such as 2..4, not {shown(text)}")
        setattr(arguments, name, None if text is None else int(text))
    return None


def _by_degree(
    arguments: argparse.Namespace, name: str, degrees: range | Literal["least"], progress: Progress
) -> int:
    """Print the best networks by degree, or save them, and return the exit status."""
    from schedsolve.certify.text.text import table_lines
    from schedsolve.experiments.designs.degrees import degree_frontier

    other = "max_degree" if name == "regular" else "regular"
    for option in ("all", "workers", "dask", "store", "edges", other):
        if getattr(arguments, option):
            raise InputError(f"--{option.replace('_', '-')} does not go with a range of degrees")
    for option in ("rounds", "steps"):
        if getattr(arguments, option) not in (None, "least"):
            raise InputError(f"a range of degrees takes the least {option} of each, not --{option} given")
    if arguments.output is not None and not _is_json(arguments.output):
        raise InputError("--output of a range of degrees ends in .json or .json.gz")
    given = _asked(arguments)
    for option in ("edges", "max_degree", "regular"):
        del given[option]
    given |= {option: getattr(arguments, option) for option in ("source", "ports")}
    found = degree_frontier(**given, degrees=degrees, of_every_node=name == "regular", progress=progress)
    if arguments.output is not None:
        write_json(found.to_json(), arguments.output)
    if arguments.json:
        print_json(found.to_json())
    else:
        TextLine.clear()
        print_text("\n".join([*found.lines, *table_lines(found.header, [row.cells for row in found.rows])]))
    return EXIT_LIMIT if found.open else EXIT_DONE


def _asked(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return what all designs take: the task, the class and the limits."""
    from schedsolve.network.classes.network_class import Properties

    names = ("model", "task", "nodes", "edges", "time_limit", *Properties.__annotations__)
    return {name: getattr(arguments, name) for name in names}


def _is_json(output: str) -> bool:
    return output.endswith((".json", ".json.gz"))


def _save(found: Design, output: str) -> None:
    from schedsolve.network.files.any_format import write_network

    if _is_json(output):
        write_json(found.to_json(), output)
    elif found.network is None:
        raise InputError(f"cannot write {output}: no network was found")
    else:
        write_network(found.network, output)
