"""Input functions of kellari2025: files and settings by experiment and item of its sheet."""


def coexperiment(wildcards):
    """Return the experiment of a job."""
    return EXPERIMENTS[KELLARI][wildcards.experiment]


def settings_of_coexperiment(wildcards):
    """Return the cells that schedules depend on; your policies run without the row's."""
    settings = coexperiment(wildcards).settings
    if wildcards.get("policies", SHEET) != SHEET:
        settings["schedulers"] = ()
    return settings


def orders_of_coexperiment(wildcards):
    """Return your order that an experiment names, and its file."""
    name = coexperiment(wildcards).order
    return {name: config["orders"][name]} if name in config["orders"] else {}


def files_of_orders(wildcards):
    """Return the file of this order."""
    places = orders_of_coexperiment(wildcards).values()
    return [place.rpartition(":")[0] for place in places]


def pool_of_coexperiment(wildcards):
    """Return the pool that an experiment runs on."""
    return f"<results>/pools/{coexperiment(wildcards).pool}.parquet"


def arrivals_of_coexperiment(wildcards):
    """Return the jobs whose interarrival times an experiment uses, if it uses any."""
    row = coexperiment(wildcards)
    if not row.log:
        return []
    if config["source"] == "models":
        return f"<results>/workloads/{row.standin}.parquet"
    return f"<results>/traces/clean/{row.log}.{ARRIVALS_CLEANING}.parquet"


def raw_pool(wildcards):
    """Return the fetched pool; nothing at a scale that fetches nothing."""
    if config["source"] == "models":
        return {}
    return {"raw": f"resources/raw/pools/{wildcards.pool}.json"}
