"""Captions of the tables and figures of souza2020."""

QUICK = "Quick scale, background: {models}."
OTHER_QUICK = {"waits": "Quick scale, jobs: {models}."}
#: items without a background
WITHOUT_QUEUE = {"arithmetic_comparison", "ratios", "fig1", "fig3", "fig5", "fig5_steps"}
WITHOUT_QUEUE |= {"theorem1", "theorem1_kept"}
WORKFLOWS = {"fig6": "Montage", "fig7": "BLAST", "fig8": "Statistics"}

TEXTS = {
    "table1": """Table 1 of souza2020: total waiting time (s), makespan (s) and core-hours of three
        workflows at six scales under Big Job, Per-Stage and ASA. Values are means over instants
        spread evenly over a replayed log; the paper has one run of each. 95 % intervals resample
        neighboring instants together. The systems' queues are not public: the log's jobs are as
        many times wider as the machine, at the calibrated load.""",
    "table1_comparison": """Table 1 of souza2020, published and computed. The systems' queues are
        not public, so only core-hours of Big Job get a verdict. They follow from equation 1 and
        the published times, which the runs use: a match confirms the arithmetic of the paper, not
        the simulation. Core-hours of Per-Stage and ASA use stage shapes derived from published
        numbers.""",
    "averages": """Normalized averages of Table 1 of souza2020, computed: mean over the six scales
        of the excess over the best strategy, in per cent. No average is given over a mean wait of
        less than 30 s: a single job that waits makes several times as much.""",
    "percentages": """Excess of each computed mean over that of the best strategy, in per cent, as
        in the parentheses of Table 1 of souza2020. No percentage is given over a mean wait of less
        than 30 s, of which a single job that waits makes several times as much.""",
    "arithmetic_comparison": """Percentages in parentheses and normalized averages of Table 1 of
        souza2020, as published and as recomputed from the published numbers.""",
    "text": """Numbers of section 6 of souza2020: as published, as recomputed from the published
        Table 1, and as computed.""",
    "spread": """Makespan of ASA minus that of another strategy at the same instant (s). Values:
        mean over replicates, and how often a single run is shorter, equal or longer. The paper has
        one run of each strategy.""",
    "ratios": """Ratios of the waits of Table 1 of souza2020, published and computed, on every
        background and under every reading of what jobs request. They show how much longer
        stage-by-stage submission waits, how much of that ASA hides, and whether workflows of one
        scale wait equally long. Unlike the waits, these ratios do not depend on the length of the
        queue.""",
    "table2": """Table 2 of souza2020: waits (h), predictions and overhead of workflows under ASA
        Naive, submitted a minute apart, as in the paper, and over weeks. Columns but the overhead
        are of stages on all cores. A hit is a prediction that does not exceed the wait, as in the
        paper. closest: no alternative was closer (no loss, equation 3). none possible: the wait is
        below the least alternative, 10 s.""",
    "table2_comparison": """Table 2 of souza2020, published and computed, for submissions a minute
        apart. No value gets a verdict, because the systems' queues are not public.""",
    "fig1": """Figure 1 of souza2020: stages of Montage over time. Groups that need the same number
        of cores are one stage. Two groups of one kind share their time evenly, because their
        shares are not published.""",
    "fig2": """Figure 2 of souza2020: cores over time under Big Job and Per-Stage, in one run. It
        is the run with the median wait, of those whose later stages wait under Per-Stage.
        Allocated but unused cores are charged as well.""",
    "fig3": """Figure 3 of souza2020: components of the architecture and the information between
        them, as implemented here. The paper's unified pool over several allocations (section 3.1)
        is left out: each stage runs in its own allocation, as in the paper's evaluation.""",
    "fig4": """Figure 4 of souza2020: one instant under Per-Stage, ASA and ASA Naive. ASA submits
        stages before they are needed; the wait that remains is the perceived wait.""",
    "fig5": """Figure 5 of souza2020: estimates of three policies for a true wait that changes four
        times, at even distances. Bands contain half of the runs. Below: share of runs whose
        estimate is the closest alternative.""",
    "fig5_steps": """Share of runs that hit each wait of figure 5 of souza2020, over the first and
        the last 20 iterations.""",
    "makespans": """Figure {number} of souza2020: makespans of {workflow} under Big Job, Per-Stage,
        ASA and ASA Naive at six scales. Colored: stages and the waits before them, means over
        replicates. Thin lines: 95 % interval of the mean makespan; ticks: published, one run each.
        Stages of one kind share its time evenly, because the shares are not published.""",
    "theorem1": """Theorem 1 of souza2020, tested: regret of Algorithm 1 and its bound, for losses
        that stay, switch, are random, or are adversarial. The bound counts rounds, which the
        learner's mistakes end. Rates: 1/√t as configured, and 1, for which the proof is
        written.""",
    "theorem1_kept": """How often the regret stays within the bound of theorem 1 of souza2020, in
        the worst case, with the exact binomial 95 % interval. The bound holds if the interval is
        above 1 − δ, and is undecided if it contains 1 − δ. Rates: as configured, and 1, for which
        the proof is written.""",
    "claims": """Statements of souza2020, tested on computed numbers. A claim is undecided if its
        95 % interval, over instants or over runs of a learner, contains both answers. The
        learner's rates, which the paper leaves open, are the configured ones; theorem 1 is tested
        with both. The section beyond the paper has the effect of falling rates.""",
    "calibration": """Calibration of the background, made before any run of ASA: median wait of Big
        Jobs (s) by load. Vertical lines: 95 % intervals over instants. Dashed: the median of the
        published waits. Triangle at the top: the load kept in the sheet. Diamond: the median wait
        of the runs at that load. The search tries both ends, then halves the range by the logarithm
        of the load. Big Jobs enter as in the runs; in series for Table 2.""",
    "beyond_rates": """Algorithm 1 with falling rates, 1/√t in the t-th round, compared with the
        constant 1 that is configured and that its proof uses. The paper asks only that rates never
        increase. Rows: hits of figure 5, regret within the bound of theorem 1, Tables 1 and 2.
        Queues, instants, warm-up jobs and random numbers are the same for both. Changes have 95 %
        intervals.""",
    "beyond_rates_runs": """Algorithm 1 with falling rates, compared with the configured ones, in
        every run of Tables 1 and 2 of souza2020. Changes have 95 % intervals. Columns are those of
        beyond_rates.""",
    "beyond_predictors": """The strategies of souza2020 with other wait predictors: change against
        Per-Stage with 95 % intervals over replicates. A predictor is better or worse than
        Algorithm 1 if the difference is significant after Holm's correction for all of them. QBETS
        is simplified: no table of autocorrelations, no groups of jobs. Perfect knowledge is the
        wait of a job submitted now, which no user knows.""",
    "beyond_pool": """Section 3.1 of souza2020 describes one pool over several allocations, without
        an experiment. Here allocations are submitted as under ASA Naive, and those that start early
        work on the tasks of the present stage. Points: change of the mean with the pool, in per
        cent of each strategy or other reading; bars: 95 % intervals over the same instants; ticks:
        the worst instant. No published number exists. Pool: 4 tasks on each core of a parallel
        stage; parallel stages of Statistics need all their cores at once.""",
    "waits": """Wait predictors on every job of logs from the fifth week on, at its submission.
        They use earlier jobs of its geometry (processors rounded up to a power of two) that have
        started. lost: core-hours of delays and idle allocations against knowing the wait, in per
        cent of the loss of submitting when needed. A prediction of 0 errs by the mean wait.
        Intervals resample weeks, two at a time.""",
}


def caption(item: str, models: str) -> str:
    """Return the caption of an item; `models` names those that replace the logs, if any."""
    text = TEXTS.get(item, TEXTS["makespans"])
    text = text.format(number=item.removeprefix("fig"), workflow=WORKFLOWS.get(item, ""))
    quick = OTHER_QUICK.get(item, QUICK).format(models=models)
    return f"{text} {quick}" if models and item not in WITHOUT_QUEUE else text
