"""Policies exported to Slurm order the queue of a real Slurm as computed."""

import contextlib
import os
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass

import numpy as np
import pytest

from schedlab.exports.slurm import slurm_export
from schedlab.policies import get
from schedlab.slurm.cluster import run, wait_until
from schedlab.slurm.database import with_database

pytestmark = [pytest.mark.slurm, pytest.mark.whole]
PROCESSORS = 32
# one job at a time, whatever its size: the order of ends is that of starts
TOKEN = "Licenses=token:1"
#: processors and minutes of the time limit; nodes have 8
WHOLE_NODES = [(16, 30), (8, 10), (32, 10), (8, 300), (24, 5), (16, 7)]
ANY = [(30, 30), (8, 10), (32, 2), (1, 300), (20, 5), (8, 9), (1, 301)]
ORIGIN = int(time.time()) - 86400
AGEING = "0.5 * (n / 1.0) + 0.5 * (s / 2.0)"
MIXED = "0.2 * (n / 9.5) + 0.3 * (r / 4000.0) + 0.5 * (s / 20.0)"


@dataclass(frozen=True)
class Waiting:
    """The waiting jobs in the order of their numbers, as squeue has them."""

    number: np.ndarray
    procs: np.ndarray
    estimate: np.ndarray
    submit: np.ndarray
    priority: np.ndarray

    def order(self, policy, wait=0.0):
        """Return the numbers in the policy's order, ties in that of submission."""
        score = get(policy).program.scores(self.estimate, self.procs, self.submit - ORIGIN, wait)
        return self.number[np.lexsort((self.number, score))].tolist()

    def by_priority(self):
        """Return the numbers in Slurm's order."""
        return self.number[np.lexsort((self.number, -self.priority))].tolist()


def submit(*options, command="true"):
    done = run("sbatch", "--parsable", "-Ltoken:1", "-o/dev/null", *options, f"--wrap={command}")
    return int(done)


@contextlib.contextmanager
def blocked(slurm, lines, files):
    """Block the queue during the block, then release the jobs."""
    with slurm.under([*lines, TOKEN], files):
        yield block()


def block():
    """Submit a job that holds the token; its number, when it runs."""
    first = submit("-n1", "-t600", command="sleep 600")
    wait_until("the first job", lambda: "R" in run("squeue", "-h", f"-j{first}", "-o%t"))
    return first


def submit_jobs(jobs, pause=0.0):
    """Submit jobs of (processors, minutes); some are left without a limit."""
    for procs, minutes in jobs:
        submit(f"-n{procs}", *([f"-t{minutes}"] if minutes else []))
        time.sleep(pause)


def waiting():
    """Return the waiting jobs with their requested limits."""
    lines = run("squeue", "-h", "-tPD", "-o%A|%C|%V|%Q").split()
    rows = sorted(line.split("|") for line in lines)
    rows.sort(key=lambda row: int(row[0]))
    stamp = [time.mktime(time.strptime(row[2], "%Y-%m-%dT%H:%M:%S")) for row in rows]
    limits = [60 * minutes_of(row[0]) for row in rows]
    columns = [[int(row[k]) for row in rows] for k in (0, 1, 3)]
    number, procs, priority = map(np.array, columns)
    return Waiting(number, procs, np.array(limits), np.array(stamp), priority)


def minutes_of(job):
    limit = run("squeue", "-h", f"-j{job}", "-O", "TimeLimit").strip()
    days, _, clock = limit.rpartition("-")
    parts = [int(part) for part in clock.split(":")]
    hours, minutes = parts[:2] if len(parts) == 3 else (0, parts[0])
    return int(days or 0) * 1440 + hours * 60 + minutes


def starts(slurm, first, count):
    """Release the jobs; return their numbers in the order in which they ran."""
    run("scancel", str(first))
    wait_until("the end of the jobs", lambda: not run("squeue", "-h"))
    ran = [int(job["JobId"]) for job in slurm.completed() if int(job["JobId"]) > first]
    return ran[-count:]


@pytest.mark.parametrize(
    ("policy", "means", "jobs"),
    [
        ("fcfs", "weights", ANY),
        ("sqf", "weights", ANY),
        ("lqf", "weights", ANY),
        ("srf", "weights", WHOLE_NODES),
        ("lrf", "weights", WHOLE_NODES),
        *((name, "submit", ANY) for name in ("lcfs", "lpf", "saf")),
        *((name, "submit", ANY) for name in ("f1", "f2", "f3", "f4", MIXED, "r - 40 * w")),
    ],
)
def test_queue_is_in_the_order_of_the_policy(slurm, policy, means, jobs):
    export = slurm_export(policy, processors=PROCESSORS, origin=ORIGIN, means=means)
    files = {name: text for name, text in export.files.items() if name.endswith(".lua")}
    with blocked(slurm, export.lines, files) as first:
        submit_jobs(jobs, pause=1.0 if "s" in export.policy.expression else 0.0)
        queue = waiting()
        assert sorted(zip(queue.procs, queue.estimate // 60, strict=True)) == sorted(jobs)
        resting = "r + 40 * s" if policy == "r - 40 * w" else policy
        assert queue.by_priority() == queue.order(resting)
        assert starts(slurm, first, len(jobs)) == queue.order(resting)


def test_orders_differ_between_policies():
    orders = {
        tuple(np.lexsort((range(len(ANY)), get(name).program.scores(*columns()))))
        for name in ("fcfs", "sqf", "lqf", "spt", "lpf", "saf", "laf", "srf", "lrf", "lcfs")
    }
    assert len(orders) == 10


def columns():
    procs, minutes = np.array(ANY).T
    return minutes * 60, procs, np.arange(len(ANY)) + 86400


def test_place_of_a_job_survives_hold_restart_and_a_new_limit(slurm):
    export = slurm_export("spt", processors=PROCESSORS, origin=ORIGIN)
    with blocked(slurm, export.lines, {"job_submit.lua": export.files["job_submit.lua"]}):
        submit_jobs([(4, 60), (4, 20), (2, 40)])
        before = waiting()
        one = str(before.number[0])
        run("scontrol", "hold", one)
        assert run("squeue", "-h", f"-j{one}", "-o%Q").strip() == "0"
        run("scontrol", "release", one)
        run("scontrol", "update", f"JobId={one}", "TimeLimit=5")
        slurm.restart()
        assert waiting().priority.tolist() == before.priority.tolist()


def test_jobs_without_a_limit_and_arrays_are_ordered(slurm):
    """Without a limit the partition's default counts, here 50 minutes."""
    export = slurm_export("spt", processors=PROCESSORS, origin=ORIGIN)
    partition = "PartitionName=main Nodes=n[1-4] Default=YES DefaultTime=50 MaxTime=INFINITE"
    files = {"job_submit.lua": export.files["job_submit.lua"]}
    with blocked(slurm, [*export.lines, partition], files):
        submit_jobs([(1, 49), (1, None), (1, 51), (1, 50)])
        run("sbatch", "-Ltoken:1", "-n1", "-t48", "--array=0-2", "--wrap=true")
        found = run("squeue", "-h", "-tPD", "-o%K|%Q").split()
    priority = [int(line.split("|")[1]) for line in found]
    assert len(priority) == 5
    array, shorter, none, same, longer = sorted(priority, reverse=True)
    assert none == same
    assert found[[int(line.split("|")[1]) for line in found].index(array)].startswith("0-2")
    assert array > shorter > none > longer


@pytest.mark.parametrize("options", [("-N2",), ("-N2", "--ntasks-per-node=3"), ("-n3", "-c2")])
def test_processors_are_those_counted_by_slurm(slurm, options):
    export = slurm_export("sqf", processors=PROCESSORS, means="submit")
    with blocked(slurm, export.lines, {"job_submit.lua": export.files["job_submit.lua"]}):
        submit("-t5", *options)
        time.sleep(2)
        queue = waiting()
        submit("-t5", f"-n{queue.procs[0]}")
        assert len(set(waiting().priority)) == 1


def test_with_a_database_jobs_age_by_the_weights(slurm):
    """Two seconds of waiting are a processor; Slurm counts them once a minute."""
    export = slurm_export(AGEING, processors=PROCESSORS)
    assert export.means == "weights"
    jobs = [(5, 10), (4, 10), (9, 10), (5, 10)]
    with with_database(slurm, [*export.lines, TOKEN]):
        first = block()
        submit_jobs(jobs, pause=4.0)
        fresh = waiting()
        assert fresh.by_priority() == fresh.order("n"), "of age 0"
        time.sleep(40)  # the sign of it may take a minute and a little
        wait_until("age", lambda: "0" not in run("sprio", "-h", "-o%A").split())
        queue = waiting()
        assert queue.by_priority() == queue.order(AGEING) != queue.order("n")
        gaps = np.diff(get(AGEING).program.scores(queue.estimate, queue.procs, queue.submit))
        scale = np.diff(queue.priority) / -gaps
        assert scale == pytest.approx(scale[0], rel=0.2), "whole seconds, of which gaps have few"
        assert starts(slurm, first, len(jobs)) == queue.order(AGEING)


def test_the_script_orders_a_moving_queue(slurm, tmp_path):
    export = slurm_export("wfp3", processors=PROCESSORS, origin=ORIGIN)
    script = tmp_path / "slurm_priority.py"
    script.write_text(export.files["slurm_priority.py"])
    with blocked(slurm, export.lines, {}) as first:
        # by hand: the last job overtakes the first some 13 s after its submission
        jobs = [(32, 5), (8, 240), (4, 60), (1, 1)]
        submit_jobs(jobs[:-1], pause=2.5)
        submit_jobs(jobs[-1:])
        orders = []
        for pause in (0, 18):
            time.sleep(pause)
            subprocess.run([sys.executable, script], check=True)
            queue = waiting()
            assert sorted(queue.priority.tolist()) == [1, 2, 3, 4]
            orders.append(queue.by_priority())
            assert orders[-1] in [
                queue.order("wfp3", time.time() - ago - queue.submit) for ago in (0, 1, 2, 3)
            ]
        assert orders[0] != orders[1], "the order moves"
        assert starts(slurm, first, len(jobs)) == orders[1]


@pytest.mark.parametrize(("points", "order"), [(90, [2, 1, 0]), (900, [0, 1, 2])])
def test_points_are_added_to_the_priorities_of_the_site(slurm, tmp_path, points, order):
    """A processor more is worth 100 points to the site; the policy wants the narrowest first."""
    export = slurm_export("sqf", processors=PROCESSORS, points=points)
    script = tmp_path / "slurm_priority.py"
    script.write_text(export.files["slurm_priority.py"])
    own = ["PriorityType=priority/multifactor", f"PriorityWeightTRES=CPU={100 * PROCESSORS}"]
    with blocked(slurm, [*export.lines, *own], {}) as first:
        submit_jobs([(1, 5), (2, 5), (3, 5)])
        before = waiting()
        assert np.diff(before.priority).tolist() == [100, 100]
        subprocess.run([sys.executable, script], check=True)
        gained = waiting().priority - before.priority
        assert gained.tolist() == [points, 2 * points // 3, points // 3]
        assert starts(slurm, first, 3) == before.number[order].tolist()


def test_script_does_not_change_held_jobs(slurm, tmp_path):
    export = slurm_export("unicef", processors=PROCESSORS, origin=ORIGIN)
    script = tmp_path / "slurm_priority.py"
    script.write_text(export.files["slurm_priority.py"])
    with blocked(slurm, export.lines, {}):
        submit_jobs([(4, 240), (8, 60)])
        held = str(waiting().number[0])
        run("scontrol", "hold", held)
        subprocess.run([sys.executable, script], check=True)
        assert run("squeue", "-h", f"-j{held}", "-o%Q|%r").split() == ["0|JobHeldAdmin"]
        said = subprocess.run([sys.executable, script, "--dry-run"], capture_output=True, text=True)
        assert said.stdout.split() == ["update", f"JobId={int(held) + 1}", "SiteFactor=1"]


def test_script_continues_if_a_job_is_gone(slurm, tmp_path):
    """The queue that it reads has a job that has ended meanwhile, whose update comes first."""
    export = slurm_export("wfp3", processors=PROCESSORS, origin=ORIGIN)
    script, queue = tmp_path / "slurm_priority.py", tmp_path / "squeue"
    script.write_text(export.files["slurm_priority.py"])
    queue.write_text(
        f'#!/bin/sh\necho "99999|1|1:00|9999999999|Priority"\n{shutil.which("squeue")} "$@"\n'
    )
    queue.chmod(0o755)
    with blocked(slurm, export.lines, {}):
        submit_jobs([(4, 240), (8, 60)])
        path = os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
        done = subprocess.run([sys.executable, script], env=path, capture_output=True, text=True)
        assert (done.returncode, done.stdout) == (0, "")
        assert done.stderr.count("Invalid job id") == 1
        assert sorted(waiting().priority.tolist()) == [2, 3]


def test_printed_lines_can_be_included_in_slurm_conf(slurm):
    """The file of lines goes in as it is, by Include."""
    export = slurm_export("lqf", processors=PROCESSORS)
    with slurm.under(["Include slurm-priority.conf"], export.files):
        said = run("scontrol", "show", "config")
    assert f"PriorityWeightTRES      = CPU={1000 * PROCESSORS}" in said
