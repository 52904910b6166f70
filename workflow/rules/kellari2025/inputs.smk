"""Which file and which settings feed which rule of kellari2025, by experiment and item of its sheet."""


def coexperiments(item):
    """Return the experiments of an item, in the sheet's order."""
    return [row for row in EXPERIMENTS[KELLARI].values() if row.item == item]


def coexperiment(wildcards):
    """Return the experiment of a job."""
    return EXPERIMENTS[KELLARI][wildcards.experiment]


def settings_of_coexperiment(wildcards):
    """Return the cells that schedules depend on; a reader's own policies run without the row's."""
    settings = coexperiment(wildcards).settings
    if wildcards.get("policies", SHEET) != SHEET:
        settings["schedulers"] = ()
    return settings


def orders_of_coexperiment(wildcards):
    """Return the order of a reader's own that an experiment names, and where it stands."""
    name = coexperiment(wildcards).order
    return {name: config["orders"][name]} if name in config["orders"] else {}


def files_of_orders(wildcards):
    """List the file that this order stands in."""
    places = orders_of_coexperiment(wildcards).values()
    return [place.rpartition(":")[0] for place in places]


def pool_of_coexperiment(wildcards):
    """Return the pool that an experiment runs on."""
    return f"<results>/pools/{coexperiment(wildcards).pool}.parquet"


def arrivals_of_coexperiment(wildcards):
    """Return the jobs whose gaps an experiment takes, if it does."""
    row = coexperiment(wildcards)
    if not row.log:
        return []
    if config["source"] == "models":
        return f"<results>/workloads/{row.standin}.parquet"
    return f"<results>/traces/clean/{row.log}.{ARRIVALS_CLEANING}.parquet"


def coruns(item, *policies):
    """List the result files of an item's experiments, and of further policies in each."""
    return [
        f"<results>/simulations/{KELLARI}/{row.experiment}.{name}.parquet"
        for name in (SHEET, *policies)
        for row in coexperiments(item)
    ]


def own_policies(name):
    """List the policies of a reader's own that stand in a table or figure, by the end of its name."""
    return list(config["policies"]) if name.endswith("_own") else []


def labels_of_item(item):
    """Return the labels of an item's experiments; a model that gives a log's arrivals is named."""
    labels = {}
    for row in coexperiments(item):
        labels[row.experiment] = row.label
        if row.log and config["source"] == "models":
            labels[row.experiment] += f" [model stand-in: {row.standin}]"
    return labels


def schedules_of_figure(wildcards):
    """Return the schedules that a figure draws."""
    return f"<results>/schedules/{KELLARI}/{SCHEDULES[wildcards.figure]}.parquet"


def machine_of_figure(wildcards):
    """Return the machine that they are on."""
    return EXPERIMENTS[KELLARI][SCHEDULES[wildcards.figure]].machine


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


def tables_of_kellari2025(items, subcategory):
    """Name the files of tables that one job makes, by item and kind, with their place in the report."""
    files = {}
    for item in items:
        stem = f"<results>/figures/{KELLARI}/{item}"
        files[f"{item}_csv"] = report(
            f"{stem}.csv",
            caption=f"../../report/{KELLARI}/{item}.rst",
            category=KELLARI,
            subcategory=subcategory,
            labels={"table": item},
        )
        files[f"{item}_md"] = f"{stem}.md"
    return files
