"""The command line: `schedsolve solve MODEL TASK NETWORK` and its siblings."""

from __future__ import annotations

import argparse
import io
import json
import os
import re
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NoReturn

from schedsolve.errors import InputError, one_line
from schedsolve.interrupts import one_interrupt
from schedsolve.output_files import refuse_output, write_json, write_text

if TYPE_CHECKING:
    from schedsolve.model import Parameter

EXIT_DONE, EXIT_CLAIM_FAILS, EXIT_BAD_INPUT, EXIT_LIMIT = 0, 1, 2, 3


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit status is 0 done, 1 a checked claim fails, 2 bad input, 3 stopped at a limit."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        parsed = _parser().parse_args(arguments)
        command: Callable[[argparse.Namespace], int] = parsed.command
        with one_interrupt():
            status = command(parsed)
        sys.stdout.flush()
        return status
    except InputError as error:
        print(f"schedsolve: {one_line(str(error))}", file=sys.stderr)
        return EXIT_BAD_INPUT
    except KeyboardInterrupt:
        print("schedsolve: interrupted", file=sys.stderr)
        return EXIT_LIMIT
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_DONE
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        print(f"schedsolve: cannot write the output: {error.strerror or error}", file=sys.stderr)
        return EXIT_BAD_INPUT


class _Parser(argparse.ArgumentParser):
    """An argument parser whose complaints are one line and an exit status of 2."""

    def error(self, message: str) -> NoReturn:
        print(f"schedsolve: {one_line(message)} (see {self.prog} --help)", file=sys.stderr)
        raise SystemExit(EXIT_BAD_INPUT)


def _parser() -> argparse.ArgumentParser:
    from schedsolve import __version__
    from schedsolve.draw_command import add_draw_parser
    from schedsolve.explore_command import add_explore_parser
    from schedsolve.simulate_command import add_simulate_command

    parser = _Parser(prog="schedsolve", description="Optimal communication schedules, solved exactly and certified.", allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"schedsolve {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    solve = _problem_command(commands, "solve", _solve, "find the optimum, with a proven lower bound")
    _add_solving_options(solve)
    solve.add_argument("--output", metavar="FILE", help="save the result as JSON (compressed if FILE ends in .gz)")
    solve.add_argument(
        "--certify",
        action=argparse.BooleanOptionalAction,
        help="keep, or do not keep, what proves the lower bound to a checker (default: when --output is given)",
    )
    construct = _problem_command(commands, "construct", _construct, "run the papers' algorithms, replay, print the best schedule")
    construct.add_argument("--algorithm", metavar="NAME", help="only this one (see `schedsolve algorithms`)")
    construct.add_argument("--seed", type=_natural, default=0, metavar="N", help="seed of the searching algorithms (default 0)")
    construct.add_argument("--output", metavar="FILE", help="save the best schedule as JSON, for check and analyse")
    _problem_command(commands, "bounds", _bounds, "every lower bound with its source")
    compare = _problem_command(commands, "compare", _compare, "a table of bounds, algorithms, optimum and gap", networks="*")
    compare.add_argument("--output", metavar="FILE", help="write the table to FILE.md, .csv, .html or .json")
    _add_solving_options(compare)
    check = commands.add_parser("check", help="replay a saved result or your own schedule, and verify its claims", allow_abbrev=False)
    check.add_argument("file", metavar="FILE")
    check.set_defaults(command=_check)
    analyse = commands.add_parser("analyse", help="time-paths, delays and collisions of a saved schedule", allow_abbrev=False)
    analyse.add_argument("file", metavar="FILE")
    analyse.add_argument("--from", dest="start", metavar="V", help="show the time-path from this node")
    analyse.add_argument("--to", dest="end", metavar="V", help="to that one")
    analyse.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    analyse.set_defaults(command=_analyse)
    add_simulate_command(commands)
    add_draw_parser(commands)
    add_explore_parser(commands, seconds=_seconds, natural=_natural)
    for name, command, text in (
        ("models", _list_models, "the models, their tasks and parameters"),
        ("networks", _list_networks, "the named networks and the file formats"),
        ("algorithms", _list_algorithms, "the algorithms of every model"),
    ):
        commands.add_parser(name, help=text, allow_abbrev=False).set_defaults(command=command)
    return parser


def _problem_command(
    commands: Any, name: str, command: Callable[[argparse.Namespace], int], text: str, networks: str | None = None
) -> argparse.ArgumentParser:
    """A command that takes a problem: model, task, network and the parameters of all models."""
    from schedsolve.models import models
    from schedsolve.parameters import ROUNDS

    parser: argparse.ArgumentParser = commands.add_parser(name, help=text, description=text, allow_abbrev=False)
    several = networks is not None
    names = ", ".join(dict.fromkeys(model.name for model in models().values()))
    tasks = ", ".join(dict.fromkeys(t for m in models().values() for t in m.tasks))
    parser.add_argument("model", metavar="MODEL", help=f"{names}{'; or a .toml file of problems, and nothing else' if several else ''}")
    parser.add_argument("task", metavar="TASK", nargs="?" if several else None, help=tasks)
    parser.add_argument("network", metavar="NETWORK", nargs=networks, help="such as cycle:9, or a file (see `schedsolve networks`)")
    parser.add_argument("--directed", action="store_true", help="read an edge list as arcs")
    parameters: dict[str, Parameter] = {}
    helps: dict[str, dict[str, None]] = {}
    for parameter in (p for model in models().values() for task in model.tasks.values() for p in task):
        parameters.setdefault(parameter.name, parameter)
        helps.setdefault(parameter.name, {}).setdefault(parameter.help)
    if name != "solve":
        del parameters[ROUNDS.name]
    for parameter in parameters.values():
        text = "; ".join(helps[parameter.name]).replace("%", "%%")
        if parameter.metavar is None:
            parser.add_argument(parameter.option, action="store_const", const=True, help=text)
        else:
            parser.add_argument(parameter.option, metavar=parameter.metavar, help=text)
    parser.set_defaults(command=command, parameters=tuple(parameters))
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    parser.add_argument("--quiet", action="store_true", help="print the verdict only, no schedule and no progress")
    return parser


def _add_solving_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--time-limit", type=_seconds, metavar="S", help="stop after S seconds with the best schedule and bounds")
    parser.add_argument("--workers", type=_natural, default=1, metavar="N", help="searches to run side by side (default 1)")
    parser.add_argument("--backend", metavar="NAME", help="search with sat or cpsat only; certificates are always found by sat")
    parser.add_argument("--seed", type=_natural, default=0, metavar="N", help="seed of the heuristics (default 0)")


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"'{text}' is no number of seconds above 0")
    return value


def _natural(text: str) -> int:
    if not re.fullmatch("[0-9]{1,18}", text):
        raise argparse.ArgumentTypeError(f"'{text}' is no whole number of 0 or more")
    return int(text)


def _problem(arguments: argparse.Namespace, network: str) -> Any:
    from schedsolve.models import build_problem
    from schedsolve.network import Network

    options = {name: getattr(arguments, name) for name in arguments.parameters}
    return build_problem(arguments.model, arguments.task, Network.from_spec(network, directed=arguments.directed), options)


def _options(arguments: argparse.Namespace) -> Any:
    from schedsolve.solve import Options

    if arguments.workers < 1:
        raise InputError("--workers takes a number of 1 or more")
    watched = sys.stderr.isatty() and not arguments.quiet
    options = Options(time_limit=arguments.time_limit, workers=arguments.workers, backend=arguments.backend, seed=arguments.seed)
    return replace(options, progress=_ProgressLine()) if watched else options


class _ProgressLine:
    """Shows progress in one line on standard error, written over and over."""

    def __init__(self) -> None:
        self.shown = 0.0

    def __call__(self, progress: Any) -> None:
        now = time.monotonic()
        if now - self.shown < 0.1:
            return
        self.shown = now
        upper = "?" if progress.upper is None else progress.upper
        text = f"{progress.elapsed:6.1f} s  bounds {progress.lower}..{upper}  {progress.activity}"
        print(f"\r\x1b[K{text[:100]}", end="", file=sys.stderr, flush=True)

    @staticmethod
    def clear() -> None:
        """Wipe the line, so that what is printed next starts clean."""
        if sys.stderr.isatty():
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def _print_json(data: Any) -> None:
    print(json.dumps(data))


def _solve(arguments: argparse.Namespace) -> int:
    from schedsolve.report.text import certificate_line
    from schedsolve.result import Status, result_to_json
    from schedsolve.solve import solve

    problem = _problem(arguments, arguments.network)
    if arguments.output is not None:
        refuse_output(arguments.output)
    certify = bool(arguments.output) if arguments.certify is None else arguments.certify
    result = solve(problem, replace(_options(arguments), certify=certify))
    _ProgressLine.clear()
    _show(result, arguments)
    if certify and not arguments.json:
        print(certificate_line(result))
    if arguments.output:
        write_json(result_to_json(result), arguments.output)
    return EXIT_LIMIT if result.status in (Status.BOUNDED, Status.UNKNOWN) else EXIT_DONE


def _show(result: Any, arguments: argparse.Namespace) -> None:
    """Print a result as the options ask for."""
    from schedsolve.report.text import result_lines, verdict_line
    from schedsolve.result import result_to_json

    if arguments.json:
        _print_json(result_to_json(result))
    else:
        print(verdict_line(result) if arguments.quiet else "\n".join(result_lines(result)))


def _construct(arguments: argparse.Namespace) -> int:
    from schedsolve.models import model_of
    from schedsolve.report.text import problem_line, schedule_lines
    from schedsolve.result import quantity
    from schedsolve.solve import construct, construction_to_json, proven_infeasible

    problem = _problem(arguments, arguments.network)
    if arguments.output is not None:
        refuse_output(arguments.output)
    found = construct(problem, arguments.algorithm, seed=arguments.seed)
    if not found:
        hopeless = proven_infeasible(problem)
        if hopeless is not None:
            _show(hopeless, arguments)
            return EXIT_DONE
        raise InputError("no algorithm works on this problem (`schedsolve algorithms` tells what each needs)")
    best = min(found, key=lambda c: c.value)
    data = construction_to_json(problem, found)
    if arguments.output is not None:
        write_json(data, arguments.output)
    if arguments.json:
        _print_json(data)
        return EXIT_DONE
    print(problem_line(problem))
    objective = model_of(problem).objective
    print(f"  lower bound: {quantity(data['lower_bound'], objective)}")
    for construction in found:
        print(f"  {construction.algorithm.name}: {quantity(construction.value, objective)} ({construction.algorithm.source})")
    if not arguments.quiet:
        labels = problem.network.labels
        where = f", {problem.node_parameter} {labels[best.node]}" if best.node is not None else ""
        print(f"schedule of {best.algorithm.name}, replayed{where}:")
        print("\n".join(schedule_lines(best.schedule, labels)))
    return EXIT_DONE


def _bounds(arguments: argparse.Namespace) -> int:
    from schedsolve.problem import problem_to_json
    from schedsolve.report.text import bound_lines, problem_line
    from schedsolve.result import bound_to_json
    from schedsolve.solve import all_bounds

    problem = _problem(arguments, arguments.network)
    bounds = all_bounds(problem)
    if arguments.json:
        data = [bound_to_json(bound) for bound in bounds]
        _print_json({"format": "schedsolve-bounds/1", "problem": problem_to_json(problem), "bounds": data})
        return EXIT_DONE
    print(problem_line(problem))
    print("\n".join(bound_lines(bounds)))
    return EXIT_DONE


def _compare(arguments: argparse.Namespace) -> int:
    from schedsolve.report import comparison

    writers = {".md": comparison.groups_to_markdown, ".csv": comparison.groups_to_csv, ".html": comparison.groups_to_html}
    ending = os.path.splitext(arguments.output or "")[1]
    if arguments.output is not None:
        refuse_output(arguments.output)
        if ending not in (*writers, ".json"):
            raise InputError(f"a table's file name ends in .md, .csv, .html or .json; not {arguments.output!r:.60}")
    asked, options = _problem_groups(arguments), _options(arguments)
    groups: list[tuple[str, Any]] = []
    for title, problems, limit in asked:
        rows = comparison.compare(problems, options if limit is None else replace(options, time_limit=limit))
        groups.append((title, rows))
        if len(rows) < len(problems) or (rows and rows[-1].result.interrupted):
            break
    _ProgressLine.clear()
    rows = [row for _, rows in groups for row in rows]
    if arguments.output is not None and ending == ".json":
        write_json(comparison.groups_to_json(groups), arguments.output)
    elif arguments.output is not None:
        write_text(writers[ending](groups), arguments.output)
    if arguments.json:
        _print_json(comparison.groups_to_json(groups))
    else:
        print(comparison.groups_to_text(groups))
    return EXIT_DONE if len(rows) == sum(len(problems) for _, problems, _ in asked) and all(row.decided for row in rows) else EXIT_LIMIT


def _problem_groups(arguments: argparse.Namespace) -> list[tuple[str, Sequence[Any], float | None]]:
    """What to compare: titles, problems, and seconds for each where a file says so."""
    if not arguments.model.endswith(".toml"):
        if arguments.task is None or not arguments.network:
            raise InputError("compare takes MODEL TASK NETWORK..., or a .toml file of problems")
        return [("", [_problem(arguments, network) for network in arguments.network], None)]
    from schedsolve.problem_list import read_problem_list

    given = [name for name in arguments.parameters if getattr(arguments, name) is not None]
    if arguments.task is not None or arguments.directed or given:
        raise InputError("with a .toml file of problems, models, tasks, networks and parameters stand in the file")
    listed = read_problem_list(arguments.model)
    limit = listed.time_limit if arguments.time_limit is None else None
    return [(group.title, group.problems, limit) for group in listed.groups]


def _check(arguments: argparse.Namespace) -> int:
    from schedsolve.certify.check import check_file

    report = check_file(arguments.file)
    print("\n".join(report.lines))
    return EXIT_CLAIM_FAILS if report.failed else EXIT_DONE


def _analyse(arguments: argparse.Namespace) -> int:
    from schedsolve.certify.check import read_schedule
    from schedsolve.models import model_of
    from schedsolve.report.analysis import analysis_lines, analysis_to_json

    problem, schedule = read_schedule(arguments.file)
    analysis = model_of(problem).analyse(problem, schedule)
    if arguments.json:
        _print_json(analysis_to_json(analysis, arguments.start, arguments.end))
    else:
        print("\n".join(analysis_lines(analysis, arguments.start, arguments.end)))
    return EXIT_DONE


def _list_models(_: argparse.Namespace) -> int:
    from schedsolve.models import models

    for model in models().values():
        print(f"{model.title}: {model.summary}\n  {model.source}")
        for task, parameters in model.tasks.items():
            print(f"  {task}: {' '.join(f'{p.option} {p.metavar or str()}'.rstrip() for p in parameters)}")
    return EXIT_DONE


def _list_networks(_: argparse.Namespace) -> int:
    from schedsolve.families import families

    for family in families():
        print(f"{family.form:<24} {family.description}")
    print("or a file: .edges (edge list, --directed for arcs) .dimacs .col .g6 .graphml .json (node-link) .mbt .in")
    return EXIT_DONE


def _list_algorithms(_: argparse.Namespace) -> int:
    from schedsolve.models import models

    for model in models().values():
        print(f"{model.title}:")
        for algorithm in model.algorithms:
            print(f"  {algorithm.name} ({', '.join(sorted(algorithm.tasks))}): {algorithm.source}")
    return EXIT_DONE
