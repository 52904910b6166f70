"""Policies against each other, over windows of a log."""

from math import isfinite
from typing import Annotated

import typer

from schedlab.cli import options as o
from schedlab.cli.checks import SchedulingOptions
from schedlab.cli.log import LogInput, about, command, size_of
from schedlab.cli.output import (
    MISSING,
    number_or_missing,
    print_text,
    show_json,
    show_table,
    warn,
)
from schedlab.cli.slurm import SITE, SlurmOptions, given_of, text_of
from schedlab.comparison.comparing import (
    DAYS,
    USUAL,
    Comparison,
    compare,
    heading_of,
    metrics_by_name,
)
from schedlab.core.metrics import METRICS, Metric, tail_metrics
from schedlab.files.durations import UNITS
from schedlab.files.known_words import check_known
from schedlab.queue.dialect_cells import dialect_of
from schedlab.report.words import number_of
from schedlab.workbench.results import RECORDED

POLICIES = ["fcfs", "spt", "saf", "wfp3", "f1"]
HOUR, DAY = UNITS["h"], UNITS["d"]
#: seconds of the unit of a long time, its sign and decimals, where they are not hours with one
TAIL_UNITS = {"max_wait": (DAY, "d", 1), "makespan": (DAY, "d", 2)}


@command
def compare_policies(
    log: o.LogPath,
    policy: o.Schedulers = POLICIES,
    *,
    source: LogInput,
    options: SchedulingOptions,
    slurm: SlurmOptions,
    days: Annotated[int, typer.Option(min=1, help="Length of a window.")] = DAYS,
    dialect: o.Dialect = "full",
    metric: Annotated[
        str,
        typer.Option(
            help=f"One of {', '.join(metrics_by_name())}.",
            autocompletion=lambda: list(metrics_by_name()),
        ),
    ] = USUAL,
    threads: o.Threads = 1,
    seed: Annotated[int, typer.Option(help="Another number resamples other windows.")] = 0,
    json: o.AsJson = False,
) -> None:
    """Compare policies with the first one, over windows of a log, with intervals."""
    check_known(metric, metrics_by_name(), "metric")
    rules = slurm.dialect(dialect, source, **given_of(options))
    if slurm.is_given() and SITE not in policy:
        policy = [SITE, *policy]
    checked = options.check(slurm.policies(policy, rules), rules, POLICIES)
    opened, rules = slurm.open_started(log, source, rules, quiet=json)
    comparison = compare(
        opened,
        slurm.policies(policy, rules, opened) if slurm.is_given() else checked.policies,
        **checked.settings,
        days=days,
        metric=metric,
        threads=threads,
        seed=seed,
        dialect=rules,
    )
    if json:
        facts = {"mode": checked.mode, "dialect": dialect_of(rules).name}
        facts |= {
            "metric": heading_of(metric),
            "days": days,
            "windows": len(comparison.windows),
        }
        rows = comparison.table.join(comparison.tails).reset_index().to_dict(orient="records")
        show_json(about(opened) | facts | {"results": rows, "warnings": comparison.warnings})
        return
    print_text(f"{size_of(opened)}; {opened.cleaning}")
    print_text(f"{checked.mode}; {text_of(rules)}")
    show_comparison(comparison)


def show_comparison(comparison: Comparison) -> None:
    """Print a comparison, with a description of its numbers."""
    first, rows = comparison.table.index[0], []
    for label, row in comparison.table.iterrows():
        ends = "" if label == first else interval(row["low"], row["high"])
        numbers = map(number_or_missing, (row["mean"], row["median"], row["ratio"]))
        rows.append((label, *numbers, ends, row["verdict"]))
    windows = number_of(len(comparison.windows), "window")
    title = f"{heading_of(comparison.metric)}, {windows} of {number_of(comparison.days, 'day')}"
    columns = ("policy", "mean", "median", f"times {first}", "95 % interval", f"than {first}")
    show_table(title, columns, rows)
    print_text(
        "mean and median are over the windows' means over their jobs; every policy runs once over "
        "the whole log, so that each window begins with the queue that the one before it left; "
        "intervals are of the ratio of means, from 10,000 resamples of blocks of neighboring "
        "windows, the same for all"
    )
    show_tails(comparison)
    if RECORDED in comparison.table.index and comparison.table["ratio"].isna()[RECORDED]:
        print_text(
            f"{RECORDED}: no ratio, for {first} does not come near the recorded waits: limits, "
            "priorities, partitions and outages are not in a log"
        )
    for warning in comparison.warnings:
        warn(warning)


def interval(low: float, high: float) -> str:
    """Return an interval of ratios as text; a dash if there is none or it has no ends."""
    return f"{low:.2f} to {high:.2f}" if isfinite(low) and isfinite(high) else MISSING


def show_tails(comparison: Comparison) -> None:
    """Print the worst cases of a comparison, and the jobs that lose."""
    first = comparison.tails.index[0]
    metrics, rows = tail_metrics().values(), []
    of_jobs, of_machine = (
        [one for one in metrics if one.of_machine == machine] for machine in (False, True)
    )
    for label, row in comparison.tails.iterrows():
        worst = f"{row['worst_user']:,.1f}" if row["worst_user"] > 0 else ""
        lost = (
            f"{row['group']}: {row['first_wait'] / HOUR:,.1f} to {row['group_wait'] / HOUR:,.1f} h"
            if row["group"]
            else ""
        )
        cells = {"policy": label}
        for metric in of_jobs:
            cells[metric.brief] = _tail_text(metric, row[metric.name])
            if metric.name == "max_wait":
                times = "" if label == first else number_or_missing(row["times"])
                cells[f"times {first}"] = times
        cells |= {METRICS["worst_user"].brief: worst, "who loses (mean wait)": lost}
        rows.append(cells | {one.brief: _tail_text(one, row[one.name]) for one in of_machine})
    show_table(
        "Worst cases over all counted jobs", list(rows[0]), [[*row.values()] for row in rows]
    )


def _tail_text(metric: Metric, value: float) -> str:
    """Return a value, in hours or days if it is a time."""
    if metric.unit != "s":
        return f"{value:{metric.format}}"
    seconds, unit, digits = TAIL_UNITS.get(metric.name, (HOUR, "h", 1))
    return f"{value / seconds:,.{digits}f} {unit}"


def verdict(comparison: Comparison, label: str) -> str:
    """Return whether a policy pays, compared with the first policy and the best in hindsight."""
    table = comparison.table.drop(index=RECORDED, errors="ignore")
    first, best = table.index[0], table["mean"].drop(label).idxmin()
    comparisons = []
    for reference, description in (
        (first, "chosen beforehand"),
        (best, "the best of the others here"),
    ):
        row = comparison.against(reference).loc[label]
        ends = interval(row["low"], row["high"])
        comparisons.append(
            f"{row['ratio']:.2f} times ({ends}) {reference}, {description}: {row['verdict']}"
        )
    return f"{label}: {'; '.join(dict.fromkeys(comparisons))}"
