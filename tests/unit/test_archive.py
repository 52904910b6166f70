"""The archive stage: registry, local folders, verification, and a log that is nowhere."""

import errno
import gzip
import hashlib
import io
import json
import runpy
from dataclasses import replace
from pathlib import Path

import pytest

from loopback import HTML, JOBS, OTHER, TEXT, left
from schedlab.config import ConfigError
from schedlab.cosched.pool import read_pool
from schedlab.traces import archive
from schedlab.traces.archive import NotAtHand, fetch
from schedlab.traces.download import Network
from schedlab.traces.swf import read_swf


def test_registry_of_the_project_is_valid_and_every_log_has_a_checksum(root):
    schema = root / "workflow/schemas/traces.schema.yaml"
    registry = archive.read_registry(root / "config/traces.tsv", schema)
    assert {"KTH-SP2", "CTC-SP2", "SDSC-BLUE", "CEA-Curie", "ANL-Intrepid"} <= set(registry)
    assert all(log.sha256 or log.git_blob for log in registry.values())
    assert registry["ANL-Intrepid"].jobs == 68936
    assert registry["wagap-2013"].jobs is None
    assert registry["CTC-SP2"].urls[0].startswith("https://www.cs.huji.ac.il/labs/parallel/")


def registry_with(root, tmp_path, change):
    lines = (root / "config/traces.tsv").read_text().splitlines()[:2]
    sheet = tmp_path / "traces.tsv"
    sheet.write_text("\n".join(change(lines)) + "\n")
    return archive.read_registry(sheet, root / "workflow/schemas/traces.schema.yaml")


def test_unknown_column_of_the_registry_is_answered_with_the_nearest(root, tmp_path):
    with pytest.raises(ConfigError, match=r"'sha265'.*'sha256'"):
        registry_with(root, tmp_path, lambda lines: [lines[0].replace("sha256", "sha265")])


def test_log_registered_twice_is_an_error(root, tmp_path):
    with pytest.raises(ConfigError, match=r"KTH-SP2.*twice"):
        registry_with(root, tmp_path, lambda lines: [*lines, lines[1]])


def test_site_may_register_a_log_without_checksum_count_and_address(root, tmp_path):
    row = "mine\tmine.swf\t-\t-\t-\t64\t-\tours\tus"
    mine = registry_with(root, tmp_path, lambda lines: [lines[0], row])["mine"]
    assert (mine.urls, mine.sha256, mine.git_blob, mine.jobs) == ((), None, None, None)


def test_folders_come_from_the_setting_or_else_the_environment(monkeypatch):
    monkeypatch.setenv(archive.VARIABLE, "/c:/a")
    assert archive.archive_folders("/a:/b::/a") == (Path("/a"), Path("/b"))
    assert archive.archive_folders("") == (Path("/c"), Path("/a"))
    monkeypatch.delenv(archive.VARIABLE)
    assert archive.archive_folders() == ()


def test_local_search_goes_through_subfolders_by_folder_order(entry, tmp_path):
    upper, lower = tmp_path / "1", tmp_path / "2"
    (lower / "deep" / "er").mkdir(parents=True)
    (lower / "deep" / "er" / "site.swf.gz").touch()
    upper.mkdir()
    assert archive.find_local(entry, [upper, lower]) == lower / "deep" / "er" / "site.swf.gz"
    (upper / "site.swf").touch()
    assert archive.find_local(entry, [upper, lower]) == upper / "site.swf"
    assert archive.find_local(replace(entry, file="x.swf"), [upper, tmp_path / "no"]) is None


@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_local_file_is_unpacked_and_verified(entry, folder, target, suffix):
    path = folder / f"site.swf{suffix}"
    path.write_bytes(gzip.compress(TEXT) if suffix else TEXT)
    report = fetch(entry, [folder], target, None)
    assert target.read_bytes() == TEXT
    assert (report.status, report.source, report.jobs) == ("at hand", str(path), JOBS)
    assert report.sha256 == entry.sha256
    assert left(target) == ["SITE.swf"]


def test_compression_is_told_by_the_content_not_by_the_name(entry, folder, target):
    (folder / "site.swf").write_bytes(gzip.compress(TEXT))
    fetch(entry, [folder], target, None)
    assert target.read_bytes() == TEXT


def test_log_that_is_no_swf_file_is_fetched_alike(entry, folder, target):
    text = b"1,2,3\n4,5,6\n"
    (folder / "scores.csv.gz").write_bytes(gzip.compress(text))
    digest = hashlib.sha256(text).hexdigest()
    scores = replace(entry, file="scores.csv", sha256=digest, jobs=None)
    assert fetch(scores, [folder], target, None).jobs == 2


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
    with pytest.raises(NotAtHand, match=rf"site\.swf: .*{reason}"):
        fetch(entry, [folder], target, None)
    assert left(target) == []


def test_file_that_cannot_be_read_to_its_end_is_refused(entry, folder, target, monkeypatch):
    class Failing(io.BytesIO):
        def read(self, size=-1):
            if self.tell():
                raise OSError(errno.EIO, "Input/output error")
            return super().read(1000)

    (folder / "site.swf").write_bytes(TEXT)
    monkeypatch.setattr(archive, "open", lambda *_: Failing(TEXT), raising=False)
    with pytest.raises(NotAtHand, match=r"site\.swf: cannot be read: Input/output error"):
        fetch(entry, [folder], target, None)
    assert left(target) == []


def test_refused_local_file_is_told_and_the_search_goes_on(entry, tmp_path, target):
    for name, content in {"1": OTHER, "2": TEXT}.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "site.swf").write_bytes(content)
    report = fetch(entry, [tmp_path / "1", tmp_path / "2"], target, None)
    assert report.source == str(tmp_path / "2" / "site.swf")
    assert f"passed over {tmp_path / '1' / 'site.swf'}: wrong checksum" in report.message


def test_wrong_count_is_refused_where_no_checksum_is_known(entry, folder, target):
    (folder / "site.swf").write_bytes(TEXT)
    with pytest.raises(NotAtHand, match="4000 job lines instead of the documented 4001"):
        fetch(replace(entry, sha256=None, jobs=JOBS + 1), [folder], target, None)


def test_text_that_is_no_swf_is_refused_where_no_checksum_is_known(entry, folder, target):
    (folder / "site.swf").write_bytes(b"job 1 ran\n")
    with pytest.raises(NotAtHand, match="not an SWF log: its first job line has 3 fields"):
        fetch(replace(entry, sha256=None, jobs=None), [folder], target, None)


def test_log_without_checksum_is_taken_and_told_as_not_verified(entry, folder, target):
    (folder / "site.swf").write_bytes(TEXT)
    report = fetch(replace(entry, sha256=None, jobs=None), [folder], target, None)
    assert report.message == "NOT verified: the registry has no checksum for SITE"


def test_git_blob_id_counts_where_no_sha256_is_known(entry, folder, target):
    (folder / "site.swf").write_bytes(TEXT)
    blob = hashlib.sha1(b"blob %d\0" % len(TEXT) + TEXT).hexdigest()
    report = fetch(replace(entry, sha256=None, git_blob=blob), [folder], target, None)
    assert "git blob id" in report.message
    with pytest.raises(NotAtHand, match=r"git blob id .* instead of 0000"):
        fetch(replace(entry, sha256=None, git_blob="0" * 40), [folder], target, None)


def test_failed_fetch_leaves_an_earlier_target_as_it_was(entry, folder, target):
    target.parent.mkdir()
    target.write_bytes(b"earlier")
    (folder / "site.swf").write_bytes(OTHER)
    with pytest.raises(NotAtHand):
        fetch(entry, [folder], target, None)
    assert target.read_bytes() == b"earlier"


def test_message_of_a_missing_log_says_what_was_tried_and_what_to_do(entry, folder, server, target):
    gone = server.url + "/gone"
    with pytest.raises(NotAtHand) as caught:
        fetch(replace(entry, urls=(gone,)), [folder, folder / "no"], target, Network(retries=0))
    message = str(caught.value)
    assert f"{folder}\n" in message
    assert f"{folder / 'no'} (no such folder)" in message
    assert f"{gone}: HTTP 404 Not Found" in message
    assert "put site.swf or site.swf.gz into one of these folders" in message
    assert f"sha256 of the text {entry.sha256}" in message
    assert archive.VARIABLE in message
    assert "Whatever does not need SITE is made without it" in message
    assert caught.value.report.status == "log not at hand"


def test_message_of_a_missing_log_names_the_targets_that_do_without(entry, target):
    with pytest.raises(NotAtHand, match="Without it: fig4, table5"):
        fetch(entry, [], target, None, without="Without it: fig4, table5")


def test_placeholder_is_a_log_without_jobs(entry, tmp_path):
    path = tmp_path / "SITE.swf"
    path.write_text(archive.placeholder(entry, "SITE is not at hand\nput it there"))
    log = read_swf(path)
    assert len(log.jobs) == 0
    assert log.header.integer("MaxProcs") == 64


def run_script(root, folders, out):
    script = runpy.run_path(str(root / "workflow/scripts/fetch_log.py"))["fetch_log"]
    sheets = (root / "config/traces.tsv", root / "workflow/schemas/traces.schema.yaml")
    text, record = out / "log.swf", out / "log.json"
    names = ("log", "KTH-SP2", str(folders))
    script(*sheets, *names, text, record, timeout=1, retries=0, offline=True)
    return text, json.loads(record.read_text())


def test_script_writes_placeholder_and_record_of_a_missing_log(root, tmp_path, capsys):
    text, record = run_script(root, tmp_path / "none", tmp_path / "out")
    assert record["status"] == "log not at hand"
    assert len(read_swf(text).jobs) == 0
    assert "put KTH-SP2-1996-2.1-cln.swf" in capsys.readouterr().err


@pytest.mark.logs
def test_script_writes_log_and_record_of_a_log_at_hand(root, tmp_path, raw_log):
    text, record = run_script(root, raw_log("KTH-SP2").parent, tmp_path)
    assert (record["status"], record["jobs"]) == ("at hand", 28476)
    assert len(read_swf(text).jobs) == 28476


def test_every_pool_of_the_registry_has_checksum_machine_licence_and_address(root):
    schema = root / "workflow/schemas/pools.schema.yaml"
    pools = archive.read_registry(root / "config/pools.tsv", schema, archive.PoolEntry)
    assert {"aris-nas", "aris-spec", "grvingt-nas"} <= set(pools)
    assert all(pool.sha256 and pool.git_blob and pool.urls for pool in pools.values())
    aris = pools["aris-nas"]
    assert (aris.nodes, aris.sockets, aris.cores) == (420, 2, 10)
    assert "GPL-3.0" in aris.licence


@pytest.fixture
def pool_entry():
    text = b'{"machine": "m", "suite": "s", "loads": []}'
    digest = hashlib.sha256(text).hexdigest()
    entry = archive.PoolEntry("mine", "mine.json", (), digest, None, 4, 2, 10, "free", "us")
    return entry, text


def test_pool_is_fetched_and_verified_as_a_log_is(pool_entry, folder, tmp_path):
    entry, text = pool_entry
    target = tmp_path / "out/mine.json"
    (folder / "mine.json").write_bytes(text + b" ")
    with pytest.raises(NotAtHand, match="wrong checksum"):
        fetch(entry, [folder], target, None)
    (folder / "mine.json").write_bytes(text)
    report = fetch(entry, [folder], target, None)
    assert (report.status, report.jobs, target.read_bytes()) == (archive.AT_HAND, 0, text)


def test_placeholder_of_a_pool_is_a_pool_of_nothing(pool_entry, tmp_path):
    path = tmp_path / "mine.json"
    path.write_text(archive.placeholder(pool_entry[0], "put it there"))
    assert len(read_pool(path)) == 0
    assert "put it there" in path.read_text()
