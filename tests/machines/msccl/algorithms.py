"""Small MSCCL XML algorithms, written by hand, and where those of a program are."""

from __future__ import annotations

from pathlib import Path

KEPT = Path(__file__).parents[2] / "data" / "msccl"

HEAD = (
    '<algo name="t" proto="Simple" nchannels="1" nchunksperloop="{chunks}" ngpus="{gpus}" coll="{coll}"'
    ' inplace="{inplace}" outofplace="{apart}" minBytes="0" maxBytes="0">'
)


def step(
    number: int, kind: str, source: str, target: str, size: int = 1, waits: str = "-1 -1", has: int = 0
) -> str:
    block, other = waits.split()
    return (
        f'<step s="{number}" type="{kind}" srcbuf="{source[0]}" srcoff="{source[1:]}" dstbuf="{target[0]}"'
        f' dstoff="{target[1:]}" cnt="{size}" depid="{block}" deps="{other}" hasdep="{has}"/>\n'
    )


def block(number: int, send: int, receive: int, *steps: str) -> str:
    return f'<tb id="{number}" send="{send}" recv="{receive}" chan="0">\n{"".join(steps)}</tb>\n'


def algorithm(gpus: list[tuple[str, str]], coll: str, chunks: int, *, in_place: bool = False) -> str:
    """gpus: of each "i o s", the chunks in its buffers, and its blocks."""
    head = HEAD.format(
        chunks=chunks, gpus=len(gpus), coll=coll, inplace=int(in_place), apart=int(not in_place)
    )
    parts = []
    for number, (sizes, blocks) in enumerate(gpus):
        i, o, s = sizes.split()
        parts.append(f'<gpu id="{number}" i_chunks="{i}" o_chunks="{o}" s_chunks="{s}">\n{blocks}</gpu>\n')
    return head + "\n" + "".join(parts) + "</algo>\n"


def pair(coll: str = "allgather") -> str:
    """Two gpus that swap a chunk: an allgather in one step."""
    gpus = []
    for me in (0, 1):
        you = 1 - me
        gpus.append(
            (
                "1 2 0",
                block(0, -1, -1, step(0, "cpy", "i0", f"o{me}"))
                + block(1, you, -1, step(0, "s", "i0", f"o{me}"))
                + block(2, -1, you, step(0, "r", "i0", f"o{you}")),
            )
        )
    return algorithm(gpus, coll, 2)


def ring(count: int = 3) -> str:
    """An allreduce in place around a ring, all chunks in one block a gpu, as files of other tools have it."""
    gpus = []
    for me in range(count):
        send, receive = (me + 1) % count, (me - 1) % count
        steps = [step(0, "s", f"i{me}", f"i{me}")]
        for t in range(1, 2 * count - 1):
            chunk = (me - t) % count
            kind = "rrs" if t < count - 1 else "rrcs" if t == count - 1 else "rcs"
            kind = "r" if t == 2 * count - 2 else kind
            steps.append(step(t, kind, f"i{chunk}", f"i{chunk}"))
        gpus.append((f"{count} 0 0", block(0, send, receive, *steps)))
    return algorithm(gpus, "allreduce", count, in_place=True)


def relay() -> str:
    """A broadcast down a path: a gpu passes a chunk on once it has come."""
    first = block(0, -1, -1, step(0, "cpy", "i0", "o0")) + block(1, 1, -1, step(0, "s", "i0", "o0"))
    middle = block(0, -1, 0, step(0, "r", "i0", "o0", has=1))
    middle += block(1, 2, -1, step(0, "s", "o0", "o0", waits="0 0"))
    last = block(0, -1, 1, step(0, "r", "i0", "o0"))
    return algorithm([("1 1 0", first), ("0 1 0", middle), ("0 1 0", last)], "broadcast", 1)


def scratch() -> str:
    """A reduce to gpu 0 of two chunks at once, added in its scratch buffer."""
    steps = (
        step(0, "cpy", "i0", "s0", 2),
        step(1, "r", "i0", "o0", 2),
        step(2, "re", "s0", "o0", 2),
    )
    sender = block(0, 0, -1, step(0, "s", "i0", "o0", 2))
    return algorithm([("2 2 2", block(0, -1, 1, *steps)), ("2 0 0", sender)], "reduce", 2)


def parts() -> str:
    """A reduce-scatter of two gpus, each adding its own chunk to what comes."""
    gpus = []
    for me in (0, 1):
        you = 1 - me
        both = block(0, you, you, step(0, "s", f"i{you}", "o0"), step(1, "rrc", f"i{me}", "o0"))
        gpus.append(("2 1 0", both))
    return algorithm(gpus, "reducescatter", 2)
