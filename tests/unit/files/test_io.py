"""Files are written completely or not at all, and tables are read only if unchanged."""

import errno
import gzip
import os
import platform
import subprocess
import sys
import time

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

from schedlab.files import io
from schedlab.files.io import (
    DamagedError,
    about,
    read_parquet,
    read_unpacked,
    whole,
    whole_lines,
    write_parquet,
)


def names(folder) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_appears_when_the_block_ends_well(tmp_path):
    with whole(tmp_path / "new" / "note.txt") as part:
        part.write_text("done")
        assert names(tmp_path / "new") == [part.name]
    assert names(tmp_path / "new") == ["note.txt"]


def test_the_temporary_file_keeps_the_suffixes(tmp_path):
    with whole(tmp_path / "log.swf.gz") as part:
        assert part.suffixes[-2:] == [".swf", ".gz"]
        part.touch()


def test_failed_block_leaves_only_the_old_file(tmp_path):
    (tmp_path / "note.txt").write_text("old")

    def fail():
        with whole(tmp_path / "note.txt") as part:
            part.write_text("half")
            raise RuntimeError("stop")

    with pytest.raises(RuntimeError, match="stop"):
        fail()
    assert names(tmp_path) == ["note.txt"]
    assert (tmp_path / "note.txt").read_text() == "old"


WRITE = """
import os, signal, sys
from schedlab.files.io import whole
with whole(sys.argv[1]) as part:
    part.write_text("half")
    print(part.name, flush=True)
    if sys.argv[2] == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    sys.stdin.read()
"""


def start_writing(path, how):
    """Start another process that writes `path`; return it and the name of its temporary file."""
    command = [sys.executable, "-c", WRITE, str(path), how]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    return process, process.stdout.readline().strip()


@pytest.mark.slow
def test_leftovers_of_a_killed_process_are_removed_at_the_next_write(tmp_path):
    process, draft = start_writing(tmp_path / "note.txt", "killed")
    process.communicate()
    assert names(tmp_path) == [draft]
    with whole(tmp_path / "other.txt") as part:
        part.write_text("done")
    assert names(tmp_path) == [draft, "other.txt"]
    with whole(tmp_path / "note.txt") as part:
        part.write_text("done")
    assert names(tmp_path) == ["note.txt", "other.txt"]


@pytest.mark.slow
def test_temporary_file_of_a_running_process_is_kept(tmp_path):
    process, draft = start_writing(tmp_path / "note.txt", "slowly")
    with whole(tmp_path / "note.txt") as part:
        part.write_text("first")
    assert names(tmp_path) == [draft, "note.txt"]
    process.communicate()
    assert process.returncode == 0
    assert names(tmp_path) == ["note.txt"]
    assert (tmp_path / "note.txt").read_text() == "half"


@pytest.mark.slow
@pytest.mark.parametrize(("hours", "is_kept"), [(0, True), (23, True), (25, False)])
def test_leftovers_of_another_machine_are_removed_after_a_day(
    tmp_path, monkeypatch, hours, is_kept
):
    """The number of its process says nothing here, and it may still write."""
    process, draft = start_writing(tmp_path / "note.txt", "killed")
    process.communicate()
    other = tmp_path / draft.replace("note.txt", "other.txt")
    (tmp_path / draft).rename(other)
    (tmp_path / draft).write_text("half")
    then = time.time() - 3600 * hours
    for part in (other, tmp_path / draft):
        os.utime(part, (then, then))
    monkeypatch.setattr(io, "_machine", lambda: "0" * 8)
    with whole(tmp_path / "note.txt") as part:
        part.write_text("done")
    # the temporary file of another file is left to the next write of that one
    assert names(tmp_path) == sorted([other.name, *[draft] * is_kept, "note.txt"])


@pytest.mark.slow
def test_an_old_temporary_file_stays_while_its_process_runs_here(tmp_path):
    process, draft = start_writing(tmp_path / "note.txt", "slowly")
    os.utime(tmp_path / draft, (0, 0))
    with whole(tmp_path / "note.txt") as part:
        part.write_text("first")
    assert names(tmp_path) == [draft, "note.txt"]
    process.communicate()


def test_block_without_writes_creates_no_file(tmp_path):
    with pytest.raises(FileNotFoundError), whole(tmp_path / "note.txt"):
        pass
    assert names(tmp_path) == []


def test_a_frame_without_rows_keeps_its_types_in_parquet(tmp_path):
    frame = pd.DataFrame({"number": pd.Series(dtype="int64"), "after": pd.Series(dtype="Int64")})
    write_parquet(frame, tmp_path / "empty.parquet")
    pd.testing.assert_frame_equal(read_parquet(tmp_path / "empty.parquet"), frame)
    assert names(tmp_path) == ["empty.parquet"]


@pytest.fixture
def table():
    rng = np.random.default_rng(1)
    columns = {"number": range(60), "wait": rng.random(60), "name": [f"job {k}" for k in range(60)]}
    return pd.DataFrame(columns).assign(after=pd.array([1, None] * 30, dtype="Int64"))


@pytest.fixture
def path(table, tmp_path):
    write_parquet(table, tmp_path / "table.parquet")
    return tmp_path / "table.parquet"


def test_table_is_read_back_unchanged_by_any_reader(table, path):
    pd.testing.assert_frame_equal(read_parquet(path), table)
    pd.testing.assert_frame_equal(pd.read_parquet(path), table)
    few = read_parquet(path, filters=[("number", "in", [3, 5])])
    assert few["number"].tolist() == [3, 5]


def test_equal_tables_are_equal_files(table, path):
    before = path.read_bytes()
    write_parquet(table, path)
    assert path.read_bytes() == before


@pytest.mark.slow
def test_every_flipped_bit_is_an_error_that_names_the_file(table, path):
    """2,000 places: pages, their headers, the footer and the checksum itself."""
    content = path.read_bytes()
    for place in np.random.default_rng(2).choice(8 * len(content), 2000, replace=False).tolist():
        damaged = bytearray(content)
        damaged[place // 8] ^= 1 << place % 8
        path.write_bytes(damaged)
        with pytest.raises(DamagedError, match=r"table\.parquet: .*delete it and run"):
            read_parquet(path)


@pytest.mark.parametrize("length", [0, 3, 7, 100, -1])
def test_a_cut_file_is_an_error_that_names_it(path, length):
    path.write_bytes(path.read_bytes()[:length])
    with pytest.raises(DamagedError, match=r"table\.parquet"):
        read_parquet(path)


def test_a_file_that_something_else_made_has_no_checksum(table, path):
    table.to_parquet(path)
    with pytest.raises(DamagedError, match=r"table\.parquet: no checksum in it"):
        read_parquet(path)


def test_parquet_pages_have_checksums(table, path):
    content = bytearray(path.read_bytes())
    column = pq.read_metadata(path).row_group(0).column(1)
    content[column.dictionary_page_offset + column.total_compressed_size // 2] ^= 1
    path.write_bytes(content)
    with pytest.raises(OSError, match="CRC checksum verification failed"):
        pq.read_table(path, page_checksum_verification=True)


def test_file_records_versions_and_scale(table, path, monkeypatch):
    assert set(about(path)) == {"schedlab", "python", "numpy", "scipy", "pandas", "pyarrow"}
    assert about(path)["python"] == platform.python_version()
    monkeypatch.setenv(io.SCALE, "quick")
    write_parquet(table, path)
    assert about(path)["scale"] == "quick"
    write_parquet(table, path, about={"scale": "paper", "site": "computed"})
    assert (about(path)["scale"], about(path)["site"]) == ("paper", "computed")


def test_compressed_file_is_recognized_by_its_first_bytes(tmp_path):
    path = tmp_path / "text"
    path.write_bytes(b"plain")
    assert read_unpacked(path) == b"plain"
    path.write_bytes(gzip.compress(b"plain"))
    assert read_unpacked(path) == b"plain"


def test_a_packed_file_that_is_cut_is_named(tmp_path):
    path = tmp_path / "text"
    path.write_bytes(gzip.compress(b"plain")[:-3])
    with pytest.raises(DamagedError, match=r"text: damaged gzip file: "):
        read_unpacked(path)


def test_an_error_of_the_disk_is_no_damage_of_a_packed_file(tmp_path, monkeypatch):
    path = tmp_path / "text"
    path.write_bytes(gzip.compress(b"plain"))

    def fail(*_):
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(gzip.GzipFile, "read", fail)
    with pytest.raises(OSError, match="Input/output error"):
        read_unpacked(path)


@pytest.mark.parametrize("columns", [None, ["text"], ["maybe", "number"]])
def test_a_large_table_is_read_column_by_column_as_at_once(tmp_path, monkeypatch, columns):
    frame = pd.DataFrame({"number": [1, 2], "text": ["a", ""]})
    frame["maybe"] = pd.array([1, None], dtype="Int64")
    path = tmp_path / "table.parquet"
    write_parquet(frame, path)
    at_once = read_parquet(path, columns=columns)
    reads = []
    read = pd.read_parquet
    monkeypatch.setattr(
        pd, "read_parquet", lambda *args, **how: reads.append(how["columns"]) or read(*args, **how)
    )
    monkeypatch.setattr(io, "MANY_ROWS", 2)
    pd.testing.assert_frame_equal(read_parquet(path, columns=columns), at_once)
    assert reads == [[name] for name in columns or list(frame)]
    reads.clear()
    monkeypatch.setattr(io, "MANY_ROWS", 3)
    read_parquet(path, columns=columns)
    assert reads == [columns]


@pytest.mark.parametrize("end", ["\r\n", "\n", "\r"])
@pytest.mark.parametrize("size", range(1, 12))
def test_lines_end_alike_wherever_a_block_ends(tmp_path, end, size):
    """Also if the first block ends between a carriage return and its newline."""
    for last in ("", end):
        text = end.join(["1 a", "", "2 b"]) + last
        (tmp_path / "log").write_bytes(text.encode())
        lines = b"".join(whole_lines(tmp_path / "log", size)).split(b"\n")
        assert [line.strip() for line in lines] == [b"1 a", b"", b"2 b", b""]
