"""Captions of the tables and figures of a site's report."""

from schedlab.comparison.choice import WHY_NOT
from schedlab.core.metrics import METRICS

#: of one metric, whose name and unit precede it
WINDOWS = """{metric}: mean over the site's windows, and ratio to EASY. 95 % intervals come from
blocks of neighboring windows, the same resamples for all schedulers. chance: Holm-adjusted
p-value; rank: mean over windows. The last row is the record of the log, which is no simulation and
has no ratio."""
TAIL = """{metric}: over all counted jobs of one run over the whole log, and its ratio to EASY. Few
jobs decide such a metric, so there is no interval."""

TEXTS = {
    "profile": "The site's log in numbers. Each row states what its value refers to.",
    "fig_workload": """The site's jobs. Size: shares of jobs and of core-hours. Time: share of jobs
        whose run time, estimate and recorded wait are at most so long. Accuracy: share of jobs by
        the share of their estimate that they ran. Load: work submitted in each week, over the
        machine's time in that week.""",
    "fig_arrivals": """Submissions an hour, by hour of the day and by weekday. Values are means
        over all such hours of the log.""",
    "queues": """Partitions or queues of the site's log, those with the most core-hours first.
        Processors, run time, estimate, used and wait are medians over the jobs of each; waits are
        as recorded.""",
    "lost": "Effect of cleaning on the log's jobs, by rule. Shares are of the log before cleaning.",
    "decision": """The recommended scheduler, which Slurm can run, and the best one in simulations.
        Ratios are means over the site's windows with 95 % intervals over blocks of neighboring
        windows. Longest wait and losing jobs are of one run over the whole log.""",
    "survivors": """Verdicts on every scheduler against EASY by six metrics on the site's windows
        (Holm-adjusted, 5 %), the best mean rank first. lost: worse by more than the configured
        share. survives: better by more metrics than worse, none lost. waits too long: the longest
        wait exceeds the bound. place: 1 is the scheduler to run.""",
    "why_not": WHY_NOT,
    "fig_survivors": """Ratios to EASY by six metrics, means over the site's windows. Green:
        better; orange: worse (Holm-adjusted, 5 %). Bold: better by more metrics than worse, none
        lost.""",
    "fig_ratios": """Ratios to EASY with 95 % intervals over blocks of neighboring windows, means
        over the site's windows. Green: better; orange: worse (Holm-adjusted, 5 %).""",
    "losers": """Jobs that lose under each scheduler. longer: per cent of jobs that wait longer
        than under EASY. group: class of processors and requested time whose mean wait grows most,
        with its mean waits (h) under both. user: number of the user, with ten jobs or more, whose
        mean wait grows most.""",
    "absent": "Schedulers that do not run, with the reason.",
    "policies": "Policies made from the first half of the site's log.",
    "held_out": """Policies on the weeks of the second half, in one run over the whole log: mean
        and median of the weekly means over jobs. Learned and tuned policies did not use these
        weeks. Ratios of means are to first come, first served with EASY, with 95 % intervals over
        blocks of neighboring weeks. against best: the site's policies against the best of the
        others with hindsight.""",
    "fig_held_out": """Ratios to EASY on the weeks of the second half, with 95 % intervals over
        weeks. Learned and tuned policies come from the first half; the others were fixed before.
        The record of the log is drawn if a simulation comes near it.""",
    "waits": """Predictors of waits; every job is predicted at its submission. wait, error, gain:
        means over jobs (s), with 95 % intervals over weeks, resampled two at a time. near: per
        cent of predictions off by at most a factor of 2 or 60 s. covered: per cent of jobs that
        waited no longer than predicted.""",
    "fig_waits": """Mean absolute error of the predictors over all predicted jobs, in mean waits of
        the log, with 95 % intervals over weeks. Right: per cent of jobs within the quantile bound,
        whose target is 95 %.""",
}


def caption(item: str) -> str:
    """Return the caption of an item."""
    metric = METRICS.get(item)
    if metric is None:
        return TEXTS[item]
    unit = f" ({metric.unit})" if metric.unit not in ("", "jobs") else ""
    name = f"{metric.label[0].upper()}{metric.label[1:]}{unit}"
    return (TAIL if metric.tail else WINDOWS).format(metric=name)
