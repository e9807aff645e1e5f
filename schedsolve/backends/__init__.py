"""The solvers behind schedsolve; the only package that imports one."""
