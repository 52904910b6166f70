"""The archive stage: local folders, addresses, and a missing log."""

import errno
import gzip
import hashlib
import json
import os
import runpy
from dataclasses import replace
from pathlib import Path

import pytest

from loopback import OTHER, TEXT
from schedlab.cosched.pool import read_pool
from schedlab.traces import archive
from schedlab.traces.archive import fetch
from schedlab.traces.download import Network
from schedlab.traces.records import unaltered
from schedlab.traces.registry import PoolEntry
from schedlab.traces.swf import read_swf


def test_folders_are_from_the_setting_or_the_environment(monkeypatch):
    monkeypatch.setenv(archive.LOG_FOLDERS, "/c:/a")
    assert archive.archive_folders("/a:/b::/a") == (Path("/a"), Path("/b"))
    assert archive.archive_folders("") == (Path("/c"), Path("/a"))
    monkeypatch.delenv(archive.LOG_FOLDERS)
    assert archive.archive_folders() == ()


def test_local_search_includes_subfolders_in_folder_order(entry, tmp_path):
    upper, lower = tmp_path / "1", tmp_path / "2"
    (lower / "deep" / "er").mkdir(parents=True)
    (lower / "deep" / "er" / "site.swf.gz").touch()
    upper.mkdir()
    assert archive.find_local(entry, [upper, lower]) == lower / "deep" / "er" / "site.swf.gz"
    (upper / "site.swf").touch()
    assert archive.find_local(entry, [upper, lower]) == upper / "site.swf"
    assert archive.find_local(replace(entry, file="x.swf"), [upper, tmp_path / "no"]) is None


def test_links_to_folders_are_followed_and_may_lead_in_circles(entry, tmp_path):
    archive_folder, elsewhere = tmp_path / "archive", tmp_path / "elsewhere"
    (elsewhere / "deep").mkdir(parents=True)
    archive_folder.mkdir()
    (elsewhere / "deep" / "site.swf").touch()
    (archive_folder / "linked").symlink_to(elsewhere)
    (elsewhere / "deep" / "back").symlink_to(archive_folder)
    (elsewhere / "again").symlink_to(elsewhere / "deep")
    (elsewhere / "missing").symlink_to(tmp_path / "no")
    found = archive.find_all([entry], [archive_folder, elsewhere])
    assert found["SITE"] == (archive_folder / "linked" / "again" / "site.swf",)


@pytest.fixture
def closed(folder, monkeypatch):
    """Subfolder of the archive that cannot be listed, not even by root."""
    (folder / "closed").mkdir()
    (folder / "closed" / "site.swf").write_bytes(TEXT)
    scandir = os.scandir

    def refuse(place):
        if Path(place).name == "closed":
            raise PermissionError(errno.EACCES, "Permission denied", str(place))
        return scandir(place)

    monkeypatch.setattr(os, "scandir", refuse)
    return folder / "closed"


def test_subfolder_that_cannot_be_read_is_named(entry, folder, target, closed, caplog):
    report = fetch(entry, [folder], target, None)
    told = f"Not searched, for they cannot be read:\n  {closed}: Permission denied"
    assert told in report.message
    assert archive.find_local(entry, [folder]) is None
    assert f"{closed}: not searched for logs: Permission denied" in caplog.text


def test_broken_link_is_named(entry, folder, caplog):
    (folder / "loop").symlink_to(folder / "loop")
    (folder / "site.swf").touch()
    assert archive.find_local(entry, [folder]) == folder / "site.swf"
    assert f"{folder / 'loop'}: not searched for logs: " in caplog.text


def test_pipe_with_the_name_of_a_log_is_rejected_without_waiting(entry, folder, target):
    os.mkfifo(folder / "site.swf")
    message = fetch(entry, [folder], target, None).message
    assert "site.swf: not a file" in message


def test_verified_log_is_kept_with_its_source(entry, folder, target):
    assert archive.reuse_fetched(entry, target, None) is None
    (folder / "site.swf").write_bytes(TEXT)
    report = fetch(entry, [folder], target, None)
    thanked = replace(entry, acknowledge="someone else")
    assert archive.reuse_fetched(thanked, target, report) == replace(
        report, acknowledge="someone else"
    )
    found = archive.reuse_fetched(entry, target, None)
    assert (found.status, found.source, found.sha256) == ("available", str(target), entry.sha256)
    target.write_bytes(OTHER)
    assert archive.reuse_fetched(entry, target, report) is None


def test_log_without_checksum_is_kept_only_as_it_was_fetched(entry, folder, target):
    unknown = replace(entry, sha256=None, jobs=None)
    (folder / "site.swf").write_bytes(TEXT)
    report = fetch(unknown, [folder], target, None)
    assert archive.reuse_fetched(unknown, target, report) == report
    assert archive.reuse_fetched(unknown, target, None) is None
    target.write_bytes(OTHER)
    assert archive.reuse_fetched(unknown, target, report) is None


def test_log_of_another_format_is_fetched_as_well(entry, folder, target):
    text = b"1,2,3\n4,5,6\n"
    (folder / "scores.csv.gz").write_bytes(gzip.compress(text))
    digest = hashlib.sha256(text).hexdigest()
    scores = replace(entry, file="scores.csv", sha256=digest, jobs=None)
    assert fetch(scores, [folder], target, None).jobs == 2


def test_rejected_local_file_is_reported_and_the_search_continues(entry, tmp_path, target):
    for name, content in {"1": OTHER, "2": TEXT}.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "site.swf").write_bytes(content)
    report = fetch(entry, [tmp_path / "1", tmp_path / "2"], target, None)
    assert report.source == str(tmp_path / "2" / "site.swf")
    assert f"passed over {tmp_path / '1' / 'site.swf'}: wrong checksum" in report.message


def test_log_without_checksum_is_accepted_and_marked_not_verified(entry, folder, target):
    (folder / "site.swf").write_bytes(TEXT)
    report = fetch(replace(entry, sha256=None, jobs=None), [folder], target, None)
    assert report.message == "NOT verified: the registry has no checksum for SITE"


def test_failed_fetch_leaves_an_earlier_target_as_it_was(entry, folder, target):
    target.parent.mkdir()
    target.write_bytes(b"earlier")
    (folder / "site.swf").write_bytes(OTHER)
    fetch(entry, [folder], target, None)
    assert target.read_bytes() == b"earlier"


def test_missing_log_message_lists_attempts_and_remedies(entry, folder, server, target):
    gone = server.url + "/gone"
    folders = [folder, folder / "no"]
    report = fetch(replace(entry, urls=(gone,)), folders, target, Network(retries=0))
    message = report.message
    assert f"{folder}\n" in message
    assert f"{folder / 'no'} (no such folder)" in message
    assert f"{gone}: HTTP 404 Not Found" in message
    assert "put site.swf or site.swf.gz into one of these folders" in message
    assert f"sha256 of the text {entry.sha256}" in message
    assert archive.LOG_FOLDERS in message
    assert "Whatever does not need SITE is made without it" in message
    assert report.status == "log not available"


def test_missing_log_message_names_targets_that_do_not_need_it(entry, target):
    message = fetch(entry, [], target, None, without="Without it: fig4, table5").message
    assert "Without it: fig4, table5" in message


def test_missing_log_that_a_model_draws_is_neither_fetched_nor_missing(entry, folder, target):
    drawn = replace(entry, model="lublin_site")
    (folder / "site.swf").write_bytes(OTHER)
    report = fetch(drawn, [folder], target, None)
    assert (report.status, report.source, report.jobs) == (
        *("drawn from its seed", "model lublin_site"),
        entry.jobs,
    )
    lead, passed_over, told = report.message.splitlines()
    assert (
        lead
        == "SITE is drawn from its seed: no good copy of site.swf was found, and none is needed."
    )
    assert passed_over.startswith(f"passed over {folder / 'site.swf'}: wrong checksum")
    assert told == "Model lublin_site draws its every job."


def test_placeholder_is_a_log_without_jobs(entry, tmp_path):
    path = tmp_path / "SITE.swf"
    path.write_text(archive.placeholder(entry, "SITE is not available\nput it there"))
    log = read_swf(path)
    assert len(log.jobs) == 0
    assert log.header.integer("MaxProcs") == 64


def run_script(root, folders, out):
    script = runpy.run_path(str(root / "workflow/scripts/traces/fetch_log.py"))["fetch_log"]
    sheets = (root / "config/traces.tsv", root / "workflow/schemas/traces.schema.yaml")
    text, record = out / "log.swf", out / "log.json"
    attempt = {"entry": "KTH-SP2", "folders": str(folders), "offline": True, "without": ""}
    script(*sheets, "log", "KTH-SP2", attempt, text, record)
    assert unaltered(text) == text
    return text, json.loads(record.read_text())


def test_script_writes_placeholder_and_record_of_a_missing_log(root, tmp_path, capsys):
    text, record = run_script(root, tmp_path / "none", tmp_path / "out")
    assert record["status"] == "log not available"
    log = read_swf(text)
    assert (len(log.jobs), log.header.integer("MaxProcs")) == (0, 100)
    assert "put KTH-SP2-1996-2.1-cln.swf" in capsys.readouterr().err


@pytest.mark.logs
def test_script_writes_log_and_record_of_a_log_available(root, tmp_path, raw_log):
    text, record = run_script(root, raw_log("KTH-SP2").parent, tmp_path)
    assert (record["status"], record["jobs"]) == ("available", 28476)
    assert len(read_swf(text).jobs) == 28476
    text_again, again = run_script(root, tmp_path / "none", tmp_path)
    assert again.pop("attempt") == record.pop("attempt") | {"folders": str(tmp_path / "none")}
    assert (text_again, again) == (text, record)


@pytest.fixture
def pool_entry():
    text = b'{"machine": "m", "suite": "s", "loads": []}'
    digest = hashlib.sha256(text).hexdigest()
    entry = PoolEntry("mine", "mine.json", (), digest, None, "free", "us", 4, 2, 10)
    return entry, text


def test_pool_is_fetched_and_verified_as_a_log_is(pool_entry, folder, tmp_path):
    entry, text = pool_entry
    target = tmp_path / "out/mine.json"
    (folder / "mine.json").write_bytes(text + b" ")
    message = fetch(entry, [folder], target, None).message
    assert "wrong checksum" in message
    (folder / "mine.json").write_bytes(text)
    report = fetch(entry, [folder], target, None)
    assert (report.status, report.jobs, target.read_bytes()) == (archive.AVAILABLE, 0, text)


def test_placeholder_of_a_pool_is_an_empty_pool(pool_entry, tmp_path):
    path = tmp_path / "mine.json"
    path.write_text(archive.placeholder(pool_entry[0], "put it there"))
    assert len(read_pool(path)) == 0
    assert "put it there" in path.read_text()
