"""Which file and which settings feed which rule of kellari2025, by item of its sheet."""


def coexperiments(item):
    """Return the experiments of an item, in the sheet's order."""
    return [row for row in EXPERIMENTS[KELLARI].values() if row.item == item]


def files_of_orders():
    """List the files that a reader's own orders stand in."""
    return sorted({place.rpartition(":")[0] for place in config["orders"].values()})


def rows_of_item(wildcards):
    """Return the rows of an item's experiments, as jobs take them."""
    return [cells_of(row) for row in coexperiments(wildcards.coitem)]


def labels_of_item(wildcards):
    """Return what an item's experiments are called."""
    return {row.experiment: row.label for row in coexperiments(wildcards.coitem)}


def pools_of_item(wildcards):
    """Return the pools that an item's experiments run on, each once."""
    return sorted({row.pool for row in coexperiments(wildcards.coitem)})


def frames_of_item(wildcards):
    """List the files of these pools."""
    return [f"<results>/pools/{pool}.parquet" for pool in pools_of_item(wildcards)]


def with_arrivals(wildcards):
    """Return the names of an item's experiments whose jobs arrive as those of a log."""
    return [row.experiment for row in coexperiments(wildcards.coitem) if row.log]


def arrivals_of_item(wildcards):
    """List the jobs whose gaps these experiments take."""
    own = [EXPERIMENTS[KELLARI][name] for name in with_arrivals(wildcards)]
    if config["source"] == "models":
        return [f"<results>/workloads/{row.standin}.parquet" for row in own]
    return [
        f"<results>/traces/clean/{row.log}.{ARRIVALS_CLEANING}.parquet" for row in own
    ]


def raw_pool(wildcards):
    """Return the pool as fetched; none at a scale that fetches nothing."""
    if config["source"] == "models":
        return {}
    return {"raw": f"resources/raw/pools/{wildcards.pool}.json"}


def pools_shown():
    """List the pools that kellari2025 runs on."""
    return sorted({row.pool for row in EXPERIMENTS[KELLARI].values()})


def logs_of_arrivals():
    """List the logs whose gaps co-scheduled jobs arrive with; none at a scale that reads none."""
    if config["source"] == "models":
        return []
    return sorted({row.log for row in EXPERIMENTS[KELLARI].values() if row.log})


def of_kellari2025(items, kinds):
    """Name the files of items of kellari2025, by item and kind."""
    return {
        f"{item}_{kind}": f"<results>/figures/kellari2025/{item}.{kind}"
        for item in items
        for kind in kinds
    }


def title_of_setting(wildcards):
    """Return the title of what a changed setting shows."""
    return SETTINGS[wildcards.coitem][0]


def held_against(wildcards):
    """Return the scheduler that the others are held against, if they are."""
    return SETTINGS[wildcards.coitem][1]
