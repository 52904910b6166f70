"""Captions of the tables and figures of the arena."""

from schedlab.comparison.choice import WHY_NOT
from schedlab.core.metrics import METRICS

#: of one metric, whose name and unit precede it
WINDOWS = """{metric}: mean over the windows of each log. Ratio to EASY (first come, first served):
geometric mean over logs, with 95 % intervals from blocks of neighboring windows, the same for all
schedulers. Verdicts are Holm-adjusted; rank is the mean over windows. User estimates; τ and
windows as in the sheet. Last row: waits as recorded, if a log states all of them. Left-out jobs,
partitions, limits, reservations, outages and user reactions affected these, so they have neither
ratio nor rank."""
TAIL = """{metric}: over all counted jobs of one run over each whole log. ratio: geometric mean
over logs of the ratio to EASY; worst: the largest ratio; on: its log. forbidden: number of logs
whose longest wait exceeds the bound. Few jobs decide such a metric, so there is no interval."""
RANKS = """Critical-difference plot: mean ranks of the schedulers over all windows by {metric}. A
bar is as long as the critical difference of Nemenyi's test at 5 %; schedulers differ significantly
if their bars do not overlap. Blue: indistinguishable from the best; orange: EASY. Windows of one
log resemble each other, so fewer differences are certain than the plot shows."""

TEXTS = {
    "survivors": """Verdicts on every scheduler against EASY, by metric: better, worse or open,
        after Holm's correction. lost: worse by more than the configured share. survives: better by
        more metrics than worse, none lost. waits too long: number of logs whose longest wait
        exceeds the bound. youth first: prefers younger jobs, so it is not advised. place: 1 is the
        advised scheduler. beats, beaten by: schedulers behind and ahead by more than the critical
        difference in every metric. rank: mean over metrics.""",
    "why_not": WHY_NOT,
    "fig_survivors": """Ratios to EASY by metric; schedulers are in the order of their mean rank
        over all metrics. Green: better; orange: worse (Holm-adjusted, 5 %). Bold: better by more
        metrics than worse, none lost. More utilization is better; of the other metrics, less.""",
    "losers": """Jobs that lose under each scheduler, by log. longer: per cent of jobs that wait
        longer than under EASY. group: class of processors and requested time whose mean wait grows
        most, with its mean waits (h) under both. user: number of the user, with ten jobs or more,
        whose mean wait grows most.""",
    "guards": """Guards against indefinite waits: ratios to EASY, geometric means over logs.
        worst_max_wait is the largest ratio of longest waits on any log. threshold: a job that has
        waited more than so many days goes first. age: the score is the logarithm of the size plus
        the submission over so many days, a static policy. EASY-SJBF keeps the queue in order of
        submission, which a threshold does not change.""",
    "fig_guards": """Gain and risk of guards, as ratios to EASY: mean wait (down), and longest wait
        on the worst log (across). Orange: no guard. Blue: jobs that waited 6 hours to 10 days go
        first. Green: 1.5 hours to 4 days of waiting count as much as a size smaller by the factor
        2.7. Dotted: no scheduler beyond this bound is advised. Large: strengths that are entries
        of the arena, chosen on these logs except Theta.""",
    "windows": """Runs by log: jobs, days, windows, offered load of counted jobs, known users, and
        schedulers that prefer younger jobs or could not run. backlog: work that EASY had left at
        the begin and end of the windows, in days of the whole machine. overload: it grows by more
        than 2 % of the time between. w_train: jobs of the first quarter that it was learned from,
        and its weights (four digits). Windows were chosen by the first and last submission alone,
        before any run.""",
    "schedulers": """Schedulers of the arena, with their sources and whether they must know the
        users of jobs. All use user estimates; EASY++ replaces these by predictions.""",
    "absent": "Schedulers that do not run, with the reason.",
}


def caption(item: str) -> str:
    """Return the caption of an item."""
    metric = METRICS.get(item.removeprefix("fig_"))
    if metric is None:
        return TEXTS[item]
    if item.startswith("fig_"):
        return RANKS.format(metric=metric.label)
    unit = f" ({metric.unit})" if metric.unit not in ("", "jobs") else ""
    name = f"{metric.label[0].upper()}{metric.label[1:]}{unit}"
    return (TAIL if metric.tail else WINDOWS).format(metric=name)
