"""Workloads to learned policies: results/scores/ from trials, results/policies/ from regression."""


rule score_distribution:
    """Draw tuples from a workload and score their tasks; an interrupted job goes on tuple by tuple."""
    input:
        jobs=jobs_of_learning,
    output:
        scores="<results>/scores/{source}.{sampler}.parquet",
    log:
        "<logs>/score_distribution/{source}.{sampler}.log",
    benchmark:
        "<benchmarks>/score_distribution/{source}.{sampler}.tsv"
    group:
        "learn"
    conda:
        "../../../environment.yml"
    threads: 8
    resources:
        **measured("score_distribution"),
    params:
        processors=processors_of_source,
        tuples=config["learning"]["tuples"],
        trials=config["learning"]["trials"],
        key=key_of_trials,
    message:
        "Running trials of {params.tuples} tuples of {wildcards.source} ({wildcards.sampler})"
    script:
        "../../scripts/carastan2017/score_distribution.py"


rule trial_convergence:
    """Repeat the trials of one tuple ten times, with more and more of them."""
    input:
        jobs=jobs_of_learning,
    output:
        deviations="<results>/scores/{source}.convergence.parquet",
    log:
        "<logs>/trial_convergence/{source}.log",
    benchmark:
        "<benchmarks>/trial_convergence/{source}.tsv"
    group:
        "learn"
    conda:
        "../../../environment.yml"
    threads: 8
    resources:
        **measured("trial_convergence"),
    params:
        processors=processors_of_source,
        counts=numbers_of_trials,
        key=key_of_trials,
    message:
        "Repeating the trials of a tuple of {wildcards.source}"
    script:
        "../../scripts/carastan2017/trial_convergence.py"


rule compare_samplers:
    """Simulate the published tuples once more with both samplers."""
    input:
        **workload_of_published_scores(),
        published=f"resources/raw/{PUBLISHED_SCORES}.swf",
    output:
        beside="<results>/scores/published_beside_ours.parquet",
    log:
        "<logs>/compare_samplers.log",
    benchmark:
        "<benchmarks>/compare_samplers.tsv"
    group:
        "long"
    conda:
        "../../../environment.yml"
    threads: 8
    resources:
        **measured("compare_samplers"),
    params:
        processors=LOGS[PUBLISHED_WORKLOAD].processors,
        trials=config["learning"]["trials"],
        key=[CARASTAN, "trials", "published"],
    message:
        "Running trials of the published tuples"
    script:
        "../../scripts/carastan2017/compare_samplers.py"


rule draw_fig1:
    """Figure 1: examples of trial score distributions."""
    input:
        uniform=learned_from("uniform"),
        artefact=learned_from("artefact"),
    output:
        pdf="<results>/figures/carastan2017/fig1.pdf",
        png=report(
            "<results>/figures/carastan2017/fig1.png",
            caption="../../report/carastan2017/fig1.rst",
            category="carastan2017",
            subcategory="Figures",
            labels={"figure": "fig1"},
        ),
        csv="<results>/figures/carastan2017/fig1.csv",
    log:
        "<logs>/draw_fig1.log",
    benchmark:
        "<benchmarks>/draw_fig1.tsv"
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        **measured("draw_fig1", mem_mb=500, minutes=5),
    message:
        "Drawing fig1"
    script:
        "../../scripts/carastan2017/draw_fig1.py"


rule draw_fig2:
    """Figure 2: normalised standard deviation of the scores against the number of trials."""
    input:
        deviations=learned_from("convergence"),
        published=PUBLISHED,
    output:
        pdf="<results>/figures/carastan2017/fig2.pdf",
        png=report(
            "<results>/figures/carastan2017/fig2.png",
            caption="../../report/carastan2017/fig2.rst",
            category="carastan2017",
            subcategory="Figures",
            labels={"figure": "fig2"},
        ),
        csv="<results>/figures/carastan2017/fig2.csv",
    log:
        "<logs>/draw_fig2.log",
    benchmark:
        "<benchmarks>/draw_fig2.tsv"
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        **measured("draw_fig2", mem_mb=500, minutes=5),
    message:
        "Drawing fig2"
    script:
        "../../scripts/carastan2017/draw_fig2.py"


rule draw_samplers:
    """Published scores against those of the same tuples by either sampler."""
    input:
        beside="<results>/scores/published_beside_ours.parquet",
    output:
        pdf="<results>/figures/carastan2017/fig_samplers.pdf",
        png=report(
            "<results>/figures/carastan2017/fig_samplers.png",
            caption="../../report/carastan2017/fig_samplers.rst",
            category="carastan2017",
            subcategory="Figures",
            labels={"figure": "fig_samplers"},
        ),
        csv="<results>/figures/carastan2017/fig_samplers.csv",
    log:
        "<logs>/draw_samplers.log",
    benchmark:
        "<benchmarks>/draw_samplers.tsv"
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        **measured("draw_samplers", mem_mb=500, minutes=5),
    message:
        "Drawing fig_samplers"
    script:
        "../../scripts/carastan2017/draw_samplers.py"


rule fit_policies:
    """Fit the 576 functions to a score distribution, as the paper did and exactly."""
    input:
        distribution=distribution_to_fit,
    output:
        fits="<results>/policies/{distribution}.parquet",
        csv=report(
            "<results>/figures/carastan2017/fitters_{distribution}.csv",
            caption="../../report/carastan2017/fitters.rst",
            category="carastan2017",
            subcategory="Table 3",
            labels={"table": "fitters_{distribution}"},
        ),
        md="<results>/figures/carastan2017/fitters_{distribution}.md",
    log:
        "<logs>/fit_policies/{distribution}.log",
    benchmark:
        "<benchmarks>/fit_policies/{distribution}.tsv"
    group:
        "learn"
    conda:
        "../../../environment.yml"
    resources:
        **measured("fit_policies"),
    message:
        "Fitting 576 functions to {input.distribution}"
    script:
        "../../scripts/carastan2017/fit_policies.py"


rule list_learned:
    """The four best functions of our own scores as policies L1 to L4, to run and to copy."""
    input:
        fits="<results>/policies/uniform.parquet",
    output:
        csv="<results>/policies/learned.csv",
    log:
        "<logs>/list_learned.log",
    benchmark:
        "<benchmarks>/list_learned.tsv"
    group:
        "learn"
    conda:
        "../../../environment.yml"
    resources:
        **measured("list_learned", mem_mb=400, minutes=4),
    message:
        "Listing the learned policies"
    script:
        "../../scripts/carastan2017/list_learned.py"


rule make_definitions:
    """Tables 1 and 2: the base functions of the regression, and the ad-hoc policies as they are run."""
    output:
        table1_csv=report(
            "<results>/figures/carastan2017/table1.csv",
            caption="../../report/carastan2017/table1.rst",
            category="carastan2017",
            subcategory="Table 1",
            labels={"table": "table1"},
        ),
        table1_md="<results>/figures/carastan2017/table1.md",
        table2_csv=report(
            "<results>/figures/carastan2017/table2.csv",
            caption="../../report/carastan2017/table2.rst",
            category="carastan2017",
            subcategory="Table 2",
            labels={"table": "table2"},
        ),
        table2_md="<results>/figures/carastan2017/table2.md",
    log:
        "<logs>/make_definitions.log",
    benchmark:
        "<benchmarks>/make_definitions.tsv"
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        **measured("make_definitions"),
    message:
        "Writing Tables 1 and 2"
    script:
        "../../scripts/carastan2017/make_definitions.py"


rule make_table3:
    """Table 3: the four best functions, beside the paper's, ours and those with an intercept."""
    input:
        fits=collect(
            "<results>/policies/{distribution}.parquet", distribution=DISTRIBUTIONS
        ),
        published=PUBLISHED,
        reasons=REASONS,
    output:
        table3_csv=report(
            "<results>/figures/carastan2017/table3.csv",
            caption="../../report/carastan2017/table3.rst",
            category="carastan2017",
            subcategory="Table 3",
            labels={"table": "table3"},
        ),
        table3_md="<results>/figures/carastan2017/table3.md",
        comparison_csv=report(
            "<results>/figures/carastan2017/table3_comparison.csv",
            caption="../../report/carastan2017/table3_comparison.rst",
            category="carastan2017",
            subcategory="Table 3",
            labels={"table": "table3_comparison"},
        ),
        comparison_md="<results>/figures/carastan2017/table3_comparison.md",
        own_csv=report(
            "<results>/figures/carastan2017/table3_own.csv",
            caption="../../report/carastan2017/table3_own.rst",
            category="carastan2017",
            subcategory="Table 3",
            labels={"table": "table3_own"},
        ),
        own_md="<results>/figures/carastan2017/table3_own.md",
        intercept_csv=report(
            "<results>/figures/carastan2017/table3_intercept.csv",
            caption="../../report/carastan2017/table3_intercept.rst",
            category="carastan2017",
            subcategory="Table 3",
            labels={"table": "table3_intercept"},
        ),
        intercept_md="<results>/figures/carastan2017/table3_intercept.md",
    log:
        "<logs>/make_table3.log",
    benchmark:
        "<benchmarks>/make_table3.tsv"
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        **measured("make_table3"),
    params:
        labels=list(DISTRIBUTIONS.values()),
    message:
        "Writing Table 3"
    script:
        "../../scripts/carastan2017/make_table3.py"


rule draw_fig3:
    """Figure 3: the four best functions over run time, processors and submit time."""
    input:
        fits="<results>/policies/published.parquet",
        distribution=f"resources/raw/{PUBLISHED_SCORES}.swf",
    output:
        pdf="<results>/figures/carastan2017/fig3.pdf",
        png=report(
            "<results>/figures/carastan2017/fig3.png",
            caption="../../report/carastan2017/fig3.rst",
            category="carastan2017",
            subcategory="Figures",
            labels={"figure": "fig3"},
        ),
        csv="<results>/figures/carastan2017/fig3.csv",
    log:
        "<logs>/draw_fig3.log",
    benchmark:
        "<benchmarks>/draw_fig3.tsv"
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        **measured("draw_fig3", mem_mb=500, minutes=5),
    message:
        "Drawing fig3"
    script:
        "../../scripts/carastan2017/draw_fig3.py"
