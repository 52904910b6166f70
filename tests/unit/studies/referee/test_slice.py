"""The slice of a site: what is cut, what is kept of recordings, and distances between runs."""

import gzip

import numpy as np
import pandas as pd
import pytest

from schedlab.report.figures.style import house_style
from schedlab.studies.referee import site_slice
from schedlab.studies.referee.slice_figure import draw_slice
from schedlab.studies.referee.slice_kept import passes_in, recorded_in
from schedlab.studies.referee.slice_runs import (
    PASSES,
    PHASES,
    REAL,
    distances_of,
    jobs_of,
    runs_of,
    slice_findings,
    slice_table,
    waits_by_qos,
)

CONF = """\
ClusterName=big
SlurmctldDebug=info
SchedulerParameters=bf_interval=60
PriorityType=priority/multifactor
PriorityWeightQOS=1000
PriorityMaxAge=7-0
AccountingStorageEnforce=associations,limits,qos
SelectTypeParameters=CR_Core_Memory
GresTypes=gpu
NodeName=DEFAULT Sockets=1 CoresPerSocket=2 RealMemory=1000
NodeName=n[001-087] Weight=1
NodeName=g[001-008] Gres=gpu:fast:2 Weight=2
PartitionName=DEFAULT DefaultTime=1:00:00
PartitionName=main Nodes=n[001-087],g[001-008] Default=YES MaxTime=72:00:00
"""
SCRIPT = """\
# QOS
add QOS Name=low Priority=0
add QOS Name=high Priority=10
add cluster Name=big Fairshare=1 QOS=low,high
add account Name=a Fairshare=100
add user Name=ada DefaultAccount=a Account=a
modify user name=ada set qos=low,high
list associations
"""
EVENT = (
    "-dt {at} -e submit_batch_job | -sim-walltime {lasts} --uid=ada -N {nodes} -n {nodes} -t 60 "
    "-q {qos} --mem=100 a.job"
)


@pytest.fixture
def site_folder(tmp_path):
    """A whole site: 95 nodes; a job too many nodes wide for the slice, and twelve others."""
    folder = tmp_path / "ub-medium"
    folder.mkdir()
    (folder / "slurm.conf").write_text(CONF)
    (folder / "gres.conf").write_text("NodeName=g[001-008] Name=gpu Count=2\n")
    (folder / "topology.conf").write_text("SwitchName=s Nodes=n[001-100]\n")
    (folder / "sacctmgr.script").write_text(SCRIPT)
    lines = [EVENT.format(at=0, lasts=900, nodes=80, qos="low")]
    lines += [
        EVENT.format(at=k, lasts=900 + k, nodes=1, qos="high" if k % 4 == 0 else "low")
        for k in range(1, 13)
    ]
    with gzip.open(folder / "workload_week.events.gz", "wt") as file:
        file.write("\n".join([*lines, ""]))
    return folder


@pytest.fixture
def cut(site_folder, tmp_path, monkeypatch):
    """The slice in a folder: site and jobs, of which there are five of a QOS at most."""
    monkeypatch.setattr(site_slice, "PER_QOS", 5)
    into = tmp_path / "slice"
    into.mkdir()
    for name, text in site_slice.cut_files(site_folder).items():
        (into / name).write_text(text)
    site = site_slice.read_slice(into)
    return site, site_slice.cut_jobs(site_folder, site)


def test_configuration_has_fewer_nodes_and_shorter_times(site_folder):
    files = site_slice.cut_files(site_folder)
    lines = files["slurm.conf"].splitlines()
    assert "PartitionName=main Nodes=n[001-016],g[001-002] Default=YES MaxTime=432" in lines
    assert "NodeName=g[001-002] Gres=gpu:2 Weight=2" in lines
    assert "PriorityMaxAge=1008" in lines
    assert not any(line.startswith(("ClusterName", "SlurmctldDebug")) for line in lines)
    assert files["gres.conf"] == "NodeName=g[001-002] Name=gpu Count=2\n"
    assert files["topology.conf"] == "SwitchName=s Nodes=n[001-016]\n"
    commands = files["sacctmgr.txt"].splitlines()
    assert "add cluster Name=schedlab Fairshare=1 QOS=low,high" in commands
    assert not any(line.startswith(("#", "list")) for line in commands)


def test_site_is_found_in_a_folder_of_the_archive(site_folder, tmp_path):
    assert site_slice.find_site(str(tmp_path)) == site_folder
    assert site_slice.find_site(str(site_folder)) is None
    assert all(path.is_file() for path in site_slice.files_of(site_folder))


def test_jobs_are_as_many_of_each_qos_that_can_start(cut):
    site, jobs = cut
    assert (len(site.machine), site.machine.processors) == (18, 36)
    assert jobs["qos"].value_counts().to_dict() == {"low": 5, "high": 3}
    assert jobs["nodes"].max() == 1
    assert jobs["submit"].iloc[[0, -1]].tolist() == [0, site_slice.SPAN]
    assert (jobs["runtime"] == np.rint((899 + jobs["number"]) / 10)).all()
    assert set(jobs["estimate"]) == {360}
    facts = site_slice.facts_of(jobs, site)
    assert (facts["jobs"], facts["nodes"], facts["qos"], facts["users"]) == (8, 18, 2, 1)
    area = (jobs["runtime"] * jobs["procs"]).sum()
    assert facts["load"] == pytest.approx(area / 36 / site_slice.SPAN)


def recording(jobs, repetition, wait):
    """Rows that are kept of a repetition in which every job waits so long."""
    return pd.DataFrame(
        {"repetition": repetition, "number": jobs["number"], "late": 1, "wait": wait, "over": 2}
    )


@pytest.fixture
def compared(cut):
    site, jobs = cut
    recorded = pd.concat([recording(jobs, 1, 10), recording(jobs, 2, 400)], ignore_index=True)
    passes = pd.DataFrame({"repetition": [1, 2], "time": [30, 30]})
    return site, jobs, recorded, passes


def test_real_runs_and_simulations_are_compared(compared):
    site, jobs, recorded, passes = compared
    runs = runs_of(site, jobs, recorded, passes)
    distances = distances_of(site, jobs, runs)
    assert distances["kind"].value_counts().to_dict() == {PHASES: 12, PASSES: 2, REAL: 1}
    by_kind = distances.set_index("kind")
    # an idle machine starts every job at once
    assert by_kind.loc[REAL, ["mean", "near"]].tolist() == [390, 0]
    apart = distances[distances["kind"] == PASSES].set_index("repetition")["mean"]
    assert apart[1] == pytest.approx(10, abs=1)
    assert apart[2] == pytest.approx(400, abs=1)
    waits = waits_by_qos(jobs, runs)
    assert set(waits["qos"]) == {"low", "high", "all"}
    table = slice_table(distances, waits).set_index("compared")
    assert table["pairs"].tolist() == [1, 12, 2]
    assert table.loc["two real runs", ["mean wait (s)", "low", "high"]].tolist() == [205, 10, 400]
    facts = slice_findings(site, jobs, distances, waits)
    assert (facts["jobs"], facts["nodes"], facts["repetitions"]) == (8, 18, 2)
    assert facts["ratio"][PASSES] == pytest.approx(apart.mean() / 390)
    with house_style():
        left, right = draw_slice(distances, waits, 8, 18).axes
    assert [text.get_text() for text in left.get_xticklabels()][-1] == "all"
    assert len(right.lines) == 6


def test_simulated_jobs_have_submissions_and_run_times_of_the_recording(cut):
    _, jobs = cut
    submitted = jobs_of(jobs, recording(jobs, 1, 10))
    assert (submitted.submit == jobs["submit"] + 1).all()
    assert (submitted.runtime == jobs["runtime"] + 2).all()
    early = jobs_of(jobs, recording(jobs, 1, 10).assign(late=-4))
    assert (early.submit == jobs["submit"]).all()


def test_a_recording_of_other_jobs_is_an_error(compared):
    site, jobs, recorded, passes = compared
    with pytest.raises(ValueError, match=r"repetition 1 has other jobs .*: record it"):
        runs_of(site, jobs.iloc[1:].reset_index(drop=True), recorded, passes)


def test_what_is_kept_of_runs_has_no_column_of_the_log(cut, tmp_path):
    _, jobs = cut
    runs = pd.DataFrame(
        {
            "name": "j" + jobs["number"].astype(str),
            "submit": jobs["submit"] + 3,
            "start": jobs["submit"] + 13,
            "end": jobs["submit"] + jobs["runtime"] + 17,
            "state": "COMPLETED",
        }
    )
    path = tmp_path / "run2.csv"
    runs.iloc[::-1].to_csv(path, index=False)
    kept = recorded_in(jobs, [str(path)])
    assert kept["number"].tolist() == jobs["number"].tolist()
    values = kept[["repetition", "late", "wait", "over"]].drop_duplicates().to_numpy().tolist()
    assert values == [[2, 3, 10, 4]]
    runs.assign(state="FAILED").to_csv(path, index=False)
    with pytest.raises(ValueError, match=r"run2.csv: j\d+ is FAILED: record it again"):
        recorded_in(jobs, [str(path)])


def test_passes_are_those_since_the_first_submission(tmp_path):
    path = tmp_path / "log3.txt.gz"
    with gzip.open(path, "wt") as log:
        log.write("# time 0 is 1200\n")
        for second in (-60, 0, 60):
            log.write(f"{second} sched/backfill: _attempt_backfill: beginning\n{second} other\n")
    assert passes_in([str(path)]).to_numpy().tolist() == [[3, 0], [3, 60]]
