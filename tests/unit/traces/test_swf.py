"""Reading and writing SWF logs."""

import gzip
import os
import random
import re
import tracemalloc
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedlab.kernels.traces import swf_scan
from schedlab.traces import swf
from schedlab.traces.parts import joined
from schedlab.traces.swf import (
    DTYPES,
    FIELDS,
    WHOLE_LIMIT,
    Header,
    SwfError,
    SwfParts,
    read_swf,
    write_swf,
)
from swf_case import job, log_file


def unpacked(path: Path, folder: Path) -> Path:
    text = folder / "log.swf"
    packed = path.read_bytes()
    text.write_bytes(gzip.decompress(packed) if packed.startswith(b"\x1f\x8b") else packed)
    return text


def test_a_line_is_eighteen_named_columns(tmp_path):
    jobs = read_swf(log_file(tmp_path, " ".join(map(str, range(1, 19))))).jobs
    assert tuple(jobs.columns) == FIELDS
    assert jobs.iloc[0].tolist() == list(range(1, 19))


@pytest.mark.parametrize(
    "text",
    [
        *("142", "142.25", "0.1", "-1", "-1.00", ".5", "5.", "35268.123456789012345", "1e3"),
        *("1.5E-7", "93063359964309.1"),
        # whole numbers of 16 digits pass 2^53: divided by a power of ten these are the next double
        *("930633599643091.9", "95986912593094.01", "94528902866.64247"),
    ],
)
def test_the_cpu_time_is_read_to_the_nearest_double(tmp_path, text):
    assert read_swf(log_file(tmp_path, job(cpu_time=text))).jobs["cpu_time"][0] == float(text)


def test_blank_lines_tabs_and_carriage_returns_are_blanks(tmp_path):
    path = log_file(tmp_path, "", "   ", "\t" + job(1).replace(" ", "\t") + "\r", job(2) + "  ")
    assert read_swf(path).jobs["number"].tolist() == [1, 2]


@pytest.mark.parametrize("shortest", ["1", "12"])
def test_a_log_of_the_shortest_lines_is_read_whole(tmp_path, shortest):
    """The memory for its jobs is counted by bytes."""
    lines = [" ".join([str(number), *[shortest] * 17]) for number in range(1, 10)]
    assert len(read_swf(log_file(tmp_path, *lines)).jobs) == 9
    (tmp_path / "last.swf").write_text("\n".join(lines))
    assert len(read_swf(tmp_path / "last.swf").jobs) == 9


def test_incomplete_last_line_has_space_in_the_buffer(tmp_path, monkeypatch):
    """It is written as far as it goes: behind whole lines there has to be a row for it."""
    rows = []

    def scanned(text, *columns):
        rows.extend(len(column) for column in (columns[0].T, *columns[1:3], columns[4]))
        return swf_scan.scan(text, *columns)

    monkeypatch.setattr(swf, "scan", scanned)
    lines = [" ".join(["1"] * 18)] * 3
    with pytest.raises(SwfError, match="line 4"):
        read_swf(log_file(tmp_path, *lines, "1 2 3 4 5 6"))
    assert min(rows) >= 4


def test_empty_lines_of_a_log_use_no_memory(tmp_path):
    """A small file of 400 million of them would ask for more than there is."""
    path = tmp_path / "site.swf"
    path.write_bytes(b"; a: 1\n" + b"\n" * 40_000_000 + job().encode())
    tracemalloc.start()
    try:
        assert len(read_swf(path).jobs) == 1
        assert tracemalloc.get_traced_memory()[1] < 5e8  # 7e9 with a place for every line
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("begins", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("ends", ["\r", "\r\n", "\n"])
def test_lines_may_end_as_on_any_machine(tmp_path, begins, ends, packed):
    """A byte order mark is no part of the log, and its first bytes show that it is compressed."""
    path = tmp_path / "site.swf"
    text = begins + ends.join(["; MaxProcs: 7", job(1), job(2)]).encode()
    path.write_bytes(gzip.compress(text) if packed else text)
    log = read_swf(path)
    assert (log.header.integer("MaxProcs"), len(log.jobs)) == (7, 2)
    assert log.further is None
    assert log.all_fields is log.jobs


def test_pipe_with_the_name_of_a_log_is_rejected_without_waiting(tmp_path):
    os.mkfifo(tmp_path / "site.swf")
    with pytest.raises(SwfError, match=r"site\.swf: not a regular file"):
        read_swf(tmp_path / "site.swf")


@pytest.mark.parametrize("lines", [(), ("; Version: 2.2", "; Note: not available"), ("", " ")])
def test_a_log_without_jobs_keeps_the_column_types(tmp_path, lines):
    log = read_swf(log_file(tmp_path, *lines))
    assert log.jobs.shape == (0, 18)
    assert log.jobs.dtypes.to_dict() == DTYPES
    assert len(log.header.lines) == sum(line.startswith(";") for line in lines)


@given(
    value=st.decimals(-1000, 1000, places=3) | st.sampled_from([Decimal("0.5"), Decimal("-1.05")]),
    field=st.sampled_from((2, 3, 4, 7, 9, 10, 18)),
)
def test_fractions_of_times_are_rounded(tmp_path_factory, value, field):
    cells = job().split()
    cells[field - 1] = f"{value:f}"
    log = read_swf(log_file(tmp_path_factory.mktemp("log"), " ".join(cells)))
    expected = int(value.to_integral_value(ROUND_HALF_UP))
    assert log.jobs.iloc[0].tolist()[field - 1] == expected
    is_whole = value == int(value)
    assert log.notes == (() if is_whole else ("1 values with a fraction: rounded",))


def test_columns_past_the_eighteenth_are_kept_as_text_and_reported(tmp_path, caplog):
    path = log_file(tmp_path, job(1), job(2) + " {1241,1241} q_1d 1:ppn=64#excl", job(3) + "\t9 ")
    log = read_swf(path)
    assert log.jobs["number"].tolist() == [1, 2, 3]
    assert log.jobs.columns.tolist() == list(FIELDS)
    assert log.further.to_dict("list") == {
        "field19": ["", "{1241,1241}", "9"],
        "field20": ["", "q_1d", ""],
        "field21": ["", "1:ppn=64#excl", ""],
    }
    assert log.notes == ("2 of 3 jobs have up to 21 fields: those past the 18th kept as text",)
    assert log.notes[0] in caplog.text


def test_columns_past_the_eighteenth_are_sorted_with_their_jobs(tmp_path):
    path = log_file(tmp_path, job(2, 50) + " late", job(1, 7) + " early")
    fields = read_swf(path).all_fields
    assert fields["number"].tolist() == [1, 2]
    assert fields["field19"].tolist() == ["early", "late"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("1 2 3", r"field 4 \(runtime\) is missing: 3 fields, 18 wanted"),
        (job(submit="soon"), r"field 2 \(submit\) is not a number: 'soon'"),
        (job(submit="12;"), r"field 2 \(submit\) is not a number: '12;'"),
        (job(submit="-"), r"field 2 \(submit\) is not a number: '-'"),
        (job(number="1.5"), r"field 1 \(number\) is not a whole number: '1.5'"),
        (job(submit="1.5.2"), r"field 2 \(submit\) is not a number: '1.5.2'"),
        (job(submit=10**18), r"field 2 \(submit\) is out of range: '1000000000000000000'"),
        (job(cpu_time="nan"), r"field 6 \(cpu_time\) is not a number: 'nan'"),
        (job(cpu_time="1_0"), r"field 6 \(cpu_time\) is not a number: '1_0'"),
        (job(cpu_time="1.2.3"), r"field 6 \(cpu_time\) is not a number: '1.2.3'"),
        (job(cpu_time="1e999"), r"field 6 \(cpu_time\) is out of range: '1e999'"),
        (job(1, 99), r"field 1 \(number\): job 1 stands on line 2 already"),
    ],
)
def test_an_error_names_file_line_and_field(tmp_path, line, message):
    path = log_file(tmp_path, "; Version: 2.2", job(1, 0), "", job(2, 5), line)
    with pytest.raises(SwfError, match=rf"site\.swf: line 5: {message}"):
        read_swf(path)


def test_jobs_out_of_order_are_sorted_by_submit_time_and_reported(tmp_path):
    log = read_swf(log_file(tmp_path, job(4, 7), job(3, 7), ";", job(2, 5), job(1, 6)))
    assert log.jobs["number"].tolist() == [2, 1, 3, 4]
    assert log.jobs.index.tolist() == [0, 1, 2, 3]
    assert log.notes == (
        "field 2 (submit) goes down in 1 places, first on line 4: jobs sorted by it",
        "field 1 (number) goes down at one instant in 1 places, first on line 2: "
        "those jobs sorted by it",
    )


def test_jobs_of_one_instant_are_sorted_by_number(tmp_path):
    lines = [job(number, submit) for submit in (3, 5, 8) for number in range(submit, 40, 9)]
    in_order = read_swf(log_file(tmp_path, *lines))
    shuffled = read_swf(log_file(tmp_path, *random.Random(1).sample(lines, len(lines))))
    pd.testing.assert_frame_equal(shuffled.jobs, in_order.jobs)
    assert not in_order.notes


@pytest.mark.parametrize("length", [3, 12, -4])
def test_a_damaged_gzip_file_is_refused(tmp_path, length):
    path = tmp_path / "site.swf.gz"
    path.write_bytes(gzip.compress(job().encode() * 100)[:length])
    with pytest.raises(SwfError, match=r"site\.swf\.gz: damaged gzip file"):
        read_swf(path)


def plain_twin(text: str) -> list[list[float]] | None:
    """Read the jobs the obvious way; None where a line is not 18 numbers."""
    rows = []
    for line in text.split("\n" if "\n" in text else "\r"):
        tokens = line.split()
        if not tokens or tokens[0].startswith(";"):
            continue
        for place in (1, 2, 3, 6, 8, 9, 17):
            tokens[place : place + 1] = [
                "1" if token == "0.5" else token for token in tokens[place : place + 1]
            ]
        whole = [token for place, token in enumerate(tokens[:18]) if place != 5]
        if len(whole) < 17 or not all(re.fullmatch(r"[-+]?\d+(\.0*)?", token) for token in whole):
            return None
        try:
            rows.append([float(token) for token in tokens[:18]])
        except ValueError:
            return None
    return rows


@pytest.mark.slow
@given(
    lines=st.lists(
        st.lists(
            st.sampled_from(["7", "-1", "+3", "2.0", "0.5", "1e2", "4.", ".", "-", "x", ";", ";9"]),
            max_size=20,
        )
        | st.lists(st.sampled_from(["8", "-1", "2.00", "+6"]), min_size=18, max_size=19),
        max_size=3,
    ),
    blank=st.sampled_from([" ", "\t", " \r "]),
)
def test_any_text_is_read_as_a_plain_reader_does_or_refused(tmp_path_factory, lines, blank):
    for tokens in lines:  # no parts of jobs, which a plain reader does not know
        if tokens[10:11] and tokens[10] in ("+3", "2.0", "2.00", "4."):
            tokens[10] = "7"
    text = "\n".join(blank.join(tokens) for tokens in lines)
    path = tmp_path_factory.getbasetemp() / "any.swf"
    path.write_text(text, newline="")
    rows = plain_twin(text)
    numbers = [row[0] for row in rows or ()]
    if rows is None or len(set(numbers)) < len(numbers):
        with pytest.raises(SwfError, match="line"):
            read_swf(path)
    else:
        assert read_swf(path).jobs.to_numpy().tolist() == sorted(
            rows, key=lambda row: (row[1], row[0])
        )


whole_numbers = st.integers(-WHOLE_LIMIT + 1, WHOLE_LIMIT - 1)
cpu_times = st.floats(allow_nan=False, allow_infinity=False) | st.decimals(0, 10**6, places=2).map(
    float
)
remarks = st.text(st.characters(blacklist_characters="\n\r", codec="utf-8"))


@pytest.mark.slow
@settings(max_examples=40)
@given(
    numbers=st.lists(whole_numbers, unique=True, max_size=5),
    header=st.lists(remarks, max_size=4),
    suffix=st.sampled_from([".swf", ".swf.gz"]),
    data=st.data(),
)
def test_a_log_read_written_and_read_is_the_same(tmp_path_factory, numbers, header, suffix, data):
    columns = {
        name: data.draw(
            st.lists(
                cpu_times if name == "cpu_time" else whole_numbers,
                min_size=len(numbers),
                max_size=len(numbers),
            )
        )
        for name in FIELDS
    } | {"number": numbers}
    jobs = pd.DataFrame(columns).astype(DTYPES)
    jobs = jobs.sort_values(["submit", "number"], ignore_index=True)
    path = tmp_path_factory.getbasetemp() / f"round_trip{suffix}"
    write_swf(path, jobs, Header(tuple(header)))
    once = read_swf(path)
    pd.testing.assert_frame_equal(once.jobs, jobs)
    write_swf(path, once.jobs, once.header)
    twice = read_swf(path)
    pd.testing.assert_frame_equal(twice.jobs, once.jobs)
    assert once.header.lines == twice.header.lines == tuple(header)


def test_equal_logs_are_equal_compressed_files(tmp_path):
    jobs = read_swf(log_file(tmp_path, job())).jobs
    write_swf(tmp_path / "one.swf.gz", jobs)
    write_swf(tmp_path / "two.swf.gz", jobs)
    assert (tmp_path / "one.swf.gz").read_bytes() == (tmp_path / "two.swf.gz").read_bytes()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"cpu_time": np.nan}, "field 'cpu_time' holds values that are not finite"),
        ({"runtime": 1.5}, "field 'runtime' holds values that are not whole numbers"),
        ({"runtime": 10**18}, "field 'runtime' holds values that are out of range"),
    ],
)
def test_values_that_could_not_be_read_back_are_not_written(tmp_path, change, message):
    jobs = read_swf(log_file(tmp_path, job())).jobs
    for table, error in ((jobs.assign(**change), message), (jobs.drop(columns="queue"), "queue")):
        with pytest.raises(SwfError, match=error):
            write_swf(tmp_path / "new.swf", table)
    assert not (tmp_path / "new.swf").exists()


@pytest.mark.logs
def test_a_real_log_survives_a_round_trip(raw_log, tmp_path):
    log = read_swf(raw_log("KTH-SP2"))
    write_swf(tmp_path / "again.swf.gz", log.jobs, log.header)
    again = read_swf(tmp_path / "again.swf.gz")
    pd.testing.assert_frame_equal(again.jobs, log.jobs)
    assert again.header == log.header


@pytest.mark.logs
@pytest.mark.parametrize("name", ["CEA-Curie", "SDSC-BLUE", "CTC-SP2", "HPC2N"])
def test_a_real_log_has_the_values_that_pandas_reads(raw_log, name, tmp_path):
    text = unpacked(raw_log(name), tmp_path)
    jobs = read_swf(text).jobs
    other = pd.read_csv(text, sep=r"\s+", comment=";", header=None)
    np.testing.assert_allclose(jobs.to_numpy(), other.to_numpy(), rtol=1e-15, atol=0)


@pytest.mark.slow
@settings(max_examples=40)
@given(
    numbers=st.lists(st.integers(1, 9), min_size=1, max_size=8),
    data=st.data(),
    size=st.integers(1, 150),
)
def test_a_log_in_parts_is_the_log_as_a_whole(tmp_path_factory, numbers, data, size):
    submits = data.draw(st.lists(st.integers(0, 4), min_size=8, max_size=8))
    extras = data.draw(st.lists(st.sampled_from(["", " a", " a b"]), min_size=8, max_size=8))
    between = data.draw(st.lists(st.sampled_from(["", "; x\n", "\n"]), min_size=8, max_size=8))
    path = tmp_path_factory.getbasetemp() / "parts.swf"
    path.write_text(
        "".join(
            f"{gap}{job(number, submit)}{extra}\n"
            for number, submit, extra, gap in zip(numbers, submits, extras, between, strict=False)
        )
    )
    parts = SwfParts(path, size)
    try:
        whole = read_swf(path)
    except SwfError as error:
        with pytest.raises(SwfError, match=re.escape(str(error))):
            list(parts)
        return
    for _ in range(2):  # every time it is read
        found = joined(parts)
        pd.testing.assert_frame_equal(found, whole.all_fields)
        assert (parts.header, parts.notes) == (whole.header, whole.notes)
        assert parts.in_order == (not any("goes down" in note for note in whole.notes))


def test_parts_are_as_large_as_wanted_and_end_with_a_line(tmp_path):
    path = log_file(tmp_path, *(job(number) for number in range(1, 9)))
    size = len(job()) + 1
    assert [len(part) for part in SwfParts(path, 2 * size)] == [2, 2, 2, 2]
    # the rest of a cut line goes to the next part
    assert [len(part) for part in SwfParts(path, 3 * size - 1)] == [2, 3, 3]


def test_many_jobs_are_written_in_order_by_several_threads(tmp_path, monkeypatch):
    monkeypatch.setattr(swf, "ROWS", 3)
    jobs = pd.DataFrame({name: range(1, 12) for name in FIELDS}).astype(DTYPES)
    for suffix in ("swf", "swf.gz"):
        write_swf(tmp_path / f"log.{suffix}", jobs, Header((" MaxProcs: 7",)))
        log = read_swf(tmp_path / f"log.{suffix}")
        pd.testing.assert_frame_equal(log.jobs, jobs)
        assert log.header.lines == (" MaxProcs: 7",)
