"""Journals that lost their end, of finished and of interrupted runs: no stage runs twice."""

from collections import Counter
from contextlib import suppress
from pathlib import Path

import pytest

from asa_case import estimator_by_stage
from killed_case import Client, Killed
from schedlab.slurm.client import SlurmError
from schedlab.slurm.journal import NAME, UNKNOWN, Journal, JournalError
from schedlab.slurm.run import prepare_run, resume_workflow
from schedlab.waits.strategies import STRATEGIES
from slurm_case import Fate, Slurm
from workflows_case import DIAMOND, workflow_file

FATES = [
    *(Fate(wait=7, run=100), Fate(wait=3, run=50), Fate(wait=12, run=40), Fate(wait=2, run=30)),
    Fate(wait=4, run=25),
]


def run(strategy, folder, moment=None, fates=FATES):
    """Run until a client is killed at a moment; return Slurm and the number of moments."""
    slurm = Slurm(fates, tolerance=600)
    prepare_run(workflow_file(DIAMOND), strategy, folder, 10.0, slurm=slurm)
    client = Client(slurm, moment)
    with suppress(Killed, SlurmError), client.alive(estimator()):
        resume_workflow(folder, estimator(), slurm=slurm)
    return slurm, client.count


def estimator():
    return estimator_by_stage(workflow_file().workflow, [10, 60, 60, 90])


def check_resumed(slurm, folder):
    """Resume; return "ended" if each stage runs once, "refused" if nothing is changed."""
    jobs = {number: job.state for number, job in slurm.by_number.items()}
    try:
        outcome = resume_workflow(folder, estimator(), slurm=slurm)
    except JournalError as error:
        return (
            error.args[0].endswith(UNKNOWN)
            and {number: job.state for number, job in slurm.by_number.items()} == jobs
            and "refused"
        )
    except SlurmError:
        outcome = None
    assert slurm.left == []
    assert max(Counter(slurm.ran).values(), default=0) <= 1
    if outcome is not None:
        assert sorted(slurm.ran) in (["all"], sorted(stage.name for stage in DIAMOND))
    return "ended"


def cut(folder, lines):
    """Cut some lines at the end of a journal; return how many were there."""
    path = folder / NAME
    content = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(content[: len(content) - lines]))
    return len(content)


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("share", [0.6, None])
def test_lines_lost_at_the_end_submit_no_stage_twice(tmp_path, strategy, share):
    """Of an interrupted run after a share of its moments, and of a finished one."""
    _, count = run(strategy, tmp_path / "whole")
    moment = None if share is None else int(share * count)
    run(strategy, tmp_path / "first", moment)
    lines = cut(tmp_path / "first", 0)
    resumed = []
    for lost in sorted({1, 2, *range(3, lines, 5), lines - 1, lines}):
        folder = tmp_path / str(lost)
        slurm, _ = run(strategy, folder, moment)
        cut(folder, lost)
        resumed.append(check_resumed(slurm, folder))
    # without a line of a request, or with none at all
    assert resumed[-1] == "refused"
    assert set(resumed) <= {"refused", "ended"}
    assert share or "ended" in resumed


def test_any_bit_of_the_last_line_is_an_error_or_loses_that_line(tmp_path):
    """Of each kind of line; a lost line is the case of the other tests."""
    run("ASA Naive", tmp_path / "run")
    by_kind = {record["kind"]: record for record in Journal.read(tmp_path / "run").records[1:]}
    for kind in ("request", "accepted", "cancel", "finished"):
        record, folder = by_kind[kind], tmp_path / kind
        folder.mkdir()
        journal = Journal.create(folder, at=17)
        before = len(journal.path.read_bytes())
        journal.append(**record)
        whole = journal.path.read_bytes()
        for bit in range(8 * before, 8 * len(whole), 7):  # each byte, and each bit in turn
            damaged = bytearray(whole)
            damaged[bit // 8] ^= 1 << bit % 8
            journal.path.write_bytes(damaged)
            if damaged[-1:] != b"\n" or 0 in damaged:
                assert Journal.read(folder).records == journal.records[:1]
            else:
                with pytest.raises(JournalError, match=r"line 2: damaged .* nothing was submitted"):
                    Journal.read(folder)


@pytest.mark.parametrize("content", ["", '{"line": 1, "kind": "ru', "\0\0\n"])
@pytest.mark.parametrize("moment", [60, None])
def test_empty_journal_of_a_run_with_jobs_submits_nothing(tmp_path, content, moment):
    slurm, _ = run("ASA", tmp_path / "run", moment)
    (tmp_path / "run" / NAME).write_text(content)
    assert slurm.by_number
    assert check_resumed(slurm, tmp_path / "run") == "refused"


@pytest.mark.parametrize("left", ["marks/2.job", "marks/102.began", "marks/102.ended"])
def test_mark_of_a_job_without_a_line_submits_nothing(tmp_path, left):
    """Its script was removed."""
    slurm, _ = run("Per-Stage", tmp_path / "run")
    records = Journal.read(tmp_path / "run").records
    second = [number for number, one in enumerate(records) if one["kind"] == "request"][1]
    cut(tmp_path / "run", len(records) - second)
    for path in (*(tmp_path / "run/jobs").glob("[2-9]*"), *(tmp_path / "run/marks").iterdir()):
        if path.name[:3] not in ("1.j", "101") and not str(path).endswith(left):
            path.unlink()
    with pytest.raises(JournalError, match=rf"its end is missing: no line is about .*{left}; "):
        resume_workflow(tmp_path / "run", estimator(), slurm=slurm)
    assert len(slurm.by_number) == 4


def test_request_without_its_script_is_submitted_once(tmp_path):
    """A client was killed between both; the script of another job has another number."""
    moments = []
    for moment in range(60):
        folder = tmp_path / str(moment)
        slurm, _ = run("All at once", folder, moment)
        last = Journal.read(folder).records[-1]
        if last["kind"] == "request" and not Path(last["request"]["script"]).exists():
            moments.append(moment)
            assert check_resumed(slurm, folder) == "ended"
            assert sorted(path.name[0] for path in (folder / "jobs").iterdir()) == list("1234")
    assert len(moments) >= 4
