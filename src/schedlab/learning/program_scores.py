"""Scores of expressions on windows of several logs, relative to EASY with first come first served.

A window is a continuous piece of a log that starts on an empty machine; its first jobs are warm-up
and are not counted. Submit times count from the first job of the log, as in a run of all of it.
Every expression orders both the queue and the backfilling of EASY.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from schedlab.core.jobs import Jobs, Schedule
from schedlab.core.metrics import METRICS, TAU, Counted
from schedlab.core.splitting import DAY
from schedlab.policies import Policy, get
from schedlab.policies.ageing import prefers_youth
from schedlab.policies.expression import ScoreError
from schedlab.queue.simulation import Run, simulate

#: metrics whose ratios are scored, then the one that is bounded
SCORED, BOUNDED = ("bsld", "response"), "max_wait"
MEASURED = (*SCORED, BOUNDED)
#: waiting jobs of each window on which programs are compared before they are simulated
PROBED = 64


@dataclass(frozen=True, eq=False)
class LogWindow:
    """Window of a log, the `place`-th of adjacent ones; the first `warm_up` jobs do not count."""

    log: str
    place: int
    jobs: Jobs
    processors: int
    warm_up: int
    tau: float = TAU

    @cached_property
    def _counted(self) -> Jobs:
        return self.jobs.take(slice(self.warm_up, None))

    def measure(self, policy: Policy, **options) -> list[float]:
        """Return the metrics `MEASURED` of a policy under EASY; `options` are those of `Run`."""
        options = {"reservations": "head"} | options
        schedule = simulate(Run(self.jobs, self.processors, policy, **options))
        late = Schedule(schedule.start[self.warm_up :], schedule.end[self.warm_up :])
        return metrics_of(self._counted, late, self.tau)


def metrics_of(jobs: Jobs, schedule: Schedule, tau: float = TAU) -> list[float]:
    """Return the metrics `MEASURED` of jobs."""
    users = np.full(len(jobs), -1)  # users do not matter here
    counted = Counted(jobs, users, schedule, 0.0, tau)
    return [float(METRICS[name].function(counted)) for name in MEASURED]


def cut_windows(
    log: str,
    jobs: Jobs,
    processors: int,
    size: int,
    warm_up: int,
    part: tuple[float, float],
    least: float,
    most: int | None = None,
    tau: float = TAU,
) -> list[LogWindow]:
    """Cut a part of a log into adjacent windows, and return those in which jobs wait.

    Parameters
    ----------
    log : str
        Name of the log.
    jobs : Jobs
        Its jobs, with estimates of at least 1 s.
    processors : int
        Size of the machine.
    size, warm_up : int
        Counted jobs of a window, and jobs before them that fill the machine.
    part : tuple of float
        Shares of the log's jobs between which windows are cut.
    least : float
        Windows of a smaller mean bounded slowdown under EASY are left out: no order matters there.
    most : int, optional
        At most so many windows, evenly spread.
    tau : float
        Bound of the bounded slowdown in seconds.

    Raises
    ------
    ValueError
        A size is out of range, the part has too few jobs, or an estimate is 0.
    """
    if not 0 <= part[0] < part[1] <= 1:
        raise ValueError(f"{log}: the part is {part}, must be two shares of the log, 0 to 1")
    first, last = (int(share * len(jobs)) for share in part)
    whole = size + warm_up
    if size < 1 or warm_up < 0 or last - first < whole:
        raise ValueError(
            f"{log}: {last - first:,} jobs in this part of the log, a window takes {size:,} after "
            f"{warm_up:,} of warm-up: choose other windows or a longer log"
        )
    if not jobs.estimate.all():
        raise ValueError(f"{log}: job {jobs.number[jobs.estimate == 0][0]} has an estimate of 0 s")
    windows = [
        LogWindow(log, place, jobs.take(slice(begin, begin + whole)), processors, warm_up, tau)
        for place, begin in enumerate(range(first, last - whole + 1, size))
    ]
    busy = [window for window in windows if window.measure(get("fcfs"))[0] >= least]
    count = min(len(busy), most or len(busy))
    return [busy[round(place)] for place in np.linspace(0, len(busy) - 1, count)]


@dataclass(frozen=True)
class Score:
    """Score of an expression: `value`, the mean logarithm of the ratios to EASY; `excess`.

    The excess is the logarithm of the longest wait over its bound on the worst log, at least 0.
    """

    value: float
    excess: float


#: of an expression without an order, or of one that may not be recommended
REFUSED = Score(np.inf, np.inf)


@dataclass(eq=False)
class ProgramScores:
    """Scores of expressions on windows.

    The score is the mean over logs, windows and the metrics `SCORED` of the logarithm of the ratio
    to EASY, first come first served. On every log the longest wait is bounded by `longest_wait`
    times EASY's, or a day. Unless `youth`, an expression that puts a job behind an otherwise equal
    but younger one is refused. Raises ValueError if there is no window.
    """

    windows: Sequence[LogWindow]
    longest_wait: float
    youth: bool = False

    def __post_init__(self) -> None:
        if not self.windows:
            raise ValueError(
                "no window to search on: in no part of the logs do jobs wait, or no log is "
                "available; name busier logs or lower the least slowdown"
            )
        logs = np.array([window.log for window in self.windows])
        #: share of each window in the mean over logs, and the windows of each log
        self.of_log = [logs == log for log in dict.fromkeys(logs.tolist())]
        self.share = sum(mine / mine.sum() for mine in self.of_log) / len(self.of_log)
        self.easy = self.measure(get("fcfs"))
        longest = [self.easy[mine, -1].max() for mine in self.of_log]
        self._bound = np.maximum(self.longest_wait * np.array(longest), DAY)
        samples = [
            window.jobs.take(np.linspace(0, len(window.jobs) - 1, PROBED).astype(int))
            for window in self.windows
        ]
        self._sample = max(samples, key=lambda jobs: jobs.submit[-1] - jobs.submit[0])
        r, n, s = (
            np.array([getattr(jobs, name) for jobs in samples], dtype=float)
            for name in ("estimate", "procs", "submit")
        )
        self._probe = [column.ravel() for column in (r, n, s, s[:, -1:] + DAY / 24 - s)]

    def about(self) -> list:
        """Return what scores depend on, as JSON."""
        windows = [
            [each.log, each.place, len(each.jobs), each.warm_up, int(each.jobs.submit[-1])]
            for each in self.windows
        ]
        return [self.longest_wait, self.youth, windows]

    def measure(self, policy: Policy, **options) -> np.ndarray:
        """Return the metrics `MEASURED` on each window, shape (windows, 3)."""
        return np.array([window.measure(policy, **options) for window in self.windows])

    def ratios(self, measured: np.ndarray) -> np.ndarray:
        """Return the mean logarithm of the scored ratios in each window."""
        with np.errstate(divide="ignore", invalid="ignore"):
            ratios: np.ndarray = np.log(measured[:, :-1] / self.easy[:, :-1]).mean(axis=1)
        return ratios

    def score_of(self, measured: np.ndarray) -> Score:
        """Return the score of metrics as from `measure`."""
        longest = np.array([measured[mine, -1].max() for mine in self.of_log])
        excess = np.log(np.maximum(longest / self._bound, 1)).max()
        return Score(float(self.share @ self.ratios(measured)), float(excess))

    def score(self, expression: str) -> Score:
        """Return the score of an expression; `REFUSED` if it orders nothing, or by youth."""
        policy = get(expression)
        try:
            if not self.youth and prefers_youth(policy, self._sample):
                return REFUSED
            return self.score_of(self.measure(policy))
        except ScoreError:
            return REFUSED

    def score_all(self, expressions: Sequence[str]) -> list[Score]:
        """Return the scores of expressions."""
        return [self.score(expression) for expression in expressions]

    def behavior(self, expression: str) -> str:
        """Return a digest of the order of a sample of waiting jobs; empty if there is no order.

        Expressions of equal digests order the sample equally, an hour after its last submission.
        """
        program = get(expression).program
        scores, faulty = program.checked(*self._probe)
        if faulty >= 0:
            return ""
        rows = scores.reshape(-1, PROBED)
        order = np.argsort(rows, axis=1, kind="stable")
        ranked = np.take_along_axis(rows, order, axis=1)
        ties = ranked[:, 1:] == ranked[:, :-1]
        content = [order.astype(np.uint8), np.packbits(ties), np.array([program.moves])]
        joined = b"".join(part.tobytes() for part in content)
        return hashlib.blake2b(joined, digest_size=12).hexdigest()
