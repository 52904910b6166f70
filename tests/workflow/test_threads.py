"""Jobs leave cores of this machine to each other; on a cluster they have the configured threads.

Linear algebra has one thread in all of them.
"""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

PROBE = """
include: "workflow/Snakefile"
rule probe:
    output: "probe_{name}.txt"
    threads: threads_of_job
    shell: "echo {threads} > {output}"

rule ask:
    output: "blas_{program}_{wanted}.txt"
    threads: lambda wildcards: int(wildcards.wanted)
    script: "ask.py"
"""
# What every OpenBLAS that the process has loaded answers; the names depend on who built it.
ASK = """
import ctypes
from pathlib import Path

import numpy
import scipy.linalg

loaded = {line.split()[-1] for line in open("/proc/self/maps") if "openblas" in line.lower()}
functions = [
    getattr(ctypes.CDLL(library), f"{before}openblas_get_num_threads{after}", None)
    for library in loaded for before in ("scipy_", "") for after in ("64_", "_64", "")
]
numbers = {function() for function in functions if function}
Path(snakemake.output[0]).write_text(f"{snakemake.threads} {sorted(numbers)}")
"""
FORKED = Path(__file__).parents[2] / "workflow/forked_scripts.py"


@pytest.fixture(scope="module")
def probe(new_project, tmp_path_factory):
    """Copy of the workflow with a rule that writes its threads, and one that asks OpenBLAS."""
    project = new_project(tmp_path_factory.mktemp("threads"))
    (project / "Probe").write_text(PROBE)
    (project / "ask.py").write_text(ASK)
    return project


@pytest.fixture(scope="module")
def threads_with(snakemake, probe):
    """Run a job; return the number of its threads."""
    project = probe

    def run(name, *arguments, cores):
        target = project / f"probe_{name}.txt"
        done = snakemake(project, target.name, "--snakefile", "Probe", *arguments, cores=cores)
        assert done.returncode == 0, done.stdout
        return int(target.read_text())

    return run


@pytest.mark.parametrize(("cores", "threads"), [(1, 1), (3, 1), (4, 2), (15, 7), (40, 8)])
def test_a_job_has_at_most_half_of_the_cores(threads_with, cores, threads):
    assert threads_with(f"{cores}_cores", cores=cores) == threads


def test_configured_threads_are_not_exceeded(threads_with):
    assert threads_with("three", "--config", "threads=3", cores=40) == 3


def test_a_job_of_a_batch_system_has_the_configured_threads(threads_with, tmp_path):
    submit = tmp_path / "submit"
    submit.write_text('#!/bin/sh\nbash "$1" > /dev/null 2>&1\necho 1\n')
    submit.chmod(0o755)
    cluster = ("--executor", "cluster-generic", "--cluster-generic-submit-cmd", submit)
    threads = threads_with(
        "cluster", *cluster, "--jobs", 1, "--seconds-between-status-checks", 1, cores=2
    )
    assert threads == min(8, len(os.sched_getaffinity(0)))


@pytest.mark.parametrize("program", [["-m", "snakemake"], [FORKED]], ids=["plain", "forked"])
def test_linear_algebra_has_one_thread_in_scripts_of_one_and_two_threads(probe, program):
    """Also if you ask for more: sums in another order differ in their last digits."""
    blas = np.show_config(mode="dicts")["Build Dependencies"]["blas"]["name"]
    if "openblas" not in blas:
        pytest.skip(f"NumPy was built with {blas}; only OpenBLAS is set to 2 threads")
    made = {threads: f"blas_{Path(program[-1]).stem}_{threads}.txt" for threads in (1, 2)}
    named = ["--snakefile", "Probe", "--cores", "2", *made.values()]
    asked = {"OPENBLAS_NUM_THREADS": "2", "OMP_NUM_THREADS": "2"}
    run = subprocess.run(
        [sys.executable, *program, *named],
        cwd=probe, env=os.environ | asked | {"PYTHONPATH": str(probe / "src")}, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    assert run.returncode == 0, run.stdout
    answers = {threads: (probe / path).read_text() for threads, path in made.items()}
    assert answers == {1: "1 [1]", 2: "2 [1]"}
