"""The result of a log on a site's own Slurm."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from schedlab.traces.site_rules import partition_limit
from schedlab.traces.slurm.site_files import read_site
from schedlab.workbench.log import load_log
from schedlab.workbench.results import simulate
from schedlab.workbench.site_results import RULES, simulate_site
from slurm_site_case import EVENTS, write_site


def result_of(folder: Path, events: str = EVENTS):
    write_site(folder, events)
    site = read_site(folder / "slurm.conf", folder / "accounts.txt")
    rule = partition_limit(site.machine.partitions)
    path = folder / "week.events"
    log = load_log(path, RULES, site.machine.processors, rule, drop_wide=True)
    return simulate_site(log, site)


def test_result_has_the_jobs_that_start_and_why_the_others_do_not(tmp_path):
    """Job 1 has the machine; job 5 waits for job 2: without --mem it has all memory of g1."""
    result = result_of(tmp_path)
    assert result.log.jobs.number.tolist() == [1, 2, 3, 5]
    assert result.schedule.start.tolist() == [0, 601, 601, 902]
    assert result.never.to_dict("list") == {
        "number": [4],
        "why": ["its limit of 5400 s exceeds MaxTime of partition main"],
    }
    assert [left.key for left in result.not_modeled] == ["Licenses"]
    assert result.label == "Slurm 22.05"


def test_rows_have_partitions_nodes_and_names(tmp_path):
    frame = result_of(tmp_path).to_frame().set_index("number")
    rows = frame[["ran_in", "ran_on", "user", "account"]].to_numpy().tolist()
    assert rows == [
        ["main", "c1 c2 g1", "ada", "physics"],
        ["main", "g1", "bob", "biology"],
        ["main", "c1", "bob", "biology"],
        ["gpu", "g1", "ada", "physics"],
    ]


def test_use_is_of_processors_memory_and_gpus(tmp_path):
    """Job 1 has all 16 processors and 100 MB for each, of 4,000; the last one is submitted at 8."""
    assert result_of(tmp_path).use().to_dict() == {"cpu": 1, "mem": 0.4, "gres/gpu": 0}
    gpu = "-e submit_batch_job | -sim-walltime 60 -n 1 -t 5 --gres=gpu:1 --uid=ada --mem=9 x\n"
    assert result_of(tmp_path, f"-dt 0 {gpu}-dt 10 {gpu}").use()["gres/gpu"] == 0.5


def test_groups_are_of_the_partition_that_ran_a_job_and_its_account(tmp_path):
    result = result_of(tmp_path)
    assert result.by("qos")["jobs"].to_dict() == {"normal": 3, "high": 1}
    assert result.by("user")["jobs"].to_dict() == {"ada": 2, "bob": 2}
    assert result.by("partition")["jobs"].to_dict() == {"main": 3, "gpu": 1}
    assert result.by("account")["mean_wait"].to_dict() == {"physics": 447, "biology": 595.5}


def test_logs_with_requests_have_groups_without_a_site(tmp_path):
    result = result_of(tmp_path)
    assert simulate(result.log).by("qos")["jobs"].to_dict() == {"normal": 1, "high": 1, "": 2}


def test_no_job_that_starts_is_an_error(tmp_path):
    late = EVENTS.splitlines()[3]
    with pytest.raises(ValueError, match=r"no job starts; job 1: its limit of 5400 s exceeds"):
        result_of(tmp_path, late)


def test_memory_that_does_not_count_is_not_in_use(tmp_path):
    result = result_of(tmp_path)
    site = replace(result.site, memory_counts=False)
    assert list(replace(result, site=site).use().index) == ["cpu", "gres/gpu"]
