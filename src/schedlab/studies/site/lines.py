"""The order that a site should try, as Slurm takes it."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from schedlab.comparison.schedulers import SCHEDULERS
from schedlab.exports.slurm import LONGEST, MEANS, ORIGIN, slurm_export, untold
from schedlab.files.durations import format_duration
from schedlab.policies import get
from schedlab.policies.ageing import guarded

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

#: why a scheduler is no order that Slurm could be told
NOT_SAID = {
    "predicted": "it plans with predicted run times",
    "every": "it is another backfilling, not another order",
    "plan": "it plans all jobs at once",
}
STAYS = (
    "Nothing is to be changed by what stands above: first come first served with backfilling is "
    "what is simulated as EASY."
)


def expression_of(name: str, learned: Mapping[str, str], weights: str) -> tuple[str, str]:
    """Return the policy of a scheduler of the arena, and why it is none ("" where it is one).

    Parameters
    ----------
    name : str
        Of `schedlab.comparison.schedulers.SCHEDULERS`, or of a reader's own.
    learned : mapping of str to str
        Expressions by name, of learned policies and of a reader's own.
    weights : str
        Expression of w_train.
    """
    one = SCHEDULERS.get(name)
    if one is None or one.kind == "learned":
        return learned.get(name, ""), ""
    if one.kind == "mixed":
        return weights, ""
    why = NOT_SAID.get(one.kind, "")
    if one.threshold is not None:
        return guarded(get(one.policy), one.threshold).expression, why
    return one.policy, why


def runnable(names: Sequence[str], learned: Mapping[str, str], weights: str) -> str | None:
    """Return the first of some schedulers that Slurm can run; None where there is none.

    Parameters
    ----------
    names, learned, weights
        As of `slurm_lines`.
    """
    for name in names:
        policy, why = expression_of(name, learned, weights)
        if policy and not why:
            return name
    return None


def slurm_lines(
    names: Sequence[str],
    learned: Mapping[str, str],
    weights: str,
    processors: int,
    longest: int,
    origin: int | None = None,
) -> str:
    """Return the files that make a Slurm run the first of some schedulers that it can run.

    Parameters
    ----------
    names : list of str
        Schedulers, the best first; none: nothing is to be changed.
    learned, weights
        As of `expression_of`.
    processors : int
        Of the machine.
    longest : int
        Longest time limit in seconds.
    origin : int, optional
        Seconds since 1970 from which submissions are counted: the last one of the log, where it
        says when that was.

    Returns
    -------
    str
        A text with the files below each other; without any where none of them can be told.
    """
    said = []
    for name in names:
        policy, why = expression_of(name, learned, weights)
        label = SCHEDULERS[name].label if name in SCHEDULERS else name
        if why or not policy:
            said.append(f"# {label} is no order that Slurm could be told: {why or 'unknown'}.")
            continue
        return "\n".join([*said, _files(label, name, policy, processors, longest, origin)])
    return "\n".join([*said, f"# {STAYS}"])


def _files(
    label: str, name: str, policy: str, processors: int, longest: int, origin: int | None
) -> str:
    """Return a policy's files, with what they are and what to do with them above them."""
    longest = max(longest, LONGEST)
    made = slurm_export(
        policy,
        processors=processors,
        longest=longest,
        origin=ORIGIN if origin is None else origin,
    )
    one = SCHEDULERS.get(name)
    lines = [f"# {label}, by {MEANS[made.means]}."]
    lines += [f"# {said}." for said in untold(backfill=one.backfill if one else None)]
    if any("ORIGIN" in text for text in made.files.values()):
        lines += [
            "# It counts submissions from ORIGIN, which should be the day on which it is installed:"
            " make it anew then by",
            # an expression may begin with a minus, which is no option
            f"#   schedlab export-slurm --processors {processors} --longest "
            f"{format_duration(longest)} -- {shlex.quote(policy)}",
        ]
    lines += [f"# {number}. {step}" for number, step in enumerate(made.steps, start=1)]
    for path, text in made.files.items():
        lines += ["", f"# ---- {path} ----", text.rstrip()]
    return "\n".join(lines)
