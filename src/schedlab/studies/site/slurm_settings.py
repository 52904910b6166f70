"""Slurm settings for the order that a site should try."""

import shlex
from collections.abc import Mapping, Sequence

from schedlab.comparison.schedulers import SCHEDULERS
from schedlab.exports.slurm import LONGEST, MEANS, ORIGIN, limitations, slurm_export
from schedlab.files.durations import format_duration
from schedlab.files.programs import program
from schedlab.policies import get
from schedlab.policies.ageing import guarded

#: reasons why a scheduler cannot be expressed as an order of Slurm's queue
INEXPRESSIBLE = {
    "predicted": "it plans with predicted run times",
    "every": "it is another backfilling, not another order",
    "plan": "it plans all jobs at once",
}
STAYS = (
    "The recommendation needs no change: first come, first served with backfilling is simulated "
    "as EASY."
)


def expression_of(name: str, learned: Mapping[str, str], weights: str) -> tuple[str, str]:
    """Return a scheduler's policy, and why Slurm cannot express it ("" if it can).

    `name` is a key of `schedlab.comparison.schedulers.SCHEDULERS`, or the name of your policy.
    `learned` has expressions by name, of learned policies and of yours. `weights` is the expression
    of w_train.
    """
    scheduler = SCHEDULERS.get(name)
    if scheduler is None or scheduler.kind == "learned":
        return learned.get(name, ""), ""
    if scheduler.kind == "mixed":
        return weights, ""
    why = INEXPRESSIBLE.get(scheduler.kind, "")
    if scheduler.threshold is not None:
        return guarded(get(scheduler.policy), scheduler.threshold).expression, why
    return scheduler.policy, why


def runnable(names: Sequence[str], learned: Mapping[str, str], weights: str) -> str | None:
    """Return the first scheduler that Slurm can run, or None; arguments as for `slurm_lines`."""
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
    """Return the files that make Slurm run the first of some schedulers that it can run.

    `names` has the best scheduler first; an empty list means that nothing needs to change.
    `learned` and `weights` are as for `expression_of`. `longest` is the longest time limit in
    seconds. Submissions are counted from `origin`, in seconds since 1970: the last submission of
    the log, if its date is known.

    The text has the files below each other; it has none if Slurm can run no scheduler.
    """
    notes = []
    for name in names:
        policy, why = expression_of(name, learned, weights)
        label = SCHEDULERS[name].label if name in SCHEDULERS else name
        if why or not policy:
            notes.append(f"# Slurm cannot express {label}: {why or 'unknown'}.")
            continue
        return "\n".join([*notes, _files(label, name, policy, processors, longest, origin)])
    return "\n".join([*notes, f"# {STAYS}"])


def _files(
    label: str, name: str, policy: str, processors: int, longest: int, origin: int | None
) -> str:
    """Return a policy's files, with a description and instructions above them."""
    longest = max(longest, LONGEST)
    export = slurm_export(
        policy,
        processors=processors,
        longest=longest,
        origin=ORIGIN if origin is None else origin,
    )
    scheduler = SCHEDULERS.get(name)
    lines = [f"# {label}, by {MEANS[export.means]}."]
    lines += [
        f"# {sentence}."
        for sentence in limitations(backfill=scheduler.backfill if scheduler else None)
    ]
    if any("ORIGIN" in text for text in export.files.values()):
        lines += [
            "# Submissions are counted from ORIGIN, which should be the day of installation."
            " On that day, rebuild these files with:",
            # an expression may begin with a minus, which must not be parsed as an option
            f"#   {program('schedlab')} export-slurm --processors {processors} --longest "
            f"{format_duration(longest)} -- {shlex.quote(policy)}",
        ]
    lines += [f"# {number}. {step}" for number, step in enumerate(export.steps, start=1)]
    for path, text in export.files.items():
        lines += ["", f"# ---- {path} ----", text.rstrip()]
    return "\n".join(lines)
