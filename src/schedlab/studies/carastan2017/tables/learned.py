"""Make the table of the learned policies L1 to L4."""

import pandas as pd

from schedlab.learning.regression import COEFFICIENTS, distinct_functions, form_of
from schedlab.studies.carastan2017.names import BEST


def learned_policies(fits: pd.DataFrame) -> pd.DataFrame:
    """Return the four best functions of the computed distribution as policies; L1 is the best."""
    exact = fits[(fits["fitter"] == "exact") & ~fits["intercept"]]
    top = distinct_functions(exact).head(BEST)
    names = [f"L{rank}" for rank in top["rank"]]
    forms = [(form_of(fit), fit[COEFFICIENTS].to_numpy(dtype=float)) for _, fit in top.iterrows()]
    return pd.DataFrame(
        {
            "name": names,
            "rank": top["rank"],
            "rank_error": top["rank_error"],
            "function": top["formula"],
            "expression": top["policy"],
            "latex": [form.latex(coefficients) for form, coefficients in forms],
            "config": [
                f'{name.lower()}: "{policy}"'
                for name, policy in zip(names, top["policy"], strict=True)
            ],
        }
    )
