"""What tables and figures call policies and functions."""

# The paper's columns, in its order and under its names, by the names of the policy registry.
POLICY_COLUMNS = {
    "fcfs": "FCFS",
    "wfp3": "WFP",
    "unicef": "UNI",
    "spt": "SPT",
    "f4": "F4",
    "f3": "F3",
    "f2": "F2",
    "f1": "F1",
}
# Those of the literature, and those that the paper learned.
AD_HOC = ("FCFS", "WFP", "UNI", "SPT")
LEARNED = ("F4", "F3", "F2", "F1")
# The regimes that the rows of Table 4 end with, and how they are spoken of.
REGIMES = {
    "actual runtimes r": "With actual run times",
    "runtime estimates e": "With user estimates",
    "aggressive backfilling": "With estimates and backfilling",
}
# The policies that are learned here, in the order of the paper's own.
LEARNED_COLUMNS = ("L4", "L3", "L2", "L1")
# The best functions of a fit.
IDS = ("F1", "F2", "F3", "F4")
BEST = len(IDS)
