"""Figures of the arena: a critical-difference plot per metric, and the effect of guards."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd
from matplotlib.lines import Line2D

from schedlab.comparison.schedulers import GUARD, REFERENCE, labels_of
from schedlab.comparison.standing import ranges_of_ranks
from schedlab.core.metrics import METRICS
from schedlab.core.splitting import DAY
from schedlab.policies.pure import AGEING
from schedlab.report.figures.style import BLUE, COLORS, GREY, colors_of, titled
from schedlab.report.words import joined, number_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from schedlab.comparison.standing import Standing

#: guards of the arena's registered schedulers, in days
CHOSEN = {"threshold": GUARD / DAY, "age": AGEING / DAY}
UNGUARDED = "no guard"
GUARD_WORDS = {
    "threshold": "first after some days (large: 2 d)",
    "age": "age in the score (large: 12 h)",
}
#: distance of the ticks of ranks, which begin at 1
STEP = 5
#: margin before the first rank and after the last
EDGE = 0.5


def ranks_drawn(standing: Standing) -> pd.DataFrame:
    """Return the name, scheduler, rank, low and high of a critical-difference plot, best first.

    Schedulers differ significantly if the low end of one lies above the high end of the other.
    """
    ranks = standing.ranks.sort_values(kind="stable")
    labels = labels_of(list(ranks.index))
    ranges = ranges_of_ranks(ranks, standing.difference)
    return pd.DataFrame(
        {
            "name": ranks.index,
            "scheduler": [labels[name] for name in ranks.index],
            "rank": ranks.to_numpy(),
            "low": ranges["low"].to_numpy(),
            "high": ranges["high"].to_numpy(),
        }
    )


def unranked(standing: Standing) -> list[str]:
    """Return the labels of schedulers that have results but no rank, because they lack some log."""
    names = [name for name in standing.means.index if name not in standing.ranks.index]
    return list(labels_of(names).values())


def draw_ranks(standing: Standing, ranks: pd.DataFrame) -> Figure:
    """Draw mean ranks with bars of the critical difference; disjoint bars differ significantly."""
    metric = METRICS[standing.metric]
    # schedulers whose bars do not overlap with the best one's
    significant = ranks["low"] > ranks["high"].iloc[0]
    with titled(
        1.5 + 0.19 * len(ranks), best_ranks(ranks, metric.label), _setting(standing)
    ) as figure:
        axes = figure.subplots()
        axes.axvspan(ranks["low"].iloc[0], ranks["high"].iloc[0], color=BLUE, alpha=0.08, lw=0)
        for place, row in ranks.iterrows():
            color = GREY if significant[place] else BLUE
            color = COLORS[row["scheduler"]] if row["name"] == REFERENCE else color
            axes.plot([row["low"], row["high"]], [place, place], color=color, lw=2, alpha=0.6)
            axes.plot(row["rank"], place, "o", color=color, ms=4.5)
        axes.set_yticks(range(len(ranks)), ranks["scheduler"])
        axes.set_ylim(len(ranks) - 0.4, -0.6)
        axes.set_xlim(1 - EDGE, len(ranks) + EDGE)
        axes.set_xticks([1, *range(STEP, len(ranks) + 1, STEP)])
        axes.set_xlabel("mean rank, 1 the best")
        axes.grid(axis="x")
        axes.grid(axis="y", visible=False)
    return figure


def best_ranks(ranks: pd.DataFrame, label: str) -> str:
    """Return a sentence: the schedulers with the best mean rank, and how many are not worse.

    Ranks that are equal to one decimal, as the sentence prints them, are a tie.
    """
    shown = ranks["rank"].map("{:.1f}".format)
    first = list(ranks.loc[shown == shown.iloc[0], "scheduler"])
    alike = int((ranks["low"] <= ranks["high"].iloc[0]).sum()) - len(first)
    has = "has" if len(first) == 1 else "have"
    others = len(ranks) - len(first)
    return (
        f"{joined(first)} {has} the best mean rank by {label} ({shown.iloc[0]}); {alike} of the "
        f"other {number_of(others, 'scheduler')} {'is' if alike == 1 else 'are'} indistinguishable"
    )


def _setting(standing: Standing) -> str:
    """Return the number of windows, the tests, and which schedulers have no rank."""
    chance = standing.friedman
    compared = "< 0.001" if chance < 0.001 else f"= {chance:.3f}"
    test = "" if pd.isna(chance) else f" Friedman p {compared}."
    missing = unranked(standing)
    note = f" Not ranked (not run on every log): {', '.join(missing)}." if missing else ""
    return (
        f"Mean over {number_of(standing.blocks, 'window')}; bars: critical difference "
        f"{standing.difference:.1f} (Nemenyi, 5 %).{test}{note}"
    )


def within_bound(guards: pd.DataFrame, bound: float) -> str:
    """Return for how many schedulers the longest waits stay within the bound, guarded or not.

    Columns: scheduler, guard, days, worst_max_wait. Of each guard, the strength in `CHOSEN` counts.
    """
    days = guards["guard"].map(CHOSEN)
    shown = guards[days.isna() | (guards["days"] == days)]
    counts = (shown["worst_max_wait"] <= bound).groupby(shown["guard"]).sum()
    count = number_of(guards["scheduler"].nunique(), "scheduler")
    return (
        f"Longest waits are at most {bound:g} times EASY’s for {counts['none']} of {count} without "
        f"a guard, {counts['threshold']} with a threshold and {counts['age']} with age"
    )


def draw_guards(guards: pd.DataFrame, bound: float) -> Figure:
    """Draw the gain that guards preserve against their effect on the longest wait.

    `bound` is the largest ratio of longest waits with which a scheduler is advised.
    """
    setting = (
        "Mean wait over all logs, longest wait on the log where it is worst; both times EASY’s. "
        f"Dotted: a longest wait of {bound:g} times EASY’s. Large: the strengths in the title."
    )
    with titled(5.6, within_bound(guards, bound), setting) as figure:
        grid = figure.subplots(2, 4, sharex=True, sharey=True).ravel()
        for axes, (label, scheduler_rows) in zip(
            grid, guards.groupby("scheduler", sort=False), strict=False
        ):
            bare = scheduler_rows[scheduler_rows["guard"] == "none"].iloc[0]
            for guard, color in colors_of(CHOSEN).items():
                part = scheduler_rows[scheduler_rows["guard"] == guard]
                axes.plot(part["worst_max_wait"], part["wait"], "o-", color=color, ms=3, lw=1)
                chosen = part[part["days"] == CHOSEN[guard]]
                axes.plot(chosen["worst_max_wait"], chosen["wait"], "o", color=color, ms=6.5)
            axes.plot(bare["worst_max_wait"], bare["wait"], "s", color=COLORS[UNGUARDED], ms=5)
            axes.axvline(bound, color="black", lw=0.8, ls=":")
            axes.axhline(1, color="black", lw=0.8)
            axes.set_title(label)
            axes.set_xscale("log")
            axes.set_xticks([1, 3, 10, 30, 100], ["1", "3", "10", "30", "100"])
            axes.minorticks_off()
        handles = [
            Line2D([], [], marker="s", ls="", color=COLORS[UNGUARDED], label=UNGUARDED),
            *(
                Line2D([], [], marker="o", color=color, label=GUARD_WORDS[guard])
                for guard, color in colors_of(CHOSEN).items()
            ),
        ]
        figure.legend(handles=handles, loc="outside lower center", ncols=3)
        for axes in grid[4:]:
            axes.set_xlabel("longest wait")
        for axes in grid[::4]:
            axes.set_ylabel("mean wait")
    return figure
