"""The items of a calibration, which only a site's own Slurm has."""

from __future__ import annotations

from typing import Any

import pandas as pd

from schedlab.report.figures.picture import Picture
from schedlab.report.items import Group, Item
from schedlab.report.parts import Data, Table
from schedlab.studies.site.calibration import GROUPS, Calibration
from schedlab.studies.site.calibration_figure import draw_calibration
from schedlab.studies.site.figures import nothing

RULE = "calibrate_site"
#: what the page's texts need of a calibration
FACTS = ["is_recorded", "is_met", "median_error", "high_error", "order", "held_out_weeks", "never"]


def calibration_groups() -> list[Group]:
    """Return the group of the rule that calibrates a site's own Slurm."""
    items = [
        *(Item("calibration"), Item("changes"), Item("fig_calibration", "figure")),
        *(Item(f"calibration_{name}", "data") for name in ("facts", "weeks", "never")),
        Item("calibration_notes", "text"),
    ]
    return [Group(RULE, "Calibration", items, written_out=True)]


def parts_of(calibration: Calibration) -> dict[str, Any]:
    """Return the parts of the items."""
    weeks, changes = calibration.weeks, calibration.changes
    figure = draw_calibration(weeks, changes, calibration.clock, calibration.median_error)
    facts = {
        "is_recorded": True,
        "is_met": calibration.is_met,
        "median_error": calibration.median_error,
        "high_error": calibration.high_error,
        "order": calibration.order,
        "held_out_weeks": int(weeks["is_held_out"].sum()),
        "never": len(calibration.result.never),
    }
    return {
        "calibration": Table(calibration.groups),
        "changes": Table(changes),
        "fig_calibration": Picture(figure, weeks),
        "calibration_facts": Data(pd.DataFrame([facts], columns=FACTS)),
        "calibration_weeks": Data(weeks),
        "calibration_never": Data(calibration.result.never),
        "calibration_notes": "\n".join([*calibration.notes, ""]),
    }


def parts_without(reason: str, changes: pd.DataFrame) -> dict[str, Any]:
    """Return the parts of the items for a log without recorded waits; `changes` are a person's."""
    facts = pd.DataFrame([{"is_recorded": False, "is_met": False}], columns=FACTS)
    empty = pd.DataFrame(columns=[*GROUPS, "begin", "date", "is_held_out"])
    return {
        "calibration": Table(empty[GROUPS]),
        "changes": Table(changes),
        "fig_calibration": Picture(nothing("Nothing recorded, so no calibration"), empty),
        "calibration_facts": Data(facts),
        "calibration_weeks": Data(empty),
        "calibration_never": Data(pd.DataFrame(columns=["number", "why"])),
        "calibration_notes": f"{reason}\n",
    }
