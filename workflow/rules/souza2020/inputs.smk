"""Which file and which settings feed which rule of souza2020, by wildcards."""


def workflow_rows(item):
    """List the experiments of an item, in the sheet's order."""
    return [row for row in EXPERIMENTS[SOUZA].values() if row.item == item]


def rows_of_waits():
    """List the experiments that predict waits, one a log; models stand in for several logs."""
    return list({row.source: row for row in workflow_rows("waits")}.values())


def workflow_row(wildcards):
    """Return the row of an experiment."""
    return EXPERIMENTS[SOUZA][wildcards.experiment]


def jobs_behind(wildcards):
    """Return the jobs of the log or model behind an experiment."""
    row = workflow_row(wildcards)
    return jobs_of_workload(row.source, row.cleaning)


def size_of_source(source):
    """Return the size of the machine of a log or model."""
    return MODELS[source]["processors"] if source in MODELS else LOGS[source].processors


def size_behind(wildcards):
    """Return the size of the machine of the log or model behind an experiment."""
    return size_of_source(workflow_row(wildcards).source)


def settings_of_workflows(wildcards):
    """Return the cells that results depend on."""
    return workflow_row(wildcards).settings


def settings_of_calibration(wildcards):
    """Return the cells that the search of a load depends on: not the load that is kept."""
    return workflow_row(wildcards).settings | {"load": 1.0, "replicates": 1}


def search_of(wildcards):
    """Return how the load is searched: steps, instants and how workflows enter."""
    item = workflow_row(wildcards).item
    search = config[SOUZA]["calibration"]
    return {
        "item": "table1" if item == "readings" else item,
        "steps": search["steps"],
        "instants": search["instants"][item],
        "series": dict(config[SOUZA]["submissions"]),
    }
