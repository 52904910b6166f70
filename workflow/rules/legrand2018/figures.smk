"""The figures of legrand2018: results/figures/legrand2018/."""


rule draw_distributions:
    """Figure 1: the pure policies' weekly averages, four traces."""
    input:
        pure=files_by("weeks", f"{MIXED}.pure.parquet"),
    output:
        pdf=f"{MADE}/fig1.pdf",
        png=report(
            f"{MADE}/fig1.png",
            caption="../../report/legrand2018/fig1.rst",
            category="legrand2018",
            subcategory="Figures",
            labels={"figure": "fig1"},
        ),
        csv=f"{MADE}/fig1.csv",
    log:
        "<logs>/draw_distributions.log",
    benchmark:
        "<benchmarks>/draw_distributions.tsv"
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        mem_mb=mb(1000),
        runtime=minutes(10),
    params:
        rows=[cells_of(row) for row in rows_by("weeks")],
    message:
        "Drawing fig1 of legrand2018"
    script:
        "../../scripts/legrand2018/draw_distributions.py"


rule draw_best:
    """Figures 2, 6, 9 and 12: SAF beside each week's best pure policy."""
    input:
        pure=files_by_item("best_item", f"{MIXED}.pure.parquet"),
    output:
        pdf=collect(f"{MADE}/{{figure}}.pdf", figure=BEST_FIGURES),
        png=report(
            collect(f"{MADE}/{{figure}}.png", figure=BEST_FIGURES),
            caption="../../report/legrand2018/best.rst",
            category="legrand2018",
            subcategory="Figures",
        ),
        csv=collect(f"{MADE}/{{figure}}.csv", figure=BEST_FIGURES),
    log:
        "<logs>/draw_best.log",
    benchmark:
        "<benchmarks>/draw_best.tsv"
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        mem_mb=mb(1000),
        runtime=minutes(10),
    params:
        rows=rows_by_item("best_item"),
    message:
        "Drawing figures 2, 6, 9 and 12 of legrand2018"
    script:
        "../../scripts/legrand2018/draw_best.py"


rule draw_mixed:
    """Figures 3, 7, 10 and 13: mixed policies beside SAF and FCFS, week by week."""
    input:
        surfaces=files_by_item("mixed_item", f"{MIXED}.deviation.surface.parquet"),
        pure=files_by_item("mixed_item", f"{MIXED}.pure.parquet"),
    output:
        pdf=collect(f"{MADE}/{{figure}}.pdf", figure=MIXED_FIGURES),
        png=report(
            collect(f"{MADE}/{{figure}}.png", figure=MIXED_FIGURES),
            caption="../../report/legrand2018/mixed.rst",
            category="legrand2018",
            subcategory="Figures",
        ),
        csv=collect(f"{MADE}/{{figure}}.csv", figure=MIXED_FIGURES),
    log:
        "<logs>/draw_mixed.log",
    benchmark:
        "<benchmarks>/draw_mixed.tsv"
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        mem_mb=mb(1000),
        runtime=minutes(10),
    params:
        rows=rows_by_item("mixed_item"),
    message:
        "Drawing figures 3, 7, 10 and 13 of legrand2018"
    script:
        "../../scripts/legrand2018/draw_mixed.py"


rule draw_search:
    """Figures 5, 8, 11 and 14: what xNES finds beside the coverage of the space."""
    input:
        surfaces=files_by_item("search_item", f"{MIXED}.deviation.surface.parquet"),
        searches=files_by_item("search_item", f"{MIXED}.search.parquet"),
    output:
        pdf=collect(f"{MADE}/{{figure}}.pdf", figure=SEARCH_FIGURES),
        png=report(
            collect(f"{MADE}/{{figure}}.png", figure=SEARCH_FIGURES),
            caption="../../report/legrand2018/search.rst",
            category="legrand2018",
            subcategory="Figures",
        ),
        csv=collect(f"{MADE}/{{figure}}.csv", figure=SEARCH_FIGURES),
    log:
        "<logs>/draw_search.log",
    benchmark:
        "<benchmarks>/draw_search.tsv"
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        mem_mb=mb(1000),
        runtime=minutes(10),
    params:
        rows=rows_by_item("search_item"),
    message:
        "Drawing figures 5, 8, 11 and 14 of legrand2018"
    script:
        "../../scripts/legrand2018/draw_search.py"


rule draw_space:
    """Figure 4: the space of weights in four weeks, two diamonds each."""
    input:
        surface=MIXED.format(periods=SHOWN) + ".deviation.surface.parquet",
    output:
        pdf=f"{MADE}/fig4.pdf",
        png=report(
            f"{MADE}/fig4.png",
            caption="../../report/legrand2018/fig4.rst",
            category="legrand2018",
            subcategory="Figures",
            labels={"figure": "fig4"},
        ),
        csv=f"{MADE}/fig4.csv",
    log:
        "<logs>/draw_space.log",
    benchmark:
        "<benchmarks>/draw_space.tsv"
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        mem_mb=mb(1000),
        runtime=minutes(10),
    params:
        row=cells_of(EXPERIMENTS[LEGRAND][SHOWN]),
    message:
        "Drawing fig4 of legrand2018"
    script:
        "../../scripts/legrand2018/draw_space.py"


rule draw_months:
    """Figure 15: mixed policies beside SAF and FCFS, month by month."""
    input:
        surfaces=files_by("months", f"{MIXED}.deviation.surface.parquet"),
        pure=files_by("months", f"{MIXED}.pure.parquet"),
    output:
        pdf=f"{MADE}/fig15.pdf",
        png=report(
            f"{MADE}/fig15.png",
            caption="../../report/legrand2018/fig15.rst",
            category="legrand2018",
            subcategory="Figures",
            labels={"figure": "fig15"},
        ),
        csv=f"{MADE}/fig15.csv",
    log:
        "<logs>/draw_months.log",
    benchmark:
        "<benchmarks>/draw_months.tsv"
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        mem_mb=mb(1000),
        runtime=minutes(10),
    params:
        rows=[cells_of(row) for row in rows_by("months")],
    message:
        "Drawing fig15 of legrand2018"
    script:
        "../../scripts/legrand2018/draw_months.py"
