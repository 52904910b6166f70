"""Formats of logs are recognized by their content, not their names."""

from __future__ import annotations

import gzip
import re
import shutil

import numpy as np
import pandas as pd
import pytest

from sacct_case import job, write
from schedlab.traces.readers import read_log
from schedlab.traces.swf import FIELDS, read_swf

TEXT = """; MaxProcs: 4
; UnixStartTime: 900000000
; MaxRuntime: -1
1 0 5 10 3 1.5 -1 3 10 -1 1 1 1 -1 2 -1 -1 -1
2 7 -1 5 4 -1 -1 4 -1 -1 1 1 1 -1 1 -1 -1 -1
"""


@pytest.fixture
def swf(tmp_path):
    path = tmp_path / "site.swf"
    path.write_text(TEXT)
    return path


def parquet(path, **columns):
    pd.DataFrame(columns).to_parquet(path)
    return path


def test_log_is_read_with_the_facts_of_its_header(swf):
    log = read_log(swf)
    assert (log.format, log.processors, log.unix_start, log.longest) == (
        "SWF",
        4,
        900_000_000,
        None,
    )
    assert log.jobs.equals(read_swf(swf).jobs)


def test_names_of_files_do_not_matter(swf, tmp_path):
    """A packed log that is called .txt, and a table that is called .swf."""
    packed = tmp_path / "log.txt"
    packed.write_bytes(gzip.compress(TEXT.encode()))
    assert read_log(packed).jobs.equals(read_log(swf).jobs)
    table = parquet(tmp_path / "a.parquet", submit=[0], runtime=[5], procs=[1])
    renamed = tmp_path / "table.swf"
    shutil.move(table, renamed)
    assert read_log(renamed).format == "parquet"


def test_columns_past_the_18th_are_kept(tmp_path):
    path = tmp_path / "wide.swf"
    path.write_text(TEXT.replace("-1 -1 -1\n", "-1 -1 -1 long q=4\n"))
    log = read_log(path)
    assert log.jobs["field19"].tolist() == ["long", "long"]
    assert "past the 18th kept as text" in log.parts.notes[0]


def test_a_table_of_a_swf_log_is_the_same_log(swf, tmp_path):
    jobs = read_swf(swf).jobs
    jobs.to_parquet(tmp_path / "log.parquet")
    log = read_log(tmp_path / "log.parquet")
    assert log.jobs.equals(jobs)
    assert (log.processors, log.unix_start, log.parts.notes) == (None, None, ())


def test_table_needs_only_submit_run_time_and_processors(tmp_path):
    """Numbers are counted, what is missing is unknown, other names are taken, jobs are sorted."""
    path = parquet(
        tmp_path / "log.parquet",
        submit=[9, 4],
        runtime=[5.0, np.nan],
        processors=[1, 2],
        estimate=[60, 50],
        start=[12, None],
        color=["red", "blue"],
    )
    log = read_log(path)
    assert list(log.jobs) == list(FIELDS)
    assert log.jobs["number"].tolist() == [2, 1]
    assert log.jobs["runtime"].tolist() == [-1, 5]
    assert log.jobs["requested_time"].tolist() == [50, 60]
    assert log.jobs["wait"].tolist() == [-1, 3]
    assert log.jobs["user"].tolist() == [-1, -1]
    assert log.parts.notes == ("columns that are no fields: color",)


@pytest.mark.parametrize("unit", ["s", "ms", "ns"])
def test_dates_are_seconds_of_unix_time(tmp_path, unit):
    submit = pd.to_datetime([900_000_000, 900_000_060], unit="s").astype(f"datetime64[{unit}]")
    path = parquet(
        tmp_path / "log.parquet",
        submit=submit,
        start=submit + pd.Timedelta(seconds=7),
        runtime=pd.to_timedelta([5, 6], unit="s"),
        procs=[1, 1],
    )
    log = read_log(path)
    assert log.jobs["submit"].tolist() == [900_000_000, 900_000_060]
    assert log.jobs["wait"].tolist() == [7, 7]
    assert log.jobs["runtime"].tolist() == [5, 6]
    assert log.unix_start == 0
    summer = submit.tz_localize("Europe/Paris")
    local = parquet(tmp_path / "paris.parquet", submit=summer, runtime=[5, 6], procs=[1, 1])
    assert read_log(local).jobs["submit"].tolist() == [899_992_800, 899_992_860]


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"submit": [0], "procs": [1]}, "column 'runtime' is missing; there are submit, procs"),
        (
            {"submit": [0, 1], "runtime": [1, 1.5], "procs": [1, 1]},
            r"row 2: column 'runtime' is not a whole number: '1\.5'",
        ),
        (
            {"submit": ["soon"], "runtime": [1], "procs": [1]},
            "row 1: column 'submit' is not a whole number: 'soon'",
        ),
        (
            {"number": [7, 7], "submit": [0, 1], "runtime": [1, 1], "procs": [1, 1]},
            "row 2: column 'number': job 7 stands in an earlier row already",
        ),
    ],
)
def test_tables_that_are_no_logs_name_row_and_column(tmp_path, columns, message):
    path = parquet(tmp_path / "log.parquet", **columns)
    with pytest.raises(ValueError, match=f"log.parquet: {message}"):
        read_log(path)


def test_a_text_that_is_no_log_names_the_line_though_others_are_left_out(tmp_path):
    path = tmp_path / "log.csv"
    for cell, number, said in (
        ("1.5", 3, r"line 4: column 'wait' is not a whole number: '1\.5'"),
        ("1", 1, "line 4: column 'number': job 1 stands in an earlier row already"),
    ):
        rows = ("1,0,0,9,1", "2,5,x,9,1", f"{number},7,{cell},9,1")
        path.write_text("number,submit,wait,runtime,procs\n" + "\n".join(rows) + "\n")
        with pytest.raises(ValueError, match=rf"log\.csv: {said}"):
            read_log(path)


def test_damaged_files_are_named(tmp_path):
    for content in (b"PAR1 and no more", b"\x1f\x8b and no more"):
        (tmp_path / "log").write_bytes(content)
        with pytest.raises(ValueError, match="log: damaged"):
            read_log(tmp_path / "log")
    with pytest.raises(FileNotFoundError):
        read_log(tmp_path / "none.swf")


def test_a_dump_of_sacct_is_read_as_it_is_imported(tmp_path):
    """Times with an offset need no zone; a step and a job that waits are no jobs, and told."""
    ran = {"Submit": "1709290000", "Eligible": "1709290000", "Start": "1709290100"}
    jobs = [
        job(1, **ran, End="1709318900"),
        job(1, **ran, End="1709318900") | {"JobID": "1.batch", "JobIDRaw": "1.batch"},
    ]
    path = write(tmp_path, *jobs)
    log = read_log(path)
    assert log.format == "sacct"
    assert log.jobs["number"].tolist() == [1]
    assert log.jobs["wait"].tolist() == [100]
    assert log.unix_start == 1_709_290_000
    assert re.fullmatch(
        r"lines that are no job or none that ended: \w+ 1 \(schedlab import-log\)",
        log.parts.notes[0],
    )
    local = write(tmp_path, job(1))
    with pytest.raises(ValueError, match=r"give --timezone .* \(options are those of schedlab imp"):
        read_log(local)


def test_names_of_queues_and_the_time_zone_are_those_of_the_header(swf):
    assert (dict(read_log(swf).queues), read_log(swf).zone) == ({}, None)
    head = "; Queue: 1 short\n; Queue: 2: very long\n; Queue: none\n; TimeZoneString: Asia/Tokyo\n"
    swf.write_text(head + TEXT)
    found = read_log(swf)
    assert (found.queues, found.zone) == ({1: "short", 2: "very long"}, "Asia/Tokyo")


EVENTS = """\
# made
-dt 9 -e submit_batch_job | -sim-walltime 60 --uid=eve -n 4 -t 2 -p long --mem=7G x.job
-dt 5 -e submit_batch_job | -sim-walltime 30 --uid=ada -N 2 -p main,long x.job
-dt 6 -e cancel_job x.job
"""


def test_events_of_a_simulator_are_a_log_with_requests(tmp_path):
    path = tmp_path / "week.gz"
    path.write_bytes(gzip.compress(EVENTS.encode()))
    log = read_log(path)
    assert (log.format, log.processors, log.unix_start) == ("events", None, None)
    names = ["number", "submit", "runtime", "procs", "requested_time", "user", "request.user"]
    assert log.jobs[names].to_numpy().tolist() == [
        [3, 5, 30, 2, -1, 1, "ada"],
        [2, 9, 60, 4, 120, 2, "eve"],
    ]
    assert log.jobs["request.memory"].tolist() == [-1, 7168]
    assert log.jobs["request.partition"].tolist() == ["main,long", "long"]
    assert log.parts.notes == (
        "1 line is left out; line 4: event cancel_job is not submit_batch_job",
    )
