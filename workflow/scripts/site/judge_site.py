"""Compare schedulers on a site's log: which order should it run."""

import logging
from collections.abc import Mapping

import pandas as pd

from schedlab.comparison.choice import choose
from schedlab.comparison.tables import (
    absent_table,
    losers_table,
    survivors,
    with_choice,
    youth_of,
)
from schedlab.comparison.tails import tail_table
from schedlab.core.metrics import METRICS, tail_metrics
from schedlab.files.io import read_parquet, write_text
from schedlab.files.logs import logged
from schedlab.report import tables
from schedlab.report.figures.style import save
from schedlab.studies.arena.figures import draw_survivors
from schedlab.studies.site.answer import answer, said_of_arena
from schedlab.studies.site.contest import metric_beside, standings, without_record
from schedlab.studies.site.figures import draw_ratios, nothing
from schedlab.studies.site.lines import runnable, slurm_lines
from schedlab.studies.site.settings import SITE, SiteSettings, last_submission

EMPTY = "No whole window lies behind the log's first quarter"


def judge_site(
    site: Mapping,
    own: Mapping[str, str],
    advice: Mapping[str, float],
    metrics: str,
    facts: str,
    losers: str,
    learned: str,
    held_out: str,
    out: Mapping[str, str],
) -> None:
    """Write the arena's tables and figures, the answer and lines for Slurm, by item."""
    settings = SiteSettings.of(site)
    results, known = read_parquet(metrics), read_parquet(facts)
    schedulers, lost = without_record(results), read_parquet(losers)
    simulated, labels = standings(results), {SITE: settings.label}
    found = survivors(simulated, advice["most_loss"])
    choice = choose(schedulers, found, youth_of(known), advice)
    made = {"survivors": with_choice(found, choice), "absent": absent_table()}
    made |= {"losers": losers_table(lost, labels)}
    made |= {name: metric_beside(one, results, settings.label) for name, one in simulated.items()}
    made |= {
        name: tail_table(results, name, labels, advice["longest_wait"]) for name in tail_metrics()
    }
    for item, table in made.items():
        title = METRICS[item].label if item in METRICS else item
        tables.write_csv(table, out[f"{item}_csv"])
        tables.write_markdown(table, out[f"{item}_md"], title.capitalize())
    log, fitted = settings.open(), pd.read_csv(learned)
    expressions = dict(zip(fitted["name"].str.lower(), fitted["expression"], strict=True)) | own
    weights = known["weights"].iloc[0]
    first = runnable(choice.order, expressions, weights)
    held = pd.read_csv(held_out)
    said = answer(simulated, results, found, choice, lost, held, settings, first)
    logging.info(said)
    write_text(said, out["answer"])
    write_text(said_of_arena(known.iloc[0], settings, simulated, found, choice), out["arena"])
    lines = slurm_lines(
        choice.order,
        expressions,
        weights,
        log.processors,
        int(log.jobs.estimate.max()),
        last_submission(log),
    )
    write_text(lines, out["slurm"])
    blocks = len(results)
    figure = draw_survivors(simulated, found) if blocks else nothing(EMPTY)
    _write(found, figure, "fig_survivors", out)
    ratios = pd.concat({name: one.ratios for name, one in simulated.items()}, names=["metric"])
    figure = draw_ratios(simulated) if blocks else nothing(EMPTY)
    _write(ratios.reset_index(), figure, "fig_ratios", out)


def _write(drawn: pd.DataFrame, figure, item: str, out: Mapping[str, str]) -> None:
    tables.write_csv(drawn, out[f"{item}_csv"])
    save(figure, out[f"{item}_pdf"], out[f"{item}_png"])


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        judge_site(
            site=job.params.site,
            own=job.params.own,
            advice=job.params.advice,
            metrics=job.input.metrics,
            facts=job.input.facts,
            losers=job.input.losers,
            learned=job.input.learned,
            held_out=job.input.held_out,
            out=dict(job.output.items()),
        )
