"""The arena: every scheduler of the papers, and four of the literature, on the same windows.

These rules compute the results; they are not part of `all`.
"""

ARENA = "arena"
FOUGHT = f"<results>/simulations/{ARENA}/{{contest}}"
RECORDED = f"<results>/simulations/{ARENA}/recorded/waits.parquet"


include: "inputs.smk"
include: "simulations.smk"


wildcard_constraints:
    contest=one_of(EXPERIMENTS[ARENA]),
