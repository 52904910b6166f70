"""A client that is killed at a chosen moment; its files and a Slurm in memory are left."""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

import pytest

from schedlab.slurm import journal
from schedlab.slurm.folder import RunFolder
from schedlab.slurm.journal import Journal
from schedlab.slurm.run import prepare_run, resume_workflow
from workflows_case import workflow_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from slurm_case import Slurm

#: calls before and after which a client may be killed
CALLS = ("submit", "cancel", "jobs", "find")


class Killed(BaseException):
    """The end of a client: no call of it has an effect any more."""


class Client:
    """One client, killed at a moment: around a request, line, script, release or call."""

    def __init__(self, slurm: Slurm, moment: int | None) -> None:
        self.slurm, self.moment, self.count, self.dead = slurm, moment, 0, False

    def tick(self) -> None:
        """Let a moment pass; raise Killed if it is the last one."""
        self.dead = self.dead or self.count == self.moment
        self.count += 1
        if self.dead:
            raise Killed

    def between(self, call):
        """Return a call with a moment before and after it."""

        def called(*arguments, **named):
            self.tick()
            result = call(*arguments, **named)
            self.tick()
            return result

        return called

    @contextmanager
    def alive(self, estimator) -> Iterator[None]:
        """Run the block as this client; nothing of it happens after its death."""
        with pytest.MonkeyPatch.context() as patch:
            for name in CALLS:
                patch.setattr(self.slurm, name, self.between(getattr(self.slurm, name)))
            for name in ("estimate", "observe"):
                patch.setattr(estimator, name, self.between(getattr(estimator, name)))
            for name in ("script", "go"):
                patch.setattr(RunFolder, name, self.between(getattr(RunFolder, name)))
            patch.setattr(Journal, "_append", self.between(Journal._append))
            patch.setattr(journal.os, "write", self.torn(os.write))
            patch.setattr(journal.os, "fsync", lambda file: None)  # no machine ends here
            yield

    def torn(self, write):
        """Return a call that writes a half, lets a moment pass, and writes the other half."""

        def written(file, text):
            write(file, text[: len(text) // 2])
            self.tick()
            return write(file, text[len(text) // 2 :]) + len(text) // 2

        return written


def run_with_deaths(
    strategy: str,
    slurm: Slurm,
    folder: Path,
    stages,
    estimator,
    moments: Iterable[int],
    gaps: Iterable[float] = (),
    poll: float = 10.0,
    tell=lambda words: None,
):
    """Run a workflow with clients killed at moments, the next ones after gaps, and a last one."""
    gaps = iter(gaps)
    prepare_run(workflow_file(stages), strategy, folder, poll, slurm=slurm)
    for moment in [*moments, None]:
        client = Client(slurm, moment)
        slurm.gone_since = None
        with suppress(Killed), client.alive(estimator):
            outcome = resume_workflow(folder, estimator, tell, slurm)
            break
        slurm.gone_since = slurm.time()
        slurm.sleep(next(gaps, 0.0))
    return outcome, client.count
