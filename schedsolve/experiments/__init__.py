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
        "fastest_network": "designs.fastest:fastest_network",
        "results_frame": "sweeps.chosen_table:results_frame",
    },
    formats={
        "schedsolve-design/1": "designs.check_design:check_design",
        "schedsolve-designs-by-degree/1": "designs.check_degrees:check_degrees",
        "schedsolve-fastest-design/1": "designs.check_fastest:check_fastest_network",
    },
    functions={"hypotheses": "sweeps.hypotheses", "table_file": "sweeps.table_file"},
)
