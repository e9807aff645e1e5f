"""Analyses of schedules as lines for a terminal and as JSON."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from typing import Any

from schedsolve.certify.text.text import problem_line, table_lines
from schedsolve.drawing.analysis.analysis import Analysis, Spread, Table, TimePath
from schedsolve.drawing.analysis.of_problem import analysis_of
from schedsolve.modelkit.problem import Problem, problem_to_json
from schedsolve.modelkit.result import Result
from schedsolve.modelkit.schedule import LONGEST_LINE, Schedule
from schedsolve.models import replay
from schedsolve.network.graph import Label
from schedsolve.runtime.errors import InputError, counted

SHOWN_PAIRS = 10
SHOWN_ROWS = 40


def analyse(problem: Problem | Result, schedule: Schedule | None = None) -> Analysis:
    """Return why a schedule takes as long as it does: its time-paths, their delays, and model details.

    The analysis prints as `schedsolve analyse` does.

    ```pycon
    >>> from schedsolve import analyse, build_problem, solve
    >>> analyse(solve(build_problem("telegraph", "gossip", "path:6", period=4))).table("crossings").header[3]
    'weight'

    ```

    Parameters
    ----------
    problem
        A result, or the problem of the schedule, with its source and period given.
    schedule
        The schedule; None for that of the result.

    Raises
    ------
    InputError
        If the schedule is illegal or missing, or if its model has no analysis.
    """
    if isinstance(problem, Result):
        schedule, problem = problem.indexed, problem.placed
    if schedule is None:
        raise InputError("there is no schedule to analyse")
    seen = replay(problem, schedule)
    schedule = schedule.indexed
    if seen.violation and not seen.legal:
        raise InputError(f"the schedule breaks a rule: {seen.violation}")
    return analysis_of(problem, schedule)


def analysis_lines(analysis: Analysis, source: Label | None = None, target: Label | None = None) -> list[str]:
    """Return an analysis as lines: its complexity, the critical pairs with their delays, and tables.

    Parameters
    ----------
    analysis
        The analysis.
    source
        The label of a node, to show the time-path from it to `target` in full.
    target
        The label of the other node.

    Raises
    ------
    InputError
        If only one node is given, a node is unknown, or no item starts at the source.
    """
    lines = [problem_line(analysis.problem), *(_summary_lines(analysis) if analysis.spreads else [])]
    if source is not None or target is not None:
        lines += _chosen_lines(analysis, source, target)
    if analysis.critical_paths:
        lines += _critical_lines(analysis)
    if analysis.node_delays:
        lines += _delay_lines(analysis)
    for table in analysis.notes:
        lines += [f"{table.title}:", *_rows_lines(table.header, table.rows, SHOWN_ROWS)]
        lines += [f"  {remark}" for remark in table.remarks]
    return lines


def path_text(path: TimePath, labels: Sequence[Label]) -> str:
    """Return a time-path with the rounds in its arrows: "0 -1-> 3 -4-> 5"."""
    return " ".join(_words(path, labels))


def _words(path: TimePath, labels: Sequence[Label]) -> list[str]:
    """Return the first node of a path, then an arrow and a node for every arc."""
    arcs = zip(path.rounds, path.nodes[1:], strict=True)
    return [str(labels[path.nodes[0]]), *(f"-{number}-> {labels[node]}" for number, node in arcs)]


def _cut_path(path: TimePath, labels: Sequence[Label], longest: int) -> str:
    """Return the text of a path; if it exceeds `longest` characters, its first arcs and its last one."""
    words = _words(path, labels)
    if len(" ".join(words)) <= longest:
        return " ".join(words)
    kept, length = 1, len(words[0]) + len(words[-1]) + 25
    while kept < len(words) - 2 and length + len(words[kept]) + 1 <= longest:
        length += len(words[kept]) + 1
        kept += 1
    return " ".join([*words[:kept], f"... {len(words) - 1 - kept} more ...", words[-1]])


def _summary_lines(analysis: Analysis) -> list[str]:
    pairs = counted(analysis.pair_count, "pair")
    rounds = counted(analysis.rounds, "round")
    if analysis.complexity is not None:
        return [
            f"complexity {analysis.complexity}: all of {pairs} reached after round {analysis.complexity}; the"
            f" schedule has {rounds}"
        ]
    labels = analysis.problem.network.labels
    missing = [_pair_text(spread, node, labels) for spread, node in analysis.unreached[:SHOWN_PAIRS]]
    more = len(analysis.unreached) - len(missing)
    return [
        (
            f"incomplete: {len(analysis.unreached)} of {pairs} unreached; the last arrival is in round"
            f" {analysis.last_arrival} of {rounds}"
        ),
        f"unreached: {', '.join(missing)}{f' and {more} more' if more else ''}",
    ]


def _pair_text(spread: Spread, node: int, labels: Sequence[Label]) -> str:
    return f"{','.join(str(labels[v]) for v in spread.origins)} -> {labels[node]}"


def _critical_lines(analysis: Analysis) -> list[str]:
    labels, paths = analysis.problem.network.labels, analysis.critical_paths
    shown = paths[:SHOWN_PAIRS]
    rows = [
        [str(labels[p.nodes[0]]), str(labels[p.nodes[-1]]), str(p.global_delay), str(p.global_time)]
        for p in shown
    ]
    front = table_lines(["from", "to", "global delay", "global time"], rows)
    room = LONGEST_LINE - len(front[0]) - 4
    texts = ["path", *(_cut_path(path, labels, room) for path in shown)]
    lines = [
        f"critical {'pair' if len(paths) == 1 else 'pairs'}, reached last ({len(paths)} of"
        f" {analysis.pair_count}):"
    ]
    lines += [f"  {cells}  {text}" for cells, text in zip(front, texts, strict=True)]
    return lines + _more_line(len(paths) - len(shown))


def _delay_lines(analysis: Analysis) -> list[str]:
    labels = analysis.problem.network.labels
    rows = [(str(labels[d.node]), d.waiting, d.starting, d.paths) for d in analysis.node_delays]
    title = "delay per node on the critical paths, in rounds:"
    return [title, *_rows_lines(("node", "delay", "start delay", "critical paths"), rows, SHOWN_PAIRS)]


def _rows_lines(header: Sequence[str], rows: Sequence[Sequence[object]], most: int) -> list[str]:
    """Return the first rows of a table, indented, with long lines cut; no line without rows."""
    if not rows:
        return []
    lines = table_lines(header, [[str(cell) for cell in row] for row in rows[:most]])
    cut = [line if len(line) <= LONGEST_LINE else f"{line[:LONGEST_LINE]} ..." for line in lines]
    return [f"  {line}" for line in cut] + _more_line(len(rows) - most)


def _more_line(number: int) -> list[str]:
    return [f"  and {number} more"] if number > 0 else []


def _chosen(analysis: Analysis, source: Label | None, target: Label | None) -> tuple[Spread, int, int]:
    """Return the spread from a chosen source, the source, and the chosen target.

    Raises
    ------
    InputError
        As `analysis_lines` does.
    """
    if source is None or target is None:
        raise InputError("a time-path has two ends: name both nodes")
    network = analysis.problem.network
    start, end = network.node(source), network.node(target)
    spread = analysis.spread_from(start)
    if spread is None:
        origins = ", ".join(str(network.labels[v]) for spread in analysis.spreads for v in spread.origins)
        raise InputError(
            f"no item of this {analysis.problem.task} starts at node {source}; it starts at {origins}"
        )
    return spread, start, end


def _chosen_lines(analysis: Analysis, source: Label | None, target: Label | None) -> list[str]:
    spread, start, end = _chosen(analysis, source, target)
    labels = analysis.problem.network.labels
    path = spread.path(end)
    if path is None:
        return [f"from {labels[start]} to {labels[end]}: unreached"]
    waits = [
        f"{delay} at {labels[node]}"
        for node, delay in zip(path.nodes[1:-1], path.delays, strict=True)
        if delay
    ]
    head = (
        f"from {labels[start]} to {labels[end]}: global time {path.global_time}, start delay"
        f" {path.start_delay}"
    )
    first = "" if path.nodes[0] == start else f"; the message arrives first from {labels[path.nodes[0]]}"
    wrapped = [f"{head}, delays: {', '.join(waits) or 'none'}{first}", path_text(path, labels)]
    return [
        f"{'  ' if i else ''}{line}"
        for i, text in enumerate(wrapped)
        for line in textwrap.wrap(text, LONGEST_LINE - 2, break_long_words=False, break_on_hyphens=False)
    ]


def analysis_to_json(
    analysis: Analysis, source: Label | None = None, target: Label | None = None
) -> dict[str, Any]:
    """Return a complete analysis as a JSON object with the network's labels.

    "arrivals" has an object for every item: its origins, and for every node, in the order of "nodes",
    the round of its first arrival (0 at an origin, null if it never arrives). "path" is the time-path
    between the two given nodes, null if none are given or no path exists.

    Raises
    ------
    InputError
        As `analysis_lines` does.
    """
    labels = analysis.problem.network.labels
    chosen = None
    if source is not None or target is not None:
        spread, _, end = _chosen(analysis, source, target)
        chosen = spread.path(end)
    return {
        "format": "schedsolve-analysis/1",
        "problem": problem_to_json(analysis.problem),
        "rounds": analysis.rounds,
        "pairs": analysis.pair_count,
        "complexity": analysis.complexity,
        "last_arrival": analysis.last_arrival,
        "unreached": [
            {"from": _named(spread.origins, labels), "to": labels[node]}
            for spread, node in analysis.unreached
        ],
        "critical": [_path_to_json(path, labels) for path in analysis.critical_paths],
        "node_delays": [
            {"node": labels[d.node], "delay": d.waiting, "start_delay": d.starting, "critical_paths": d.paths}
            for d in analysis.node_delays
        ],
        "path": None if chosen is None else _path_to_json(chosen, labels),
        "nodes": list(labels),
        "arrivals": [
            {"from": _named(spread.origins, labels), "rounds": list(spread.arrivals)}
            for spread in analysis.spreads
        ],
        "tables": [_table_to_json(table) for table in analysis.notes],
    }


def _named(nodes: Iterable[int], labels: Sequence[Label]) -> list[Label]:
    return [labels[v] for v in nodes]


def _path_to_json(path: TimePath, labels: Sequence[Label]) -> dict[str, Any]:
    return {
        "nodes": _named(path.nodes, labels),
        "rounds": list(path.rounds),
        "start_delay": path.start_delay,
        "delays": list(path.delays),
        "global_delay": path.global_delay,
        "global_time": path.global_time,
    }


def _table_to_json(table: Table) -> dict[str, Any]:
    rows = [list(row) for row in table.rows]
    return {"title": table.title, "header": list(table.header), "rows": rows, "remarks": list(table.remarks)}
