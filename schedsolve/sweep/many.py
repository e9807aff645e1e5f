"""Solving many problems: side by side, into a store or not."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from schedsolve.certify.saved_files import read_result
from schedsolve.executors.jobs import Executor
from schedsolve.executors.opened import executor
from schedsolve.modelkit.search import Options
from schedsolve.network.graph import Network
from schedsolve.problem import Problem, problem_id
from schedsolve.result import Result, result_to_json
from schedsolve.solving.solve import solve
from schedsolve.sweep.store import Asked, Record, Store, record_of


@dataclass
class Tally:
    """How far a sweep is, in problems.

    total: all different ones. known: those that the store had before. solved, open: those with a result,
    settled or not, the known ones among them. failed: those without, with what went wrong in one line.
    """

    total: int = 0
    known: int = 0
    solved: int = 0
    open: int = 0
    failed: list[tuple[Problem, str]] = field(default_factory=list)

    @property
    def left(self) -> int:
        """How many are still to come."""
        return self.total - self.solved - self.open - len(self.failed)

    @property
    def settled(self) -> bool:
        """Whether every problem is."""
        return self.solved == self.total

    def take(self, settled: bool) -> None:
        """Count a result."""
        self.solved += settled
        self.open += not settled


def solve_to_record(problem: Problem, asked: Asked) -> Record:
    """Solve a problem; what a worker does."""
    result = solve(
        problem,
        Options(time_limit=asked.time_limit, backend=asked.backend, seed=asked.seed, certify=asked.certify),
    )
    if result.interrupted:
        raise InterruptedError("it was interrupted")
    return record_of(result_to_json(result, links=False))


def sweep(
    asked: Iterable[tuple[Problem, Asked]],
    store: Store,
    open_executor: Callable[[], Executor],
    progress: Callable[[Tally], None] = lambda _: None,
) -> Tally:
    """Solve every problem that the store has no answer to, and store each result when it comes.

    open_executor: makes what solves them; not called when nothing is left to do. progress: called with the
    tally after every result. A KeyboardInterrupt (Ctrl-C) leaves what is stored.
    Raises InputError when the store cannot be written.
    """
    wanted: dict[tuple[str, Asked], Problem] = {}
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
        for number, (problem, options) in enumerate(left):
            workers.submit(number, solve_to_record, problem, options)
        for done in workers.completed():
            assert isinstance(done.key, int)
            problem, options = left[done.key]
            if done.error is not None:
                tally.failed.append((problem, done.error))
            else:
                store.add(problem, options, done.value)
                tally.take(done.value.settled)
            progress(tally)
    return tally


def solve_many(
    problems: Sequence[Problem],
    options: Options | None = None,
    *,
    workers: int | None = None,
    dask: str | None = None,
    store: str | None = None,
) -> list[Result]:
    """The results of many problems, in their order, each solved in one process of several.

    workers: how many processes; as many as there are cores unless told otherwise. dask: the address of a Dask
    scheduler, or "local", in place of processes. store: a file in which results are kept as they come; what
    it has is not solved again. options: for each problem; their workers and progress are not used.

    ```python
    from schedsolve import Network, build_problem, solve_many

    rings = [build_problem("telephone", "gossip", Network.from_spec(f"cycle:{n}")) for n in range(3, 30)]
    print([result.value for result in solve_many(rings, workers=2)])
    ```

    A script calls it below `if __name__ == "__main__":`, as it starts processes.
    Raises InputError for a store or a cluster that cannot be used, RuntimeError when a problem could not be
    solved; the others are in the store then.
    """
    options = options or Options()
    asked = Asked(options.time_limit, options.backend, options.seed, options.certify)
    if store is not None:
        with Store(store, write=True) as opened:
            tally = sweep(((p, asked) for p in problems), opened, lambda: executor(workers, dask))
            _raise_first(tally.failed)
            return [_named(opened.result(problem, asked), problem) for problem in problems]
    found: dict[str, Any] = {}
    failed: list[tuple[Problem, str]] = []
    distinct = {problem_id(problem): problem for problem in problems}
    with executor(workers, dask) as running:
        for name, problem in distinct.items():
            running.submit(name, solve_to_record, problem, asked)
        for done in running.completed():
            assert isinstance(done.key, str)
            if done.error is not None:
                failed.append((distinct[done.key], done.error))
            else:
                found[done.key] = done.value.data()
    _raise_first(failed)
    return [_named(found[problem_id(problem)], problem) for problem in problems]


def _named(data: Any, problem: Problem) -> Result:
    """The result in JSON data, for the problem as it was asked, its network called as there."""
    return replace(read_result(data), problem=problem)


def _raise_first(failed: Sequence[tuple[Problem, str]]) -> None:
    if failed:
        problem, why = failed[0]
        where = f"{problem.model} {problem.task} on {problem.network.name or 'a network'}"
        raise RuntimeError(f"{len(failed)} problems could not be solved; the first is {where}: {why}")
