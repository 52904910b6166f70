"""Figures of klusacek2016, a job each: results/figures/klusacek2016/."""


rule draw_plans:
    """Figures 1, 2, 3, 6, 7 and 8: both schedulers on a whole log."""
    input:
        jobs=[f"{PLANNED}.jobs.parquet".replace("{experiment}", one) for one in BY_NODE],
        starts=[
            f"{PLANNED}.starts.parquet".replace("{experiment}", one) for one in BY_NODE
        ],
    output:
        pdf=f"<results>/figures/{KLUSACEK}/{{figure}}.pdf",
        png=report(
            f"<results>/figures/{KLUSACEK}/{{figure}}.png",
            caption="../../report/klusacek2016/runs.rst",
            category=KLUSACEK,
            subcategory="Whole logs",
            labels={"figure": "{figure}"},
        ),
        csv=f"<results>/figures/{KLUSACEK}/{{figure}}.csv",
    log:
        "<logs>/draw_plans/{figure}.log",
    benchmark:
        "<benchmarks>/draw_plans/{figure}.tsv"
    wildcard_constraints:
        figure=one_of(WHOLE_LOGS),
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        **measured("draw_plans"),
    params:
        rows=rows_by_node(),
    message:
        "Drawing {wildcards.figure} of klusacek2016"
    script:
        "../../scripts/klusacek2016/draw_runs.py"


rule keep_moves:
    """Keep the moves of Random Search that were accepted in one run."""
    input:
        jobs=lambda wildcards: jobs_of_row(EXPERIMENTS[KLUSACEK][BY_NODE[0]]),
    output:
        moves=MOVES,
    log:
        "<logs>/keep_moves.log",
    benchmark:
        "<benchmarks>/keep_moves.tsv"
    group:
        "long"
    conda:
        "../../../environment.yml"
    resources:
        **measured("keep_moves"),
    params:
        settings=EXPERIMENTS[KLUSACEK][BY_NODE[0]].settings,
        machine=clusters_of(EXPERIMENTS[KLUSACEK][BY_NODE[0]]),
    message:
        "Keeping accepted moves"
    script:
        "../../scripts/klusacek2016/keep_moves.py"


rule draw_moves:
    """Figure 4: what accepted moves changed over time."""
    input:
        moves=MOVES,
    output:
        pdf=f"<results>/figures/{KLUSACEK}/fig4.pdf",
        png=report(
            f"<results>/figures/{KLUSACEK}/fig4.png",
            caption="../../report/klusacek2016/fig4.rst",
            category=KLUSACEK,
            subcategory="The search",
            labels={"figure": "fig4"},
        ),
        csv=f"<results>/figures/{KLUSACEK}/fig4.csv",
    log:
        "<logs>/draw_moves.log",
    benchmark:
        "<benchmarks>/draw_moves.tsv"
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        **measured("draw_moves"),
    params:
        row=cells_of(EXPERIMENTS[KLUSACEK][BY_NODE[0]], {"source", "label"}),
    message:
        "Drawing figure 4 of klusacek2016"
    script:
        "../../scripts/klusacek2016/draw_fig4.py"


rule time_plans:
    """Figure 5: how long planning takes; its numbers are of the machine it ran on."""
    input:
        jobs=lambda wildcards: jobs_of_row(EXPERIMENTS[KLUSACEK][BY_NODE[0]]),
    output:
        pdf=f"<results>/figures/{KLUSACEK}/fig5.pdf",
        png=report(
            f"<results>/figures/{KLUSACEK}/fig5.png",
            caption="../../report/klusacek2016/fig5.rst",
            category=KLUSACEK,
            subcategory="The search",
            labels={"figure": "fig5"},
        ),
        csv=f"<results>/figures/{KLUSACEK}/fig5.csv",
    log:
        "<logs>/time_plans.log",
    benchmark:
        "<benchmarks>/time_plans.tsv"
    conda:
        "../../../environment.yml"
    resources:
        **measured("time_plans"),
    params:
        settings=EXPERIMENTS[KLUSACEK][BY_NODE[0]].settings,
        machine=clusters_of(EXPERIMENTS[KLUSACEK][BY_NODE[0]]),
        arrivals=ARRIVALS,
        label=EXPERIMENTS[KLUSACEK][BY_NODE[0]].label,
    message:
        "Timing plans"
    script:
        "../../scripts/klusacek2016/time_plans.py"
