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

__version__ = "0.2.0"

from schedsolve.errors import InputError
from schedsolve.modelkit.analysis import Analysis
from schedsolve.modelkit.search import Options
from schedsolve.models import build_problem, replay, verb_function, verb_summaries
from schedsolve.network.graph import Network
from schedsolve.problem import Problem
from schedsolve.result import Bound, Presentation, Result, Status
from schedsolve.schedule import Schedule
from schedsolve.solving.constructions import construct
from schedsolve.solving.solve import solve

if TYPE_CHECKING:
    from schedsolve.certify.any_file import check
    from schedsolve.certify.saved_files import read_schedule
    from schedsolve.export.formulation import formulation
    from schedsolve.export.programs import write_program
    from schedsolve.network.sets import networks_of
    from schedsolve.report.analysis import analyse
    from schedsolve.report.result_files import load_result, save_result
    from schedsolve.report.times import times
    from schedsolve.solving.constructions import all_bounds as bounds
    from schedsolve.solving.frontier import frontier
    from schedsolve.sweep.comparison import compare
    from schedsolve.sweep.many import solve_many
    from schedsolve.sweep.results import results_frame

_LOADED_WHEN_USED = {
    "analyse": "report.analysis.analyse",
    "bounds": "solving.constructions.all_bounds",
    "check": "certify.any_file.check",
    "compare": "sweep.comparison.compare",
    "formulation": "export.formulation.formulation",
    "frontier": "solving.frontier.frontier",
    "load_result": "report.result_files.load_result",
    "networks_of": "network.sets.networks_of",
    "read_schedule": "certify.saved_files.read_schedule",
    "results_frame": "sweep.results.results_frame",
    "save_result": "report.result_files.save_result",
    "solve_many": "sweep.many.solve_many",
    "times": "report.times.times",
    "write_program": "export.programs.write_program",
}


def __getattr__(name: str) -> Any:
    """What is loaded when it is first used; and the verbs that models bring, such as `explore`."""
    if name in _LOADED_WHEN_USED:
        module, _, attribute = _LOADED_WHEN_USED[name].rpartition(".")
        return getattr(import_module(f"schedsolve.{module}"), attribute)
    if name in verb_summaries():
        return verb_function(name)
    raise AttributeError(f"module 'schedsolve' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted([*globals(), *_LOADED_WHEN_USED, *verb_summaries()])


def _as_text(result: Result) -> str:
    from schedsolve.report.text import result_lines

    return "\n".join(result_lines(result))


def _as_html(result: Result) -> str:
    from schedsolve.page.page import result_in_frame

    return result_in_frame(result)


def _analysis_as_text(analysis: Analysis) -> str:
    from schedsolve.report.analysis import analysis_lines

    return "\n".join(analysis_lines(analysis))


Result.presentation = Presentation(_as_text, _as_html)
Analysis.as_text = _analysis_as_text

__all__ = [
    "Bound",
    "InputError",
    "Network",
    "Options",
    "Problem",
    "Result",
    "Schedule",
    "Status",
    "analyse",
    "bounds",
    "build_problem",
    "check",
    "compare",
    "construct",
    "formulation",
    "frontier",
    "load_result",
    "networks_of",
    "read_schedule",
    "replay",
    "results_frame",
    "save_result",
    "solve",
    "solve_many",
    "times",
    "write_program",
]
