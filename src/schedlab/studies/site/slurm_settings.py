"""Slurm settings for the order that a site should try."""

import shlex
from collections.abc import Iterable, Mapping, Sequence

from schedlab.comparison.conditions import Condition
from schedlab.comparison.schedulers import SCHEDULERS
from schedlab.exports.slurm import LONGEST, MEANS, ORIGIN, limitations, slurm_export
from schedlab.files.durations import format_duration
from schedlab.files.programs import program
from schedlab.policies import get
from schedlab.policies.ageing import guarded
from schedlab.policies.user_files import is_place

#: reasons why a scheduler cannot be expressed as an order of Slurm's queue
INEXPRESSIBLE = {
    "predicted": "it plans with predicted run times",
    "every": "it is another backfilling, not another order",
    "plan": "it plans all jobs at once",
}
#: points of the command that keeps the site's priorities
POINTS = 10_000
KEEPS_WEIGHTS = (
    "To change no weight, add points to the site's priorities by a script. Give the value of "
    f"PriorityWeightFairshare in place of {POINTS}:"
)
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
        policy = learned.get(name, "")
        return policy, "it is a Python function" if is_place(policy) else ""
    if scheduler.kind == "mixed":
        return weights, ""
    why = INEXPRESSIBLE.get(scheduler.kind, "")
    if scheduler.threshold is not None:
        return guarded(get(scheduler.policy), scheduler.threshold).expression, why
    return scheduler.policy, why


def slurm_condition(names: Iterable[str], learned: Mapping[str, str], weights: str) -> Condition:
    """Return the condition that Slurm can run a scheduler; arguments as for `expression_of`."""
    reasons = {}
    for name in names:
        policy, why = expression_of(name, learned, weights)
        if why or not policy:
            reasons[name] = f"Slurm cannot run it: {why or 'its order is unknown'}"
    return Condition("can run in Slurm, as another order of its queue", reasons)


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
    `longest` is the longest time limit in seconds. Submissions are counted from `origin`, in
    seconds since 1970: the last submission of the log, if its date is known.

    The text has the files below each other; it has none if Slurm can run no scheduler.
    """
    notes = []
    for name in names:
        policy, why = expression_of(name, learned, weights)
        label = SCHEDULERS[name].label if name in SCHEDULERS else name
        if why or not policy:
            notes.append(f"# Slurm cannot run {label}: {why or 'its order is unknown'}.")
            continue
        return "\n".join([*notes, _files(label, name, policy, processors, longest, origin)])
    return "\n".join([*notes, f"# {STAYS}"])


def _files(
    label: str, name: str, policy: str, processors: int, longest: int, origin: int | None
) -> str:
    """Return a policy's files, with a description and instructions above them."""
    longest = max(longest, LONGEST)
    export = slurm_export(
        policy, processors=processors, longest=longest, origin=ORIGIN if origin is None else origin
    )
    scheduler = SCHEDULERS.get(name)
    lines = [f"# {label}, by {MEANS[export.means]}."]
    lines += [
        f"# {sentence}."
        for sentence in limitations(backfill=scheduler.backfill if scheduler else None)
    ]
    # an expression may begin with a minus, which must not be parsed as an option
    machine = f"--processors {processors} --longest {format_duration(longest)}"
    command = f"{machine} -- {shlex.quote(policy)}"
    start = f"{program('schedlab')} export-slurm"
    lines += [
        f"# {KEEPS_WEIGHTS}",
        f"#   {start} --points {POINTS} --out slurm {command}",
        "# Or let the files below take the place of the site's priorities:",
    ]
    if any("ORIGIN" in text for text in export.files.values()):
        lines += [
            "# Submissions are counted from ORIGIN, which should be the day of installation."
            " On that day, rebuild these files with:",
            f"#   {start} {command}",
        ]
    lines += [f"# {number}. {step}" for number, step in enumerate(export.steps, start=1)]
    for path, text in export.files.items():
        lines += ["", f"# ---- {path} ----", text.rstrip()]
    return "\n".join(lines)
