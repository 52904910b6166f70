"""Find the sessions and batches of users in a log, and which batches each of them waited for."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

#: seconds without a submission after which a user's session has ended
SESSION_GAP = 3600
NEVER = -1


@dataclass(frozen=True, eq=False)
class Batches:
    """Jobs by user, session and batch.

    Users, sessions and batches are numbered from 0. Users follow their numbers in the log; sessions
    and batches are grouped by user, and those of one user are in order of time.

    Parameters
    ----------
    order : ndarray of int64, shape (n,)
        Places of the jobs, batch by batch; within a batch in order of submission.
    first : ndarray of int64, shape (b + 1,)
        Where each batch begins in `order`; its jobs are ``order[first[k]:first[k + 1]]``.
    submit, end : ndarray of int64, shape (b,)
        Submission of a batch's first job, and end of its last job to end.
    session : ndarray of int64, shape (b,)
        Session of each batch.
    release : ndarray of int64, shape (b,)
        The first batch of the user that came after this one had ended; -1 if there is none. Every
        later batch of the user also came after this one.
    opened, closed : ndarray of int64, shape (s,)
        Submission of the first and of the last job of each session.
    user : ndarray of int64, shape (s,)
        The user of each session, numbered as in the log.
    """

    order: np.ndarray
    first: np.ndarray
    submit: np.ndarray
    end: np.ndarray
    session: np.ndarray
    release: np.ndarray
    opened: np.ndarray
    closed: np.ndarray
    user: np.ndarray

    def __len__(self) -> int:
        return len(self.submit)

    @property
    def batch(self) -> np.ndarray:
        """Return the batch of each job."""
        batches = np.empty(len(self.order), dtype=np.int64)
        batches[self.order] = np.repeat(np.arange(len(self)), np.diff(self.first))
        return batches

    def jobs(self, batch: int) -> np.ndarray:
        """Return the places of a batch's jobs, in order of submission."""
        return self.order[self.first[batch] : self.first[batch + 1]]

    def after_completion(self, batch: int) -> np.ndarray:
        """Return the earlier batches of the user that had ended when this one came."""
        return self._earlier(batch, ended=True)

    def after_arrival(self, batch: int) -> np.ndarray:
        """Return the earlier batches of the user that had not ended when this one came."""
        return self._earlier(batch, ended=False)

    def _earlier(self, batch: int, ended: bool) -> np.ndarray:
        user = self.user[self.session]
        earlier = np.flatnonzero(user[:batch] == user[batch])
        return earlier[(self.end[earlier] <= self.submit[batch]) == ended]


def batches_of(user: ArrayLike, submit: ArrayLike, end: ArrayLike, log: str = "the log") -> Batches:
    """Find the sessions and batches of each user in a recorded log.

    Examples
    --------
    The second job comes while the first runs, the third after both have ended, the fourth the next
    day:

    >>> found = batches_of([7, 7, 7, 7], [0, 10, 60, 90_000], [50, 60, 95_000, 90_001])
    >>> found.batch.tolist(), found.session.tolist()
    ([0, 0, 1, 2], [0, 0, 1])
    >>> found.after_completion(2).tolist(), found.after_arrival(2).tolist()
    ([0], [1])
    """
    user, submit, end = (np.asarray(column, dtype=np.int64) for column in (user, submit, end))
    _check(user, submit, end, log)
    order = np.argsort(user, kind="stable")
    user, submit, end = user[order], submit[order], end[order]
    new_user = np.diff(user, prepend=user[:1] - 1) != 0
    new_session = new_user | (np.diff(submit, prepend=submit[:1]) > SESSION_GAP)
    session = np.cumsum(new_session) - 1
    # Shift each session by `span`, so that one running maximum serves all sessions and users.
    origin = submit.min()
    span = int(end.max() - origin) + 1
    latest = np.maximum.accumulate(end - origin + session * span) - session * span + origin
    new_batch = new_session.copy()
    new_batch[1:] |= submit[1:] >= latest[:-1]
    heads, openers = np.flatnonzero(new_batch), np.flatnonzero(new_session)
    closers = np.append(openers[1:], len(order)) - 1
    whose = np.cumsum(new_user)[heads] - 1
    came, ended = submit[heads], np.maximum.reduceat(end, heads)
    return Batches(
        order=order,
        first=np.append(heads, len(order)),
        submit=came,
        end=ended,
        session=session[heads],
        release=_releases(came - origin + whose * span, ended - origin + whose * span, whose),
        opened=submit[openers],
        closed=submit[closers],
        user=user[openers],
    )


def _releases(came: np.ndarray, ended: np.ndarray, whose: np.ndarray) -> np.ndarray:
    """Return the first later batch of the same user that came after a batch had ended, or -1."""
    places = np.arange(len(came))
    later = np.maximum(np.searchsorted(came, ended), places + 1)
    within = later < len(came)
    within[within] = whose[later[within]] == whose[within]
    return np.where(within, later, NEVER)


def _check(user: np.ndarray, submit: np.ndarray, end: np.ndarray, log: str) -> None:
    if not user.size:
        raise ValueError(
            f"{log}: no job with field 12 (user): users that react must be known; see the cleaning "
            "ledger for jobs without, or replay the log as it was submitted"
        )
    if (unknown := np.flatnonzero(user < 0)).size:
        raise ValueError(
            f"{log}: field 12 (user) of the job at place {unknown[0]} is {user[unknown[0]]}, "
            f"unknown, as of {unknown.size} of {user.size} jobs: users that react must be known; "
            "clean the log by rules that drop such jobs, or replay it as it was submitted"
        )
    for bad, why in (
        (end < submit, "ends before it is submitted"),
        (np.diff(submit, prepend=submit[:1]) < 0, "is submitted before the job in front of it"),
    ):
        if bad.any():
            raise ValueError(f"{log}: the job at place {np.flatnonzero(bad)[0]} {why}")
