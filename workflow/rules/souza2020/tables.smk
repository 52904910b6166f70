"""Tables of souza2020: results/figures/souza2020/."""


rule make_run_tables:
    """Table 1, its averages, and what its spread does."""
    input:
        stages=made_of("table1", "stages"),
        published=SOUZA_PUBLISHED,
        reasons=SOUZA_REASONS,
    output:
        **files_of_souza2020(RUN_TABLES, "Table 1"),
    log:
        "<logs>/make_run_tables.log",
    benchmark:
        "<benchmarks>/make_run_tables.tsv"
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        **measured("make_run_tables"),
    params:
        rows=facts_of("table1"),
    message:
        "Writing Table 1 of souza2020"
    script:
        "../../scripts/souza2020/make_run_tables.py"


rule hold_ratios:
    """Ratios of waits under every reading of Table 1, beside print."""
    input:
        stages=made_of("table1", "stages") + made_of("readings", "stages"),
        published=SOUZA_PUBLISHED,
    output:
        **files_of_souza2020(["ratios"], "Table 1"),
        txt="<results>/figures/souza2020/ratios.txt",
    log:
        "<logs>/hold_ratios.log",
    benchmark:
        "<benchmarks>/hold_ratios.tsv"
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        **measured("hold_ratios", mem_mb=2000, minutes=10),
    params:
        rows=facts_of("table1", "readings"),
    message:
        "Holding ratios of waits"
    script:
        "../../scripts/souza2020/hold_ratios.py"


rule make_series_tables:
    """Table 2, and beside the printed one."""
    input:
        stages=made_of("table2", "series"),
        published=SOUZA_PUBLISHED,
    output:
        **files_of_souza2020(SERIES_TABLES, "Table 2"),
    log:
        "<logs>/make_series_tables.log",
    benchmark:
        "<benchmarks>/make_series_tables.tsv"
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        **measured("make_series_tables", mem_mb=2000, minutes=10),
    params:
        rows=facts_of("table2"),
        learning=config[SOUZA]["learning"],
    message:
        "Writing Table 2 of souza2020"
    script:
        "../../scripts/souza2020/make_series_tables.py"


rule check_workflow_claims:
    """What the paper says in words, held against what was run."""
    input:
        stages=made_of("table1", "stages"),
        table2="<results>/figures/souza2020/table2.csv",
        steps="<results>/figures/souza2020/fig5_steps.csv",
        games="<results>/figures/souza2020/theorem1_kept.csv",
        published=SOUZA_PUBLISHED,
    output:
        **files_of_souza2020(["claims"], "Claims"),
        txt="<results>/figures/souza2020/claims.txt",
    log:
        "<logs>/check_workflow_claims.log",
    benchmark:
        "<benchmarks>/check_workflow_claims.tsv"
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        **measured("check_workflow_claims", mem_mb=2000, minutes=10),
    params:
        rows=facts_of("table1"),
    message:
        "Checking the claims of souza2020"
    script:
        "../../scripts/souza2020/check_claims.py"
