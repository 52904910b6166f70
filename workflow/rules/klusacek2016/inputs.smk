"""Which file and which settings feed which rule of klusacek2016, by wildcards."""

import pandas as pd


def plan_row(wildcards):
    """Return the row of an experiment."""
    return EXPERIMENTS[KLUSACEK][wildcards.experiment]


def jobs_of_row(row):
    """Return the jobs of the log or model that an experiment runs, or runs an interval of."""
    return jobs_of_workload(row.source, row.cleaning)


def jobs_of_plans(wildcards):
    """Return the jobs of an experiment."""
    return jobs_of_row(plan_row(wildcards))


def waits_of_plans(wildcards):
    """Return the simulated waits that say when a log was contended, where an experiment asks."""
    row = plan_row(wildcards)
    if row.intervals in (None, RECORDED_WAITS):
        return []
    return CONTENTION.replace("{source}", row.source)


def row_of_log(wildcards):
    """Return the first experiment on busy intervals of a log: it says on which machine."""
    return next(
        row
        for row in EXPERIMENTS[KLUSACEK].values()
        if row.piece is not None and row.source == wildcards.source
    )


def settings_of_plans(wildcards):
    """Return the cells that schedules depend on."""
    return plan_row(wildcards).settings


def clusters_of(row):
    """Return the clusters of the machine that a row names."""
    table = pd.read_csv(MACHINES, sep="\t", na_values="-").astype(object)
    own = table[table["machine"] == row.machine].drop(columns="machine")
    if own.empty:
        raise ConfigError(
            f"{sheet_of(KLUSACEK)}: experiment '{row.experiment}': column 'machine': "
            f"'{row.machine}' is not in {MACHINES}"
            + nearest(row.machine, table["machine"])
        )
    return own.where(own.notna(), None).to_dict("records")


def machine_of_plans(wildcards):
    """Return the clusters that an experiment runs on."""
    return clusters_of(plan_row(wildcards))


def plans_of(item):
    """List the experiments of an item, in the sheet's order."""
    return [row for row in EXPERIMENTS[KLUSACEK].values() if row.item == item]


def ran(item, kind):
    """List result files of an item's experiments."""
    return [
        f"{PLANNED}.{kind}.parquet".replace("{experiment}", row.experiment)
        for row in plans_of(item)
    ]


def shown_rows(item):
    """Return what tables and figures are told of an item's experiments."""
    return [
        cells_of(row, {"experiment", "label", "source", "users", "mode"})
        | cells_of(
            row, {"intervals", "queues", "factor", "cycle", "iterations", "scope"}
        )
        | {"processors": sum(one["nodes"] * one["cpus"] for one in clusters_of(row))}
        | {"is_model": row.is_model}
        for row in plans_of(item)
    ]


def reading_rows():
    """Return what is told of each reading of Table 1, its own one first."""
    labels = {row["source"]: row["label"] for row in shown_rows("readings")}
    own = [row | {"label": labels[row["source"]]} for row in shown_rows("periods")]
    return own + shown_rows("readings")


def sets_by_log():
    """Count the sets of Table 1 of each log."""
    return {
        row.source: sum(other.source == row.source for other in plans_of("table1"))
        for row in plans_of("table1")
    }


def rows_by_node():
    """Return what is told of the whole logs that are planned by node, in the order of BY_NODE."""
    rows = {row["experiment"]: row for row in shown_rows("means")}
    return [rows[name] for name in BY_NODE]


def files_by_node():
    """Return the result files of these, by kind."""
    return {
        kind: [
            f"{PLANNED}.{kind}.parquet".replace("{experiment}", name)
            for name in BY_NODE
        ]
        for kind in ("jobs", "starts")
    }


def tables_of_klusacek2016(items, subcategory):
    """Name the files of tables that one job makes, by item and kind, with their place in the report."""
    files = {}
    for item in items:
        stem = f"<results>/figures/{KLUSACEK}/{item}"
        files[f"{item}_csv"] = report(
            f"{stem}.csv",
            caption=f"../../report/{KLUSACEK}/{item}.rst",
            category=KLUSACEK,
            subcategory=subcategory,
            labels={"table": item},
        )
        files[f"{item}_md"] = f"{stem}.md"
    return files
