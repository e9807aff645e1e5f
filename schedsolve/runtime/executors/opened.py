"""The choice between the executors."""

from __future__ import annotations

from schedsolve.runtime.errors import InputError, shown
from schedsolve.runtime.executors.jobs import Executor


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
        If the number of workers is none, or the cluster does not answer.
    """
    if workers is not None and (type(workers) is not int or workers < 1):
        raise InputError(f"workers is a number of 1 or more, or None for one per core; not {shown(workers)}")
    if dask is None:
        from schedsolve.runtime.executors.processes import Processes

        return Processes(workers)
    from schedsolve.runtime.executors.cluster import Cluster

    return Cluster(dask, workers)
