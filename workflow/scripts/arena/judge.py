"""Hold schedulers against each other: the arena's tables, figures and sentences."""

import logging
from collections.abc import Mapping, Sequence

import pandas as pd

from schedlab.arena import tables as made
from schedlab.arena.figures import draw_ranks, draw_survivors, ranks_drawn
from schedlab.arena.findings import NOTHING, findings
from schedlab.arena.measures import METRICS
from schedlab.arena.standing import stand
from schedlab.figures.missing import not_at_hand
from schedlab.figures.style import save
from schedlab.io import read_parquet, write_text
from schedlab.logs import logged
from schedlab.report import tables

DIGITS = {"wait": 0, "response": 0, "p95_wait": 0, "utilisation": 4}


def judge(
    metrics: Sequence[str],
    facts: Sequence[str],
    recorded: str,
    labels: Mapping[str, str],
    out: Mapping[str, str],
) -> None:
    """Write every table, every figure and the two sentences; `out` are the files by item."""
    results = pd.concat(map(read_parquet, metrics), ignore_index=True)
    known = pd.concat(map(read_parquet, facts), ignore_index=True)
    standings = {name: stand(results, name) for name in METRICS}
    own = read_parquet(recorded)
    shown = {name: made.metric_table(standings[name], labels, own) for name in METRICS}
    survivors = made.survivors(standings)
    said = findings(standings, survivors)
    logging.info(said)
    write_text(said, out["txt"])
    shown |= {"survivors": survivors, "windows": made.windows_table(known, labels)}
    shown["schedulers"] = made.schedulers_table(list(survivors["name"]))
    shown["absent"] = made.absent_table()
    for name, table in shown.items():
        title = METRICS[name].label if name in METRICS else name
        note = _note(standings[name], labels) if name in METRICS else ""
        tables.write_csv(table, out[f"{name}_csv"])
        digits = {log: DIGITS.get(name, 2) for log in labels.values()}
        tables.write_markdown(table, out[f"{name}_md"], title.capitalize(), note, digits)
    for name in METRICS:
        drawn = ranks_drawn(standings[name])
        empty = said == NOTHING
        figure = not_at_hand("the arena") if empty else draw_ranks(standings[name], drawn)
        _write(drawn, figure, f"fig_{name}", out)
    figure = not_at_hand("the arena") if empty else draw_survivors(standings, survivors)
    _write(survivors, figure, "fig_survivors", out)


def _note(standing, labels: Mapping[str, str]) -> str:
    """Say what the columns are, and which logs have no ratio."""
    meaning = METRICS[standing.metric].meaning
    lacking = ", ".join(labels[log] for log in standing.left_out)
    without = f" Without a ratio, too few windows with something to measure: {lacking}."
    said = (
        f"{meaning[0].upper()}{meaning[1:]}. Mean over the windows of each log; ratio to EASY, the "
        "geometric mean over logs, with 95 % over windows; chance by Holm; rank: mean over "
        f"{standing.blocks} windows, told apart from {standing.difference:.2f} on. The last row is "
        "what the logs have recorded; it has no rank."
    )
    return said + (without if lacking else "")


def _write(drawn: pd.DataFrame, figure, item: str, out: Mapping[str, str]) -> None:
    tables.write_csv(drawn, out[f"{item}_csv"])
    save(figure, out[f"{item}_pdf"], out[f"{item}_png"])


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        judge(
            metrics=job.input.metrics,
            facts=job.input.facts,
            recorded=job.input.recorded,
            labels=job.params.labels,
            out=dict(job.output.items()),
        )
