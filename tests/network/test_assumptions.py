"""What a reader assumed of a network or left out stays with what is made of the network, and with files."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace
from typing import Any

import pytest

from schedsolve.network.assumptions import (
    KEY,
    as_read,
    assumed,
    assumptions_from_json,
    assumptions_to_json,
    left_out,
)
from schedsolve.network.graph import Network
from schedsolve.network.named.clusters import cluster, joined
from schedsolve.network.named.holes import without
from schedsolve.runtime.errors import InputError

SWITCH = assumed("switch", "more links than a GPU has are one switch")
LOST = left_out("pci-links", "3 PCI links of unknown speed", 3)
BOTH = (SWITCH, LOST)


def test_they_stay_with_what_is_made_of_a_network() -> None:
    """Each once, of two networks those of both; they do not make a network another one."""
    box, plain = replace(Network.from_spec("a100:1"), assumptions=BOTH), Network.from_spec("a100:1")
    arcs = replace(Network.from_spec("kautz:2,2"), assumptions=BOTH)
    two = cluster(box, "2,8x400Gb,rail")
    for made in (
        without(box, "3"), two, cluster(without(two, "0.gpu3"), "2,switch"), arcs.reversed(), box.plain(),
        joined(box, plain, "0-0=50GB"), joined(replace(box, assumptions=(SWITCH,)), box, "0-0=50GB"),
        Network.of(box, name="another", weight=None), pickle.loads(pickle.dumps(box)),
    ):  # fmt: skip
        assert tuple(one for one in made.assumptions if one in BOTH) == BOTH
        assert replace(made, assumptions=()) == made


def test_words_and_data() -> None:
    """A verdict counts each once, and says nothing where nothing was assumed; JSON gives them back."""
    one = " for the network as read; 1 assumption, see `list networks FILE`"
    assert as_read([SWITCH, SWITCH]) == one
    assert as_read(BOTH) == one.replace("1 assumption", "2 assumptions")
    assert (as_read([]), assumptions_to_json([])) == ("", {})
    assert assumptions_from_json(json.loads(json.dumps(assumptions_to_json(BOTH)))[KEY]) == BOTH


GOOD = LOST.to_json()


@pytest.mark.parametrize("data", [
    [], {}, "none", None, [None], [[]], [GOOD, {}],
    *([{key: GOOD[key] for key in GOOD if key != left}] for left in GOOD),
    *([GOOD | change] for change in (
        {"more": 1}, {"kind": "guessed"}, {"kind": ["assumed"]}, {"subject": ""}, {"words": 3},
        {"count": 0}, {"count": "3"}, {"count": True}, {"count": 1.0},
    )),
])  # fmt: skip
def test_malformed_ones_are_refused(data: Any) -> None:
    """In one line."""
    with pytest.raises(InputError, match=f'^"{KEY}" should be .*$'):
        assumptions_from_json(data)
