"""From workloads to policies: results/scores/ by trials, results/policies/ by regression."""


rule score_distribution:
    """Draw tuples from a workload and score their tasks; an interrupted job resumes by tuple."""
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
    threads: threads_of_job
    resources:
        **measured("score_distribution"),
    params:
        processors=processors_of_source,
        tuples=LEARNING["tuples"],
        trials=LEARNING["trials"],
        key=key_of_trials,
    message:
        "Running trials of {params.tuples} tuples of {wildcards.source} ({wildcards.sampler})"
    script:
        "../../scripts/carastan2017/score_distribution.py"


rule trial_convergence:
    """Repeat the trials of one tuple ten times, with increasing numbers of trials."""
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
    threads: threads_of_job
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
    """Simulate the published tuples again with both samplers."""
    input:
        **workload_of_published_scores(),
        published=f"resources/raw/{PUBLISHED_SCORES}.swf",
    output:
        joined="<results>/scores/published_beside_ours.parquet",
    log:
        "<logs>/compare_samplers.log",
    benchmark:
        "<benchmarks>/compare_samplers.tsv"
    group:
        "long"
    threads: threads_of_job
    resources:
        **measured("compare_samplers"),
    params:
        processors=LOGS[PUBLISHED_WORKLOAD].processors,
        trials=LEARNING["trials"],
        key=[CARASTAN, "trials", "published"],
    message:
        "Running trials of the published tuples"
    script:
        "../../scripts/carastan2017/compare_samplers.py"


rule fit_policies:
    """Fit the 576 functions to a score distribution, with the paper's method and exactly."""
    input:
        distribution=distribution_to_fit,
    output:
        fits="<results>/policies/{distribution}.parquet",
        csv=reported(
            CARASTAN,
            "fit_policies",
            "<results>/figures/carastan2017/fitters_{distribution}.csv",
        ),
        md="<results>/figures/carastan2017/fitters_{distribution}.md",
    log:
        "<logs>/fit_policies/{distribution}.log",
    benchmark:
        "<benchmarks>/fit_policies/{distribution}.tsv"
    group:
        "learn"
    resources:
        **measured("fit_policies"),
    params:
        words=words_of_rule(CARASTAN, "fit_policies")["fitters_published"],
    message:
        "Fitting 576 functions to {input.distribution}"
    script:
        "../../scripts/carastan2017/fit_policies.py"


rule list_learned:
    """List the four best functions of the computed scores as policies L1 to L4."""
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
    resources:
        **measured("list_learned", mem_mb=400, minutes=4),
    message:
        "Listing the learned policies"
    script:
        "../../scripts/carastan2017/list_learned.py"
