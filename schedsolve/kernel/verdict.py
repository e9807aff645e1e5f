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
from .wrong import WrongError, require


def theorem(claim: dict[str, Any], in_words: Any) -> tuple[str, str]:
    """Return the claim in two sentences: the theorem, and what its words mean."""
    quantity, rules = in_words(claim)
    sides = [("at least ", claim["lower_bound"]), ("at most ", claim["value"])]
    said = [f"{word}{n}" for word, n in sides if n is not None]
    verdict = f"is {claim['value'] if sides[0][1] == sides[1][1] else ' and '.join(said)}"
    verdict = "does not exist: no number suffices" if claim.get("impossible") else verdict
    links = f"{claim['links']} {'arcs' if claim['directed'] else 'links'}"
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
    unproven = lower_bound is None and claim["lower_bound"] not in (None, 0)
    require(claim["rests_on"] or not unproven, "nothing proves the lower bound")


def shown(claim: dict[str, Any], network: Any, schedule: Any, replay: Any) -> Any:
    """The value of a schedule; for the worst node the greatest, of one for each node in order."""
    if "worst" not in claim:
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
    open_names = [name for name in claim["rests_on"] if name not in accepted]
    if open_names:
        print(f"rests on {' and '.join(open_names)}, not verified here: {sentence}")
        return 4
    given = "".join(f", given {name}" for name in claim["rests_on"])
    print(f"Verified{given}: {sentence}", *claim.get("premises", []), sep="\n")
    return 0
