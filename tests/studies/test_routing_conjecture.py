"""The conjecture O(m1 + lg mr): the messages of its mixtures, and what is measured at its two ends."""

from __future__ import annotations

import numpy as np
import pytest

from studies.routing_conjecture import main, mixed_messages, mixtures, patterns


def test_mixtures_are_what_they_say() -> None:
    """Distinct sources, m1 messages to one node that sends none of them, none to its own source, in every run
    by itself.
    """
    source, destination = mixed_messages(16, 5, 7, 3, np.random.default_rng(1))
    assert len(source) == 3 * 12
    for run in range(3):
        sources, destinations = (ends[12 * run : 12 * run + 12] - 16 * run for ends in (source, destination))
        assert len(set(sources.tolist())) == 12
        assert len(set(destinations[:5].tolist())) == 1
        assert destinations[0] not in sources
        assert (sources != destinations).all()
        assert ((destinations >= 0) & (destinations < 16)).all()


def test_the_two_terms(capsys: pytest.CaptureFixture[str]) -> None:
    """Sequential messages alone take m1 rounds; never fewer with others besides, and here at most
    m1 + lg mr + 1.
    """
    for row in mixtures(64, 20, 1):
        assert row.summary.least >= row.sequential
        assert row.summary.mean <= row.terms + 1
        assert row.parallel or row.summary.greatest == row.sequential
    assert {row.name: row.summary.mean for row in patterns(16, 5, 1)}["all-to-one"] == 15
    main(["--nodes", "8", "--runs", "2"])
    assert capsys.readouterr().out.count("| mixture |") == 5
