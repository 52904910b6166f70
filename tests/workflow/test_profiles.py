"""What Snakemake makes of the profiles: the one that is named wins over the one of the project."""

import pytest
from snakemake.cli import parse_args

SLURM = "profiles/slurm"


@pytest.fixture
def settings(project, monkeypatch):
    """Read a command line as Snakemake does in the project's folder."""
    monkeypatch.chdir(project)
    monkeypatch.delenv("SNAKEMAKE_PROFILE", raising=False)

    def read(*arguments):
        monkeypatch.setattr("sys.argv", ["snakemake", *arguments])
        return parse_args(list(arguments))[1]

    return read


@pytest.mark.parametrize(
    "named", [("--profile", SLURM), (f"--profile={SLURM}",), ("--workflow-profile", SLURM)]
)
def test_slurm_gets_its_own_width_groups_and_resources(settings, named):
    slurm = settings(*named, "carastan2017")
    assert (slurm.cores, slurm.jobs, slurm.executor) == (8, 50, "slurm")
    assert slurm.groups["simulate_experiment"] == "simulate"
    assert slurm.group_components["simulate"] == 10
    assert {"mem_mb", "runtime", "slurm_partition"} <= set(slurm.default_resources)
    assert slurm.keep_going
    assert slurm.rerun_incomplete


def test_profile_of_the_environment_gets_its_own_width(settings, monkeypatch):
    monkeypatch.setenv("SNAKEMAKE_PROFILE", SLURM)
    assert settings().cores == 8


def test_command_line_wins_over_every_profile(settings):
    assert settings("--profile", SLURM, "--cores", "3").cores == 3
    assert settings("--cores", "3").cores == 3


def test_without_a_word_all_processors_are_used(settings):
    from snakemake.utils import available_cpu_count

    alone = settings()
    assert alone.cores == available_cpu_count()
    assert alone.keep_going


@pytest.mark.parametrize("jobs", [("-j", "1"), ("-j1",), ("--jobs", "1")])
def test_number_of_jobs_is_the_width_where_it_is_given(settings, jobs):
    """Snakemake takes --jobs for --cores where nothing says --cores."""
    alone = settings(*jobs)
    assert (alone.jobs, alone.cores) == (1, None)
