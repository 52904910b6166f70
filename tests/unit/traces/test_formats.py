"""Every format gives the same jobs, is recognized by its content, and survives damage."""

from __future__ import annotations

import bz2
import gzip
import lzma
import re
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import formats_case as case
from schedlab.traces.readers import READERS, read_log, reader_of

FIELDS = ["submit", "wait", "runtime", "procs", "requested_time"]
PACKERS = {
    "gz": gzip.compress,
    "xz": lzma.compress,
    "bz2": bz2.compress,
    "zst": lambda text: pa.Codec("zstd").compress(text).to_pybytes(),
}


def facts(path: Path) -> dict[int, tuple[int, ...]]:
    """Return what a log says of each job, with times of Unix."""
    log = read_log(path)
    jobs = log.jobs.set_index("number")[FIELDS].astype("int64")
    jobs["submit"] += log.unix_start or 0
    rows = jobs.to_numpy().tolist()
    return {number: tuple(row) for number, row in zip(jobs.index, rows, strict=True)}


def expected(rows: list[dict]) -> dict[int, tuple[int, ...]]:
    """Return the same of the jobs that were written."""
    names = ("submit", "wait", "runtime", "procs")
    return {job["number"]: (*(job[name] for name in names), job["limit"] * 60) for job in rows}


@pytest.mark.parametrize("name", case.TEXTS)
def test_a_format_is_recognized_whatever_the_name_and_gives_the_same_jobs(tmp_path, name):
    rows = case.jobs(5)
    path = case.write(tmp_path / "log.parquet", case.TEXTS[name](rows))
    assert reader_of(path).name == name.partition(",")[0]
    assert facts(path) == expected(rows)


@pytest.mark.parametrize("name", case.TEXTS)
@pytest.mark.parametrize("packer", PACKERS)
def test_a_log_is_read_from_any_compression_and_a_cut_one_is_an_error(tmp_path, name, packer):
    text = case.TEXTS[name](case.jobs(40)).encode()
    packed = PACKERS[packer](text)
    path = case.write(tmp_path / "log", packed)
    assert facts(path) == expected(case.jobs(40))
    for content in (packed[:-9], packed[: len(packed) // 2], packed[:12]):
        case.write(path, content)
        with pytest.raises(ValueError, match=rf"^{path}: damaged (gzip|xz|bzip2|zstd) file: .+; "):
            read_log(path)


def test_every_reader_says_what_it_reads_and_has_one_way_to_read():
    names = [reader.name for reader in READERS]
    assert len(set(names)) == len(names)
    for reader in READERS:
        assert (reader.lines is None) != (reader.log is None)
        assert all((reader.reads, reader.leaves, reader.export))


def test_a_log_needs_no_import(tmp_path):
    path = case.write(tmp_path / "log.swf", case.swf(case.jobs(1)))
    with pytest.raises(ValueError, match=r"log.swf: is a log \(SWF\), which needs no import"):
        reader_of(path).read_jobs(path)


JOBS = st.lists(
    st.fixed_dictionaries(
        {
            "submit": st.integers(1_600_000_000, 1_800_000_000),
            "wait": st.integers(0, 10**6),
            "runtime": st.integers(1, 10**6),
            "procs": st.integers(1, 10**5),
            "limit": st.integers(1, 10**5),
            "user": st.sampled_from(["ada", "u1", "u2"]),
        }
    ),
    min_size=1,
    max_size=8,
)


def numbered(rows: list[dict]) -> list[dict]:
    return [row | {"number": number} for number, row in enumerate(rows, start=1)]


@pytest.mark.slow
@pytest.mark.parametrize("name", case.TEXTS)
@settings(max_examples=8, deadline=None)
@given(rows=JOBS)
def test_what_is_written_is_read(name, rows):
    rows = numbered(rows)
    with TemporaryDirectory() as folder:
        assert facts(case.write(Path(folder, "log"), case.TEXTS[name](rows))) == expected(rows)


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(rows=JOBS)
def test_a_parquet_table_is_read_as_it_was_written(rows):
    rows = numbered(rows)
    with TemporaryDirectory() as folder:
        path = Path(folder, "log")
        case.pm100(rows).to_parquet(path)
        assert reader_of(path).name == "data set"
        assert facts(path) == expected(rows)


#: lines that names or remarks take at most
HEADINGS = 2
#: bytes that end, begin or separate something in one of the formats
STRAY = [*b'\x00\xff"|,:;\t\n\r#{}[] e-=\xfe', 200]


@st.composite
def damages(draw):
    """Return how a line is damaged: the place (share of the lines), and what happens to it."""
    return (
        draw(st.floats(0, 0.999)),
        draw(st.floats(0, 0.999)),
        draw(st.sampled_from(["cut", "stray", "field", "gone"])),
        draw(st.sampled_from(STRAY)),
    )


def damaged(text: bytes, damage: tuple[float, float, str, int]) -> tuple[bytes, int]:
    """Return a text with a damaged line, and its number."""
    where, place, kind, byte = damage
    lines = text.split(b"\n")[:-1] if text.endswith(b"\n") else text.split(b"\n")
    row = int(where * len(lines))
    line = lines[row]
    at = int(place * len(line))
    if kind == "cut":
        line = line[:at]
    elif kind == "stray":
        line = line[:at] + bytes([byte]) + line[at:]
    elif kind == "field":
        words = re.split(rb"([|,:;\t ])", line)
        words[2 * int(place * (len(words) // 2 + 1))] = b"x?"
        line = b"".join(words)
    else:
        line = line[:at] + line[at + 1 :]
    lines[row] = line
    return b"".join(each + b"\n" for each in lines), row + 1


@pytest.mark.slow
@pytest.mark.parametrize("name", case.TEXTS)
@settings(max_examples=40, deadline=None)
@given(damage=damages())
def test_damage_of_a_line_is_an_error_that_names_it_or_loses_that_line_only(name, damage):
    rows = case.jobs(9)
    text, line = damaged(case.TEXTS[name](rows).encode(), damage)
    with TemporaryDirectory() as folder:
        path = case.write(Path(folder, "log"), text)
        message = ""
        try:
            found = facts(path)
        except ValueError as error:
            message = str(error)
    if message:
        assert str(path) in message
        assert re.search(r"(line|row|job) \d+|looked for|is missing|no column|quotation", message)
        # the names of columns, the brackets of JSON, and SWF, which has no ledger
        assert line <= HEADINGS or name.startswith(("sacct JSON", "SWF")), message
        return
    wanted = expected(rows)
    if line <= HEADINGS:  # a name that is lost is a column that is not known
        assert len(found.keys() ^ wanted.keys()) <= 2
        return
    lost = [number for number in wanted if found.get(number) != wanted[number]]
    assert len(lost) <= 1
    if lost and not name.startswith("sacct JSON"):
        assert str(lost[0]) in case.TEXTS[name](rows).split("\n")[line - 1]


@pytest.mark.parametrize("pack", [lzma.compress, bz2.compress])
def test_data_after_a_compressed_log_is_an_error_and_a_second_log_is_read(tmp_path, pack):
    """Python's libraries end silently at data that is not compressed: a log would be cut."""
    rows = case.jobs(4)
    names, *lines = case.TEXTS["sacct"](rows).encode().splitlines(keepends=True)
    whole, rest = pack(names + b"".join(lines[:2])), pack(b"".join(lines[2:]))
    path = case.write(tmp_path / "log", whole + rest)
    assert facts(path) == expected(rows)
    for tail in (b"garbage", b"\0" * 4 + rest, b"?" + rest[1:]):
        case.write(path, whole + tail)
        with pytest.raises(ValueError, match=rf"^{path}: damaged \w+ file: other data follows"):
            read_log(path)
