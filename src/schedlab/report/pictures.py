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
COLORS, FEW_COLORS = 256, 64
# Pixels of a thumbnail that links to a paper: twice its displayed size.
THUMBNAIL = (440, 320)


def narrow_of(path: str | Path) -> Path:
    """Return the path of the variant for phones of a figure."""
    return Path(path).with_suffix(f".narrow{Path(path).suffix}")


def inlined(path: str | Path, has_narrow: bool = False) -> dict:
    """Return a picture as a data URI with at most 256 colors and a third of its original size.

    Keys: uri (str), width and height (int, pixels of the page), has_color_scale (bool, whether its
    colors show values), and narrow, the same of its variant for phones, or None if there is none
    or it is as wide.
    """
    wide, narrow = _inlined(path), _inlined(narrow_of(path)) if has_narrow else None
    if narrow and narrow["width"] == wide["width"]:
        narrow = None
    return wide | {"narrow": narrow}


def _inlined(path: str | Path) -> dict:
    with Image.open(path) as picture:
        width, height = (round(SHOWN * pixels) for pixels in picture.size)
        uri = _uri(picture.convert("RGB"), COLORS)
        scale = picture.info.get("Scale") == "color"
    return {"uri": uri, "width": width, "height": height, "has_color_scale": scale}


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
    return _uri(small, FEW_COLORS)


def _uri(picture: Image.Image, colors: int) -> str:
    """Encode a picture as PNG with a palette of `colors` colors, as a data URI."""
    buffer = BytesIO()
    # of the methods for this, the one that stays closest to the drawn colors
    method, dither = Image.Quantize.MAXCOVERAGE, Image.Dither.NONE
    picture.quantize(colors, method, dither=dither).save(buffer, "PNG")
    return f"data:image/png;base64,{base64.b64encode(buffer.getvalue()).decode()}"
