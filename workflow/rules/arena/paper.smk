"""The arena: every scheduler of the papers, and four of the literature, on the same windows.

What computes; it is no part of `all`.
"""

ARENA = "arena"
FOUGHT = f"<results>/simulations/{ARENA}/{{contest}}"
RECORDED = f"<results>/simulations/{ARENA}/recorded/waits.parquet"


include: "inputs.smk"
include: "simulations.smk"


wildcard_constraints:
    contest=one_of(EXPERIMENTS[ARENA]),
