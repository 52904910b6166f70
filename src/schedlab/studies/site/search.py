"""Search of a site's weights and backfill parameters, on the training windows of its log."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from cmaes import XNES

from schedlab.core.streams import generator
from schedlab.core.windows import WHOLE
from schedlab.files.threads import over_threads
from schedlab.learning.weights.guarded import too_long
from schedlab.queue.site_dialect import usual_points
from schedlab.report.words import joined
from schedlab.studies.site.changes import WEIGHTS, Change, field_of
from schedlab.studies.site.trials import RANKED_BY, TODAY, rows_of

if TYPE_CHECKING:
    from schedlab.core.slurm_site import Site
    from schedlab.studies.site.trials import Course

#: settings that the name of a combination has, and what their keys begin with
SHOWN, WEIGHT_KEY = 3, "PriorityWeight"
#: candidates of a generation, and the first spread of the logarithms of settings
POPULATION, SIGMA = 8, 0.7
#: a setting that improves training windows by less than this share is left as it is
LITTLE = 0.01


class Dimension(NamedTuple):
    """A setting that is searched: key, today's value, and bounds in the unit of the file."""

    key: str
    today: int
    base: float
    least: int
    most: int

    def value(self, x: float) -> int:
        """Return the value at a logarithmic coordinate; 0 is `base`."""
        return int(np.clip(round(self.base * np.exp(np.clip(x, -20, 20))), self.least, self.most))


@dataclass(frozen=True)
class Found:
    """What a search found: a change, or None if nothing is better than today.

    `value` is the combined ratio to today in training windows, of `evaluations` simulations.
    """

    change: Change | None
    value: float
    evaluations: int
    history: tuple[float, ...] = field(default=())


def dimensions_of(site: Site) -> list[Dimension]:
    """Return the settings that are searched: weights, if the site has any, and backfilling."""
    dimensions = []
    most = 2**31 - 1
    if site.priorities.multifactor:
        for name in ("Age", "Fairshare", "JobSize", "Partition", "QOS"):
            key = f"PriorityWeight{name}"
            today = int(getattr(site.priorities, field_of("conf", key)[1]))
            # a weight that is off begins small, and stays off if it does not help
            dimensions.append(Dimension(key, today, today or usual_points(site) / 10, 0, most))
    scheduling = site.scheduling
    # passes take no time in the simulation: shorter intervals would seem to cost nothing
    bounds = {"bf_interval": (30, 600), "bf_max_job_test": (50, 10_000)}
    for key, (least, largest) in (bounds | {"default_queue_depth": (50, 10_000)}).items():
        today = int(getattr(scheduling, key))
        dimensions.append(Dimension(key, today, today, least, largest))
    window = scheduling.bf_window // 60
    dimensions.append(Dimension("bf_window", window, window, 60, 60 * 24 * 30))
    return [each for each in dimensions if each.base > 0]


def search(
    course: Course,
    evaluations: int,
    longest_wait: float,
    threads: int = 1,
    advance: Callable[[], object] | None = None,
) -> Found:
    """Search settings by xNES for the smallest combined ratio to today, in training windows.

    The combined ratio is the geometric mean of those of mean wait and mean bounded slowdown.
    Settings under which a job waits `longest_wait` times as long as the longest today are refused,
    and so are those under which a job never starts. What helps little is left as it is.
    """
    training = course.training
    if not training:
        return Found(None, np.nan, 0)
    early = course.before(training[-1].end)
    dimensions = dimensions_of(course.slurm.site)
    today = _measured(early, None)
    assert today is not None

    def value_of(change: Change) -> float:
        return _ratio(_measured(early, change), today, longest_wait)

    def values_of(changes: list[Change]) -> list[float]:
        known = {change.texts: np.nan for change in changes}
        new = [_combination(texts) for texts in known if texts]
        found = over_threads(value_of, new, threads, advance)
        known |= dict(zip([change.texts for change in new], found, strict=True))
        return [known[change.texts] if change.texts else 1.0 for change in changes]

    seed = int(generator("site search").integers(2**32))
    xnes = XNES(np.zeros(len(dimensions)), SIGMA, seed=seed, population_size=POPULATION)
    best, least, done, history = _combination(()), 1.0, 0, []
    while done + POPULATION <= evaluations:
        points = [xnes.ask() for _ in range(POPULATION)]
        changes = [change_of(dimensions, point) for point in points]
        values = values_of(changes)
        xnes.tell(list(zip(points, np.nan_to_num(np.log(values), posinf=9.0), strict=True)))
        done += POPULATION
        place = int(np.argmin(values))
        if values[place] < least:
            best, least = changes[place], values[place]
        history.append(least)
    # one setting after the other returns to today's value, unless it helps
    for text in best.texts:
        fewer = _combination(tuple(one for one in best.texts if one != text))
        (value,) = values_of([fewer])
        if value <= least * (1 + LITTLE):
            best, least = fewer, value
    return Found(best if best.texts else None, least, done, tuple(history))


def change_of(dimensions: list[Dimension], point: np.ndarray) -> Change:
    """Return the change that a point of the search is; settings at today's value are left out."""
    texts = tuple(
        f"{each.key}={value}"
        for each, x in zip(dimensions, point, strict=True)
        if (value := each.value(float(x))) != each.today
    )
    return _combination(texts)


def _combination(texts: tuple[str, ...]) -> Change:
    """Return several settings as one change, which has the first ones as its name."""
    short = [text.removeprefix(WEIGHT_KEY) for text in texts]
    more = len(short) - SHOWN
    named = joined([*short[:SHOWN], f"{more} more"] if more > 0 else short)
    return Change(WEIGHTS, f"{named} (search)", texts)


def _measured(course: Course, change: Change | None) -> dict[str, float] | None:
    """Return the metrics of a change in all windows of a course; None if a job never starts."""
    start = course.starts(change)
    if (start < 0).any():
        return None
    label = change.label if change else TODAY
    row = next(row for row in rows_of(course, label, start) if row["window"] == WHOLE)
    return {name: float(str(row[name])) for name in (*RANKED_BY, "max_wait")}


def _ratio(
    measured: dict[str, float] | None, today: dict[str, float], longest_wait: float
) -> float:
    if measured is None or too_long(measured["max_wait"], today["max_wait"], longest_wait):
        return np.inf
    ratios = [measured[name] / today[name] if today[name] else 1.0 for name in RANKED_BY]
    return float(np.sqrt(np.prod(ratios)))
