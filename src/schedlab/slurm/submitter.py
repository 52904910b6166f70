"""Submission of a run's jobs, each once: requests, refusals for now, answers that were lost.

A submission that is refused for now, or has no answer, is made again, later each time. Before, the
job is looked up by its mark: Slurm may have accepted it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from schedlab.files.durations import format_duration
from schedlab.slurm.client import SbatchRequest, SlurmError, TemporaryError
from schedlab.slurm.interrupts import deferred_signals
from schedlab.slurm.monitor import StageError
from schedlab.slurm.retries import GivenUpError, delay, is_final

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from collections.abc import Set as AbstractSet

    from schedlab.slurm.client import Slurm
    from schedlab.slurm.folder import RunFolder
    from schedlab.slurm.journal import Journal
    from schedlab.slurm.monitor import Monitor
    from schedlab.slurm.tracked_jobs import TrackedJob
    from schedlab.slurm.workflow_file import WorkflowFile


class Submitter:
    """Submitter of the jobs of one run.

    `poll` are seconds between two polls, which scripts take over; `give_up` are those for which
    Slurm may refuse for now. `say` takes a line of text, `report` a job and what happened to it.
    """

    def __init__(
        self,
        slurm: Slurm,
        described: WorkflowFile,
        folder: RunFolder,
        journal: Journal,
        watch: Monitor,
        poll: float,
        give_up: float,
        say: Callable[[str], None],
        report: Callable[[TrackedJob, str], None],
    ) -> None:
        self._slurm, self._described, self._folder = slurm, described, folder
        self._journal, self._watch = journal, watch
        self._say, self._report = say, report
        self._poll, self._give_up = poll, give_up

    def send(self, jobs: Sequence[TrackedJob], over: AbstractSet[str]) -> None:
        """Submit registered and refused jobs; the ends of stages `over` are known."""
        for job, tracked_job in enumerate(jobs):
            if tracked_job.number or tracked_job.cancelled:
                continue
            after = [jobs[blocker] for blocker in tracked_job.depends]
            if self._slurm.time() < tracked_job.retry_at or not all(job.number for job in after):
                continue
            try:
                request = self._request(job, tracked_job, after, over)
                # a signal between acceptance and its number would leave an unknown job
                with deferred_signals():
                    self._submit(tracked_job, request)
            except (TemporaryError, OSError) as error:
                self._postpone(tracked_job, error)
                continue
            except GivenUpError:
                raise
            except SlurmError as error:
                message = f"{self._watch.place(tracked_job)}: not submitted: {error}"
                raise StageError(tracked_job.stage.name, message) from error
            self._journal.append("accepted", job=job, number=tracked_job.number)
            names = " and ".join(blocker.stage.name for blocker in after if not blocker.over)
            when = f" to start after {names}" if names else ""
            cores = f"{tracked_job.stage.cores} core{'s' * (tracked_job.stage.cores > 1)}"
            self._report(tracked_job, f"submitted{when}: {cores}, {request.minutes} min")

    def _request(
        self, job: int, tracked_job: TrackedJob, after: Sequence[TrackedJob], over: AbstractSet[str]
    ) -> SbatchRequest:
        """Return the request of a job; the script and the mark of its first attempt stay."""
        numbers = tuple(blocker.number for blocker in after if not blocker.over)
        if tracked_job.request is None:
            if not after and not tracked_job.is_worker:
                tracked_job.awaits = tuple(
                    name for name in tracked_job.stage.after if name not in over
                )
            script = self._folder.next_script(tracked_job.stage)
            request = SbatchRequest(
                f"{self._described.workflow.name}.{tracked_job.stage.name}",
                script,
                self._folder.output(tracked_job.stage.name),
                tracked_job.stage.cores,
                self._described.minutes(tracked_job.stage),
                self._described.options,
                mark=f"schedlab:{script.stem}",
                made=int(self._slurm.time()),
                width=self._described.width(tracked_job.stage),
            )
            awaits = list(tracked_job.awaits)
            self._journal.append("request", job=job, awaits=awaits, request=request.as_dict())
            tracked_job.request = request
        request = tracked_job.request = replace(tracked_job.request, after=numbers)
        # a script without a line of its request shows that the journal has lost its end
        if not request.script.exists():
            self._folder.script(tracked_job.stage, tracked_job.awaits, self._poll, request.script)
        return request

    def _submit(self, tracked_job: TrackedJob, request: SbatchRequest) -> None:
        """Submit a job, unless Slurm accepted it before; TemporaryError if unknown."""
        error: SlurmError | None = None
        if not tracked_job.attempted:
            tracked_job.attempted = True
            try:
                tracked_job.number = self._slurm.submit(request)
            except SlurmError as raised:
                error = raised
                if not isinstance(error, TemporaryError):
                    tracked_job.refusal = error
            else:
                return
        error = tracked_job.refusal or error
        try:
            tracked_job.number = self.find(request)
        except SlurmError as silent:
            raise TemporaryError(str(error or silent)) from silent
        if tracked_job.number and error:
            self._report(tracked_job, f"accepted, although {error}")
        elif not tracked_job.number and error:
            raise error
        elif not tracked_job.number:
            tracked_job.attempted = False
            self._submit(tracked_job, request)

    def find(self, request: SbatchRequest) -> int:
        """Return the number of the job that Slurm accepted for a request; 0 if there is none."""
        return self._slurm.find(request) or self._folder.claimed(request.script)

    def _postpone(self, tracked_job: TrackedJob, error: Exception) -> None:
        """Let a submission wait after a refusal for now; raise `GivenUpError` after too many."""
        if is_final(error):
            raise GivenUpError(
                f"{self._watch.place(tracked_job)}: not submitted: {error}"
            ) from error
        now = self._slurm.time()
        if not tracked_job.tries:
            tracked_job.refused_since = now
        limit = self._give_up
        if now - tracked_job.refused_since > limit:
            raise GivenUpError(
                f"{self._watch.place(tracked_job)}: not submitted for {format_duration(limit)}: "
                f"{error}"
            ) from error
        tracked_job.tries += 1
        pause = delay(tracked_job.tries)
        tracked_job.retry_at = now + pause
        self._say(f"{tracked_job.stage.name}: not submitted: {error}; tried again in {pause:.0f} s")
