"""Graphs of nauty's geng: the same classes as the package's own generation, and programs that fail."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from schedsolve.network.classes.geng import geng_graphs, geng_knows, geng_program
from schedsolve.network.classes.graph_generation import GraphClass, connected_graphs
from schedsolve.runtime.errors import InputError

KINDS = [
    GraphClass(7),
    GraphClass(8, min_degree=2),
    GraphClass(8, max_degree=3),
    GraphClass(8, bipartite=True),
    GraphClass(5, min_degree=4),
]
installed = pytest.mark.skipif(geng_program() is None, reason="nauty is not installed")


@installed
@pytest.mark.parametrize("kind", KINDS)
def test_two_generators_agree(kind: GraphClass) -> None:
    """On every level of a class, whole and in parts, also beyond its links."""
    for edges in range(kind.nodes - 2, min(kind.nodes + 4, kind.most_edges + 2)):
        own = {form.rows for form in connected_graphs(kind, edges)}
        assert {form.rows for form in geng_graphs(kind, edges)} == own
        parts = [form.rows for residue in range(3) for form in geng_graphs(kind, edges, residue, 3)]
        assert len(parts) == len(own)
        assert set(parts) == own


@installed
def test_a_generation_that_is_left_ends() -> None:
    assert len(list(islice(geng_graphs(GraphClass(14), 20), 3))) == 3


def test_arcs_are_not_gengs() -> None:
    assert not geng_knows(GraphClass(5, directed=True))
    assert not geng_knows(GraphClass(40))


def test_a_program_that_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "geng"
    program.write_text("#!/bin/sh\nexit 3\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InputError, match="ended with 3"):
        list(geng_graphs(GraphClass(5), 5))
    program.unlink()
    with pytest.raises(InputError, match="not installed"):
        list(geng_graphs(GraphClass(5), 5))
