"""The parts of a program for torch.distributed that do not depend on the schedule."""

from __future__ import annotations

HEAD = '''\
#!/usr/bin/env python3
"""{title}

Run it with: {command}
It needs torch. Written by schedsolve; the batches below are a schedule that its referee replayed.
{where}
{numbering}
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from itertools import pairwise
from typing import Any

try:
    import torch
    import torch.distributed as dist
except ImportError as error:
    print(f"this program needs torch: {{error}}", file=sys.stderr)
    sys.exit(2)
'''
MAIN = '''

def of_torch(output: Any, given: Any) -> None:
    """Torch's own collective."""
    name, root, at_root = COLLECTIVE.name, COLLECTIVE.root, dist.get_rank() == COLLECTIVE.root
    if name == "allgather":
        dist.all_gather_into_tensor(output, given)
    elif name == "alltoall":
        dist.all_to_all_single(output, given)
    elif name == "broadcast":
        if at_root:
            output.copy_(given)
        dist.broadcast(output, root)
    elif name == "gather":
        dist.gather(given, list(output.view(COLLECTIVE.ranks, -1).unbind()) if at_root else None, dst=root)
    elif name == "scatter":
        dist.scatter(output, list(given.view(COLLECTIVE.ranks, -1).unbind()) if at_root else None, src=root)
    else:
        total = given.clone()
        if name == "reduce":
            dist.reduce(total, root)
        else:
            dist.all_reduce(total)
        if name == "reduce-scatter":
            total = total.view(COLLECTIVE.ranks, -1)[dist.get_rank()]
        if output.numel():
            output.copy_(total)


def tensors(count: int, device: Any) -> tuple[Any, Any]:
    """An output of zeros, and an input of small whole numbers, which add up exactly."""
    sent, got = COLLECTIVE.units(dist.get_rank())
    random = torch.Generator().manual_seed(dist.get_rank())
    given = torch.randint(0, 1000, (len(sent) * count,), generator=random).to(torch.float64)
    return torch.zeros(len(got) * count, dtype=torch.float64, device=device), given.to(device)


def verify(count: int, device: Any) -> bool:
    """Whether the collective gives at every rank what torch's own gives, and leaves its input alone."""
    output, given = tensors(count, device)
    expected, before = output.clone(), given.clone()
    COLLECTIVE(output, given)
    of_torch(expected, given)
    good = torch.equal(output, expected) and torch.equal(given, before)
    if not good:
        print(f"rank {dist.get_rank()}: differs from torch's own", flush=True)
    verdict = torch.tensor([int(good)], device=device)
    dist.all_reduce(verdict, op=dist.ReduceOp.MIN)
    return bool(verdict.item())


def seconds(collective: Any, count: int, repeat: int, device: Any) -> float:
    """The median time of the collective, of every run the slowest rank's."""
    output, given = tensors(count, device)
    taken = []
    for run in range(repeat + 1):
        dist.barrier()
        start = time.perf_counter()
        collective(output, given)
        if device.type == "cuda":
            torch.cuda.synchronize(device)
        slowest = torch.tensor([time.perf_counter() - start], dtype=torch.float64, device=device)
        dist.all_reduce(slowest, op=dist.ReduceOp.MAX)
        taken += [slowest.item()] if run else []
    return sorted(taken)[repeat // 2]


def main() -> int:
    """Run the command line; 0, 1 when the results differ from torch's own, 2 for a wrong call."""
    parser = argparse.ArgumentParser(description="a collective that follows a schedule")
    parser.add_argument("--backend", choices=("gloo", "nccl"), help="by default nccl where there is a GPU")
    parser.add_argument("--count", type=int, default=100003, help="elements of a unit (default %(default)s)")
    parser.add_argument("--verify", action="store_true", help="compare with torch's own collective")
    parser.add_argument("--time", action="store_true", help="measure, beside torch's own collective")
    parser.add_argument("--repeat", type=int, default=20, help="runs that are measured (default %(default)s)")
    arguments = parser.parse_args()
    size = int(os.environ.get("WORLD_SIZE", "1"))
    problem = ""
    if size != COLLECTIVE.ranks:
        problem = f"a schedule for {COLLECTIVE.ranks} ranks, and there are {size}: torchrun --nproc-per-node"
    elif arguments.count < 0 or arguments.repeat < 1:
        problem = "--count takes a number from 0 on, --repeat one from 1 on"
    if problem:
        if os.environ.get("RANK", "0") == "0":
            print(problem, file=sys.stderr)
        return 2
    backend = arguments.backend or ("nccl" if torch.cuda.is_available() else "gloo")
    device = torch.device("cpu")
    if backend == "nccl":
        device = torch.device("cuda", int(os.environ.get("LOCAL_RANK", "0")))
        torch.cuda.set_device(device)
    dist.init_process_group(backend)
    try:
        return run(arguments, device)
    finally:
        dist.destroy_process_group()


def run(arguments: Any, device: Any) -> int:
    """What is asked for; the exit status."""
    said, name = [], COLLECTIVE.name
    if arguments.verify:
        if not verify(arguments.count, device):
            return 1
        said.append(f"{name}: as torch's own on {COLLECTIVE.ranks} ranks")
    if arguments.time:
        ours = seconds(COLLECTIVE, arguments.count, arguments.repeat, device)
        own = seconds(of_torch, arguments.count, arguments.repeat, device)
        size = 8 * arguments.count
        said.append(f"{name} of {size} bytes a unit: {ours:.3g} s, torch's own {own:.3g} s")
    if not said:
        COLLECTIVE(*tensors(arguments.count, device))
        said.append(f"{name}: done; --verify compares it with torch's own, --time measures it")
    if dist.get_rank() == 0:
        print("\\n".join(said))
    return 0


if __name__ == "__main__":
    sys.exit(main())
'''
