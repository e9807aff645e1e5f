"""What workers of pytest-xdist send to the process that counts the tests: results, and no more.

Of the six messages for a test that passes, four change nothing there: that it begins, that its fixtures are
set up, that they are torn down, and that it ends. Sending and receiving them takes longer than a short test.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest


def send_results_only(config: pytest.Config) -> None:
    """Let a worker leave out the messages that change nothing; anything else than a worker is left alone.

    If durations or an XML report are asked for, all are sent.
    """
    if not hasattr(config, "workerinput") or config.option.durations is not None or config.option.xmlpath:
        return
    [worker] = (p for p in config.pluginmanager.get_plugins() if type(p).__name__ == "WorkerInteractor")
    send = worker.sendevent

    def send_what_counts(name: str, **values: Any) -> None:
        if name in ("logstart", "logfinish") or (name == "testreport" and changes_nothing(values["data"])):
            return
        send(name, **values)

    worker.sendevent = send_what_counts


def changes_nothing(report: Mapping[str, Any]) -> bool:
    """Whether a report is about fixtures only, which worked and printed nothing."""
    return report["when"] != "call" and report["outcome"] == "passed" and not report["sections"]
