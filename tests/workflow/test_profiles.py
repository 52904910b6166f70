"""Profiles in Snakemake: the named profile wins over that of the project."""

import re
import shutil
import subprocess
from pathlib import Path

import pandas as pd
import pytest
import yaml
from snakemake.cli import get_argument_parser, parse_args

from schedlab.flow.measured import read_table

SLURM, GENERIC = "profiles/slurm", "profiles/generic"
CLUSTERS = (SLURM, GENERIC)
MEASURED = Path(__file__).parents[2] / "workflow/measured.tsv"
# what says its own: downloads, the arena's table, what needs a real Slurm
OWN = {"fetch_log", "fetch_pool", "verify", "rank_schedulers"}
OWN |= {"cut_window", "replay_window", "compare_simulators", "run_strategy", "compare_strategies"}
OWN |= {"record_slice", "record_slices"}


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
def test_slurm_profile_sets_width_groups_and_resources(settings, named):
    slurm = settings(*named, "carastan2017")
    assert (slurm.cores, slurm.jobs, slurm.executor) == (8, 50, "slurm")
    assert slurm.group_components["simulate"] == 10
    assert (slurm.resources, slurm.set_resource_scopes) == ({"turn": 1}, {"turn": "local"})
    assert {"mem_mb", "runtime", "slurm_partition"} <= set(slurm.default_resources)
    assert slurm.keep_going
    assert slurm.rerun_incomplete


def test_profile_of_the_environment_sets_the_width(settings, monkeypatch):
    monkeypatch.setenv("SNAKEMAKE_PROFILE", SLURM)
    assert settings().cores == 8


def test_command_line_wins_over_every_profile(settings):
    assert settings("--profile", SLURM, "--cores", "3").cores == 3
    assert settings("--cores", "3").cores == 3


def test_all_processors_are_used_by_default(settings):
    from snakemake.utils import available_cpu_count

    alone = settings()
    assert alone.cores == available_cpu_count()
    assert alone.keep_going


def test_only_dry_runs_state_why_each_job_runs(settings):
    from snakemake.settings.enums import Quietness

    assert set(settings("carastan2017").quiet) == {Quietness.HOST, Quietness.REASON}
    assert settings("--quiet", "rules").quiet == {Quietness.RULES}
    for dry in ("-n", "-np", "--dry-run"):
        assert not settings(dry).quiet


@pytest.mark.parametrize("jobs", [("-j", "1"), ("-j1",), ("--jobs", "1")])
def test_number_of_jobs_is_the_width_where_it_is_given(settings, jobs):
    """Snakemake takes --jobs for --cores where nothing says --cores."""
    alone = settings(*jobs)
    assert (alone.jobs, alone.cores) == (1, None)


@pytest.fixture
def texts(root):
    """Keys and values of a cluster's profile, unchanged."""
    return lambda profile: yaml.safe_load((root / profile / "profile.yaml").read_text())


@pytest.mark.parametrize("profile", CLUSTERS)
def test_every_key_of_a_profile_is_an_option_of_snakemake(texts, profile):
    pytest.importorskip("snakemake_executor_plugin_cluster_generic")
    options = {one for action in get_argument_parser()._actions for one in action.option_strings}
    assert {f"--{key}" for key in texts(profile)} <= options


def test_profiles_submit_the_same_groups_with_the_same_latency(texts):
    slurm, generic = map(texts, CLUSTERS)
    same = ("group-components", "cores", "jobs", "latency-wait", "retries", "rerun-incomplete")
    assert {key: slurm[key] for key in same} == {key: generic[key] for key in same}


@pytest.mark.parametrize("profile", CLUSTERS)
def test_a_profile_counts_the_components_of_every_group_of_the_rules(texts, profile, project):
    rules = project.glob("workflow/rules/**/*.smk")
    named = {group for path in rules for group in re.findall(r'group:\s+"(\w+)"', path.read_text())}
    assert set(texts(profile)["group-components"]) == named


def test_every_rule_was_measured(rules, project):
    """A new rule is run once, and its benchmark taken in: python -m schedlab.flow.measured."""
    measured = set(read_table(project / "workflow/measured.tsv"))
    scripts = {name for name, rule in rules.items() if rule["script"]}
    own = {name for name in scripts if name.endswith("_own") or "_own_" in name}
    assert not scripts - measured - OWN - own, "no row in workflow/measured.tsv"
    assert not measured - scripts, "rows of rules that are no more"


def test_hpc_page_has_the_numbers_of_the_table(root):
    table = pd.read_csv(root / "workflow/measured.tsv", sep="\t", index_col="rule")
    asked = read_table(root / "workflow/measured.tsv")
    row = r"\| `(\w+)` \| ([\d.]+) s \| ([\d.]+) MB \| (\d+) MB, (\d+) min \|"
    told = re.findall(row, (root / "docs/hpc.md").read_text())
    assert len(told) > 5
    for rule, seconds, memory, asked_memory, minutes in told:
        assert (float(seconds), float(memory)) == tuple(table.loc[rule, ["seconds", "memory"]])
        assert (int(asked_memory), int(minutes)) == (asked[rule].memory, asked[rule].minutes)


def test_a_rule_that_was_not_measured_is_named(new_project, snakemake, tmp_path):
    folder = new_project(tmp_path)
    table = folder / "workflow/measured.tsv"
    lines = table.read_text().splitlines(keepends=True)
    table.write_text("".join(line for line in lines if not line.startswith("keep_moves\t")))
    run = snakemake(folder, "-n")
    assert run.returncode == 1
    assert "measured.tsv: nothing was measured of 'keep_moves'" in run.stdout


@pytest.mark.parametrize(
    ("states", "said"),
    [
        ("RUNNING", "running"),
        ("PENDING", "running"),
        ("COMPLETING", "running"),
        ("COMPLETED", "success"),
        ("CANCELLED", "failed"),
        ("NODE_FAIL", "failed"),
        ("OUT_OF_MEMORY", "failed"),
        ("", "failed"),
    ],
)
def test_status_of_a_job_is_one_of_three_words(root, tmp_path, states, said):
    """Slurm does not know a lost job; while the controller is silent it is not taken for one."""
    programs = {"squeue": states, "sacct": "", "scontrol": "Slurmctld(primary) at host is UP"}
    for name, text in programs.items():
        (tmp_path / name).write_text(f"#!/bin/sh\necho '{text}'\n")
        (tmp_path / name).chmod(0o755)
    for name in ("sh", "head", "grep"):
        (tmp_path / name).symlink_to(shutil.which(name))
    command = [root / GENERIC / "status", "17"]
    answer = subprocess.run(command, env={"PATH": str(tmp_path)}, capture_output=True, text=True)
    assert answer.stdout == f"{said}\n"
    (tmp_path / "scontrol").unlink()
    answer = subprocess.run(command, env={"PATH": str(tmp_path)}, capture_output=True, text=True)
    assert answer.stdout == (f"{said}\n" if states else "running\n")


@pytest.mark.parametrize(
    ("arguments", "turn"),
    [
        (("--mode", "remote", "--set-resource-scopes", "turn=local"), 1),
        (("--mode", "remote"), None),
        (("--set-resource-scopes", "turn=local"), None),
    ],
)
def test_jobs_take_turns_inside_a_cluster_job(new_project, snakemake, tmp_path, arguments, turn):
    """Only where the profile gives it to them: it hands on the scope alone."""
    folder = new_project(tmp_path)
    rules, limit = folder / "workflow/Snakefile", tmp_path / "limit.txt"
    told = f"Path({str(limit)!r}).write_text(str(workflow.global_resources.get('turn').value))"
    rules.write_text(f"{rules.read_text()}\n{told}\n")
    job = ("--allowed-rules", "generate_workload")
    run = snakemake(folder, *job, *arguments, "-n", "--configfile", "config/quick.yaml")
    assert limit.read_text() == str(turn), run.stdout


@pytest.mark.parametrize("profile", CLUSTERS)
def test_missing_slurm_is_reported_before_the_first_job(
    new_project, snakemake, tmp_path, monkeypatch, profile
):
    if profile == GENERIC:
        pytest.importorskip("snakemake_executor_plugin_cluster_generic")
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in ("bash", "sh", "which"):
        (programs / name).symlink_to(shutil.which(name))
    monkeypatch.setenv("PATH", str(programs))
    folder = new_project(tmp_path / "project")
    target = "results/quick/workloads/lublin_quick_256.parquet"
    quick = ("--configfile", "config/quick.yaml")
    run = snakemake(folder, target, "--profile", profile, *quick, cores=None)
    assert run.returncode == 1
    assert "Error: no Slurm is found" in run.stdout
    assert "Traceback" not in run.stdout


@pytest.fixture
def asked_by(new_project, snakemake, tmp_path, monkeypatch):
    """Run two jobs of a group with an sbatch that refuses; return what is printed."""
    pytest.importorskip("snakemake_executor_plugin_cluster_generic")
    folder = new_project(tmp_path / "project")
    refusal = "echo 'sbatch: error: No, not here' >&2; exit 1"
    for name, text in {"sbatch": refusal, "sacct": "", "sinfo": "", "scontrol": ""}.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    targets = [f"results/quick/workloads/lublin_quick_{size}.parquet" for size in (128, 256)]

    def run(profile, *arguments):
        named = ("--profile", profile, "--configfile", "config/quick.yaml", *arguments)
        run = snakemake(folder, *targets, *named, cores=None)
        assert run.returncode == 1
        return run.stdout

    return run


PLACE = ("--default-resources", "slurm_partition=batch", "constraint=fast", "clusters=big")
OPTIONS = ("--slurm-qos", "night", "--slurm-reservation", "course")


def test_slurm_is_asked_with_the_options_that_jobs_are_submitted_with(asked_by):
    extra = "slurm_extra='--exclusive'"
    printed = asked_by(SLURM, *OPTIONS, *PLACE, extra, "--set-threads", "generate_workload=3")
    command = re.search("It was asked: (.*)", printed)[1]
    for option in (
        "sbatch --test-only", "-p batch", "-C fast", "--clusters big", "--qos=night",
        "--reservation=course", "--exclusive", "--cpus-per-task=3",
    ):  # fmt: skip
        assert option in command
    assert "sbatch: error: No, not here" in printed


@pytest.mark.parametrize("together", [1, 2])
@pytest.mark.parametrize(("profile", "option"), [(SLURM, "-t "), (GENERIC, "--time=")])
def test_slurm_is_asked_for_the_time_of_a_whole_group(asked_by, profile, option, together):
    """The jobs of a group run in turn in one executor, and side by side in the other."""
    minutes = read_table(MEASURED)["generate_workload"].minutes
    printed = asked_by(profile, "--group-components", f"prepare={together}", "--jobs", "2")
    counted = "2 jobs" if together == 2 else "1 job"
    assert f"Slurm does not take prepare_generate_workload ({counted}):" in printed
    assert f"{option}{minutes * (together if profile == SLURM else 1)} " in printed
    assert "sbatch: error: No, not here" in printed


def test_partitions_are_chosen_as_for_submission(asked_by, tmp_path):
    file = tmp_path / "partitions.yaml"
    file.write_text("partitions:\n  small:\n    max_runtime: 1000\n    max_mem_mb: 64000\n")
    resources = ("--default-resources", "mem_mb=1000", "runtime=10")
    printed = asked_by(SLURM, "--slurm-partition-config", file, *resources)
    assert "-p small" in printed


def test_remote_job_computes_only_the_digests_of_its_rules(new_project, snakemake, tmp_path):
    """Scripts that resume ask for them; those of other rules are not worked out in every job."""
    folder = new_project(tmp_path)
    rules, sources = folder / "workflow/Snakefile", tmp_path / "sources.txt"
    names = "(each.name for each in workflow.rules if 'code' in each.params.keys())"
    told = f"Path({str(sources)!r}).write_text(' '.join{names})"
    call = "\ncomplete_scripts()\n"
    rules.write_text(rules.read_text().replace(call, f"{call}{told}\n"))
    job = ("--mode", "remote", "--allowed-rules", "generate_workload", "split_pieces")
    run = snakemake(folder, *job, "-n", "--configfile", "config/quick.yaml")
    named = set(sources.read_text().split())
    assert named - {"fetch_log", "fetch_pool"} == {"generate_workload", "split_pieces"}, run.stdout
