"""Beyond klusacek2016: kept plans, searched by the paper's rule and by others."""


rule search_plans:
    """Keep plans of an experiment and search each by every rule, with budgets up to the longest."""
    input:
        jobs=jobs_of_plans,
    output:
        searches=f"{PLANNED}.searches.parquet",
    log:
        "<logs>/search_plans/{experiment}.log",
    benchmark:
        "<benchmarks>/search_plans/{experiment}.tsv"
    wildcard_constraints:
        experiment=one_of(EXPERIMENTS[KLUSACEK]),
    group:
        "long"
    conda:
        "../../../environment.yml"
    threads: 8
    resources:
        **measured("search_plans"),
    params:
        settings=settings_of_plans,
        machine=machine_of_plans,
        searches=config[KLUSACEK]["searches"],
    message:
        "Searching kept plans of {wildcards.experiment}"
    script:
        "../../scripts/klusacek2016/search_plans.py"


rule show_searches:
    """Random Search beside other searches, and what its budget costs."""
    input:
        searches=f"{PLANNED}.searches.parquet".replace("{experiment}", SEARCHED),
        runs=ran("budgets", "periods"),
    output:
        csv=report(
            "<results>/figures/klusacek2016/beyond_search.csv",
            caption="../../report/klusacek2016/beyond_search.rst",
            category=KLUSACEK,
            subcategory="Beyond the paper",
            labels={"table": "beyond_search"},
        ),
        curves="<results>/figures/klusacek2016/beyond_search_curves.csv",
        md="<results>/figures/klusacek2016/beyond_search.md",
        budget=report(
            "<results>/figures/klusacek2016/beyond_budget.csv",
            caption="../../report/klusacek2016/beyond_budget.rst",
            category=KLUSACEK,
            subcategory="Beyond the paper",
            labels={"table": "beyond_budget"},
        ),
        budget_md="<results>/figures/klusacek2016/beyond_budget.md",
        waits=report(
            "<results>/figures/klusacek2016/beyond_waits.csv",
            caption="../../report/klusacek2016/beyond_waits.rst",
            category=KLUSACEK,
            subcategory="Beyond the paper",
            labels={"table": "beyond_waits"},
        ),
        waits_md="<results>/figures/klusacek2016/beyond_waits.md",
        txt="<results>/figures/klusacek2016/beyond_search.txt",
        pdf="<results>/figures/klusacek2016/beyond_search.pdf",
        png=report(
            "<results>/figures/klusacek2016/beyond_search.png",
            caption="../../report/klusacek2016/beyond_search.rst",
            category=KLUSACEK,
            subcategory="Beyond the paper",
            labels={"figure": "beyond_search"},
        ),
    log:
        "<logs>/show_searches.log",
    benchmark:
        "<benchmarks>/show_searches.tsv"
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        **measured("show_searches"),
    params:
        asked=EXPERIMENTS[KLUSACEK][SEARCHED].iterations,
        label=f"{EXPERIMENTS[KLUSACEK][SEARCHED].source}, {EXPERIMENTS[KLUSACEK][SEARCHED].label}",
        rows=shown_rows("budgets"),
    message:
        "Showing searches of kept plans"
    script:
        "../../scripts/klusacek2016/show_searches.py"
