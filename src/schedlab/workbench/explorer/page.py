"""Page writer: it combines packed numbers, template, style and scripts in one file."""

import json
from collections.abc import Mapping
from html import escape
from importlib.resources import files
from pathlib import Path

import numpy as np
from jinja2 import PackageLoader

from schedlab.core.jobs import Jobs, Schedule
from schedlab.core.metrics import TAU, bounded_slowdown
from schedlab.files.io import write_text
from schedlab.files.templates import page_templates
from schedlab.queue.processor_lanes import first_fit
from schedlab.workbench.explorer.packing import pack

MOST_SCHEDULES = 4
TEMPLATE, STYLE = "explorer.j2", "explorer.css"
#: scripts in their order in the page
SCRIPTS = (
    *("data.js", "steps.js", "view.js", "colors.js", "columns.js", "draw.js", "words.js"),
    *("autopsy.js", "report.js", "overview.js", "input.js", "bench.js", "main.js"),
)


def write_explorer(
    path: str | Path,
    jobs: Jobs,
    schedules: Mapping[str, Schedule],
    processors: int,
    *,
    title: str,
    note: str = "",
    users: np.ndarray | None = None,
    back: tuple[str, str] | None = None,
    windows: Mapping[str, tuple[int, int]] | None = None,
) -> None:
    """Write schedules of the same jobs as one page, one above the other with a common time axis.

    The page loads no other files. The queue engine assigns only a number of processors to a job:
    lanes are from `schedlab.queue.processor_lanes.first_fit`, which the page states.

    There are one to four `schedules` by their names in the page; `note` says how they were made.
    `users` are in the order of `jobs`, -1 if unknown. `back` is the address of the page that leads
    here, and its name. `windows` are intervals on the clock of `jobs` that the reader can choose by
    name; the page opens on the one that its address names, as in ``page.html#window=12``.

    Raises ValueError without a job, or with no schedule or more than four. Likewise if a schedule
    is of another number of jobs, or starts a job before its submission or while too few processors
    are free.
    """
    if not len(jobs):
        raise ValueError(f"{path}: there is no job to show")
    if not 1 <= len(schedules) <= MOST_SCHEDULES:
        raise ValueError(f"{path}: {len(schedules)} schedules, 1 to {MOST_SCHEDULES} can be shown")
    if users is not None and len(users) != len(jobs):
        raise ValueError(f"{path}: {len(users)} users of {len(jobs)} jobs")
    origin = jobs.submit[0]
    columns = {
        "number": jobs.number,
        "submit": jobs.submit - origin,
        "runtime": jobs.runtime,
        "estimate": jobs.estimate,
        "procs": jobs.procs,
    }
    if users is not None:
        columns["user"] = users
    summaries = []
    for place, (name, schedule) in enumerate(schedules.items()):
        columns |= _columns_of(place, name, jobs, schedule, processors, origin)
        summaries.append({"name": name} | _summary(jobs, schedule, processors))
    places, text = pack(columns)
    facts = {"processors": processors, "tau": TAU, "schedules": summaries, "columns": places}
    facts["windows"] = {
        name: [int(begin - origin), int(end - origin)]
        for name, (begin, end) in (windows or {}).items()
    }
    room = files("schedlab.workbench.explorer")
    scripts = [(room / name).read_text(encoding="utf-8") for name in SCRIPTS]
    templates = page_templates(PackageLoader("schedlab.workbench", "explorer"))
    page = templates.get_template(TEMPLATE).render(
        title=title,
        note=note,
        back=back,
        jobs=len(jobs),
        processors=processors,
        tau=TAU,
        schedules=summaries,
        windows=list(windows or {}),
        style=(room / STYLE).read_text(encoding="utf-8"),
        script="\n".join(scripts),
        # the browser ends a script at the first "</script"
        facts=json.dumps(facts).replace("<", "\\u003c"),
        columns=text,
    )
    write_text(page, path)


def write_notice(path: str | Path, text: str, back: tuple[str, str]) -> None:
    """Write a page with a sentence in place of schedules; `back` is as in `write_explorer`."""
    address, name = map(escape, back)
    write_text(
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        f"<title>{escape(text)}</title>\n"
        f'<p><a href="{address}">← {name}</a></p>\n<h1>{escape(text)}</h1>\n</html>\n',
        path,
    )


def _columns_of(
    place: int, name: str, jobs: Jobs, schedule: Schedule, processors: int, origin: int
) -> dict[str, np.ndarray]:
    """Return the page's columns of a schedule, named by its place."""
    if len(schedule) != len(jobs):
        raise ValueError(f"schedule '{name}' is of {len(schedule)} jobs, not of {len(jobs)}")
    if (early := np.flatnonzero(schedule.start < jobs.submit)).size:
        raise ValueError(
            f"schedule '{name}': job {jobs.number[early[0]]} starts before it is submitted"
        )
    try:
        lanes = first_fit(jobs, schedule, processors)
    except ValueError as error:
        raise ValueError(f"schedule '{name}': {error}") from error
    columns = {
        "start": schedule.start - origin,
        "end": schedule.end - origin,
        "job": lanes.job,
        "low": lanes.low,
        "height": lanes.height,
    }
    return {f"{column}{place}": values for column, values in columns.items()}


def _summary(jobs: Jobs, schedule: Schedule, processors: int) -> dict[str, str]:
    """Return the metrics next to the name of a schedule."""
    wait = (schedule.start - jobs.submit).mean()
    slowdown = bounded_slowdown(jobs, schedule).mean()
    span = schedule.end.max() - jobs.submit[0]
    used = (jobs.runtime * jobs.procs).sum() / (processors * span) if span else 0.0
    return {
        "wait": f"{wait:,.0f} s",
        "slowdown": f"{slowdown:,.2f}",
        "used": f"{used:.1%}",
    }
