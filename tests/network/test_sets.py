"""Sets of networks: their sizes are the known ones, their members connected and not isomorphic."""

from __future__ import annotations

import shutil
from collections import defaultdict
from itertools import combinations, islice
from pathlib import Path

import networkx
import pytest

from schedsolve.network.classes.geng import PROGRAMS
from schedsolve.network.classes.sets import _generated, networks_of
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError


def sizes(spec: str) -> list[int]:
    """How many members the texts of a range have, by the number of nodes."""
    counts: dict[int, int] = defaultdict(int)
    for network in networks_of(spec):
        assert network.is_connected
        counts[network.node_count] += 1
    return list(counts.values())


def test_sizes() -> None:
    """Trees: OEIS A000055; connected graphs: A001349."""
    assert sizes("trees:1..10") == [1, 1, 1, 2, 3, 6, 11, 23, 47, 106]
    assert sizes("graphs:1..7") == [1, 1, 2, 6, 21, 112, 853]


@pytest.mark.parametrize("n", range(1, 11))
def test_circulants_are_those_of_all_sets_of_jumps(n: int) -> None:
    """By brute force over the sets, compared pair by pair."""
    classes: list[networkx.Graph] = []
    for size in range(n // 2 + 1):
        for jumps in combinations(range(1, n // 2 + 1), size):
            graph = networkx.circulant_graph(n, jumps)
            if networkx.is_connected(graph) and not any(
                networkx.is_isomorphic(graph, other) for other in classes
            ):
                classes.append(graph)
    found = [network.to_networkx() for network in networks_of(f"circulants:{n}")]
    assert len(found) == len(classes)
    assert all(any(networkx.is_isomorphic(graph, other) for other in classes) for graph in found)


def test_isomorphic_circulants_whose_jumps_no_unit_joins() -> None:
    """With 16 nodes the jumps 1, 2, 7 and 2, 3, 5 give isomorphic graphs (Elspas and Turner); one is left."""
    one, other = networkx.circulant_graph(16, [1, 2, 7]), networkx.circulant_graph(16, [2, 3, 5])
    assert networkx.is_isomorphic(one, other)
    names = {network.name for network in networks_of("circulants:16")}
    assert len(names & {"circulant:16,1,2,7", "circulant:16,2,3,5"}) == 1


@pytest.mark.parametrize("spec", ["trees:7", "graphs:5", "circulants:8", "cycle:3..5", "petersen"])
def test_a_members_name_gives_the_member(spec: str) -> None:
    """So that results name it by its text."""
    for network in networks_of(spec):
        assert Network.from_spec(network.name) == network


def test_ranges() -> None:
    """Every number of every range, the last fastest; seeds too."""
    assert [n.name for n in networks_of("grid:2..3x4..5")] == ["grid:2x4", "grid:2x5", "grid:3x4", "grid:3x5"]
    seeded = list(networks_of("random-regular:3,10,0..2"))
    assert [n.name for n in seeded] == [f"random-regular:3,10,{seed}" for seed in range(3)]
    assert len(set(seeded)) == 3


def test_a_file_with_many_graphs(tmp_path: Path) -> None:
    """One each line, named by its string; a file with one keeps its own name."""
    (tmp_path / "many.g6").write_text(">>graph6<<Bw\nCr\n\nD~{\n")
    found = list(networks_of("many.g6", folder=tmp_path))
    assert [n.name for n in found] == ["graph6:Bw", "graph6:Cr", "graph6:D~{"]
    (tmp_path / "one.g6").write_text("Bw\n")
    assert [n.name for n in networks_of("one.g6", folder=tmp_path)] == ["one.g6"]


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("trees:0", "N is from 1"),
        ("trees:x", "N is from 1"),
        ("trees:99", "N is from 1"),
        ("cycle:9..3", "a range is A..B"),
        ("cycle:1..9", "cycle:1"),
        ("cycle:1..99999999999", "members"),
        ("bad.g6", "bad.g6: line 2"),
        ("none.g6", "none.g6"),
        ("forest:3", "unknown network"),
    ],
)
def test_refusals(tmp_path: Path, spec: str, words: str) -> None:
    """One line that says what is wrong."""
    (tmp_path / "bad.g6").write_text("Bw\nC\n")
    with pytest.raises(InputError, match=words.replace(".", r"\.")):
        list(networks_of(spec, folder=tmp_path))


def test_beyond_the_atlas_without_the_generator(monkeypatch: pytest.MonkeyPatch) -> None:
    """One node more by the project's own generation, from the trees on; then one line names the program."""
    monkeypatch.setenv("PATH", "")
    made = list(islice(networks_of("graphs:8"), 25))
    assert [len(network.edges) for network in made] == [7] * 23 + [8] * 2
    for spec in ("graphs:9", "connected-graphs:9,12", "regular:4,10", "cubic:14"):
        with pytest.raises(InputError, match="geng, which is not installed"):
            next(networks_of(spec))
    assert not list(networks_of("regular:3,13"))


def test_own_generation_makes_the_atlas() -> None:
    """The same classes of graphs as networkx has, each once."""
    own, known = (
        [network.to_networkx() for network in members] for members in (_generated(6), networks_of("graphs:6"))
    )
    assert len(own) == len(known) == 112
    assert all(sum(networkx.is_isomorphic(graph, other) for other in own) == 1 for graph in known)


def test_the_generators_lines_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it prints are the members; its failure is one line."""
    program = tmp_path / "geng"
    program.write_text('#!/bin/sh\n[ "$*" = "-c -q 8" ] || exit 3\necho "G?????"\necho "G~~~~{"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    assert [n.name for n in networks_of("graphs:8")] == ["graph6:G?????", "graph6:G~~~~{"]
    with pytest.raises(InputError, match="ended with 3"):
        list(networks_of("graphs:9"))
    for spec, words in (("connected-graphs:9,12", "9 12:12"), ("regular:4,10", "-d4 -D4 10 20:20")):
        program.write_text(f'#!/bin/sh\n[ "$*" = "-c -q {words}" ] || exit 3\necho "G~~~~{{"\n')
        assert [n.name for n in networks_of(spec)] == ["graph6:G~~~~{"]


@pytest.mark.skipif(not any(map(shutil.which, PROGRAMS)), reason="nauty is not installed")
def test_the_real_generator() -> None:
    """A001349 again."""
    assert sizes("graphs:8") == [11117]


@pytest.mark.parametrize(
    ("spec", "count"),
    [
        # OEIS A002851, cubic; A006820, quartic; A054924, by edges.
        *((f"cubic:{n}", count) for n, count in ((4, 1), (6, 2), (8, 5), (10, 19))),
        *((f"regular:4,{n}", count) for n, count in ((5, 1), (6, 1), (7, 2), (8, 6))),
        *(
            (f"connected-graphs:6,{m}", count)
            for m, count in enumerate((6, 13, 19, 22, 20, 14, 9, 5, 2, 1, 1), 5)
        ),
        ("regular:2,9", 1),
        ("regular:5,6", 1),
        ("regular:3,5", 0),
        ("regular:0,1", 1),
        ("regular:1,2", 1),
        ("regular:2,2", 0),
        ("connected-graphs:1,0", 1),
        ("connected-graphs:1,1", 0),
        ("connected-graphs:5,3", 0),
        ("cubic:4..8", 8),
    ],
)
def test_generated_sets(spec: str, count: int) -> None:
    """As many as the encyclopedia counts, connected, of the degree or number of edges, none twice."""
    found = list(networks_of(spec))
    assert len(found) == len({network.name for network in found}) == count
    kind, _, numbers = spec.partition(":")
    for network in found:
        degrees = set(map(len, network.successors))
        assert network.is_connected
        assert not network.directed
        if kind == "connected-graphs":
            assert len(network.edges) == int(numbers.split(",")[1])
        else:
            assert degrees == {3 if kind == "cubic" else int(numbers.split(",")[0])}
        if network.node_count > 1:
            assert Network.from_spec(network.name) == network


@pytest.mark.parametrize("spec", ["regular:4", "regular:3,16", "connected-graphs:12,12", "cubic:3,4"])
def test_refused_sets(spec: str) -> None:
    """One line."""
    with pytest.raises(InputError, match="is refused"):
        list(networks_of(spec))
