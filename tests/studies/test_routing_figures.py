"""Figures 3 to 7 of the paper on random routing: their data, the files, and bad input."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from schedsolve.models.routing.simulation.experiment import Experiment
from studies.routing_figures import _bars, main
from studies.routing_measurements import Measurements, Scale, Series


def test_figure_data() -> None:
    """The series of the figures on a small scale: sizes, and what the paper sees in them."""
    measured = Measurements(Scale(largest=64, runs=10), lambda _: None)
    (left, right), (few, small) = measured.figure_3(), measured.figure_4()
    assert [series.name for series in right.series] == ["Model I", "Model II"]
    assert list(left.series[0].x) == [16, 32, 64]
    assert few.series[1].mean[-1] < small.series[1].mean[-1]
    assert [panel.nodes for panel in measured.figure_5()] == [64]
    transpose, reversal = measured.figure_6()
    assert (list(transpose.series[0].x), list(reversal.series[0].x)) == ([16, 64], [16, 32, 64])
    (shift,) = measured.figure_7()
    assert all(shift.series[1].mean[i] < shift.series[0].mean[i] for i in range(3))
    assert len(small.to_json()["series"]) == 3
    assert measured.done[Experiment(64, "random", 64, "model-1"), 10, 0].mean == right.series[0].mean[-1]


def test_error_bars_of_identical_means() -> None:
    """Means of equal values that come out beside them by a rounding error have bars of no length."""
    series = Series("equal", [2], [0.1 + 0.2], [0.3], [0.3])
    assert _bars(series) == [[pytest.approx(0.0)], [0.0]]
    series = Series("equal", [2], [0.3], [0.1 + 0.2], [0.3])
    assert _bars(series)[0] == [0.0]


def test_figures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Figures 3 to 7 from one command, as PNG, SVG and data."""
    assert main([str(tmp_path / "pictures"), "--largest", "64", "--runs", "2"]) == 0
    files = capsys.readouterr().out.split()
    assert len(files) == 15
    assert all(Path(file).stat().st_size > 500 for file in files)
    panels = json.loads((tmp_path / "pictures/figure-5.json").read_text(encoding="utf-8"))
    assert panels[0]["fit"][-1] == pytest.approx(4.6)


def test_bad_input_gets_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A network of no power of two, and a file in the place of the folder."""
    (tmp_path / "fine").write_text("")
    for arguments in (["here", "--largest", "100"], [str(tmp_path / "fine")]):
        assert main(arguments) == 2
        assert capsys.readouterr().err.count("\n") == 1
