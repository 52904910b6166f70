"""Pictures in pages, as data URIs, so that a page is self-contained."""

from __future__ import annotations

import base64
import json
import zlib
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
# Bytes of a .png in front of the place for further facts: its signature and header.
HEADER = 33


def with_narrow(png: bytes, narrow: bytes) -> bytes:
    """Return the content of a .png that records another one, its variant for phones."""
    with Image.open(BytesIO(narrow)) as picture:
        fact = b"tEXtNarrow\0" + base64.b64encode(_content(picture.convert("RGB"), COLORS))
    length, check = (len(fact) - 4).to_bytes(4, "big"), zlib.crc32(fact).to_bytes(4, "big")
    return png[:HEADER] + length + fact + check + png[HEADER:]


def inlined(path: str | Path) -> dict:
    """Return a picture as a data URI with at most 256 colors and a third of its original size.

    Keys: uri (str), width and height (int, pixels of the page), has_color_scale (bool, whether its
    colors show values), and narrow, uri, width and height of its variant for phones, or None if
    it records none.
    """
    with Image.open(path) as picture:
        wide = _shown(picture, _content(picture.convert("RGB"), COLORS))
        narrow, scale = picture.info.get("Narrow"), picture.info.get("Scale") == "color"
    if narrow:
        content = base64.b64decode(narrow)
        with Image.open(BytesIO(content)) as picture:
            narrow = _shown(picture, content)
    return wide | {"has_color_scale": scale, "narrow": narrow}


def _shown(picture: Image.Image, content: bytes) -> dict:
    width, height = (round(SHOWN * pixels) for pixels in picture.size)
    return {"uri": _uri(content), "width": width, "height": height}


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
