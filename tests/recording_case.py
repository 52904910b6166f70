"""Recordings of a real Slurm: configuration, submissions, runs and logs of its decisions."""

from __future__ import annotations

import csv
import gzip
import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import numpy as np
import pandas as pd

from schedlab.core.jobs import Jobs
from schedlab.core.machine import Change
from schedlab.core.requests import Requests
from schedlab.core.slurm_site import Site
from schedlab.queue.site_problem import SiteProblem, problem_of
from schedlab.queue.slurm_site import Phases
from schedlab.traces.slurm.hostlist import expand
from schedlab.traces.slurm.site_files import read_site
from twins.slurm_site import Controller

OWN = Path(__file__).parent / "recordings"
FOLDER = Path(os.environ.get("SCHEDLAB_RECORDINGS", OWN))
#: a start in a log and in the accounting may differ by so many seconds
NEAR = 20


def recordings() -> list[tuple[str, int]]:
    """Return the experiments and repetitions of the folder of recordings."""
    return [
        (run.parent.name, int(re.sub(r"\D", "", run.stem)))
        for run in sorted(FOLDER.glob("*/run*.csv"))
    ]


def read_csv(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


@dataclass
class Pass:
    """A backfill pass: pairs tested with their times, and what Slurm planned and started."""

    time: int
    line: int
    tests: list[tuple[int, str, int]] = field(default_factory=list)
    plans: dict[tuple[int, str], tuple[int, frozenset[int]]] = field(default_factory=dict)
    starts: dict[tuple[int, str], frozenset[int]] = field(default_factory=dict)


class Recording:
    """A repetition of an experiment."""

    def __init__(self, name: str, repetition: int) -> None:
        self.name, self.repetition, self.folder = name, repetition, FOLDER / name
        self.site: Site = read_site(self.folder / "slurm.conf", [self.folder / "sacctmgr.txt"])
        self.place = {node: k for k, node in enumerate(self.site.machine.names)}
        changes = tuple(self._change(row) for row in self._rows("events.csv"))
        self.site = replace(self.site, machine=replace(self.site.machine, changes=changes))
        self.submissions = {row["name"]: row for row in self._rows("submissions.csv")}
        rows = self._rows(f"run{repetition}.csv")
        self.runs = [row for row in rows if row["job"].isdigit() and row["name"]]
        self.lines: list[tuple[int, str]] = []
        with gzip.open(self.folder / f"log{repetition}.txt.gz", "rt", encoding="utf-8") as log:
            self.clock = int(re.search(r"time 0 is (\d+)", next(log))[1])
            for line in log:
                time, _, text = line.strip().partition(" ")
                self.lines.append((int(time), text))

    def _rows(self, name: str) -> list[dict[str, str]]:
        path = self.folder / name
        return read_csv(path) if path.exists() else []

    def _change(self, row: dict[str, str]) -> Change:
        """Return what a command of scontrol does."""
        words = dict(re.findall(r"(\w+)=(\S+)", row["command"]))
        if "NodeName" in words:
            kind = words["State"].lower()
            return Change(int(row["time"]), kind, tuple(sorted(self.nodes(words["NodeName"]))))
        nodes = self.place.values() if words["Nodes"] == "ALL" else self.nodes(words["Nodes"])
        begin = int(words["StartTime"].removeprefix("@+"))
        return Change(
            begin, "reservation", tuple(sorted(nodes)), begin + 60 * int(words["Duration"]),
            int(row["time"]), words["ReservationName"], flags=frozenset(words["Flags"].split(",")),
        )  # fmt: skip

    def nodes(self, text: str) -> frozenset[int]:
        return frozenset(self.place[host] for host in expand(text))

    @cached_property
    def first_runs(self) -> dict[int, dict[str, str]]:
        """The first run of each job number."""
        runs: dict[int, dict[str, str]] = {}
        for row in self.runs:
            runs.setdefault(int(row["job"]), row)
        return runs

    @cached_property
    def last_runs(self) -> dict[int, dict[str, str]]:
        """The last run of each job number."""
        return {int(row["job"]): row for row in self.runs}

    @cached_property
    def waits(self) -> dict[str, int]:
        """The wait of each job until its last start, since its first submission."""
        return {
            run["name"]: int(run["start"]) - int(self.first_runs[number]["submit"])
            for number, run in self.last_runs.items()
            if run["start"]
        }

    @cached_property
    def tree(self) -> dict[tuple[str, str], int]:
        """Place of each association by account and user."""
        return {(one.account, one.user): k for k, one in enumerate(self.site.associations)}

    def has_ends_at(self, time: int) -> bool:
        """Whether a job ends at a second."""
        return any(run["end"] and int(run["end"]) == time for _, run in self.begun)

    def frame(self) -> pd.DataFrame:
        """Return the jobs as submitted, with recorded submit and run times."""
        rows = []
        for number, run in sorted(self.first_runs.items()):
            row = self.submissions[run["name"]]
            nodes, tasks = int(row["nodes"] or 0), int(row["ntasks"] or 0)
            last = self.last_runs[number]
            whole = last["end"] and last["start"] and last["state"] != "PREEMPTED"
            lasted = int(last["end"]) - int(last["start"]) if whole else None
            memory = re.fullmatch(r"(\d*)([MG]?)", row["mem"])
            per_task = int(row["cpus_per_task"] or 1)
            rows.append(
                {
                    "number": number,
                    "submit": int(run["submit"]),
                    "runtime": int(row["runtime"]) if lasted is None else lasted,
                    "estimate": int(row["limit_min"]) * 60,
                    "procs": (tasks or max(nodes, 1)) * per_task,
                    "nodes": nodes,
                    "tasks": tasks or max(nodes, 1),
                    "cpus_per_task": per_task,
                    "memory": int(memory[1]) * (1024 if memory[2] == "G" else 1)
                    if memory[1]
                    else -1,
                    "gres": row["gres"],
                    "features": row["constraint"],
                    "exclusive": bool(row["exclusive"]),
                    "partition": row["partition"],
                    "qos": row["qos"],
                    "account": row["account"],
                    "user": row["user"],
                    "reservation": row["reservation"],
                    "nice": int(row["nice"] or 0),
                    "after": self._number_of(row["after"]),
                }
            )
        return pd.DataFrame(rows)

    def _number_of(self, name: str) -> str:
        return next((run["job"] for run in self.runs if run["name"] == name), "") if name else ""

    @cached_property
    def problem(self) -> SiteProblem:
        frame = self.frame()
        order = np.lexsort((frame["number"], frame["submit"]))
        frame = frame.iloc[order].reset_index(drop=True)
        frame["submit"] -= min(0, frame["submit"].min())
        return problem_of(self.site, Jobs.from_frame(frame), Requests.from_frame(frame), stopping=0)

    @cached_property
    def job_place(self) -> dict[int, int]:
        """Place of each job number in the problem."""
        frame = self.frame()
        order = np.lexsort((frame["number"], frame["submit"]))
        return {int(number): k for k, number in enumerate(frame["number"].iloc[order])}

    @cached_property
    def pair_place(self) -> dict[tuple[int, str], int]:
        """Pair of each job number and partition."""
        problem, names = self.problem, [each.name for each in self.site.machine.partitions]
        return {
            (number, names[problem.pair_partition[pair]]): pair
            for number, job in self.job_place.items()
            for pair in range(problem.pair_of[job], problem.pair_of[job + 1])
        }

    def started(self, run: dict[str, str]) -> tuple[int, dict[int, int] | None, int]:
        """Return pair, processors on nodes and start of a run."""
        pair = self.pair_place[int(run["job"]), run["partition"]]
        return pair, self.where[run["job"], run["start"]], int(run["start"])

    @cached_property
    def where(self) -> dict[tuple[str, str], dict[int, int]]:
        """Processors on nodes of each run.

        Where they were not recorded, they are those that a choice among its nodes gives at its
        start.
        """
        where: dict[tuple[str, str], dict[int, int]] = {}
        for line, run in self.begun:
            known = {self.place[node]: cpus for node, cpus in cpus_of(run).items()}
            if not known:
                controller = Controller(self.problem, Phases(clock=self.clock))
                for before, other in self.begun:
                    if before < line and not (
                        other["end"] and int(other["end"]) <= int(run["start"])
                    ):
                        pair = self.pair_place[int(other["job"]), other["partition"]]
                        controller.put(pair, where[other["job"], other["start"]], 0)
                known = controller.spread(
                    self.pair_place[int(run["job"]), run["partition"]],
                    self.nodes(run["nodes"]),
                    int(run["cpus"]),
                )
            where[run["job"], run["start"]] = known
        return where

    def passes(self) -> list[Pass]:
        """Return the backfill passes of the log that came to their end."""
        passes, now = [], None
        for line, (time, text) in enumerate(self.lines):
            if "_attempt_backfill: beginning" in text:
                now = Pass(time, line)
            elif now is None:
                continue
            elif match := re.search(r"test for JobId=(\d+) Prio=\d+ Partition=(\S+)", text):
                now.tests.append((int(match[1]), match[2], time))
            elif match := re.search(
                r"JobId=(\d+) to start at (-?\d+), end at \d+ on nodes (\S+) in partition (\S+)",
                text,
            ):
                place = self.nodes(match[3])
                now.plans[int(match[1]), match[4]] = int(match[2]), place
            elif match := re.search(r"Started JobId=(\d+) in (\S+) on (\S+)", text):
                now.starts[int(match[1]), match[2]] = self.nodes(match[3])
            elif "completed testing" in text:
                passes.append(now)
                now = None
        return passes

    @cached_property
    def begun(self) -> list[tuple[int, dict[str, str]]]:
        """Lines of the log at which jobs start, with the run."""
        begun = []
        for line, (time, text) in enumerate(self.lines):
            if match := re.search(
                r"(?:Allocate|Started) JobId=(\d+)(?: in | .*Partition=)(\S+)", text
            ):
                near = [
                    (abs(int(run["start"]) - time), k)
                    for k, run in enumerate(self.runs)
                    if run["job"] == match[1] and run["start"]
                ]
                if near and min(near)[0] <= NEAR:
                    run = self.runs[min(near)[1]]
                    begun.append((line, run | {"partition": match[2]}))
        return begun


def cpus_of(run: dict[str, str]) -> dict[str, int]:
    """Return the recorded processors on each node of a run; empty if they are not known."""
    pairs = (item.rpartition(":") for item in run["cpus_by_node"].split())
    return {node: int(cpus) for node, _, cpus in pairs}


@dataclass
class Outcome:
    """Decisions of a pass by Slurm and by the rules."""

    same_starts: bool
    same_plan: bool
    reservations: int
    to_the_second: int


def decide(
    recording: Recording, each: Pass, make: Callable, phases: Phases, with_ties: bool
) -> Outcome:
    """Return how a pass from the recorded state compares.

    `with_ties`: jobs that end at its second still run.
    """
    controller = make(recording.problem, phases)
    for line, run in recording.begun:
        ends = int(run["end"]) if run["end"] else None
        runs_on = ends is None or ends > each.time or (with_ties and ends == each.time)
        if line < each.line and runs_on:
            controller.put(*recording.started(run))
    controller.change(each.time)
    pairs = [recording.pair_place[number, part] for number, part, _ in each.tests]
    nows = [time for _, _, time in each.tests]
    made = controller.backfill_pass(each.time, pairs, nows)
    back = {pair: key for key, pair in recording.pair_place.items()}
    starts = {back[pair] for pair, kind, _, _ in made if kind == "start"}
    plans = {back[pair]: (start, nodes) for pair, kind, start, nodes in made if kind == "plan"}
    both = plans.keys() & each.plans.keys()
    equal = sum(plans[key][0] == each.plans[key][0] for key in both)
    same = starts == set(each.starts)
    return Outcome(same, same and plans == each.plans, len(both), equal)
