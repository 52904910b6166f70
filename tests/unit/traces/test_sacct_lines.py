"""The lines of a dump and their fields."""

import gzip

import pytest

from schedlab.traces.slurm.sacct_lines import KNOWN, SHORT, XDMOD, SacctError, read_lines

CELLS = [f"c{place}" for place in range(25)]
LONG = "|".join(["7", "7", *CELLS[2:]])


def dump(tmp_path, text):
    path = tmp_path / "dump.txt"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def test_header_line_names_the_fields_in_any_case_and_order(tmp_path):
    text = "submit|NCPUS|jobidraw|ELAPSED|Comment\n1|2|3|4|5\n"
    read = read_lines(dump(tmp_path, text))
    assert read.cells.to_dict("list") == {
        "Submit": ["1"],
        "NCPUS": ["2"],
        "JobIDRaw": ["3"],
        "Elapsed": ["4"],
    }
    assert read.cells.index.tolist() == [2]
    assert read.ignored == ("Comment",)


def test_the_list_of_open_xdmod_has_26_fields_and_the_short_one_5():
    assert sorted(KNOWN) == [5, 26]


def test_26_cells_without_names_are_the_list_of_open_xdmod(tmp_path):
    read = read_lines(dump(tmp_path, LONG + "|name\n"))
    assert read.cells.index.tolist() == [1]
    assert read.cells.loc[1, ["JobIDRaw", "Submit", "Timelimit"]].tolist() == ["7", "c10", "c23"]
    assert read.ignored == ("ExitCode", "NodeList", "JobName")


def test_five_cells_without_names_are_the_short_list(tmp_path):
    read = read_lines(dump(tmp_path, "7|1700000000|60|4|30\n"))
    assert read.cells.columns.tolist() == SHORT.split("|")


@pytest.mark.parametrize("end", ["|", "|\r", "\r"])
def test_a_closing_separator_ends_the_line(tmp_path, end):
    for text in (f"7|1700000000|60|4|30{end}\n", f"{SHORT}{end}\n7|1700000000|60|4|30{end}\n"):
        read = read_lines(dump(tmp_path, text))
        assert read.cells["TimelimitRaw"].tolist() == ["30"]
        assert read.ignored == ()


@pytest.mark.parametrize("name", ["", "a|b", "a|b|c|", "|"])
def test_last_field_job_name_may_contain_the_separator(tmp_path, name):
    text = f"{LONG}|{name}\n" * 2
    assert len(read_lines(dump(tmp_path, text)).cells) == 2
    assert len(read_lines(dump(tmp_path, f"{XDMOD}\n{text}")).cells) == 2


def test_the_rest_of_a_job_name_with_a_line_break_is_no_line(tmp_path):
    read = read_lines(dump(tmp_path, f"{LONG}|first\nsecond|third\n{LONG}|other\n"))
    assert read.cells.index.tolist() == [1, 3]
    assert read.breaks.to_dict() == {2: "second|third"}


def test_packed_dumps_empty_lines_and_a_byte_order_mark_are_read(tmp_path):
    text = f"\ufeff{SHORT}\n\n7|1700000000|60|4|30\n  \n"
    read = read_lines(dump(tmp_path, gzip.compress(text.encode())))
    assert read.cells.index.tolist() == [3]


def test_names_that_are_not_utf_8_are_accepted(tmp_path):
    read = read_lines(dump(tmp_path, LONG.encode() + b"|\xff\xfe\n"))
    assert len(read.cells) == 1


def test_a_dump_of_names_only_has_no_lines(tmp_path):
    assert read_lines(dump(tmp_path, XDMOD + "\n")).cells.empty


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "dump.txt: there is no line in it; export it with sacct -aXnP -o JobID,JobIDRaw"),
        ("1|2|3\n", "line 1: 3 cells and no names of fields: only dumps of 5 or 26 fields"),
        (LONG.rsplit("|", 1)[0], "line 1: 24 cells and no names of fields"),
        ("JobIDRaw|Submit\n", "field ElapsedRaw or Elapsed or End is missing; name it in sacct -o"),
        ("JobID|Elapsed|NCPUS\n", "field Submit is missing"),
        ("JobID|Elapsed|Submit\n", "field NCPUS or AllocCPUS or AllocTRES is missing"),
        ("JobID|Submit|submit\n", "line 1: field Submit is named twice"),
        (f"{SHORT}\n7|1|2|3|4|5\n", "line 2: 6 cells, but 5 fields: the line is cut, or a name"),
        (f"{SHORT}\n7|1|2|3\n", "line 2: 4 cells, but 5 fields"),
        # a line that starts like a job's is not the rest of a name
        (f"{LONG}|a\n123_4|5\n", "line 2: 2 cells, but 26 fields"),
    ],
)
def test_invalid_dump_is_named(tmp_path, text, message):
    with pytest.raises(SacctError) as error:
        read_lines(dump(tmp_path, text))
    assert message in str(error.value)
    assert str(tmp_path) in str(error.value)
