"""Captions of the tables and figures of klusacek2016."""

QUICK = "Quick scale: users are drawn. Data: {models}."
SEARCHES_QUICK = "Quick scale: users are drawn, plans fewer and searches shorter. Data: {models}."
PERIODS = "The paper compares two production periods; here both schedulers run the same jobs"
#: what ran in the figures of whole logs
SITE = """On wagap-2013, another log of the paper's site; the paper's log was not available for
tests. Capacity is planned by node; Orig-BF is one fair-share queue whose blocked jobs mark nodes,
as in the paper's simulator."""

#: what ran for the sets of a log of the paper that was not available
ZEWURA = {
    "fig_table1": "The sets of the Zewura log ran on another log, named in brackets.",
    "table1_comparison": """The Zewura log was not available for tests; its sets are compared with
        those of another log.""",
}

#: what the figures of whole logs show
FIGURES = {
    "fig1": f"""utilization from the first to the last recorded submission, mean wait and mean
        bounded slowdown. Whiskers: standard deviation over the seeds; ±: over jobs. {PERIODS}, with
        jobs as recorded and with users that react.""",
    "fig2": f"mean wait of classes of jobs, by processors and by requested time. {PERIODS}.",
    "fig3": f"""normalized user wait time (NUWT), the wait of a user for each processor-second
        used. Panels: mean and standard deviation (±) over users, each user, and the share of users
        at or below a value. {PERIODS}.""",
    "fig6": """mean wait, mean bounded slowdown and distribution of waits, with users that react.
        Whiskers: standard deviation over the seeds of Plan-RS; ±: over jobs.""",
    "fig7": """normalized user wait time (NUWT) with users that react. Panels: mean and standard
        deviation (±) over users, each user, and the share of users at or below a value.""",
    "fig8": """complaints of users that react. Panels: acceptable wait by requested time and
        processors; complaints of each user who complains at all, as means over seeds; wait over
        acceptable wait of each complaint in one run.""",
}
TEXTS = {
    "table1": """Table 1 of klusacek2016: change (%) of mean wait (WT) and mean bounded slowdown
        (SD) under Plan-RS against Orig-BF on busy intervals. 95 % intervals are over seeds. The
        paper does not define its intervals. Here: the five days in which most jobs wait if the
        whole log runs in order of arrival, at least five days apart, begun with the running jobs
        and without the waiting ones. Orig-BF: conservative backfilling in order of arrival.""",
    "fig_table1": """Changes of Table 1 of klusacek2016 by set: computed, and published (ticks) for
        sets that ran on the paper's own log. Bands contain 95 % of the changes over many busy
        intervals of the log.""",
    "table1_comparison": """Table 1 of klusacek2016, published and computed, with Orig-BF in order
        of arrival. tail: two-sided tail of the published change among many busy intervals. joint:
        the same for all eight published changes of HPC2N and KTH-SP2.""",
    "table1_periods": """Change (%) of mean wait (WT) and mean bounded slowdown (SD) under Plan-RS
        against Orig-BF, on the most contended five days of each log. Intervals are chosen by
        simulated waits, at least five days apart. The paper has two of HPC2N and two of KTH-SP2,
        and does not state which.""",
    "table1_readings": """Table 1 of klusacek2016 under other readings. Orig-BF: marking nodes,
        queue limits, or fair share in one queue. Times: divided by 7, as on the testbed.
        Schedulers that poll: Orig-BF 30 s after an idle cycle and 2 s after an active one, Plan-RS
        5 s and 0 s. Production search: 30 iterations, moves within each cluster. Intervals: begun
        with waiting jobs, or busy by recorded waits and begun empty.""",
    "table1_joint": """Distance of the eight published changes of HPC2N and KTH-SP2 from each
        reading of the experiment, on many busy intervals of both logs. joint tail: Fisher's
        statistic over two-sided tails, compared with every choice of two intervals of each log. A
        reading below 0.05 is rejected. Readings: order of Orig-BF, polling, times divided by 7,
        production search.""",
    "means": """Means over jobs, users and seeds under both schedulers, with 95 % intervals over
        the seeds of Plan-RS. Utilization is from the first to the last recorded submission.""",
    "own": """Your experiments: means over jobs, users and seeds under both schedulers, with 95 %
        intervals over the seeds of Plan-RS. Utilization is from the first to the last recorded
        submission.""",
    "baselines": """Change under Plan-RS against each order of Orig-BF on a whole log, in per cent,
        with 95 % intervals over the seeds of Plan-RS. Orders: blocked jobs that mark nodes
        (section 4.3), conservative backfilling in order of arrival, by queue limits, and by fair
        share in one queue.""",
    "text": """Numbers in the text of klusacek2016, published and computed. Computed values are
        from another log of the same site: the paper's logs were not available for tests.
        Utilization is from the first to the last recorded submission. Planning times are measured
        as for figure 5.""",
    "claims": """Statements of klusacek2016, tested on the runs. A claim is undecided if the 95 %
        interval over the seeds of Plan-RS contains both the claimed change and no change.""",
    "fig4": """Figure 4 of klusacek2016: relative change of mean wait and of fairness by every
        accepted move of Random Search, in one run. Axes are cropped at 6 %, as in the paper, or
        where all but one in two hundred changes are smaller. Fairness sums (1 + mean − x)² over
        users, x being the wait for each processor-second used. For x far below 1, as here, moves
        change it little, so its weight of 10 decides little.""",
    "fig5": """Figure 5 of klusacek2016: time of planning a new job, of updating the whole plan, of
        both, and of one iteration of Random Search. The horizontal axis is the number of jobs in
        the plan. Each is the shortest of five measurements. The title has machine and day.""",
    "beyond_search": """Gain of four searches on stored plans, by iterations: Random Search,
        simulated annealing, tabu search, and jobs with the largest share of the criteria first.
        The band is the interval of Random Search; further columns compare the others with it (95 %
        over days) and with the longest search. Above: plans of a run with search; below: of one
        without.""",
    "beyond_budget": """Gain of Random Search with 10 iterations and more, absolute and in per cent
        of its gain with the most iterations. 95 % intervals are over days.""",
    "beyond_waits": """Realized mean waits and slowdowns of Plan-RS with 0 to 300 iterations, over
        busy intervals of each log. Ratios are to 0 and to 300 iterations, with 95 % intervals over
        resampled intervals.""",
}


def caption(item: str, models: str) -> str:
    """Return the caption of an item; `models` names those that replace the logs, if any."""
    if item in FIGURES:
        text = f"Figure {item.removeprefix('fig')} of klusacek2016: {FIGURES[item]}"
        return f"{text} {QUICK.format(models=models) if models else SITE}"
    other = ZEWURA.get(item, "")
    quick = SEARCHES_QUICK if item in ("beyond_search", "beyond_budget") else QUICK
    return f"{TEXTS[item]} {quick.format(models=models) if models else other}".strip()
