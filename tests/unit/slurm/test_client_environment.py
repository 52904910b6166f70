"""Variables of the environment that Slurm's commands read."""

import shutil
from pathlib import Path

import pytest

from client_case import MARKED, REQUEST, identity
from schedlab.slurm.client import Slurm, SlurmError


@pytest.mark.parametrize("name", ["SBATCH_CLUSTERS", "SLURM_CLUSTERS", "SLURM_WORKING_CLUSTER"])
def test_different_cluster_in_the_environment_is_rejected(commands, monkeypatch, name):
    monkeypatch.setenv(name, "beta")
    with pytest.raises(SlurmError, match=rf"^{name} is set to 'beta' .* alone; unset it$"):
        Slurm()
    monkeypatch.setenv(name, "")
    Slurm()


@pytest.mark.parametrize("name", ["SLURM_WORKING_CLUSTER", "SLURM_HINT"])
def test_variable_that_slurm_sets_in_a_job_is_removed_there(commands, tmp_path, monkeypatch, name):
    """Slurm 22.05 sets the cluster of the job; without a job, both are refused."""
    for command in ("sbatch", "squeue"):
        text = f'echo "$SLURM_WORKING_CLUSTER" > {tmp_path}/{command}.value'
        commands(command, text, said="17")
    monkeypatch.setenv(name, "beta:192.0.2.1:6817:9728:109")
    with pytest.raises(SlurmError, match=f"^{name} is set to 'beta"):
        Slurm()
    monkeypatch.setenv("SLURM_JOB_ID", "7")
    slurm = Slurm()
    slurm.submit(REQUEST)
    slurm.jobs([17])
    for command in ("sbatch", "squeue"):
        assert (tmp_path / f"{command}.value").read_text() == "\n"


@pytest.mark.parametrize(
    "name",
    [
        *("SBATCH_ARRAY_INX", "SBATCH_WAIT", "SBATCH_TEST_ONLY", "SBATCH_HOLD", "SBATCH_EXCLUSIVE"),
        *(
            "SBATCH_MEM_PER_CPU",
            "SBATCH_MEM_BIND",
            "SBATCH_GPUS",
            "SBATCH_ERROR",
            "SBATCH_UNKNOWN_YET",
        ),
        *("SLURM_HINT", "SLURM_EXIT_ERROR"),
    ],
)
@pytest.mark.parametrize("value", ["", "2"])
def test_variable_that_changes_jobs_is_refused_by_name(commands, monkeypatch, name, value):
    """The empty text means yes for options without an argument."""
    monkeypatch.setenv(name, value)
    with pytest.raises(SlurmError, match=rf"^{name} is set to '{value}' .* workflow file$"):
        Slurm()


def test_all_refused_variables_are_named(commands, monkeypatch):
    for name in ("SBATCH_WAIT", "SBATCH_ARRAY_INX"):
        monkeypatch.setenv(name, "1")
    with pytest.raises(SlurmError, match=r"^SBATCH_ARRAY_INX .*The same holds for SBATCH_WAIT$"):
        Slurm()


@pytest.mark.parametrize(
    "name",
    [
        *("SBATCH_ACCOUNT", "SBATCH_PARTITION", "SBATCH_QOS", "SBATCH_RESERVATION"),
        *("SBATCH_CPU_BIND_TYPE", "SBATCH_MEM_BIND_VERBOSE"),
        *("SBATCH_EXPORT", "SBATCH_TIMELIMIT", "SLURM_CONF", "SALLOC_ACCOUNT"),
        *("SLURM_JWT", "SLURM_CONF_SERVER", "SLURM_MPI_TYPE", "OMP_NUM_THREADS"),
    ],
)
def test_variables_that_a_user_needs_are_allowed(commands, monkeypatch, name):
    calls = commands("sbatch", text=f'echo "${name}" > "$0.value"', said="17")
    monkeypatch.setenv(name, "mine")
    assert Slurm().submit(REQUEST) == 17
    assert len(calls()) == 1
    assert Path(f"{shutil.which('sbatch')}.value").read_text() == "mine\n"


@pytest.mark.parametrize(
    "name",
    [
        *("SLURM_MEM_PER_CPU", "SLURM_MEM_PER_NODE", "SLURM_CPU_BIND", "SLURM_CPUS_PER_TASK"),
        *("SLURM_NTASKS", "SLURM_TRES_PER_TASK", "SLURM_JOB_ID", "SLURM_EXPORT_ENV"),
        *("SLURM_UNKNOWN_YET", "SRUN_CPUS_PER_TASK", "PMI_RANK", "PMIX_NAMESPACE"),
    ],
)
@pytest.mark.parametrize("resumed", [False, True])
def test_variable_of_an_enclosing_job_does_not_reach_the_stages(
    commands, tmp_path, monkeypatch, name, resumed
):
    """Their srun would obey it; the commands that only ask have it."""
    for command in ("sbatch", "squeue"):
        commands(command, text=f'echo "${{{name}-unset}}" > {tmp_path}/{command}.value', said="17")
    monkeypatch.setenv(name, "1")
    slurm = Slurm()
    if resumed:
        slurm.submit_from(tmp_path, {}, 2)
    slurm.submit(REQUEST)
    slurm.jobs([17])
    assert (tmp_path / "sbatch.value").read_text() == "unset\n"
    assert (tmp_path / "squeue.value").read_text() == "1\n"


def test_filters_of_squeue_and_scancel_in_the_environment_have_no_effect(commands, monkeypatch):
    text = 'echo "$SQUEUE_USERS$SCANCEL_STATE" >> "$0.value"'
    for name in ("squeue", "scancel"):
        commands(name, text, said=identity(4))
    monkeypatch.setenv("SQUEUE_USERS", "another")
    monkeypatch.setenv("SCANCEL_STATE", "RUNNING")
    Slurm().cancel({4: MARKED})
    for name in ("squeue", "scancel"):
        assert Path(f"{shutil.which(name)}.value").read_text() == "\n"


def test_of_two_other_clusters_in_the_environment_the_first_is_named(commands, monkeypatch):
    monkeypatch.setenv("SBATCH_CLUSTERS", "beta")
    monkeypatch.setenv("SLURM_CLUSTERS", "gamma")
    with pytest.raises(SlurmError, match=r"^SBATCH_CLUSTERS is set to 'beta' in the environment"):
        Slurm()


def test_jobs_are_submitted_from_a_folder_with_the_variables_of_the_beginning(
    commands, tmp_path, monkeypatch
):
    """Sbatch alone has them, and shares the lock."""
    text = 'echo "$PWD $SBATCH_ACCOUNT $SBATCH_QOS"; readlink /proc/$$/fd/*'
    for name in ("sbatch", "squeue"):
        commands(name, text=f"{{ {text}; }} >> {tmp_path}/{name}.seen", said="17")
    (tmp_path / "there").mkdir()
    monkeypatch.setenv("SBATCH_ACCOUNT", "now")
    monkeypatch.setenv("SBATCH_QOS", "now")
    slurm = Slurm()
    with (tmp_path / "lock").open("w") as lock:
        slurm.submit_from(tmp_path / "there", {"SBATCH_ACCOUNT": "then"}, lock.fileno())
        slurm.submit(REQUEST)
        slurm.jobs([17])
    seen = (tmp_path / "sbatch.seen").read_text().splitlines()
    assert seen[0] == f"{tmp_path}/there then "
    assert f"{tmp_path}/lock" in seen
    assert f"{tmp_path}/lock" not in (tmp_path / "squeue.seen").read_text()
    (tmp_path / "there").rmdir()
    with pytest.raises(FileNotFoundError, match="there"):
        slurm.submit(REQUEST)
    with pytest.raises(SlurmError, match="gone: no such folder, jobs of this run are submitted"):
        slurm.submit_from(tmp_path / "gone", {}, 9)
