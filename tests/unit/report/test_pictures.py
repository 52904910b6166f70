"""Pictures embedded in pages."""

import base64
import re
from io import BytesIO

import numpy as np
import pytest
from matplotlib import colormaps
from matplotlib.colors import to_rgb
from PIL import Image

from docs_case import ROOT
from schedlab.files.config import read_yaml
from schedlab.report.figures.picture import log_not_available, save
from schedlab.report.figures.style import (
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    SERIES,
    canvas,
    entitle,
    save_one,
    titled,
)
from schedlab.report.pictures import THUMBNAIL, inlined, thumbnail, title_of


def opened(uri):
    return Image.open(BytesIO(base64.b64decode(uri.removeprefix("data:image/png;base64,"))))


@pytest.mark.parametrize(("pixels", "width"), [(1280, 832), (1281, 833), (9, 6)])
def test_a_figure_is_shown_with_130_of_its_200_pixels_an_inch(tmp_path, pixels, width):
    Image.new("RGB", (pixels, 840), "white").save(tmp_path / "fig.png")
    made = inlined(tmp_path / "fig.png")
    assert (made["width"], made["height"]) == (width, 546)
    assert opened(made["uri"]).size == (pixels, 840)


def test_a_figure_keeps_pale_hues(tmp_path):
    """The mix of two bands is grey; each band alone keeps its color exactly."""
    figure = canvas(3)
    axes = figure.subplots()
    for color, low in ((BLUE, 0), (ORANGE, 3)):
        axes.fill_between([0, 10], low, low + 5, color=color, alpha=0.15, lw=0)
    for number, color in enumerate(SERIES):
        axes.plot([0, 10], [number, 8 - number], color=color)
    entitle(figure, "Two bands overlap below nine lines")
    save(figure, tmp_path / "fig.pdf", tmp_path / "fig.png")
    uri = inlined(tmp_path / "fig.png")["uri"]
    shown = np.asarray(opened(uri).convert("RGB"), dtype=int)
    for color in (BLUE, ORANGE):
        pale = 255 * (0.85 + 0.15 * np.array(to_rgb(color)))
        assert (np.abs(shown - pale).max(axis=2) < 1.5).mean() > 0.03


def test_a_thumbnail_is_small_and_keeps_its_shape(tmp_path):
    Image.new("RGB", (2000, 1000), "white").save(tmp_path / "fig.png")
    small = opened(thumbnail(tmp_path / "fig.png"))
    assert small.size == (THUMBNAIL[0], THUMBNAIL[0] // 2)


def test_a_thumbnail_keeps_pale_hues(tmp_path):
    """Many strong colors leave few of a palette for a pale green band on a pale blue one."""
    with titled(4, "Two bands overlap below a hundred lines") as figure:
        axes = figure.subplots()
        for color, low in ((BLUE, 0), (GREEN, 0.5)):
            axes.axhspan(low, low + 0.4, color=color, alpha=0.15, lw=0)
        for number in range(100):
            axes.plot([number, number + 3], [0.91, 0.99], color=colormaps["turbo"](number / 100))
        save_one(figure, tmp_path / "fig.png")
    shown = np.asarray(opened(thumbnail(tmp_path / "fig.png")).convert("RGB"), dtype=int)
    for color in (BLUE, GREEN):
        pale = 255 * (0.85 + 0.15 * np.array(to_rgb(color)))
        share = (np.abs(shown - pale).max(axis=2) < 5).mean()
        assert share > 0.2, "of the picture; a band has a third"


def test_title_of_a_drawn_figure_is_its_finding(tmp_path):
    with titled(2, "SAF is best on every log", "All logs") as figure:
        figure.subplots()
        save(figure, tmp_path / "fig.pdf", tmp_path / "fig.png")
    assert title_of(tmp_path / "fig.png") == "SAF is best on every log"


def test_title_of_a_figure_without_data_is_what_it_lacks(tmp_path):
    save(log_not_available("the distribution"), tmp_path / "fig.pdf", tmp_path / "fig.png")
    assert title_of(tmp_path / "fig.png") == "The distribution: log not available"


def test_picture_without_a_title_has_an_empty_one(tmp_path):
    Image.new("RGB", (9, 9)).save(tmp_path / "fig.png")
    assert title_of(tmp_path / "fig.png") == ""


@pytest.mark.parametrize(
    ("draw", "has_scale"),
    [
        (lambda axes: axes.imshow([[1, 2], [3, 4]], cmap="RdBu_r"), True),
        (lambda axes: axes.scatter([1, 2], [1, 2], c=[0.1, 0.9]), True),
        (lambda axes: axes.scatter([1, 2], [1, 2], color=BLUE), False),
        (lambda axes: axes.bar([1, 2], [3, 4], color=[BLUE, GREY]), False),
    ],
)
def test_colors_that_show_values_are_recorded(tmp_path, draw, has_scale):
    with titled(2, "SAF is best on every log") as figure:
        draw(figure.subplots())
        save(figure, tmp_path / "fig.pdf", tmp_path / "fig.png")
    assert inlined(tmp_path / "fig.png")["has_color_scale"] is has_scale


def test_captions_name_no_color_that_dark_pages_invert():
    words = re.compile(r"\b(black|white|lighter|darker|light|dark)\b", re.IGNORECASE)
    named = [
        (path.parent.name, item)
        for path in sorted(ROOT.glob("resources/*/words.yaml"))
        for texts in (read_yaml(path).get(kind, {}) for kind in ("phrases", "captions"))
        for item, text in texts.items()
        if words.search(text)
    ]
    assert named == [("legrand2018", "draw_space")]
