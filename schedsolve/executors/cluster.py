"""Jobs on a Dask cluster: its scheduler sends them to workers on any machines (extra `cluster`)."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Hashable, Iterator
from contextlib import suppress
from math import inf
from typing import Any

from schedsolve.errors import InputError, shown
from schedsolve.executors.jobs import Done, Executor, Job, error_line, outcome
from schedsolve.executors.processes import usable_cores

CONNECT_SECONDS = 10
MOST_UNDER_WAY = 1000
"""Jobs that the scheduler knows of at a time; the others wait here."""


class Cluster(Executor):
    """Runs jobs on the cluster of a Dask scheduler at an address such as "tcp://node1:8786"; "local" starts a
    scheduler and workers on this machine.

    workers: of "local"; as many as there are cores when not given. A worker needs this version of schedsolve.
    Raises InputError when dask is not installed or nobody answers at the address.
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
            self._local = target = LocalCluster(
                n_workers=workers or usable_cores(),
                threads_per_worker=1,
                dashboard_address=None,
                silence_logs=logging.CRITICAL,
            )
        try:
            self._client = Client(target, timeout=CONNECT_SECONDS, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise InputError(
                f"no Dask scheduler answers at {shown(address)}: {' '.join(str(error).split()):.200}"
            ) from None
        self._waiting: deque[Job] = deque()
        self._under_way: dict[Any, tuple[Job, Any]] = {}

    def submit(self, key: Hashable, function: Callable[..., Any], *arguments: Any) -> None:
        """Add a job."""
        self._waiting.append(Job(key, function, arguments))

    @property
    def width(self) -> int:
        """The number of threads that the workers have together."""
        threads: dict[str, int] = self._client.nthreads()
        return max(1, sum(threads.values()))

    def completed(self, seconds: float = inf) -> Iterator[Done]:
        """The jobs as they complete, until none is left or no other completes within so many seconds of the
        call. Raises InputError when the scheduler is gone.
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
            future = self._client.submit(outcome, job, pure=False)
            self._under_way[future.key] = job, future
            running.add(future)

    def _outcome(self, job: Job, future: Any) -> Done | None:
        """What became of a job; None when its result went down with the worker that had it, and comes again.
        Raises InputError when the cluster dropped it.

        The scheduler itself sends a job to another worker when one dies of it; after some deaths it gives up.
        """
        status = future.status
        if status == "finished":
            try:
                done: Done = future.result()
                return done
            except Exception as error:
                return Done(job.key, error=error_line(error))
        if status in ("pending", "lost"):
            return None
        if status != "error":
            raise InputError("the Dask scheduler is gone; what was finished before is kept")
        return Done(job.key, error=error_line(future.exception()))

    def close(self) -> None:
        """Leave the cluster; end it when it was started here."""
        self._waiting.clear()
        self._client.close()
        if self._local is not None:
            self._local.close()
