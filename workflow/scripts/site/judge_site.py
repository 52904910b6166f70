"""Hold schedulers against each other on a site's windows: which order should it run."""

import logging
from collections.abc import Mapping

import pandas as pd

from schedlab.arena.figures import draw_survivors
from schedlab.arena.tables import absent_table, survivors
from schedlab.figures.style import save
from schedlab.io import read_parquet, write_text
from schedlab.logs import logged
from schedlab.report import tables
from schedlab.site.answer import answer, chosen, said_of_arena
from schedlab.site.contest import metric_beside, standings
from schedlab.site.figures import draw_ratios, nothing
from schedlab.site.lines import slurm_lines
from schedlab.site.settings import SiteSettings, last_submission

EMPTY = "No whole window lies behind the log's first quarter"


def judge_site(
    site: Mapping,
    own: Mapping[str, str],
    metrics: str,
    facts: str,
    learned: str,
    held_out: str,
    out: Mapping[str, str],
) -> None:
    """Write the arena's tables and figures, the answer and lines for Slurm, by item."""
    settings = SiteSettings.of(site)
    results, known = read_parquet(metrics), read_parquet(facts).iloc[0]
    simulated, beside = standings(results)
    found = survivors(simulated)
    made = {"survivors": found, "absent": absent_table()} | {
        name: metric_beside(one, beside and beside[name], settings.label)
        for name, one in simulated.items()
    }
    for item, table in made.items():
        tables.write_csv(table, out[f"{item}_csv"])
        tables.write_markdown(table, out[f"{item}_md"], item.capitalize())
    held = pd.read_csv(held_out)
    said = answer(simulated, beside, found, held, settings)
    logging.info(said)
    write_text(said, out["answer"])
    write_text(said_of_arena(known, settings, simulated, found), out["arena"])
    log, fitted = settings.open(), pd.read_csv(learned)
    expressions = dict(zip(fitted["name"].str.lower(), fitted["expression"], strict=True)) | own
    longest = int(log.jobs.estimate.max())
    lines = slurm_lines(
        chosen(simulated, found),
        expressions,
        known["weights"],
        log.processors,
        longest,
        last_submission(log),
    )
    write_text(lines, out["slurm"])
    blocks = len(results)
    figure = draw_survivors(simulated, found) if blocks else nothing(EMPTY)
    _write(found, figure, "fig_survivors", out)
    ratios = pd.concat({name: one.ratios for name, one in simulated.items()}, names=["metric"])
    figure = draw_ratios(simulated, made) if blocks else nothing(EMPTY)
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
            metrics=job.input.metrics,
            facts=job.input.facts,
            learned=job.input.learned,
            held_out=job.input.held_out,
            out=dict(job.output.items()),
        )
