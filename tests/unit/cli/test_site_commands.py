"""Commands that take a site's own Slurm in place of a dialect, as a user calls them."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from schedlab.cli import app
from slurm_site_case import SWF, YAML, write_days, write_site

CHANGED = "PriorityWeightQOS=0"


@pytest.fixture
def site(tmp_path):
    """Log of some days, and the options of a small site."""
    return [str(write_days(tmp_path)), *write_site(tmp_path)[1:]]


def call(*arguments):
    return CliRunner().invoke(app, [*arguments], env={"COLUMNS": "200"})


def text_of(result) -> str:
    return " ".join(result.output.split())


def facts_of(*arguments) -> dict:
    result = call(*arguments, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_simulate_runs_policies_as_points(site):
    found = facts_of("simulate", *site, "--policy", "site", "--policy", "spt")["results"]
    assert [each["policy"] for each in found] == ["Slurm 22.05", "SPT"]
    assert found[1]["mean_wait"] < found[0]["mean_wait"]
    result = call("simulate", *site, "--policy", "spt", "--slurm-points", "7")
    assert "policies add up to 7 points to the site's priorities" in text_of(result)
    assert "each 300 s (PriorityCalcPeriod); the machine is empty at first" in text_of(result)


def test_compare_has_the_site_first_and_changed_settings_as_rows(site):
    rows = ("--policy", "spt", "--policy", CHANGED, "--policy", "wfp3")
    found = facts_of("compare", *site, "--days", "1", *rows)
    assert [each["policy"] for each in found["results"]] == ["Slurm 22.05", "SPT", CHANGED, "WFP"]
    site_row, spt, changed, _ = found["results"]
    assert spt["mean"] < site_row["mean"]
    assert changed["mean"] == site_row["mean"]  # all jobs have one QOS
    assert found["dialect"].startswith("Slurm 22.05 of ")
    result = call("compare", *site, "--days", "1", "--policy", "spt")
    assert "the machine is empty at first" in text_of(result)


def test_compare_leaves_out_jobs_that_never_start(site, tmp_path):
    late = ["--slurm-set", "AccountingStorageEnforce=none", "--slurm-conf"]
    conf = tmp_path / "slurm.conf"
    conf.write_text(conf.read_text().replace("MaxTime=60", "MaxTime=30"))
    found = call("compare", site[0], *late, str(conf), "--days", "1", "--policy", "spt")
    assert found.exit_code == 0, found.output
    assert "left out: job" in found.output
    assert "exceeds MaxTime of partition main" in found.output


def test_tune_searches_in_the_site(site, tmp_path):
    found = facts_of("tune", *site, "--points", "3", "--days", "1")
    assert found["test"][0]["policy"] == "Slurm 22.05"
    assert found["backfill"] is None
    out = str(tmp_path / "x.json")
    result = call("tune", *site, "--points", "3", "--days", "1", "--out", out)
    assert f"for Slurm schedlab export-slurm {out} --points 1000" in text_of(result)
    command = text_of(result).split("what was tried, exactly:")[1].split("config line")[0]
    assert "--slurm-conf" in command
    assert "--processors" not in command


def test_learn_is_tested_in_the_site(site):
    found = call("learn", *site, "--tuples", "2", "--trials", "1024")
    assert found.exit_code == 0, found.output
    assert "not checked on the second half: " in found.output
    assert "--slurm-conf" in found.output


def test_gantt_draws_the_nodes(site, tmp_path):
    for name in ("g.png", "g.svg"):
        result = call("gantt", *site, "--policy", "spt", "--out", str(tmp_path / name))
        assert result.exit_code == 0, result.output
    text = (tmp_path / "g.svg").read_text()
    assert "SPT" in text


def test_explain_names_the_limit_and_who_was_ahead(tmp_path):
    """Bob's second job waits for the limit of QOS high, then for job 4, which is ahead by QOS."""
    job = "-e submit_batch_job | -sim-walltime 600 --uid"
    events = (
        f"-dt 0 {job}=bob -n 6 -t 15 -q high a.job\n-dt 5 {job}=bob -n 6 -t 15 -q high b.job\n"
        f"-dt 6 {job}=ada -n 16 -t 15 -q normal c.job\n-dt 7 {job}=ada -n 6 -t 15 -q high d.job\n"
    )
    site = write_site(tmp_path, events)
    result = call("explain", site[0], "2", *site[1:])
    assert result.exit_code == 0, result.output
    text = text_of(result)
    assert "job 2 (processors 6, limit 0:15:00, user bob, account biology, QOS high" in text
    assert "the limit of QOS high for user bob of 6 processors" in text
    assert "started by the main scheduler" in text
    found = facts_of("explain", site[0], "3", *site[1:])["explanation"]
    assert found["passed"] == {"QOS": 1, "at once": 1}
    assert found["factors"]["QOS"] == [100, 100]
    assert sum(found["delays"].values()) == found["wait"]
    found = facts_of("explain", site[0], "3", *site[1:], "--policy", "spt")["explanation"]
    assert found["factors"]["the policy"][1] == 1000


def test_explain_says_why_a_job_never_starts(tmp_path):
    site = write_site(tmp_path)
    result = call("explain", site[0], "4", *site[1:])
    assert "job 4 never starts: its limit of 5400 s exceeds MaxTime" in text_of(result)
    result = call("gantt", site[0], *site[1:], "--job", "4", "--out", str(tmp_path / "x.png"))
    assert "job 4 never starts: its limit of 5400 s exceeds MaxTime" in text_of(result)


def test_a_site_of_a_yaml_file_runs_policies(tmp_path):
    (tmp_path / "site.yaml").write_text(YAML)
    (tmp_path / "log.swf").write_text(SWF)
    arguments = (str(tmp_path / "log.swf"), "--site", str(tmp_path / "site.yaml"))
    found = facts_of("simulate", *arguments, "--policy", "site", "--policy", "spt")["results"]
    assert len(found) == 2
    result = call("compare", *arguments, "--policy", "bf_interval=60")
    assert "bf_interval=60: settings are of --slurm-conf; edit" in text_of(result)


@pytest.mark.parametrize("command", ["simulate", "compare", "tune", "learn"])
def test_a_dialect_and_a_site_are_an_error(site, command):
    result = call(command, *site, "--dialect", "slurm")
    assert result.exit_code == 1
    assert "--dialect and a site's own Slurm: give one of them" in text_of(result)


@pytest.mark.parametrize("command", ["compare", "tune", "learn", "gantt", "explain"])
def test_wrong_files_and_options_are_errors_of_one_line(site, command, tmp_path):
    job = ["1"] if command == "explain" else []
    missing = str(tmp_path / "none.conf")
    result = call(command, site[0], *job, "--slurm-conf", missing)
    assert result.exit_code == 1
    assert f"{missing}: No such file" in result.output
    result = call(command, site[0], *job, *site[1:], "--processors", "3")
    assert "--processors: the site's file has it; leave the option out" in text_of(result)
    result = call(command, site[0], *job, "--accounts", site[-1])
    assert "--accounts is of a site's Slurm: give --slurm-conf" in text_of(result)


def test_policies_that_cannot_be_points_are_refused(site, tmp_path):
    (tmp_path / "mine.py").write_text("def mine(waiting):\n    return waiting.estimate\n")
    result = call("compare", *site, "--policy", f"{tmp_path / 'mine.py'}:mine")
    assert "is a Python function: in a site's Slurm policies are points" in text_of(result)
    basic = ("--slurm-set", "PriorityType=priority/basic")
    result = call("gantt", *site, *basic, "--policy", "spt", "--out", str(tmp_path / "x.png"))
    assert "PriorityType=priority/basic reads none" in text_of(result)
    result = call("simulate", *site, "--policy", "bf_intervall=60")
    assert "bf_intervall is no key of slurm.conf" in text_of(result)
