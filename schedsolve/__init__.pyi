"""The types of what `schedsolve` gives; loaded when it is used, see `__init__.py`."""

from typing import Any

from schedsolve.certify.anything import check
from schedsolve.certify.saved_files import read_schedule
from schedsolve.certify.text.result_files import load_result, save_result
from schedsolve.drawing.analysis.analysis import Analysis as Analysis
from schedsolve.drawing.analysis.text import analyse
from schedsolve.drawing.analysis.text import analyse as analyze
from schedsolve.experiments.designs.degrees import degree_frontier
from schedsolve.experiments.designs.design import design, fastest_network
from schedsolve.experiments.sweeps.chosen_table import results_frame
from schedsolve.machines.plan import plan_of_sizes as plan
from schedsolve.machines.programs import write_program
from schedsolve.machines.times import times
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.result import Bound, Result, Status
from schedsolve.modelkit.schedule import Call, Schedule
from schedsolve.modelkit.search import Options
from schedsolve.models import build_problem, replay
from schedsolve.network.classes.sets import networks_of
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError, SchedsolveError, UnsettledError, WorkError
from schedsolve.solving.comparison import compare
from schedsolve.solving.constructions import all_bounds as bounds
from schedsolve.solving.constructions import construct
from schedsolve.solving.formulation_files import formulation
from schedsolve.solving.frontier import frontier
from schedsolve.solving.many import solve_many
from schedsolve.solving.solve import solve

__version__: str

def __getattr__(name: str) -> Any:
    """Return a verb that models bring, such as `explore`."""

__all__ = [
    "Bound", "Call", "InputError", "Network", "Options", "Problem", "Result", "SchedsolveError", "Schedule",
    "Status", "UnsettledError", "WorkError", "analyse", "analyze", "bounds", "build_problem", "check",
    "compare", "construct", "degree_frontier", "design", "fastest_network", "formulation", "frontier",
    "load_result", "networks_of", "plan", "read_schedule", "replay", "results_frame", "save_result", "solve",
    "solve_many", "times", "write_program",
]  # fmt: skip
