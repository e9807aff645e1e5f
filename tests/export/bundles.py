"""Bundles for tests: of results that are solved once, and their programs run in this process."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from types import CodeType
from typing import Any

import pytest

from schedsolve.export.bundles.bundle import bundle_of
from tests.soak.saved_results import saved

Contents = dict[str, bytes]

ACCEPTED = (
    "telephone gossip petersen",
    "telegraph gossip complete:5",
    "telegraph gossip path:9 --period 4",
    "line gossip petersen",
    "pipelined allreduce dgx1",
    "synchronous allgather dgx1 --steps 2",
    "linear-cost broadcast complete:8 --extra-rounds 2",
    "fat-tree broadcast fat-tree:16",
)
"""A bundle for every model and kind of file."""


OTHERS = (
    "telephone broadcast ccc:3 --source 0",
    "telephone broadcast grid:3x3 --source min",
    "telephone multicast grid:3x3 --source 0 --targets 5,8",
    "telephone gossip cycle:6 --rounds 2",
    "telephone gossip cycle:6 --rounds 4",
    "telegraph accumulation path:4 --root min",
    "telegraph gossip star:5 --period 1",
    "telephone gossip star:5 --period 3",
    "telegraph gossip path:7 --period 4 --edge-colouring",
    "telephone broadcast grid:3x3 --period 2",
    "line broadcast cycle:10 --rounds 2",
    "line gossip path:3 --ports 1",
    "fat-tree broadcast fat-tree:8 --timing rounds",
    "fat-tree product fat-tree:8 --capacity sqrt",
    "routing deliver fat-tree:8 --pattern random:4",
    "pipelined alltoall cycle:5",
    "pipelined gather path:3 --root 1",
    "synchronous broadcast path:3 --steps 2 --chunks 1",
    "synchronous allgather cycle:5 --steps 1",
    "synchronous allreduce path:3 --steps 2 --chunks 1",
    "pipelined reduce leaf-spine:2,2,1 --root 0",
)
"""Other tasks and options."""

WORST = (
    "telephone broadcast grid:2x3 --source max",
    "telegraph accumulation path:4 --root max",
    "telephone broadcast tree:2,2 --source max --period 4",
    "line broadcast grid:2x3 --source max --ports 1",
)
"""Those with a schedule for every node."""

ORDERED = (
    "pipelined reduce path:4 --root 1",
    "synchronous reduce cycle:5 --steps 2 --chunks 1 --root 2",
    "synchronous reduce-scatter cycle:4 --steps 3 --chunks 1",
    "synchronous allreduce cycle:4 --steps 4 --chunks 1",
)
"""Reductions that may be asked for in the order of the nodes."""


@cache
def bundle(line: str) -> Contents:
    """The files of the bundle of a problem, by name."""
    return bundle_of(saved(line))


@cache
def _compiled(text: bytes) -> CodeType:
    return compile(text, "verify.py", "exec")


def program(contents: Contents) -> dict[str, Any]:
    """What verify.py defines."""
    names: dict[str, Any] = {"__name__": "verify"}
    exec(_compiled(contents["verify.py"]), names)
    return names


def written(contents: Contents, folder: Path) -> Path:
    """The folder, with the files in it."""
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    return folder


def verified(contents: Contents, folder: Path, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    """The exit status of verify.py on files in a folder, started with arguments, in this process."""
    monkeypatch.setattr(sys, "argv", ["verify.py", *arguments])
    names = program(contents)
    status = names["main"](names["CLAIM"], written(contents, folder), *names["FUNCTIONS"])
    return int(status)
