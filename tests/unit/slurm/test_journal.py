"""The journal: what is on the disk, and what is read of damaged files."""

import json
import os

import pytest

from schedlab.slurm import journal as module
from schedlab.slurm.interrupts import Interrupted, interruptible
from schedlab.slurm.journal import NAME, Journal, JournalError


@pytest.fixture
def journal(tmp_path):
    """A journal of three lines."""
    made = Journal.create(tmp_path, at=17)
    made.append("submit", job=0, stage="a")
    made.append("accepted", job=0, number=101)
    return made


def lines(journal):
    return journal.path.read_text().splitlines()


def test_lines_are_json_and_are_read_back(journal, tmp_path):
    assert [json.loads(line)["line"] for line in lines(journal)] == [1, 2, 3]
    again = Journal.read(tmp_path)
    assert again.records == journal.records
    assert again.about["at"] == 17
    again.append("time", now=18)
    assert [record["kind"] for record in Journal.read(tmp_path).records] == [
        "run",
        "submit",
        "accepted",
        "time",
    ]


def test_line_is_on_the_disk_before_it_counts(journal, monkeypatch):
    synced = []
    monkeypatch.setattr(module.os, "fsync", lambda file: synced.append(os.fstat(file).st_size))
    journal.append("cancel", job=0)
    assert synced == [journal.path.stat().st_size]


@pytest.mark.parametrize("cut", [1, 2, 40])
def test_torn_last_line_is_left_out_and_overwritten(journal, tmp_path, cut):
    """Also without its line break alone."""
    whole = journal.path.read_bytes()
    journal.path.write_bytes(whole[:-cut])
    again = Journal.read(tmp_path)
    assert [record["kind"] for record in again.records] == ["run", "submit"]
    again.append("accepted", job=0, number=102)
    assert Journal.read(tmp_path).records[-1]["number"] == 102
    assert len(lines(again)) == 3


def test_zeros_of_a_crashed_file_system_are_a_torn_line(journal, tmp_path):
    with journal.path.open("ab") as file:
        file.write(b"\0" * 30 + b"\n")
    assert len(Journal.read(tmp_path).records) == 3


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda text: text.replace('"stage": "a"', '"stage": "b"'), "its check value is another"),
        (lambda text: text.replace('"submit"', '"submit'), "damaged"),
        (lambda text: "\n".join(text.split("\n")[::2]), "it is line 3, others are missing"),
        (lambda text: text.replace(text.split("\n")[1], "[2]"), "no line of a journal"),
    ],
)
def test_damaged_line_is_an_error_with_file_and_line(journal, tmp_path, change, why):
    journal.append("time", now=18)
    journal.append("time", now=19)
    journal.path.write_text(change(journal.path.read_text()))
    with pytest.raises(JournalError, match="line 2: damaged") as error:
        Journal.read(tmp_path)
    assert str(journal.path) in str(error.value)
    assert why in str(error.value)


def test_damaged_line_before_a_torn_one_is_an_error(journal, tmp_path):
    text = journal.path.read_text()
    journal.path.write_text(text.replace('"number": 101', '"number": 102') + '{"line": 4')
    with pytest.raises(JournalError, match="line 3: damaged"):
        Journal.read(tmp_path)


def test_folder_without_a_journal_is_refused(tmp_path):
    for folder in (tmp_path, tmp_path / "missing"):
        with pytest.raises(JournalError, match="no such file; name the folder of a run"):
            Journal.read(folder)
    (tmp_path / NAME).write_text('{"line": 1, "kind"')
    with pytest.raises(JournalError, match="nothing was submitted"):
        Journal.read(tmp_path)


def test_other_format_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "FORMAT", 2)
    Journal.create(tmp_path, at=17)
    monkeypatch.undo()
    with pytest.raises(JournalError, match=r"line 1: format 2, this version .* reads format 1"):
        Journal.read(tmp_path)


def test_journal_is_for_the_user_alone(tmp_path):
    """It has the variables of sbatch, such as SBATCH_EXPORT."""
    mask = os.umask(0)
    try:
        path = Journal.create(tmp_path, at=17).path
    finally:
        os.umask(mask)
    assert path.stat().st_mode & 0o777 == 0o600


def test_second_journal_in_one_folder_is_refused(journal, tmp_path):
    with pytest.raises(FileExistsError):
        Journal.create(tmp_path, at=18)


def test_recorded_calls_are_answered_in_order_and_then_new_ones_recorded(journal, tmp_path):
    journal.append("estimate", geometry="s/1", estimate=70)
    again = Journal.read(tmp_path)
    assert again.replays
    assert not again.decide("submit", job=0, stage="a")
    assert again.recall("estimate", geometry="s/1")["estimate"] == 70
    assert not again.replays
    assert again.recall("estimate", geometry="s/1") is None
    assert again.decide("submit", job=1, stage="b")
    assert len(Journal.read(tmp_path).records) == 5


@pytest.mark.parametrize(
    ("kind", "fields"), [("cancel", {"job": 0}), ("submit", {"job": 0, "stage": "b"})]
)
def test_other_call_than_the_recorded_one_is_an_error(journal, tmp_path, kind, fields):
    with pytest.raises(JournalError, match=r"line 2: .* was not expected, but") as error:
        Journal.read(tmp_path).decide(kind, **fields)
    assert "resume the run with the version of schedlab that began it" in str(error.value)


def test_failed_write_leaves_no_part(journal, monkeypatch):
    before = journal.path.read_bytes()
    write = os.write
    with monkeypatch.context() as patch:
        patch.setattr(module.os, "write", lambda file, text: write(file, text[:9]))
        with pytest.raises(OSError, match="No space left"):
            journal.append("time", now=18)
    assert len(journal.records) == 3
    journal.append("time", now=18)
    assert journal.path.read_bytes().startswith(before)
    assert len(lines(journal)) == 4


def test_signal_waits_until_the_line_is_written(journal, tmp_path, monkeypatch):
    fsync = os.fsync

    def interrupted(file):
        os.kill(os.getpid(), 15)
        fsync(file)

    monkeypatch.setattr(module.os, "fsync", interrupted)
    with pytest.raises(Interrupted), interruptible():
        journal.append("time", now=18)
    assert journal.records == Journal.read(tmp_path).records
    assert journal.records[-1] == {"kind": "time", "now": 18}
