"""Which file and which settings feed which rule of legrand2018, by wildcards."""


def pieces_of_periods(wildcards):
    """Return the weeks or months that an experiment on periods runs on."""
    return pieces_of(EXPERIMENTS[LEGRAND][wildcards.periods])


def cell_of_periods(name):
    """Return the function that gives a cell of an experiment's row on periods, or a property."""
    return lambda wildcards: getattr(EXPERIMENTS[LEGRAND][wildcards.periods], name)


def items_of_periods(name):
    """List the tables or figures that a column of the sheet names, in its order."""
    return [
        item for row in EXPERIMENTS[LEGRAND].values() if (item := getattr(row, name))
    ]


def rows_by_item(name):
    """List the rows whose cell names a table or figure, as scripts take them."""
    return [asdict(row) for row in EXPERIMENTS[LEGRAND].values() if getattr(row, name)]


def files_by_item(name, path):
    """List the result files of the rows whose cell names a table or figure."""
    rows = rows_by_item(name)
    return [path.format(periods=row["experiment"]) for row in rows]


def rows_by(split):
    """List the experiments by weeks or by months, in the sheet's order."""
    return [row for row in EXPERIMENTS[LEGRAND].values() if row.split == split]


def files_by(split, path):
    """List the result files of the experiments by weeks or by months, in the sheet's order."""
    return [path.format(periods=row.experiment) for row in rows_by(split)]


def points_of_periods(wildcards):
    """Return the points a dimension that cover the space of weights."""
    return config["legrand2018"]["points"][
        EXPERIMENTS[LEGRAND][wildcards.periods].split
    ]


def key_of_search(wildcards):
    """Return the key of the random streams of an experiment's searches."""
    return [LEGRAND, "xnes", wildcards.periods]


def raw_logs_of_weeks():
    """List the raw logs whose weekly split is read in every way; none at a scale without logs."""
    if config["source"] == "models":
        return {}
    logs = dict.fromkeys(row.source for row in rows_by("weeks") if not row.is_model)
    return {"texts": [f"resources/raw/{log}.swf" for log in logs]}


def log_of_longest_jobs():
    """Return the log of Table 7 and what cleaning it dropped, or the jobs of its stand-in."""
    row = next(row for row in EXPERIMENTS[LEGRAND].values() if row.space_item)
    if row.is_model:
        return {"jobs": f"<results>/workloads/{row.source}.parquet"}
    ledger = f"<results>/traces/clean/{row.source}.{row.cleaning}.ledger.parquet"
    return {"jobs": f"resources/raw/{row.source}.swf", "ledger": ledger}
