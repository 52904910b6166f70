"""Whether Slurm would accept a job, checked with an sbatch that the tests put on the PATH."""

from types import SimpleNamespace

import pytest

from schedlab.flow.submission import SubmissionError, check, find_sbatch, largest

ASKED = ("the job draw", "Name the account")


@pytest.fixture
def sbatch(tmp_path, monkeypatch):
    """Put an sbatch on the PATH that records its options, prints a text and exits with a code."""

    def write(code, said=""):
        program = tmp_path / "sbatch"
        program.write_text(
            f"#!/bin/sh\necho \"$@\" > {tmp_path}/asked\necho '{said}' >&2\nexit {code}\n"
        )
        program.chmod(0o755)
        monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
        return tmp_path / "asked"

    return write


def test_a_job_is_tried_and_not_submitted(sbatch):
    asked = sbatch(0)
    check("sbatch -A 'a b' --comment sbatch --wrap=true", *ASKED)
    assert asked.read_text() == "--test-only -A a b --comment sbatch --wrap=true\n"


def test_rejection_of_slurm_is_passed_on_with_a_remedy(sbatch):
    sbatch(1, "sbatch: error: Account required")
    with pytest.raises(SubmissionError) as refused:
        check("sbatch --qos=short --mem 20", *ASKED)
    assert str(refused.value) == (
        "Slurm does not take the job draw:\nsbatch: error: Account required\n"
        "It was asked: sbatch --test-only --qos=short --mem 20\n"
        "Name the account; nothing was submitted"
    )


def job(**resources):
    return SimpleNamespace(resources=resources)


def test_only_largest_jobs_of_a_place_are_asked_about():
    """Long and wide jobs may each be taken where a job that is both would not be."""
    long, wide = job(runtime=600, mem_mb=100, mem="100 MB"), job(runtime=1, mem_mb=9000, mem="9 GB")
    short, elsewhere = job(runtime=5, mem_mb=100), job(runtime=5, mem_mb=100, constraint="gpu")
    assert largest([short, long, wide, elsewhere]) == [long, wide, elsewhere]
    assert largest([long, short]) == [long]
    assert largest([job(runtime=5), long]) != [long]  # this one asks for no memory at all


def test_silent_refusal_has_its_code(sbatch):
    sbatch(3)
    with pytest.raises(SubmissionError, match="exit code 3"):
        check("sbatch", *ASKED)


def test_no_sbatch_is_no_slurm(sbatch, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SubmissionError, match=r"no Slurm is found.*nothing was submitted"):
        find_sbatch()
    sbatch(1)
    find_sbatch()


def test_slurm_that_does_not_answer_is_given_up(sbatch, tmp_path, monkeypatch):
    sbatch(0)
    (tmp_path / "sbatch").write_text("#!/bin/sh\nwhile :; do :; done\n")
    monkeypatch.setattr("schedlab.flow.submission.TIMEOUT_S", 0.2)
    with pytest.raises(SubmissionError, match="does not answer"):
        check("sbatch", *ASKED)
