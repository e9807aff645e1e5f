"""Chakra traces that are checked: right ones, and what is said of each way to break them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedsolve import build_problem, check, solve, write_program
from schedsolve.machines.chakra.check import check_traces
from schedsolve.machines.chakra.reader import Node, Trace, read_trace
from schedsolve.runtime.errors import InputError
from tests.command_line import Cli, refused

RIGHT = (
    "synchronous allgather amd4 --steps 2",
    "synchronous alltoall cycle:4 --steps 2 --chunks 2",
    "synchronous alltoall complete:2 --steps 1 --chunks 5",
    "synchronous reduce cycle:5 --steps 2 --root 2",
    "synchronous reduce-scatter path:3 --steps 2",
    "synchronous allreduce hypercube:2 --steps 2",
    "synchronous scatter path:3 --steps 2 --source 2 --chunks 6",
    "pipelined broadcast leaf-spine:2,2,1 --source 1",
    "pipelined gather star:4 --root 3",
    "pipelined allreduce torus:3x3",
)


@pytest.mark.parametrize("problem", RIGHT)
def test_what_is_exported_is_right(cli: Cli, problem: str) -> None:
    """All claims are verified, from one file, from all and from the name that `export` was given."""
    network = next(word for word in problem.split()[2:])
    assert cli(f"solve {problem} --output r.json").status == 0
    said = cli("export r.json -o t.et --size 1000003")
    files = [line for line in said.out.splitlines() if line.endswith(".et")]
    run = cli(f"check --strict t.1.et --topology {network}")
    assert run.status == 0, run
    assert "verified 5 of 5 claims" in run.out
    assert f"ok       result: every rank gets what the {problem.split()[1]} gives it" in run.out
    plain = cli("check --strict t.0.et")
    assert plain.status == 0
    assert cli(f"check --strict {' '.join(files)}") == plain == cli("check --strict t.et")


def trace(*nodes: Node, **said: str) -> Trace:
    return Trace(said, {node.number: node for node in nodes})


def send(number: int, chunks: str, peer: int, *after: int, size: int = 8, tag: int = 0) -> Node:
    values = {"comm_dst": peer, "comm_size": size, "comm_tag": tag}
    return Node(number, f"send {chunks} to {peer}", 5, after, values)


def receive(
    number: int, chunks: str, peer: int, *after: int, size: int = 8, tag: int = 0, adds: bool = False
) -> Node:
    values = {"comm_src": peer, "comm_size": size, "comm_tag": tag}
    return Node(number, f"{'add' if adds else 'receive'} {chunks} from {peer}", 6, after, values)


ALLGATHER = {"collective": "allgather", "chunks": "1", "root": "0", "unit_bytes": "8"}
ALLREDUCE = {"collective": "allreduce", "chunks": "1", "root": "0", "unit_bytes": "8"}
PAIR = (
    (send(0, "0", 1), receive(1, "1", 1)),
    (send(0, "1", 0), receive(1, "0", 0)),
)
SUM = (
    (send(0, "0", 1), receive(1, "0", 1, adds=True)),
    (send(0, "0", 0), receive(1, "0", 0, adds=True)),
)


def said_of(first: tuple[Node, ...], second: tuple[Node, ...], said: dict[str, str]) -> str:
    report = check_traces([trace(*first, **said), trace(*second, **said)], None)
    return report.text if report.failed or not report.complete else "right"


def test_two_ranks_by_hand() -> None:
    """The smallest allgather and allreduce; in the latter both add what the other had at first."""
    assert said_of(*PAIR, ALLGATHER) == "right"
    assert said_of(*SUM, ALLREDUCE) == "right"
    # Rank 0 sends after it has added, which gives rank 1 its own part a second time.
    late = (receive(0, "0", 1, adds=True), send(1, "0", 1, 0))
    assert "rank 1 is added to chunk 0 twice" in said_of(late, SUM[1], ALLREDUCE)
    taken = (send(0, "0", 1), receive(1, "0", 1))
    assert "result: rank 0 lacks chunk 0 of rank 0" in said_of(taken, SUM[1], ALLREDUCE)


@pytest.mark.parametrize(
    ("first", "second", "reason"),
    [
        ((PAIR[0][0],), PAIR[1], "rank 1, node 0 (send 1 to 0): rank 0 does not receive tag 0"),
        (PAIR[0], (PAIR[1][1],), "rank 0, node 1 (receive 1 from 1): nobody sends that, tag 0"),
        ((), (), "result: rank 0 lacks chunk 1"),
        ((send(0, "0", 1, size=4), PAIR[0][1]), PAIR[1], "it has 4 bytes, and rank 1 waits for 8"),
        ((send(0, "0", 1, tag=3), PAIR[0][1]), PAIR[1], "nobody sends that, tag 0"),
        ((send(0, "0", 2), PAIR[0][1]), PAIR[1], "there are 2 traces only"),
        ((send(0, "1", 1), PAIR[0][1]), PAIR[1], "what is sent with its tag is send 1 to 1"),
        (
            (send(0, "0", 1, 1), PAIR[0][1]),
            (send(0, "1", 0, 1), PAIR[1][1]),
            "deadlock: rank 0, node 0 (send 0 to 1) waits for rank 0, node 1 (receive 1 from 1) waits for"
            " rank 1, node 0 (send 1 to 0) waits for rank 1, node 1 (receive 0 from 0) waits for",
        ),
        (
            (*PAIR[0], send(2, "1", 1, tag=1)),
            (*PAIR[1], receive(2, "1", 0, tag=1)),
            "rank 0, node 2 (send 1 to 1): nothing that it depends on has brought chunk 1",
        ),
        (
            (*PAIR[0], send(2, "7", 1, tag=1)),
            (*PAIR[1], receive(2, "7", 0, tag=1)),
            "the allgather has 2 chunks",
        ),
        (
            (send(0, "0", 1, size=9), PAIR[0][1]),
            (PAIR[1][0], receive(1, "0", 0, size=9)),
            "sizes: rank 0, node 0: 9 bytes, and its chunks have 8",
        ),
        (
            (PAIR[0][0], receive(1, "1", 1, adds=True)),
            PAIR[1],
            "rank 0, node 1 (add 1 from 1): there is no chunk 1 to add to",
        ),
    ],
)
def test_reasons(first: tuple[Node, ...], second: tuple[Node, ...], reason: str) -> None:
    """What is wrong with each allgather of two ranks."""
    said = said_of(first, second, ALLGATHER)
    assert "FAILED" in said
    assert reason in said


def test_traces_of_others() -> None:
    """Without metadata and names of chunks the result is not known, and messages are still matched."""

    def plain(node: Node) -> Node:
        return Node(node.number, "COMM", node.kind, node.after, node.values)

    others = [tuple(map(plain, own)) for own in PAIR]
    said = said_of(others[0], others[1], {})
    assert "ok       messages: all 2" in said
    assert "not sure what the traces result in" in said
    again = plain(send(2, "0", 1)), plain(receive(2, "0", 0))
    said = said_of((*others[0], again[0]), (*others[1], again[1]), {})
    assert "not sure that no message is taken for another: 2 messages from rank 0 to rank 1" in said
    compute = Node(2, "GEMM", 4, (0,), {})
    assert "ok       it ends" in said_of((*others[0], compute), others[1], {})
    for node, reason in (
        (Node(2, "COMM_COLL", 7, (), {}), "collectives inside a trace are not replayed"),
        (Node(2, "?", 12, (), {}), "no type of nodes 12"),
        (Node(2, "s", 5, (), {"comm_size": 8}), "it has no comm_dst"),
        (Node(2, "s", 6, (), {"comm_src": 1}), "it has no comm_size"),
    ):
        with pytest.raises(InputError, match=reason):
            said_of((*others[0], node), others[1], {})


def test_files_that_are_missing_or_foreign(cli: Cli) -> None:
    """Every rank needs its trace; only traces are given several at a time; programs verify themselves."""
    assert cli("solve synchronous allgather path:3 --steps 2 --output r.json").status == 0
    assert cli("export r.json -o t.et").status == 0
    assert cli("export r.json -o p.py").status == 0
    assert "run it with --verify" in refused(cli("check p.py"))
    assert "check takes one file" in refused(cli("check r.json t.0.et"))
    assert "named t.RANK.et" in refused(cli("check t.0.et r.json"))
    assert "for 3 ranks, and the network has 4" in refused(cli("check t.0.et --topology path:4"))
    joined = cli("check t.0.et --topology star:3")
    assert (joined.status, "no link" in joined.out) == (1, True)
    last = Path("t.2.et").read_bytes()
    Path("t.2.et").unlink()
    run = cli("check t.0.et")
    assert (run.status, "there are 2 traces only" in run.out) == (1, True)
    Path("t.2.et").write_bytes(last)
    Path("t.1.et").unlink()
    assert "t.1.et: rank 1 has no trace" in refused(cli("check t.0.et"))
    Path("t.1.et").write_bytes(last)
    assert cli("check t.0.et").status == 1
    Path("t.1.et").write_bytes(last[:-1])
    assert "t.1.et: no Chakra trace, or cut short" in refused(cli("check t.0.et"))
    Path("t.1.et").write_text('{"a": 1}')
    assert "t.1.et: no Chakra trace" in refused(cli("check t.0.et"))
    assert "no trace" in refused(cli("check nothing.0.et"))


@pytest.fixture(scope="module")
def ring(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the traces of an allreduce on a ring of four."""
    folder = tmp_path_factory.mktemp("ring")
    result = solve(build_problem("pipelined", "allreduce", "cycle:4"))
    write_program(result, folder / "r.et", target="chakra")
    return folder


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_a_broken_byte_is_never_a_traceback(ring: Path, data: st.DataObject) -> None:
    """A bit is turned round, or a part is cut out: a verdict or one line."""
    content = (ring / "r.1.et").read_bytes()
    i, j = sorted(data.draw(st.tuples(*[st.integers(0, len(content) - 1)] * 2)))
    bit = bytes([content[i] ^ 1 << data.draw(st.integers(0, 7))])
    broken: Callable[[], bytes] = data.draw(
        st.sampled_from(
            [
                lambda: content[:i] + bit + content[i + 1 :],
                lambda: content[:i] + content[j:],
                lambda: content[:j] + content[i:],
            ]
        )
    )
    (ring / "r.1.et").write_bytes(broken())
    try:
        said = str(check(ring / "r.0.et").text)
    except InputError as error:
        said = str(error)
        assert "\n" not in said
    finally:
        (ring / "r.1.et").write_bytes(content)
    assert said


def test_numbers_as_protobuf_writes_them() -> None:
    """Negative and zigzag numbers, fixed fields and unknown ones are read, or skipped."""
    size = b"\x0a\x09comm_size\x48\x05"
    zigzag = b"\x0a\x01z\x88\x01\x03"
    negative = b"\x0a\x01n\x48" + b"\xff" * 9 + b"\x01"
    attributes = b"".join(b"\x52" + bytes([len(a)]) + a for a in (size, zigzag, negative))
    node = b"\x08\x07\x18\x05\x31" + b"\0" * 8 + b"\xa5\x06" + b"\0" * 4 + attributes
    found = read_trace(b"\x00" + bytes([len(node)]) + node).nodes[7]
    assert (found.kind, dict(found.values)) == (5, {"comm_size": 5, "z": -2, "n": -1})
    for wrong, reason in (
        (b"", "empty"),
        (b"\x80", "does not end"),
        (b"\xff" * 11, "does not end"),
        (b"\x00\x01\x0b", "wire type 3"),
        (b"\x00\x02\x08\x01\x02\x08\x01", "two nodes have the number 1"),
        (b"\x00\x02\x28\x05", "waits for node 5"),
        (b"\x00\x03\x12\x01\xff", "no UTF-8"),
    ):
        with pytest.raises(InputError, match=reason):
            read_trace(wrong)
