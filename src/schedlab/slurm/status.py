"""Status of a run, from its folder and, if it answers, from Slurm."""

from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from shlex import quote
from typing import Any

from schedlab.files.durations import format_duration
from schedlab.slurm.client import Slurm, SlurmError
from schedlab.slurm.client_lock import Client, client_lives, heartbeat_age, read_client
from schedlab.slurm.folder import RunFolder
from schedlab.slurm.journal import Journal
from schedlab.slurm.strategies import STRATEGIES
from schedlab.slurm.tasks import TaskCounts, TaskMarks, count_tasks
from schedlab.slurm.tracked_jobs import TrackedJob
from schedlab.slurm.workflow_file import WorkflowFile
from schedlab.waits.workflows import Stage


@dataclass(frozen=True)
class JobStatus:
    """Status of a job of a run; times are in seconds since 1970, None if not known.

    A stage that was not submitted yet has the number 0.
    """

    stage: str
    number: int
    state: str
    submit: int | None = None
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True)
class WorkflowStatus:
    """Status of one of several workflows in a run: numbers of its stages, and its error."""

    workflow: str
    stages: int
    ended: int
    error: str | None = None

    def __str__(self) -> str:
        if self.error:
            reason = self.error.removeprefix(f"workflow {self.workflow}: ")
            return f"workflow {self.workflow}: failed: {reason}"
        count = f"{self.ended:,} of {self.stages:,}" if self.ended < self.stages else "all"
        return f"workflow {self.workflow}: {count} stages have ended"


@dataclass(frozen=True)
class Status:
    """Status of a run.

    `client` is the client that has not ended in order, and `lives` whether it still runs.
    `heartbeat_age` are the seconds since its last heartbeat, by this machine's clock. `tasks` are
    the counts of stages with tasks, `workflows` the states of the workflows if there are several.
    """

    folder: str
    workflow: str
    strategy: str
    system: str
    jobs: tuple[JobStatus, ...]
    client: Client | None
    lives: bool
    heartbeat_age: float | None
    succeeded: bool
    error: str | None
    resumable: bool
    slurm_answers: bool
    tasks: dict[str, TaskCounts]
    workflows: tuple[WorkflowStatus, ...] = ()

    def sentences(self) -> list[str]:
        """Return what else there is to know, one sentence each."""
        lines = [f"tasks of {stage}: {counts}" for stage, counts in self.tasks.items()]
        lines += map(str, self.workflows)
        if not self.slurm_answers:
            lines.append("Slurm does not answer here: states are those of the folder")
        if self.succeeded:
            return [*lines, "all stages have ended"]
        age = "none"
        if self.heartbeat_age is not None:
            seconds = round(self.heartbeat_age)
            age = f"{format_duration(abs(seconds))} {'ago' if seconds >= 0 else 'in the future'}"
        if self.lives:
            return [*lines, f"client: {self.client}; last heartbeat: {age}"]
        if self.error:
            lines.append(f"ended: {self.error}")
        if self.resumable:
            lines.append(f"no client; last heartbeat: {age}")
            lines.append(f"go on with: schedlab asa resume {quote(self.folder)}")
        return lines

    def as_dict(self) -> dict[str, Any]:
        """Return the status as a dict for JSON; `workflows` only if there are several."""
        return {name: value for name, value in asdict(self).items() if value or name != "workflows"}


def read_status(folder: Path, slurm: Slurm | None = None) -> Status:
    """Return the status of a run; by default `slurm` is the Slurm of this machine, if there is one.

    Raises `schedlab.slurm.journal.JournalError` if there is no journal or it is damaged.
    """
    journal = Journal.read(folder)
    about = journal.about
    described = WorkflowFile.from_dict(about["workflow"])
    place = RunFolder(folder, described, resumed=True)
    jobs = _tracked_jobs(journal)
    answers = False
    with suppress(SlurmError):
        slurm = Slurm() if slurm is None else slurm
        states = slurm.jobs(job.number for job in jobs if job.queued)
        answers = True
        for job in jobs:
            job.seen = states.get(job.number, job.seen)
    is_merged = STRATEGIES[about["strategy"]].merged
    workflow = described.workflow.merged() if is_merged else described.workflow
    names = {job.stage.name for job in jobs}
    rows = [_status(job, place) for job in jobs]
    rows += [JobStatus(one.name, 0, "not due") for one in workflow.stages if one.name not in names]
    failures = {
        record["workflow"]: record
        for record in journal.records
        if record["kind"] == "pool" and record["event"] == "workflow_failed"
    }
    given_up = {stage for record in failures.values() for stage in record["stages"]}
    rows = [
        replace(row, state="not run") if row.stage in given_up and not row.number else row
        for row in rows
    ]
    last = journal.last("finished", "ending", "client") or {}
    succeeded = last.get("kind") == "finished" and "error" not in last
    return Status(
        folder=str(folder),
        workflow=workflow.name,
        strategy=about["strategy"],
        system=about["system"],
        jobs=tuple(rows),
        client=read_client(folder),
        lives=client_lives(folder),
        heartbeat_age=heartbeat_age(folder),
        succeeded=succeeded,
        error=journal.final_error or last.get("error"),
        resumable=not succeeded and journal.final_error is None,
        slurm_answers=answers,
        tasks={
            stage: count_tasks(tasks, stage, TaskMarks(place.path))
            for stage, tasks in described.tasks.items()
        },
        workflows=tuple(
            WorkflowStatus(
                member.name,
                len(member.stages),
                sum(map(place.is_finished, member.stages)),
                failures[member.name]["error"] if member.name in failures else None,
            )
            for member in described.members
        ),
    )


def _tracked_jobs(journal: Journal) -> list[TrackedJob]:
    """Return the jobs of a journal, those first that were submitted again under their handle."""
    jobs = []
    for record in journal.records:
        if record["kind"] == "submit":
            job = TrackedJob(Stage(record["stage"], 1, 0))
            facts = list(journal.facts(record["job"]))
            jobs += [*job.restore(facts), job]
            job.cancelled = any(fact["kind"] == "cancel" for fact in facts)
            starts = [fact for fact in facts if fact["kind"] == "start"]
            job.missed = starts[-1]["missed"] if starts else job.missed
    return jobs


def _status(job: TrackedJob, place: RunFolder) -> JobStatus:
    """Return the status of one job: what Slurm or the journal knows, else the job's marks."""
    seen = job.seen
    if not job.number:
        return JobStatus(job.stage.name, 0, "to be submitted")
    began, ended = (place.mark(job.number, kind) for kind in ("began", "ended"))
    times = {
        "submit": seen.submit if seen else None,
        "start": seen.start if seen and seen.begun else began.time if began else None,
        "end": seen.end if seen and seen.over else ended.time if ended else None,
    }
    if job.cancelled or (seen and seen.state == "CANCELLED"):
        state = "taken back"
    elif (seen and seen.over) or ended:
        failed = ended.words != ("0",) if ended else seen.state != "COMPLETED"
        state = "failed" if failed else "gave up" if place.gave_up(job.number) else "ended"
    elif times["start"] is None:
        state = "waits"
    else:
        idles = bool(began) and began.words[0] == "idle" and not place.is_released(job.number)
        state = "idles" if idles else "runs"
    return JobStatus(job.stage.name, job.number, state, **times)
