"""Jobs in processes on this machine."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import threading
import time
from collections import Counter
from collections.abc import Hashable, Iterator
from contextlib import suppress
from math import inf
from multiprocessing.connection import Connection, wait

from schedsolve.runtime.executors.jobs import MOST_LOSSES, Done, Executor, Job, error_line, outcome
from schedsolve.runtime.executors.spawned import MISSING_GUARD, missing_guard, spawned

STARTED = Done(None)
"""What a worker process sends first."""


class Processes(Executor):
    """Runs jobs in processes on this machine, which end when this process ends, however it ends.

    A script that uses it needs the guard `if __name__ == "__main__":`, because Python's "spawn" runs the
    script again in every process.
    """

    def __init__(self, workers: int | None = None) -> None:
        self.workers = workers or usable_cores()
        super().__init__()
        self._idle: list[_Worker] = []
        self._busy: dict[Connection, _Worker] = {}
        self._losses: Counter[Hashable] = Counter()

    @property
    def width(self) -> int:
        """The number of processes."""
        return self.workers

    def completed(self, seconds: float = inf) -> Iterator[Done]:
        """Yield the jobs as they complete, until none is left.

        Parameters
        ----------
        seconds
            Stop when no job completes within this time after the call.

        Raises
        ------
        InputError
            If a process ends before it can take a job, as it does if the script has no guard.
        """
        end = time.monotonic() + seconds
        while self._waiting or self._busy:
            self._assign()
            patience = None if end == inf else max(0.0, end - time.monotonic())
            ready = wait(list(self._busy), patience)
            if not ready:
                return
            for connection in ready:
                assert isinstance(connection, Connection)
                worker = self._busy[connection]
                done = worker.answer()
                if done is STARTED:
                    continue
                del self._busy[connection]
                if done is None:
                    done = self._lost(worker)
                else:
                    self._idle.append(worker)
                    self._losses.pop(done.key, None)
                # The next job goes out before the caller looks at this one's result.
                self._assign()
                if done is not None:
                    yield done

    def _assign(self) -> None:
        while self._waiting and len(self._busy) < self.workers:
            job = self._waiting.popleft()
            worker = self._idle.pop(self._place(job)) if self._idle else _Worker()
            worker.start(job)
            self._busy[worker.connection] = worker

    def _place(self, job: Job) -> int:
        """Return the place, among the idle workers, of the one that had the last job of this key, if any."""
        return next((i for i, worker in enumerate(self._idle) if worker.last_key == job.key), -1)

    def _lost(self, worker: _Worker) -> Done | None:
        """Queue the job of a dead worker again, or return its outcome if it has failed often enough.

        Raises
        ------
        InputError
            If the worker ended by itself before it could take the job, as all others would.
        """
        job, started, code = worker.job, worker.started, worker.end()
        assert job is not None
        if not started and code is not None and code > 0:
            raise missing_guard("" if code == MISSING_GUARD else f"one ended with exit status {code}")
        self._losses[job.key] += 1
        if self._losses[job.key] < MOST_LOSSES:
            self._waiting.appendleft(job)
            return None
        return Done(job.key, error=f"{MOST_LOSSES} workers died of it, the last with exit status {code}")

    def close(self) -> None:
        """Stop the processes."""
        self._waiting.clear()
        for worker in [*self._idle, *self._busy.values()]:
            worker.end()
        self._idle.clear()
        self._busy.clear()


def usable_cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class _Worker:
    """A process and the job that it runs."""

    def __init__(self) -> None:
        self.connection, other_end = multiprocessing.Pipe()
        self.job: Job | None = None
        self.started = False
        self.last_key: Hashable = None
        self._process = spawned(_serve, other_end)
        other_end.close()

    def start(self, job: Job) -> None:
        """Send a job to the process; if the process is dead, `answer` says so."""
        self.job, self.last_key = job, job.key
        with suppress(OSError):
            self.connection.send(job)

    def answer(self) -> Done | None:
        """Return the outcome of the job, or STARTED at first; None if the process died."""
        try:
            done: Done = self.connection.recv()
        except (EOFError, OSError):
            return None
        if not self.started:
            self.started = True
            return STARTED
        return done

    def end(self) -> int | None:
        """Stop the process and return its exit status."""
        self._process.terminate()
        self._process.join()
        code = self._process.exitcode
        self._process.close()
        self.connection.close()
        return code


def _serve(connection: Connection) -> None:
    """Run one job after another in this process until the parent closes the connection or dies."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with suppress(OSError):
        connection.send(STARTED)
    while True:
        try:
            done = outcome(connection.recv())
        except (EOFError, OSError):
            return
        try:
            content = pickle.dumps(done)
        except Exception as error:
            content = pickle.dumps(Done(done.key, error=error_line(error)))
        try:
            connection.send_bytes(content)
        except OSError:
            return


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
