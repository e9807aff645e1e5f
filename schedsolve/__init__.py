"""schedsolve: optimal communication schedules, solved exactly and certified.

A networkx graph in three lines:

```pycon
>>> import networkx
>>> from schedsolve import Network, build_problem, solve
>>> solve(build_problem("telephone", "gossip", Network.from_networkx(networkx.petersen_graph()))).value
4

```

A result says what is proven, and holds the schedule, round by round:

```pycon
>>> result = solve(build_problem("telephone", "broadcast", "cycle:5", source=0))
>>> result.status.value, result.value, result.lower_bound
('optimal', 3, 3)
>>> [len(calls) for calls in result.schedule.rounds]
[1, 2, 1]
>>> print(str(result).splitlines()[1])
optimal: 3 rounds, proven on both sides

```

Options bring the other models: a period, ports, extra rounds, capacities.

```pycon
>>> solve(build_problem("telegraph", "gossip", "path:7", period=6)).value
10
>>> solve(build_problem("linear-cost", "broadcast", "complete:16", extra_rounds=7), time_limit=60).value
Fraction(11, 8)

```
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

from schedsolve.errors import InputError
from schedsolve.modelkit.search import Options
from schedsolve.models import build_problem, replay
from schedsolve.network.graph import Network
from schedsolve.problem import Problem
from schedsolve.result import Bound, Presentation, Result, Status
from schedsolve.schedule import Schedule
from schedsolve.solving.constructions import construct
from schedsolve.solving.solve import solve

if TYPE_CHECKING:
    from schedsolve.export.formulation import formulation
    from schedsolve.solving.frontier import frontier
    from schedsolve.sweep.many import solve_many
    from schedsolve.sweep.results import results_frame

_LOADED_WHEN_USED = {
    "formulation": "schedsolve.export.formulation",
    "frontier": "schedsolve.solving.frontier",
    "results_frame": "schedsolve.sweep.results",
    "solve_many": "schedsolve.sweep.many",
}


def __getattr__(name: str) -> Any:
    if name not in _LOADED_WHEN_USED:
        raise AttributeError(f"module 'schedsolve' has no attribute '{name}'")
    return getattr(import_module(_LOADED_WHEN_USED[name]), name)


def _as_text(result: Result) -> str:
    from schedsolve.report.text import result_lines

    return "\n".join(result_lines(result))


def _as_html(result: Result) -> str:
    from schedsolve.page.page import result_in_frame

    return result_in_frame(result)


Result.presentation = Presentation(_as_text, _as_html)

__all__ = [
    "Bound",
    "InputError",
    "Network",
    "Options",
    "Problem",
    "Result",
    "Schedule",
    "Status",
    "build_problem",
    "construct",
    "formulation",
    "frontier",
    "replay",
    "results_frame",
    "solve",
    "solve_many",
]
