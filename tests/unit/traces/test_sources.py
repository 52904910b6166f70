"""Jobs of logs and models, split as rows require."""

import json

import pandas as pd
import pytest

from formats_case import TEXTS, jobs
from schedlab.core.splitting import WEEK
from schedlab.files.io import write_parquet
from schedlab.traces.fields import read_fields
from schedlab.traces.records import record_of, sha256_of
from schedlab.traces.sources import Workloads

HEADER = "; UnixStartTime: 86400\n"
COLUMNS = ("number", "submit", "runtime", "estimate", "procs", "user", "group", "queue")


def line(number, submit, runtime, asked):
    """Return a job of SWF, on one processor."""
    cells = [number, submit, 0, runtime, 1, -1, -1, 1, asked, -1, 1, 1, 1, -1, 1, -1, -1, -1]
    return " ".join(map(str, cells))


@pytest.fixture
def log(tmp_path):
    """Give a fetched log of three jobs, the second of which ran over its estimate."""
    path = tmp_path / "LOG.swf"
    jobs = [line(1, 0, 10, 20), line(2, 5, 30, 20), line(3, WEEK, 10, 20)]
    path.write_text(HEADER + "\n".join(jobs) + "\n")
    record_of(path).write_text(json.dumps({"written": sha256_of(path)}))
    return path


@pytest.fixture
def model(tmp_path):
    """Give the jobs of a model."""
    path = tmp_path / "model.parquet"
    write_parquet(pd.DataFrame([[1, 0, 7, 9, 1, 1, 1, 1]], columns=list(COLUMNS)), path)
    return path


def test_log_is_cleaned_and_split_as_configured(log):
    workloads = Workloads.of({"LOG": {"text": log, "model": None}})
    dropped = workloads.pieces("LOG", "rr9212", "weeks")
    assert dropped[["number", "piece"]].to_numpy().tolist() == [[1, 1], [3, 2]]
    raised = workloads.pieces("LOG", "rr9212_raised", "weeks")
    assert raised[["number", "estimate"]].to_numpy().tolist() == [[1, 20], [2, 30], [3, 20]]
    assert workloads.pieces("LOG", "rr9212", "weeks") is dropped


def test_a_model_is_not_cleaned(model):
    pieces = Workloads.of({"m": {"text": None, "model": model}}).pieces("m", "none", "weeks")
    assert pieces[["runtime", "estimate", "piece"]].to_numpy().tolist() == [[7, 9, 1]]


def test_missing_source_is_named():
    with pytest.raises(ValueError, match="no jobs of 'CTC'; there are KTH"):
        Workloads.of({"KTH": {"text": None, "model": None}}).pieces("CTC", "none", "weeks")


def test_missing_log_is_generated_if_it_has_a_model(log, model):
    assert (len(read_fields(log, model, True).jobs), read_fields(log, model, True).drawn) == (
        3, False,
    )  # fmt: skip
    log.write_text(HEADER)
    record_of(log).write_text(json.dumps({"written": sha256_of(log)}))
    assert read_fields(log, None, False).jobs.empty
    found = read_fields(log, model, True)
    assert (len(found.jobs), found.drawn, found.unix_start) == (1, True, 86_400)


@pytest.mark.parametrize("name", ["PBS", "sacct JSON", "GWF"])
def test_a_fetched_log_may_have_any_format(tmp_path, name):
    path = tmp_path / "SITE.txt"
    path.write_text(TEXTS[name](jobs(3)))
    record_of(path).write_text(json.dumps({"written": sha256_of(path)}))
    found = read_fields(path, None, False)
    assert found.unix_start == jobs(1)[0]["submit"]
    assert found.jobs["number"].tolist() == [10, 11, 12]
    pieces = Workloads.of({"SITE": {"text": path, "model": None}}).pieces("SITE", "rr9212", "weeks")
    assert pieces["runtime"].tolist() == [3600, 3601, 3602]
