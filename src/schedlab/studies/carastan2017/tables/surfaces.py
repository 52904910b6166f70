"""Compute the surfaces of figure 3."""

import numpy as np
import pandas as pd

from schedlab.learning.regression import COEFFICIENTS, FEATURES, distinct_functions, form_of
from schedlab.studies.carastan2017.names import BEST, IDS

# The two features that each panel of figure 3 varies, and the fixed third one.
PANELS = {
    "a": ("runtime", "procs", "submit"),
    "b": ("runtime", "submit", "procs"),
    "c": ("procs", "submit", "runtime"),
}
SURFACE_COLUMNS = ["panel", "id", "function", "x", "y", "fixed", *FEATURES, "score"]


def surfaces(fits: pd.DataFrame, distribution: pd.DataFrame, points: int = 48) -> pd.DataFrame:
    """Return the scores of the four best functions on planes of two features; figure 3."""
    if fits.empty:
        return pd.DataFrame(columns=SURFACE_COLUMNS)
    axes = {
        name: np.linspace(distribution[name].min(), distribution[name].quantile(0.99), points)
        for name in FEATURES
    }
    frames = []
    for name, (_, fit) in zip(IDS, distinct_functions(fits).head(BEST).iterrows(), strict=True):
        for panel, (x, y, fixed) in PANELS.items():
            grid_x, grid_y = (grid.ravel() for grid in np.meshgrid(axes[x], axes[y]))
            frame = pd.DataFrame({x: grid_x, y: grid_y, fixed: distribution[fixed].mean()})
            coefficients = fit[COEFFICIENTS].to_numpy(dtype=float)
            values = (frame[feature].to_numpy() for feature in FEATURES)
            frame["score"] = form_of(fit).predict(coefficients, *values) + fit["c0"]
            frames.append(frame.assign(panel=panel, id=name, function=fit["formula"], x=x, y=y,
                                       fixed=fixed))  # fmt: skip
    return pd.concat(frames, ignore_index=True)[SURFACE_COLUMNS]
