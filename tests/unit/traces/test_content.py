"""Files that are no log that schedlab reads are named before a reader guesses."""

import bz2
import gzip
import io
import lzma
import re
import tarfile
import zipfile

import pytest

from schedlab.traces.content import name_unreadable
from schedlab.traces.readers import read_log
from schedlab.traces.slurm.sacct import read_sacct

NAMES = ["JobID", "JobIDRaw", "User", "Submit", "Start", "End", "Elapsed", "State", "NCPUS"]
DUMP = "|".join(NAMES) + "\n1|1|a|1|2|3|00:00:01|COMPLETED|8\n"
SWF = "; Version: 2.2\n1 0 5 60 4 -1 -1 4 120 -1 1 7 2 -1 3 1 -1 -1\n"


def archive(kind):
    memory = io.BytesIO()
    if kind == "zip":
        with zipfile.ZipFile(memory, "w") as file:
            file.writestr("log.swf", SWF)
    else:
        with tarfile.open(fileobj=memory, mode=kind) as file:
            info = tarfile.TarInfo("log.swf")
            info.size = len(SWF)
            file.addfile(info, io.BytesIO(SWF.encode()))
    return memory.getvalue()


FILES = {
    "compressed twice, by xz": lzma.compress(lzma.compress(DUMP.encode())),
    "compressed twice, by bzip2": gzip.compress(bz2.compress(DUMP.encode())),
    "a zip archive": archive("zip"),
    "a tar archive": archive("w:"),
    "tar archive; unpack it and give": archive("w:gz"),
    "text in UTF-16": DUMP.encode("utf-16"),
    "or text in UTF-16": DUMP.encode("utf-16-le"),
    "UTF-16 or UTF-32": DUMP.encode("utf-32"),
    "JSON, but not of sacct --json": b'\n {"numbers": {}, "jobs": []}',
    "is JSON": b"\xef\xbb\xbf[\n  {}\n]",
    "is XML": b"<?xml version='1.0'?><jobs/>",
    "XML or HTML; give the log itself": b"<!DOCTYPE html>\n<html><body>404 Not Found",
    "columns of a fixed width": b"       JobID    JobName\n------------ ----------\n",
    "fixed width": b"             JOBID PARTITION     NAME     USER ST\n",
    "a table of text with commas": b"job_id,submit_time,run_time\n1,2020-05-04 08:00:00,3600\n",
    "a table of text with tabs": b"id\tbegun\trun\n1\t0\t3600\n",
    "LSF (lsb.acct)": b'"JOB_FINISH" "10.1" 1700000000 123 1000\n',
    "JSON": b"[1, 2]\n",
    "text with commas": b"1,0,5,60,4\n",
    "text with semicolons": b"2024-01-01 10:00:00;1;2\n",
    "has colons between values": DUMP.replace("|", ":").encode(),
    "of a fixed width, which cut": b"          12_3 2024-01-01T00:00:00   00:10:00          1 \n",
    "of LSF": b'"EVENT_ADRSV_FINISH" "10.1" 1700000000 123\n',
    "is no text": bytes(range(256)) * 20,
    "a workbook of Excel": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
    "an SQLite database": b"SQLite format 3\x00",
    "a PDF document": b"%PDF-1.7",
    "a PNG image": b"\x89PNG\r\n\x1a\n\x00\x00",
    "an Arrow": b"ARROW1\x00\x00",
    "is of no known format": b"Dear colleagues\n",
    "is empty": b"",
    "is empty; looked for": gzip.compress(b"\n \n"),
}


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_no_reader_reads_is_named(tmp_path, name):
    path = tmp_path / "log.txt"
    path.write_bytes(FILES[name])
    with pytest.raises(ValueError, match=rf"^{path}: .*{re.escape(name)}") as error:
        read_log(path)
    assert "looked for data set, parquet, sacct JSON, PBS" in str(error.value)
    assert "schedlab formats tells how to export each" in str(error.value)


def test_a_table_with_other_separators_is_no_dump_of_bars(tmp_path):
    path = tmp_path / "log.txt"
    path.write_text(DUMP.replace("|", ","))
    with pytest.raises(ValueError, match="has commas between values; export it with sacct -P"):
        read_sacct(path)


@pytest.mark.parametrize(
    "head",
    [
        SWF,
        SWF.partition("\n")[2],
        "; JobID, User\n" + SWF,
        "; JobID SubmitTime WaitTime\n" + SWF,
        "1|1|" + "|" * 23 + "a:" * 40,
        "\ufeff" + SWF,
        DUMP,
        DUMP.partition("\n")[2],
        "JobID|Submit|End|NCPUS\n",
        'a|"b", c|d|e|f\n',
        "-1 0 5\n",
        "",
        "\n\n",
    ],
)
def test_text_of_a_log_is_left_to_its_reader(head):
    assert name_unreadable(head.encode()) is None


def test_a_dump_of_four_fields_is_a_dump(tmp_path):
    path = tmp_path / "log.txt"
    path.write_text("JobIDRaw|Submit|ElapsedRaw|NCPUS\n7|1700000000|60|4\n")
    assert read_log(path).format == "sacct"


def test_import_of_a_parquet_table_says_that_it_needs_none(tmp_path):
    path = tmp_path / "log.parquet"
    path.write_bytes(b"PAR1 and more")
    with pytest.raises(ValueError, match="is a Parquet table, which needs no import"):
        read_sacct(path)


def test_a_table_in_parquet_that_gzip_compressed_is_named(tmp_path):
    path = tmp_path / "log.parquet.gz"
    path.write_bytes(gzip.compress(b"PAR1 more"))
    with pytest.raises(ValueError, match="is a Parquet table, compressed by gzip; unpack it"):
        read_log(path)


def test_a_damaged_byte_makes_no_other_format(tmp_path):
    """One impossible value costs its line, not the import."""
    path = tmp_path / "dump.txt"
    names = "JobIDRaw|Submit|ElapsedRaw|NCPUS|TimelimitRaw"
    path.write_bytes(f"{names}\n1|1700000000|5|8|9\n2|17000\0|5|8|9\n".encode())
    assert read_sacct(path).jobs["number"].tolist() == [1]
