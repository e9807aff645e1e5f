"""`mpiexec -n N python tests/machines/mpi/verify_all.py PROGRAM...`: verifies several generated programs in
one run of MPI, each with sizes that its chunks divide and do not; 1 when one differs from MPI's own.
"""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from mpi4py import MPI

COUNTS = (1, 60, 601)


def main() -> int:
    """The exit status."""
    differing = 0
    for file in sys.argv[1:]:
        spec = spec_from_file_location(Path(file).stem, file)
        assert spec is not None
        assert spec.loader is not None
        module = module_from_spec(spec)
        spec.loader.exec_module(module)
        assert MPI.COMM_WORLD.Get_size() == module.RANKS, file
        right = all([module.verify(MPI.COMM_WORLD, count) for count in COUNTS])  # noqa: C419  no rank leaves early
        differing += not right
        if MPI.COMM_WORLD.Get_rank() == 0:
            print(f"{Path(file).name}: {'as MPI' if right else 'DIFFERS'}", flush=True)
    return int(differing > 0)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Exception as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr, flush=True)
        MPI.COMM_WORLD.Abort(1)
