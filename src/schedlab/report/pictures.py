"""Pictures in pages, as data URIs, so that a page is self-contained."""

from __future__ import annotations

import base64
import json
from io import BytesIO
from pathlib import Path

from PIL import Image

# Figures have 200 pixels an inch; a page shows about 130 of them.
SHOWN = 0.65
# Colors of a figure and of a thumbnail; drawn lines and areas need no more.
COLORS, FEW_COLORS = 256, 128
# How they are chosen: closest to the drawn colors, or so that few keep the hues of pale areas.
CLOSEST, ALL_HUES = Image.Quantize.MAXCOVERAGE, Image.Quantize.FASTOCTREE
# Pixels of a thumbnail that links to a paper: twice its displayed size.
THUMBNAIL = (440, 320)


def inlined(path: str | Path) -> dict:
    """Return a picture as a data URI with at most 256 colors and a third of its original size.

    Keys: uri (str), width and height (int, pixels of the page), and has_color_scale (bool, whether
    its colors show values).
    """
    with Image.open(path) as picture:
        width, height = (round(SHOWN * pixels) for pixels in picture.size)
        return {
            "uri": _uri(_content(picture.convert("RGB"), COLORS)),
            "width": width,
            "height": height,
            "has_color_scale": picture.info.get("Scale") == "color",
        }


def title_of(path: str | Path) -> str:
    """Return the title that a .png records, which states its finding; empty without one."""
    with Image.open(path) as picture:
        return str(picture.info.get("Title", ""))


def numbers_in(path: str | Path) -> list[list]:
    """Return the published numbers that a .png marks, each with its area.

    Rows are those of `schedlab.report.figures.style.numbers_of`; none if it records none.
    """
    with Image.open(path) as picture:
        return json.loads(picture.info.get("Numbers", "[]"))


def thumbnail(path: str | Path) -> str:
    """Return a small copy of a picture as a data URI."""
    with Image.open(path) as picture:
        small = picture.convert("RGB")
        small.thumbnail(THUMBNAIL)
    return _uri(_content(small, FEW_COLORS, ALL_HUES))


def _content(picture: Image.Image, colors: int, method: Image.Quantize = CLOSEST) -> bytes:
    """Encode a picture as PNG with a palette of `colors` colors."""
    buffer = BytesIO()
    # without k-means a palette of the closest colors moves the hue of pale areas
    picture.quantize(colors, method, kmeans=1, dither=Image.Dither.NONE).save(buffer, "PNG")
    return buffer.getvalue()


def _uri(content: bytes) -> str:
    return f"data:image/png;base64,{base64.b64encode(content).decode()}"
