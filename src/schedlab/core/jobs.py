"""The two types that travel between the rooms of the house: `Jobs` and `Schedule`."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import pandas as pd

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike


def _integers(name: str, values: ArrayLike) -> np.ndarray:
    """Return `values` as a read-only contiguous int64 vector, or say which field is not whole."""
    given = np.asarray(values)
    column = np.ascontiguousarray(given, dtype=np.int64)
    if given.dtype.kind not in "iu" and not np.array_equal(column, given):
        raise ValueError(f"jobs: field '{name}' holds values that are not whole numbers")
    if column.ndim != 1:
        raise ValueError(f"jobs: field '{name}' must have one dimension, has {column.ndim}")
    column = column.view()
    column.flags.writeable = False
    return column


@dataclass(frozen=True, eq=False)
class Jobs:
    """Rigid jobs as a struct of arrays, in order of submission.

    Parameters
    ----------
    number : array_like of int, shape (n,)
        Job number in the log it came from. Where jobs are made (`from_frame`, and already where a
        log is read) ties of submit time are broken by it; jobs of equal numbers stay as they stand.
    submit : array_like of int, shape (n,)
        Submit time in seconds, never going down.
    runtime : array_like of int, shape (n,)
        Actual run time in seconds, at least 0.
    estimate : array_like of int, shape (n,)
        Run time as the user estimated it, in seconds; decided while cleaning, never unknown here.
    procs : array_like of int, shape (n,)
        Processors, at least 1.

    Raises
    ------
    ValueError
        A field is not made of whole numbers, lengths differ, or a value is out of its range; the
        message names the field and the job.
    """

    number: np.ndarray
    submit: np.ndarray
    runtime: np.ndarray
    estimate: np.ndarray
    procs: np.ndarray

    def __post_init__(self) -> None:
        for field in fields(self):
            object.__setattr__(self, field.name, _integers(field.name, getattr(self, field.name)))
        lengths = {field.name: len(getattr(self, field.name)) for field in fields(self)}
        if len(set(lengths.values())) > 1:
            raise ValueError(f"jobs: fields differ in length: {lengths}")
        for name, least in (("runtime", 0), ("estimate", 0), ("procs", 1)):
            column = getattr(self, name)
            if (bad := np.flatnonzero(column < least)).size:
                raise ValueError(
                    f"jobs: job {self.number[bad[0]]}: {name} is {column[bad[0]]}, "
                    f"must be at least {least}"
                )
        if (bad := np.flatnonzero(np.diff(self.submit) < 0)).size:
            raise ValueError(
                f"jobs: job {self.number[bad[0] + 1]} is submitted before the job in front of it"
            )

    def __len__(self) -> int:
        return len(self.submit)

    @classmethod
    def from_frame(cls, frame: pd.DataFrame) -> Self:
        """Take the five columns of `frame`, by submit time, then number; leave others behind."""
        order = np.lexsort((frame["number"], frame["submit"]))
        return cls(**{field.name: frame[field.name].to_numpy()[order] for field in fields(cls)})

    def to_frame(self) -> pd.DataFrame:
        """Return a data frame with one int64 column per field."""
        return pd.DataFrame({field.name: getattr(self, field.name) for field in fields(self)})

    def take(self, index: ArrayLike | slice) -> Jobs:
        """Return the jobs at `index` (a slice, a mask or places in submit order)."""
        return Jobs(*(getattr(self, field.name)[index] for field in fields(self)))

    def rebased(self) -> Jobs:
        """Return the same jobs with submit times counted from the first job's."""
        if not len(self):
            return self
        return Jobs(
            self.number, self.submit - self.submit[0], self.runtime, self.estimate, self.procs
        )


def jobs_by_piece(frame: pd.DataFrame, clairvoyant: bool = False) -> dict[int, Jobs]:
    """Return the jobs of each piece, each from time 0.

    Parameters
    ----------
    frame : pandas.DataFrame
        The columns of `Jobs` and ``piece``, as `schedlab.core.splitting.split` makes them; where
        there is a column ``id``, jobs are numbered by it.
    clairvoyant : bool, default False
        Put run times in the place of estimates.
    """
    if "id" in frame:
        frame = frame.assign(number=frame["id"])
    pieces = frame.groupby("piece")
    found = {int(piece): Jobs.from_frame(rows).rebased() for piece, rows in pieces}
    if clairvoyant:
        return {piece: replace(jobs, estimate=jobs.runtime) for piece, jobs in found.items()}
    return found


@dataclass(frozen=True, eq=False)
class Schedule:
    """When each job ran.

    Parameters
    ----------
    start, end : ndarray, shape (n,)
        Start and end of each job in seconds, in the order of the jobs; int64, or float64 where a
        dispatch costs a fraction of a second (the artefact dialect); -1 where it has not come to
        that.
    extras : mapping of str to object
        What else is known of how the jobs ran, by name, as the simulation says.
    """

    start: np.ndarray
    end: np.ndarray
    extras: Mapping[str, Any] = dataclasses.field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.start)
