"""Tables of published data sets, of text and in Parquet, by a map of their columns."""

from __future__ import annotations

import gzip
import re

import numpy as np
import pandas as pd
import pytest

import formats_case as case
from formats_case import JOB, write
from schedlab.traces.readers import read_log, reader_of
from schedlab.traces.slurm.sacct_lines import READ, SacctError
from schedlab.traces.tables import UNITS, map_for, maps, read_map

START = pd.Timestamp("2024-03-01T10:00:00")
FIELDS = ["number", "submit", "wait", "runtime", "procs", "requested_procs", "requested_time"]
FIELDS += ["status"]


def span(first="2024-03-01T10:00:00", zone=None, minutes=(0, 10, 70)):
    """Return the submit, start and end of a job as series of a table."""
    return [
        pd.Series([pd.Timestamp(first) + pd.Timedelta(minutes=each)]).dt.tz_localize(zone)
        for each in minutes
    ]


def data_sets():
    """Return a table of each data set, with the same job, and the Unix time of its submission."""
    utc = int(START.timestamp())
    one = dict(zip(("submit_time", "start_time", "end_time"), span(zone="UTC"), strict=True))
    local = dict(zip(("submit_time", "start_time", "end_time"), span(), strict=True))
    seconds = {"run_time": [3600], "wallclock_req": [7200.0], "state": ["COMPLETED"]}
    spans = {
        "wallclock_used": pd.to_timedelta([3600], unit="s"),
        "wallclock_req": pd.to_timedelta([7200], unit="s"),
    }
    return {
        "pm100": (case.pm100([JOB]), JOB["submit"]),
        "f-data": (
            pd.DataFrame(
                {
                    "jid": ["j-77"], "usr": ["abc"], "duration": [3600], "elpl": [7200],
                    **dict(zip(("adt", "sdt", "edt"), (
                        column.astype(str).str.replace("+09:00", "+0900", regex=False)
                        for column in span(zone="Asia/Tokyo")), strict=True)),
                    "exit state": ["completed"], "cnumat": [8], "cnumr": [8], "nnuma": [1],
                }
            ),
            utc - 9 * 3600,
        ),
        "kestrel": (
            pd.DataFrame(
                {"job_id": [1], "user_hash": ["ab"], "account_hash": ["cd"], "qos": ["high"],
                 "partition": ["standard"], **one, **spans, "state_simple": ["COMPLETED"],
                 "nodes_used": [1], "processors_used": [8], "processors_req": [8]}
            ),
            utc,
        ),
        "eagle": (
            pd.DataFrame(
                {"job_id": ["1"], "user": ["user0001"], "account": ["account1"], "qos": ["n"],
                 "partition": ["short"], **local, **seconds, "processors_req": [8.0],
                 "gpus_req": [2]}
            ),
            utc,
        ),
        "helios": (
            pd.DataFrame(
                {"job_id": [1], "user": ["u1"], "vc": ["vc3"], "gpu_num": [4], "cpu_num": [8],
                 "node_num": [1], "state": ["COMPLETED"], **one, "duration": [3600]}
            ),
            utc,
        ),
    }  # fmt: skip


@pytest.mark.parametrize("name", ["pm100", "f-data", "kestrel", "eagle", "helios"])
@pytest.mark.parametrize("form", ["parquet", "csv", "tsv"])
def test_a_published_data_set_is_a_log(tmp_path, name, form):
    table, submit = data_sets()[name]
    path = tmp_path / "jobs"
    if form == "parquet":
        table.to_parquet(path)
    else:
        table.to_csv(path, index=False, sep="," if form == "csv" else "\t")
    assert map_for(list(table)) is maps()[name]
    assert reader_of(path).name == ("data set" if form == "parquet" else "table")
    log = read_log(path)
    limit = -1 if name == "helios" else 7200
    asked = -1 if name == "helios" else 8
    # labels are no numbers: jobs get those of their rows or lines
    number = 2 if form != "parquet" and name in ("f-data", "kestrel", "eagle") else 1
    assert log.jobs[FIELDS].to_numpy().tolist() == [[number, 0, 600, 3600, 8, asked, limit, 1]]
    assert log.unix_start == submit
    if name in ("eagle", "helios"):
        assert log.jobs["request.gres"].tolist() == [f"gpu:{2 if name == 'eagle' else 4}"]


def test_maps_name_known_fields_and_units():
    for found in maps().values():
        for field, unit in found.columns.values():
            assert field in (*READ, "GPUs", "Wait")
            assert unit in UNITS


def rows_of(path, *rows, names):
    return write(path, "".join(",".join(map(str, row)) + "\n" for row in (names, *rows)))


MAP = "column\tfield\tunit\nid\tJobIDRaw\tlabel\nbegun\tSubmit\t{time}\nwaited\tWait\t{span}\n"
MAP += "ran\tElapsedRaw\t{span}\nmost\tTimelimit\t{span}\nn\tNCPUS\t-\nmem\tReqMem\t{memory}\n"


@pytest.mark.parametrize(
    ("units", "cells", "memory"),
    [
        (("s", "s", "MB/node"), (JOB["submit"], 600, 3600, 7200, 8, 100), (100, False)),
        (("ms", "ms", "GB/cpu"), (JOB["submit"] * 1000 + 7, 600_000, 3600_999, 7200_000, 8, 0.5),
         (512, True)),
        (("us", "min", "KB/node"), (JOB["submit"] * 10**6, 10, 60, 120.0, "8.0", 1025), (2, False)),
        (("ns", "h", "B/cpu"), (JOB["submit"] * 10**9, 1 / 6, 1, 2, 8, 1 << 20), (1, True)),
        (("-", "-", "-"), ("2024-03-01 10:46:40+00:00", 600, "0 days 01:00:00", "02:00:00", 8,
                           "16Gn"), (16_384, False)),
        (("-", "-", "-"), ("2024-03-01T11:46:40.5+01:00", 600, "01:00:00", "0 days 02:00:00.5",
                           8, "1000Mc"), (1000, True)),
    ],
)  # fmt: skip
@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_a_map_of_columns_converts_units(tmp_path, units, cells, memory, form):
    time, of_span, of_memory = units
    found = read_map(
        write(tmp_path / "map.tsv", MAP.format(time=time, span=of_span, memory=of_memory))
    )
    names = ("id", "begun", "waited", "ran", "most", "n", "mem")
    if form == "csv":
        path = rows_of(tmp_path / "jobs", ("x7", *cells), names=names)
    else:
        path = tmp_path / "jobs"
        pd.DataFrame([("x7", *cells)], columns=list(names)).to_parquet(path)
    log = reader_of(path, found).read_jobs(path, found)
    (job,) = log.jobs.to_dict("records")
    expected = {"number": 2 if form == "csv" else 1, "wait": 600, "runtime": 3600, "procs": 8}
    expected |= {"requested_time": 7200}
    assert {name: job[name] for name in expected} == expected
    assert log.header.integer("UnixStartTime") == JOB["submit"]
    assert (job["request.memory"], job.get("request.per_cpu", False)) == memory


def test_missing_values_of_a_table_are_unknown(tmp_path):
    table = pd.concat([case.pm100([JOB]), case.pm100([JOB | {"number": 2}])], ignore_index=True)
    table["time_limit"] = [np.nan, 2**32 - 1]
    table["num_cores_alloc"] = [8, np.nan]
    table["start_time"] = [table["start_time"][0], pd.NaT]
    for form in ("parquet", "csv"):
        path = tmp_path / form
        getattr(table, f"to_{form}")(path, index=False)
        log = reader_of(path).read_jobs(path)
        assert log.jobs["requested_time"].tolist() == [-1, -1]
        assert log.jobs["procs"].tolist() == [8, 8]
        assert log.jobs["wait"].tolist() == [600, 600]
        rules = set(log.ledger.loc[log.ledger["line"] == (2 if form == "parquet" else 3), "rule"])
        assert rules == {"procs_requested", "limit_unknown", "start_derived"}


@pytest.mark.parametrize("form", ["parquet", "csv"])
def test_a_bad_row_is_a_row_of_the_ledger_with_the_name_of_its_column(tmp_path, form):
    table = case.pm100(case.jobs(4)).astype({"time_limit": object, "run_time": object})
    table.loc[1, "time_limit"] = "soon"
    table.loc[2, "run_time"] = "then"
    table = table.astype({"time_limit": str, "run_time": str})
    path = tmp_path / "jobs"
    getattr(table, f"to_{form}")(path, index=False)
    log = reader_of(path).read_jobs(path)
    first = 1 if form == "parquet" else 2
    assert log.jobs["number"].tolist() == [10, 13]
    bad = log.ledger[log.ledger["rule"] == "line_unreadable"]
    assert bad[["line", "field", "before"]].to_numpy().tolist() == [
        [first + 1, "Timelimit", "soon"], [first + 2, "ElapsedRaw", "then"],
    ]  # fmt: skip
    path = tmp_path / "bad"
    getattr(table.iloc[1:3], f"to_{form}")(path, index=False)
    place = "row" if form == "parquet" else "line"
    message = rf"^{path}: {place} {first}: column time_limit 'soon' is not a time limit; corr"
    with pytest.raises(SacctError, match=message):
        reader_of(path).read_jobs(path)


def test_parts_of_a_parquet_table_are_the_whole(tmp_path):
    table = case.pm100(case.jobs(9))
    table.to_parquet(tmp_path / "jobs", row_group_size=2)
    whole = reader_of(tmp_path / "jobs").read_jobs(tmp_path / "jobs")
    parts = reader_of(tmp_path / "jobs")
    found = parts.read_jobs(tmp_path / "jobs", size=2)
    pd.testing.assert_frame_equal(found.jobs, whole.jobs)
    assert whole.jobs["line"].tolist() == list(range(1, 10))
    table.iloc[:0].to_parquet(tmp_path / "none")
    assert reader_of(tmp_path / "none").read_jobs(tmp_path / "none").records.empty


def test_a_column_of_lists_is_named(tmp_path):
    table = case.pm100([JOB])
    table["time_limit"] = [[120]]
    table.to_parquet(tmp_path / "jobs")
    with pytest.raises(SacctError, match=r"column 'time_limit' \(list<.*>\) is no Timelimit: "):
        read_log(tmp_path / "jobs")


@pytest.mark.parametrize("end", ["\r", "\r\n"])
def test_lines_of_a_table_have_any_end(tmp_path, end):
    text = case.sacct_text(case.jobs(3), ",").replace("\n", end)
    assert read_log(write(tmp_path / "jobs", text)).jobs["number"].tolist() == [10, 11, 12]


def test_a_carriage_return_within_a_line_is_no_end_of_it(tmp_path):
    lines = case.pm100(case.jobs(4)).to_csv(index=False).splitlines()
    lines[2] = lines[2].replace("COMPLETED", "COMP\rLETED")
    # nor is a byte that is no UTF-8 in a line with too many values the end of the import
    text = "\n".join(lines).encode() + b"\n9,\xff,8,8,8,8,8,8,8,8,8,8,8,8,8\n"
    log = read_log(write(tmp_path / "jobs", text))
    assert log.jobs[["number", "line"]].to_numpy().tolist() == [[10, 2], [11, 3], [12, 4], [13, 5]]


def test_damaged_parquet_is_named(tmp_path):
    path = tmp_path / "jobs"
    case.pm100(case.jobs(3000)).to_parquet(path)
    content = path.read_bytes()
    # a name that is no UTF-8 makes it a table that no map fits
    write(path, content.replace(b"run_time", b"run_\x9cime"))
    with pytest.raises(ValueError, match=rf"^{path}: damaged Parquet file: "):
        read_log(path)
    write(path, content[:1000] + bytes(300) + content[1300:])
    with pytest.raises(ValueError, match=rf"^{path}: damaged Parquet file: "):
        reader_of(path).read_jobs(path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("field\tcolumn\n", "line 1: columns field, column; they must be column, field, unit"),
        ("", "line 1: columns are missing; they must be column, field, unit"),
        ("column\tfield\tunit\nid\tJobIDRow\t-\n", r"line 2: .*JobIDRow.*JobIDRaw"),
        ("column\tfield\tunit\nran\tElapsedRaw\tmins\n", r"line 2: .*mins.*min"),
        ("column\tfield\tunit\nid\tJobIDRaw\n", "line 2: 2 values, but 3 columns; write - for no"),
    ],
)
def test_a_map_that_cannot_be_read_is_named_with_its_line(tmp_path, text, message):
    path = write(tmp_path / "map.tsv", text)
    with pytest.raises(ValueError, match=rf"^{path}: {message}"):
        read_map(path)


def test_a_table_without_a_needed_column_names_it(tmp_path):
    found = read_map(write(tmp_path / "map.tsv", "column\tfield\tunit\nid\tJobIDRaw\t-\n"))
    path = rows_of(tmp_path / "jobs.csv", (1, 2), names=("id", "begun"))
    message = rf"^{path}: no column for Submit; columns are id, begun, and the map .*--columns"
    with pytest.raises(SacctError, match=message):
        reader_of(path, found).read_jobs(path, found)


LINE = "7,u,2024-03-01T10:00:00,2024-03-01T10:10:00,01:00:00,8"
OWN = "number,submit,runtime,procs,estimate,user,color\n1,5,60,4,120,ada,red\n2,9,,2,60,bo,blue\n"
NAMES = "JobID,User,Submit,Start,Elapsed,NCPUS"


@pytest.mark.parametrize("separator", [",", ";", "\t", "^"])
@pytest.mark.parametrize("size", [20, 1 << 24])
def test_lines_of_text_keep_their_numbers_whatever_is_between(tmp_path, separator, size):
    lines = ["", "  ", NAMES, LINE, "", "8,u,cut", '9,"a,b|c",1,1,"00:00:05",8']
    lines.append('10,"open,1,1,2,8')
    lines += [LINE.replace("7", "11", 1), "12,u,1709287200,1709287200,00:00:07,8,more"]
    lines.append(LINE)
    text = "\r\n".join(lines).replace(",", separator)
    path = write(tmp_path / "jobs.txt", gzip.compress(b"\xef\xbb\xbf" + text.encode()))
    log = reader_of(path).read_jobs(path, timezone="UTC", size=size)
    assert log.jobs.sort_values("line")[["number", "line"]].to_numpy().tolist() == [
        [7, 4], [9, 7], [11, 9],
    ]  # fmt: skip
    bad = log.ledger[log.ledger["rule"] == "line_unreadable"]
    assert bad["line"].tolist() == [6, 8, 10]
    assert bad["before"].tolist() == ["3", "a quotation mark is left open", "7"]
    between = " " if separator == "\t" else separator
    assert set(log.jobs["request.user"]) == {"u", f"a{between}b/c"}


@pytest.mark.parametrize("text", [f"{NAMES},\n{LINE},\n8,u,1,1\n", OWN.replace("\n", ";\n")])
def test_a_separator_may_end_each_line(tmp_path, text):
    path = write(tmp_path / "jobs.csv", text.replace(",", ";").replace(";;\n", ";\n"))
    reader = reader_of(path)
    if reader.name == "table":
        log = reader.read_jobs(path, timezone="UTC")
        assert log.jobs["number"].tolist() == [7]
        assert log.ledger["line"].tolist() == [2, 3]
    else:
        assert read_log(path).jobs["number"].tolist() == [1, 2]


def test_a_table_of_names_twice_or_without_is_refused(tmp_path):
    for names, wrong in (("User", "column 'User' is there twice"), (",x", "column 7 has no name")):
        path = write(tmp_path / "jobs.csv", f"{NAMES},{names}\n{LINE},x,y\n")
        with pytest.raises(SacctError, match=rf"jobs.csv: line 1: {re.escape(wrong)}"):
            reader_of(path).read_jobs(path, timezone="UTC")


def test_the_grid_workloads_format_has_remarks_and_unknown_values(tmp_path):
    lines = case.gwf(case.jobs(3)).splitlines(keepends=True)
    lines.insert(1, "# a remark | with a bar\n")
    lines[2] = "  " + lines[2].replace("\t", "   ")
    lines[3] = lines[3].replace("\t6000", "\t-1").replace("\t600\t", "\t-1\t", 1)
    lines.append("13 1 2\n")
    path = write(tmp_path / "trace.gwf", "".join(lines))
    log = reader_of(path).read_jobs(path)
    assert log.jobs[["number", "wait", "line"]].to_numpy().tolist() == [
        [10, 600, 3], [11, -1, 4], [12, 600, 5],
    ]  # fmt: skip
    bad = log.ledger[log.ledger["rule"] == "line_unreadable"]
    assert bad[["line", "before"]].to_numpy().tolist() == [[6, "3 values, but 29 columns"]]


def test_times_from_a_trace_s_begin_are_kept_from_second_0_on(tmp_path):
    rows = [job | {"submit": job["submit"] - JOB["submit"]} for job in case.jobs(3)]
    path = write(tmp_path / "trace.gwf", case.gwf(rows))
    log = read_log(path)
    assert log.jobs["submit"].tolist() == [0, 977, 1954]
    assert log.jobs["wait"].tolist() == [600] * 3


def test_a_table_of_text_with_the_names_of_swf_s_fields_is_a_log(tmp_path):
    path = write(tmp_path / "log.csv", OWN + "3,x,5,1,9,ada,red\n4,7,5\n5,7,5,1,9,ada,red\n")
    log = read_log(path)
    assert log.format == "text table"
    names = ["number", "submit", "runtime", "procs", "requested_time", "user"]
    assert log.jobs[names].to_numpy().tolist() == [
        [1, 5, 60, 4, 120, 1], [5, 7, 5, 1, 9, 1], [2, 9, -1, 2, 60, 2],
    ]  # fmt: skip
    assert log.parts.notes == (
        "columns that are no fields: color",
        "2 lines are left out; line 4: column 'submit' is no number: 'x'",
    )


def test_dates_of_a_table_of_text_are_times_of_unix(tmp_path):
    path = write(tmp_path / "log.csv", "submit;runtime;procs\n2024-03-01 10:46:40;60;4\n;5;1\n")
    log = read_log(path)
    assert (log.unix_start, log.jobs["submit"].tolist()) == (0, [-1, JOB["submit"]])


def test_a_map_that_is_no_utf8_is_an_error_with_its_name(tmp_path):
    path = tmp_path / "map.tsv"
    path.write_bytes("column\tfield\tunit\n".encode("utf-16"))
    with pytest.raises(ValueError, match=r"map\.tsv: is no text in UTF-8; convert it with iconv"):
        read_map(path)
