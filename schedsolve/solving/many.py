"""Solving many problems in parallel, with or without a store."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from os import PathLike
from typing import Any, Unpack

from schedsolve.certify.saved_result import read_result
from schedsolve.modelkit.problem import Problem, ScheduleType_co, problem_id, read_problems
from schedsolve.modelkit.result import Result, result_to_json
from schedsolve.modelkit.search import AskedOfEach, Options, asked_options
from schedsolve.network.graph import Network
from schedsolve.runtime.display.progress import CountLine
from schedsolve.runtime.errors import InputError, WorkError
from schedsolve.runtime.executors.jobs import Executor
from schedsolve.runtime.executors.opened import executor
from schedsolve.runtime.executors.spawned import end_without_guard
from schedsolve.solving.solve import solve
from schedsolve.solving.store import Record, ResultKey, Store, record_of


@dataclass
class Tally:
    """The progress of a sweep, counted in problems.

    `total` counts the distinct problems; `known` those that the store already had; `solved` and `open` those
    with a result, settled or not, including the known ones; `failed` lists those without a result, each with
    the reason in one line.
    """

    total: int = 0
    known: int = 0
    solved: int = 0
    open: int = 0
    failed: list[tuple[Problem, str]] = field(default_factory=list)

    @property
    def left(self) -> int:
        """The number of problems without a result so far."""
        return self.total - self.solved - self.open - len(self.failed)

    @property
    def settled(self) -> bool:
        """Whether every problem is settled."""
        return self.solved == self.total

    def take(self, settled: bool) -> None:
        """Count a result."""
        self.solved += settled
        self.open += not settled


def solve_to_record(problem: Problem, asked: ResultKey) -> Record:
    """Solve a problem and return its record; this runs in a worker."""
    result = solve(
        problem,
        Options(time_limit=asked.time_limit, backend=asked.backend, seed=asked.seed, certify=asked.certify),
    )
    if result.interrupted:
        raise InterruptedError("it was interrupted")
    return record_of(result_to_json(result, links=False))


def sweep(
    asked: Iterable[tuple[Problem, ResultKey]],
    store: Store,
    open_executor: Callable[[], Executor],
    progress: Callable[[Tally], None] = lambda _: None,
) -> Tally:
    """Solve every problem without an answer in the store, and store each result as it arrives.

    A KeyboardInterrupt (Ctrl-C) keeps what is stored.

    Parameters
    ----------
    asked
        The problems with the options that their results depend on.
    store
        Where the results are kept.
    open_executor
        Returns the executor that solves the problems; not called if none is left.
    progress
        Called with the tally after every result.

    Raises
    ------
    InputError
        If the store cannot be written.
    """
    wanted: dict[tuple[str, ResultKey], Problem] = {}
    # A network that is asked for under several names gets the first, whatever is solved first.
    networks: dict[Network, Network] = {}
    for problem, options in asked:
        network = networks.setdefault(problem.network, problem.network)
        wanted.setdefault((problem_id(problem), options), replace(problem, network=network))
    tally = Tally(total=len(wanted))
    answers = {options: store.answers(options) for options in {options for _, options in wanted}}
    left = []
    for (name, options), problem in wanted.items():
        settled = answers[options].get(name)
        if settled is None:
            left.append((problem, options))
        else:
            tally.known += 1
            tally.take(settled)
    progress(tally)
    if not left:
        return tally
    with open_executor() as workers:
        for (problem, options), record in _solved(left, workers, tally, progress):
            store.add(problem, options, record)
    return tally


def _solved(
    asked: Sequence[tuple[Problem, ResultKey]],
    workers: Executor,
    tally: Tally,
    progress: Callable[[Tally], None],
) -> Iterator[tuple[tuple[Problem, ResultKey], Record]]:
    """Yield what is solved of these problems as it arrives; all of it, and what failed, is counted."""
    for number, (problem, options) in enumerate(asked):
        workers.submit(number, solve_to_record, problem, options)
    for done in workers.completed():
        assert isinstance(done.key, int)
        if done.error is not None:
            tally.failed.append((asked[done.key][0], done.error))
        else:
            yield asked[done.key], done.value
            tally.take(done.value.settled)
        progress(tally)


def solve_many(
    problems: Iterable[Problem[ScheduleType_co]],
    options: Options | None = None,
    *,
    workers: int | None = None,
    dask: str | None = None,
    store: str | PathLike[str] | None = None,
    progress: bool = False,
    **keywords: Unpack[AskedOfEach],
) -> list[Result[ScheduleType_co]]:
    """Return the results of many problems in their order, solved in several processes.

    A script calls it below `if __name__ == "__main__":`, because the processes import the script first.

    ```python
    from schedsolve import build_problem, solve_many

    if __name__ == "__main__":
        rings = [build_problem("telephone", "gossip", f"cycle:{n}") for n in range(3, 30)]
        print([result.value for result in solve_many(rings, workers=2)])
    ```

    Parameters
    ----------
    problems
        The problems, in a list or any other iterable; equal ones are solved once.
    options
        The options of every solve; their workers and progress are not used.
    workers
        The number of processes; None for the number of cores.
    dask
        The address of a Dask scheduler, or "local", instead of processes.
    store
        A file in which results are kept as they arrive; a problem that it has is not solved again.
    progress
        Whether a line on standard error counts what is done.
    keywords
        Fields of `Options`, in place of those in `options`.

    Raises
    ------
    InputError
        If the store or the cluster cannot be used, or if the script has no guard.
    WorkError
        If a problem could not be solved; the results of the others are in the store.
    """
    end_without_guard()
    options = asked_options(options, keywords)
    problems = read_problems(problems)
    asked = ResultKey(options.time_limit, options.backend, options.seed, options.certify)
    line = CountLine() if progress else None
    try:
        return _results(problems, asked, lambda: executor(workers, dask), store, line)
    except InputError as error:
        raise error.with_traceback(None) from None


def _results(
    problems: Sequence[Problem],
    asked: ResultKey,
    start: Callable[[], Executor],
    store: str | PathLike[str] | None,
    line: CountLine | None,
) -> list[Result]:
    """Return the results in order; what `start` gives solves the problems that the store does not have."""

    def show(tally: Tally) -> None:
        if line is not None:
            line.show(tally.solved, tally.open, tally.left, tally.known)

    try:
        if store is not None:
            with Store(store, write=True) as opened:
                tally = sweep(((p, asked) for p in problems), opened, start, show)
                _raise_first(tally.failed)
                return [_named(opened.result(problem, asked), problem) for problem in problems]
        distinct = {problem_id(problem): problem for problem in problems}
        tally = Tally(total=len(distinct))
        with start() as running:
            pairs = [(problem, asked) for problem in distinct.values()]
            solved = _solved(pairs, running, tally, show)
            found = {problem_id(problem): record.data() for (problem, _), record in solved}
        _raise_first(tally.failed)
    finally:
        if line is not None:
            line.clear()
    return [_named(found[problem_id(problem)], problem) for problem in problems]


def _named(data: Any, problem: Problem) -> Result:
    """Return the result in JSON data, for the problem as asked and with its network's name."""
    return replace(read_result(data), problem=problem)


def _raise_first(failed: Sequence[tuple[Problem, str]]) -> None:
    if failed:
        problem, why = failed[0]
        where = f"{problem.model} {problem.task} on {problem.network.name or 'a network'}"
        raise WorkError(f"{len(failed)} problems could not be solved; the first is {where}: {why}")
