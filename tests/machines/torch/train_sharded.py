"""`torchrun --nproc-per-node 4 train_sharded.py ours|torch`: some training with FSDP2; prints the losses."""

from __future__ import annotations

import sys

import torch
import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard

from schedsolve import build_problem, solve
from schedsolve.machines.torch import collective


def main() -> None:
    """Train."""
    dist.init_process_group("gloo")
    torch.manual_seed(0)
    mesh = init_device_mesh("cpu", (dist.get_world_size(),))
    model = torch.nn.Sequential(torch.nn.Linear(16, 33), torch.nn.ReLU(), torch.nn.Linear(33, 1))
    for layer in (*model, model):
        if layer is model or list(layer.parameters()):
            fully_shard(layer, mesh=mesh)
            if sys.argv[1] == "ours":
                layer.set_custom_all_gather(made("allgather"))
                layer.set_custom_reduce_scatter(made("reduce-scatter"))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    data = torch.randn(64, 16, generator=torch.Generator().manual_seed(dist.get_rank()))
    for _ in range(5):
        optimizer.zero_grad()
        loss = ((model(data)[:, 0] - data.sum(dim=1)) ** 2).mean()
        loss.backward()
        optimizer.step()
        if dist.get_rank() == 0:
            print(f"loss {loss.item():.4f}")
    dist.destroy_process_group()


def made(task: str) -> object:
    """A collective of the pipelined model."""
    return collective(solve(build_problem("pipelined", task, "complete:4")))


if __name__ == "__main__":
    main()
