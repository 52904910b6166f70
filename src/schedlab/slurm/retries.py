"""Requests to Slurm and its files that are repeated for hours, with rare messages.

Waiting costs nothing but time. So nothing is cancelled meanwhile, and running jobs are left if a
request is given up.
"""

import errno
import random
from collections.abc import Callable
from typing import TypeVar

from schedlab.files.durations import format_duration
from schedlab.slurm.client import Slurm, SlurmError

T = TypeVar("T")

#: seconds without an answer, or with refusals for now, after which a request is given up
GIVE_UP_S = 12 * 3600.0
#: minimum number of seconds between two messages about one absence
REMIND_S = 300.0
#: Seconds until a request that was refused for now is made again: the first delay is doubled up to
#: the longest. Even the first exceeds the time in which a busy controller works off a submission
#: whose sbatch has given up.
FIRST_S, LONGEST_S = 30.0, 600.0
#: each delay is longer by a random share of up to this, so that many clients do not come at once
JITTER = 0.5
#: Errors of files that the same request makes again, however late. Missing rights are among them:
#: running jobs are left, and the run can be resumed when you have the rights again. All others may
#: go away by themselves, such as a full disk, an absent file server or too many open files.
FINAL = frozenset(
    {
        *(errno.ENAMETOOLONG, errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.ELOOP),
        *(errno.EACCES, errno.EPERM, errno.EROFS, errno.E2BIG, errno.EINVAL, errno.ENOEXEC),
        *(errno.EFBIG, errno.ENOTSUP, errno.ENODEV, errno.EXDEV),
    }
)


class GivenUpError(SlurmError):
    """Slurm has not answered, or has refused for now, for too long; running jobs are left alone."""


class Retries:
    """Requests repeated every `poll` seconds until answered, for `seconds` in a row."""

    def __init__(
        self, slurm: Slurm, name: str, seconds: float, poll: float, tell: Callable[[str], None]
    ) -> None:
        self.seconds = seconds
        self._slurm, self._name, self._poll, self._tell = slurm, name, poll, tell
        self._since: float | None = None
        self._told = -REMIND_S  # when a message was printed last
        self._announced = False

    def failed(self, error: Exception) -> None:
        """Record a request without an answer; raise `GivenUpError` after `seconds`."""
        if is_final(error):
            raise GivenUpError(f"{self._name}: {error}") from error
        now = self._slurm.time()
        self._since = now if self._since is None else self._since
        if now - self._since > self.seconds:
            raise GivenUpError(
                f"{self._name}: no answer for {format_duration(self.seconds)}: {error}"
            ) from error
        if now - self._told >= REMIND_S:
            self._told, self._announced = now, True
            self._tell(
                f"no answer: {error}; waits up to {format_duration(self.seconds)}, jobs go on"
            )

    def answered(self) -> None:
        """Record an answer."""
        if self._since is not None and self._announced:
            away = format_duration(round(self._slurm.time() - self._since))
            self._tell(f"answers again after {away}")
        self._since, self._announced = None, False

    def ask(self, request: Callable[[], T]) -> T:
        """Make a request, and repeat it after each poll time while there is no answer."""
        while True:
            try:
                answer = request()
            except (SlurmError, OSError) as error:
                self.failed(error)
                self._slurm.sleep(self._poll)
            else:
                self.answered()
                return answer


def is_final(error: BaseException | None) -> bool:
    """Return whether an error of a file is one of `FINAL`."""
    return isinstance(error, OSError) and error.errno in FINAL


def delay(tries: int) -> float:
    """Return the seconds to wait after so many refusals, from 1 on."""
    # not a random stream of the experiments: clients must differ
    return min(FIRST_S * 2 ** (tries - 1), LONGEST_S) * random.uniform(1, 1 + JITTER)
