"""Dry runs of the workflow: every target has a rule, and no target has thousands of jobs."""

import re

import pandas as pd
import pytest

PLAN = ("-n", "--quiet", "rules")
QUICK = ("--configfile", "config/quick.yaml")
MOST_JOBS = 600


def planned_jobs(text):
    """Number of jobs in the summary of a dry run."""
    return int(re.search(r"^total\s+(\d+)$", text, re.MULTILINE)[1])


@pytest.mark.parametrize(
    "target",
    [
        "all",
        "carastan2017",
        "legrand2018",
        "online",
        "kellari2025",
        "klusacek2016",
        "souza2020",
        "arena",
        "results/figures/table4.csv",
        "results/report/index.html",
        "results/report/carastan2017.html",
        "results/figures/carastan2017/table4_learned.csv",
        "results/figures/carastan2017/table4_generated.md",
    ],
)
def test_target_is_neither_empty_nor_thousands_of_jobs(snakemake, project, target):
    run = snakemake(project, target, *PLAN)
    assert run.returncode == 0, run.stdout
    assert 1 < planned_jobs(run.stdout) < MOST_JOBS


def test_default_target_is_all(snakemake, project):
    plain = snakemake(project, *PLAN)
    named = snakemake(project, "all", *PLAN)
    assert planned_jobs(plain.stdout) == planned_jobs(named.stdout)


def test_quick_scale_runs_no_log(snakemake, project):
    run = snakemake(project, *PLAN, *QUICK)
    assert run.returncode == 0, run.stdout
    assert "generate_workload" in run.stdout
    assert "clean_log" not in run.stdout


@pytest.mark.parametrize(
    "paper", ["carastan2017", "legrand2018", "kellari2025", "klusacek2016", "souza2020"]
)
def test_every_published_item_has_a_rule(snakemake, project, paper):
    published = pd.read_csv(project / f"resources/{paper}/published.tsv", sep="\t")
    items = [f"results/figures/{paper}/{item}.csv" for item in published["item"].unique()]
    run = snakemake(project, *items, *PLAN)
    assert run.returncode == 0, run.stdout


def test_arena_has_one_job_per_log_and_is_not_in_target_all(snakemake, project):
    run = snakemake(project, "arena", *PLAN)
    assert run.returncode == 0, run.stdout
    assert jobs_of_rules(run.stdout)["compare_schedulers"] == 11
    assert jobs_of_rules(run.stdout)["measure_recorded"] == 1
    assert planned_jobs(run.stdout) < 50
    assert "compare_schedulers" not in snakemake(project, *PLAN).stdout


def test_referee_has_one_job_per_replay_and_is_not_in_target_all(snakemake, project):
    run = snakemake(project, "referee", *PLAN, "--config", "referee={repetitions: 2}")
    assert run.returncode == 0, run.stdout
    assert jobs_of_rules(run.stdout)["cut_window"] == 2
    assert jobs_of_rules(run.stdout)["replay_window"] == 2 * 3 * 2
    assert jobs_of_rules(run.stdout)["run_strategy"] == 5
    assert planned_jobs(run.stdout) < 50
    everything = snakemake(project, *PLAN).stdout
    assert "cut_window" not in everything
    assert "compare_simulators" not in everything


def test_search_of_programs_is_three_jobs_and_not_in_target_all(snakemake, project):
    run = snakemake(project, "programs", *PLAN)
    assert run.returncode == 0, run.stdout
    jobs = jobs_of_rules(run.stdout)
    names = ("search_programs", "judge_programs", "export_program", "compare_programs")
    assert [jobs[name] for name in names] == [1, 1, 1, 1]
    assert "search_programs" not in snakemake(project, *PLAN).stdout


def jobs_of_rules(text):
    """Jobs of each rule in the summary of a dry run."""
    return {rule: int(count) for rule, count in re.findall(r"^(\w+)\s+(\d+)$", text, re.MULTILINE)}


def test_each_user_policy_adds_one_simulation_in_kellari2025(snakemake, project):
    """A simulation each, and a table and a figure more of all that compare schedulers."""
    counts = {}
    for policies in ("{}", "{one: r * n}", "{one: r * n, two: -w}"):
        run = snakemake(project, "kellari2025", *PLAN, "--config", f"policies={policies}")
        assert run.returncode == 0, run.stdout
        counts[policies] = jobs_of_rules(run.stdout)
    none, one, two = counts.values()
    assert two["simulate_coschedulers"] == one["simulate_coschedulers"] + 1
    assert one["simulate_coschedulers"] == none["simulate_coschedulers"] + 1
    of_rule = {name: [jobs[name] for jobs in (none, one, two)] for name in one}
    assert of_rule["make_table6"] == [2, 4, 4]
    assert of_rule["draw_comparisons"] == [12, 24, 24]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("result/figures/table4.csv", "results/figures/table4.csv"),
        ("carastan2071", "carastan2017"),
        (
            "results/simulations/carastan2017/sheet/ctc_actal_full.parquet",
            "results/simulations/carastan2017/sheet/ctc_actual_full.parquet",
        ),
    ],
)
def test_misspelled_experiment_is_rejected(snakemake, project, typed, meant):
    run = snakemake(project, "-n", typed)
    assert run.returncode != 0
    assert f"Error: nothing makes '{typed}'; did you mean '{meant}'?" in run.stdout
    assert 'File "' not in run.stdout


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        (
            "carastan2017={pieces_limt: 3}",
            "'carastan2017': unknown key 'pieces_limt'; did you mean 'pieces_limit'?",
        ),
        ("source=log", "key 'source': 'log' is not one of logs, models; did you mean 'logs'?"),
        ("sheets={traces: missing.tsv}", "missing.tsv: no such file"),
        ("legrand2018={week: 3}", "key 'legrand2018': unknown key 'week'; did you mean 'weeks'?"),
        ("policies={spt: -r}", "key 'policies.spt': 'spt' is a registered policy"),
        ("policies={sjf: -r}", "key 'policies.sjf': 'sjf' is a registered policy"),
        ("policies={mine: r * q}", "key 'policies.mine': policy expression 'r * q': cannot use"),
    ],
)
def test_wrong_setting_stops_with_a_message(snakemake, project, setting, message):
    run = snakemake(project, "-n", "--config", setting)
    assert run.returncode == 1
    (error,) = [line for line in run.stdout.splitlines() if line.startswith("Error: ")]
    assert message in error
    assert 'File "' not in run.stdout


def test_wrong_key_in_a_file_is_named_with_the_file(snakemake, project, tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text("download:\n  retry: 3\n")
    run = snakemake(project, "-n", "--configfile", str(path))
    assert f"{path}: key 'download': unknown key 'retry'; did you mean 'retries'?" in run.stdout


@pytest.mark.parametrize("record", ['{"status": "avail', "{}", '{"status": "available"}'])
def test_damaged_record_of_a_log_counts_as_missing(snakemake, new_project, tmp_path, record):
    site = new_project(tmp_path)
    path = site / "resources/raw/CTC-SP2.json"
    path.parent.mkdir(parents=True)
    path.write_text(record)
    run = snakemake(site, "resources/raw/CTC-SP2.swf", "-n")
    assert run.returncode == 0, run.stdout
    assert "Fetching CTC-SP2" in run.stdout


def test_scripts_have_no_future_imports(root):
    scripts = list((root / "workflow/scripts").rglob("*.py"))
    assert scripts
    assert not [path.name for path in scripts if "from __future__" in path.read_text()]


def test_sheet_of_periods_without_the_drawn_trace_is_rejected(snakemake, new_project, tmp_path):
    site = new_project(tmp_path)
    sheet = site / "config/experiments/legrand2018.tsv"
    header, *rows = sheet.read_text().splitlines()
    sheet.write_text("\n".join([header, *(row for row in rows if "fig4" not in row), ""]))
    run = snakemake(site, "-n")
    assert run.returncode != 0
    assert "legrand2018.tsv: column 'space_item': one trace by weeks must have it" in run.stdout


@pytest.mark.parametrize(
    "setting",
    ["kellari2025={workloads_limit: 3}", "legrand2018={weeks: 8, search: {sigma: 0.25}}"],
)
def test_numbers_inside_a_key_of_the_command_line_are_numbers(snakemake, project, setting):
    run = snakemake(project, *PLAN, "--config", setting)
    assert run.returncode == 0, run.stdout


def test_adding_a_row_does_not_repeat_the_search_for_a_missing_log(
    snakemake, new_project, tmp_path
):
    """The message of a missing log depends only on the rows that need it."""
    site = new_project(tmp_path)
    (site / "config/offline.yaml").write_text("download: {offline: true}\n")
    arguments = ("resources/raw/CTC-SP2.swf", "--configfile", "config/offline.yaml")
    assert snakemake(site, *arguments).returncode == 0
    sheet = site / "config/experiments/kellari2025.tsv"
    row = next(line for line in sheet.read_text().splitlines() if line.startswith("matching_occ"))
    own = row.replace("matching_occ\tbeyond_matching", "own_row\town")
    assert own != row
    sheet.write_text(f"{sheet.read_text()}{own}\n")
    assert "Nothing to be done" in snakemake(site, *arguments).stdout
