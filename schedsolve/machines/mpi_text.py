"""The parts of a program for MPI that do not depend on the schedule, with places for what does."""

from __future__ import annotations

HEAD = '''\
#!/usr/bin/env python3
"""{title}

Run it with: {command}
It needs mpi4py and numpy. Written by schedsolve; the steps below are a schedule that its referee replayed.
{where}
"""

import argparse
import functools
import sys
import time
import traceback

try:
    import numpy as np
    from mpi4py import MPI
except ImportError as error:
    print(f"this program needs mpi4py, numpy and an MPI library: {{error}}", file=sys.stderr)
    sys.exit(2)

RANKS = {ranks}
CHUNKS = {chunks}  # into how many chunks a unit is cut
AHEAD = 4  # receives from one rank that are posted at a time
{constants}
# The schedule: for every step the transfers {entry}. A message is a chunk or a tuple
# of chunks. Nothing waits for the end of a step: what is sent is what the sender has by the steps before.
# {numbering}
STEPS = [
{steps}
]


def cut(count):
    """Where the chunks of a unit of so many elements begin, and where the last one ends."""
    return [count * j // CHUNKS for j in range(CHUNKS + 1)]


def pieces(buffer, units):
    """The chunks of a buffer that holds these units one after another: views of it, by their numbers."""
    count = len(buffer) // len(units)
    at = cut(count)
    return {{
        unit * CHUNKS + j: buffer[place * count + at[j] : place * count + at[j + 1]]
        for place, unit in enumerate(units)
        for j in range(CHUNKS)
    }}

'''
EXCHANGE = '''
@functools.cache
def mine(rank):
    """What a rank does: for every receiver the messages to it in order, each as its chunks and how often each
    of these must have come before; for every sender the messages from it, each as {what}its chunks and, for
    each, how often it must have come and been sent before.
    """
    out, into, came, sent = {{}}, {{}}, {{}}, {{}}
    for transfers in STEPS:
        arriving = []
        for sender, receiver, {what}messages in transfers:
            for message in messages:
                chunks = message if isinstance(message, tuple) else (message,)
                if rank == sender:
                    out.setdefault(receiver, []).append((chunks, [came.get(chunk, 0) for chunk in chunks]))
                    sent.update((chunk, sent.get(chunk, 0) + 1) for chunk in chunks)
                elif rank == receiver:
                    arriving.append((sender, {what}chunks))
        for sender, {what}chunks in arriving:
            turns = [(came.get(chunk, 0), sent.get(chunk, 0)) for chunk in chunks]
            into.setdefault(sender, []).append(({what}chunks, turns))
            came.update((chunk, came.get(chunk, 0) + 1) for chunk in chunks)
    return out, into


def exchange(comm, held, count):
    """Carry out the schedule: a message leaves as soon as what is in it has come, and what comes is stored in
    the order of the table. held: this rank's chunks by number, which grow; count: elements of a unit.
    """
    at = cut(count)
    size = [end - begin for begin, end in zip(at, at[1:])]
    out, into = mine(comm.Get_rank())
    came, sent, leaving, coming, arrived = {{}}, {{}}, [], [], {{sender: {{}} for sender in into}}
    next_out, stored, posted = dict.fromkeys(out, 0), dict.fromkeys(into, 0), dict.fromkeys(into, 0)

    def leave(receiver):
        chunks, needed = out[receiver][next_out[receiver]]
        if any(came.get(chunk, 0) != times for chunk, times in zip(chunks, needed)):
            return False
        message = held[chunks[0]] if len(chunks) == 1 else np.concatenate([held[chunk] for chunk in chunks])
        leaving.append(comm.Isend(message, dest=receiver))
        sent.update((chunk, sent.get(chunk, 0) + 1) for chunk in chunks)
        next_out[receiver] += 1
        return True

    def store(sender):
        {what}chunks, turns = into[sender][stored[sender]]
        if stored[sender] not in arrived[sender] or any(
            (came.get(chunk, 0), sent.get(chunk, 0)) != turn for chunk, turn in zip(chunks, turns)
        ):
            return False
        message, begin = arrived[sender].pop(stored[sender]), 0
        for chunk in chunks:
            end = begin + size[chunk % CHUNKS]
            {store}
            begin = end
            came[chunk] = came.get(chunk, 0) + 1
        stored[sender] += 1
        return True

    def post(sender):
        while posted[sender] < min(stored[sender] + AHEAD, len(into[sender])):
            chunks = into[sender][posted[sender]][-2]
            message = np.empty(sum(size[chunk % CHUNKS] for chunk in chunks), TYPE)
            coming.append((comm.Irecv(message, source=sender), sender, posted[sender], message))
            posted[sender] += 1

    while True:
        moved = True
        while moved:
            moved = False
            for receiver in out:
                while next_out[receiver] < len(out[receiver]) and leave(receiver):
                    moved = True
            for sender in into:
                while stored[sender] < len(into[sender]) and store(sender):
                    moved = True
        for sender in into:
            post(sender)
        if not coming:
            break
        done = MPI.Request.Waitsome([request for request, *_ in coming])
        for index in sorted(done, reverse=True):
            _, sender, number, message = coming.pop(index)
            arrived[sender][number] = message
    MPI.Request.Waitall(leaving)

'''
STORE = "held[chunk] = message[begin:end]"
ADD_OR_STORE = """\
piece = message[begin:end]
            held[chunk] = held[chunk] + piece if what == ADD else piece"""
FUNCTION = '''
def {name}(comm, send, receive):
    """{meaning}"""
{body}


def mpi_{name}(comm, send, receive):
    """MPI's own."""
    {own}


def buffers(comm, count):
    """A send buffer of small whole numbers, which add up exactly, and a receive buffer."""
    numbers = np.random.default_rng(comm.Get_rank()).integers(0, 1000, ({sent}) * count)
    return numbers.astype(TYPE), np.zeros(({got}) * count, TYPE)

'''
MAIN = '''
def verify(comm, count):
    """Whether the collective gives at every rank what MPI's own gives."""
    send, receive = buffers(comm, count)
    before, expected = send.copy(), receive.copy()
    {name}(comm, send, receive)
    mpi_{name}(comm, send, expected)
    wrong = np.flatnonzero(receive != expected)
    rank = comm.Get_rank()
    if len(wrong):
        at = wrong[0]
        print(f"rank {{rank}}: element {{at}} is {{receive[at]}}, not {{expected[at]}}", flush=True)
    if not np.array_equal(send, before):
        print(f"rank {{rank}}: the send buffer was changed", flush=True)
    good = not len(wrong) and np.array_equal(send, before)
    return comm.allreduce(int(good), op=MPI.MIN) == 1


def seconds(comm, collective, count, repeat):
    """The median time of the collective, of every run the slowest rank's."""
    send, receive = buffers(comm, count)
    collective(comm, send, receive)
    taken = []
    for _ in range(repeat):
        comm.Barrier()
        start = time.perf_counter()
        collective(comm, send, receive)
        taken.append(comm.allreduce(time.perf_counter() - start, op=MPI.MAX))
    return sorted(taken)[repeat // 2]


def main():
    """Run the command line; 0, 1 when the buffers differ from MPI's, 2 for a wrong call."""
    comm = MPI.COMM_WORLD
    parser = argparse.ArgumentParser(description=__doc__.split("\\n")[0].replace("%(", "% ("))
    parser.add_argument("--count", type=int, default={count}, help="elements of a unit (default %(default)s)")
    parser.add_argument("--verify", action="store_true", help="compare with MPI's own collective")
    parser.add_argument("--time", action="store_true", help="measure, beside MPI's own collective")
    parser.add_argument("--repeat", type=int, default=20, help="runs that are measured (default %(default)s)")
    arguments = parser.parse_args()
    problem, size = "", comm.Get_size()
    if size != RANKS:
        problem = f"this is a schedule for {{RANKS}} ranks, and there are {{size}}: mpiexec -n {{RANKS}}"
    elif arguments.count < 0 or arguments.repeat < 1:
        problem = "--count takes a number from 0 on, --repeat one from 1 on"
    if problem:
        if comm.Get_rank() == 0:
            print(problem, file=sys.stderr)
        return 2
    said = []
    if arguments.verify:
        if not verify(comm, arguments.count):
            if comm.Get_rank() == 0:
                print("{name}: DIFFERS from MPI's own")
            return 1
        said.append(f"{name}: as MPI's own on {{RANKS}} ranks")
    if arguments.time:
        ours = seconds(comm, {name}, arguments.count, arguments.repeat)
        own = seconds(comm, mpi_{name}, arguments.count, arguments.repeat)
        said.append(
            f"{name} of {{arguments.count * np.dtype(TYPE).itemsize}} bytes a unit:"
            f" {{ours:.3g}} s, MPI's own {{own:.3g}} s"
        )
    if not said:
        {name}(comm, *buffers(comm, arguments.count))
        said.append("{name}: done; --verify compares it with MPI's own, --time measures it")
    if comm.Get_rank() == 0:
        print("\\n".join(said))
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Exception:
        traceback.print_exc()
        MPI.COMM_WORLD.Abort(1)
'''
