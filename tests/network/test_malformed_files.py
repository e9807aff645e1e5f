"""Garbage in files of networks is refused with one line."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedsolve.network.files.any_format import read_network, write_network
from schedsolve.network.files.node_link import network_from_json
from schedsolve.network.sizes import SIZE_LIMIT
from schedsolve.runtime.errors import InputError
from tests.network.file_reading import ARC, ENDINGS, ONE, TWO, graphml, refusal

MALFORMED: dict[str, dict[str, list[str | bytes]]] = {
    ".edges": {
        "the network is empty": ["", "# nothing\n\n"],
        "line 1: expected 'u v'": ["1 2 5 6\n", "1 {}\n"],
        "line 1: '{weight}' is not a dictionary": ["1 2 {weight}\n"],
        "line 1: a bandwidth is a positive whole number": ["1 2 x\n", "1 2 1e3\n"],
        "line 1: bandwidths are positive": ["1 2 0\n", "1 2 0/3\n", "1 2 -1\n"],
        "line 1: a bandwidth is a positive whole number or a fraction such as 4/3, not '3/0'": ["1 2 3/0\n"],
        "line 2: the edge 2 1 was given on line 1": ["1 2\n2 1\n", "1 2\n2 1 3\n"],
        "line 3: the edge 1 2 was given on line 1": ["1 2\n\n1 2\n"],
        "line 2: self-loop at node 3": ["1 2\n3 3\n"],
        "line 3: node 1 is given twice": ["1\n2\n1\n"],
        "line 2: '\\x00' is not printable": ["1 2\n\0 3\n"],
        "byte 4 is not UTF-8": [b"1 2\n\xff\xfe"],
    },
    ".col": {
        "'p edge n m' is missing": ["", "c only\n"],
        "the network is empty": ["p edge 0 0\n"],
        "line 1: expected 'c' comments, one 'p edge n m'": [
            "e 1 2\np edge 2 1\n",
            "p none 2 1\n",
            "p\n",
            "\0",
        ],
        "line 2: expected 'c' comments, one 'p edge n m'": [
            "p edge 2 1\np edge 2 1\ne 1 2\n",
            "p edge 3 1\nx 1 2\n",
        ],
        "line 1: expected the numbers 'n m'": [
            "p edge 2\n",
            "p edge two 1\n",
            "p edge -2 1\n",
            f"p edge {'9' * 5000} 0\n",
        ],
        "line 2: expected the numbers 'u v'": ["p edge 3 1\ne 1 2 9\n", "p edge 3 1\ne 1\n"],
        "line 1: 2 edges are announced, but 1 are listed": ["p edge 3 2\ne 1 2\n"],
        "line 1: 1 edges are announced, but 2 are listed": ["p edge 3 1\ne 1 2\ne 2 3\n"],
        "is outside the nodes 1..3": ["p edge 3 2\ne 1 2\ne 2 4\n", "p edge 3 1\ne 0 1\n"],
        "line 2: self-loop at node 2": ["p edge 3 1\ne 2 2\n"],
        "over budget": [f"p edge {SIZE_LIMIT + 1} 0\n"],
    },
    ".mbt": {
        "first line must be 'n s m'": [""],
        "the network is empty": ["0 0 0\n"],
        "line 1: expected the numbers 'n s m'": ["3 1\n", "3 one 2\n", "3 1 2 1\n"],
        "line 1: 2 edges are announced, but 1 lines follow": ["3 1 2\n1 2\n"],
        "line 2: expected the numbers 'u v'": ["3 1 2\n1 2 1\n2 3 1\n1\n", "3 1 2\n0 1 2\n1 2 1\n2 3 1\n1\n"],
        "line 3: expected the numbers 'u v'": ["3 1 2\n1 2\n1\n"],
        "line 3: the edge 2 4 is outside the nodes 1..3": ["3 1 2\n1 2\n2 4\n1\n"],
        "line 3: the edge 2 1 was given on line 2": ["3 1 2\n1 2\n2 1\n1\n"],
        "line 3: self-loop at node 2": ["3 1 2\n1 2\n2 2\n1\n"],
        "line 1: 1 sources are announced, but 0 follow": ["3 1 2\n1 2\n2 3\n"],
        "line 1: 1 sources are announced, but 2 follow": ["3 1 2\n1 2\n2 3\n1 2\n"],
        "is outside the nodes 1..3": ["3 1 2\n1 2\n2 3\n4\n", "3 1 2\n1 2\n2 3\n0\n"],
        "line 5: the source 1 is given twice": ["3 2 2\n1 2\n2 3\n1\n1\n"],
        "line 4: expected the numbers 'source'": ["3 1 2\n1 2\n2 3\nx\n"],
        "over budget": [f"3 1 {SIZE_LIMIT + 1}\n"],
    },
    ".g6": {
        "0 graph6 lines": ["", "\n"],
        "2 graph6 lines": ["Bw\nBw\n"],
        "no graph6 string": [">>graph6<<\n"],
        "the network is empty": ["?\n"],
        "does not fit": ["Bww\n", "D\n", "~?\n"],
        "no graph6 character": [":An\n", "&B\n"],
        "not UTF-8": [b"\x80\n"],
    },
    ".graphml": {
        "cannot be read as GraphML": [
            "",
            "<graphml>",
            "<svg/>",
            graphml("") + "x",
            graphml("<hyperedge/>"),
            b"\xff\0",
        ],
        "as GraphML: unknown encoding": ['<?xml version="1.0" encoding="nonsense"?>' + graphml(ONE)],
        "as GraphML: directed=true": [graphml(ONE + TWO + ARC.replace("/>", ' directed="true"/>'))],
        "the network is empty": [graphml("")],
        "exactly one graph": [graphml(ONE + '</graph><graph edgedefault="directed">' + TWO)],
        "id of its own": [graphml(ONE + ONE), graphml(ONE + "<node/>"), graphml(ONE + ARC)],
        "not printable": [graphml('<node id=""/>')],
        "self-loop": [graphml(ONE + '<edge source="1" target="1"/>')],
    },
    ".json": {
        "cannot be read as JSON": ["", "{", "nonsense", "[" * 100_000, "9" * 5000, "NaN x"],
        "": [f'{{"nodes": [{"[" * depth}{"]" * depth}], "edges": []}}' for depth in (10, 500, 900, 980)],
    },
}


@pytest.mark.parametrize(
    ("ending", "reason"), [(ending, reason) for ending, table in MALFORMED.items() for reason in table]
)
def test_malformed_files(tmp_path: Path, ending: str, reason: str) -> None:
    """Every fault of a file is refused under the file's name, with the line where it has one, in one line."""
    for text in MALFORMED[ending][reason]:
        assert reason in refusal(tmp_path, "net" + ending, text)


NODES = [{"id": 1}, {"id": 2}]


MALFORMED_OBJECTS: dict[str, list[Any]] = {
    "is an object with": [[], None, {}, {"nodes": NODES}, {"nodes": NODES, "edges": [], "links": []}],
    "must be lists": [
        {"edges": []},
        {"nodes": {}, "edges": []},
        {"nodes": NODES, "edges": {}},
        {"nodes": NODES, "links": 3},
    ],
    "the network is empty": [{"nodes": [], "edges": []}],
    '"directed" must be true or false': [{"nodes": NODES, "edges": [], "directed": 1}],
    "multigraph": [{"nodes": NODES, "edges": [], "multigraph": True}],
    'needs "id"': [
        {"nodes": [item], "edges": []} for item in (1, {"name": 1}, {"id": True}, {"id": 1.5}, {"id": [0, 1]})
    ],
    "not printable": [{"nodes": [{"id": label}], "edges": []} for label in ("", "a\nb", "\ud800")],
    "node 1 is given twice": [{"nodes": [*NODES, {"id": 1}], "edges": []}],
    'needs "source"': [{"nodes": NODES, "edges": [[1, 2]]}],
    'needs "target"': [{"nodes": NODES, "edges": [{"source": 1}]}],
    "names '2', which is not among the nodes": [{"nodes": NODES, "edges": [{"source": 1, "target": "2"}]}],
    "self-loop": [{"nodes": NODES, "edges": [{"source": 1, "target": 1}]}],
    "given twice": [{"nodes": NODES, "edges": [{"source": 1, "target": 2}, {"source": 2, "target": 1}]}],
}


@pytest.mark.parametrize("reason", MALFORMED_OBJECTS)
def test_malformed_node_link(tmp_path: Path, reason: str) -> None:
    """Every fault of node-link JSON is refused, in a file under the file's name."""
    for obj in MALFORMED_OBJECTS[reason]:
        with pytest.raises(InputError) as raised:
            network_from_json(obj)
        assert reason in str(raised.value)
        assert reason in refusal(tmp_path, "net.json", json.dumps(obj))


FRAGMENTS = st.sampled_from(
    r"""
    p edge 3 2\n  e 1 2\n  c x\n  3 1 2\n  1 2\n  2 3\n  1\n  #  {}
    >>graph6<<  Bw\n  ~  \r  \0  é  999999999999999999999
    -1  \ufeff  null
    {"nodes": [  {"id": 1}  ]  ,  }
    "edges": [  {"source": 1, "target": 1}  [[[[[[[[[[[[
    &amp;  <!-- -->  <key id="k" for="node"/>
    <graphml>  <graph>  <node id="1"/>  <edge source="1" target="2"/>  </graph>  </graphml>
    <data key="k">  </data>
    """.strip().split("  ")
).map(
    lambda text: (
        text.strip()
        .replace(r"\n", "\n")
        .replace(r"\r", "\r")
        .replace(r"\0", "\0")
        .replace(r"\ufeff", "\ufeff")
    )
)


GARBAGE = st.binary(max_size=60) | st.lists(FRAGMENTS, max_size=12).map(lambda parts: "".join(parts).encode())


@settings(derandomize=True, max_examples=600, deadline=None)
@given(GARBAGE, st.sampled_from(ENDINGS), st.booleans())
def test_garbage_gives_a_network_or_a_refusal(data: bytes, ending: str, directed: bool) -> None:
    """No content of a file raises anything but InputError, and what was read can be written or is refused."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / ("net" + ending)
        path.write_bytes(data)
        with suppress(InputError):
            write_network(read_network(path, directed=directed), path)


JSON_KEYS = st.sampled_from(["nodes", "edges", "links", "id", "source", "target", "directed", "multigraph"])


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.floats() | st.sampled_from(["a", "b", ""]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(JSON_KEYS, inner),
    max_leaves=12,
)


@settings(derandomize=True, max_examples=300, deadline=None)
@given(st.fixed_dictionaries({"nodes": JSON_VALUES, "edges": JSON_VALUES}) | JSON_VALUES)
def test_any_json_gives_a_network_or_a_refusal(obj: object) -> None:
    """No JSON value raises anything but InputError."""
    with suppress(InputError):
        assert network_from_json(obj).node_count >= 1
