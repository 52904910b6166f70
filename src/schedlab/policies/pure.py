"""Registry of policies: each one has a name, a label and an expression.

The smallest score runs first. r is the run time or the estimate, whichever the scheduler uses; n
processors, s the submit time relative to the piece's first job, w the waiting time.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING, Literal, Self

import numpy as np

from schedlab.files.known_words import nearest
from schedlab.policies.expression import (
    ExpressionError,
    Program,
    compile_expression,
    orders_nothing,
)

if TYPE_CHECKING:
    import pandas as pd

    from schedlab.core.jobs import Jobs


@dataclass(frozen=True)
class Policy:
    """Function from run time or estimate, processors, submit time and wait to a score.

    Parameters
    ----------
    name : str
        Key in the registry, or the expression if the policy has no name.
    label : str
        Name in tables and figures.
    expression : str
        The score; the smallest runs first.
    divisor : str, optional
        For a policy that orders by ``w / (divisor(n) * r)``, largest first: the expression of the
        divisor. Such scores are linear in time, so the kernel need not inspect every waiting job
        at each event.
    fresh : {"submit", "divisor"}
        How such a policy orders jobs with no wait yet (w = 0): by submission, or by ``divisor(n) *
        r`` (UNICEF's 1e-20).
    reverse : bool
        Whether such a policy puts the smallest ``w / (divisor(n) * r)`` first.
    source : str
        Source of the formula.
    """

    name: str
    label: str
    expression: str
    divisor: str | None = None
    fresh: Literal["submit", "divisor"] = "submit"
    reverse: bool = False
    source: str = ""

    @property
    def program(self) -> Program:
        """The compiled expression."""
        return compile_expression(self.expression)

    def scores(self, jobs: Jobs, head: int = 0, wait: float | np.ndarray = 0.0) -> np.ndarray:
        """Return the score of each job that has waited `wait` seconds.

        Parameters
        ----------
        jobs : Jobs
            n jobs.
        head : int
            Number of first jobs that come before all others, whatever their scores.
        wait : float or ndarray of shape (n - head,)
            Seconds, for all jobs or for each job after the first ones.

        Returns
        -------
        ndarray of float64, shape (n,)

        Raises
        ------
        ScoreError
            A score has no order, see `Program.checked`; the message names policy and job.
        """
        columns = [column[head:] for column in (jobs.estimate, jobs.procs, jobs.submit)]
        score, faulty = self.program.checked(*columns, wait)
        if faulty >= 0:
            r, n, s = (int(column[faulty]) for column in columns)
            waited = float(np.broadcast_to(wait, len(score))[faulty])
            raise orders_nothing(
                *(self.name, self.expression, jobs.number[head + faulty]),
                *(score[faulty], r, n, s, waited),
            )
        return np.concatenate([np.full(head, -np.inf), score]) if head else score

    def of_log(self, frame: pd.DataFrame) -> Self:
        """Return the policy with what it needs to know of a log's jobs: nothing."""
        return self

    def divisors(self, procs: np.ndarray) -> np.ndarray:
        """Return the divisor of each job in fixed point, as whole multiples of 2**-57.

        Parameters
        ----------
        procs : ndarray of int64, shape (n,)
            Processors of each job.

        Returns
        -------
        ndarray of int64, shape (n,)
            0 for a job that comes before all with another divisor.
        """
        most = int(procs.max(initial=0))
        if most < len(procs) and procs.min() > 0:  # once for each number of processors
            return self.divisors(np.arange(1, most + 1))[procs - 1]
        value = compile_expression(self.divisor or "1").scores(procs, procs, procs)
        return np.rint(value * 2.0**57).astype(np.int64)

    @property
    def order(self) -> Literal["static", "linear", "mixed", "general", "function", "neural"]:
        """Kind of the order of waiting jobs: static, linear or mixed in time, or general.

        Only the order of a Python function is "function", only that of a network "neural".
        """
        if not self.program.moves:
            return "static"
        return "general" if self.divisor is None else "linear"


_SC17 = "carastan2017, Table 2"
_RR9212 = "legrand2018, section 4.2"
_LEARNED = "carastan2017, Table 3, with the unsimplified coefficients of its artefact"
#: seconds of waiting equivalent to a size smaller by the factor e, in ageing policies
AGEING = 43_200
_AGEING = (
    "the logarithm of its size and the submission: the order is static, and no job is overtaken "
    "for long by smaller ones"
)

REGISTRY: dict[str, Policy] = {
    policy.name: policy
    for policy in (
        Policy("fcfs", "FCFS", "s", source=_SC17),
        Policy(
            "wfp3",
            "WFP",
            "-(w / r)**3 * n",
            divisor="1 / cbrt(n)",
            source=f"{_SC17}; Tang et al. 2009",
        ),
        Policy(
            "unicef",
            "UNI",
            "-(w + 1e-20) / (log2(n) * r)",
            divisor="log2(n)",
            fresh="divisor",
            source=f"{_SC17}; Tang et al. 2009",
        ),
        Policy("spt", "SPT", "r", source=_SC17),
        Policy(
            "f4",
            "F4",
            "(0.0056500287 * r) * (0.0000024814 * sqrt(n)) + 0.0074444355 * log10(s)",
            source=_LEARNED,
        ),
        Policy(
            "f3",
            "F3",
            "(-0.2188093701 * r) * (-0.0000000049 * n) + 0.0073580361 * log10(s)",
            source=_LEARNED,
        ),
        Policy(
            "f2",
            "F2",
            "(0.0000342717 * sqrt(r)) * (0.0076562110 * n) + 0.0067364626 * log10(s)",
            source=_LEARNED,
        ),
        Policy(
            "f1",
            "F1",
            "(-0.0155183403 * log10(r)) * (-0.0005149209 * n) + 0.0069596182 * log10(s)",
            source=_LEARNED,
        ),
        Policy("lcfs", "LCFS", "-s", source=_RR9212),
        Policy("lpf", "LPF", "-r", source=_RR9212),
        Policy("sqf", "SQF", "n", source=_RR9212),
        Policy("lqf", "LQF", "-n", source=_RR9212),
        Policy("saf", "SAF", "r * n", source=_RR9212),
        Policy("laf", "LAF", "-(r * n)", source=_RR9212),
        Policy("srf", "SRF", "r / n", source=_RR9212),
        Policy("lrf", "LRF", "-(r / n)", source=_RR9212),
        Policy("lexp", "LEXP", "-((w + r) / r)", divisor="1", source=_RR9212),
        Policy("sexp", "SEXP", "(w + r) / r", divisor="1", reverse=True, source=_RR9212),
        *(
            Policy(f"{name}_age", f"{label}-age", f"{size} + s / {AGEING}", source=_AGEING)
            for name, label, size in (
                ("spt", "SPT", "log(max(r, 1))"),
                # this is also the size of a job in F3
                ("saf", "SAF", "log(max(r, 1) * n)"),
                ("lpf", "LPF", "-log(max(r, 1))"),
                ("f1", "F1", "log(max(log10(r), 1) * n)"),
                ("f2", "F2", "log(sqrt(max(r, 1)) * n)"),
                ("f4", "F4", "log(max(r, 1) * sqrt(n))"),
            )
        ),
    )
}
ALIASES = {"spf": "spt", "sjf": "spt"}
#: rows of published neural policies by name, see `schedlab.policies.published`
PUBLISHED = {
    row["name"]: row
    for row in csv.DictReader(
        (files("schedlab.policies") / "published.tsv").read_text().splitlines(), delimiter="\t"
    )
}


def get(name: str, label: str | None = None) -> Policy:
    """Return the policy of a name, or the one that an expression describes.

    Parameters
    ----------
    name : str
        A key of `REGISTRY`, an alias (spf and sjf mean spt), or an expression over r, n, s and w.
    label : str, optional
        Label of a policy given as an expression; the expression itself by default.

    Raises
    ------
    ExpressionError
        The name is neither, or that of a neural policy; the message names the nearest known name.

    Examples
    --------
    >>> get("wfp3").order, get("r * n").order, get("r - 0.1 * w").order
    ('linear', 'static', 'general')
    """
    key = ALIASES.get(name.lower(), name.lower())
    if key in REGISTRY:
        return REGISTRY[key]
    try:
        compile_expression(name)
    except ExpressionError as error:
        if key in PUBLISHED:
            raise ExpressionError(
                f"policy '{name}' is neural: it has no expression, which is needed here"
            ) from None
        hint = nearest(key, [*REGISTRY, *ALIASES, *PUBLISHED]) if name.isidentifier() else ""
        raise ExpressionError(f"no policy is registered as '{name}'{hint} ({error})") from error
    return Policy(name, label or name, name)
