"""The items of a site, and the contents of its page."""

import logging
import sys
from collections.abc import Mapping
from typing import Annotated, Any

import pandas as pd

from schedlab.comparison.choice import choose, rule_of, why_not
from schedlab.comparison.figures import draw_survivors
from schedlab.comparison.findings import facts_of_metric
from schedlab.comparison.runs import expressions_in
from schedlab.comparison.tables import absent_table, losers_table, survivors, with_choice, youth_of
from schedlab.comparison.tails import tail_table
from schedlab.core.metrics import tail_metrics, window_metrics
from schedlab.queue.site_cells import is_own_slurm
from schedlab.report.figures.picture import Picture
from schedlab.report.items import From, Given, Group, Item, Study, groups_of, item, with_words
from schedlab.report.parts import Table, Text
from schedlab.studies.site import figures, profile
from schedlab.studies.site.calibration_items import calibration_groups
from schedlab.studies.site.comparison import metric_with_record, standings, without_record
from schedlab.studies.site.decision import TOO_SHORT, decision_sheet
from schedlab.studies.site.figures import draw_ratios, nothing
from schedlab.studies.site.init import heading_of, question_of
from schedlab.studies.site.recommendation import facts_of_answer, own_policies, weeks_of
from schedlab.studies.site.settings import SITE, SiteSettings, last_submission, local_times
from schedlab.studies.site.settings_page import recommend_settings
from schedlab.studies.site.slurm_settings import slurm_condition, slurm_lines
from schedlab.workbench.log import read_cleaned

#: the cleaned log, which all rules share
CLEANED = {
    "jobs": "<results>/simulations/site/clean.parquet",
    "ledger": "<results>/simulations/site/clean.ledger.parquet",
    "lost": "<results>/simulations/site/clean.lost.parquet",
}
#: policies that carastan2017 learned, which also run on the site's log
LEARNED = "<results>/policies/learned.csv"
#: the box, what simulations miss, reasons of the choice and its rule, then further texts
TEXTS = ("answer", "simulation_error", "gains", "rule", "site_policies", "arena_said", "slurm")
EMPTY = "No whole window after the log's first quarter"


def _of_site(kind: str) -> From:
    """Return a result of the comparison as what a parameter gets."""
    return From(lambda study, _: f"<results>/simulations/{study.key}/arena{kind}.parquet")


Jobs = Annotated[str, From(lambda *_: CLEANED["jobs"], str)]
Ledger = Annotated[str, From(lambda *_: CLEANED["ledger"], str)]
Lost = Annotated[str, From(lambda *_: CLEANED["lost"], str)]
Settings = Annotated[SiteSettings, Given(lambda study, _: study.config["site"], SiteSettings.of)]


def page(study: Study) -> dict[str, Any]:
    """Return the texts of the page other than its items."""
    title = question_of if is_own_slurm(study.config["site"]["dialect"]) else heading_of
    return {
        "title": title(study.config["site"]["name"]),
        "also": [f"<results>/report/{study.key}.html"],
    }


def groups(study: Study) -> list[Group]:
    """Return the groups of items, in the order of the page; other ones for a site's own Slurm."""
    waits = Group(
        "predict_waits_on_site",
        "Predictions",
        [Item("waits"), Item("fig_waits", "figure"), Item("waits_said", "text")],
        written_out=True,
    )
    if is_own_slurm(study.config["site"]["dialect"]):
        made = [describe_site.group_of(study), recommend_settings.group_of(study)]
        return with_words([*made, waits, *calibration_groups()], study, facts_of_metric)
    listed = [
        sys.modules[__name__],
        Group(
            "train_site",
            "Policies of its own",
            [
                *(Item("policies"), Item("held_out"), Item("fig_held_out", "figure")),
                Item("held_out_said", "text"),
            ],
            written_out=True,
        ),
        waits,
    ]
    return with_words(groups_of(study, *listed), study, facts_of_metric)


@item(
    *("profile", "queues", "lost"),
    *(Item("fig_workload", "figure"), Item("fig_arrivals", "figure"), Item("lost_said", "text")),
    section="Workload", message="Describing the site's log", memory=2000, minutes=10,
)  # fmt: skip
def describe_site(
    settings: Settings, jobs: Jobs, ledger: Ledger, lost: Lost
) -> dict[str, Table | Picture | Text | str]:
    """Return tables and figures of the workload."""
    log = read_cleaned(jobs, ledger, lost)
    logging.info("%r", log)
    tables = {
        "profile": profile.facts(log, settings.timezone),
        "queues": profile.queues(log),
        "lost": profile.lost(log, settings.ledger),
    }
    parts = {
        "sizes": profile.sizes(log),
        "quantiles": profile.quantiles(log),
        "accuracy": profile.accuracy(log),
        "load": profile.load_by_week(log),
    }
    arrivals = profile.arrivals(log, settings.timezone)
    _, zone = local_times(log, settings.timezone)
    empty = "Arrivals: the log does not state the origin of its times"
    figure = figures.draw_arrivals(arrivals, zone) if len(arrivals) else figures.nothing(empty)
    return {
        **{item: Table(rows, 1) for item, rows in tables.items()},
        "lost_said": Text(profile.lost_in_all(log) | {"rules": settings.rules}),
        "fig_workload": Picture(figures.draw_workload(**parts), figures.long(**parts)),
        "fig_arrivals": Picture(figure, arrivals),
    }


def _compared(_study: Study) -> list[Item]:
    """Return the items of the comparison: tables of every metric, the choice, figures and texts."""
    tables = ("decision", "survivors", "why_not", *window_metrics(), *tail_metrics())
    figures = [Item(name, "figure") for name in ("fig_survivors", "fig_ratios")]
    named = map(Item, (*tables, "losers", "absent"))
    return [*named, *figures, *(Item(name, "text") for name in TEXTS)]


@item(
    _compared, section="Schedulers", message="Choosing what the site should run",
    memory=2000, minutes=10,
)  # fmt: skip
def recommend_for_site(
    settings: Settings,
    own: Annotated[Mapping[str, str], Given(lambda study, _: study.config["policies"])],
    advice: Annotated[Mapping[str, float], Given(lambda study, _: study.config["advice"])],
    results: Annotated[pd.DataFrame, _of_site("")],
    facts_of_run: Annotated[pd.DataFrame, _of_site(".facts")],
    losing: Annotated[pd.DataFrame, _of_site(".losers")],
    learned: Annotated[str, From(lambda *_: LEARNED, str)],
    held_out_rows: Annotated[
        pd.DataFrame, From(lambda study, _: study.shown("held_out.csv"), pd.read_csv)
    ],
    jobs: Jobs,
    ledger: Ledger,
    lost: Lost,
) -> dict[str, Table | Picture | Text | str]:
    """Return the tables and figures of the comparison, the recommendation and Slurm settings."""
    schedulers = without_record(results)
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
    facts = facts_of_answer(
        *(simulated, results, candidates, simulated_choice, choice, losing, facts_of_run),
        *(settings, weeks_of(held_out_rows)),
    ) | own_policies(held_out_rows)
    logging.info("candidates, the best first: %s", ", ".join(choice.order))
    lines = (
        f"# {TOO_SHORT}"
        if facts["short"]
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
        **{text: Text(facts | rule_of(choice)) for text in TEXTS[:-1]},
        "slurm": lines,
        "fig_survivors": Picture(survivors_figure, candidates),
        "fig_ratios": Picture(ratios_figure, ratios.reset_index()),
    }
