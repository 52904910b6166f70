"""The lines of a dump and their fields."""

import gzip
import tracemalloc

import numpy as np
import pytest

from schedlab.traces.slurm import sacct_lines
from schedlab.traces.slurm.sacct_lines import SHORT, XDMOD, SacctError

CELLS = [f"c{place}" for place in range(25)]
LONG = "|".join(["7", "7", *CELLS[2:]])


def read_lines(path):
    """Return a dump that is one part."""
    (read,) = sacct_lines.read_lines(path)
    return read


def cells(read):
    """Return the texts of a dump, by field."""
    rows = np.arange(len(read))
    return {field: read.texts(field, rows).tolist() for field in read.columns}


def dump(tmp_path, text):
    path = tmp_path / "dump.txt"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def test_header_line_names_the_fields_in_any_case_and_order(tmp_path):
    text = "submit|NCPUS|jobidraw|ELAPSED|Comment\n1|2|3|4|5\n"
    read = read_lines(dump(tmp_path, text))
    assert cells(read) == {"Submit": ["1"], "NCPUS": ["2"], "JobIDRaw": ["3"], "Elapsed": ["4"]}
    assert read.lines.tolist() == [2]
    assert read.names == ("Submit", "NCPUS", "JobIDRaw", "Elapsed", "Comment")


def test_26_cells_without_names_are_the_list_of_open_xdmod(tmp_path):
    read = read_lines(dump(tmp_path, LONG + "|name\n"))
    assert read.lines.tolist() == [1]
    found = cells(read)
    wanted = {"JobIDRaw": ["7"], "Submit": ["c10"], "Timelimit": ["c23"]}
    assert {name: found[name] for name in wanted} == wanted
    assert set(read.names) - set(read.columns) == {"ExitCode", "JobName"}


def test_five_cells_without_names_are_the_short_list(tmp_path):
    read = read_lines(dump(tmp_path, "7|1700000000|60|4|30\n"))
    assert list(read.columns) == SHORT.split("|")


@pytest.mark.parametrize("end", ["|", "|\r", "\r"])
def test_a_closing_separator_ends_the_line(tmp_path, end):
    for text in (f"7|1700000000|60|4|30{end}\n", f"{SHORT}{end}\n7|1700000000|60|4|30{end}\n"):
        read = read_lines(dump(tmp_path, text))
        assert cells(read)["TimelimitRaw"] == ["30"]
        assert read.names == tuple(read.columns)


@pytest.mark.parametrize("name", ["", "a|b", "a|b|c|", "|"])
def test_last_field_job_name_may_contain_the_separator(tmp_path, name):
    text = f"{LONG}|{name}\n" * 2
    assert len(read_lines(dump(tmp_path, text))) == 2
    assert len(read_lines(dump(tmp_path, f"{XDMOD}\n{text}"))) == 2


def test_a_name_that_ends_with_the_separator_ends_no_other_line(tmp_path):
    """Without names, the first line alone does not show if sacct -p wrote the dump."""
    text = f"{LONG}|name|\n" + f"{LONG}|name\n" * 2
    for end, closing in (("", False), ("|", True)):
        read = read_lines(dump(tmp_path, text.replace("\n", f"{end}\n")))
        assert (len(read), read.closing, read.cut) == (3, closing, {})


def test_the_rest_of_a_job_name_with_a_line_break_is_no_line(tmp_path):
    read = read_lines(dump(tmp_path, f"{LONG}|first\nsecond|third\n{LONG}|other\n"))
    assert read.lines.tolist() == [1, 3]
    assert read.breaks == {2: "second|third"}


def test_packed_dumps_empty_lines_and_a_byte_order_mark_are_read(tmp_path):
    text = f"\ufeff{SHORT}\n\n7|1700000000|60|4|30\n  \n"
    read = read_lines(dump(tmp_path, gzip.compress(text.encode())))
    assert read.lines.tolist() == [3]


def test_names_that_are_not_utf_8_are_accepted(tmp_path):
    read = read_lines(dump(tmp_path, LONG.encode() + b"|\xff\xfe\n"))
    assert len(read) == 1


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
        (f"{SHORT}||\n", "line 1: field 6 has no name"),
        (f"{SHORT}\n7|1|2|3|4\n{SHORT}|JobID\n", "line 3: other names of fields than on the first"),
        ('{"jobs": []}', "is JSON"),
    ],
)
def test_invalid_dump_is_named(tmp_path, text, message):
    with pytest.raises(SacctError) as error:
        read_lines(dump(tmp_path, text))
    assert message in str(error.value)
    assert str(tmp_path) in str(error.value)


@pytest.mark.parametrize("head", ["", "\n\n", f"{SHORT}\n", f"\n{SHORT}\n\n"])
def test_lines_have_the_numbers_of_the_file_in_every_part(tmp_path, head):
    jobs = [f"{number}|{1700000000 + number}|60|4|30\n" for number in range(40)]
    jobs[7] += "  \n"
    text = head + "".join(jobs)
    parts = list(sacct_lines.read_lines(dump(tmp_path, text), 100))
    assert len(parts) > 5
    wanted = [place for place, line in enumerate(text.split("\n"), start=1) if line[:1].isdigit()]
    assert np.concatenate([part.lines for part in parts]).tolist() == wanted
    submits = [text for part in parts for text in cells(part)["Submit"]]
    assert submits == [str(1700000000 + number) for number in range(40)]


def test_a_line_of_a_later_part_is_named(tmp_path):
    text = f"{SHORT}\n" + "7|1700000000|60|4|30\n" * 9 + "7|1|2\n"
    parts = list(sacct_lines.read_lines(dump(tmp_path, text), 100))
    assert [part.cut for part in parts][-1] == {11: "7|1|2"}


@pytest.mark.parametrize("line", ["7|1|2|3|4|5", "7|1|2|3", "rest of a name", "7|1|2|3|4|"])
def test_a_line_with_another_number_of_values_is_cut(tmp_path, line):
    read = read_lines(dump(tmp_path, f"{SHORT}\n7|1|2|3|4\n{line}\n"))
    assert (read.lines.tolist(), read.cut) == ([2], {3: line})


def test_a_line_that_starts_as_a_job_is_no_rest_of_a_name(tmp_path):
    assert read_lines(dump(tmp_path, f"{LONG}|a\n123_4|5\n")).cut == {2: "123_4|5"}


@pytest.mark.parametrize("line", ["7|1|2|3|4", "7|1|2|3|4|x", "7|1|2|3|4||"])
def test_lines_are_closed_as_the_line_of_names_is(tmp_path, line):
    """A bar in a value of a line with an empty last value would move its values by one."""
    read = read_lines(dump(tmp_path, f"{SHORT}|\n7|1|2|3|4|\n{line}\n"))
    assert (read.lines.tolist(), read.cut) == ([2], {3: line})


def test_empty_lines_of_a_dump_use_no_memory(tmp_path):
    """A small file of 400 million of them would ask for more than there is."""
    path = dump(tmp_path, b"\n" * 40_000_000 + f"{LONG}|name\n".encode())
    tracemalloc.start()
    try:
        assert sum(map(len, sacct_lines.read_lines(path))) == 1
        # pages that are not written are counted here: 4e10 with a place for every line
        assert tracemalloc.get_traced_memory()[1] < 5e9
    finally:
        tracemalloc.stop()


def test_texts_are_as_in_the_dump(tmp_path):
    text = (
        "JobID|JobIDRaw|Submit|Start|End|State|Elapsed|NCPUS\n"
        "7_3| 8 |2024-02-29T23:59:59|1700000000|2024-02-29 10:00:00| CANCELLED by 7|\t|4\n"
        "007|7+1|2023-02-29T23:59:59|0|Unknown||12-01:23:45|04\n"
        "123|124|1970-01-01T00:00:00|7|9999-12-31T23:59:59|X|23:09:08|4\n"
    )
    lines = text.splitlines()
    wanted = [[cell.strip() for cell in line.split("|")] for line in lines]
    found = cells(read_lines(dump(tmp_path, text)))
    assert found == {name: list(column) for name, *column in zip(*wanted, strict=True)}
