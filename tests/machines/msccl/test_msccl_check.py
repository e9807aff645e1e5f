"""Checking MSCCL XML: small algorithms written by hand, right ones and spoilt ones, each caught by name."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from schedsolve.machines.msccl import limits
from schedsolve.machines.msccl.algorithm import Block, Gpu, Step, read_algorithm
from schedsolve.machines.msccl.replay import replay
from schedsolve.machines.symbols import Place
from tests.command_line import Cli, refused
from tests.machines.msccl.algorithms import algorithm, block, pair, ring, step


def check(cli: Cli, text: str, options: str = "") -> tuple[object, str]:
    Path("a.xml").write_text(text)
    run = cli(f"check a.xml {options}")
    assert run.err == ""
    return run.status, run.out


def test_a_right_algorithm(cli: Cli) -> None:
    """Every claim is confirmed, with the steps and the loads of the links."""
    status, out = check(cli, pair(), "--topology path:2 --strict")
    assert status == 0
    assert "ends with 2 buffers a connection, and with 1" in out
    assert "every gpu gets what the allgather gives it" in out
    assert "steps: 1, " in out
    assert "rounds: 1, on the busiest of 2 links; 1 per chunk" in out
    assert "load 0 to 1: 1 chunk, 1 round" in out


@pytest.mark.parametrize("count", [3, 4, 7])
def test_a_ring_needs_two_buffers(cli: Cli, count: int) -> None:
    """A ring of fused blocks ends with two buffers a connection; with one it ends as well, each block first
    sending; without the first sends nobody begins.
    """
    text = ring(count)
    status, out = check(cli, text, f"--topology cycle:{count}")
    assert status == 0, out
    assert "every gpu gets what the allreduce gives it" in out
    assert f"steps: {2 * count - 2}, " in out
    started = text.replace('type="s"', 'type="nop"')
    status, out = check(cli, started)
    assert status == 1
    assert "deadlock with 2 buffers a connection" in out
    assert "in a circle" in out


def test_two_messages_ahead_deadlock_with_one_buffer(cli: Cli) -> None:
    """Two gpus that each send two messages before they receive: fine with two buffers, a circle with one."""
    gpus = []
    for me in (0, 1):
        you = 1 - me
        both = block(
            0,
            you,
            you,
            step(0, "s", "i0", "i0"),
            step(1, "s", "i1", "i1"),
            step(2, "rrc", "i0", "o0"),
            step(3, "rrc", "i1", "o1"),
        )
        gpus.append(("2 2 0", both))
    text = algorithm(gpus, "allreduce", 2)
    assert check(cli, text)[0] == 0
    status, out = check(cli, text, "--buffers 1")
    assert status == 1
    assert (
        "deadlock with 1 buffer a connection: gpu 0, block 0, step 1 waits for room to send to gpu 1; gpu 1,"
        " block 0, step 1 waits for room to send to gpu 0, in a circle" in out
    )


SPOILT = {
    "swapped place": (
        pair(),
        '"r" srcbuf="i" srcoff="0" dstbuf="o" dstoff="1"',
        '"r" srcbuf="i" srcoff="0" dstbuf="o" dstoff="0"',
        "gpu 0: o[0] should be chunk 0, and is chunk 1",
    ),
    "block left out": (pair(), 'type="cpy"', 'type="nop"', "gpu 0: o[0] should be chunk 0, and is nothing"),
    "counted twice": (ring(), '"rcs"', '"rrcs"', "the contribution of gpu"),
    "sent and not received": (pair(), 'type="r"', 'type="nop"', "more on channel 0 than it receives"),
    "received and not sent": (pair(), 'type="s"', 'type="nop"', "which sends no more"),
    "attributes of msccl-tools only": (
        pair(),
        'minBytes="0" maxBytes="0"',
        "",
        "<algo> has no minBytes, maxBytes",
    ),
    "channel that is none": (pair(), 'chan="0"', 'chan="3"', "block 0 is on channel 3, and there are 1"),
    "protocol": (pair(), "Simple", "Fast", "proto is one of Simple, LL, LL128, not Fast"),
    "two blocks a connection": (
        pair(),
        '<tb id="0" send="-1"',
        '<tb id="0" send="1"',
        "2 blocks are for messages to gpu 1 on channel 0",
    ),
    "blocks not numbered in order": (pair(), '<tb id="2"', '<tb id="7"', "not numbered 0, 1, 2"),
}


@pytest.mark.parametrize("name", SPOILT)
def test_spoilt_algorithms_are_caught_by_name(cli: Cli, name: str) -> None:
    """Each is one change away from a right one, at its first place."""
    text, old, new, words = SPOILT[name]
    assert old in text
    status, out = check(cli, text.replace(old, new, 1))
    assert status == 1, out
    assert words in out


def test_waiting_keeps_order(cli: Cli) -> None:
    """A gpu passes a chunk on: without waiting for its arrival it is a race, waiting for a step that does not
    say when it is over a deadlock.
    """
    text = algorithm(
        [
            (
                "1 1 0",
                block(0, -1, -1, step(0, "cpy", "i0", "o0")) + block(1, 1, -1, step(0, "s", "i0", "o0")),
            ),
            (
                "0 1 0",
                block(0, -1, 0, step(0, "r", "i0", "o0", has=1))
                + block(1, 2, -1, step(0, "s", "o0", "o0", waits="0 0")),
            ),
            ("0 1 0", block(0, -1, 1, step(0, "r", "i0", "o0"))),
        ],
        "broadcast",
        1,
    )
    status, out = check(cli, text, "--topology path:3")
    assert status == 0, out
    assert "steps: 2, " in out
    assert "root 0" in out
    status, out = check(cli, text, "--topology star:3")
    assert "links: gpu 1 sends to gpu 2, and there is no link from 1 to 2" in out
    assert status == 1
    status, out = check(cli, text.replace('depid="0"', 'depid="-1"'))
    assert status == 1
    assert "race: gpu 1: o[0] is" in out
    status, out = check(cli, text.replace('hasdep="1"', 'hasdep="0"'))
    assert status == 1
    assert "waits for step 0 of block 0, which does not say that it is over" in out


def test_messages_of_another_length_are_named(cli: Cli) -> None:
    """A receiver that takes one chunk at a time of a message of two."""
    text = algorithm(
        [
            (
                "2 2 0",
                block(0, -1, -1, step(0, "cpy", "i0", "o0", 2))
                + block(1, 1, -1, step(0, "s", "i0", "o0", 2)),
            ),
            ("0 2 0", block(0, -1, 0, step(0, "r", "i0", "o0"), step(1, "r", "i0", "o1"))),
        ],
        "broadcast",
        2,
    )
    status, out = check(cli, text)
    assert status == 1
    assert "takes 1 chunk for a message, and gpu 0 sent 2" in out


MALFORMED = {
    "": "line 1: it is no XML, or is cut off",
    "<algo": "line 1: it is no XML, or is cut off",
    pair()[:700]: "line 13: it is no XML, or is cut off",
    "<system version='1'/>": "line 1: an MSCCL algorithm begins with <algo>, not <system>",
    "<!DOCTYPE x [<!ENTITY a 'b'>]><algo/>": "line 1: a DOCTYPE has no place here",
    pair().replace('ngpus="2"', ""): "line 1: <algo> has no ngpus",
    pair().replace('ngpus="2"', 'ngpus="3"'): "line 1: 3 gpus are announced, and there are 2",
    pair("sort"): "line 1: coll is one of",
    pair().replace('nchunksperloop="2"', 'nchunksperloop="3"'): "line 1: nchunksperloop of allgather is a",
    pair().replace('nchunksperloop="2"', 'nchunksperloop="2000000000000"'): "",
    pair().replace('type="cpy"', 'type="jump"'): "line 4: a step's type is one of",
    pair().replace('srcbuf="i"', 'srcbuf="q"'): "line 4: srcbuf is i, o or s, not 'q'",
    pair().replace('cnt="1"', 'cnt="x"'): "line 4: cnt of <step> is a whole number from 0 on, not 'x'",
    pair().replace('cnt="1"', 'cnt="9"'): "line 4: it needs i[0] to i[8], and the gpu has 1 chunk there",
    pair().replace('s="0"', 's="4"'): "line 4: the step's s should be 0",
    pair().replace('depid="-1"', 'depid="5"'): "line 4: it waits for step -1 of block 5, which is not there",
    pair().replace('send="1"', 'send="-1"'): "line 7: s in a block without a peer in send",
    pair().replace('send="1"', 'send="6"'): "gpu 0, block 1: 6 is no other gpu",
}


@pytest.mark.parametrize("text", MALFORMED)
def test_foreign_files_are_refused_with_their_place(cli: Cli, text: str) -> None:
    """One line with the place, and 2."""
    Path("a.xml").write_text(text)
    assert f"a.xml: {MALFORMED[text]}" in refused(cli("check a.xml"))


def test_topologies_that_do_not_fit(cli: Cli) -> None:
    """Another number of compute nodes, no buffers, and options that are not for JSON."""
    Path("a.xml").write_text(pair())
    assert "for 2 gpus, and the network has 3 compute nodes" in refused(cli("check a.xml --topology path:3"))
    assert "--buffers takes a number of 1 or more" in refused(cli("check a.xml --buffers 0"))
    assert "is for programs for GPUs" in refused(cli("check a.json --topology path:3"))
    assert "cannot be read" in refused(cli("check nowhere.xml"))


def test_more_buffers_never_hurt() -> None:
    """What ends with k buffers ends with k + 1, with the same result."""
    read = read_algorithm(ring(5).encode())
    ended = [replay(read, k, in_place=True).deadlock is None for k in range(1, 6)]
    assert ended == sorted(ended)
    assert ended[-1]


def test_a_root_that_the_file_does_not_name(cli: Cli) -> None:
    """It is the gpu for which the result is right, or none; a root that is named is that one."""
    sender = block(0, 1, -1, step(0, "s", "i0", "i0"))
    receiver = block(0, -1, 0, step(0, "rrc", "i0", "o0"))
    text = algorithm([("1 0 0", sender), ("1 1 0", receiver)], "reduce", 1)
    status, out = check(cli, text, "--topology path:2 --strict")
    assert status == 0, out
    assert "every gpu gets what the reduce gives it, root 1" in out
    assert check(cli, text.replace("<algo ", '<algo root="1" '))[0] == 0
    status, out = check(cli, text.replace("<algo ", '<algo root="0" '))
    assert status == 1
    assert "gpu 0: o[0] should be chunk 0 of gpus 0,1, and is nothing" in out
    assert check(cli, text.replace('"rrc"', '"r"'))[0] == 1


def test_in_place_is_said_by_0_or_1(cli: Cli) -> None:
    """An executor takes other numbers for yes, so that the calls in place would go unchecked."""
    for name in ("inplace", "outofplace"):
        text = re.sub(f' {name}="[01]"', f' {name}="2"', pair())
        status, out = check(cli, text)
        assert status == 1
        assert f"executor: {name} is 0 or 1, not 2" in out


def test_a_custom_collective(cli: Cli) -> None:
    """It runs, and what it results in nobody says."""
    status, out = check(cli, pair().replace('coll="allgather"', 'coll="custom"'))
    assert status == 1
    assert "not sure what a custom collective results in" in out
    assert "out of place: it ends with 2 buffers a connection" in out


def test_executors(cli: Cli) -> None:
    """What msccl-tools writes has neither sizes nor outofplace, which only msccl does without."""
    text = ring()
    for name in ("outofplace", "minBytes", "maxBytes"):
        text = re.sub(f' {name}="[0-9]+"', "", text)
    assert check(cli, text, "--executor msccl --strict")[0] == 0
    for name in ("azure", "rccl"):
        status, out = check(cli, text, f"--executor {name}")
        assert status == 1
        assert "<algo> has no outofplace, minBytes, maxBytes" in out
    assert "<algo> has no name" in check(cli, text.replace(' name="t"', ""), "--executor msccl")[1]
    wide = pair("reducescatter")
    assert "coll is one of allgather" in check(cli, wide, "--executor msccl")[1]
    assert "executor: coll" not in check(cli, wide, "--executor azure")[1]
    many = [step(k, "nop", "i-1", "o-1", 0) for k in range(65)]
    long = pair().replace("</gpu>", block(3, -1, -1, *many) + "</gpu>", 1)
    assert "has 65 steps, and 64 is the most" in check(cli, long, "--executor azure")[1]
    assert check(cli, long, "--executor msccl")[0] == 0
    Path("p.json").write_text("{}")
    assert "--executor are for .xml" in refused(cli("check p.json --executor azure"))
    assert "invalid choice" in refused(cli("check a.xml --executor nccl"))


@pytest.mark.parametrize("side", ["send", "receive"])
def test_blocks_of_a_channel(side: str) -> None:
    """As many as the executor has places for, and no more; for one peer one block a channel."""

    def crowd(count: int, *channels: int) -> list[str]:
        ends = [(peer, None) if side == "send" else (None, peer) for peer in range(1, count + 1)]
        blocks = [
            Block(k, send, receive, channel, ())
            for channel in channels
            for k, (send, receive) in enumerate(ends)
        ]
        return list(limits._crowded(Gpu(0, {}, tuple(blocks))))

    assert crowd(limits.MOST_BLOCKS_OF_CHANNEL, 0, 1) == []
    assert len(crowd(limits.MOST_BLOCKS_OF_CHANNEL + 1, 0, 1)) == 2
    assert "33 blocks of channel 3 have messages" in crowd(33, 3)[0]
    assert crowd(1, 2, 2) == [
        f"2 blocks are for messages {'to' if side == 'send' else 'from'} gpu 1 on channel 2"
    ]


def test_numbers_of_blocks_and_chunks() -> None:
    """As many as the executor has places for, and no more."""

    def refused(blocks: int, size: int) -> list[str]:
        steps = (Step("cpy", Place("i", 0), Place("o", 0), size, None, signals=False),)
        gpu = Gpu(0, {}, tuple(Block(k, None, None, 0, steps) for k in range(blocks)))
        return list(limits._refusals_of(gpu, "1", 1, limits.RCCL))

    assert refused(limits.MOST_BLOCKS, limits.MOST_COUNT) == []
    assert refused(65, 1) == ["it has 65 blocks, and 64 is the most"]
    assert refused(1, 72) == ["block 0 moves 72 chunks in a step, and 71 is the most"]


def test_an_input_that_is_written(cli: Cli) -> None:
    """Out of place it must stay as it is, also where it is written with what it holds."""
    again = block(3, -1, -1, step(0, "cpy", "i0", "i0"))
    out = check(cli, pair().replace("</gpu>", again + "</gpu>", 1))[1]
    assert "gpu 0: i[0], its input, is written although buffers are apart" in out
    Path("a.xml").write_text(algorithm([], "allgather", 2))
    assert "ngpus" in refused(cli("check a.xml"))
