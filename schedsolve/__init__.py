"""schedsolve: optimal communication schedules, solved exactly and certified.

>>> from schedsolve import Network, build_problem, solve
>>> solve(build_problem("telephone", "gossip", Network.from_spec("cycle:6"))).value
3
"""

__version__ = "0.1.0"

from schedsolve.errors import InputError
from schedsolve.models import build_problem
from schedsolve.network import Network
from schedsolve.problem import Problem
from schedsolve.result import Result
from schedsolve.schedule import Schedule
from schedsolve.solve import Options, solve

__all__ = ["InputError", "Network", "Options", "Problem", "Result", "Schedule", "build_problem", "solve"]
