"""The command `simulate` on a site's own Slurm, as a user calls it."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pandas as pd
import pytest
from typer.testing import CliRunner

from schedlab.cli import app
from schedlab.cli.slurm import SlurmOptions
from schedlab.queue.slurm_site import Phases
from slurm_site_case import SWF, YAML, write_site

FACTS = "week.events: 5 jobs on 16 processors of 3 nodes"


def call(*arguments):
    return CliRunner().invoke(app, ["simulate", *arguments], env={"COLUMNS": "120"})


@pytest.fixture
def site(tmp_path):
    """Arguments of the command with the files of a small site."""
    return write_site(tmp_path)


def rows(output: str, title: str) -> dict[str, list[str]]:
    """Cells of the rows of a printed table by the first of them."""
    lines = output[output.index(title) :].splitlines()[2:]
    return {line.split("  ")[0]: line.split()[1:] for line in lines}


def test_command_prints_waits_use_reasons_and_what_is_not_modeled(site):
    result = call(*site)
    assert result.exit_code == 0, result.output
    assert FACTS in result.output
    assert rows(result.output, FACTS)["Slurm 22.05"][1:6] == ["521", "596", "849", "893", "894"]
    by_qos = rows(result.output, "Slurm 22.05, by qos")
    # jobs 2 and 5 name no QOS: they have that of job 1, the default
    assert by_qos["normal"][0] == "3"
    assert rows(result.output, "by user")["ada"][0] == "2"
    assert rows(result.output, "by account")["physics"][0] == "2"
    assert rows(result.output, "by partition")["gpu"][0] == "1"
    use = rows(result.output, "in use, from the first")
    assert [use[name] for name in ("processors", "memory", "gres/gpu")] == [
        ["100.0%"],
        ["40.0%"],
        ["0.0%"],
    ]
    assert "job 4 never starts: its limit of 5400 s exceeds MaxTime of partition main" in (
        result.output
    )
    left = rows(result.output, "settings that are not modeled")
    assert left["slurm.conf:9"] == ["Licenses=matlab:2", "licenses"]


def test_jobs_that_never_start_are_one_line_a_reason(site, tmp_path):
    late = (tmp_path / "week.events").read_text().splitlines()[3]
    (tmp_path / "week.events").write_text((tmp_path / "week.events").read_text() + f"{late}\n")
    output = call(*site).output
    assert "job 4 and 1 more never start: its limit of 5400 s" in output


def test_rows_of_jobs_are_written(site, tmp_path):
    result = call(*site, "--starts", str(tmp_path / "starts.csv"))
    assert result.exit_code == 0, result.output
    frame = pd.read_csv(tmp_path / "starts.csv")
    assert frame["start"].tolist() == [0, 601, 601, 902]
    assert frame["ran_on"].tolist() == ["c1 c2 g1", "g1", "c1", "g1"]


def test_json_has_the_same_facts(site):
    found = json.loads(call(*site, "--json", "--by", "qos", "--by", "size").stdout)
    (result,) = found["results"]
    assert (result["policy"], result["simulated"], result["jobs"]) == ("Slurm 22.05", True, 4)
    assert result["by"]["qos"]["high"]["mean_wait"] == 595
    assert result["by"].keys() == {"qos", "size"}
    assert result["use"] == {"cpu": 1, "mem": 0.4, "gres/gpu": 0}
    assert result["never"][0]["number"] == 4
    assert found["not_modeled"][0]["key"] == "Licenses"


@pytest.mark.parametrize(
    ("change", "starts"),
    [
        ([], [0, 601, 601, 902]),
        (["--slurm-set", "KillWait=5"], [0, 601, 601, 902]),
        (["--slurm-set", "AccountingStorageEnforce=none"], [0, 601, 601, 902]),
        (["--slurm-phase", "backfill=7", "--slurm-set", "bf_interval=60"], [0, 601, 601, 902]),
    ],
)
def test_settings_are_changed(site, tmp_path, change, starts):
    path = tmp_path / "starts.csv"
    assert call(*site, *change, "--starts", str(path)).exit_code == 0
    assert pd.read_csv(path)["start"].tolist() == starts


def test_release_is_that_of_the_option(site):
    assert "Slurm 24.11" in call(*site, "--slurm-version", "24.11").output


def test_a_dump_of_scontrol_is_read(site, tmp_path):
    """Node g1 is drained: no job starts on it."""
    dump = tmp_path / "nodes.txt"
    dump.write_text(
        "NodeName=g1 CPUTot=8 RealMemory=2000 Gres=gpu:v100:2 State=IDLE+DRAIN ThreadsPerCore=1\n"
    )
    result = call(*site, "--slurm-more", str(dump), "--json")
    assert result.exit_code == 0, result.output
    never = json.loads(result.stdout)["results"][0]["never"]
    assert [each["number"] for each in never] == [1, 2, 4, 5]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (["--no-backfill"], "--no-backfill is not of a site's Slurm, whose files decide: leave it"),
        (["--trace", "x.json.gz"], "--trace is not of a site's Slurm"),
        (["--threshold", "1h"], "--threshold is not of a site's Slurm"),
        (["--backfill-order", "spt"], "--backfill-order is not of a site's Slurm"),
        (["--reservations", "every"], "--reservations is not of a site's Slurm"),
        (["--processors", "5"], "--processors: the site's file has it; leave the option out"),
        (["--default-limit", "1h"], "--default-limit: the site's file has it"),
        (["--by", "color"], "group"),
        (["--slurm-version", "19.05"], "version 19.05 is not modeled"),
        (["--slurm-phase", "lunch=5"], "phase"),
        (["--slurm-phase", "main=soon"], "--slurm-phase main"),
        (["--slurm-set", "bf_interval=often"], "--slurm-set: SchedulerParameters=bf_interval=oft"),
    ],
)
def test_what_a_site_does_not_have_is_refused(site, change, problem):
    result = call(*site, *change)
    assert result.exit_code == 1
    assert problem in result.output.replace("\n", " ")


@pytest.mark.parametrize(
    "option", ["--accounts", "--slurm-more", "--slurm-version", "--slurm-set", "--slurm-phase"]
)
def test_options_of_a_site_need_one(site, option):
    result = call(site[0], option, "x")
    assert result.exit_code == 1
    assert f"{option} is of a site's Slurm: give --slurm-conf" in result.output


def test_log_with_waits_and_a_clock_is_compared_and_has_reservations(tmp_path):
    """Node c1 is in maintenance from 20 minutes on: job 2 starts when it ends, at 11:00."""
    write_site(tmp_path)
    columns = {"submit": [0, 5], "start": [60, 70], "runtime": 600, "procs": [16, 16]}
    zero = pd.Timestamp("2026-03-01T10:00:00")
    table = pd.DataFrame(columns)
    for name in ("submit", "start"):
        table[name] = zero + pd.to_timedelta(table[name], unit="s")
    table.assign(requested_time=900, user="ada", partition="main", qos="normal").to_parquet(
        tmp_path / "log.parquet"
    )
    (tmp_path / "reservation.txt").write_text(
        "ReservationName=m StartTime=2026-03-01T10:20:00 EndTime=2026-03-01T11:00:00\n"
        "   Nodes=c1 NodeCnt=1 Flags=MAINT,SPEC_NODES Users=root State=INACTIVE\n"
    )
    found = call(
        *(str(tmp_path / "log.parquet"), "--slurm-conf", str(tmp_path / "slurm.conf")),
        *("--accounts", str(tmp_path / "accounts.txt")),
        *("--slurm-more", str(tmp_path / "reservation.txt"), "--json"),
    )
    assert found.exit_code == 0, found.output
    slurm, recorded = json.loads(found.stdout)["results"]
    assert slurm["max_wait"] == pytest.approx(3600 - 5, abs=60)
    assert (recorded["policy"], recorded["max_wait"]) == ("as in the log", 65)
    assert recorded["by"]["partition"]["main"]["jobs"] == 2
    assert recorded["by"]["account"].keys() == {"physics"}


def test_machine_too_small_for_a_job_is_no_reason_for_advice_on_options(site, tmp_path):
    wide = "-dt 1 -e submit_batch_job | -sim-walltime 60 --uid=ada -n 99 -t 5 w.job\n"
    (tmp_path / "week.events").write_text((tmp_path / "week.events").read_text() + wide)
    result = call(*site)
    assert "fits_machine: 1 job" in result.output
    assert "--processors" not in result.output


@pytest.mark.parametrize(("start", "clock"), [(None, 7), (0, 7), (1_000_000, 1_000_007)])
def test_clock_of_the_controller_is_that_of_the_log(start, clock):
    log = SimpleNamespace(unix_start=start, frame=pd.DataFrame({"submit": [7, 9]}))
    phases = SlurmOptions(slurm_phase=["main=5", "priority=2m"]).phases(log)
    assert phases == Phases(main=5, priority=120, clock=clock)


def test_log_with_queues_runs_on_a_site_of_a_yaml_file(tmp_path):
    (tmp_path / "site.yaml").write_text(YAML)
    (tmp_path / "log.swf").write_text(SWF)
    log, site = str(tmp_path / "log.swf"), str(tmp_path / "site.yaml")
    result = call(log, "--site", site, "--starts", str(tmp_path / "starts.csv"))
    assert result.exit_code == 0, result.output
    assert "job 4 never starts: its limit of 5400 s exceeds MaxTime" in result.output
    frame = pd.read_csv(tmp_path / "starts.csv")
    assert frame["ran_in"].tolist() == ["short", "2", "2", "short", "2"]
    assert frame["start"].tolist() == [0, 5, 306, 601, 10]
    assert frame["estimate"].tolist() == [900, 600, 600, 600, 300]
    (tmp_path / "log.swf").write_text(SWF.replace("Queue: 1 short", "Queue: 1 tiny"))
    result = call(log, "--site", site)
    assert "site.yaml: partitions: there is no 'tiny', the queue of job 1" in (
        result.output.replace("\n", " ")
    )


def test_queues_by_name_are_partitions_of_slurm_conf(tmp_path):
    arguments = write_site(tmp_path, SWF.replace("Queue: 1 short", "Queue: 1 main\n; Queue: 2 gpu"))
    result = call(*arguments, "--json", "--slurm-set", "AccountingStorageEnforce=none")
    assert result.exit_code == 0, result.output
    by = json.loads(result.stdout)["results"][0]["by"]["partition"]
    assert {name: row["jobs"] for name, row in by.items()} == {"main": 2, "gpu": 3}


def test_a_site_is_one_file(site):
    result = call(*site, "--site", "site.yaml")
    assert "--slurm-conf and --site: give one of them" in result.output
    result = call(site[0], "--site", "site.yaml", "--accounts", "x")
    assert "--accounts is of a site's Slurm: give --slurm-conf" in result.output
