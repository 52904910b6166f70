"""Vega-Lite for pages: the library as one script, and the look that all charts share.

The package vl-convert-python has the minified Vega, Vega-Lite and Vega-Embed inside, so that a page
contains them and loads nothing.
"""

from __future__ import annotations

import json

import vl_convert

#: shown on every page that contains the library
LICENSE = (
    f"Vega {vl_convert.get_vega_version()}, Vega-Lite {vl_convert.get_vegalite_versions()[-1]} "
    f"and Vega-Embed {vl_convert.get_vega_embed_version()}, © University of Washington Interactive "
    "Data Lab, BSD 3-Clause License"
)


def library() -> str:
    """Return Vega, Vega-Lite and Vega-Embed as a script that defines `vegaEmbed`."""
    # the browser ends a script at the first "</script"
    return vl_convert.javascript_bundle().replace("</script", "<\\/script")


def as_json(value: object) -> str:
    r"""Return a value as JSON for a script of a page.

    Examples
    --------
    >>> as_json({"a": "</script>"})
    '{"a":"\\u003c/script>"}'
    """
    return json.dumps(value, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
