"""Results in Python: as text, and in a notebook."""

from __future__ import annotations

from html import unescape

import pytest

from schedsolve import Network, Options, build_problem, solve
from schedsolve.certify.text.text import result_lines
from schedsolve.runtime.errors import InputError


def test_a_result_as_text() -> None:
    """What the command line prints."""
    result = solve(build_problem("telephone", "gossip", "cycle:4"))
    assert str(result) == "\n".join(result_lines(result))
    assert "optimal: 2 rounds" in str(result)


def test_a_result_in_a_notebook() -> None:
    """The page in a frame of its own; where there is no schedule, the text."""
    shown = solve(build_problem("telephone", "gossip", "cycle:4"))._repr_html_()
    assert shown.startswith("<iframe srcdoc=")
    assert "<script>" not in shown
    assert "Content-Security-Policy" in unescape(shown)
    refuted = solve(build_problem("telephone", "gossip", "cycle:4", rounds=1))
    assert refuted._repr_html_().startswith("<pre>telephone gossip on cycle:4")


def test_keywords_are_options() -> None:
    """Of a problem and of a solve; unknown ones are refused."""
    asked = build_problem("telegraph", "broadcast", "path:5", source="min")
    assert asked == build_problem("telegraph", "broadcast", Network.from_spec("path:5"), {"source": "min"})
    assert solve(asked, Options(seed=1), time_limit=9.0).value == 3
    with pytest.raises(InputError, match="sauce means nothing"):
        build_problem("telegraph", "broadcast", "path:5", sauce=1)
    with pytest.raises(InputError, match="no option patience; the options are time_limit"):
        solve(asked, patience=3)  # type: ignore[call-arg]
