"""Export: results as files that others verify: bundles, theorems of Coq, refutations."""

from schedsolve.extensions import Extension

EXTENSION = Extension(verbs={"export": "programs and files for other tools"})
