"""From weeks and months to metrics of pure and mixed policies: results/simulations/legrand2018/."""


rule simulate_pure:
    """Run the pure policies of a row on every period, under every threshold."""
    input:
        pieces=pieces_of_periods,
    output:
        metrics=f"{MIXED}.pure.parquet",
    log:
        "<logs>/simulate_pure/{periods}.log",
    benchmark:
        "<benchmarks>/simulate_pure/{periods}.tsv"
    group:
        "simulate"
    resources:
        **measured("simulate_pure", mem_mb=1000, minutes=10),
    params:
        **cells_of_periods("numbers", "processors", "thresholds", "dialect", "tau"),
        policies=policies_of_periods,
    message:
        "Running the pure policies on {wildcards.periods}"
    script:
        "../../scripts/legrand2018/simulate_pure.py"


use rule simulate_pure as simulate_own with:
    output:
        metrics=OWN_RUNS,
    log:
        "<logs>/simulate_own/{policies}/{periods}.log",
    benchmark:
        "<benchmarks>/simulate_own/{policies}/{periods}.tsv"
    wildcard_constraints:
        policies=one_of(config["policies"]),
    params:
        **cells_of_periods("numbers", "processors", "thresholds", "dialect", "tau"),
        policies=own_policy,
    message:
        "Running {wildcards.policies} on {wildcards.periods}"


rule measure_scales:
    """Compute the divisors of the features of jobs: their deviations over all periods."""
    input:
        pieces=pieces_of_periods,
    output:
        scales=f"{MIXED}.scales.parquet",
    log:
        "<logs>/measure_scales/{periods}.log",
    benchmark:
        "<benchmarks>/measure_scales/{periods}.tsv"
    group:
        "learn"
    resources:
        **measured("measure_scales", mem_mb=1000, minutes=10),
    params:
        **cells_of_periods("numbers", "processors"),
    message:
        "Measuring the features of {wildcards.periods}"
    script:
        "../../scripts/legrand2018/measure_scales.py"


rule cover_space:
    """Simulate all periods of a trace under all weights of the grid; resumes by period."""
    input:
        pieces=pieces_of_periods,
        scales=f"{MIXED}.scales.parquet",
    output:
        surface=f"{MIXED}.{{scaling}}.surface.parquet",
    log:
        "<logs>/cover_space/{periods}.{scaling}.log",
    benchmark:
        "<benchmarks>/cover_space/{periods}.{scaling}.tsv"
    group:
        "weigh"
    threads: threads_of_job
    resources:
        **measured("cover_space", mem_mb=2000, minutes=120),
    params:
        **cells_of_periods("numbers", "processors", "threshold", "tau"),
        points=points_of_periods,
    message:
        "Covering the space of weights of {wildcards.periods} (scaling: {wildcards.scaling})"
    script:
        "../../scripts/legrand2018/cover_space.py"


use rule cover_space as cover_again with:
    output:
        surface=AGAIN,
    log:
        "<logs>/cover_again/{periods}.{scaling}.{threshold}.log",
    benchmark:
        "<benchmarks>/cover_again/{periods}.{scaling}.{threshold}.tsv"
    params:
        **cells_of_periods("numbers", "processors", "tau"),
        threshold=lambda wildcards: int(wildcards.threshold),
        points=points_of_periods,
    message:
        "Covering the space of weights of {wildcards.periods} (scaling: {wildcards.scaling}, threshold: {wildcards.threshold})"


rule search_weights:
    """Search every period's best weights by xNES; an interrupted job resumes where it stopped."""
    input:
        pieces=pieces_of_periods,
        scales=f"{MIXED}.scales.parquet",
    output:
        found=f"{MIXED}.search.parquet",
    log:
        "<logs>/search_weights/{periods}.log",
    benchmark:
        "<benchmarks>/search_weights/{periods}.tsv"
    group:
        "weigh"
    threads: threads_of_job
    resources:
        **measured("search_weights", mem_mb=2000, minutes=120),
    params:
        **cells_of_periods("numbers", "processors", "threshold", "tau"),
        settings=config["legrand2018"]["search"],
        key=key_of_search,
    message:
        "Searching the weights of {wildcards.periods}"
    script:
        "../../scripts/legrand2018/search_weights.py"


use rule search_weights as vary_search with:
    output:
        found=f"{MIXED}.varied.parquet",
    log:
        "<logs>/vary_search/{periods}.log",
    benchmark:
        "<benchmarks>/vary_search/{periods}.tsv"
    resources:
        **measured("vary_search", mem_mb=2000, minutes=120),
    params:
        **cells_of_periods("numbers", "processors", "threshold", "tau"),
        settings=config["legrand2018"]["search"],
        variations=config["legrand2018"]["variations"],
        key=key_of_search,
    message:
        "Searching the weights of {wildcards.periods} without scaling and with other settings"
