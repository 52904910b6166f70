"""What a recording of a site's Slurm is made from, without a Slurm."""

import csv
import gzip
from types import SimpleNamespace

import pandas as pd
import pytest

from schedlab.slurm import site_recording as recording
from schedlab.slurm.settings import SLURM_CONF

BEGIN = 1_795_000_020


@pytest.fixture
def settings(tmp_path, monkeypatch):
    """A folder of settings in place of the machine's, and clocks that run 60 times faster."""
    monkeypatch.setattr(recording, "SETTINGS", tmp_path)
    monkeypatch.setattr(recording, "LOG", tmp_path / "slurmctld.log")
    monkeypatch.setenv("FAKETIME", "+0 x60")
    return tmp_path


def job(**given):
    row = {"number": 7, "submit": 5, "runtime": 90, "estimate": 600, "nodes": 1, "tasks": 4}
    row |= {"cpus_per_task": 1, "memory": -1, "gres": "", "features": "", "exclusive": False}
    return row | {"partition": "main", "qos": "low", "account": "", "user": "ada"} | given


def test_every_node_is_on_this_machine_with_a_port_of_its_own():
    lines = [
        "NodeName=DEFAULT RealMemory=1000",
        "NodeName=n[08-09] CPUs=2",
        "NodeName=g1 Gres=gpu:2",
        "PartitionName=main Nodes=n[08-09]",
        "PriorityWeightAge=1",
    ]
    machine = recording.machine_of(lines)
    assert (machine.names, machine.nodes) == (("n08", "n09", "g1"), 3)
    text = machine.lines.splitlines()
    assert text[0] == lines[0]
    assert [line.split()[0] for line in text[1:4]] == [
        "NodeName=n08",
        "NodeName=n09",
        "NodeName=g1",
    ]
    assert [line.rpartition("=")[2] for line in text[1:4]] == ["17001", "17002", "17003"]
    assert text[4:] == [lines[3]]
    assert machine.lines in SLURM_CONF.format(host="h", folder="/f", nodes=machine.lines)


def test_submission_has_what_sbatch_is_given(settings, monkeypatch):
    given = []
    monkeypatch.setenv("LD_PRELOAD", "faketime")
    monkeypatch.setattr(
        recording, "run", lambda *command, env: given.extend([command, env]) or "12\n"
    )
    jobs = pd.DataFrame([job(memory=300, exclusive=True)])
    name = recording.submission(jobs.iloc[0].to_dict())["name"]
    assert recording._submit(jobs, 0, None) == {"12": str(name)}
    command, environment = given
    assert {"--uid=ada", "--mem=300M", "--exclusive", "--time=10", "--ntasks=4"} <= set(command)
    assert not any(option.startswith(("--gres", "--account", "--cpus")) for option in command)
    # on the real clock
    assert command[-1] == "--wrap=exec /bin/sleep 1.500"
    assert not {"LD_PRELOAD", "FAKETIME"} & environment.keys()


def test_schedulers_may_take_as_long_as_on_the_real_clock(settings):
    line = "SchedulerParameters=bf_interval=60"
    assert recording._with_budgets(line) == (
        f"{line},max_sched_time=120,bf_yield_interval=10000000"
    )
    assert recording._with_budgets("PriorityWeightAge=1") == "PriorityWeightAge=1"


def test_plain_files_stand_for_resources(settings):
    text = recording._as_files("NodeName=g1 Name=gpu Count=2")
    assert text == f"NodeName=g1 Name=gpu File={settings}/device[0-1]"
    assert all((settings / f"device{k}").exists() for k in range(2))


def test_processors_of_a_job_by_node():
    line = "JobId=3 X=1 Nodes=n[1-2] CPU_IDs=0-3,6 Mem=1 GRES= Nodes=m1 CPU_IDs=5 Mem=1 GRES="
    assert recording.cpus_of(line) == "n1:5 n2:5 m1:1"


def at(second):
    return str(pd.Timestamp(BEGIN + second, unit="s")).replace(" ", "T")


def test_runs_and_log_are_on_the_clock_of_the_first_submission(settings, monkeypatch):
    monkeypatch.setenv("TZ", "UTC")
    (settings / "slurmctld.log").write_text(
        f"[{at(30)}.123] sched: Allocate JobId=2 NodeList=n1 #CPUs=2 Partition=main\n"
        f"[{at(60)}.001] sched/backfill: JobId=3 to start at {at(90)}, end at {at(120)} on n1\n"
        f"[{at(60)}.001] sched/backfill: overlaps start_time={BEGIN + 90}\n"
        f"[{at(60)}.002] sched/backfill: _start_job: Started JobId=3 in main on n[1-2]\n"
        f"[{at(61)}.000] debug: of a node\n"
    )
    (settings / "places.csv").write_text("3,n1:1 n2:3\n")
    times = {"SubmitTime": at(1), "EligibleTime": at(1), "StartTime": at(30), "EndTime": at(99)}
    common = {"JobState": "COMPLETED", "Partition": "main", "QOS": "low", "Tres": "cpu=2"} | times
    ended = [
        common | {"JobId": "3", "NodeList": "n[1-2]", "ProcCnt": "4"},
        common | {"JobId": "2", "NodeList": "n1", "ProcCnt": "2"},
    ]
    cluster = SimpleNamespace(completed=lambda: ended)
    recording._write_runs(settings, cluster, BEGIN, {"2": "j8"})
    with (settings / "run.csv").open() as file:
        first, second = csv.DictReader(file)
    assert [first[name] for name in ("name", "job", "submit", "start", "end")] == (
        ["j8", "2", "1", "30", "99"]
    )
    assert (first["cpus_by_node"], first["by"]) == ("n1:2", "main")
    assert (second["cpus_by_node"], second["by"]) == ("n1:1 n2:3", "backfill")
    with gzip.open(settings / "log.txt.gz", "rt") as log:
        lines = log.read().splitlines()
    assert f"time 0 is {BEGIN} s" in lines[0]
    assert lines[2] == "60 sched/backfill: JobId=3 to start at 90, end at 120 on n1"
    assert lines[3].endswith("start_time=90")
    assert len(lines) == 5
