"""Small writers of every format that a log can have, from the same jobs."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pandas as pd

from schedlab.traces.slurm.sacct_lines import clock

#: a job of an hour on 8 processors that waited for ten minutes, with a limit of two hours
JOB = {"number": 1, "submit": 1_709_290_000, "wait": 600, "runtime": 3600, "procs": 8}
JOB |= {"limit": 120, "user": "ada"}
#: layouts of `sacct --json`: numbers plain, or objects
PLAIN, OBJECTS = "21.08", "24.05"


def jobs(count: int) -> list[dict[str, Any]]:
    """Return different jobs."""
    return [
        JOB
        | {"number": 10 + place, "submit": JOB["submit"] + 977 * place, "procs": 1 + place}
        | {"runtime": 3600 + place, "limit": 120 + place, "user": f"u{place % 3}"}
        for place in range(count)
    ]


def times(job: Mapping[str, Any]) -> tuple[int, int, int]:
    """Return when a job is submitted, starts and ends."""
    start = job["submit"] + job["wait"]
    return job["submit"], start, start + job["runtime"]


def sacct_text(rows: list[dict[str, Any]], separator: str = "|", quote: str = "") -> str:
    """Return lines of sacct."""
    names = [
        "JobID",
        "User",
        "Submit",
        "Eligible",
        "Start",
        "End",
        "Elapsed",
        "State",
        "NCPUS",
        "Timelimit",
    ]
    lines = [names]
    for job in rows:
        submit, start, end = times(job)
        lines.append(
            [
                *(job["number"], job["user"], submit, submit, start, end, clock(job["runtime"])),
                *("COMPLETED", job["procs"], clock(job["limit"] * 60)),
            ]
        )
    return "".join(
        separator.join(f"{quote}{cell}{quote}" for cell in line) + "\n" for line in lines
    )


def json_job(job: Mapping[str, Any], layout: str = OBJECTS) -> dict[str, Any]:
    """Return an object of `sacct --json`."""
    submit, start, end = times(job)

    def number(value: int | None) -> object:
        if layout == PLAIN:
            return value
        return {"set": value is not None, "infinite": False, "number": value or 0}

    return {
        "account": "physics", "allocation_nodes": 2, "cluster": "c", "group": "staff",
        "array": {"job_id": 0, "task_id": number(None), "task": None},
        "association": {"account": "physics", "cluster": "c", "user": job["user"]},
        "het": {"job_id": 0, "job_offset": number(None)},
        "job_id": job["number"], "name": "a|b", "partition": "main", "qos": "normal",
        "required": {"CPUs": job["procs"], "memory_per_node": number(1024)},
        "state": {"current": "COMPLETED" if layout == PLAIN else ["COMPLETED"], "reason": "None"},
        "steps": [{"step": {"id": f"{job['number']}.batch"}, "time": {"elapsed": 1}}],
        "time": {"submission": submit, "eligible": submit, "start": start, "end": end,
                 "elapsed": job["runtime"], "limit": number(job["limit"])},
        "tres": {"allocated": [{"type": "cpu", "name": "", "id": 1, "count": job["procs"]},
                               {"type": "energy", "name": "", "id": 3, "count": -2}],
                 "requested": [{"type": "cpu", "name": "", "id": 1, "count": job["procs"]}]},
        "user": job["user"],
    }  # fmt: skip


def sacct_json(rows: list[dict[str, Any]], layout: str = OBJECTS) -> str:
    """Return the output of `sacct --json`."""
    content = [json_job(job, layout) for job in rows]
    if layout == PLAIN:
        return json.dumps({"meta": {"Slurm": {}}, "errors": [], "jobs": content}, indent=2)
    return json.dumps({"jobs": content, "meta": {}, "errors": [], "warnings": []}, indent=2)


def pbs(rows: list[dict[str, Any]]) -> str:
    """Return ends of jobs of PBS's accounting."""
    lines = []
    for job in rows:
        submit, start, end = times(job)
        pairs = {
            "user": job["user"], "group": "g", "queue": "main", "ctime": submit, "etime": submit,
            "start": start, "exec_host": f"n1/0*{job['procs']}", "end": end, "Exit_status": 0,
            "Resource_List.walltime": clock(job["limit"] * 60),
            "resources_used.walltime": clock(job["runtime"]),
        }  # fmt: skip
        told = " ".join(f"{name}={value}" for name, value in pairs.items())
        lines.append(f"03/01/2024 14:10:00;E;{job['number']}.srv;{told}\n")
    return "".join(lines)


def sge_line(job: Mapping[str, Any], **others: object) -> str:
    """Return a line of Grid Engine's accounting; `others` are values by name."""
    submit, start, end = times(job)
    values = {
        "qname": "all.q", "hostname": "n1", "group": "staff", "owner": job["user"],
        "job_name": "a b", "job_number": job["number"], "account": "sge", "priority": 0,
        "submission_time": submit, "start_time": start, "end_time": end, "failed": 0,
        "exit_status": 0, "ru_wallclock": job["runtime"],
        **{f"ru{place}": 0 for place in range(17)},
        "project": "NONE", "department": "default", "granted_pe": "mpi", "slots": job["procs"],
        "task_number": 0, "cpu": 1.5, "mem": 0.1, "io": 0.0,
        "category": f"-U users -l h_rt={job['limit'] * 60},h_vmem=4G -pe mpi {job['procs']}",
        "iow": 0.0, "pe_taskid": "NONE", "maxvmem": 0.0, "arid": 0, "ar_submission_time": 0,
    }  # fmt: skip
    return ":".join(map(str, (values | others).values())) + "\n"


def sge(rows: list[dict[str, Any]]) -> str:
    """Return Grid Engine's accounting."""
    return "# Version: 6.2\n" + "".join(map(sge_line, rows))


def gwf(rows: list[dict[str, Any]]) -> str:
    """Return text of the Grid Workloads Archive."""
    lines = ["# JobID SubmitTime WaitTime RunTime NProcs\n"]
    for job in rows:
        cells = [job["number"], job["submit"], job["wait"], job["runtime"], job["procs"], -1, -1]
        cells += [job["procs"], job["limit"] * 60, -1, 1, job["user"], "G1", "X1", "Q0", "P0"]
        cells += ["S1", "S1", "UNITARY", *[-1] * 8, "V1", -1]
        lines.append("\t".join(map(str, cells)) + "\n")
    return "".join(lines)


def pm100(rows: list[dict[str, Any]]) -> pd.DataFrame:
    """Return a table in the columns of PM100."""
    return pd.DataFrame(
        [
            {
                "job_id": job["number"], "user_id": int(job["user"].strip("u") or 0)
                if job["user"] != "ada" else 7, "run_time": job["runtime"],
                **{
                    name: datetime.fromtimestamp(second, UTC)
                    for name, second in zip(
                        ("submit_time", "start_time", "end_time"), times(job), strict=True
                    )
                },
                "time_limit": job["limit"], "job_state": "COMPLETED",
                "num_cores_alloc": job["procs"], "num_cores_req": job["procs"],
            }
            for job in rows
        ]
    )  # fmt: skip


def swf(rows: list[dict[str, Any]]) -> str:
    """Return the Standard Workload Format."""
    first = min((job["submit"] for job in rows), default=0)
    lines = [f"; UnixStartTime: {first}\n; MaxProcs: 1000\n"]
    for job in rows:
        cells = [job["number"], job["submit"] - first, job["wait"], job["runtime"], job["procs"]]
        cells += [-1, -1, job["procs"], job["limit"] * 60, -1, 1, *[-1] * 7]
        lines.append(" ".join(map(str, cells)) + "\n")
    return "".join(lines)


#: writers of text, by the names of readers and variants
TEXTS: dict[str, Callable[[list[dict[str, Any]]], str]] = {
    "sacct": sacct_text,
    "table": lambda rows: sacct_text(rows, ","),
    "table, tabs": lambda rows: sacct_text(rows, "\t"),
    "table, quoted": lambda rows: sacct_text(rows, ",", '"'),
    "table, PM100": lambda rows: pm100(rows).to_csv(index=False),
    "sacct JSON": sacct_json,
    "sacct JSON, 21.08": lambda rows: sacct_json(rows, PLAIN),
    "PBS": pbs,
    "Grid Engine": sge,
    "GWF": gwf,
    "SWF": swf,
}


def write(path: Path, content: str | bytes) -> Path:
    """Write a file and return its path."""
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path
