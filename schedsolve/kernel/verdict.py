"""The verdict: files and schedule are those claimed, and no schedule is better."""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

from .network import read_network
from .theorems import THEOREMS
from .wrong import WrongError, require, require_form

NUMBER = (int, str, type(None))
PROBLEM = {"task": str, "nodes": int, "links": int, "directed": bool, "how": str, "sha256": dict}
PROVEN = {"value": NUMBER, "lower_bound": NUMBER, "rests_on": [str, ...], "impossible?": bool}
COUNTS = ("nodes", "period", "ports", "steps", "chunks")


def theorem(claim: dict[str, Any], in_words: Any) -> tuple[str, str]:
    """Return the claim in two sentences: the theorem, and what its words mean."""
    (quantity, rules), least, most = in_words(claim), claim["lower_bound"], claim["value"]
    sides = [f"{word} {n}" for word, n in (("at least", least), ("at most", most)) if n is not None]
    verdict = f"is {most if least == most else ' and '.join(sides)}"
    verdict = "does not exist: no number suffices" if claim.get("impossible") else verdict
    links = f"{claim['links']} {'arcs' if claim['directed'] else 'links'}"
    links += f"; switches {', '.join(map(str, claim['switches']))}" if "switches" in claim else ""
    where = f"On the network of network.edges ({claim['nodes']} nodes, {links})"
    return f"{where} {quantity} {verdict}.", rules


def claim_text(claim: dict[str, Any], in_words: Any) -> str:
    """Return the text of claim.md."""
    rests_on = [f"On {name}, which verify.py does not verify." for name in claim["rests_on"]]
    parts = [
        *("# What is claimed", *theorem(claim, in_words), "## What verifies it"),
        "`python3 -I verify.py` here, with Python 3.9 or newer and nothing else.",
        *([f"Not less: {claim['how']}"] if claim["how"] else []),
        *(["Not more: schedule.json is replayed."] if claim["value"] is not None else []),
        *("## What it rests on", *(rests_on or ["On nothing but verify.py and Python."])),
        *("## Files", *(f"    {digest}  {name}" for name, digest in claim["sha256"].items())),
    ]
    return "\n\n".join(parts) + "\n"


def judge(claim: dict[str, Any], contents: dict[str, bytes], *functions: Any) -> None:
    """Raise WrongError unless the files are those of the claim and show what it says."""
    require_stated(claim, *functions)
    in_words, replay, lower_bound = functions
    for name, digest in claim["sha256"].items():
        found = hashlib.sha256(contents[name]).hexdigest()
        require(found == digest, f"the SHA-256 of {name} is {found}, not the one claimed")
    files = {name: content.decode() for name, content in contents.items()}
    require(files["claim.md"] == claim_text(claim, in_words), "claim.md says something else")
    claim = {**claim, "evidence": json.loads(files.get("evidence.json", "{}"))}
    network = read_network(claim, files["network.edges"])
    require(len(network.edges) == claim["links"], "network.edges has another number of links")
    if claim["value"] is not None:
        value = shown(claim, network, json.loads(files["schedule.json"]), replay)
        require(value == Fraction(claim["value"]), f"the schedule has the value {value}")
    if lower_bound is not None:
        bound = lower_bound(claim, network, files)
        # With a period p, p (n - 1) rounds do all that any number of rounds does.
        never = claim.get("period", float("inf")) * network.n
        least = never if claim.get("impossible") else Fraction(claim["lower_bound"])
        require(bound >= least, f"no more is proven than {bound}")


def require_stated(claim: dict[str, Any], *functions: Any) -> None:
    """Raise WrongError unless the claim is what its words state, and all is of one theorem."""
    words, referee, bound = (function and function.__name__ for function in functions)
    referees, bounds, keys, tasks = THEOREMS.get(words, ("", "", {}, {}))
    right = referee in referees.split() and claim["task"] in tasks
    right = right and (bound is None or bound in bounds.split())
    require(right, f"{words}, {referee} and {bound} do not belong together for {claim['task']}")
    require_form(claim, {**PROBLEM, **PROVEN, **keys, **tasks[claim["task"]]})
    some = claim.get("open") or claim.get("worst")
    right = not some or len(claim["sources"]) == 1
    for key in ("sources", "targets", "ranks", "switches"):
        nodes = claim.get(key, [0])
        right = right and 0 < len(set(nodes)) == len(nodes) and max(nodes) < claim["nodes"]
    right = right and all(claim.get(key) != 0 for key in COUNTS)
    never, least, most = claim.get("impossible", False), claim["lower_bound"], claim["value"]
    right = right and all(x is None or str(Fraction(x)) == str(x) for x in (least, most))
    right = right and not (never and most is not None) and (least, most) != (None, None)
    require(right, "a number or a node cannot be that")
    unproven = (never or least not in (None, 0)) and bound in (None, "as_given_refuted")
    right = all(name.strip() and name.isprintable() for name in claim["rests_on"])
    right = right and bool(claim["rests_on"]) == unproven
    require(right and claim["how"] == said(functions[2])[0], "the lower bound is proven otherwise")


def said(function: Any) -> list[str]:
    """Return what a function says of itself, line by line: what it does, and why."""
    return [line.strip() for line in (function.__doc__ if function else "").strip().split("\n")]


def shown(claim: dict[str, Any], network: Any, schedule: Any, replay: Any) -> Any:
    """The value of a schedule; for the worst node the greatest, of one for each node in order."""
    if not claim.get("worst"):
        return replay(claim, network, schedule)
    require(len(schedule) == network.n, "there is not a schedule for each node")
    return max(replay({**claim, "sources": [v]}, network, one) for v, one in enumerate(schedule))


def main(claim: dict[str, Any], folder: Path, *functions: Any) -> int:
    """Verify the files of a folder; return the status: 0 verified, 1 false, 4 rests on more."""
    parser = argparse.ArgumentParser(description="Verifies the claim of this folder, claim.md.")
    known = 'take for true what is named and not verified, such as "Theorem 7"'
    parser.add_argument("--accept", action="append", default=[], metavar="NAME", help=known)
    accepted = parser.parse_args().accept
    try:
        names = [*claim["sha256"], "claim.md"]
        judge(claim, {name: (folder / name).read_bytes() for name in names}, *functions)
    except Exception as error:
        kind = "" if isinstance(error, WrongError) else f"{type(error).__name__}: "
        print(f"FALSE, or tampered with: {kind}{error}", file=sys.stderr)
        return 1
    sentence = theorem(claim, functions[0])[0]
    missing = [name for name in claim["rests_on"] if name not in accepted]
    given = "".join(f", given {name}" for name in claim["rests_on"])
    if missing:
        print(f"rests on {' and '.join(missing)}, not verified here: {sentence}")
    else:
        print(f"Verified{given}: {sentence}", *said(functions[2])[1:], sep="\n")
    return 4 if missing else 0
