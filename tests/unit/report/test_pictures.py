"""Pictures embedded in pages."""

import base64
from io import BytesIO

import pytest
from PIL import Image

from schedlab.report.figures.style import save, titled
from schedlab.report.pictures import THUMBNAIL, inlined, thumbnail, title_of


def opened(uri):
    """Open the picture of a data URI."""
    return Image.open(BytesIO(base64.b64decode(uri.removeprefix("data:image/png;base64,"))))


@pytest.mark.parametrize(("pixels", "width"), [(1280, 832), (1281, 833), (9, 6)])
def test_a_figure_is_shown_with_130_of_its_200_pixels_an_inch(tmp_path, pixels, width):
    Image.new("RGB", (pixels, 840), "white").save(tmp_path / "fig.png")
    made = inlined(tmp_path / "fig.png")
    assert (made["width"], made["height"]) == (width, 546)
    assert opened(made["uri"]).size == (pixels, 840)


def test_few_colors_stay_as_they_were_drawn(tmp_path):
    picture = Image.new("RGBA", (40, 40), (0, 114, 178, 255))
    picture.paste((230, 159, 0, 255), (0, 0, 20, 40))
    picture.save(tmp_path / "fig.png")
    read = opened(inlined(tmp_path / "fig.png")["uri"]).convert("RGB")
    assert read.getpixel((5, 5)) == (230, 159, 0)
    assert read.getpixel((30, 30)) == (0, 114, 178)


def test_a_thumbnail_is_small_and_keeps_its_shape(tmp_path):
    Image.new("RGB", (2000, 1000), "white").save(tmp_path / "fig.png")
    small = opened(thumbnail(tmp_path / "fig.png"))
    assert small.size == (THUMBNAIL[0], THUMBNAIL[0] // 2)


def test_title_of_a_drawn_figure_is_its_finding(tmp_path):
    with titled(2, "SAF is best on every log", "All logs") as figure:
        figure.subplots()
        save(figure, tmp_path / "fig.pdf", tmp_path / "fig.png")
    assert title_of(tmp_path / "fig.png") == "SAF is best on every log"


def test_picture_without_a_title_has_an_empty_one(tmp_path):
    Image.new("RGB", (9, 9)).save(tmp_path / "fig.png")
    assert title_of(tmp_path / "fig.png") == ""
