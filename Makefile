# Two commands on a fresh machine: make report, make test. The first to run sets everything up.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
KERNELS := $(wildcard src/schedlab/kernels/*/*.pyx src/schedlab/kernels/*/*.pxd)
LIBRARIES := $(VENV)/libraries.stamp
# with what make report needs, and with the developers' tools
RUNS := $(VENV)/run.stamp
READY := $(VENV)/ready.stamp
BOUNDS := build/bounds
REPORT := results/quick/report/index.html
EXAMPLE := build/example

# cython-lint calls pycodestyle by its name
export PATH := $(abspath $(BIN)):$(PATH)
# libraries are compiled when they are first imported, and not again in every process
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help lock report example test test-fast test-slurm mutants bounds verdicts lint bench renew docs clean
.DEFAULT_GOAL := help

help:  ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 12

# pipes to what shortens pip's output fail when pip fails
$(READY) $(RUNS) $(LIBRARIES): SHELL := bash
$(READY) $(RUNS) $(LIBRARIES): .SHELLFLAGS := -o pipefail -c

# uv does not read pip's settings, so it gets pip's index
UV = UV_DEFAULT_INDEX=$$($(BIN)/pip config list | sed -n "s/.*\.index-url='\(.*\)'/\1/p" | tail -n 1) $(BIN)/uv

# install the libraries of a lock; uv does in seconds what takes pip minutes
define install
$(BIN)/pip install --quiet --require-hashes -r $(VENV)/uv.lock && \
	  $(UV) pip install --python $(BIN)/python --require-hashes -r $(1) 2>&1 | \
	    awk '!/^ [+~-] |Downloaded|Building|Built/ {print "  " $$0; fflush()}' || \
	  { echo "  uv cannot install them here; pip does, in two to four minutes"; \
	    $(BIN)/pip install --progress-bar off --require-hashes -r $(1) | awk ' \
	    /^(Collecting|Processing)/ && ++n % 20 == 0 {print "  " n " libraries"; fflush()} \
	    / MB\)$$/ {sub(/^ *Downloading /, ""); sub(/-(cp|py)[0-9].*whl/, ""); print "  " $$0; fflush()} \
	    /^Installing/ {print "  all fetched; unpacking them"; fflush()}'; }
endef

$(LIBRARIES): requirements-run.lock
	@$(PYTHON) check_setup.py
	@echo "Set-up, once. 1 of 3: a virtual environment in $(VENV)"
	@$(PYTHON) -m venv $(VENV)
	@echo "Set-up, 2 of 3: $$(grep -c '==' $<) libraries, some 200 MB; the large ones:"
	@awk '/^[A-Za-z]/ {own = /^uv==/} own' $< > $(VENV)/uv.lock
	@$(call install,$<)
	@touch $@

$(RUNS): $(LIBRARIES) pyproject.toml setup.py $(KERNELS)
	@echo "Set-up, 3 of 3: the kernels are compiled, one or two minutes"
	@$(BIN)/pip install --verbose --no-deps --no-build-isolation -e . 2>&1 | \
	  tee $(VENV)/build.log | awk '/Cythonizing|building .* extension/ {print; fflush()}' || \
	  { tail -n 40 $(VENV)/build.log; echo "The kernels did not compile: see $(VENV)/build.log"; exit 1; }
	@$(BIN)/python -c 'import runpy; runpy.run_path("workflow/forked_scripts.py")["import_libraries"]()'
	@touch $@

$(READY): requirements.lock $(RUNS)
	@echo "Set-up for developers: the tools for tests and checks"
	@$(call install,$<)
	@touch $@

LOCKED := --quiet --universal --python-version 3.11 --generate-hashes --no-header

# all but learners, which brings gigabytes
EXTRAS := checks workflow slurm pool gym

# all versions at once, with hashes; LOCK=--upgrade for newer ones
lock: $(READY)  ## requirements.lock and its part for make report, from pyproject.toml
	$(UV) pip compile $(LOCK) $(LOCKED) $(addprefix --extra ,$(EXTRAS)) --group dev pyproject.toml -o requirements.lock
	$(UV) pip compile $(LOCKED) --no-annotate --extra workflow --group run \
	  --constraint requirements.lock pyproject.toml -o requirements-run.lock

report: RUN ?= workflow/forked_scripts.py
report: $(RUNS)  ## tables, figures, report and documentation at the quick scale, on model workloads
	@echo "Everything at the quick scale, on model workloads: some minutes, a line a job"
	@$(BIN)/python $(RUN) all arena crate documentation --cores all --configfile config/quick.yaml --logger schedlab || \
	  { echo "Not everything was made: the reasons stand above; make report goes on from here" >&2; exit 1; }
	@$(MAKE) --no-print-directory example RUN=$(RUN)
	@$(BIN)/python -m schedlab.report.summary $(REPORT) --command $(BIN)/snakemake

example: RUN ?= workflow/forked_scripts.py
example: $(EXAMPLE)/site.yaml  ## the report on a synthetic site's own Slurm: what should it change?
	@$(BIN)/python $(RUN) site --cores all --configfile config/quick.yaml $< --logger schedlab
	@echo "The report on a synthetic site's own Slurm: results/site_example/report/site.html"

$(EXAMPLE)/site.yaml: $(RUNS)
	@$(BIN)/schedlab site example $(EXAMPLE) --force
	@$(BIN)/schedlab site init $(EXAMPLE)/log.parquet --slurm-conf $(EXAMPLE)/slurm.conf \
	  --accounts $(EXAMPLE)/accounts.txt --name example --out $@ --force

test: $(READY)  ## all tests
	$(BIN)/pytest -n auto --dist loadgroup

test-fast: $(READY)  ## unit tests without the slow ones; PACKAGE=policies for all of one package
	$(BIN)/pytest -n auto -q $(if $(PACKAGE),tests/unit/$(PACKAGE),-m "not slow and not long and not logs" tests/unit)

test-slurm: $(READY)  ## the quick scale through a real Slurm, brought up here (Debian, root)
	SCHEDLAB_SLURM=whole $(BIN)/pytest -m slurm -rA

mutants: $(READY)  ## changes of single places that tests must notice; ROOMS="metrics cosched" for some
	OPENBLAS_NUM_THREADS=1 $(BIN)/python tests/mutants/run.py $(ROOMS)

# Cython checks indices, gcc's sanitizers pointers and integers. What cannot be raised is written to
# stderr, and ends the test here. Memory in use at the end is Python's own.
bounds: $(READY)  ## kernels with bounds checks (gcc) against their twins, and a record that they passed
	SCHEDLAB_DEBUG=1 $(BIN)/python setup.py --quiet build --build-base $(BOUNDS) --build-lib $(BOUNDS)/lib
	grep --quiet --recursive RaiseBufferIndexError $(BOUNDS)/cython
	LD_PRELOAD="$$(gcc -print-file-name=libasan.so) $$(gcc -print-file-name=libubsan.so)" \
	  ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1 \
	  PYTHONPATH=$(BOUNDS)/lib $(BIN)/python -m pytest --hypothesis-profile=ci -n 2 tests/kernels \
	  -W error::pytest.PytestUnraisableExceptionWarning
	$(BIN)/python tests/bounds.py --record

verdicts: $(READY)  ## with all logs: make what changed of the papers' comparisons, and record it
	SCHEDLAB_VERDICTS=record $(BIN)/pytest -n 2 --dist loadgroup -rs tests/workflow/test_verdicts.py

lint: $(READY)  ## style, spelling, types and the workflow's own rules
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/snakefmt --check Snakefile workflow
	$(BIN)/cython-lint src
	$(BIN)/lint-imports
	$(BIN)/codespell --dictionary - --dictionary spelling.txt
	$(BIN)/mypy
	$(BIN)/snakemake --lint

bench: $(READY)  ## throughput, memory and growth of the kernels, to results/bench/<commit>.json
	$(BIN)/python bench/run.py

# verdicts and measured rules need the results of the papers' scale; the last two take minutes each
renew: $(READY)  ## everything that is pinned, after a change; with all logs, on an idle machine
	cd resources && sha256sum */*.tsv > checksums.sha256
	$(MAKE) docs
	[ ! -d results/figures ] || $(BIN)/python tests/verdict_pins.py results/figures
	[ ! -d results/benchmarks ] || $(BIN)/python -m schedlab.flow.measured workflow/measured.tsv papers results/benchmarks
	$(BIN)/python tests/bounds.py || $(MAKE) bounds
	$(MAKE) verdicts

# not --quiet, which keeps warnings from being counted as errors
docs: $(READY)  ## documentation to build/site, and the tables of keys in config/README.md
	$(BIN)/python -m schedlab.flow.config_docs config/README.md workflow/schemas
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build
	@echo "The documentation is at build/site/index.html"

clean:  ## remove what was made; the set-up stays
	rm -rf results/* build .snakemake
