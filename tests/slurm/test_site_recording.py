"""A site's jobs are recorded on a real Slurm of its files, with slurmdbd."""

import gzip
import json

import pandas as pd
import pytest

from schedlab.core.requests import DEFAULTS
from schedlab.slurm.accelerated import record_site
from schedlab.traces.slurm.site_files import read_site
from schedlab.workbench.site_queue import load_site_queue
from schedlab.workbench.why import why_waits

FILES = {
    "slurm.conf": """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerParameters=bf_interval=60
PriorityType=priority/multifactor
PriorityWeightQOS=1000
AccountingStorageEnforce=associations,limits,qos
NodeName=n[1-2] CPUs=4 RealMemory=1000
NodeName=g1 CPUs=4 RealMemory=1000 Gres=gpu:2 Weight=2
PartitionName=main Nodes=n[1-2],g1 Default=YES MaxTime=60 DefMemPerCPU=100 QOS=low AllowQOS=low,high
""",
    "gres.conf": "NodeName=g1 Name=gpu Count=2\n",
    "topology.conf": "",
    "sacctmgr.txt": """\
add qos Name=low Priority=0
add qos Name=high Priority=10
add cluster Name=schedlab QOS=low,high
add account Name=a Fairshare=1
add account Name=b Fairshare=1
add user Name=ada DefaultAccount=a Account=a
add user Name=bob DefaultAccount=b Account=a
""",
}


@pytest.mark.slurm
def test_jobs_of_a_site_are_recorded_on_a_real_slurm(tmp_path):
    rows = [
        {"nodes": 2, "tasks": 6, "user": "ada", "qos": "low", "runtime": 600},
        {"nodes": 1, "tasks": 1, "user": "bob", "qos": "high", "runtime": 300, "gres": "gpu:2"},
        {"nodes": 1, "tasks": 1, "user": "bob", "qos": "low", "runtime": 60, "gres": "gpu:1"},
        {"nodes": 3, "tasks": 3, "user": "ada", "qos": "high", "runtime": 60},
    ]
    jobs = pd.DataFrame([DEFAULTS | row for row in rows])
    jobs = jobs.assign(number=range(1, 5), submit=range(0, 80, 20), estimate=900, partition="main")
    record_site(jobs, FILES, 60, tmp_path / "session.log", tmp_path, asks=True)
    run = pd.read_csv(tmp_path / "run.csv").set_index("name")
    assert run["state"].tolist() == ["COMPLETED"] * 4
    assert run["qos"].tolist() == ["low", "high", "low", "high"]
    assert run.loc["j1", "nodes"] == "n[1-2]"
    assert (run.loc[["j2", "j3"], "nodes"] == "g1").all()
    # both GPUs are with the job before
    assert run.loc["j3", "start"] >= run.loc["j2", "end"]
    # a second of the machine is a minute of the jobs
    assert (run["end"] - run["start"] - jobs["runtime"].to_numpy()).between(-5, 60).all()
    shares = pd.read_csv(tmp_path / "shares.csv")
    in_accounts = {("a", "ada"), ("a", "bob"), ("b", "bob")}
    assert in_accounts <= set(zip(shares["account"], shares["user"], strict=True))
    assert set(pd.read_csv(tmp_path / "priorities.csv")["job"]) <= set(run["job"])
    with gzip.open(tmp_path / "log.txt.gz", "rt") as log:
        text = log.read()
    # each question before a submission takes a number
    number = run["job"]
    assert f"sched: Allocate JobId={number['j1']} NodeList=n[1-2] #CPUs=6" in text
    assert f"test for JobId={number['j3']}" in text
    check_queue(tmp_path)


def check_queue(folder):
    """While jobs ran, text and JSON of squeue gave the same queue, and Slurm predicted starts."""
    with gzip.open(folder / "asked.jsonl.gz", "rt") as file:
        rows = [json.loads(line) for line in file]
    tested = [row["test"] for row in rows if "test" in row]
    assert len(tested) == 4
    assert all("to start at 2" in text for text in tested)
    moment = next(row for row in rows if "PENDING" in row.get("squeue", ""))
    assert "JOBID" in moment["sprio"]
    for name, text in FILES.items():
        (folder / name).write_text(text)
    (folder / "squeue.txt").write_text(moment["squeue"])
    (folder / "squeue.json").write_text(moment["json"])

    def read(origin):
        return read_site(folder / "slurm.conf", folder / "sacctmgr.txt", origin=origin)

    text = load_site_queue(folder / "squeue.txt", read)
    as_json = load_site_queue(folder / "squeue.json", read, at=str(text.now + text.origin))
    assert text.entries["id"].tolist() == as_json.entries["id"].tolist()
    for name in ("submit", "limit", "procs", "asked_nodes", "tasks", "gres", "qos", "account"):
        assert text.entries[name].tolist() == as_json.entries[name].tolist(), name
    waits = text.entries["id"][~text.runs].iloc[0]
    why = why_waits(text, waits, runs=4, days=1)
    assert why.starts["low"] is not None
    assert why.starts["low"] > text.now + text.origin
