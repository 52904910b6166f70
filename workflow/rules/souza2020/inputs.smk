"""Input functions of souza2020: files and settings by wildcards."""


def workflow_rows(item):
    """Return the experiments of an item, in the sheet's order."""
    return [row for row in EXPERIMENTS[SOUZA].values() if row.item == item]


# experiments that predict waits, one a source: logs may share a stand-in model
WAIT_ROWS = {row.source: row for row in workflow_rows("waits")}


def jobs_with_waits(wildcards):
    """Return the jobs of a log whose waits are predicted."""
    return jobs_of_workload(wildcards.source, WAIT_ROWS[wildcards.source].cleaning)


def workflow_row(wildcards):
    """Return the row of an experiment."""
    return EXPERIMENTS[SOUZA][wildcards.experiment]


def jobs_behind(wildcards):
    """Return the jobs of an experiment's background log or model."""
    row = workflow_row(wildcards)
    return jobs_of_workload(row.source, row.cleaning)


def size_of_source(source):
    """Return the number of processors of a log's or model's machine."""
    return MODELS[source]["processors"] if source in MODELS else LOGS[source].processors


def size_behind(wildcards):
    """Return the number of processors of the machine of an experiment's background."""
    return size_of_source(workflow_row(wildcards).source)


def settings_of_workflows(wildcards):
    """Return the columns that results depend on."""
    return workflow_row(wildcards).settings


def settings_of_calibration(wildcards):
    """Return the columns that the search of a load depends on, without the kept load."""
    return workflow_row(wildcards).settings | {"load": 1.0, "replicates": 1}


def ways_of_workflows(wildcards):
    """Return which strategies and estimators run: of readings those with published ratios."""
    return "ratios" if workflow_row(wildcards).item == "readings" else "every"


def search_of(wildcards):
    """Return the settings of the load search: steps, instants and how workflows enter."""
    item = workflow_row(wildcards).item
    search = config[SOUZA]["calibration"]
    return {
        "item": "table1" if item == "readings" else item,
        "steps": search["steps"],
        "instants": search["instants"][item],
        "series": dict(config[SOUZA]["submissions"]),
    }
