"""Table 1, its averages, what is printed beside them, and what the spread does."""

from collections.abc import Mapping, Sequence

from schedlab.logs import logged
from schedlab.papers.souza2020.evidence import background_of, read_runs
from schedlab.papers.souza2020.tables import runs as of_runs
from schedlab.report import comparison, tables, verdicts

NOTE = (
    "Means over replicates; TWT and makespan in s, CH in hours; low and high: 95 % interval of the "
    "mean, from resampled blocks of neighbouring replicates."
)
AVERAGES = (
    "Mean over scales of the excess over the best strategy, in per cent; over a mean wait of less "
    f"than {of_runs.LEAST['TWT']} s none is given, and scales of TWT counts those that have one."
)
PERCENTAGES = f"No percentage over a mean wait of less than {of_runs.LEAST['TWT']} s."
SPREAD = (
    "ASA's makespan less that of the other strategy at the same instant, in s: printed, and the "
    "mean over replicates with its 95 % interval; shorter, equal, longer: per cent of replicates."
)


def make_run_tables(
    stages: Sequence[str],
    published: str,
    reasons: str,
    rows: Sequence[Mapping],
    outputs: Mapping[str, str],
) -> None:
    """Write the tables."""
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
    shown = {
        "table1": (table1, "Table 1", f"{on} {NOTE}"),
        "table1_comparison": (
            of_runs.compare(printed, table1, why["table1"]),
            "Table 1, published and ours",
            f"{on} {verdicts.told()}",
        ),
        "averages": (of_runs.averages(table1), "Normalised averages of Table 1", AVERAGES),
        "arithmetic_comparison": (
            of_runs.recomputed(printed, parts, why),
            "Percentages and averages of the printed numbers, published and recomputed",
            verdicts.told(),
        ),
        "percentages": (
            of_runs.percentages(table1),
            "Excess over the best strategy (%)",
            PERCENTAGES,
        ),
        "text": (
            of_runs.compare_text(
                comparison.read_published(published, "text"), printed, table1, why["text"]
            ),
            "Numbers of section 6",
            "recomputed: from the printed Table 1; ours: from our means, not held against print.",
        ),
        "spread": (of_runs.spread(printed, runs), "What one run of each shows", f"{on} {SPREAD}"),
    }
    for name, (table, title, note) in shown.items():
        tables.write_csv(table, outputs[f"{name}_csv"])
        tables.write_markdown(table, outputs[f"{name}_md"], title, note)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        make_run_tables(
            stages=job.input.stages,
            published=job.input.published,
            reasons=job.input.reasons,
            rows=job.params.rows,
            outputs=dict(job.output.items()),
        )
