"""Whether Slurm would accept a job, checked with an sbatch that the tests put on the PATH."""

import pytest

from schedlab.flow.submission import Place, SubmissionError, check


@pytest.fixture
def sbatch(tmp_path, monkeypatch):
    """Put an sbatch on the PATH that records its options, prints a text and exits with a code."""

    def write(code, said=""):
        program = tmp_path / "sbatch"
        program.write_text(
            f"#!/bin/sh\necho \"$@\" > {tmp_path}/asked\necho '{said}' >&2\nexit {code}\n"
        )
        program.chmod(0o755)
        monkeypatch.setenv("PATH", str(tmp_path))
        return tmp_path / "asked"

    return write


def test_a_job_is_tried_and_not_submitted(sbatch):
    asked = sbatch(0)
    check(Place("physics", "long"), 2000, 30)
    assert asked.read_text() == (
        "--test-only --account=physics --partition=long --mem=2000 --time=30 --wrap=true\n"
    )


def test_rejection_of_slurm_is_passed_on_with_a_remedy(sbatch):
    sbatch(1, "sbatch: error: Account required")
    with pytest.raises(SubmissionError) as refused:
        check(Place(qos="short"), 2000, 30)
    told = str(refused.value)
    assert "sbatch: error: Account required" in told
    assert "(--qos=short --mem=2000 --time=30)" in told
    assert "account and partition" in told
    assert told.endswith("nothing was submitted")


@pytest.mark.parametrize(
    ("command", "place"),
    [
        ("sbatch --parsable --mem={resources.mem_mb}", Place()),
        ("sbatch -A physics --partition=long --time={resources.runtime}", Place("physics", "long")),
        ("sbatch --qos short -p long --parsable", Place("", "long", "short")),
    ],
)
def test_submit_command_of_the_user_determines_the_partition(command, place):
    assert Place.of_command(command) == place


def test_silent_refusal_has_its_code(sbatch):
    sbatch(3)
    with pytest.raises(SubmissionError, match="exit code 3"):
        check(Place(), 1, 1)


def test_no_sbatch_is_no_slurm(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SubmissionError, match=r"no Slurm is found.*nothing was submitted"):
        check(Place(), 1, 1)


def test_slurm_that_does_not_answer_is_given_up(sbatch, tmp_path, monkeypatch):
    sbatch(0)
    (tmp_path / "sbatch").write_text("#!/bin/sh\nwhile :; do :; done\n")
    monkeypatch.setattr("schedlab.flow.submission.TIMEOUT_S", 0.2)
    with pytest.raises(SubmissionError, match="does not answer"):
        check(Place(), 1, 1)
