"""Names of policies and functions in tables and figures."""

# The paper's column names in its order, by the names of the policy registry.
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
# Policies of the literature, and policies that the paper learned.
AD_HOC = ("FCFS", "WFP", "UNI", "SPT")
LEARNED = ("F4", "F3", "F2", "F1")
# The regimes at the end of the row names of Table 4, and their wording in sentences.
REGIMES = {
    "actual runtimes r": "With actual run times",
    "runtime estimates e": "With user estimates",
    "aggressive backfilling": "With estimates and backfilling",
}
# The policies that schedlab learns, in the order of the paper's policies.
LEARNED_COLUMNS = ("L4", "L3", "L2", "L1")
# The best functions of a fit.
IDS = ("F1", "F2", "F3", "F4")
BEST = len(IDS)
#: dialects in sentences: what policies and backfilling see
DIALECT_WORDS = {"artefact": "with the window of 32 tasks", "full": "with the whole queue"}
