"""Captions of the tables and figures of carastan2017."""

from collections.abc import Collection, Mapping
from typing import Any

RULES = """Logs: rules sc17_actual and sc17_estimate (artefact), full_actual and full_estimate
(full)."""
ONE_RUN = "One deterministic run a sequence; τ = 10 s."
#: policies next to the paper's, by a part of an item's name
FURTHER = {
    "_learned": "L1 to L4 are the policies learned here.",
    "_own": "Your policies are those of the configuration key policies.",
}
BOXES = {
    "4": "the workload model, decisions on actual run times",
    "5": "the workload model, decisions on modeled user estimates",
    "6": "the workload model, user estimates and aggressive backfilling",
    "7": "{logs}, decisions on actual run times",
    "8": "{logs}, decisions on user estimates",
    "9": "{logs}, user estimates and aggressive backfilling",
}
#: dialects of files like Table 4
DIALECTS = {
    "table4": """Dialect **artefact**: the window of 32 tasks, dispatch latency and ties of the
        published numbers. Logs: rules sc17_actual and sc17_estimate, as in the artefact.""",
    "table4_full": """Dialect **full**: the policy sees the whole queue, as usual in the field.
        Logs: rules full_actual and full_estimate.""",
    "table4_generated": """Both dialects. Workloads are generated here from the Lublin–Feitelson
        and Tsafrir models, with other random streams than the paper's.""",
    "table4_own": f"Both dialects. {RULES}",
}
#: what panels of the paper's logs ran on, by the configuration's source
LOGS = {"logs": "real logs", "models": "model workloads in place of the real logs"}
SITES = "The paper leaves learning for a site to future work, so there is no published value."
#: words that end a caption at the quick scale
QUICK = {
    "sites": "Quick scale: the sites are model workloads.",
    "rows": """Quick scale: rows that name a stand-in ran on that model, model rows on the paper's
        own workloads, drawn from their seeds.""",
    "generated": "Quick scale: rows that name a stand-in ran on that model.",
    "untested": "Quick scale: rows on a stand-in model are not compared.",
    "boxes_models": "Quick scale: the paper's own workloads, drawn from their seeds.",
    "boxes_logs": "Quick scale: each panel names its model and the log that it stands in for.",
}

#: captions by item, or by group for items that share one
TEXTS = {
    "table1": """Table 1 of carastan2017: base functions of the nonlinear regression, as fitted
        here. Nothing is simulated.""",
    "table2": """Table 2 of carastan2017: ad-hoc policies, from the registry that every simulation
        uses. The smallest score runs first. r is the run time or its estimate, n processors, s the
        submit time, w the wait so far.""",
    "table3": """Table 3 of carastan2017: the four best of 576 functions, fitted as in the paper to
        the artefact's score distribution. K is the merged coefficient before log10(s). Nothing is
        simulated: the distribution is read as published. table3_comparison has the published
        entries.""",
    "table3_comparison": """Every entry of Table 3 of carastan2017, published and computed:
        functions and the constant K, with ratio, verdict and reason. Computed entries are fitted
        to the artefact's score distribution as in the paper. Without this distribution nothing is
        compared.""",
    "table3_own": """The four best functions, fitted exactly with and without an intercept, of the
        artefact's and of the computed score distribution. Table 3 has only the first, fitted by
        another method. Computed: {tuples} tuples of 48 jobs of {source}, {trials} permutations
        each, uniform and with the artefact's shuffle; τ = 10 s. {quick}""",
    "table3_intercept": """Effect of a constant term on the four best functions without one, by
        score distribution as in table3_own, fitted exactly. The paper's functions have none: their
        term of log10(s) replaces the mean score 1/32.""",
    "fit_policies": """Fits of the 576 functions of carastan2017 to one score distribution
        ({which}). Methods: Levenberg–Marquardt from the artefact's start, as in the paper, and
        exact weighted least squares. difference: equation 5, paper's method minus exact. excess:
        equation 4, paper's method relative to the minimum, minus 1. The paper publishes only the
        best four.""",
    "table5": """Table 5 of carastan2017: the real logs, measured on the raw files before any
        cleaning. Utilization is processor-seconds of all jobs over machine size times the span of
        the log. table5_comparison has the published values. A log that is not available has no
        values.""",
    "table5_comparison": """Every value of Table 5 of carastan2017, published and computed from the
        raw logs, with ratio, verdict and reason. A log that is not available has no values.""",
    "table4_comparison": """Every median of Table 4 of carastan2017, published and computed in both
        dialects, with ratio, verdict and reason, and Kendall's τ of each row's policies. The paper
        truncates digits in its first two rows and rounds in the others; either counts as a match.
        {quick}""",
    "table4_ranks": """Rank correlation (Kendall, Spearman) of the eight policies between computed
        and published rows of Table 4 of carastan2017, in both dialects. It shows whether the order
        of the policies agrees, whatever the values. Medians of the average bounded slowdown (τ =
        10 s); logs and rules as in table4 and table4_full.""",
    "claims": f"""Statements of carastan2017 on Table 4, tested on the published table and on the
        computed medians (average bounded slowdown) of both dialects. Where words leave a bound
        open, the claim states it. Computed claims hold or fail if 97.5 % of resamples of the
        sequences agree, else they are undecided; published numbers decide by their digits.
        {ONE_RUN} {RULES} {{quick}}""",
    "further_ranks": f"""Rank of each policy in every row of Table 4 of carastan2017, in both
        dialects. {{further}} Rank 1 is the lowest median of the average bounded slowdown over the
        15-day sequences. The last column is the best median of the further policies over the best
        of F1 to F4. {ONE_RUN} {{quick}}""",
    "make_table4": f"""Median over the 15-day sequences of the average bounded slowdown, by policy,
        after Table 4 of carastan2017. {{further}} Lower is better; table4_comparison has the
        published medians. {{dialect}} {ONE_RUN} {{quick}}""",
    "draw_boxplots": f"""{{name}}: {{boxes}}. Average bounded slowdown over the 15-day sequences,
        by policy and dialect. {{further}} Boxes are quartiles with the median; whiskers reach the
        outermost value within 1.5 box heights. Fewer than
        five sequences are points without a box. Ticks: published medians of Table 4, which
        correspond to artefact boxes. {RULES} {ONE_RUN} {{quick}}""",
    "make_sites": f"""Median bounded slowdown of site policies (rows) on the second half of each
        log (columns), over that of the best of F1–F4 with hindsight. Policies are learned from the
        first half of a log; the lower rows are not learned here, yours last. Tinted: the
        unadjusted 95 % interval excludes 1. {SITES} 15-day windows of available logs, rules
        full_estimate, τ = 10 s. {{resamples}} resamples of disjoint windows, and of tuples on a
        site's own log. {{quick}}""",
    "sites_policies": """The four best functions of each site, fitted exactly to the scores of its
        own tuples; the first is the site's policy. Tuples: first half of the log, rules
        full_estimate, {site_trials} uniform permutations each. The paper has one set of functions
        for all sites: Table 3.""",
    "sites_summary": f"""Median bounded slowdown of each site's policy on the second half of its
        own log, over that of the best of F1–F4, and of F1, there. adjusted: sites still better or
        worse after Holm's correction over all single-site verdicts. 15-day windows, rules
        full_estimate, τ = 10 s; 95 % intervals: {{resamples}} resamples of non-overlapping tuples
        and windows. {SITES} {{quick}}""",
    "sites_tuples": """Tuples that site policies are learned from: 48 consecutive jobs of the first
        half of each log (rules full_estimate). Each starts from an empty machine and shares no job
        with another. A tuple is dropped if no task of Q waits when all start in order of
        submission. effective_tasks is Kish's effective size under the fit's weights (r n)². The
        paper leaves learning for a site to future work.""",
    "toggles": f"""Table 4 of carastan2017 with one choice changed at a time: ratio of each median
        (average bounded slowdown over the sequences) to its unchanged value. Each row changes one
        cell of the experiment sheet, from the artefact dialect's reading. Unchanged: rules
        sc17_actual and sc17_estimate. {ONE_RUN} {{quick}}""",
    "fig1": """Figure 1 of carastan2017: scores of the 32 tasks of four tuples, from flat to steep,
        with uniform permutations and with the artefact's shuffle. The line is the mean, 1/32. The
        paper shows other tuples: compare shapes, not values. Tuples of {source}, {trials}
        permutations and one random stream each, τ = 10 s.""",
    "fig2": """Figure 2 of carastan2017: standard deviation of one tuple's scores over ten
        repetitions, divided by the mean score 1/32, by number of trials. The line is the mean over
        the 32 tasks, the band their range, the cross the published value. Tuple of {source}; one
        random stream a repetition, τ = 10 s.""",
    "fig3": """Figure 3 of carastan2017: the four best functions over run time, processors and
        submit time; the third feature is at its mean. Axes end at the 99th percentile of the
        tasks; the four functions of a row share one scale. Compare surfaces with the paper's
        panels by eye. Functions are fitted as in the paper to the artefact's scores, without which
        nothing is drawn.""",
    "fig_samplers": """Published scores of tuples against scores simulated for the same tuples. The
        artefact's shuffle puts tasks first with unequal probability, and its scores are sums, not
        means. Divided by 32 P(t first) they agree with uniform permutations. Tuples of
        lublin-256-train10k (rules sc17_actual), {trials} permutations with either sampler, one
        random stream a tuple, τ = 10 s.""",
}
#: items and groups that share a text
SHARED = {"fig_toggles": "toggles", "sites": "make_sites", "make_sites_own": "make_sites"}
SHARED |= {"draw_sites": "make_sites"}


def caption(group: str, item: str, config: Mapping[str, Any], models: Collection[str]) -> str:
    """Return the caption of an item; `models` are the sources that are no logs."""
    learning = config["carastan2017"]["learning"]
    source = learning["source"]
    key = "further_ranks" if item.endswith("_ranks") and item != "table4_ranks" else item
    text = TEXTS.get(SHARED.get(key, key)) or TEXTS[SHARED.get(group, group)]
    further = next((words for part, words in FURTHER.items() if part in item), "")
    box = item.removeprefix("fig")[:1]
    name = (
        f"Figure {box}L, not in the paper" if "learned" in item else f"Figure {box} of carastan2017"
    )
    quick = _quick(group, item) if config["source"] == "models" else ""
    return text.format(
        source=source if source in models else f"{source} (rules sc17_actual)",
        tuples=learning["tuples"],
        trials=f"{learning['trials']:,}",
        resamples=f"{learning['sites']['resamples']:,}",
        site_trials=f"{learning['sites']['trials']:,}",
        which=item.removeprefix("fitters_"),
        further=further,
        dialect=DIALECTS.get(_table4(item), DIALECTS["table4_own"]),
        name=name,
        boxes=BOXES.get(box, "").format(logs=LOGS[config["source"]]),
        quick=quick,
    )


def _table4(item: str) -> str:
    """Return the key of an item in `DIALECTS`."""
    return "table4_generated" if "generated" in item else item.replace("_learned", "")


def _quick(group: str, item: str) -> str:
    """Return what an item shows at the quick scale, in which models replace the logs."""
    if group == "draw_boxplots":
        return QUICK["boxes_models" if item[3] in "456" else "boxes_logs"]
    if item == "table3_own":
        return "Quick scale: fewer tuples and trials."
    if item in ("table4_comparison", "claims"):
        return QUICK["untested"]
    if item.endswith("toggles"):
        return "Quick scale: only rows of the workload model, drawn from the paper's seeds."
    if "sites" in item:
        return QUICK["sites"]
    return QUICK["generated" if "generated" in item else "rows"]
