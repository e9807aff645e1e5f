"""Options that several verbs share: the problem, the solving options and the exit statuses."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from schedsolve.modelkit import verb
from schedsolve.modelkit.verb import natural, seconds
from schedsolve.network.bandwidths import ATTRIBUTE
from schedsolve.runtime.display.progress import ProgressLine
from schedsolve.runtime.errors import InputError, one_line

if TYPE_CHECKING:
    from schedsolve.modelkit.record import Model, Parameter
    from schedsolve.modelkit.search import Options

EXIT_DONE, EXIT_CLAIM_FAILS, EXIT_BAD_INPUT, EXIT_LIMIT = 0, 1, 2, 3
_BY_REFUTATION = "--certify=refutation"
AS_WRITTEN = argparse.RawDescriptionHelpFormatter
"""Keeps the lines of a help's end as they are."""
JSON = verb.JSON
TRUST = {"--trust-size": "read files of any size; by default, sizes in files are limited"}
add_options = verb.add_options
SEED = {"--seed N": "seed of the heuristics (default 0)"}

_ASKED: ContextVar[Sequence[str]] = ContextVar("arguments", default=())


@contextmanager
def asked_model(arguments: Sequence[str]) -> Iterator[None]:
    """Restrict parsers in this context to the options of the model that the arguments name.

    The options of its variants are included if others are asked for; if no model is named, those of all
    models are.
    """
    token = _ASKED.set(arguments)
    try:
        yield
    finally:
        _ASKED.reset(token)


def _relevant_models() -> Sequence[Model]:
    from schedsolve.models import model_names, models, models_named

    arguments = _ASKED.get()
    if not arguments or arguments[0] not in model_names():
        return list(models().values())
    given = {word.partition("=")[0].removeprefix("--").replace("-", "_") for word in arguments}
    return models_named(arguments[0], given)


def _add_problem(parser: argparse.ArgumentParser, records: Sequence[Model], networks: str | None) -> None:
    """Add the model, the task and the network, or several."""
    from schedsolve.models import model_names

    several = networks is not None
    names = ", ".join(model_names())
    tasks = ", ".join(dict.fromkeys(t for m in records for t in m.tasks))
    parser.add_argument(
        "model",
        metavar="MODEL",
        help=f"{names}{'; or a .toml file of problems, and nothing else' if several else ''}",
    )
    parser.add_argument("task", metavar="TASK", nargs="?" if several else None, help=tasks)
    parser.add_argument(
        "network",
        metavar="NETWORK",
        nargs=networks,
        help="such as cycle:9, or a file (see `schedsolve list networks`)",
    )


def add_verb(
    commands: Any, name: str, command: Callable[[argparse.Namespace], int], text: str, **others: Any
) -> argparse.ArgumentParser:
    """Add a verb to the command line and return its parser; `others` are for `add_parser`."""
    parser: argparse.ArgumentParser = commands.add_parser(
        name, help=text, description=text, allow_abbrev=False, **others
    )
    parser.set_defaults(command=command)
    return parser


def problem_command(
    commands: Any,
    name: str,
    command: Callable[[argparse.Namespace], int],
    text: str,
    *,
    networks: str | None = None,
    decides: bool = False,
    examples: bool = True,
) -> argparse.ArgumentParser:
    """Return the parser of a command that takes a model, task, network and all models' parameters.

    Parameters
    ----------
    commands
        The verbs of the parser.
    name
        The name of the command.
    command
        The function that runs it.
    text
        Its description.
    networks
        How many networks it takes, as argparse counts; None for one.
    decides
        Whether a number of rounds to decide may be given.
    examples
        Whether the help ends with example problems.
    """
    from schedsolve.modelkit.parameters import ROUNDS

    records = _relevant_models()
    epilog = _examples(name, {model.name for model in records}) if examples else None
    parser = add_verb(commands, name, command, text, epilog=epilog, formatter_class=AS_WRITTEN)
    _add_problem(parser, records, networks)
    add_reading(parser)
    options = {
        "--ignore-bandwidths": "take the plain graph where a model has no use for bandwidths and switches"
    }
    add_options(parser, options)
    names_given = _add_parameters(parser, records, without=() if decides else (ROUNDS.name,))
    parser.set_defaults(parameters=names_given)
    quiet = {"-q --quiet": "print the verdict only, no schedule and no progress"}
    add_options(parser, TRUST | JSON | quiet)
    return parser


def _examples(verb: str, models: Collection[str]) -> str:
    """Return two examples of every model for the end of a help text."""
    from schedsolve.models import examples_of

    return "\n".join(["examples:", *(f"  schedsolve {verb} {e}" for e in examples_of(models))])


def _add_parameters(
    parser: argparse.ArgumentParser, records: Sequence[Model], without: Sequence[str]
) -> tuple[str, ...]:
    """Add the models' parameters, grouped by the models that have them, and return their names."""
    parameters: dict[str, Parameter] = {}
    helps: dict[str, dict[str, None]] = {}
    owners: dict[str, dict[str, None]] = {}
    for model, parameter in ((m, p) for m in records for task in m.tasks.values() for p in task):
        if parameter.name not in without:
            parameters.setdefault(parameter.name, parameter)
            helps.setdefault(parameter.name, {}).setdefault(parameter.help)
            owners.setdefault(parameter.name, {}).setdefault(model.name)
    groups: dict[tuple[str, ...], Any] = {}
    for name in sorted(parameters, key=lambda name: -len(owners[name])):
        of = tuple(owners[name])
        group = groups.get(of) or parser.add_argument_group(f"options of {', '.join(of)}")
        groups[of] = group
        text, parameter = "; ".join(helps[name]).replace("%", "%%"), parameters[name]
        if parameter.metavar is None:
            group.add_argument(parameter.option, action="store_const", const=True, help=text)
        else:
            group.add_argument(parameter.option, metavar=parameter.metavar, type=_typed(parameter), help=text)
    return tuple(parameters)


def _typed(parameter: Parameter) -> Callable[[str], Any]:
    """Return the parameter's reader of an option's text, with errors as argparse takes them."""

    def read(text: str) -> Any:
        try:
            return parameter.from_text(text)
        except InputError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return read


def add_solving_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that say how to solve."""
    limit = {
        "--time-limit S": "stop after S seconds of CPU time, of all workers together, with the best schedule"
        " and bounds"
    }
    add_options(parser, limit, type=seconds)
    add_options(parser, {"--workers N": "searches to run side by side (default 1)"}, type=natural, default=1)
    backend = {
        "--backend NAME": "search with sat, cpsat or pulp (CBC) only, or pulp:SOLVER for any solver that PuLP"
        " finds; refutations for certificates are always found by sat"
    }
    add_options(parser, backend)
    add_options(parser, SEED, type=natural, default=0)


def add_certify(parser: argparse.ArgumentParser, default: bool | None, text: str) -> None:
    """Add the options that say whether, and by what, lower bounds are proven to a checker.

    Parameters
    ----------
    parser
        The parser of a verb.
    default
        The value without the option.
    text
        What the help says of `--certify` and `--no-certify`.
    """
    parser.add_argument("--certify", action=argparse.BooleanOptionalAction, default=default, help=text)
    parser.add_argument(
        _BY_REFUTATION,
        dest="certify",
        action="store_const",
        const="refutation",
        default=default,
        help="the same, and seek a refutation even where other evidence proves the bound",
    )


def with_refutations(arguments: list[str]) -> list[str]:
    """Return the arguments with `--certify refutation` as one word.

    argparse would take the word behind a bare `--certify` for its value, whatever it is.
    """
    joined: list[str] = []
    for word in arguments:
        if word == "refutation" and joined and joined[-1] == "--certify":
            joined[-1] = _BY_REFUTATION
        else:
            joined.append(word)
    return joined


def add_reading(parser: argparse.ArgumentParser) -> None:
    """Add the options that say how a network's file is read."""
    add_options(parser, {"--directed": "read an edge list as arcs"})
    bandwidth = "the attribute of a file's edges that is their bandwidth (default bandwidth)"
    add_options(parser, {"--bandwidth NAME": bandwidth}, default=ATTRIBUTE)
    pcie = (
        "PCI in a file that says what it joins and not how fast: gen4x16, or gen4x16,22 with the GB/s between"
        " processors"
    )
    add_options(parser, {"--pcie GEN": pcie}, default="")
    holes = "without a node (5) or link (0-1) of the network, or several (5,0-1); may be repeated"
    add_options(parser, {"--without HOLES": holes}, action="append", default=[])


def asked_network(arguments: argparse.Namespace, network: str) -> Any:
    """Return the network that a text names, read as the arguments say and without the holes they name.

    Raises
    ------
    InputError
        As `Network.from_spec` and `schedsolve.network.named.holes.without` do.
    """
    from schedsolve.network.graph import Network

    whole = Network.from_spec(
        network, directed=arguments.directed, bandwidth=arguments.bandwidth, pcie=arguments.pcie
    )
    if not arguments.without:
        return whole
    from schedsolve.network.named.holes import without

    return without(whole, ",".join(arguments.without))


def say_understood(arguments: argparse.Namespace, network: Any) -> None:
    """Print on standard error how a machine's file was interpreted, unless --quiet is given.

    It is called after all checks that can refuse the file.
    """
    silent = getattr(arguments, "quiet", False) or getattr(arguments, "json", False)
    if network.understood and not silent:
        print(one_line(f"{network.name}: {network.understood}"), file=sys.stderr)


def asked_problem(arguments: argparse.Namespace, network: str) -> Any:
    """Return the problem that the arguments pose on a network.

    Raises
    ------
    InputError
        As `build_problem` does.
    """
    from schedsolve.models import build_problem, get_model

    get_model(arguments.model)
    options = {name: getattr(arguments, name) for name in arguments.parameters}
    problem = build_problem(
        arguments.model,
        arguments.task,
        asked_network(arguments, network),
        options,
        ignore_bandwidths=arguments.ignore_bandwidths,
    )
    say_understood(arguments, problem.network)
    return problem


def asked_options(arguments: argparse.Namespace) -> Options:
    """Return the solving options in the arguments, showing progress on a terminal."""
    from schedsolve.modelkit.search import Options

    if arguments.workers < 1:
        raise InputError("--workers takes a number of 1 or more")
    watched = sys.stderr.isatty() and not arguments.quiet
    options = Options(
        time_limit=arguments.time_limit,
        workers=arguments.workers,
        backend=arguments.backend,
        seed=arguments.seed,
    )
    return replace(options, progress=ProgressLine()) if watched else options


def add_store(parser: argparse.ArgumentParser, *, required: bool = False) -> None:
    """Add the option that names a store."""
    store = {
        "--store RESULTS.db": "the file that keeps the results, on a local disk; made when there is none"
    }
    add_options(parser, store, required=required)
