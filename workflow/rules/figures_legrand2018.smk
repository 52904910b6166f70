"""The figures of legrand2018: results/figures/legrand2018/."""


rule draw_distributions:
    """Figure 1: the pure policies' weekly averages, four traces."""
    input:
        pure=files_by("weeks", f"{MIXED}.pure.parquet"),
        sources=sources(
            "experiments.py",
            "figures/periods.py",
            "figures/style.py",
            "learning/adaptation.py",
            "learning/surface.py",
            "period_tables.py",
            "tables.py",
        ),
    output:
        pdf=f"{LEGRAND}/fig1.pdf",
        png=report(
            f"{LEGRAND}/fig1.png",
            caption="../report/legrand2018/fig1.rst",
            category="legrand2018",
            subcategory="Figures",
            labels={"figure": "fig1"},
        ),
        csv=f"{LEGRAND}/fig1.csv",
    log:
        "results/logs/draw_distributions.log",
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
        "Drawing fig1 of legrand2018"
    script:
        "../scripts/draw_distributions.py"


rule draw_best:
    """Figures 2, 6, 9 and 12: SAF beside each week's best pure policy."""
    input:
        pure=files_by_item("best_item", f"{MIXED}.pure.parquet"),
        sources=sources(
            "experiments.py",
            "figures/periods.py",
            "figures/style.py",
            "learning/adaptation.py",
            "learning/surface.py",
            "period_tables.py",
            "tables.py",
        ),
    output:
        pdf=collect(f"{LEGRAND}/{{figure}}.pdf", figure=BEST_FIGURES),
        png=report(
            collect(f"{LEGRAND}/{{figure}}.png", figure=BEST_FIGURES),
            caption="../report/legrand2018/best.rst",
            category="legrand2018",
            subcategory="Figures",
        ),
        csv=collect(f"{LEGRAND}/{{figure}}.csv", figure=BEST_FIGURES),
    log:
        "results/logs/draw_best.log",
    group:
        "figures"
    conda:
        "../../environment.yml"
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        rows=rows_by_item("best_item"),
    message:
        "Drawing figures 2, 6, 9 and 12 of legrand2018"
    script:
        "../scripts/draw_best.py"


rule draw_mixed:
    """Figures 3, 7, 10 and 13: mixed policies beside SAF and FCFS, week by week."""
    input:
        surfaces=files_by_item("mixed_item", f"{MIXED}.deviation.surface.parquet"),
        pure=files_by_item("mixed_item", f"{MIXED}.pure.parquet"),
        sources=sources(
            "experiments.py",
            "figures/periods.py",
            "figures/style.py",
            "learning/adaptation.py",
            "learning/surface.py",
            "period_tables.py",
            "tables.py",
        ),
    output:
        pdf=collect(f"{LEGRAND}/{{figure}}.pdf", figure=MIXED_FIGURES),
        png=report(
            collect(f"{LEGRAND}/{{figure}}.png", figure=MIXED_FIGURES),
            caption="../report/legrand2018/mixed.rst",
            category="legrand2018",
            subcategory="Figures",
        ),
        csv=collect(f"{LEGRAND}/{{figure}}.csv", figure=MIXED_FIGURES),
    log:
        "results/logs/draw_mixed.log",
    group:
        "figures"
    conda:
        "../../environment.yml"
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        rows=rows_by_item("mixed_item"),
    message:
        "Drawing figures 3, 7, 10 and 13 of legrand2018"
    script:
        "../scripts/draw_mixed.py"


rule draw_search:
    """Figures 5, 8, 11 and 14: what xNES finds beside the coverage of the space."""
    input:
        surfaces=files_by_item("search_item", f"{MIXED}.deviation.surface.parquet"),
        searches=files_by_item("search_item", f"{MIXED}.search.parquet"),
        sources=sources(
            "experiments.py",
            "figures/periods.py",
            "figures/style.py",
            "learning/adaptation.py",
            "learning/surface.py",
            "period_tables.py",
            "tables.py",
        ),
    output:
        pdf=collect(f"{LEGRAND}/{{figure}}.pdf", figure=SEARCH_FIGURES),
        png=report(
            collect(f"{LEGRAND}/{{figure}}.png", figure=SEARCH_FIGURES),
            caption="../report/legrand2018/search.rst",
            category="legrand2018",
            subcategory="Figures",
        ),
        csv=collect(f"{LEGRAND}/{{figure}}.csv", figure=SEARCH_FIGURES),
    log:
        "results/logs/draw_search.log",
    group:
        "figures"
    conda:
        "../../environment.yml"
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        rows=rows_by_item("search_item"),
    message:
        "Drawing figures 5, 8, 11 and 14 of legrand2018"
    script:
        "../scripts/draw_search.py"


rule draw_space:
    """Figure 4: the space of weights in four weeks, two diamonds each."""
    input:
        surface=MIXED.format(periods=SHOWN) + ".deviation.surface.parquet",
        sources=sources(
            "experiments.py",
            "figures/diamonds.py",
            "figures/periods.py",
            "figures/style.py",
            "learning/adaptation.py",
            "learning/surface.py",
            "period_tables.py",
            "tables.py",
        ),
    output:
        pdf=f"{LEGRAND}/fig4.pdf",
        png=report(
            f"{LEGRAND}/fig4.png",
            caption="../report/legrand2018/fig4.rst",
            category="legrand2018",
            subcategory="Figures",
            labels={"figure": "fig4"},
        ),
        csv=f"{LEGRAND}/fig4.csv",
    log:
        "results/logs/draw_space.log",
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
        "Drawing fig4 of legrand2018"
    script:
        "../scripts/draw_space.py"


rule draw_months:
    """Figure 15: mixed policies beside SAF and FCFS, month by month."""
    input:
        surfaces=files_by("months", f"{MIXED}.deviation.surface.parquet"),
        pure=files_by("months", f"{MIXED}.pure.parquet"),
        sources=sources(
            "experiments.py",
            "figures/periods.py",
            "figures/style.py",
            "learning/adaptation.py",
            "learning/surface.py",
            "period_tables.py",
            "tables.py",
        ),
    output:
        pdf=f"{LEGRAND}/fig15.pdf",
        png=report(
            f"{LEGRAND}/fig15.png",
            caption="../report/legrand2018/fig15.rst",
            category="legrand2018",
            subcategory="Figures",
            labels={"figure": "fig15"},
        ),
        csv=f"{LEGRAND}/fig15.csv",
    log:
        "results/logs/draw_months.log",
    group:
        "figures"
    conda:
        "../../environment.yml"
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        rows=[asdict(row) for row in rows_by("months")],
    message:
        "Drawing fig15 of legrand2018"
    script:
        "../scripts/draw_months.py"
