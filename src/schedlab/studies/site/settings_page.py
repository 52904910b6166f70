"""Items of the report on a site's own Slurm: which settings to change, and how sure that is."""

from collections.abc import Mapping
from pathlib import Path
from shlex import quote
from typing import Annotated

import pandas as pd

from schedlab.core.slurm_site import NotModeled, Site
from schedlab.exports.slurm.conf_diff import lines_to_paste
from schedlab.files.programs import program
from schedlab.queue.dialect_cells import dialect_of
from schedlab.queue.site_cells import files_in
from schedlab.queue.site_dialect import SiteSlurm
from schedlab.queue.site_limits import Counters
from schedlab.report.figures.picture import Picture
from schedlab.report.items import From, Given, Item, Study, item
from schedlab.report.parts import Table, Text
from schedlab.studies.site.advice import (
    WHOLE_LOG,
    advise,
    facts_of_advice,
    group_table,
    toggle_table,
)
from schedlab.studies.site.changes import Change, changes_in
from schedlab.studies.site.figures import draw_toggles, nothing
from schedlab.studies.site.settings import SITE, SiteSettings
from schedlab.studies.site.trials import Trials

#: today's settings on the whole log, for all rules that need them
TODAY_SIMULATED = f"<results>/simulations/{SITE}/today.parquet"
#: texts of the first page
TEXTS = (
    *("settings_answer", "settings_gain", "settings_sure", "settings_tried"),
    *("how_far", "left_out"),
)
EMPTY = "The log has no whole window after its first quarter"


def results_of_tries(study: Study | None = None) -> dict[str, str]:
    """Return the files of the tried settings by name."""
    names = ("results", "groups", "refused", "changes")
    return {name: f"<results>/simulations/{SITE}/settings.{name}.parquet" for name in names}


def _tried(name: str) -> From:
    return From(lambda *_: results_of_tries()[name])


@item(
    *map(Item, ("toggles", "by_group", "not_modeled")),
    Item("fig_toggles", "figure"),
    *(Item(name, "text") for name in (*TEXTS, "paste")),
    section="Settings", message="Choosing what the site's Slurm should change",
    memory=2000, minutes=10,
)  # fmt: skip
def recommend_settings(
    settings: Annotated[
        SiteSettings, Given(lambda study, _: study.config["site"], SiteSettings.of)
    ],
    bounds: Annotated[Mapping[str, float], Given(lambda study, _: study.config["advice"])],
    results: Annotated[pd.DataFrame, _tried("results")],
    groups: Annotated[pd.DataFrame, _tried("groups")],
    refused: Annotated[pd.DataFrame, _tried("refused")],
    tried: Annotated[pd.DataFrame, _tried("changes")],
    calibration: Annotated[
        pd.DataFrame, From(lambda study, _: study.shown("calibration_facts.csv"), pd.read_csv)
    ],
) -> dict[str, Table | Picture | Text | str]:
    """Return the table of changes, the advice, and what to paste."""
    trials, changes = Trials(results, groups, refused), changes_in(tried)
    slurm = dialect_of(settings.dialect).site
    assert slurm is not None
    run = tried.iloc[0].to_dict()
    advice = advise(trials, changes, run["split"], bounds["longest_wait"])
    if whole := [run[name] for name in WHOLE_LOG if name in run]:
        advice = advice.on_whole_log(tuple(whole))
    toggles = toggle_table(trials, changes)
    facts = facts_of_advice(advice, trials, changes, bounds)
    searched = [text for one in changes if one.label == run["searched"] for text in one.texts]
    left = left_out(slurm.site)
    facts |= {
        "name": settings.label,
        "jobs": run["jobs"],
        "of": run["of"],
        "evaluations": run["evaluations"],
        "searched": ", ".join(searched),
        "calibration": calibration.iloc[0].to_dict() | {"bounds": settings.calibration},
        "not_modeled": "; ".join(dict.fromkeys(each.phrase for each in left)),
    }
    label = advice.order[0] if advice.order else ""
    chosen = next((one for one in changes if one.label == label), None)
    is_sure = advice.verdict == "change" and bool(calibration["is_met"].iloc[0])
    has_windows = bool(len(results))
    figure = draw_toggles(toggles, label) if has_windows else nothing(EMPTY)
    return {
        "toggles": Table(toggles),
        "by_group": Table(group_table(trials, label)),
        "not_modeled": Table(pd.DataFrame(left, columns=["file", "line", "key", "value", "note"])),
        "fig_toggles": Picture(figure, toggles),
        **{name: Text(facts) for name in TEXTS},
        "paste": paste_of(chosen, settings, slurm) if is_sure else "",
    }


def left_out(site: Site) -> tuple[NotModeled, ...]:
    """Return the settings and limits of a site's files that are not modeled."""
    return site.not_modeled + Counters(site, ()).not_modeled


def paste_of(change: Change | None, settings: SiteSettings, slurm: SiteSlurm) -> str:
    """Return what a site pastes for a change: a diff, commands, or how to add points."""
    if change is None:
        return ""
    if change.policy:
        machine = f"--processors {slurm.site.machine.processors}"
        options = f"--points {slurm.points} {machine} --out slurm"
        return f"{program('schedlab')} export-slurm {options} -- {quote(change.policy)}"
    return lines_to_paste(Path(files_in(settings.dialect)[0]), change.texts)
