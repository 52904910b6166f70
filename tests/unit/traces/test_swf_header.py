"""The header of SWF logs: its entries and numbers."""

import re

import pytest

from schedlab.traces.swf import Header, SwfError, SwfParts, read_swf, write_swf
from swf_case import job, log_file


def test_the_header_keeps_every_key_and_every_remark_in_order(tmp_path):
    remarks = (
        " --- converted ---",
        " Version: 2.2",
        " Queue:  1 short",
        "",
        "Queue: 2 long",
        "\tsee: http://site.example",
        " Note: one",
        " Note:",
    )
    header = read_swf(log_file(tmp_path, *(f";{line}" for line in remarks), job())).header
    assert header.lines == remarks
    assert header.entries == (
        ("Version", "2.2"),
        ("Queue", "1 short"),
        ("Queue", "2 long"),
        ("Note", "one"),
        ("Note", ""),
    )
    assert header.values("Queue") == ("1 short", "2 long")


def test_comments_between_the_jobs_join_the_header(tmp_path):
    log = read_swf(log_file(tmp_path, "; Version: 2", job(1), "  ; late", job(2)))
    assert log.header.lines == (" Version: 2", " late")
    assert len(log.jobs) == 2


@pytest.mark.parametrize(
    ("value", "number"),
    [
        ("338 (batch partition; 512 total)", 338),
        ("64 (8x8)", 64),
        ("163,840", 163_840),
        ("1,024", 1024),
        ("none", None),
        ("", None),
        ("-18000", -18000),
        ("9" * 18, int("9" * 18)),
    ],
)
@pytest.mark.parametrize("key", ["MaxNodes", "maxnodes"])
def test_header_integer_is_a_whole_number(key, value, number):
    assert Header((f" {key}: {value}",)).integer("MaxNodes") == number


@pytest.mark.parametrize("value", ["16.5", "64 x 8", "1 024", "12,34", "9" * 19, "64 or so"])
def test_a_header_number_that_is_not_whole_is_refused_with_its_line(tmp_path, value):
    path = log_file(tmp_path, "; Version: 2.2", f"; MaxProcs: {value}", job())
    message = rf"site.swf: comment line 2: MaxProcs '{re.escape(value)}' is not a whole number"
    with pytest.raises(SwfError, match=message):
        read_swf(path)


def test_two_numbers_of_one_key_are_refused_if_they_differ(tmp_path):
    lines = ["; MaxProcs: 64", job(1), "; MaxProcs: 128", job(2)]
    with pytest.raises(SwfError, match="comment line 2: MaxProcs '128', but above it is 64"):
        list(SwfParts(log_file(tmp_path, *lines), len(job())))
    assert read_swf(log_file(tmp_path, lines[0], lines[0])).header.integer("MaxProcs") == 64


def test_missing_header_integer_is_none():
    assert Header().integer("MaxProcs") is None


@pytest.mark.parametrize(
    ("lines", "processors"),
    [
        (["; MaxProcs=64"], 64),
        (["; maxprocs = 64 (8x8)"], 64),
        (["; MaxProcs: 64", "; MaxProcs: -1"], 64),
        (["; MaxProcs: -1"], None),
    ],
)
def test_a_header_has_other_signs_between_names_and_numbers(tmp_path, lines, processors):
    log = read_swf(log_file(tmp_path, *lines, job()))
    assert log.header.integer("MaxProcs") == processors


def test_header_bytes_that_are_not_utf8_survive_a_round_trip(tmp_path):
    path = tmp_path / "site.swf"
    path.write_bytes(b"; Acknowledge: \xc5ke \xe5\n" + job().encode() + b"\n")
    log = read_swf(path)
    write_swf(path, log.jobs, log.header)
    assert path.read_bytes().startswith(b"; Acknowledge: \xc5ke \xe5\n")


def test_header_line_with_a_newline_is_rejected(tmp_path):
    jobs = read_swf(log_file(tmp_path, job())).jobs
    with pytest.raises(SwfError, match="header line 2 holds a line break"):
        write_swf(tmp_path / "new.swf", jobs, Header((" Version: 2", " Note: a\nb")))


def test_the_header_is_known_before_the_first_part_is_used(tmp_path):
    path = log_file(tmp_path, "; MaxProcs: 7", job(1), job(2))
    assert SwfParts(path, len(job()) + 20).header.integer("MaxProcs") == 7
