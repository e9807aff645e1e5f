"""MSCCL XML with one thing altered: each is refused for what is wrong with it, or computes the same result,
run literally in several orders.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest

from schedsolve import check
from schedsolve.machines.msccl.algorithm import read_algorithm
from schedsolve.machines.msccl.check import check_algorithm
from schedsolve.runtime.errors import InputError
from tests.machines.msccl.algorithms import KEPT
from tests.reference.msccl_literal import wrong

Change = Callable[[Element, int], None]
MOST_OF_A_KIND = 3
"""Altered algorithms of a kind that are looked at, from the first to the last."""


@pytest.fixture(
    scope="module",
    params=["allreduce-path-3-in-place", "broadcast-path-3", "reduce-scatter-path-3"],
)
def algorithm(request: pytest.FixtureRequest) -> Element:
    """Return an allreduce in place, and two collectives out of place."""
    return ElementTree.fromstring((KEPT / f"{request.param}.xml").read_text())


def delete(block: Element, at: int) -> None:
    block.remove(block[at])


def twice(block: Element, at: int) -> None:
    block.insert(at, copy.deepcopy(block[at]))


def given(**values: str) -> Change:
    return lambda block, at: block[at].attrib.update(values)


def more(**by: int) -> Change:
    return lambda block, at: block[at].attrib.update({k: str(int(block[at].attrib[k]) + by[k]) for k in by})


def first(block: Element, at: int) -> None:
    step = block[at]
    block.remove(step)
    block.insert(0, step)


def not_waiting(block: Element, at: int) -> None:
    block[at].attrib.update(depid="-1", deps="-1")


WRONG_RESULT = r"gpu \d+: o\[\d+\] should be chunk \d+( of gpus [0-9,]+)?, and is "
STARVED = r"deadlock with 2 buffers .* waits for a message from gpu \d+"
UNRECEIVED = r"gpu \d+ sends gpu \d+ more on channel \d+ than it receives"
NOT_THERE = r"line \d+: it needs [ios]\[-?\d+\] to [ios]\[-?\d+\], and the gpu has \d+ chunks? there"
NO_STEP = r"line \d+: it waits for step \d+ of block \d+, which is not there"
OF_STEPS: dict[str, tuple[str, Change, str | None]] = {
    "send dropped": ("s", delete, f"{STARVED}|{NO_STEP}"),
    "receive dropped": (
        "r",
        delete,
        f"{UNRECEIVED}|{NO_STEP}|deadlock .* which does not say that it is over",
    ),
    "sum dropped": ("rrc", delete, f"{UNRECEIVED}|{NO_STEP}|{STARVED}"),
    "copy dropped": ("cpy", delete, f"{WRONG_RESULT}|{NO_STEP}"),
    "send that does nothing": ("s", given(type="nop"), STARVED),
    "receive that does nothing": ("r", given(type="nop"), UNRECEIVED),
    "send twice": ("s", twice, f"{UNRECEIVED}|{STARVED}|waits for room"),
    "receive twice": ("r", twice, STARVED),
    "sum twice": ("rrc", twice, STARVED),
    "copy twice": ("cpy", twice, None),
    "receive instead of a sum": ("rrc", given(type="r"), WRONG_RESULT),
    "sum instead of a receive": ("r", given(type="rrc"), f"{WRONG_RESULT}|: race: "),
    "copy instead of a send": ("s", given(type="cpy"), f"{STARVED}|{NOT_THERE}"),
    "sum into the wrong place": ("rrc", more(dstoff=1), f"{WRONG_RESULT}|{NOT_THERE}|: race: "),
    "another chunk sent": ("s", more(srcoff=1), f"{WRONG_RESULT}|{NOT_THERE}|: race: |{STARVED}"),
    "received elsewhere": ("r", more(dstoff=1), f"{WRONG_RESULT}|{NOT_THERE}|: race: "),
    "copied elsewhere": ("cpy", more(dstoff=1), f"{WRONG_RESULT}|{NOT_THERE}"),
    "another source of a receive": ("r", more(srcoff=5), None),
    "longer message": ("s", more(cnt=1), f"chunks? for a message, and gpu|{NOT_THERE}|{UNRECEIVED}"),
    "longer receive": ("r", more(cnt=1), f"chunks? for a message, and gpu|{NOT_THERE}|{STARVED}"),
    "message of nothing": ("s", given(cnt="0"), STARVED),
    "send without waiting": ("s", not_waiting, None),
    "sum without waiting": ("rrc", not_waiting, None),
    "send first": ("s", first, None),
    "waited for, and not said to be over": ("rrc", given(hasdep="0"), None),
    "another buffer": ("s", given(srcbuf="s"), None),
    "send in a block that receives": ("r", given(type="s"), "s in a block without a peer in send"),
    "receive in a block that sends": ("s", given(type="rcs"), "rcs in a block without a peer in recv"),
}
"""By what is altered: the type of steps, how, and what is said then; None where some of these are right."""


def altered(root: Element, kind: str, change: Change) -> Iterator[Element]:
    """Yield algorithms with one step of a type altered."""
    for g, gpu in enumerate(root):
        for b, block in enumerate(gpu):
            for at, step in enumerate(block):
                if step.attrib["type"] == kind:
                    made = copy.deepcopy(root)
                    change(made[g][b], at)
                    for number, one in enumerate(made[g][b]):
                        one.attrib["s"] = str(number)
                    yield made


def reason(root: Element) -> str | None:
    """Return what the checker says is wrong with an algorithm; None for nothing."""
    try:
        report = check_algorithm(read_algorithm(ElementTree.tostring(root)), None, None)
    except InputError as error:
        return str(error)
    failed = [line for line in report.lines if line.startswith("FAILED")]
    assert bool(failed) == report.failed
    return "\n".join(failed) or None


def is_right(root: Element) -> bool:
    """Whether it gives the right result in all orders that are tried."""
    return not wrong(ElementTree.tostring(root, encoding="unicode"), 2)


@pytest.mark.parametrize("what", OF_STEPS)
def test_steps(algorithm: Element, what: str) -> None:
    """Dropped, doubled, moved and exchanged steps."""
    kind, change, expected = OF_STEPS[what]
    made = list(altered(algorithm, kind, change))
    for one in made[:: max(1, len(made) // MOST_OF_A_KIND)]:
        said = reason(one)
        if expected is None:
            assert said is not None or is_right(one)
        else:
            assert said is not None
            assert re.search(expected, said), said


def test_all_kinds_of_steps(algorithm: Element) -> None:
    """What is altered is there."""
    kinds = {"allreduce": {"s", "r", "rrc"}, "broadcast": {"s", "r", "cpy"}}
    expected = kinds.get(algorithm.attrib["coll"], {"s", "rrc"})
    assert expected <= {step.attrib["type"] for step in algorithm.iter("step")}


def add_gpu(root: Element) -> None:
    root.append(copy.deepcopy(root[-1]))
    root[-1].attrib["id"] = str(len(root) - 1)
    root.attrib["ngpus"] = str(len(root))


def drop_gpu(root: Element) -> None:
    root.remove(root[-1])
    root.attrib["ngpus"] = str(len(root))


def drop_blocks(root: Element) -> None:
    for block in list(root[0]):
        root[0].remove(block)


def to_another(end: str) -> Callable[[Element], None]:
    """Let the first block with a peer at that end have another one."""

    def change(root: Element) -> None:
        block = next(one for one in root[1].iter("tb") if one.attrib[end] != "-1")
        block.attrib[end] = {"0": "2", "2": "0"}[block.attrib[end]]

    return change


def two_receivers(root: Element) -> None:
    """Let two blocks of one gpu take the messages of one connection."""
    gpu, block = next((gpu, one) for gpu in root for one in gpu if one.attrib["recv"] != "-1")
    gpu.append(copy.deepcopy(block))
    gpu[-1].attrib["id"] = str(len(gpu) - 1)


def waiting_in_a_circle(root: Element) -> None:
    """Let the first steps of two blocks of a gpu wait for each other."""
    blocks = [block for block in root[1] if len(block)]
    for block, other in ((blocks[0], blocks[1]), (blocks[1], blocks[0])):
        block[0].attrib.update(depid=other.attrib["id"], deps="0", hasdep="1")


OF_ALGORITHMS: dict[str, tuple[Callable[[Any], object], str]] = {
    "gpu dropped": (drop_gpu, r"gpu \d+, block \d+: 2 is no other gpu|nchunksperloop|chunks? there"),
    "gpu dropped, and still announced": (
        lambda root: root.remove(root[-1]),
        "3 gpus are announced, and there",
    ),
    "gpu added": (add_gpu, f"{STARVED}|{UNRECEIVED}|nchunksperloop|{WRONG_RESULT}"),
    "gpu that does nothing": (drop_blocks, f"{STARVED}|{UNRECEIVED}"),
    "sends to another gpu": (to_another("send"), "blocks are for messages to gpu|deadlock"),
    "receives from another gpu": (to_another("recv"), "blocks are for messages from gpu|deadlock"),
    "two blocks receive the same": (two_receivers, "blocks are for messages from gpu|deadlock"),
    "waiting in a circle": (waiting_in_a_circle, "deadlock .* waits for step 0 of block .* in a circle"),
    "input too small": (lambda root: root[0].attrib.update(i_chunks="0"), NOT_THERE),
    "another collective": (
        lambda root: root.attrib.update(coll="alltoall"),
        f"{WRONG_RESULT}|nchunksperloop",
    ),
    "more chunks": (lambda root: root.attrib.update(nchunksperloop="6"), f"{WRONG_RESULT}|{NOT_THERE}"),
}
"""By what is altered: how, and what is said then."""


@pytest.mark.parametrize("what", OF_ALGORITHMS)
def test_gpus_and_blocks(algorithm: Element, what: str) -> None:
    """Missing gpus and blocks, other peers, and other collectives."""
    change, expected = OF_ALGORITHMS[what]
    made = copy.deepcopy(algorithm)
    change(made)
    said = reason(made)
    assert said is not None
    assert re.search(expected, said), said


def test_truncated_files(algorithm: Element, tmp_path: Path) -> None:
    """Cut off anywhere, an algorithm is no XML."""
    text = ElementTree.tostring(algorithm, encoding="unicode")
    file = tmp_path / "cut.xml"
    for share in (2, 3, 5):
        file.write_text(text[: -len(text) // share])
        with pytest.raises(InputError, match=r"cut\.xml: line \d+: it is no XML, or is cut off"):
            check(file)
