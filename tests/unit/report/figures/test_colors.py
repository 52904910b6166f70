"""A name has the same color in all figures."""

import re
from importlib import import_module

import pytest
from matplotlib.colors import is_color_like

from schedlab.comparison.standing import BETTER, WORSE
from schedlab.cosched.pricing import TARIFFS
from schedlab.report.figures import style
from schedlab.studies.kellari2025.tables.chapter6 import SCHEDULERS
from schedlab.studies.klusacek2016.evidence import NAMES as PLANNED
from schedlab.studies.klusacek2016.searches import RULES
from schedlab.studies.legrand2018.adaptation import GREEDY, OPTIMUM, TRAINED
from schedlab.studies.referee.simulators import LABELS
from schedlab.studies.souza2020.sheet import PERFECT
from schedlab.waits.backtest_predictors import ESTIMATORS
from schedlab.workbench.results import RECORDED

#: largest difference of the channels of a color that is a shade of gray
GRAY = 16
FIGURES = ("report/figures", "comparison", "waits", "studies", "workbench")
HEX = re.compile(r"[\"']#([0-9a-fA-F]{6})[\"']")


@pytest.fixture(scope="module")
def modules(root):
    """Modules that import the house style, by their path."""
    source = root / "src"
    paths = [path for folder in FIGURES for path in (source / "schedlab" / folder).rglob("*.py")]
    drawing = [path for path in paths if "report.figures.style import" in path.read_text()]
    assert len(drawing) > 25
    return {
        path: import_module(".".join(path.relative_to(source).with_suffix("").parts))
        for path in drawing
    }


@pytest.mark.parametrize(
    "names",
    [
        *(SCHEDULERS, PLANNED.values(), RULES, LABELS.values(), ESTIMATORS, TARIFFS),
        (OPTIMUM, TRAINED, GREEDY),
        (BETTER, WORSE, RECORDED, PERFECT, style.PUBLISHED),
    ],
)
def test_everything_that_figures_compare_has_a_color(names):
    assert {*names} <= {*style.COLORS}
    assert all(map(is_color_like, style.colors_of(names).values()))


def test_only_the_style_defines_colors_that_are_not_gray(modules):
    colored = []
    for path in modules:
        for color in HEX.findall(path.read_text()):
            channels = [int(color[at : at + 2], 16) for at in (0, 2, 4)]
            if max(channels) - min(channels) > GRAY and path.name != "style.py":
                colored.append(f"{path.name}: {color}")
    assert not colored


def test_series_without_names_have_different_colors():
    assert len({*style.SERIES}) == len(style.SERIES) >= 9


def test_names_of_one_color_have_different_markers_in_the_same_figure():
    from schedlab.studies.kellari2025.figures.comparisons import LOOKS

    looks = [(style.COLORS[name], *LOOKS[name]) for name in SCHEDULERS]
    assert len({*looks}) == len(SCHEDULERS)
