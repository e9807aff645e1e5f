"""schedsolve: optimal communication schedules, solved exactly and certified.

A networkx graph in three lines:

```pycon
>>> import networkx
>>> from schedsolve import build_problem, solve
>>> solve(build_problem("telephone", "gossip", networkx.petersen_graph())).value
4

```

A result says what is proven, and holds the schedule, round by round:

```pycon
>>> result = solve(build_problem("telephone", "broadcast", "cycle:5", source=0))
>>> result.status.value, result.value, result.lower_bound
('optimal', 3, 3)
>>> [len(calls) for calls in result.schedule]
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

__version__ = "0.3.0.dev0"

if TYPE_CHECKING:
    from schedsolve.certify.saved_files import read_schedule
    from schedsolve.experiments.designs.degrees import degree_frontier
    from schedsolve.experiments.designs.design import design
    from schedsolve.experiments.designs.fastest import fastest_network
    from schedsolve.errors import InputError, SchedsolveError, UnsettledError, WorkError
    from schedsolve.solving.formulation_files import formulation
    from schedsolve.machines.any_file import check
    from schedsolve.machines.plan import plan_of_sizes as plan
    from schedsolve.machines.programs import write_program
    from schedsolve.machines.times import times
    from schedsolve.drawing.analysis.analysis import Analysis as Analysis
    from schedsolve.modelkit.search import Options
    from schedsolve.models import build_problem, replay
    from schedsolve.network.graph import Network
    from schedsolve.network.sets import networks_of
    from schedsolve.problem import Problem
    from schedsolve.drawing.analysis.text import analyse
    from schedsolve.drawing.analysis.text import analyse as analyze
    from schedsolve.report.result_files import load_result, save_result
    from schedsolve.result import Bound, Result, Status
    from schedsolve.schedule import Call, Schedule
    from schedsolve.solving.constructions import all_bounds as bounds
    from schedsolve.solving.constructions import construct
    from schedsolve.solving.frontier import frontier
    from schedsolve.solving.solve import solve
    from schedsolve.experiments.sweeps.chosen_table import results_frame
    from schedsolve.solving.comparison import compare
    from schedsolve.solving.many import solve_many

_LOADED_WHEN_USED = {
    "Analysis": "modelkit.analysis.Analysis",
    "Bound": "result.Bound",
    "Call": "schedule.Call",
    "InputError": "errors.InputError",
    "Network": "network.graph.Network",
    "Options": "modelkit.search.Options",
    "Problem": "problem.Problem",
    "Result": "result.Result",
    "Schedule": "schedule.Schedule",
    "SchedsolveError": "errors.SchedsolveError",
    "Status": "result.Status",
    "UnsettledError": "errors.UnsettledError",
    "WorkError": "errors.WorkError",
    "analyse": "report.analysis.analyse",
    "analyze": "report.analysis.analyse",
    "bounds": "solving.constructions.all_bounds",
    "build_problem": "models.build_problem",
    "check": "machines.any_file.check",
    "compare": "sweep.comparison.compare",
    "construct": "solving.constructions.construct",
    "degree_frontier": "designing.degrees.degree_frontier",
    "design": "designing.design.design",
    "fastest_network": "designing.fastest.fastest_network",
    "formulation": "export.formulation.formulation",
    "frontier": "solving.frontier.frontier",
    "load_result": "report.result_files.load_result",
    "networks_of": "network.sets.networks_of",
    "plan": "machines.plan.plan_of_sizes",
    "read_schedule": "certify.saved_files.read_schedule",
    "replay": "models.replay",
    "results_frame": "sweep.chosen_table.results_frame",
    "save_result": "report.result_files.save_result",
    "solve": "solving.solve.solve",
    "solve_many": "sweep.many.solve_many",
    "times": "machines.times.times",
    "write_program": "machines.programs.write_program",
}


def __getattr__(name: str) -> Any:
    """Load a name when it is first used.

    This includes the verbs that models bring, such as `explore`: the command must handle signals before it
    loads anything.
    """
    if name in _LOADED_WHEN_USED:
        module, _, attribute = _LOADED_WHEN_USED[name].rpartition(".")
        return getattr(import_module(f"schedsolve.{module}"), attribute)
    if name in ("draw", "torch"):
        return import_module(f"schedsolve.{name}")
    from schedsolve.models import verb_function, verb_summaries

    if name in verb_summaries():
        return verb_function(name)
    raise AttributeError(f"module 'schedsolve' has no attribute '{name}'")


def __dir__() -> list[str]:
    from schedsolve.models import verb_summaries

    return sorted([*globals(), *_LOADED_WHEN_USED, *verb_summaries()])


__all__ = [
    "Bound", "Call", "InputError", "Network", "Options", "Problem", "Result", "SchedsolveError", "Schedule",
    "Status", "UnsettledError", "WorkError", "analyse", "analyze", "bounds", "build_problem", "check",
    "compare", "construct", "degree_frontier", "design", "fastest_network", "formulation", "frontier",
    "load_result", "networks_of", "plan", "read_schedule", "replay", "results_frame", "save_result", "solve",
    "solve_many", "times", "write_program",
]  # fmt: skip
