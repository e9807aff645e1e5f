"""The executor that is asked for."""

from __future__ import annotations

from schedsolve.executors.jobs import Executor
from schedsolve.executors.processes import Processes


def executor(workers: int | None = None, dask: str | None = None) -> Executor:
    """Processes of this machine, as many as there are cores unless told otherwise; or the Dask cluster at an
    address, or "local". Raises InputError for a cluster that does not answer.
    """
    if dask is None:
        return Processes(workers)
    from schedsolve.executors.cluster import Cluster

    return Cluster(dask, workers)
