"""Make Table 2, the ad-hoc policies."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

if TYPE_CHECKING:
    from collections.abc import Mapping

    from schedlab.policies import Policy

TABLE2_POLICIES = ("fcfs", "spt", "wfp3", "unicef")


def table2(registry: Mapping[str, Policy]) -> pd.DataFrame:
    """Return Table 2, the ad-hoc policies, from the registry that the experiments use."""
    rows = [registry[name] for name in TABLE2_POLICIES]
    return pd.DataFrame(
        {
            "name": ["FCFS", "SPT", "WFP3", "UNICEF"],
            "function": [policy.expression for policy in rows],
        }
    )
