"""Problems with what `solve` makes of each: what is documented, and many that are not.

`table.csv` has a row for each problem; `python -m benchmarks.regressions` solves them again and prints what
is worse.
"""
