"""Captions of the tables and figures of legrand2018."""

from collections.abc import Mapping
from typing import Any

DATA = "Data: {traces}; {periods}; cleaning: {cleaning}."
SETTINGS = DATA + " Starvation threshold {threshold} s, τ = {tau} s."
WITHOUT_THRESHOLD = DATA + " τ = {tau} s."
#: how figures of single traces are read
PANELS = """Axis: logarithmic; last: ratios by size; upper strip: averages of the reference.
The paper draws averages, which are in the CSV file."""

#: how comparisons of tables that rank policies are read
RANKS = """, and Kendall's τ of each column. If the paper sorted a column without the names of its
rows, its numbers are compared under the policy that they belong to"""

#: captions by item, or by group for items that share one
TEXTS = {
    "table1": """Table 1 of legrand2018: processors, months from the first to the last submission,
        jobs, mean run time (s) and mean size (processors). Jobs, run time and size leave out the
        first and the last week. table1_comparison has the published values. Data: {traces};
        cleaning: {cleaning}.""",
    "make_train_test": f"""Table 2 of legrand2018{{with_own}}: sums of the weekly average bounded
        slowdown over the training and the testing weeks. Rows are mixed and pure policies, the
        best training sum first. table2_comparison has the published sums. {SETTINGS}""",
    "make_thresholds": f"""{{name}}sums of the average bounded slowdown, by pure policy (rows) and
        starvation threshold (columns). The best policy under the first threshold is first.
        {WITHOUT_THRESHOLD}""",
    "table7": """Table 7 of legrand2018: the ten jobs of the whole log with the longest run times.
        The last columns state whether a job lies within a whole week, or which rule removes it.
        table7_comparison has the published jobs. Data: {traces}; cleaning: {cleaning}.""",
    "compare_columns": f"""{{name}}every number, published and computed, with verdict and
        reason{{ranks}}. {WITHOUT_THRESHOLD}""",
    "ranks": f"""Rank correlation of computed with published columns of Tables 2 to 6 of
        legrand2018: Kendall's τ-b and Spearman's ρ. Further columns count the numbers that are
        equal when both columns are sorted, and list both orders from the smallest sum on.
        {WITHOUT_THRESHOLD}""",
    "fig_table2": f"""Ratio of computed to published sums of Table 2 of legrand2018, over the
        training and the testing weeks; 1 is the published sum. Policies are in the published
        order. Weights (w*, w*_train, w_greedy) come from a search; the other policies are pure.
        {SETTINGS}""",
    "coverings": f"""Sums of the average bounded slowdown under the searched weights of Table 2 of
        legrand2018, over the training and the testing weeks. Rows vary the divisor of the features
        and the threshold, neither of which the paper states; the nearest to the published sums is
        first. {WITHOUT_THRESHOLD}""",
    "table2_evidence": f"""Where sums of Table 2 of legrand2018 can lie. w*: sums of all searches of
        three and of six features. w_greedy: sums over equally good vectors of the week before. Pure
        policies: what the published sum of Table 3 over all weeks leaves for these weeks. inside:
        whether the published sum is in the range. {SETTINGS}""",
    "conclusions": """Conclusions of Tables 3 to 6 of legrand2018, as run and as the paper's text
        reads. By trace and threshold: the best policy, and the ratio of the sums of FCFS and SAF.
        Kendall's τ compares the two orders of policies. Data: {traces}; {periods}.""",
    "claims": f"""Statements of legrand2018, tested on the simulations: a row per claim and trace,
        with the measured value and the bound that the words leave open. A claim holds or fails if
        97.5 % of resamples of the weeks, in blocks of neighbors, agree; otherwise it is undecided.
        {SETTINGS}""",
    "online": f"""Sum of the weekly average bounded slowdown over the testing weeks under online
        learners. Ratios are to the best fixed policy or weights of the training weeks. The chosen
        learner has the lowest training sum; regrets are relative to the best choice with
        hindsight. 95 % intervals: {{resamples}} resamples of testing weeks, in blocks of dependent
        neighbors. {SETTINGS}""",
    "fig_online": f"""Regret of online learners in average bounded slowdown, summed from the second
        week on, in per cent of the best fixed choice. Zero is the best fixed policy, or the best
        fixed weights for learners of weights, with hindsight. Bands: one standard deviation of
        learners that draw random numbers. Triangles mark early regrets (filled) and ends of bands
        (open) beyond the shared scale. The paper leaves this open. {SETTINGS}""",
    "sensitivity": f"""Results of mixed policies and xNES with other scalings of the features and
        other settings of the search, in per cent of the default. Each row changes one setting; the
        paper states none of them. {SETTINGS}""",
    "toggle_sums": f"""Tables 3 to 6 and the pure policies of Table 2 of legrand2018 with one
        choice changed at a time. Values are ratios of sums of weekly average bounded slowdowns to
        the unchanged sums. Each row changes one cell of the experiment sheet, from the reading
        that gives the published sums. Simulations are deterministic, one run a week.
        {WITHOUT_THRESHOLD}{{stand_ins}}""",
    "draw_distributions": f"""Figure 1 of legrand2018{{with_own}}: distribution of the weekly
        average bounded slowdown under the twelve pure policies, on a logarithmic axis. The best
        mean is first; the three best policies are colored. Fewer than
        five weeks are points without a box. {SETTINGS}""",
    "draw_best": f"""{{name}}average bounded slowdown of SAF over that of the best pure policy of
        each period. The best policy is named below a period if it is not SAF. {PANELS}
        {SETTINGS}""",
    "draw_mixed": f"""{{name}}average bounded slowdown of mixed policies (three features), SAF and
        FCFS over that of each period's best weights. {PANELS} If several weights are equally good
        for a period, w_greedy is their mean result on the next one. Weights and pure policies
        order simultaneous jobs differently: 0.2 % at most. {SETTINGS}""",
    "draw_space": f"""{{name}}average bounded slowdown over the space of weights in consecutive
        periods, on a logarithmic scale. Lighter is better. A dot marks the best weights of a
        period; of equally good ones, the nearest to their mean. {SETTINGS}""",
    "draw_search": f"""{{name}}average bounded slowdown per period that xNES reaches with three and
        six features, over the best of the three-feature grid. {PANELS} {SETTINGS}""",
    "draw_months": f"""{{name}}average bounded slowdown of mixed policies, SAF and FCFS over that
        of each month's best weights. The axis is logarithmic, a month has thirty days. Weights are
        learned from the first ten months, or the first half of logs of eleven months, and tested
        on the other months. {SETTINGS}""",
}


def caption(group: str, item: str, facts: Mapping[str, Any]) -> str:
    """Return the caption of an item; `facts` are those of the items' index."""
    with_policies = f" with your policies ({facts['own']})" if facts["own"] else ""
    text = TEXTS.get(item) or TEXTS[group]
    ranks = "" if item in ("table1_comparison", "table7_comparison") else RANKS
    return text.format(
        **facts,
        name=_name(item, with_policies, facts["traces"]),
        ranks=ranks,
        with_own=with_policies and f",{with_policies}",
    )


def _name(item: str, with_policies: str, traces: str) -> str:
    """Return what begins a caption: the number in the paper, or the traces."""
    base = item.removesuffix("_own").removesuffix("_comparison")
    number = base.removesuffix("_text").removeprefix("table").removeprefix("fig")
    if not number.isdigit():
        return f"{traces}{with_policies}: "
    kind = "Figure" if base.startswith("fig") else "Table"
    reading = ", as the paper's text reads" if base.endswith("_text") else ""
    return f"{kind} {number} of legrand2018{reading}{with_policies and f',{with_policies}'}: "
