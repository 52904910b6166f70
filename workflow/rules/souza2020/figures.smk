"""Figures of souza2020: results/figures/souza2020/."""


rule draw_makespans:
    """Figures 6, 7 and 8: makespans, stage by stage."""
    input:
        stages=made_of("table1", "stages"),
    output:
        **files_of_souza2020(MAKESPANS, "Makespans", "figure"),
    log:
        "<logs>/draw_makespans.log",
    benchmark:
        "<benchmarks>/draw_makespans.tsv"
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        **measured("draw_makespans", mem_mb=2000, minutes=10),
    params:
        rows=facts_of("table1"),
    message:
        "Drawing makespans of souza2020"
    script:
        "../../scripts/souza2020/draw_makespans.py"


rule draw_diagrams:
    """Figures 1 to 4: stages, strategies, architecture."""
    input:
        stages=made_of("table1", "stages"),
        shapes=SHAPES,
    output:
        **files_of_souza2020(DIAGRAMS, "Diagrams", "figure"),
    log:
        "<logs>/draw_diagrams.log",
    benchmark:
        "<benchmarks>/draw_diagrams.tsv"
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        **measured("draw_diagrams", mem_mb=2000, minutes=10),
    params:
        rows=facts_of("table1"),
    message:
        "Drawing diagrams of souza2020"
    script:
        "../../scripts/souza2020/draw_diagrams.py"


rule draw_convergence:
    """Figure 5: estimates of a wait that changes."""
    output:
        **files_of_souza2020(["fig5"], "The learner", "figure"),
        **files_of_souza2020(["fig5_steps"], "The learner"),
    log:
        "<logs>/draw_convergence.log",
    benchmark:
        "<benchmarks>/draw_convergence.tsv"
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        **measured("draw_convergence"),
    params:
        learning=config[SOUZA]["learning"],
        convergence=config[SOUZA]["convergence"],
    message:
        "Drawing figure 5 of souza2020"
    script:
        "../../scripts/souza2020/draw_convergence.py"


rule draw_theorem:
    """Theorem 1: regret beside its bound."""
    output:
        **files_of_souza2020(["theorem1"], "The learner", "figure"),
        **files_of_souza2020(["theorem1_kept"], "The learner"),
    log:
        "<logs>/draw_theorem.log",
    benchmark:
        "<benchmarks>/draw_theorem.tsv"
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        **measured("draw_theorem"),
    params:
        learning=config[SOUZA]["learning"],
        theorem=config[SOUZA]["theorem"],
    message:
        "Drawing theorem 1 of souza2020"
    script:
        "../../scripts/souza2020/draw_theorem.py"


rule draw_calibration:
    """The one calibration: mean wait against load."""
    input:
        tried=made_of("table1", "calibration") + made_of("table2", "calibration"),
        runs=made_of("table1", "stages") + made_of("table2", "series"),
    output:
        calibration_csv="<results>/figures/souza2020/calibration.csv",
        calibration_md="<results>/figures/souza2020/calibration.md",
        calibration_pdf="<results>/figures/souza2020/calibration.pdf",
        calibration_png=report(
            "<results>/figures/souza2020/calibration.png",
            caption="../../report/souza2020/calibration.rst",
            category=SOUZA,
            subcategory="Background",
            labels={"figure": "calibration"},
        ),
    log:
        "<logs>/draw_calibration.log",
    benchmark:
        "<benchmarks>/draw_calibration.tsv"
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        **measured("draw_calibration", mem_mb=2000, minutes=10),
    params:
        rows=facts_of("table1", "table2"),
    message:
        "Drawing the calibration of souza2020"
    script:
        "../../scripts/souza2020/draw_calibration.py"
