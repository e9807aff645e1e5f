"""Experiments: many problems into a store, tables and hypotheses about their results, and designs."""

from schedsolve.extensions import Extension

EXTENSION = Extension(
    verbs={
        "design": "the network with the fewest links on which a task takes the fewest rounds",
        "sweep": "many problems, solved side by side into a store; run again, it goes on",
        "results": "the table of a store: filtered, written to files, checked",
    },
    names={
        "degree_frontier": "designs.degrees:degree_frontier",
        "design": "designs.design:design",
        "fastest_network": "designs.design:fastest_network",
        "results_frame": "sweeps.chosen_table:results_frame",
    },
    formats=dict.fromkeys(
        (
            "schedsolve-design/2",
            "schedsolve-design/1",
            "schedsolve-designs-by-degree/1",
            "schedsolve-fastest-design/1",
        ),
        "designs.check_design:check_design",
    ),
    functions={"hypotheses": "sweeps.hypotheses", "table_file": "sweeps.table_file"},
)
