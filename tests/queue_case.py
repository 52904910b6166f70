"""Small queues as files: output of squeue and sinfo, as text and as JSON."""

import json

from schedlab.workbench.whatif import what_if

#: one job of 2 processors runs for 90 s, three wait
LINES = """\
1|RUNNING|2|10:00|1:30|2026-11-22T12:00:00|2026-11-22T11:59:00|ann|main|5|(null)|None
2|PENDING|3|5:00|0:00|N/A|2026-11-22T11:59:10|bob|main|9|(null)|Resources
3|PENDING|1|1:00|0:00|N/A|2026-11-22T11:59:20|bob|main,wide|7|(null)|Priority
4|PENDING|1|2:00|0:00|N/A|2026-11-22T11:59:30|ann|wide|8|afterany:2(unfulfilled)|Dependency
"""
NODES = "a|main|mixed|2/2/0/4\nb|wide|idle|0/4/0/4\n"


def texts(folder, lines=LINES, nodes=NODES):
    queue, machine = folder / "squeue.txt", folder / "sinfo.txt"
    queue.write_text(lines)
    machine.write_text(nodes)
    return queue, machine


def shape(present):
    """All parts of a queue state that are compared."""
    standing = present.standing
    columns = [
        [getattr(jobs, name).tolist() for name in ("submit", "estimate", "procs")]
        for jobs in (standing.running, standing.waiting)
    ]
    return standing.processors, standing.now, columns, standing.started.tolist(), standing.after


#: as newer versions write one: it runs since 1000, for 10 minutes at most
RUNS = {"job_id": 1, "job_state": ["RUNNING"], "time_limit": 10, "cpus": 2, "submit_time": 900}
RUNS |= {"start_time": 1000, "partition": "main", "priority": 5, "state_reason": "None"}
WAITS = RUNS | {"job_id": 2, "job_state": ["PENDING"], "cpus": 4, "start_time": 0}


def jsons(folder, jobs, told=1100, **node):
    queue, machine = folder / "squeue.json", folder / "nodes.json"
    queue.write_text(json.dumps({"jobs": jobs, "last_update": told}))
    one = {"name": "a", "state": ["MIXED"], "cpus": 4, "alloc_cpus": 2, "partitions": ["main"]}
    other = {"name": "b", "state": ["IDLE"], "cpus": 4, "alloc_cpus": 0, "partitions": ["main"]}
    machine.write_text(json.dumps({"nodes": [one] + ([other | node] if node else [])}))
    return queue, machine


def start_of_the_first(present):
    """Counted from now on."""
    return int(what_if(present, ["fcfs"]).starts["FCFS"].iloc[0]) - present.source.now
