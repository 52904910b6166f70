"""A file is accepted as a log only if its content is that log."""

import errno
import gzip
import hashlib
import re
from dataclasses import replace

import pytest

from loopback import HTML, JOBS, OTHER, TEXT, remaining_files
from schedlab.traces import verify
from schedlab.traces.archive import fetch


@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_local_file_is_unpacked_and_verified(entry, folder, target, suffix):
    path = folder / f"site.swf{suffix}"
    path.write_bytes(gzip.compress(TEXT) if suffix else TEXT)
    report = fetch(entry, [folder], target, None)
    assert target.read_bytes() == TEXT
    assert (report.status, report.source, report.jobs) == ("available", str(path), JOBS)
    assert report.sha256 == entry.sha256
    assert remaining_files(target) == ["SITE.swf"]


def test_compression_is_recognized_by_content_not_by_name(entry, folder, target):
    (folder / "site.swf").write_bytes(gzip.compress(TEXT))
    fetch(entry, [folder], target, None)
    assert target.read_bytes() == TEXT


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (OTHER, "wrong checksum"),
        (HTML, "an HTML or XML page, not a log"),
        (gzip.compress(HTML), "an HTML or XML page, not a log"),
        (gzip.compress(TEXT)[:-100], "truncated or damaged gzip"),
        (gzip.compress(TEXT)[:-4] + b"abcd", "truncated or damaged gzip"),
        (b"PK\x03\x04rest", "a zip archive, not a log"),
        (b"version https://git-lfs.github.com/spec/v1\n", "a Git LFS pointer"),
        (b"1 2\0\0\0", "binary data"),
        (b"", "no job lines"),
        (b"; MaxProcs: 64\n", "no job lines"),
    ],
    ids=["other", "html", "html.gz", "cut", "crc", "zip", "lfs", "binary", "empty", "header"],
)
def test_file_that_is_not_the_log_is_refused(entry, folder, target, content, reason):
    (folder / "site.swf").write_bytes(content)
    message = fetch(entry, [folder], target, None).message
    assert re.search(rf"site\.swf: .*{reason}", message)
    assert remaining_files(target) == []


def test_file_that_cannot_be_read_to_its_end_is_refused(entry, folder, target, monkeypatch):
    def blocks(*_, **__):
        yield TEXT[:1000]
        raise OSError(errno.EIO, "Input/output error")

    (folder / "site.swf").write_bytes(TEXT)
    monkeypatch.setattr(verify, "unpacked_blocks", blocks)
    message = fetch(entry, [folder], target, None).message
    assert "site.swf: cannot be read: Input/output error" in message
    assert remaining_files(target) == []


@pytest.mark.parametrize(
    ("content", "jobs", "message"),
    [
        (TEXT, JOBS + 1, "4000 job lines instead of the documented 4001"),
        (b"job 1 ran\n", None, "not an SWF log: its first job line has 3 fields"),
    ],
)
def test_content_counts_where_no_checksum_is_known(entry, folder, target, content, jobs, message):
    (folder / "site.swf").write_bytes(content)
    report = fetch(replace(entry, sha256=None, jobs=jobs), [folder], target, None)
    assert re.search(message, report.message)


def test_git_blob_id_counts_where_no_sha256_is_known(entry, folder, target):
    (folder / "site.swf").write_bytes(TEXT)
    blob = hashlib.sha1(b"blob %d\0" % len(TEXT) + TEXT).hexdigest()
    report = fetch(replace(entry, sha256=None, git_blob=blob), [folder], target, None)
    assert "git blob id" in report.message
    message = fetch(replace(entry, sha256=None, git_blob="0" * 40), [folder], target, None).message
    assert re.search(r"git blob id .* instead of 0000", message)
