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

import sys

__version__ = "0.3.0.dev0"

# A command can only be interrupted well once this file has run: it imports nothing that takes time.
_LOADED_WHEN_USED = {
    "Bound": "modelkit.result:Bound",
    "Call": "modelkit.schedule:Call",
    "InputError": "runtime.errors:InputError",
    "Network": "network.graph:Network",
    "Options": "modelkit.search:Options",
    "Problem": "modelkit.problem:Problem",
    "Result": "modelkit.result:Result",
    "SchedsolveError": "runtime.errors:SchedsolveError",
    "Schedule": "modelkit.schedule:Schedule",
    "Status": "modelkit.result:Status",
    "UnsettledError": "runtime.errors:UnsettledError",
    "WorkError": "runtime.errors:WorkError",
    "bounds": "solving.constructions:all_bounds",
    "build_problem": "models:build_problem",
    "check": "certify.anything:check",
    "compare": "solving.comparison:compare",
    "construct": "solving.constructions:construct",
    "formulation": "solving.formulation_files:formulation",
    "frontier": "solving.frontier:frontier",
    "load_result": "certify.text.result_files:load_result",
    "networks_of": "network.classes.sets:networks_of",
    "read_schedule": "certify.saved_files:read_schedule",
    "replay": "models:replay",
    "save_result": "certify.text.result_files:save_result",
    "solve": "solving.solve:solve",
    "solve_many": "solving.many:solve_many",
}
"""What the core gives by these names; extensions and models add more."""


def __getattr__(name: str) -> object:
    """Load a name when it is first used.

    This includes what extensions register and the verbs that models bring, such as `explore`: the command
    must handle signals before it loads anything.
    """
    if name in _LOADED_WHEN_USED:
        from importlib import import_module

        module, _, attribute = _LOADED_WHEN_USED[name].partition(":")
        return getattr(import_module(f"schedsolve.{module}"), attribute)
    from schedsolve.extensions import find, registered

    if name == "__all__":
        return sorted([*_LOADED_WHEN_USED, *(set(registered("names")) - {"Analysis", "steps"})])

    if name in registered("names"):
        return find("names", name)
    if name in registered("modules"):
        return find("modules", name)
    from schedsolve.models import verb_function, verb_summaries

    if name in verb_summaries():
        return verb_function(name)
    raise AttributeError(f"module 'schedsolve' has no attribute '{name}'")


def __dir__() -> list[str]:
    from schedsolve.extensions import registered
    from schedsolve.models import verb_summaries

    return sorted([*globals(), *_LOADED_WHEN_USED, *registered("names"), *verb_summaries()])


class _ModulesOfExtensions:
    """Finds the modules that extensions give to this package, such as `schedsolve.draw`."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> object:
        """Return the spec of such a module, None for any other."""
        if name.rpartition(".")[0] != __name__:
            return None
        from schedsolve.extensions import public_module

        return public_module(name)


sys.meta_path.append(_ModulesOfExtensions)
