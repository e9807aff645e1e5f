"""Broken files and random options: every command ends with 0, 1, 2 or 3, with one line when the input is bad,
and never with a traceback.
"""

from __future__ import annotations

import contextlib
import gzip
import io
import json
import os
import tempfile
from pathlib import Path
from random import Random
from typing import Any

from schedsolve.commands.cli import main
from schedsolve.network.named.families import families
from schedsolve.runtime.limits.budget import Budget, within
from schedsolve.runtime.limits.timeout import timeout
from tests.soak.mutants import mutate
from tests.soak.saved_results import LINES, saved

SECONDS = 30.0
"""How long a command may take before it counts as overrun; searches are given a time limit of 1 s."""

NETWORK_FILES = {
    "x.edges": "0 1\n1 2\n2 0 # triangle\n3\n",
    "x.dimacs": "c a path\np edge 3 2\ne 1 2\ne 2 3\n",
    "x.col": "p col 2 1\ne 1 2\n",
    "x.g6": "DQc\n",
    "x.json": '{"directed": false, "nodes": [{"id": 0}, {"id": 1}], "edges": [{"source": 0, "target": 1}]}',
    "x.mbt": "3 1 2\n1 2\n2 3\n1\n",
    "x.in": "2 1 1\n1 2\n2\n",
    "x.graphml": '<graphml><graph edgedefault="undirected"><node id="a"/><node id="b"/>'
    '<edge source="a" target="b"/></graph></graphml>',
    "x.topo": "a b 1\nb a 1\n",
}
NUMBERS = ("0", "1", "2", "3", "-1", "7", "x", "1.5", "99999999999999999999", "", "min", "max", "all", "1,2")
OPTIONS = (
    "--source", "--root", "--targets", "--rounds", "--period", "--ports", "--extra-rounds", "--capacity",
    "--timing", "--messages", "--pattern", "--seed", "--backend", "--algorithm", "--view", "--from", "--to",
    "--edge-colouring", "--json", "--quiet", "--directed", "--strict", "--trust-size", "--certify",
)  # fmt: skip
INSERTED = (b"0", b"-1", b"9" * 30, b"\xff", b"\0", b"[", b'"', b"\n", b"1e9")
FLAGS = {"--edge-colouring", "--json", "--quiet", "--directed", "--strict", "--trust-size", "--certify"}
WORDS = (
    *NUMBERS,
    "sat",
    "cpsat",
    "clock",
    "rounds",
    "random:4",
    "transpose",
    "const",
    "linear",
    "greedy",
    "\0",
)


def broken(random: Random, content: bytes) -> bytes:
    """The content with a few bytes or lines changed, lost, doubled or put elsewhere."""
    for _ in range(random.randint(1, 4)):
        at, to = sorted(random.randrange(len(content) + 1) for _ in range(2))
        piece = content[at:to]
        content = random.choice(
            (
                content[:at] + content[min(to, at + 8) :],
                content[:at] + piece[:200] + content[at:],
                content[:at] + random.choice(INSERTED) + content[at:],
                content[:to],
                content[:at] + random.randbytes(3) + content[at + 3 :],
            )
        )  # fmt: skip
    return content


def _result_file(random: Random) -> str:
    data = saved(random.choice(LINES))
    if random.random() < 0.5:
        with contextlib.suppress(KeyError, TypeError, IndexError, ValueError, AttributeError):
            mutate(random, data)
    content = json.dumps(data).encode()
    content = broken(random, content) if random.random() < 0.3 else content
    name = random.choice(("r.json", "r.json.gz"))
    if name.endswith("gz"):
        content = gzip.compress(content)
        content = broken(random, content) if random.random() < 0.2 else content
    Path(name).write_bytes(content)
    return name


def _network_file(random: Random) -> str:
    name = random.choice(sorted(NETWORK_FILES))
    content = NETWORK_FILES[name].encode()
    Path(name).write_bytes(broken(random, content) if random.random() < 0.7 else content)
    return name


def _family(random: Random) -> str:
    family = random.choice(families()).name
    form = next(f.form for f in families() if f.name == family).partition(":")[2]
    count = form.count(",") + form.count("x") + bool(form) if random.random() < 0.8 else random.randrange(4)
    numbers = [str(random.choice((1, 2, 3, 3, 4, 4, 5, 8, -1, 10**9, "x"))) for _ in range(count)]
    return family + (":" + ("x" if "x" in form else ",").join(numbers) if numbers else "")


def command_line(random: Random) -> list[str]:
    """A random command line about files in the folder, which it writes."""
    if random.random() < 0.5:
        verb = random.choice(("check", "check", "draw", "analyse", "export", "draw"))
        line = [verb, _result_file(random)]
        if verb in ("draw", "export"):
            line += ["-o", random.choice(("out.svg", "out.html", "out", "nowhere/out.png", ""))]
    elif random.random() < 0.1:
        Path("x.toml").write_bytes(broken(random, b'[[problem]]\nmodel = "telephone"\ntask = "gossip"\n'))
        line = ["compare", "x.toml", "--time-limit", "1"]
    else:
        base = random.choice(LINES).split()
        verb = random.choice(("solve", "construct", "bounds", "compare", "formulate"))
        # What is formulated is written down however long it is.
        if random.random() < 0.5 and verb != "formulate":
            base[2] = random.choice((_family, _family, _network_file))(random)
        line = [verb, *base]
        if verb in ("solve", "compare"):
            line += ["--time-limit", "1"]
    for _ in range(random.choice((0, 0, 0, 1, 2))):
        option = random.choice(OPTIONS)
        line += [option] if option in FLAGS else [option, random.choice(WORDS)]
    return line


def try_command(random: Random) -> tuple[str, str]:
    """Run a random command: what came of it, and a finding, "" when there is none."""
    home, out, err = os.getcwd(), io.StringIO(), io.StringIO()
    line: list[str] = []
    status: Any = None
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            line = command_line(random)
            with (
                timeout(SECONDS) as limit,
                within(Budget(nodes=2_000, edges=20_000, seconds=10**6)),
                contextlib.redirect_stdout(out),
                contextlib.redirect_stderr(err),
            ):
                try:
                    status = main(line)
                except SystemExit as stop:
                    status = stop.code
        finally:
            os.chdir(home)
    said = err.getvalue()
    if limit.passed:
        return "overrun", f"{line}: more than {SECONDS} s"
    if status not in (0, 1, 2, 3) or "Traceback" in said:
        return "traceback", f"{line}: status {status}, {said[-300:]}"
    if status == 2 and (said.count("\n") != 1 or not said.startswith("schedsolve: ")):
        return "more than one line", f"{line}: {said[:300]!r}"
    return f"exit {status}", ""
