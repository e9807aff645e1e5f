"""The choice between the executors."""

from __future__ import annotations

from schedsolve.executors.jobs import Executor


def executor(workers: int | None = None, dask: str | None = None) -> Executor:
    """Return an executor: processes on this machine, or a Dask cluster.

    Parameters
    ----------
    workers
        The number of processes; None for the number of cores.
    dask
        The address of a Dask scheduler, or "local"; None for processes on this machine.

    Raises
    ------
    InputError
        If the cluster does not answer.
    """
    if dask is None:
        from schedsolve.executors.processes import Processes

        return Processes(workers)
    from schedsolve.executors.cluster import Cluster

    return Cluster(dask, workers)
