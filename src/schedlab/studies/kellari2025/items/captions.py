"""Captions of the tables and figures of kellari2025."""

QUICK = """Quick scale: applications of Table 4.1; row and column effects complete the pairs that
it does not publish."""
POINTS = """A point is a workload, a diamond their mean. Gray: whole nodes; blue: shared nodes.
Black: published mean, only with the pool of the thesis."""
FRONT = """A point is a scheduler on a workload; circles are points that no other point beats in
both metrics, the line is their front. Hollow: whole nodes; a color is a queue order."""
NODES = """Above: all nodes by what they do. Below: the first forty nodes job by job, colored by
benchmark; two jobs on a node have half of its height each."""
OWN = "Your policies run on whole nodes and without backfilling."

#: what the figures show, by item
FIGURES = {
    "fig3_1": """two applications of 16 processes under each allocation method. They are simulated
        on four nodes of two 8-core sockets.""",
    "fig4_1": """the four states of jobs and the number of jobs in each. It replaces the thesis's
        design diagram. Data: a simulation of 60 jobs that arrive as a Poisson process.""",
    "fig4_2": """speedups of 1,000 jobs and makespan speedup over Conservative, by scheduler. Boxes
        are quartiles with the median; whiskers reach 1.5 times the box.""",
    "fig4_3": """finished jobs over time, by scheduler. Strong lines with a name reach half of the
        jobs, or all of them, first or last. Dashed lines: schedulers that give whole nodes; a color
        is a queue order.""",
    "fig4_4": """cores without a process over time, by scheduler. The mean is over the time until
        the last job ends.""",
    "fig4_5": f"nodes and times of 60 jobs. {NODES}",
    "fig5_1": "EASY backfilling: jobs A, B and C run. Simulated on ten nodes.",
    "fig5_2": "EASY backfilling: job D, the oldest, can start when A ends. Simulated on ten nodes.",
    "fig5_3": """EASY backfilling: job F ends before D can start and is backfilled; E would end
        later, and waits. Simulated on ten nodes.""",
    "fig6_1": f"makespan speedup over Conservative. {POINTS}",
    "fig6_2": f"mean slowdown. {POINTS}",
    "fig6_3": f"mean job speedup. {POINTS}",
    "fig6_4": """speedup of every job of one workload under Popularity, at the end of the job. The
        lines are the mean of each span of time and the mean of all jobs until then.""",
    "fig6_5": f"mean job speedup weighted by processes times run time. {POINTS}",
    "fig6_6": f"mean slowdown per processor. {POINTS}",
    "fig6_7": f"percentage of jobs with a speedup of 0.99 or less. {POINTS}",
    "fig6_8": f"utilization. {POINTS}",
    "fig6_9": f"nodes and times of 400 jobs under SJF on 420 nodes. {NODES}",
    "fig6_10": f"nodes and times of 400 jobs under SJF-Co on 420 nodes. {NODES}",
    "fig6_11": f"mean slowdown and makespan speedup over Conservative. {FRONT}",
    "fig6_12": f"slowed jobs (%) and makespan speedup over Conservative. {FRONT}",
    "fig6_13": f"mean slowdown and slowed jobs (%). {FRONT}",
    "fig6_14": "correlation (Pearson, Kendall) of the metrics over all schedulers and workloads.",
    "fig6_15": "correlation (Spearman) of the metrics over all schedulers and workloads.",
}
#: how settings that are changed one at a time are compared
CHANGES = """Changes (per cent) of each scheduler against {reference} on the same workloads, with
95 % intervals of the mean."""
#: other captions by item
TEXTS = {
    "table4_1": """Table 4.1 of kellari2025: run times (s) of every pair with bt.D.256, alone and
        next to each other.""",
    "table4_1_comparison": """Every run time of Table 4.1 of kellari2025, published and computed,
        with a verdict.""",
    "table4_2": """Table 4.2 of kellari2025: problem sizes by class, and the number of applications
        of each class in the pool.""",
    "fig4_6": """Figure 4.6 of kellari2025: speedup of the row's application next to the column's,
        over running alone on full nodes. Lines separate process counts, rounded up to a power of
        two. Gray: pairs that were not measured.""",
    "fig4_6_panels": """Panels of figure 4.6 of kellari2025: speedup of the row's application next
        to the column's, for applications whose process counts are rounded up to the same power of
        two. Gray: pairs that were not measured.""",
    "table6_comparison": """Every mean of Tables 6.1 and 6.2 of kellari2025, published and
        computed, with verdict and Kendall's τ of the metric's column. The interval contains 95 %
        of means over as many computed workloads.""",
    "joint": """Joint test of each row of Tables 6.1 and 6.2: whether the published means of a
        scheduler could come from workloads like the computed ones. χ² compares their distances from
        the computed means with the covariance over many more workloads. p_inside is the test of the
        means that are inside their own intervals.""",
    "identity": """Utilization times weighted mean job speedup over makespan speedup, which is one
        number for all schedulers on one set of workloads: limits from the published means, and the
        computed number.""",
    "table6_readings": """Means under readings of Popularity and Pop-Filler that kellari2025 leaves
        open, with the published means.""",
    "orderings": """Orderings of two schedulers in Tables 6.1 and 6.2 of kellari2025, and whether
        they survive many more workloads.""",
    "correlations_comparison": """Correlations of section 6.4 of kellari2025, published and
        computed, with a verdict. The interval contains 95 % of the coefficients over as many
        workloads.""",
    "claims": """Statements of chapter 6 of kellari2025, tested on its own tables, on as many
        computed workloads, and on many more. A claim holds or fails if 97.5 % of resamples of the
        workloads agree; otherwise it is undecided.""",
    "beyond_estimates": f"""Effect of user estimates, which replace run times in queue orders and
        backfilling. {CHANGES.format(reference="the first setting")} Estimates: 1.4 times the run
        time, a factor from 1 to 5, or modal estimates of the Tsafrir model up to an hour.""",
    "beyond_matching": f"""Effect of the nodes that a co-scheduled job takes.
        {CHANGES.format(reference="the first setting")} Settings: first fit; idle or occupied nodes
        first; where the job is fastest (speed); where it and its neighbor are fastest together
        (best partner).""",
    "beyond_arrivals": f"""Effect of arrivals over time.
        {CHANGES.format(reference="EASY in each setting")} Arrivals: Poisson, Weibull, and with the
        gaps of a log, at two offered loads. If a change exceeds 60 %, the figure has ratios on a
        logarithmic axis: 1 is no change, 2 is a change of 100 %.""",
    "own": f"""Effect of your settings, the rows of item own in the sheet.
        {CHANGES.format(reference="the first setting")}""",
    "beyond_pricing": """Charge of each job over its charge when it runs alone, under three
        tariffs. The lower panel shows applications over all schedulers that share nodes. Tariffs:
        cores times time; the same with a discount for slowed jobs; cores times the work done.""",
    "beyond_pairs": """Predicted speedups of hidden pairs and their error, by four methods. Hidden
        are single pairs, or all pairs between two groups.""",
}
#: items that are the same at the quick scale
SIMULATED_EXAMPLES = ("fig3_1", "fig5_1", "fig5_2", "fig5_3")


def caption(item: str, models: bool) -> str:
    """Return the caption of an item; `models` replace the logs at the quick scale."""
    base = item.removesuffix("_own")
    own_note = f" {OWN}" if base != item else ""
    rows = " The last rows are your policies, on whole nodes and without backfilling."
    quick = f" {QUICK}" if models and item not in SIMULATED_EXAMPLES else ""
    if base in ("table6_1", "table6_2"):
        return f"""{_name(base)}: means over the workloads, by scheduler. Below the thesis's
        schedulers is conservative backfilling as in the literature.{own_note and rows}{quick}"""
    if base in FIGURES:
        return f"{_name(base)}: {FIGURES[base]}{own_note}{quick}"
    if models and item == "joint":
        quick = " Quick scale: applications of Table 4.1; nothing is compared with the thesis."
    return TEXTS[item] + quick


def _name(item: str) -> str:
    """Return the name of a table or figure with its number in the thesis."""
    kind, _, number = item.partition("_")
    chapter = kind.removeprefix("table").removeprefix("fig")
    word = "Table" if kind.startswith("table") else "Figure"
    return f"{word} {chapter}.{number} of kellari2025"
