"""A script's function gets the files and settings of its job by name."""

from types import SimpleNamespace

import pytest

from schedlab.files.resume import digest_of
from schedlab.flow.scripts import arguments_of, run_script


@pytest.fixture
def job(tmp_path):
    """What Snakemake gives a script, with names that several kinds of values have."""
    return SimpleNamespace(
        log=[tmp_path / "job.log"],
        threads=3,
        wildcards={"log": "CTC", "threshold": "60"},
        input={"jobs": "clean.parquet", "log": "raw.swf", "model": []},
        params={"threshold": 70, "code": "one", "environment": "two"},
        output={"jobs": "jobs.parquet", "ledger": "ledger.parquet"},
    )


def test_values_come_by_the_names_of_parameters(job):
    def function(jobs, ledger, threads, outputs): ...

    outputs = {"jobs": "jobs.parquet", "ledger": "ledger.parquet"}
    assert arguments_of(function, job) == {
        "jobs": "clean.parquet",
        "ledger": "ledger.parquet",
        "threads": 3,
        "outputs": outputs,
    }


def test_of_equal_names_a_setting_comes_before_an_input_and_an_input_before_a_wildcard(job):
    def function(threshold, log): ...

    assert arguments_of(function, job) == {"threshold": 70, "log": "raw.swf"}


def test_an_input_that_is_missing_or_has_no_file_leaves_the_default(job):
    def function(model=None, learned=()): ...

    assert arguments_of(function, job) == {}


def test_code_is_a_digest_of_code_and_environment(job):
    def function(code): ...

    assert arguments_of(function, job) == {"code": digest_of(["two", "one"]).hex()}


def test_a_parameter_without_a_value_is_named(job):
    with pytest.raises(KeyError, match="pieces"):
        run_script(lambda pieces: None, job)
    assert "KeyError: 'pieces'" in job.log[0].read_text()
