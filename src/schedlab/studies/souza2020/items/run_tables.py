"""Table 1, its averages, their comparisons with the paper, and the spread over replicates."""

from collections.abc import Mapping, Sequence

from schedlab.report import comparison, verdicts
from schedlab.report.parts import Table
from schedlab.studies.souza2020.evidence import background_of, read_runs
from schedlab.studies.souza2020.tables import runs as of_runs

NOTE = (
    "Means over replicates. TWT and makespan in s, CH in hours. low and high: 95 % interval of the "
    "mean, from resampled blocks of neighboring replicates."
)
AVERAGES = (
    "Mean over scales of the excess over the best strategy, in per cent. No excess is given if the "
    f"best mean wait is below {of_runs.LEAST['TWT']} s; scales of TWT counts the scales that have "
    "one."
)
TEXT = "recomputed: from the published Table 1. computed: from computed means, without a verdict."
PERCENTAGES = f"No percentage is given if the best mean wait is below {of_runs.LEAST['TWT']} s."
SPREAD = (
    "ASA's makespan minus that of the other strategy at the same instant, in s: published, and "
    "the mean over replicates with its 95 % interval. shorter, equal, longer: per cent of "
    "replicates."
)


def make(
    stages: Sequence[str], published: str, reasons: str, rows: Sequence[Mapping]
) -> dict[str, Table]:
    """Return the tables."""
    runs, on = read_runs(stages), background_of(rows)
    table1 = of_runs.table1(runs)
    printed = comparison.read_published(published, "table1")
    why = {
        item: comparison.read_reasons(reasons, item)
        for item in ("table1", "averages", "percentages", "text")
    }
    parts = {
        item: comparison.read_published(published, item) for item in ("averages", "percentages")
    }
    text = comparison.read_published(published, "text")
    return {
        "table1": Table(table1, "Table 1", f"{on} {NOTE}"),
        "table1_comparison": Table(
            of_runs.compare(printed, table1, why["table1"]),
            "Table 1, published and computed",
            f"{on} {verdicts.explanation()}",
        ),
        "averages": Table(of_runs.averages(table1), "Normalized averages of Table 1", AVERAGES),
        "arithmetic_comparison": Table(
            of_runs.recompute(printed, parts, why),
            "Percentages and averages of Table 1, published and recomputed",
            verdicts.explanation(),
        ),
        "percentages": Table(
            of_runs.percentages(table1), "Excess over the best strategy (%)", PERCENTAGES
        ),
        "text": Table(
            of_runs.compare_text(text, printed, table1, why["text"]), "Numbers of section 6", TEXT
        ),
        "spread": Table(
            of_runs.spread(printed, runs),
            "Variation of a single run of each strategy",
            f"{on} {SPREAD}",
        ),
    }
