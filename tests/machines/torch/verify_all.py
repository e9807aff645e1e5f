"""`torchrun --nproc-per-node N verify_all.py PROGRAM...`: verifies several generated programs in one run.

Each with sizes that its chunks divide and do not; 1 when one differs from torch's own.
"""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import torch
import torch.distributed as dist

COUNTS = (1, 60, 601)


def main() -> int:
    """The exit status."""
    dist.init_process_group("gloo")
    differing = 0
    for file in sys.argv[1:]:
        spec = spec_from_file_location(Path(file).stem, file)
        assert spec is not None
        assert spec.loader is not None
        module = module_from_spec(spec)
        spec.loader.exec_module(module)
        assert dist.get_world_size() == module.COLLECTIVE.ranks, file
        right = all([module.verify(count, torch.device("cpu")) for count in COUNTS])  # noqa: C419  no rank leaves early
        differing += not right
        if dist.get_rank() == 0:
            print(f"{Path(file).name}: {'as torch' if right else 'DIFFERS'}", flush=True)
    dist.destroy_process_group()
    return int(differing > 0)


if __name__ == "__main__":
    sys.exit(main())
