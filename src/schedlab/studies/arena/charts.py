"""Charts of the page to explore, as Vega-Lite specifications.

The page fills the data set ``rows``. For the chart of windows it has a row per scheduler and
window, for that of numbers a row per published number. For the others it has a row per scheduler,
in the order in which it is shown, with the columns of `schedlab.studies.arena.cells` and these:

- other: the ratio by the metric that the page compares with.
- state: the verdict; `SAME` for EASY itself, `NONE` if there is none.
- dim, named: whether only others are selected; whether the scheduler is.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from schedlab.comparison.standing import BETTER, OPEN, WORSE
from schedlab.core.markers import NOT_AVAILABLE
from schedlab.report.figures.style import BLUE, COLORS, GREY, SERIES, SKY
from schedlab.report.verdicts import GRADES

Spec = dict[str, Any]
#: states of EASY itself, and by metrics that depend on few jobs
SAME, NONE = "EASY", "no verdict"
STATES = {name: COLORS[name] for name in (BETTER, WORSE)} | {OPEN: GREY, NONE: SKY}
SHAPES = ["circle", "square", "diamond", "triangle-up", "cross", "triangle-down", "triangle-right"]
IS_SAME = f"datum.state == '{SAME}'"
#: pixels of a scheduler's row, and of a chart without rows
STEP, HEIGHT = 17, 420
SCHEDULER = {"field": "scheduler", "type": "nominal", "sort": None, "axis": {"title": None}}
#: mark behind the names of policies of the configuration
YOURS = " (yours)"
FADED = {"condition": {"test": "datum.dim", "value": 0.15}, "value": 1}
# EASY, which is the reference, has no verdict: it is a grey cross, and no entry of the legend.
COLOR = {
    "condition": {"test": IS_SAME, "value": GREY},
    "field": "state",
    "scale": {"domain": list(STATES), "range": list(STATES.values())},
    "legend": {"title": None, "orient": "top", "columns": 4},
}
SHAPE = COLOR | {
    "condition": {"test": IS_SAME, "value": "cross"},
    "scale": {"domain": list(STATES), "range": SHAPES},
}


def charts(custom: Sequence[str] = ()) -> dict[str, Spec]:
    """Return the specification of each chart by its name in the page.

    `custom` are labels of policies of the configuration, which axes and legends mark.
    """
    specifications = {
        "ratios": _ratios(),
        "ranks": _ranks(),
        "pairs": _pairs(),
        "metrics": _matrix("metric_label", "metric"),
        "logs": _matrix("log", "log"),
        "windows": _windows(),
        "numbers": _numbers(),
    }
    label = f"datum.value + (indexof({json.dumps(list(custom))}, datum.value) < 0 ? '' : '{YOURS}')"
    marks = {"axis": {"labelExpr": label}, "legend": {"labelExpr": label}}
    return {name: _with_marks(spec, marks) for name, spec in specifications.items()}


def _with_marks(part: Any, marks: Mapping[str, Spec]) -> Any:
    """Return a part of a specification whose axes and legends of schedulers have labels `marks`."""
    if isinstance(part, list):
        return [_with_marks(item, marks) for item in part]
    if not isinstance(part, dict):
        return part
    whole = {key: _with_marks(item, marks) for key, item in part.items()}
    if part.get("field") == "scheduler":
        whole |= {key: whole[key] | mark for key, mark in marks.items() if whole.get(key)}
    return whole


def _chart(description: str, **parts: Any) -> Spec:
    """Return a chart as wide as its place in the page; without a height, it is that of its rows."""
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
        "description": f"{description} The table next to it or below has the same numbers.",
        "data": {"name": "rows"},
        "width": "container",
        "autosize": {"type": "fit-x", "contains": "padding"},
        **parts,
    }


def _ratio(field: str, title: str) -> Spec:
    return {
        "field": field,
        "type": "quantitative",
        "scale": {"type": "log", "nice": False, "padding": 12},
        "axis": {"title": title, "format": "~r", "tickCount": 5},
    }


def _tooltip(*fields: tuple[str, str, str]) -> list[Spec]:
    """Return the lines of a tooltip from pairs of field and title, with the format of numbers."""
    return [
        {"field": field, "title": title} | ({"format": digits} if digits else {})
        for field, title, digits in fields
    ]


RATIO_TOOLTIP = _tooltip(
    ("scheduler", "policy", ""),
    ("ratio", "ratio to EASY", ".3f"),
    ("low", "95 % from", ".3f"),
    ("high", "to", ".3f"),
    ("state", "verdict", ""),
)


def _ratios() -> Spec:
    """Return ratios to EASY with their intervals."""
    return _chart(
        "Ratio to EASY of every policy, with its 95 % interval.",
        layer=[
            {
                "data": {"values": [{"ratio": 1}]},
                "mark": "rule",
                "encoding": {"x": {"field": "ratio", "type": "quantitative"}},
            },
            {
                "mark": {"type": "rule", "strokeWidth": 2},
                "encoding": {
                    "x": _ratio("low", "ratio to EASY, logarithmic"),
                    "x2": {"field": "high"},
                    "y": SCHEDULER,
                    "color": COLOR,
                    "opacity": FADED,
                    "tooltip": RATIO_TOOLTIP,
                },
            },
            {
                "mark": {"type": "point", "filled": True, "size": 55},
                "encoding": {
                    "x": _ratio("ratio", "ratio to EASY, logarithmic"),
                    "y": SCHEDULER,
                    "color": COLOR,
                    "shape": SHAPE,
                    "opacity": FADED,
                    "tooltip": RATIO_TOOLTIP,
                },
            },
        ],
    )


def _ranks() -> Spec:
    """Return mean ranks with bars of the critical difference."""
    rank = {
        "type": "quantitative",
        # bars may reach beyond the first and the last rank; the axis does not show that part
        "scale": {
            **{"domainMin": 0.5, "domainMax": {"expr": "length(data('rows')) + 0.5"}},
            **{"zero": False, "nice": False},
        },
        "axis": {"title": "mean rank, 1 the best", "tickMinStep": 1},
    }
    alike = {"condition": {"test": "datum.rank_low <= datum.best", "value": BLUE}, "value": GREY}
    tooltip = _tooltip(("scheduler", "policy", ""), ("rank", "mean rank", ".1f"))
    shared = {"y": SCHEDULER, "color": alike, "opacity": FADED, "tooltip": tooltip}
    return _chart(
        "Mean rank of every policy over the windows, with the critical difference of Nemenyi's "
        "test at 5 %. Policies differ significantly if their bars do not overlap.",
        transform=[
            {"filter": "isValid(datum.rank)"},
            {"joinaggregate": [{"op": "min", "field": "rank_high", "as": "best"}]},
        ],
        layer=[
            {
                "mark": {"type": "rule", "strokeWidth": 2, "clip": True},
                "encoding": {"x": rank | {"field": "rank_low"}, "x2": {"field": "rank_high"}}
                | shared,
            },
            {
                "mark": {"type": "point", "filled": True, "size": 45},
                "encoding": {"x": rank | {"field": "rank"}} | shared,
            },
        ],
    )


def _pairs() -> Spec:
    """Return ratios by two metrics; a rectangle drawn with the mouse selects policies."""
    tooltip = _tooltip(
        ("scheduler", "policy", ""), ("ratio", "ratio across", ".3f"), ("other", "ratio up", ".3f")
    )
    place = {"x": _ratio("ratio", "ratio to EASY"), "y": _ratio("other", "ratio to EASY")}
    one = {"type": "quantitative"}
    return _chart(
        "Ratios to EASY by two metrics, a point for every policy.",
        height=HEIGHT,
        layer=[
            {
                "data": {"values": [{"ratio": 1}]},
                "mark": "rule",
                "encoding": {"x": {"field": "ratio"} | one},
            },
            {
                "data": {"values": [{"other": 1}]},
                "mark": "rule",
                "encoding": {"y": {"field": "other"} | one},
            },
            {
                "params": [{"name": "brush", "select": "interval"}],
                "mark": {"type": "point", "filled": True, "size": 70},
                "encoding": place
                | {"color": COLOR, "shape": SHAPE, "opacity": FADED, "tooltip": tooltip},
            },
            {
                "transform": [{"filter": "datum.named"}],
                "mark": {"type": "text", "align": "left", "dx": 8},
                "encoding": place | {"text": {"field": "scheduler"}},
            },
        ],
    )


def _windows() -> Spec:
    """Return ratios to EASY in each window of a log, a line for every policy that is shown."""
    tooltip = _tooltip(
        ("scheduler", "policy", ""), ("window", "window", ""), ("ratio", "ratio to EASY", ".3f")
    )
    window = {
        "field": "window",
        "type": "ordinal",
        "axis": {"title": "window of the log", "labelAngle": 0, "labelOverlap": True},
    }
    place = {"x": window, "y": _ratio("ratio", "ratio to EASY, logarithmic")}
    policy = {
        "field": "scheduler",
        "type": "nominal",
        "sort": None,
        "scale": {"range": list(SERIES)},
        "legend": {"title": None, "orient": "top", "columns": 4},
    }
    return _chart(
        "Ratio to EASY of the shown policies in each window of the log.",
        height=HEIGHT,
        layer=[
            {
                "data": {"values": [{"ratio": 1}]},
                "mark": "rule",
                "encoding": {"y": {"field": "ratio", "type": "quantitative"}},
            },
            {
                "mark": {"type": "line", "point": {"size": 45}},
                "encoding": place
                | {"color": policy, "tooltip": tooltip}
                | {"shape": policy | {"scale": {"range": SHAPES}, "legend": None}},
            },
            {
                "transform": [{"filter": "datum.is_open"}],
                "mark": {"type": "point", "size": 170, "strokeWidth": 2},
                "encoding": place | {"color": policy, "tooltip": tooltip},
            },
        ],
    )


def _numbers() -> Spec:
    """Return the numbers of a table, published across and computed up."""
    tooltip = _tooltip(
        ("cell", "number", ""),
        ("published_text", "published", ""),
        ("computed_text", "computed", ""),
        ("grade", "verdict", ""),
    )
    ends = [
        {"op": op, "field": field, "as": f"{op}_{field}"}
        for op in ("min", "max")
        for field in ("published", "computed")
    ]
    grade = {
        "field": "grade",
        "type": "nominal",
        "scale": {"domain": [name for name in GRADES if name != NOT_AVAILABLE]},
        "legend": {"title": None, "orient": "top", "columns": 3},
    }

    def axis(field: str) -> Spec:
        return {
            "field": field,
            "type": "quantitative",
            "scale": {"nice": False, "padding": 12},
            "axis": {"title": f"{field} value", "format": "~r", "tickCount": 5},
        }

    return _chart(
        "Numbers of the table, published across and computed up. On the line they are equal.",
        height=HEIGHT,
        layer=[
            {
                "transform": [
                    {"aggregate": ends},
                    {"calculate": "min(datum.min_published, datum.min_computed)", "as": "low"},
                    {"calculate": "max(datum.max_published, datum.max_computed)", "as": "high"},
                ],
                "mark": "rule",
                "encoding": {
                    "x": axis("published") | {"field": "low"},
                    "y": axis("computed") | {"field": "low"},
                    "x2": {"field": "high"},
                    "y2": {"field": "high"},
                },
            },
            {
                "mark": {"type": "point", "filled": True, "size": 60},
                "encoding": {"x": axis("published"), "y": axis("computed"), "color": grade}
                | {"shape": grade, "opacity": FADED, "tooltip": tooltip}
                | {"href": {"field": "href"}},
            },
        ],
    )


def _matrix(column: str, kind: str) -> Spec:
    """Return the ratios of all policies by metric or by log, colored by their verdicts."""
    place = {
        "x": {
            "field": column,
            "type": "nominal",
            "sort": None,
            "axis": {"title": None, "orient": "top", "labelAngle": -90, "labelLimit": 170},
        },
        "y": SCHEDULER,
    }
    return _chart(
        f"Ratio to EASY of every policy by {kind}, colored by its verdict.",
        # by all metrics and on all logs, EASY's own ratio is 1
        transform=[{"filter": f"!({IS_SAME})"}],
        layer=[
            {
                "mark": "rect",
                "encoding": place
                | {
                    "color": COLOR,
                    "opacity": {"condition": {"test": "datum.dim", "value": 0.06}, "value": 0.3},
                    "tooltip": [{"field": column, "title": kind}, *RATIO_TOOLTIP],
                },
            },
            {
                "mark": "text",
                "encoding": place | {"text": {"field": "ratio", "format": ".2f"}, "opacity": FADED},
            },
        ],
    )
