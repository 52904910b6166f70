"""PBS's accounting becomes the same log, ledger and losses as that of Slurm."""

import gzip

import pytest

from schedlab.core.requests import DEFAULTS, Requests
from schedlab.traces.pbs import read_pbs_lines
from schedlab.traces.readers import read_log
from schedlab.traces.slurm.sacct import read_sacct
from schedlab.traces.slurm.sacct_lines import SacctError

#: a job of four hours on 8 processors of two nodes that waited for ten minutes
JOB = {
    "user": "ada", "group": "staff", "project": "_pbs_project_default", "jobname": '"a b"',
    "queue": "work", "ctime": 1709287200, "etime": 1709287200, "start": 1709287800,
    "exec_host": "n1/0*4+n2/0*4", "Resource_List.ncpus": 8, "Resource_List.walltime": "24:00:00",
    "end": 1709302200, "Exit_status": 0, "resources_used.walltime": "04:00:00",
}  # fmt: skip


def record(number="100.srv", kind="E", **values):
    """Return an accounting record; `_` in names is a dot, None leaves a value out."""
    told = JOB | {name.replace("__", "."): value for name, value in values.items()}
    pairs = " ".join(f"{name}={value}" for name, value in told.items() if value is not None)
    return f"03/01/2024 14:10:00;{kind};{number};{pairs}"


def read(folder, *records, **options):
    path = folder / "records.txt"
    path.write_text("".join(f"{each}\n" for each in records))
    return read_sacct(path, lines=read_pbs_lines, origin="PBS", **options)


def test_end_of_a_job_is_a_job(tmp_path):
    log = read(tmp_path, record())
    (job,) = log.jobs.to_dict("records")
    expected = {"number": 100, "submit": 0, "wait": 600, "runtime": 14_400, "procs": 8}
    expected |= {"requested_procs": 8, "requested_time": 86_400, "status": 1, "nodes": 2}
    expected |= {"user": 1, "group": 1, "queue": 1, "account": -1, "line": 1}
    assert {name: job[name] for name in expected} == expected
    assert log.header.integer("UnixStartTime") == JOB["ctime"]
    assert list(log.header.values("Conversion")) == ["from PBS by schedlab"]
    assert log.ledger["fate"].tolist() == ["imported"]


@pytest.mark.parametrize(
    ("values", "cells"),
    [
        ({"exec_host": "n1/0-3+n1/4,6"}, {"procs": 6, "nodes": 1}),
        ({"exec_host": "n1/7+n1/6+n2/0"}, {"procs": 3, "nodes": 2}),
        ({"exec_host": None}, {"procs": 8, "nodes": -1}),
        (
            {"Resource_List__ncpus": None, "Resource_List__select": "2:ncpus=8:mem=2gb+ncpus=4"},
            {"requested_procs": 20},
        ),
        (
            {"Resource_List__ncpus": None, "Resource_List__nodes": "3:ppn=2"},
            {"requested_procs": 6},
        ),
        ({"Resource_List__ncpus": None, "Resource_List__nodes": "3"}, {"requested_procs": 3}),
        ({"Exit_status": -29}, {"status": 0}),
        ({"Exit_status": 271}, {"status": 5}),
        ({"Exit_status": 1}, {"status": 0}),
        ({"etime": 1709287500}, {"submit": 300, "wait": 300, "entered": 0}),
        ({"resources_used__walltime": None}, {"runtime": 14_400}),
        ({"project": "deep"}, {"account": 1}),
        ({"Resource_List__walltime": None}, {"requested_time": -1}),
    ],
)
def test_values_are_those_of_the_record(tmp_path, values, cells):
    first = record("1.srv", submit=0) if "etime" in values else None
    jobs = read(tmp_path, *filter(None, [first, record(**values)])).jobs
    found = jobs[jobs["number"] == 100].iloc[0].to_dict()
    assert {name: found[name] for name in cells} == cells


@pytest.mark.parametrize(
    ("values", "requests"),
    [
        ({}, {}),
        ({"Resource_List__mem": "16gb"}, {"memory": 8192}),
        ({"Resource_List__mem": "2048kb"}, {"memory": 1}),
        ({"Resource_List__mem": "4194304"}, {"memory": 2}),
        ({"Resource_List__mem": "2mw"}, {}),
        ({"Resource_List__nodect": 2, "Resource_List__ngpus": 4}, {"gres": "gpu:2"}),
        ({"Resource_List__nodect": 1}, {"nodes": 1}),
        ({"project": "deep"}, {"account": "deep"}),
    ],
)
def test_requests_are_those_of_the_record(tmp_path, values, requests):
    log = read(tmp_path, record(**values))
    (first,) = Requests.of(log.jobs).to_frame().to_dict("records")
    known = {"nodes": 2, "user": "ada", "partition": "work"} | requests
    assert {name: value for name, value in first.items() if value != DEFAULTS[name]} == known
    impossible = values.get("Resource_List__mem") == "2mw"
    assert log.ledger["rule"].tolist() == ["request_impossible" if impossible else ""]


def test_default_limit_and_salt_are_those_of_any_import(tmp_path):
    log = read(tmp_path, record(Resource_List__walltime=None), default_limit=7200, salt="a secret")
    assert log.jobs["requested_time"].tolist() == [7200]
    assert log.ledger["rule"].tolist() == ["limit_default"]
    assert log.jobs["user"].iloc[0] > 1000


def test_every_record_is_a_row_of_the_ledger_by_its_line(tmp_path):
    log = read(
        tmp_path,
        *(record(kind="Q"), record(kind="S"), "", record(), record("101[7].srv")),
        *(record("101[].srv"), record("102.srv", ctime="yesterday"), "03/01/2024 cut"),
        *(record("x.srv"), record("103.srv", Resource_List__walltime="long")),
    )
    rows = log.ledger.set_index("line")
    assert rows["rule"].to_dict() == {
        1: "record_other", 2: "record_other", 4: "", 5: "number_given", 6: "record_other",
        7: "line_unreadable", 8: "line_unreadable", 9: "line_unreadable", 10: "line_unreadable",
    }  # fmt: skip
    assert rows.loc[[1, 6, 7, 10], "before"].tolist() == [
        "Q", "E of a whole array", "ctime 'yesterday' cannot be read",
        "Resource_List.walltime 'long' cannot be read",
    ]  # fmt: skip
    assert "id 'x.srv' does not begin with a number" in rows.loc[9, "before"]
    assert log.jobs["line"].tolist() == [4, 5]
    assert log.lost.loc["line_unreadable", "jobs"] == 4


def test_records_most_of_which_cannot_be_read_are_an_error_with_the_line(tmp_path):
    with pytest.raises(SacctError, match=r"records.txt: line 2: ctime 'then' cannot be read"):
        read(tmp_path, record(), record("101", ctime="then"), record("102", etime="then"))


@pytest.mark.parametrize("size", [1 << 10, 1 << 24])
def test_parts_are_the_whole_and_readers_know_the_format(tmp_path, size):
    lines = [record(f"{number}.srv", ctime=1709287200 + number) for number in range(1, 41)]
    whole = read(tmp_path, *lines, size=size).jobs
    assert whole["line"].tolist() == list(range(1, 41))
    path = tmp_path / "records.gz"
    path.write_bytes(gzip.compress("".join(f"{line}\n" for line in lines).encode()))
    raw = read_log(path)
    assert raw.format == "PBS"
    assert raw.jobs.equals(whole)
    assert raw.queues == {1: "work"}
