"""Which file and which settings feed which rule of legrand2018, by wildcards."""


def pieces_of_periods(wildcards):
    """Return the weeks or months that an experiment on periods runs on."""
    return pieces_of(EXPERIMENTS[LEGRAND][wildcards.periods])


def cell_of_periods(name):
    """Return the function that gives a cell of an experiment's row on periods, or a property."""
    return lambda wildcards: getattr(EXPERIMENTS[LEGRAND][wildcards.periods], name)


def items_of_periods(*columns):
    """List the tables or figures that columns of the sheet name, in its order."""
    return list(
        dict.fromkeys(
            row.items[column]
            for row in EXPERIMENTS[LEGRAND].values()
            for column in columns
            if column in row.items
        )
    )


def rows_by(unit, dialect="ocs"):
    """List the paper's experiments by weeks or by months, in the sheet's order."""
    return [
        row
        for row in EXPERIMENTS[LEGRAND].values()
        if (row.unit, row.dialect) == (unit, dialect) and not row.is_own
    ]


def files_by(unit, path, dialect="ocs"):
    """List the result files of the paper's experiments by weeks or by months."""
    return [path.format(periods=row.experiment) for row in rows_by(unit, dialect)]


def rows_of(item):
    """List the experiments that a table or figure shows; those beside an item show the same."""
    base = item.removesuffix(OWN).removesuffix("_comparison")
    if base in ("table2", "table7", "coverings", "fig_table2"):
        return [EXPERIMENTS[LEGRAND][SHOWN]]
    if base == "sensitivity":
        return [EXPERIMENTS[LEGRAND][SENSITIVE]]
    rows = EXPERIMENTS[LEGRAND].values()
    named = [row for row in rows if base in (*row.items.values(), row.months_figure)]
    return named or rows_by("weeks")


def row_of_item(wildcards):
    """Return the experiment that a table or figure shows, as scripts take it."""
    return cells_of(rows_of(wildcards.item)[0])


def rows_of_item(wildcards):
    """Return the experiments that a table or figure shows, as scripts take them."""
    return [cells_of(row) for row in rows_of(wildcards.item)]


def files_of_item(path):
    """Return the function that lists the result files of what a table or figure shows."""
    return lambda wildcards: [
        path.format(periods=row.experiment) for row in rows_of(wildcards.item)
    ]


def file_of_item(path):
    """Return the function that gives the result file of the trace that an item shows."""
    return lambda wildcards: files_of_item(path)(wildcards)[0]


def own_of(item):
    """List a reader's own policies where they stand beside the paper's."""
    return list(config["policies"]) if item.endswith(OWN) else []


def own_of_item(wildcards):
    """List a reader's own policies that a table or figure shows."""
    return own_of(wildcards.item)


def runs_of_item(wildcards):
    """List the runs of what an item shows, and after them those of each of a reader's policies."""
    own = (OWN_RUNS.replace("{policies}", name) for name in own_of(wildcards.item))
    return [
        file
        for path in (f"{MIXED}.pure.parquet", *own)
        for file in files_of_item(path)(wildcards)
    ]


def with_own(*items):
    """List items, and where there are policies of one's own those beside them that show these."""
    return [*items, *(f"{item}{OWN}" for item in items if config["policies"])]


def is_numbered(item):
    """Whether an item is one of the paper's, by its name."""
    return bool(NUMBERED.fullmatch(item))


def told_of(item):
    """Return what captions and the page say of an item beside what it shows."""
    rows = rows_of(item)
    every = {
        "traces": [heading(row.label, row.source) for row in rows],
        "periods": [f"{row.pieces} {row.unit}" for row in rows],
        "cleaning": [row.cleaning for row in rows if not row.is_model],
        "tau": [f"{row.tau:g}" for row in rows],
        "threshold": [f"{row.threshold:,}" for row in rows],
        "own": own_of(item),
    }
    told = {name: ", ".join(dict.fromkeys(values)) for name, values in every.items()}
    told["cleaning"] = told["cleaning"] or "none, model workloads"
    return told | {"further": item.endswith(OWN) or any(row.is_own for row in rows)}


def told_of_item(wildcards):
    """Return what the caption of a table or figure is told."""
    return told_of(wildcards.item)


def policies_of_periods(wildcards):
    """Return the policies of an experiment's row by name, each a registered one."""
    return {name: name for name in EXPERIMENTS[LEGRAND][wildcards.periods].policies}


def own_policy(wildcards):
    """Return one of a reader's policies: its name and expression."""
    return {wildcards.policies: config["policies"][wildcards.policies]}


def points_of_periods(wildcards):
    """Return the points a dimension that cover the space of weights."""
    return config["legrand2018"]["points"][EXPERIMENTS[LEGRAND][wildcards.periods].unit]


def key_of_search(wildcards):
    """Return the key of the random streams of an experiment's searches."""
    return [LEGRAND, "xnes", wildcards.periods]


def jobs_of(row):
    """Return the jobs of an experiment before they are cut into periods."""
    if row.is_model:
        return f"<results>/workloads/{row.source}.parquet"
    return f"<results>/traces/clean/{row.source}.{row.cleaning}.parquet"


def surface_of(experiment, scaling, threshold):
    """Return the space of weights of an experiment; with the row's own threshold its usual file."""
    own = threshold == EXPERIMENTS[LEGRAND][experiment].threshold
    path = f"{MIXED}.{{scaling}}.surface.parquet" if own else AGAIN
    return path.format(periods=experiment, scaling=scaling, threshold=threshold)


def log_of_longest_jobs():
    """Return the log of Table 7 and what cleaning it dropped, or the jobs of its stand-in."""
    row = EXPERIMENTS[LEGRAND][SHOWN]
    if row.is_model:
        return {"jobs": jobs_of(row)}
    ledger = f"<results>/traces/clean/{row.source}.{row.cleaning}.ledger.parquet"
    return {"jobs": f"resources/raw/{row.source}.swf", "ledger": ledger}
