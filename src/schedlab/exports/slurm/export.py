"""Export of a policy to files that make Slurm order its queue by it."""

import ast
import textwrap
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from importlib.metadata import version
from typing import Literal

from jinja2 import Environment, PackageLoader, StrictUndefined

from schedlab.exports.slurm import translate
from schedlab.exports.slurm.levels import TOP, levels_of, uses
from schedlab.exports.slurm.limitations import REPLACES
from schedlab.exports.slurm.sums import static_equivalent, terms
from schedlab.exports.slurm.weights import S, multifactor, weights_of
from schedlab.policies import Policy, get

Means = Literal["weights", "submit", "script"]
#: description of each method, in the order in which they are tried
MEANS = {
    "weights": "lines of slurm.conf",
    "submit": "a job_submit.lua that gives each job its place once",
    "script": "a script that reorders the waiting jobs each minute",
}
#: names of the files
CONF, LUA, SCRIPT = "slurm-priority.conf", "job_submit.lua", "slurm_priority.py"
LONGEST = 14 * 86400
#: 2026-01-01, the default zero of submit times
ORIGIN = 1767225600
HORIZON = 10 * 365 * 86400  # seconds after the origin within which submit times are distinguished
_RECONFIGURE = "scontrol reconfigure (after another PriorityType: restart slurmctld)"
_EASY = (
    "if the policy was simulated with EASY, let backfilling hold a reservation for the first job "
    "alone: add bf_job_part_count_reserve=1 to SchedulerParameters. If your own Slurm was "
    "simulated (--slurm-conf), add nothing"
)


@dataclass(frozen=True)
class SlurmExport:
    """Files that make Slurm order its queue by a policy.

    Parameters
    ----------
    policy : Policy
        The policy.
    means : {"weights", "submit", "script"}
        Method, see `MEANS`.
    files : dict of str to str
        Contents by file name; `CONF` is always included.
    exact : bool
        Whether the order is the policy's, under the conditions in `says`.
    says : str
        Accuracy: resolution, ties, conditions.
    steps : tuple of str
        Instructions for the files.
    """

    policy: Policy
    means: Means
    files: dict[str, str]
    exact: bool
    says: str
    steps: tuple[str, ...]

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines of slurm.conf, without comments."""
        lines = self.files[CONF].splitlines()
        return tuple(line for line in lines if line and not line.startswith("#"))


def slurm_export(
    policy: str | Policy,
    *,
    processors: int,
    longest: int = LONGEST,
    origin: int = ORIGIN,
    means: Means | None = None,
    points: int | None = None,
) -> SlurmExport:
    """Export a policy to Slurm, in place of the site's own priorities or in addition to them.

    Parameters
    ----------
    policy : str or Policy
        Name, expression over r, n, s and w, or a policy such as a mixed one.
    processors : int
        Processors (Slurm's CPUs) of the machine.
    longest : int, default two weeks
        Longest time limit in seconds.
    origin : int, default 2026-01-01
        Zero of s in seconds since 1970; before the first submission.
    means : {"weights", "submit", "script"}, optional
        By default the first method that can express the policy.
    points : int, optional
        Keep the site's priorities, such as fair share and QOS, and add points to them by a script:
        this number for the first waiting job in the order of the policy, and proportionally fewer
        for each following one. By default the policy alone orders.

    Raises
    ------
    schedlab.policies.ExpressionError
        The policy is invalid.
    ValueError
        The machine has no processor, the longest limit is below a minute, the origin is before
        1970, points are below 1 or above `TOP`, the method cannot express the policy or add
        points, or the policy orders nothing.

    Examples
    --------
    >>> slurm_export("fcfs", processors=640).lines
    ('PriorityType=priority/basic',)
    """
    if processors < 1:
        raise ValueError(f"processors are {processors}, must be at least 1")
    if longest < 60:
        raise ValueError(f"the longest time limit is {longest} s, must be at least a minute")
    if origin < 0:
        raise ValueError(f"the origin is {origin} s, must not be before 1970")
    if means is not None and means not in MEANS:
        raise ValueError(f"unknown means '{means}'; one of {', '.join(MEANS)}")
    resolved_policy = get(policy) if isinstance(policy, str) else policy
    if points is not None:
        if not 1 <= points <= TOP:
            raise ValueError(f"points are {points}, must be from 1 to {TOP}")
        if means not in (None, "script"):
            raise ValueError(f"points are added by {MEANS['script']}, not by {MEANS[means]}")
        return _script(resolved_policy, processors, longest, origin, points)
    ways = {"weights": _weights, "submit": _submit, "script": _script}
    for name in [means] if means else MEANS:
        export = ways[name](resolved_policy, processors, longest, origin)
        if export is not None:
            return export
    raise ValueError(
        f"policy '{resolved_policy.name}' cannot be expressed by {MEANS[means]}: "
        f"{_WHY[means]} ('{resolved_policy.expression}')"
    )


_WHY = {
    "weights": "Slurm's factors say width, wait and r / n alone, and wait only oldest first",
    "submit": "its order moves while jobs wait",
}


def _weights(policy: Policy, processors: int, longest: int, origin: int) -> SlurmExport | None:
    weights = weights_of(policy.expression, processors)
    if weights is None:
        return None
    return SlurmExport(
        policy,
        "weights",
        {CONF: _conf(policy, weights.lines, weights.says)},
        weights.exact,
        weights.says,
        (_REPLACES, _INCLUDE, _ELSE, _RECONFIGURE, _EASY),
    )


def _submit(policy: Policy, processors: int, longest: int, origin: int) -> SlurmExport | None:
    resting = static_equivalent(policy.expression)
    if resting is None:
        return None
    levels = levels_of(resting, processors, longest, HORIZON)
    until = datetime.fromtimestamp(origin, UTC) + timedelta(seconds=HORIZON)
    uses_s = uses(resting, "s")
    score_terms = terms(resting)
    straight = score_terms is not None and all(key == S for key in score_terms if key[2])
    lua = _render(
        *(LUA, policy, longest, origin),
        expression=_words(resting),
        lua=translate.lua(resting),
        processors=processors,
        says=_wrap_text(levels.says, "-- "),
        uses_s=uses_s,
        flattens=uses_s and not straight,
        until=f"{until:%Y-%m-%d}",
        low=repr(levels.low),
        high=repr(levels.high),
        unit=repr(levels.unit),
        top=TOP,
    )
    lines = (*multifactor(), "JobSubmitPlugins=lua")
    return SlurmExport(
        policy,
        "submit",
        {CONF: _conf(policy, lines, f"The order is made by {LUA}."), LUA: lua},
        not levels.tied,
        levels.says,
        (
            _REPLACES,
            f"put {LUA} next to slurm.conf on the controller, which needs Slurm's lua plugin and "
            "Lua's library. If the site has one, keep it: add the functions of this one to it, and "
            "let its slurm_job_submit call schedlab_site_factor",
            f"{_INCLUDE}. If slurm.conf has the plugins already, add lua to JobSubmitPlugins there "
            f"and take its line out of {CONF}",
            _ELSE,
            _RECONFIGURE,
            _EASY,
        ),
    )


def _script(
    policy: Policy, processors: int, longest: int, origin: int, points: int | None = None
) -> SlurmExport:
    says = (
        "After each run the order is the policy's; jobs with equal scores are in the order of "
        "submission"
    )
    if points:
        says = (
            f"After each run the first waiting job by the policy has {points} more points of "
            "priority than by the site's own weights, and each following job proportionally fewer"
        )
    script = _render(
        *(SCRIPT, policy, longest, origin, points),
        expression=_words(policy.expression),
        python=translate.python(policy.expression),
        says=_wrap_text(f"{says}.", ""),
    )
    note = f"The order is made by {SCRIPT}, which must run."
    if points:
        note = f"{SCRIPT}, which must run, adds points to the site's own priorities."
    return SlurmExport(
        policy,
        "script",
        {CONF: _conf(policy, () if points else multifactor(), note), SCRIPT: script},
        not points,
        f"{says}; between runs {'new jobs have none' if points else _UNCHANGED}.",
        (
            *(() if points else (_REPLACES,)),
            f"put {SCRIPT} on the controller, which needs Python 3.6 or later, and try it with "
            "--dry-run. Then let it run as root: each minute by cron (* * * * * root python3 "
            f"/etc/slurm/{SCRIPT}), or as a service with --every 30",
            *((_KEEP,) if points else (_INCLUDE, _ELSE, _RECONFIGURE)),
            _EASY,
        ),
    )


_REPLACES = REPLACES.rstrip(".")
_INCLUDE = (
    f"put {CONF} next to slurm.conf, let slurm.conf include it (Include {CONF}), and take the "
    "lines of the same names out of slurm.conf"
)
_ELSE = (
    "take PriorityFlags out of slurm.conf itself, because INCR_ONLY and SMALL_RELATIVE_TO_TIME "
    "change the order, and give all partitions one PriorityTier"
)
_KEEP = (
    "leave the weights of slurm.conf as they are. It needs PriorityType=priority/multifactor, "
    "because basic reads no site factor, and no INCR_ONLY in PriorityFlags. Nothing else may set "
    "site factors (PrioritySiteFactorPlugin, job_submit.lua). The policy decides between jobs "
    "whose priorities by these weights differ by less than their points do. As many points as "
    "PriorityWeightFairshare give it the range of fair share"
)
_UNCHANGED = "it does not change, and new jobs are last"


def _render(
    file: str,
    policy: Policy,
    longest: int,
    origin: int,
    points: int | None = None,
    **variables: object,
) -> str:
    """Fill the template of a file with the variables of both files, and further ones."""
    environment = Environment(
        loader=PackageLoader("schedlab.exports", "slurm"),
        undefined=StrictUndefined,
        autoescape=False,
        keep_trailing_newline=True,
    )
    return environment.get_template(f"{file}.j2").render(
        variables,
        policy=_label(policy),
        version=version("schedlab"),
        longest=longest,
        origin=origin,
        points=points,
        origin_words=f"{datetime.fromtimestamp(origin, UTC):%Y-%m-%d %H:%M:%S} UTC",
    )


def _conf(policy: Policy, lines: tuple[str, ...], says: str) -> str:
    """Return the lines of slurm.conf with a comment above them."""
    head = f"{_label(policy)}, smallest score first: {_words(policy.expression)}. {says}"
    return "\n".join([f"# {_wrap_text(head, '# ')}", *lines, ""])


def _words(expression: str) -> str:
    """Return an expression for a comment, without line breaks and comments."""
    text = expression.strip()
    if "#" in text or not text.isprintable():
        text = ast.unparse(ast.parse(text, mode="eval"))
    return text


def _label(policy: Policy) -> str:
    if policy.label == policy.expression:
        return _words(policy.expression)
    return " ".join(policy.label.replace('"', "'").split())


def _wrap_text(text: str, margin: str) -> str:
    """Break a text into lines; all but the first begin with a margin."""
    return f"\n{margin}".join(textwrap.wrap(text, 96, break_long_words=False))
