# Two commands on a fresh machine: make report, make test. The first to run sets everything up.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
KERNELS := $(wildcard src/schedlab/kernels/*.pyx src/schedlab/kernels/*.pxd)
LIBRARIES := $(VENV)/libraries.stamp
READY := $(VENV)/ready.stamp
REPORT := results/report/index.html

# cython-lint calls pycodestyle by its name
export PATH := $(abspath $(BIN)):$(PATH)

.PHONY: help report test test-slurm lint bench docs clean
.DEFAULT_GOAL := help

help:  ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 12

$(LIBRARIES): requirements.lock
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "schedlab needs Python 3.11 or newer")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --require-hashes -r requirements.lock
	touch $@

$(READY): $(LIBRARIES) pyproject.toml setup.py $(KERNELS)
	$(BIN)/pip install --quiet --no-deps --no-build-isolation -e .
	touch $@

report: $(READY)  ## tables, figures and report at the quick scale, on model workloads
	$(BIN)/snakemake --cores all --configfile config/quick.yaml
	@echo "The report is in $(REPORT)"

test: $(READY)  ## all tests
	$(BIN)/pytest -n auto

test-slurm: $(READY)  ## the quick scale through a real Slurm, brought up here (Debian, root)
	SCHEDLAB_SLURM=1 $(BIN)/pytest -m slurm -rA

lint: $(READY)  ## style, spelling and the workflow's own rules
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/snakefmt --check Snakefile workflow
	$(BIN)/cython-lint src
	$(BIN)/lint-imports
	$(BIN)/codespell
	$(BIN)/snakemake --lint

bench: $(READY)  ## throughput, memory and growth of the kernels, to results/bench/bench.json
	$(BIN)/python bench/run.py

docs: $(READY)  ## the tables of keys in config/README.md, from the schemas
	$(BIN)/python -m schedlab.config_docs config/README.md workflow/schemas

clean:  ## remove what was made; the set-up stays
	rm -rf results/* build .snakemake
