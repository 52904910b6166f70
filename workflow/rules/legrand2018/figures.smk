"""The figures of legrand2018: results/figures/legrand2018/.

Those whose names end with _own have a reader's policies beside the paper's.
"""


rule draw_distributions:
    """Figure 1: the pure policies' weekly averages, four traces."""
    input:
        pure=runs_of_item,
    output:
        pdf=f"{MADE}/{{item}}.pdf",
        png=report(
            f"{MADE}/{{item}}.png",
            caption="../../report/legrand2018/fig1.rst",
            category="legrand2018",
            subcategory="Figures",
            labels={"figure": "{item}"},
        ),
        csv=f"{MADE}/{{item}}.csv",
    log:
        "<logs>/draw_distributions/{item}.log",
    benchmark:
        "<benchmarks>/draw_distributions/{item}.tsv"
    wildcard_constraints:
        item=one_of(with_own("fig1")),
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        **measured("draw_distributions", mem_mb=1000, minutes=10),
    params:
        rows=rows_of_item,
        told=told_of_item,
    message:
        "Drawing {wildcards.item} of legrand2018"
    script:
        "../../scripts/legrand2018/draw_distributions.py"


rule draw_best:
    """Figures 2, 6, 9 and 12: SAF beside each week's best pure policy."""
    input:
        pure=runs_of_item,
    output:
        pdf=f"{MADE}/{{item}}.pdf",
        png=report(
            f"{MADE}/{{item}}.png",
            caption="../../report/legrand2018/best.rst",
            category="legrand2018",
            subcategory="Figures",
            labels={"figure": "{item}"},
        ),
        csv=f"{MADE}/{{item}}.csv",
    log:
        "<logs>/draw_best/{item}.log",
    benchmark:
        "<benchmarks>/draw_best/{item}.tsv"
    wildcard_constraints:
        item=one_of(with_own(*BEST_FIGURES)),
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        **measured("draw_best", mem_mb=1000, minutes=10),
    params:
        row=row_of_item,
        told=told_of_item,
        own=own_of_item,
    message:
        "Drawing {wildcards.item} of legrand2018"
    script:
        "../../scripts/legrand2018/draw_best.py"


rule draw_mixed:
    """Figures 3, 7, 10 and 13: mixed policies beside SAF and FCFS, week by week."""
    input:
        surface=file_of_item(f"{MIXED}.deviation.surface.parquet"),
        pure=runs_of_item,
    output:
        pdf=f"{MADE}/{{item}}.pdf",
        png=report(
            f"{MADE}/{{item}}.png",
            caption="../../report/legrand2018/mixed.rst",
            category="legrand2018",
            subcategory="Figures",
            labels={"figure": "{item}"},
        ),
        csv=f"{MADE}/{{item}}.csv",
    log:
        "<logs>/draw_mixed/{item}.log",
    benchmark:
        "<benchmarks>/draw_mixed/{item}.tsv"
    wildcard_constraints:
        item=one_of(with_own(*MIXED_FIGURES)),
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        **measured("draw_mixed", mem_mb=1000, minutes=10),
    params:
        row=row_of_item,
        told=told_of_item,
        own=own_of_item,
    message:
        "Drawing {wildcards.item} of legrand2018"
    script:
        "../../scripts/legrand2018/draw_mixed.py"


rule draw_search:
    """Figures 5, 8, 11 and 14: what xNES finds beside the coverage of the space."""
    input:
        surface=file_of_item(f"{MIXED}.deviation.surface.parquet"),
        search=file_of_item(f"{MIXED}.search.parquet"),
    output:
        pdf=f"{MADE}/{{item}}.pdf",
        png=report(
            f"{MADE}/{{item}}.png",
            caption="../../report/legrand2018/search.rst",
            category="legrand2018",
            subcategory="Figures",
            labels={"figure": "{item}"},
        ),
        csv=f"{MADE}/{{item}}.csv",
    log:
        "<logs>/draw_search/{item}.log",
    benchmark:
        "<benchmarks>/draw_search/{item}.tsv"
    wildcard_constraints:
        item=one_of(SEARCH_FIGURES),
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        **measured("draw_search", mem_mb=1000, minutes=10),
    params:
        row=row_of_item,
        told=told_of_item,
    message:
        "Drawing {wildcards.item} of legrand2018"
    script:
        "../../scripts/legrand2018/draw_search.py"


rule draw_space:
    """Figure 4: the space of weights in four weeks, two diamonds each."""
    input:
        surface=file_of_item(f"{MIXED}.deviation.surface.parquet"),
    output:
        pdf=f"{MADE}/{{item}}.pdf",
        png=report(
            f"{MADE}/{{item}}.png",
            caption="../../report/legrand2018/fig4.rst",
            category="legrand2018",
            subcategory="Figures",
            labels={"figure": "{item}"},
        ),
        csv=f"{MADE}/{{item}}.csv",
    log:
        "<logs>/draw_space/{item}.log",
    benchmark:
        "<benchmarks>/draw_space/{item}.tsv"
    wildcard_constraints:
        item=one_of(SPACE_FIGURES),
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        **measured("draw_space", mem_mb=1000, minutes=10),
    params:
        row=row_of_item,
        told=told_of_item,
    message:
        "Drawing {wildcards.item} of legrand2018"
    script:
        "../../scripts/legrand2018/draw_space.py"


rule draw_months:
    """Figure 15: mixed policies beside SAF and FCFS, month by month."""
    input:
        surfaces=files_of_item(f"{MIXED}.deviation.surface.parquet"),
        pure=runs_of_item,
    output:
        pdf=f"{MADE}/{{item}}.pdf",
        png=report(
            f"{MADE}/{{item}}.png",
            caption="../../report/legrand2018/fig15.rst",
            category="legrand2018",
            subcategory="Figures",
            labels={"figure": "{item}"},
        ),
        csv=f"{MADE}/{{item}}.csv",
    log:
        "<logs>/draw_months/{item}.log",
    benchmark:
        "<benchmarks>/draw_months/{item}.tsv"
    wildcard_constraints:
        item=one_of(with_own(*MONTH_FIGURES)),
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        **measured("draw_months", mem_mb=1000, minutes=10),
    params:
        rows=rows_of_item,
        told=told_of_item,
        own=own_of_item,
    message:
        "Drawing {wildcards.item} of legrand2018"
    script:
        "../../scripts/legrand2018/draw_months.py"
