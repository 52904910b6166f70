"""Make Table 1, the base functions of the regression."""

from __future__ import annotations

import pandas as pd

from schedlab.learning.forms import BASE_FUNCTIONS

DESCRIPTIONS = {
    "id": "id(x) = x",
    "log": "log(x) = log10 x",
    "sqrt": "sqrt(x) = √x",
    "inv": "inv(x) = 1/x",
}


def table1() -> pd.DataFrame:
    """Return Table 1, the base functions that the regression uses."""
    return pd.DataFrame(
        {"name": list(BASE_FUNCTIONS), "description": [DESCRIPTIONS[x] for x in BASE_FUNCTIONS]}
    )
