"""Compare schedulers on a site's log, and recommend an order."""

import logging
from collections.abc import Mapping

import pandas as pd

from schedlab.comparison.choice import choose, rule_of, why_not
from schedlab.comparison.comparing import FEWEST_WINDOWS
from schedlab.comparison.figures import draw_survivors
from schedlab.comparison.findings import USUAL
from schedlab.comparison.runs import expressions_in
from schedlab.comparison.tables import (
    absent_table,
    losers_table,
    survivors,
    with_choice,
    youth_of,
)
from schedlab.comparison.tails import tail_table
from schedlab.core.metrics import tail_metrics
from schedlab.files.io import read_parquet
from schedlab.report.figures.picture import Picture
from schedlab.report.parts import Table
from schedlab.studies.site.comparison import metric_with_record, standings, without_record
from schedlab.studies.site.decision import TOO_SHORT, decision_sheet
from schedlab.studies.site.figures import draw_ratios, nothing
from schedlab.studies.site.recommendation import (
    answer,
    arena_summary,
    gains,
    own_policies,
    simulation_error,
    weeks_of,
)
from schedlab.studies.site.settings import SITE, SiteSettings, last_submission
from schedlab.studies.site.slurm_settings import slurm_condition, slurm_lines
from schedlab.workbench.log import read_cleaned

EMPTY = "No whole window after the log's first quarter"


def make(
    site: Mapping,
    own: Mapping[str, str],
    advice: Mapping[str, float],
    metrics: str,
    facts: str,
    losers: str,
    learned: str,
    held_out: str,
    jobs: str,
    ledger: str,
    lost: str,
) -> dict[str, Table | Picture | str]:
    """Return the tables and figures of the comparison, the recommendation and Slurm settings."""
    settings = SiteSettings.of(site)
    results, facts_of_run = read_parquet(metrics), read_parquet(facts)
    schedulers, losing = without_record(results), read_parquet(losers)
    simulated, labels = standings(results), {SITE: settings.label}
    candidates = survivors(simulated, advice["most_loss"])
    expressions, weights = expressions_in(learned) | own, facts_of_run["weights"].iloc[0]
    can_run = slurm_condition(candidates["name"], expressions, weights)
    youth = youth_of(facts_of_run)
    simulated_choice, choice = (
        choose(simulated, candidates, schedulers, youth, labels, advice, further)
        for further in ((), (can_run,))
    )
    tables = {"survivors": with_choice(candidates, choice), "absent": absent_table()}
    tables["why_not"] = why_not(choice, simulated, candidates)
    tables |= {"losers": losers_table(losing, labels)}
    tables |= {
        name: metric_with_record(one, results, settings.label) for name, one in simulated.items()
    }
    tables |= {
        name: tail_table(results, name, labels, advice["longest_wait"]) for name in tail_metrics()
    }
    tables["decision"] = decision_sheet(simulated, schedulers, simulated_choice, choice, losing)
    log = read_cleaned(jobs, ledger, lost)
    held_out_rows = pd.read_csv(held_out)
    weeks = weeks_of(held_out_rows)
    recommendation = answer(simulated, simulated_choice, choice, settings.days, weeks)
    logging.info(recommendation)
    short = simulated[USUAL].blocks < FEWEST_WINDOWS
    lines = (
        f"# {TOO_SHORT}"
        if short
        else slurm_lines(
            simulated_choice.order,
            expressions,
            weights,
            log.processors,
            int(log.jobs.estimate.max()),
            last_submission(log),
        )
    )
    blocks = len(results)
    ratios = pd.concat({name: one.ratios for name, one in simulated.items()}, names=["metric"])
    survivors_figure = draw_survivors(simulated, candidates) if blocks else nothing(EMPTY)
    ratios_figure = draw_ratios(simulated) if blocks else nothing(EMPTY)
    return {
        **{item: Table(rows) for item, rows in tables.items()},
        "answer": recommendation,
        "simulation_error": simulation_error(results),
        "gains": gains(simulated, results, candidates, choice, losing, facts_of_run),
        "site_policies": f"Site policies: {own_policies(held_out_rows)}.",
        "rule": "" if short else rule_of(choice),
        "arena_said": arena_summary(facts_of_run.iloc[0], settings, simulated, candidates, choice),
        "slurm": lines,
        "fig_survivors": Picture(survivors_figure, candidates),
        "fig_ratios": Picture(ratios_figure, ratios.reset_index()),
    }
