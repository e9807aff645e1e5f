"""Jobs on a Dask cluster, whose scheduler sends them to workers on any machine (extra `cluster`)."""

from __future__ import annotations

import logging
from collections.abc import Hashable, Iterator
from contextlib import suppress
from math import inf
from typing import Any

from schedsolve.runtime.errors import InputError, shown
from schedsolve.runtime.executors.jobs import Done, Executor, Job, error_line, outcome
from schedsolve.runtime.executors.processes import usable_cores
from schedsolve.runtime.executors.spawned import end_without_guard, missing_guard

CONNECT_SECONDS = 10
MOST_UNDER_WAY = 1000
"""The most jobs given to the scheduler at a time; the others wait in this process."""


class Cluster(Executor):
    """Run jobs on a Dask cluster, or on a scheduler and workers started on this machine.

    A worker needs the same version of schedsolve.

    Parameters
    ----------
    address
        The address of the scheduler, such as "tcp://node1:8786"; "local" starts one on this machine.
    workers
        The number of workers of "local"; None for the number of cores.

    Raises
    ------
    InputError
        If dask is not installed, its workers do not start, or no scheduler answers at the address.
    """

    def __init__(self, address: str, workers: int | None = None) -> None:
        try:
            from distributed import Client, LocalCluster
        except ImportError:
            raise InputError(
                "--dask takes the package distributed; install it with: pip install 'schedsolve[cluster]'"
            ) from None
        for name in ("distributed", "distributed.client"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
        self._local: Any = None
        target: Any = address
        if address == "local":
            end_without_guard()
            try:
                self._local = target = LocalCluster(
                    n_workers=workers or usable_cores(),
                    threads_per_worker=1,
                    dashboard_address=None,
                    silence_logs=logging.CRITICAL,
                )
            except RuntimeError as error:
                raise missing_guard(f"Dask says: {error}") from None
        try:
            self._client = Client(target, timeout=CONNECT_SECONDS, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise InputError(
                f"no Dask scheduler answers at {shown(address)}: {' '.join(str(error).split()):.200}"
            ) from None
        super().__init__()
        self._under_way: dict[Any, tuple[Job, Any]] = {}
        self._last_keys: dict[str, Hashable] = {}
        """The key of the last job of each worker that returned one, by its address."""

    @property
    def width(self) -> int:
        """The total number of threads of the workers."""
        threads: dict[str, int] = self._client.nthreads()
        return max(1, sum(threads.values()))

    def completed(self, seconds: float = inf) -> Iterator[Done]:
        """Yield the jobs as they complete, until none is left.

        Parameters
        ----------
        seconds
            Stop when no job completes within this time after the call.

        Raises
        ------
        InputError
            If the scheduler is gone.
        """
        from distributed import as_completed

        patience = None if seconds == inf else seconds
        under_way = [future for _, future in self._under_way.values()]
        running = as_completed(under_way, loop=self._client.loop, timeout=patience)
        self._send(running)
        with suppress(TimeoutError):
            for future in running:
                done = self._outcome(self._under_way[future.key][0], future)
                if done is None:
                    running.add(future)
                    continue
                del self._under_way[future.key]
                future.release()
                self._send(running)
                yield done
                self._send(running)

    def _send(self, running: Any) -> None:
        while self._waiting and len(self._under_way) < MOST_UNDER_WAY:
            job = self._waiting.popleft()
            homes = [worker for worker, key in self._last_keys.items() if key == job.key]
            where = {"workers": homes, "allow_other_workers": True} if homes else {}
            future = self._client.submit(_outcome_and_worker, job, pure=False, **where)
            self._under_way[future.key] = job, future
            running.add(future)

    def _outcome(self, job: Job, future: Any) -> Done | None:
        """Return the outcome of a job, or None if its result was lost and will be computed again.

        A result is lost when the worker that holds it dies. The scheduler sends a job whose worker died to
        another worker, and gives up after a number of deaths.

        Raises
        ------
        InputError
            If the cluster dropped the job.
        """
        status = future.status
        if status == "finished":
            try:
                done: Done
                done, worker = future.result()
                self._last_keys[worker] = job.key
                return done
            except Exception as error:
                return Done(job.key, error=error_line(error))
        if status in ("pending", "lost"):
            return None
        if status != "error":
            raise InputError("the Dask scheduler is gone; what was finished before is kept")
        return Done(job.key, error=error_line(future.exception()))

    def close(self) -> None:
        """Leave the cluster, and stop it if it was started here."""
        self._waiting.clear()
        self._client.close()
        if self._local is not None:
            self._local.close()


def _outcome_and_worker(job: Job) -> tuple[Done, str]:
    """Run a job; return its outcome and the address of the worker, which is this process."""
    from distributed import get_worker

    return outcome(job), str(get_worker().address)
