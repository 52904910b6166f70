"""Tables, figures and sentences of the arena: results/figures/arena/."""


def caption_of_arena(item):
    """Return where the caption of an item stands."""
    name = PAGES[ARENA]["captions"].get(item, item)
    return f"../../report/{ARENA}/{name}.rst"


def files_of_arena(items, kind, shown, *others):
    """Name the files of tables or figures, by item and suffix."""
    return {
        f"{item}_{shown}": report(
            f"<results>/figures/{ARENA}/{item}.{shown}",
            caption=caption_of_arena(item),
            category=ARENA,
            subcategory=kind,
            labels={kind: item},
        )
        for item in items
    } | {
        f"{item}_{suffix}": f"<results>/figures/{ARENA}/{item}.{suffix}"
        for item in items
        for suffix in others
    }


rule judge:
    """What the arena shows: a table and a figure a metric, who survives all of them, two sentences."""
    input:
        metrics=contests(),
        facts=contests(".facts"),
    output:
        **files_of_arena(ARENA_TABLES, "table", "csv", "md"),
        **files_of_arena(ARENA_FIGURES, "figure", "png", "pdf", "csv"),
        txt=f"<results>/figures/{ARENA}/findings.txt",
    log:
        "<logs>/judge.log",
    benchmark:
        "<benchmarks>/judge.tsv"
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        mem_mb=mb(2000),
        runtime=minutes(10),
    params:
        labels={name: row.label for name, row in EXPERIMENTS[ARENA].items()},
        told={item: {} for item in (*ARENA_TABLES, *ARENA_FIGURES)},
    message:
        "Judging the arena"
    script:
        "../../scripts/arena/judge.py"
