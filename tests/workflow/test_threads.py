"""Jobs leave cores of this machine to each other; on a cluster they have the configured threads."""

import os

import pytest

PROBE = """
include: "workflow/Snakefile"
rule probe:
    output: "probe_{name}.txt"
    threads: threads_of_job
    shell: "echo {threads} > {output}"
"""


@pytest.fixture(scope="module")
def threads_with(snakemake, new_project, tmp_path_factory):
    """Run a job; return the number of its threads."""
    project = new_project(tmp_path_factory.mktemp("threads"))
    (project / "Probe").write_text(PROBE)

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
