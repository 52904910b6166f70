"""Hold schedulers against each other: the arena's tables, figures and sentences."""

import logging
from collections.abc import Mapping, Sequence

import pandas as pd

from schedlab.arena import tables as made
from schedlab.arena.choice import choose
from schedlab.arena.figures import draw_guards, draw_ranks, draw_survivors, ranks_drawn
from schedlab.arena.findings import NOTHING, findings
from schedlab.arena.guards import guards_table
from schedlab.arena.standing import stand
from schedlab.arena.tails import tail_table
from schedlab.figures.missing import not_at_hand
from schedlab.figures.style import save
from schedlab.io import read_parquet, write_text
from schedlab.logs import logged
from schedlab.metrics import COMPARED, METRICS, TAILS
from schedlab.report import tables

DIGITS = {"utilisation": 4, "bsld": 2, "worst_user": 2}


def judge(
    metrics: Sequence[str],
    facts: Sequence[str],
    losers: Sequence[str],
    guards: Sequence[str],
    recorded: str,
    labels: Mapping[str, str],
    advice: Mapping[str, float],
    out: Mapping[str, str],
) -> None:
    """Write every table, every figure and the answer; `out` are the files by item."""
    results, known, lost, guarded = (
        pd.concat(map(read_parquet, paths), ignore_index=True)
        for paths in (metrics, facts, losers, guards)
    )
    standings = {name: stand(results, name) for name in COMPARED}
    own = read_parquet(recorded)
    shown = {name: made.metric_table(standings[name], labels, own) for name in COMPARED}
    shown |= {name: tail_table(results, name, labels, advice["longest_wait"]) for name in TAILS}
    survivors = made.survivors(standings, advice["most_loss"])
    choice = choose(results, survivors, made.youth_of(known), advice)
    said = findings(standings, survivors, choice, results, labels, lost)
    logging.info(said)
    write_text(said, out["txt"])
    shown |= {"survivors": made.with_choice(survivors, choice)}
    shown |= {"windows": made.windows_table(known, labels)}
    shown |= {"losers": made.losers_table(lost, labels), "guards": guards_table(guarded)}
    shown["schedulers"] = made.schedulers_table(list(survivors["name"]))
    shown["absent"] = made.absent_table()
    for name, table in shown.items():
        title = METRICS[name].label if name in METRICS else name
        note = _note(standings[name], labels) if name in COMPARED else ""
        tables.write_csv(table, out[f"{name}_csv"])
        digits = dict.fromkeys(labels.values(), DIGITS.get(name, 0))
        tables.write_markdown(table, out[f"{name}_md"], title.capitalize(), note, digits)
    empty = said == NOTHING
    for name in COMPARED:
        drawn = ranks_drawn(standings[name])
        figure = not_at_hand("the arena") if empty else draw_ranks(standings[name], drawn)
        _write(drawn, figure, f"fig_{name}", out)
    figure = not_at_hand("the arena") if empty else draw_survivors(standings, survivors)
    _write(survivors, figure, "fig_survivors", out)
    figure = not_at_hand("the arena") if empty else draw_guards(shown["guards"])
    _write(shown["guards"], figure, "fig_guards", out)


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
            losers=job.input.losers,
            guards=job.input.guards,
            recorded=job.input.recorded,
            labels=job.params.labels,
            advice=job.params.advice,
            out=dict(job.output.items()),
        )
