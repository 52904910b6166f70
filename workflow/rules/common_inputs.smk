"""Which file and which settings feed which rule, by wildcards."""

import functools
import json
from dataclasses import asdict
from pathlib import Path

from schedlab.experiments import (
    NO_CLEANING,
    read_experiments,
    read_period_experiments,
)
from schedlab.traces.archive import AT_HAND, archive_folders, find_all


@functools.cache
def local_files():
    """Find the logs and pools in the archive's folders, once."""
    return find_all(
        [*LOGS.values(), *POOLS.values()], archive_folders(config["archive"])
    )


def without_log(name):
    """Say what cannot be made without a log, for the message that it is missing."""
    sheets = [config["sheets"][paper] for paper in PAPERS]
    rows = [
        row for sheet in sheets for row in read_experiments(sheet, EXPERIMENTS_SCHEMA)
    ]
    rows += read_period_experiments(config["sheets"]["legrand2018"], PERIODS_SCHEMA)
    need = [row.experiment for row in rows if row.source == name] or ["no experiment"]
    site = name in config["learning"]["sites"]["names"]
    return (
        f"Without it everything is made but {', '.join(need)} (of {len(rows)} experiments)"
        f"{' and the policy of this site' if site else ''}."
    )


def bytes_of(entry):
    """Return what decides which bytes the file of a log or pool must have, and where they are had."""
    cells = "file urls sha256 git_blob jobs".split()
    decisive = {cell: getattr(entry, cell) for cell in cells}
    return decisive | {"urls": list(entry.urls)}


def attempt_that_found(record, entry):
    """Return the recorded attempt that brought the file of this entry; None without a good record."""
    try:
        record = json.loads(Path(record).read_text())
        if record["status"] == AT_HAND and record["attempt"]["entry"] == entry:
            return record["attempt"]
    except (OSError, ValueError, KeyError, TypeError):
        pass
    return None


def attempt_at(entry, record, without):
    """Return how a log or pool is looked for; of one at hand, how it was found.

    So one at hand is fetched anew only when its row of the registry says other bytes or other
    addresses, and a missing one whenever it turns up in a folder or the configuration lets it be
    sought elsewhere.
    """
    found = next((path.as_posix() for path in local_files()[entry.name]), "")
    attempt = {
        "entry": bytes_of(entry),
        "found": found,
        "folders": config["archive"],
        **config["download"],
        "without": without,
    }
    return attempt_that_found(record, attempt["entry"]) or attempt


def attempt_at_log(wildcards):
    """Return how a log is looked for."""
    name = wildcards.log
    return attempt_at(LOGS[name], f"resources/raw/{name}.json", without_log(name))


def attempt_at_pool(wildcards):
    """Return how a pool is looked for."""
    name = wildcards.pool
    without = (
        "Without it the experiments on it run on the applications of Table 4.1 of kellari2025, "
        "with the pairs that are not printed completed; everything made of them says so."
    )
    return attempt_at(POOLS[name], f"resources/raw/pools/{name}.record.json", without)


def entry_of_model(wildcards):
    """Return the row of a model's workload; an edit of another row draws nothing anew."""
    row = MODELS[wildcards.model]
    return {cell: value for cell, value in row.items() if cell != "model"}


def jobs_of_source(wildcards):
    """Return the jobs of a model's workload or of a cleaned log."""
    if wildcards.cleaning == NO_CLEANING:
        return f"results/workloads/{wildcards.source}.parquet"
    return f"results/traces/clean/{wildcards.source}.{wildcards.cleaning}.parquet"


def pieces_of_experiment(wildcards):
    """Return the pieces that an experiment runs on."""
    row = PAPERS[wildcards.paper][wildcards.experiment]
    return f"results/pieces/{row.source}.{row.cleaning}.{row.split}.parquet"


def settings_of_experiment(wildcards):
    """Return the cells of a row that its schedules depend on; a changed label reruns nothing."""
    row = PAPERS[wildcards.paper][wildcards.experiment]
    cells = "processors decisions backfill policies dialect tau head".split()
    return {cell: getattr(row, cell) for cell in cells} | {"pieces": row.numbers}


def threads_of_experiment(wildcards):
    """Return the threads that pay: ten pieces are simulated in a fraction of a second."""
    return 8 if PAPERS[wildcards.paper][wildcards.experiment].pieces > 100 else 1


def simulations(paper, *items):
    """List the result files of a paper's experiments that belong to the items, in sheet order."""
    return [
        f"results/simulations/{paper}/{row.experiment}.parquet"
        for row in PAPERS[paper].values()
        if row.item in items
    ]


def items_of_table4(wildcards):
    """Return the items whose rows a file of the shape of Table 4 shows."""
    return list(TABLE4_FILES[wildcards.table4])


def own_policies_of_table4(wildcards):
    """Return the policies that a file of the shape of Table 4 shows beside the paper's."""
    return OWN_COLUMNS.get(wildcards.table4, [])


def with_learned(paths):
    """List result files, and after them those of the same experiments under L1-L4."""
    learned = [Path(path).parent / "learned" / Path(path).name for path in paths]
    return [*paths, *(path.as_posix() for path in learned)]


def simulations_of_table4(wildcards):
    """List the result files that a file of the shape of Table 4 shows."""
    paths = simulations("carastan2017", *items_of_table4(wildcards))
    return with_learned(paths) if "learned" in wildcards.table4 else paths


def simulations_of_figure(wildcards):
    """List the result files that a figure draws, one a panel and dialect, or two with L1-L4."""
    figure = wildcards.figure.removesuffix("_learned")
    paths = [
        f"results/simulations/carastan2017/{row.experiment}.parquet"
        for row in PAPERS["carastan2017"].values()
        if row.figure and row.figure[:-1] == figure
    ]
    return paths if figure == wildcards.figure else with_learned(paths)


def logs_shown(paper, *measured):
    """List the logs that a paper's experiments run on, and those that are only measured."""
    run = [row.source for row in PAPERS[paper].values() if not row.is_model]
    return list(dict.fromkeys([*run, *measured]))


def jobs_of_workload(source, cleaning):
    """Return the jobs of a workload that tuples are drawn from; those of a model need no cleaning."""
    if source in MODELS:
        return f"results/workloads/{source}.parquet"
    return f"results/traces/clean/{source}.{cleaning}.parquet"


def jobs_of_learning(wildcards):
    """Return the jobs that policies are learned from."""
    return jobs_of_workload(wildcards.source, LEARNING_CLEANING)


def jobs_of_site(wildcards):
    """Return the jobs of a site."""
    return jobs_of_workload(wildcards.source, SITE_CLEANING)


def logs_of_learning():
    """List the logs that policies are learned from."""
    sources = [config["learning"]["source"], PUBLISHED_WORKLOAD]
    sources += config["learning"]["sites"]["names"]
    return [] if config["source"] == "models" else [x for x in sources if x in LOGS]


def processors_of_source(wildcards):
    """Return the size of the machine of a log or model."""
    if wildcards.source in MODELS:
        return MODELS[wildcards.source]["processors"]
    return LOGS[wildcards.source].processors


def key_of_trials(wildcards):
    """Return the key of the random streams of a workload's tuples."""
    return ["carastan2017", "trials", wildcards.source]


def learned_from(kind):
    """Return a result file of the workload that policies are learned from."""
    return f"results/scores/{config['learning']['source']}.{kind}.parquet"


def numbers_of_trials(wildcards):
    """Return how many trials figure 2 compares: as many as are run, halved down to a thousand."""
    counts = [config["learning"]["trials"]]
    while counts[-1] // 2 >= 1000:
        counts.append(counts[-1] // 2)
    return counts[::-1]


def workload_of_published_scores():
    """Return the jobs that the published tuples lie in; none at a scale that reads no log."""
    if config["source"] == "models":
        return {}
    return {
        "jobs": f"results/traces/clean/{PUBLISHED_WORKLOAD}.{LEARNING_CLEANING}.parquet"
    }


def distribution_to_fit(wildcards):
    """Return the score distribution that functions are fitted to: the artefact's or one of ours."""
    if wildcards.distribution == "published":
        return f"resources/raw/{PUBLISHED_SCORES}.swf"
    return learned_from(wildcards.distribution)


def windows_of_site(wildcards):
    """Return the windows of a site's second half."""
    cleaning = NO_CLEANING if wildcards.source in MODELS else SITE_CLEANING
    return f"results/pieces/{wildcards.source}.{cleaning}.{SITE_SPLIT}.parquet"


def key_of_site(wildcards):
    """Return the key of the random streams of a site."""
    return ["carastan2017", "sites", wildcards.source]


def settings_of_site(wildcards):
    """Return what a site's scores depend on."""
    settings = config["learning"]["sites"]
    return {key: settings[key] for key in ("tuples", "fewest", "draws", "trials")}


def label_of_site(source):
    """Return what tables call a site: a model's workload is labelled as such."""
    return f"{source} [model]" if source in MODELS else source


def of_sites(pattern):
    """List a file of every site."""
    return collect(pattern, source=config["learning"]["sites"]["names"])


def pieces_of_periods(wildcards):
    """Return the weeks or months that an experiment on periods runs on."""
    row = PERIODS[wildcards.periods]
    return f"results/pieces/{row.source}.{row.cleaning}.{row.split}.parquet"


def cell_of_periods(name):
    """Return the function that gives a cell of an experiment's row on periods, or a property."""
    return lambda wildcards: getattr(PERIODS[wildcards.periods], name)


def items_of_periods(name):
    """List the tables or figures that a column of the sheet names, in its order."""
    return [item for row in PERIODS.values() if (item := getattr(row, name))]


def rows_by_item(name):
    """List the rows whose cell names a table or figure, as scripts take them."""
    return [asdict(row) for row in PERIODS.values() if getattr(row, name)]


def files_by_item(name, path):
    """List the result files of the rows whose cell names a table or figure."""
    rows = rows_by_item(name)
    return [path.format(periods=row["experiment"]) for row in rows]


def rows_by(split):
    """List the experiments by weeks or by months, in the sheet's order."""
    return [row for row in PERIODS.values() if row.split == split]


def files_by(split, path):
    """List the result files of the experiments by weeks or by months, in the sheet's order."""
    return [path.format(periods=row.experiment) for row in rows_by(split)]


def points_of_periods(wildcards):
    """Return the points a dimension that cover the space of weights."""
    return config["legrand2018"]["points"][PERIODS[wildcards.periods].split]


def key_of_search(wildcards):
    """Return the key of the random streams of an experiment's searches."""
    return ["legrand2018", "xnes", wildcards.periods]


def raw_logs_of_weeks():
    """List the raw logs whose weekly split is read in every way; none at a scale without logs."""
    if config["source"] == "models":
        return {}
    logs = dict.fromkeys(row.source for row in rows_by("weeks") if not row.is_model)
    return {"texts": [f"resources/raw/{log}.swf" for log in logs]}


def log_of_longest_jobs():
    """Return the log of Table 7 and what cleaning it dropped, or the jobs of its stand-in."""
    row = next(row for row in PERIODS.values() if row.space_item)
    if row.is_model:
        return {"jobs": f"results/workloads/{row.source}.parquet"}
    ledger = f"results/traces/clean/{row.source}.{row.cleaning}.ledger.parquet"
    return {"jobs": f"resources/raw/{row.source}.swf", "ledger": ledger}


def files_of_page(paper):
    """List the files that a page shows."""
    kinds = {"tables": "csv", "figures": "png", "texts": "txt"}
    return [
        f"results/figures/{paper}/{item}.{suffix}"
        for kind, suffix in kinds.items()
        for item in PAGES[paper][kind]
    ] + PAGES[paper]["elsewhere"]


def captions_of_page(paper):
    """Return the caption of every item that has one."""
    page = PAGES[paper]
    items = [*page["tables"], *page["figures"]]
    paths = {
        item: Path("workflow/report")
        / paper
        / f"{page['captions'].get(item, item)}.rst"
        for item in items
    }
    return {item: path.as_posix() for item, path in paths.items() if path.exists()}


def heading_of_page(paper):
    """Return what a page says of its paper, and which items it shows."""
    cells = "title authors venue summary tables figures".split()
    return {"key": paper} | {cell: PAGES[paper][cell] for cell in cells}


def records_of_logs(*papers):
    """List the fetch reports of the logs that these pages name."""
    logs = dict.fromkeys(log for paper in papers for log in PAGES[paper]["logs"])
    return [
        (
            f"resources/raw/pools/{log}.record.json"
            if log in POOLS
            else f"resources/raw/{log}.json"
        )
        for log in logs
    ]
