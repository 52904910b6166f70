"""A present queue on a site's own Slurm: places, ages, priorities, limits, mistakes."""

import json

import numpy as np
import pytest

from schedlab.queue.site_problem import problem_of
from schedlab.traces.slurm.queue_entries import QueueError
from schedlab.traces.slurm.site_files import read_site
from schedlab.traces.slurm.slurm_json import read_squeue_json
from schedlab.workbench.site_queue import load_site_queue
from site_queue_case import LINES, OLD, queue_of, write


def test_running_jobs_are_on_their_nodes_and_waiting_jobs_age(tmp_path):
    queue = queue_of(tmp_path)
    names = queue.site.machine.names
    where = {
        queue.entries["id"][job]: {names[node]: cpus for node, cpus in nodes.items()}
        for job, nodes in queue.where.items()
    }
    assert where == {"1": {"c1": 4, "c2": 4}, "2": {"g1": 2}}
    assert queue.now - queue.elapsed[queue.place("1")] == 600
    assert queue.accrue[queue.place("4")] == 700 + 60
    kernel = queue.kernel(queue.problem)
    assert kernel.ages(queue.place("4"))[1] == 760
    starts = kernel.starts()
    assert starts[queue.place("1")] == 600
    assert starts[queue.place("3")] == -1


def test_requests_are_those_of_the_queue(tmp_path):
    requests = queue_of(tmp_path).jobs.requests.to_frame().astype(object)
    assert requests.iloc[2].to_dict() | {"after": ""} == {
        **{"nodes": 2, "most_nodes": 0, "tasks": 8, "cpus_per_task": 1, "memory": 100},
        **{"per_cpu": True, "exclusive": False, "begin": -1, "array": -1, "nice": 5},
        **{"gres": "", "features": "ib", "partition": "main,gpu", "qos": "high"},
        **{"account": "physics", "user": "ada", "reservation": "", "after": ""},
    }
    assert requests["gres"].tolist() == ["", "gpu:1", "", "gpu:2", ""]
    assert requests["exclusive"].tolist() == [False] * 4 + [True]


def test_json_is_the_same_queue(tmp_path):
    jobs = [
        {
            **{"job_id": 1, "job_state": "RUNNING", "cpus": 8, "time_limit": 30, "node_count": 2},
            **{"submit_time": 1000, "start_time": 1600, "eligible_time": 1000, "nodes": "c[1-2]"},
            **{"user_name": "ada", "account": "physics", "qos": "normal", "partition": "main"},
            **{"memory_per_cpu": 100, "tasks": 8, "tres_per_node": "", "priority": 7, "nice": 5},
            "job_resources": {
                "allocated_nodes": [
                    {"nodename": "c1", "cpus_used": 5},
                    {"nodename": "c2", "cpus_used": 3},
                ]
            },
        }
    ]
    path = tmp_path / "squeue.json"
    path.write_text(json.dumps({"jobs": jobs, "last_update": 2000}))
    conf, accounts, _ = write(tmp_path)
    with pytest.raises(ValueError, match="c1, on which 5 processors are in use of 4"):
        load_site_queue(path, lambda origin: read_site(conf, accounts, origin=origin))
    jobs[0]["job_resources"]["allocated_nodes"] = [
        {"nodename": "c1", "cpus": 4},
        {"nodename": "c2", "cpus": 4},
    ]
    path.write_text(json.dumps({"jobs": jobs, "last_update": 2000}))
    queue = load_site_queue(path, lambda origin: read_site(conf, accounts, origin=origin))
    assert queue.where == {0: {0: 4, 1: 4}}
    assert queue.now == 1000
    requests = queue.jobs.requests.to_frame().iloc[0]
    assert (requests["memory"], requests["per_cpu"], requests["nice"]) == (100, True, 5)
    assert (requests["nodes"], requests["tasks"], requests["account"]) == (2, 8, "physics")


def test_processors_of_a_node_are_its_allocated_cores_in_older_json(tmp_path):
    """As Slurm 22.05 writes them; a core has two processors here."""
    cores = [["allocated"] * 2, ["allocated", "unassigned"]]
    nodes = [
        {"nodename": name, "cpus_used": 0, "sockets": {"0": {"cores": dict(enumerate(states))}}}
        for name, states in zip(("c1", "c2"), cores, strict=True)
    ]
    job = {"job_id": 1, "job_state": "RUNNING", "cpus": 6, "time_limit": 30, "nodes": "c[1-2]"}
    job |= {"submit_time": 1000, "start_time": 1600, "partition": "main"}
    path = tmp_path / "squeue.json"
    path.write_text(json.dumps({"jobs": [job | {"job_resources": {"allocated_nodes": nodes}}]}))
    assert read_squeue_json(path, "2000").entries["where"].tolist() == ["c1:4 c2:2"]


def test_recorded_priorities_count_where_computed_ones_differ(tmp_path):
    queue = queue_of(tmp_path)
    pairs, priority = queue.kernel(queue.problem).queue()
    jobs = np.repeat(np.arange(len(queue.jobs)), np.diff(queue.problem.pair_of))[pairs]
    of = dict(zip(queue.entries["id"][jobs], priority, strict=True))
    # QOS high is 1000 points and nice takes 5; the other one has 60 more than its QOS
    assert of == {"3": 995, "4": 160}
    assert queue.points.tolist() == [0, 0, 0, 60, 0]


def test_jobs_that_cannot_start_have_a_reason(tmp_path):
    queue = queue_of(tmp_path, LINES.replace("|Resources|", "|JobHeldUser|"))
    assert queue.stuck.to_numpy().tolist() == [
        ["3", "held by its user"],
        ["5", "waits for job 3, which cannot start"],
    ]
    with pytest.raises(ValueError, match="no job 17 waits; 4 do"):
        queue.place("17")


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("|c[1-2]|", "|c[1-9]|", "job 1: field NODELIST 'c[1-9]' has c3, which is no node of the"),
        ("|c[1-2]|", "|c[2-1]|", "field NODELIST 'c[2-1]' has no meaning"),
        ("|c[1-2]|", "||", "field NODELIST '' is empty"),
        ("2|RUNNING|2|", "2|RUNNING|9|", "9 processors are in use of 8"),
        ("100M|cpu=8,mem=800M", "much|cpu=8", "line 1: field MinMemory 'much' is no amount of mem"),
        ("|OK|5|", "|OK|x|", "line 3: field Nice 'x' is no number; write it with squeue"),
        ("|PENDING|8|", "|PENDING|0|", "line 3: field CPUS '0' is no number of processors"),
    ],
)
def test_mistakes_name_file_line_and_field(tmp_path, old, new, words):
    assert old in LINES
    with pytest.raises(ValueError, match=r"squeue.txt: ") as caught:
        queue_of(tmp_path, LINES.replace(old, new))
    assert words in str(caught.value)


def test_a_queue_without_requests_is_refused(tmp_path):
    with pytest.raises(ValueError, match="does not have what jobs ask for; write it with squeue"):
        queue_of(tmp_path, OLD)


def test_a_job_that_runs_without_an_association_is_an_error(tmp_path):
    """The kernel has no place for it, and would take that of another job."""
    conf, accounts, queue = write(tmp_path)
    for text in ("", accounts.read_text().replace("biology", "botany")):
        accounts.write_text(text)
        found = load_site_queue(queue, lambda origin: read_site(conf, accounts, origin=origin))
        with pytest.raises(QueueError, match=r"squeue\.txt: job [12] runs, but .* never starts: "):
            found.kernel(problem_of(found.site, found.jobs, found.jobs.requests))
