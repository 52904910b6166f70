"""Adapting Batch Scheduling to Workload Characteristics (RR-9212): pure and mixed policies, week by week.

Its tables, claims and online learners in results/figures/legrand2018/, from what mixed.smk simulates.
"""

PUBLISHED_LEGRAND = "resources/published/legrand2018.tsv"
SUSPECTS_LEGRAND = "resources/published/suspects_legrand2018.tsv"
REASONS_LEGRAND = "resources/published/reasons_legrand2018.tsv"
LEGRAND = "results/figures/legrand2018"
THRESHOLD_TABLES = items_of_periods("thresholds_item")
# The column that names a table's rows, and those whose numbers are equal to the last digit or not.
COMPARED = {
    "table1": {"index": "trace", "exact": ["cpus", "jobs"]},
    **{
        table: {"index": "policy", "exact": []}
        for table in ("table2", *sorted(THRESHOLD_TABLES))
    },
    "table7": {
        "index": "rank",
        "exact": ["job_ID", "submit_time", "run_time", "number_processors"],
    },
}
BEST_FIGURES = items_of_periods("best_item")
MIXED_FIGURES = items_of_periods("mixed_item")
SEARCH_FIGURES = items_of_periods("search_item")
SENSITIVE = next(row.experiment for row in PERIODS.values() if row.sensitivity)
# The trace that Tables 2 and 7 are of is the one whose space is drawn.
SHOWN = next(row.experiment for row in PERIODS.values() if row.space_item)


rule legrand2018:
    """All tables and figures of legrand2018."""
    input:
        collect(
            f"{LEGRAND}/{{table}}.{{kind}}",
            table=[
                *COMPARED,
                *(f"{table}_comparison" for table in COMPARED),
                "table1_readings",
                "ranks",
                "claims",
                "online",
                "sensitivity",
            ],
            kind=["csv", "md"],
        ),
        collect(
            f"{LEGRAND}/{{figure}}.{{kind}}",
            figure=[
                *("fig1", "fig4", "fig15", "fig_online"),
                *(*BEST_FIGURES, *MIXED_FIGURES, *SEARCH_FIGURES),
            ],
            kind=["pdf", "png", "csv"],
        ),


rule online:
    """What online learners make of the same weeks."""
    input:
        f"{LEGRAND}/online.md",
        f"{LEGRAND}/fig_online.png",


rule make_trace_facts:
    """Table 1: the traces by weeks, and other ways to read how weeks are cut."""
    input:
        **raw_logs_of_weeks(),
        pieces=[
            f"results/pieces/{row.source}.{row.cleaning}.{row.split}.parquet"
            for row in rows_by("weeks")
        ],
        published=PUBLISHED_LEGRAND,
        sources=sources(
            "comparison.py",
            "dialects.py",
            "experiments.py",
            "jobs.py",
            "kernels",
            "learning/adaptation.py",
            "learning/mixed.py",
            "learning/surface.py",
            "metrics.py",
            "period_tables.py",
            "policies",
            "sessions.py",
            "simulation.py",
            "tables.py",
            "threads.py",
            "traces/cleaning.py",
            "traces/readings.py",
            "traces/splitting.py",
            "traces/swf.py",
            "workloads",
        ),
    output:
        csv=report(
            f"{LEGRAND}/table1.csv",
            caption="../report/legrand2018/tables.rst",
            category="legrand2018",
            subcategory="Tables",
            labels={"table": "table1"},
        ),
        md=f"{LEGRAND}/table1.md",
        readings_csv=f"{LEGRAND}/table1_readings.csv",
        readings_md=f"{LEGRAND}/table1_readings.md",
    log:
        "results/logs/make_trace_facts.log",
    group:
        "figures"
    conda:
        "../../environment.yml"
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        rows=[asdict(row) for row in rows_by("weeks")],
    message:
        "Writing Table 1 of legrand2018"
    script:
        "../scripts/make_trace_facts.py"


rule make_train_test:
    """Table 2: sums over the training and the testing weeks."""
    input:
        surface=MIXED.format(periods=SHOWN) + ".deviation.surface.parquet",
        pure=MIXED.format(periods=SHOWN) + ".pure.parquet",
        sources=sources(
            "experiments.py",
            "learning/adaptation.py",
            "learning/surface.py",
            "period_tables.py",
            "tables.py",
        ),
    output:
        csv=report(
            f"{LEGRAND}/table2.csv",
            caption="../report/legrand2018/tables.rst",
            category="legrand2018",
            subcategory="Tables",
            labels={"table": "table2"},
        ),
        md=f"{LEGRAND}/table2.md",
    log:
        "results/logs/make_train_test.log",
    group:
        "figures"
    conda:
        "../../environment.yml"
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        row=asdict(PERIODS[SHOWN]),
    message:
        "Writing Table 2 of legrand2018"
    script:
        "../scripts/make_train_test.py"


rule make_thresholds:
    """Tables 3 to 6: sums over all weeks, threshold by threshold."""
    input:
        pure=files_by_item("thresholds_item", f"{MIXED}.pure.parquet"),
        sources=sources(
            "experiments.py",
            "learning/adaptation.py",
            "learning/surface.py",
            "period_tables.py",
            "tables.py",
        ),
    output:
        csv=report(
            collect(f"{LEGRAND}/{{table}}.csv", table=THRESHOLD_TABLES),
            caption="../report/legrand2018/tables.rst",
            category="legrand2018",
            subcategory="Tables",
        ),
        md=collect(f"{LEGRAND}/{{table}}.md", table=THRESHOLD_TABLES),
    log:
        "results/logs/make_thresholds.log",
    group:
        "figures"
    conda:
        "../../environment.yml"
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        rows=rows_by_item("thresholds_item"),
    message:
        "Writing Tables 3 to 6 of legrand2018"
    script:
        "../scripts/make_thresholds.py"


rule make_longest:
    """Table 7: the jobs that ran longest."""
    input:
        **log_of_longest_jobs(),
        sources=sources(
            "experiments.py",
            "kernels",
            "learning/adaptation.py",
            "learning/surface.py",
            "period_tables.py",
            "tables.py",
            "traces/cleaning.py",
            "traces/splitting.py",
            "traces/swf.py",
        ),
    output:
        csv=report(
            f"{LEGRAND}/table7.csv",
            caption="../report/legrand2018/tables.rst",
            category="legrand2018",
            subcategory="Tables",
            labels={"table": "table7"},
        ),
        md=f"{LEGRAND}/table7.md",
    log:
        "results/logs/make_longest.log",
    group:
        "figures"
    conda:
        "../../environment.yml"
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        row=asdict(PERIODS[SHOWN]),
    message:
        "Writing Table 7 of legrand2018"
    script:
        "../scripts/make_longest.py"


rule compare_columns:
    """Every number of the tables, published and ours, with verdicts and rank correlations."""
    input:
        tables=collect(f"{LEGRAND}/{{table}}.csv", table=COMPARED),
        published=PUBLISHED_LEGRAND,
        suspects=SUSPECTS_LEGRAND,
        reasons=REASONS_LEGRAND,
        sources=sources("column_comparison.py", "comparison.py", "tables.py"),
    output:
        csv=report(
            collect(f"{LEGRAND}/{{table}}_comparison.csv", table=COMPARED),
            caption="../report/legrand2018/tables.rst",
            category="legrand2018",
            subcategory="Tables",
        ),
        md=collect(f"{LEGRAND}/{{table}}_comparison.md", table=COMPARED),
        ranks_csv=report(
            f"{LEGRAND}/ranks.csv",
            caption="../report/legrand2018/tables.rst",
            category="legrand2018",
            subcategory="Tables",
            labels={"table": "ranks"},
        ),
        ranks_md=f"{LEGRAND}/ranks.md",
    log:
        "results/logs/compare_columns.log",
    group:
        "figures"
    conda:
        "../../environment.yml"
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        items_compared=COMPARED,
    message:
        "Comparing the tables with legrand2018"
    script:
        "../scripts/compare_columns.py"


rule check_claims:
    """Hold what the paper says in words against what was simulated."""
    input:
        surfaces=files_by("weeks", f"{MIXED}.deviation.surface.parquet"),
        pure=files_by("weeks", f"{MIXED}.pure.parquet"),
        searches=files_by("weeks", f"{MIXED}.search.parquet"),
        sources=sources(
            "claims.py",
            "experiments.py",
            "learning/adaptation.py",
            "learning/surface.py",
            "period_tables.py",
            "tables.py",
        ),
    output:
        csv=report(
            f"{LEGRAND}/claims.csv",
            caption="../report/legrand2018/tables.rst",
            category="legrand2018",
            subcategory="Tables",
            labels={"table": "claims"},
        ),
        md=f"{LEGRAND}/claims.md",
        txt=f"{LEGRAND}/claims.txt",
    log:
        "results/logs/check_claims.log",
    group:
        "figures"
    conda:
        "../../environment.yml"
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        rows=[asdict(row) for row in rows_by("weeks")],
    message:
        "Checking what legrand2018 says"
    script:
        "../scripts/check_claims.py"


rule make_sensitivity:
    """How much hinges on scaling and on the settings of the search."""
    input:
        scaled=f"results/mixed/{SENSITIVE}.deviation.surface.parquet",
        unscaled=f"results/mixed/{SENSITIVE}.none.surface.parquet",
        pure=f"results/mixed/{SENSITIVE}.pure.parquet",
        search=f"results/mixed/{SENSITIVE}.search.parquet",
        varied=f"results/mixed/{SENSITIVE}.varied.parquet",
        sources=sources(
            "experiments.py",
            "learning/adaptation.py",
            "learning/surface.py",
            "period_tables.py",
            "tables.py",
        ),
    output:
        csv=report(
            f"{LEGRAND}/sensitivity.csv",
            caption="../report/legrand2018/tables.rst",
            category="legrand2018",
            subcategory="Tables",
            labels={"table": "sensitivity"},
        ),
        md=f"{LEGRAND}/sensitivity.md",
    log:
        "results/logs/make_sensitivity.log",
    group:
        "figures"
    conda:
        "../../environment.yml"
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        row=asdict(PERIODS[SENSITIVE]),
    message:
        "Writing the sensitivity of legrand2018"
    script:
        "../scripts/make_sensitivity.py"


rule learn_online:
    """Let online learners meet the weeks of each trace in order."""
    input:
        surfaces=files_by("weeks", f"{MIXED}.deviation.surface.parquet"),
        pure=files_by("weeks", f"{MIXED}.pure.parquet"),
        sources=sources(
            "experiments.py",
            "figures/periods.py",
            "figures/style.py",
            "learning/adaptation.py",
            "learning/online.py",
            "learning/surface.py",
            "period_tables.py",
            "tables.py",
            "workloads",
        ),
    output:
        learned="results/mixed/online.parquet",
        csv=report(
            f"{LEGRAND}/online.csv",
            caption="../report/legrand2018/tables.rst",
            category="legrand2018",
            subcategory="Tables",
            labels={"table": "online"},
        ),
        md=f"{LEGRAND}/online.md",
        txt=f"{LEGRAND}/online.txt",
        figure_csv=f"{LEGRAND}/fig_online.csv",
        pdf=f"{LEGRAND}/fig_online.pdf",
        png=report(
            f"{LEGRAND}/fig_online.png",
            caption="../report/legrand2018/fig_online.rst",
            category="legrand2018",
            subcategory="Figures",
            labels={"figure": "fig_online"},
        ),
    log:
        "results/logs/learn_online.log",
    group:
        "figures"
    conda:
        "../../environment.yml"
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        rows=[asdict(row) for row in rows_by("weeks")],
        windows=config["legrand2018"]["online"]["windows"],
        repetitions=config["legrand2018"]["online"]["repetitions"],
    message:
        "Learning online"
    script:
        "../scripts/learn_online.py"
