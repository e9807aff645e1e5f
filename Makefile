# `make demo` and `make test` set everything up themselves, in .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready

# Matplotlib's list of fonts, and no matplotlibrc of whoever runs this: a list that another program left incomplete makes pictures warn.
export MPLCONFIGDIR := $(abspath $(VENV))/matplotlib

.PHONY: setup demo test test-core size regressions soak slow mutants test-browser test-mpi test-torch test-cluster theory theory-checker theory-atlas lint docs notebooks prices dist atlas atlas-check bench bench-growth clean

setup: $(READY)

# Compiled once, because under PYTHONDONTWRITEBYTECODE every command would compile what it imports; so is what numba compiles, which would take the first searches of several processes seconds each.
$(READY): pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "schedsolve needs Python 3.11 or newer; name one with: make PYTHON=python3.12")'
	@echo "installing into $(VENV): a minute or two"
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	$(BIN)/python -m compileall -q schedsolve models
	$(BIN)/python -m schedsolve.models.matching.search.compile_searches
	touch $(READY)

demo: $(READY)
	$(BIN)/python -m schedsolve.drawing.demonstration.demo out/demo

# Compiled tests are kept, as what setup compiles is: half of the time before the first test goes into compiling.
test: export PYTHONDONTWRITEBYTECODE =
test: $(READY)
	$(BIN)/python -m pytest -n auto --dist worksteal

# The core's tests in a copy without the extensions.
test-core: $(READY)
	$(BIN)/python -m tests.installation.core_alone

# Mutants, brute forces, relations and broken input for MINUTES (10), with a SEED that repeats them; CASE is one of them again.
soak: $(READY)
	$(BIN)/python -m tests.soak --minutes $(or $(MINUTES),10) $(if $(SEED),--seed $(SEED)) $(if $(CASE),--case $(CASE))

# Alters the code that `check` runs, a place at a time, for MINUTES (60): who notices? SEED draws the sample;
# ALL=1 tries every mutant, and goes on where it stopped.
mutants: $(READY)
	$(BIN)/python -m pytest -n auto -p tests.mutants.tracing tests/models tests/modelkit tests/certify tests/experiments tests/machines tests/network tests/commands/test_check.py
	$(BIN)/python -m tests.mutants --minutes $(or $(MINUTES),60) --seed $(or $(SEED),1) $(if $(ALL),--all)

# The long tests, which `make test` leaves out.
slow: $(READY)
	$(BIN)/python -m pytest -m slow

# Looks at the HTML pages and at the documentation's site in a headless Chromium, which root gets from Debian when it is missing; screenshots are left in out/.
test-browser: docs
	@if ! { command -v chromium && command -v chromedriver; } >/dev/null && [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  echo "installing chromium"; \
	  { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y chromium chromium-driver; } >/dev/null 2>&1 || true; fi
	@if { command -v chromium && command -v chromedriver; } >/dev/null; then $(BIN)/python -m pytest tests/drawing/page/browser; \
	else echo "skipped: no chromium"; fi

# Runs generated programs under MPI on 4 and 8 ranks, and compares the buffers with those of MPI's own collectives.
test-mpi: $(READY)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[mpi]' \
	|| { echo "no MPI: install mpi4py and an MPI library, such as the wheel mpich"; exit 1; }
	$(BIN)/python -m pytest tests/machines/mpi

# The same under PyTorch with gloo. TORCH_PYTHON is a Python that has torch; it is none of the packages that setup installs.
TORCH_PYTHON ?= $(BIN)/python
test-torch: $(READY)
	@if $(TORCH_PYTHON) -c 'import torch' 2>/dev/null; then TORCH_PYTHON=$(TORCH_PYTHON) $(BIN)/python -m pytest tests/machines/torch; \
	else echo "skipped: no torch; install its CPU wheel, or name a Python that has it with TORCH_PYTHON=..."; fi

# Sweeps on a Dask cluster, and tables as Parquet, with the packages that these take.
test-cluster: $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[cluster,tables]'
	$(BIN)/python -m pytest tests/experiments/sweeps/cluster/test_cluster.py tests/instances/test_atlas.py

# Compiles theory/, has it checked once more by coqchk, and compiles theorems that `export` writes, right and forged ones. Root gets Coq from Debian when it is missing.
theory: $(READY)
	@if ! command -v coqc >/dev/null && [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  echo "installing coq"; \
	  { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y coq; } >/dev/null 2>&1 || true; fi
	@command -v coqc >/dev/null || { echo "no Coq: install coq 8.16 or newer"; exit 1; }
	cd theory && coq_makefile -f _CoqProject -o build.mk
	+$(MAKE) --silent -C theory -f build.mk
	$(BIN)/python -m pytest tests/export/theory

# The checker of theory/Verdict.v as a program, build/theory/check, by OCaml, which comes with Coq; and what it accepts and refuses.
theory-checker: $(READY)
	@command -v coqc >/dev/null && [ -f theory/build.mk ] || { echo "no compiled theory: make theory"; exit 1; }
	+$(MAKE) --silent -C theory -f build.mk
	mkdir -p build/theory && cp theory/checker/check.ml theory/checker/Extract.v build/theory
	cd build/theory && coqc -Q ../../theory Schedsolve Extract.v && ocamlopt -unsafe -inline 100 -o check verdict.mli verdict.ml check.ml
	$(BIN)/python -m pytest tests/export/theory/test_checker.py

# A theorem for both gossips and the broadcasts on every connected network with NODES (2..6) nodes, in build/theorems.csv; goes on where it stopped.
theory-atlas: $(READY)
	$(BIN)/python -m benchmarks.theorems --nodes $(or $(NODES),2..6) --output build/theorems.csv

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# The site, with what its commands draw, and the notebooks where `make notebooks` has left them in out/notebooks.
docs: $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[docs]'
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict
	@echo "open out/docs/index.html"

notebooks: $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[notebooks]'
	$(BIN)/python notebooks/run.py --save out/notebooks

# Computes the shipped prices of one-way gossip anew (docs/theorems.md, Theorems 6 and 8).
prices: $(READY)
	$(BIN)/python -m studies.prices_between
	$(BIN)/python -m studies.prices_outer

# The sdist and the wheel, in dist/, and a walk through both in fresh environments, the wheel's with each of PYTHONS.
PYTHONS ?= python3.11 python3.12 python3.13
dist: $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dist]'
	rm -rf dist
	$(BIN)/python -m build
	$(BIN)/python -m tests.installation.try_archives dist $(PYTHONS)

# Makes instances/atlas anew, by a sweep whose store, with all certificates, stays in build/, and the page and the table as Parquet, which are not tracked; see its README.
ATLAS := instances/atlas
ATLAS_STORE := build/atlas.db
ATLAS_COLUMNS := network,n,m,min_degree,max_degree,degrees,leaves,diameter,radius,centres,girth,triangles,cut_vertices,tree,bipartite,vertex_transitive,model,task,parameters,status,value,lower_bound,node,period
ATLAS_SWEEP = $(BIN)/schedsolve sweep $(ATLAS)/problems.toml --store $(ATLAS_STORE) $(if $(WORKERS),--workers $(WORKERS))
ATLAS_TABLE = $(BIN)/schedsolve results $(ATLAS_STORE) --columns $(ATLAS_COLUMNS) --output
TABLES = $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[tables]'

atlas: $(READY)
	$(TABLES)
	mkdir -p build
	$(ATLAS_SWEEP)
	$(ATLAS_TABLE) $(ATLAS)/atlas.csv
	$(ATLAS_TABLE) $(ATLAS)/atlas.parquet
	$(BIN)/schedsolve draw $(ATLAS_STORE) -o $(ATLAS)/atlas.html

# Verifies every certificate in that store, which is filled first where it is not, and compares the shipped tables with it.
atlas-check: $(READY)
	$(TABLES)
	mkdir -p build
	$(ATLAS_SWEEP)
	$(BIN)/schedsolve results $(ATLAS_STORE) --check $(if $(WORKERS),--workers $(WORKERS))
	$(ATLAS_TABLE) build/atlas.csv
	cmp build/atlas.csv $(ATLAS)/atlas.csv
	$(BIN)/python -m pytest -m "" tests/instances/test_atlas.py

# Code lines by package, beside the budget of each (benchmarks/size.toml), which a test holds.
size: $(READY)
	$(BIN)/python -m benchmarks.size

# Solves the problems of benchmarks/regressions/table.csv again and prints what is worse in value, bound, status or CPU time; SHARE=1/5 runs a part of them.
regressions: $(READY)
	$(BIN)/python -m benchmarks.regressions --share $(or $(SHARE),1/1)

# How CPU time and memory of twenty commands grow: the exponents of docs/measurements/growth.md.
bench-growth: $(READY)
	$(BIN)/python -m benchmarks.growth

# Times of algorithms, and the table of docs/measurements/ratios.md. MSCCL_TOOLS and FORESTCOLL name checkouts of these, PEER_PYTHON a Python with what they import.
bench: $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[bench]'
	$(BIN)/python -m benchmarks.constructions
	$(BIN)/python -m benchmarks.bench --output out/bench.json
	$(BIN)/python -m benchmarks.collectives --output out/collectives.json
	$(BIN)/python -m benchmarks.ratios out/bench.json out/collectives.json

clean:
	rm -rf $(VENV) out build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis *.egg-info
