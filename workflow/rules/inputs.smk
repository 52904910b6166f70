"""Input functions of the shared stages: files and settings by wildcards."""

import functools
import json

from schedlab.policies.published import published
from schedlab.traces.archive import AVAILABLE, archive_folders, find_all


@functools.cache
def local_files():
    """Find the logs, pools and published policies in the archive's folders, once."""
    return find_all(
        [*LOGS.values(), *POOLS.values(), *published().values()],
        archive_folders(config["archive"]),
    )


def without_log(name):
    """Return which results need a log, for the message that it is missing."""
    if model := DRAWN_BY.get(name):
        return f"{model} of {config['sheets']['models']} draws its every job."
    rows = [row for paper in BUILT for row in SHEETS[paper].values()]
    need = [row.experiment for row in rows if ("traces", name) in row.needs()]
    return f"Without it everything is made but {', '.join(need or ['no experiment'])}."


def bytes_of(entry):
    """Return the columns that determine the bytes of a log's or pool's file, and its addresses."""
    cells = "file urls sha256 git_blob jobs".split()
    decisive = {cell: getattr(entry, cell) for cell in cells}
    return decisive | {"urls": list(entry.urls)}


def attempt_that_found(record, entry):
    """Return the recorded attempt that fetched the file of this entry; None without one."""
    try:
        record = json.loads(Path(record).read_text())
        if record["status"] == AVAILABLE and record["attempt"]["entry"] == entry:
            return record["attempt"]
    except (OSError, ValueError, KeyError, TypeError):
        pass
    return None


def attempt_at(entry, record, without):
    """Return how a log or pool is looked for; of an available one, how it was found.

    So an available one is fetched again only when its row of the registry says other bytes or other
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
    """Return the attempt to fetch a log."""
    name = wildcards.log
    return attempt_at(LOGS[name], record_of_log(name), without_log(name))


def attempt_at_pool(wildcards):
    """Return the attempt to fetch a pool."""
    name = wildcards.pool
    without = (
        "Without it the experiments on it run on the applications of Table 4.1 of kellari2025, "
        "with the pairs that are not printed completed; everything made of them says so."
    )
    return attempt_at(POOLS[name], record_of_pool(name), without)


def weights_of(*names):
    """Return the archive's files of published policies by name; whatever reads them verifies them."""
    found = {name: local_files()[name][:1] for name in names}
    return {name: path.as_posix() for name, paths in found.items() for path in paths}


def record_of_log(name):
    """Return the path of a log's record."""
    return f"resources/raw/{name}.json"


def record_of_pool(name):
    """Return the path of a pool's record."""
    return f"resources/raw/pools/{name}.record.json"


def fetch_stale_log(wildcards):
    """Force the fetch of a log if its record has another attempt than the present one."""
    return fetch_if_stale(record_of_log(wildcards.log), attempt_at_log(wildcards))


def fetch_stale_pool(wildcards):
    """Force the fetch of a pool if its record has another attempt than the present one."""
    return fetch_if_stale(record_of_pool(wildcards.pool), attempt_at_pool(wildcards))


def fetch_if_stale(record, attempt):
    """Force the job that writes a record if the attempt differs; return no input.

    Snakemake compares attempts too, as parameters, but loses them with its metadata: a placeholder
    would then remain although the log is available in the archive now.
    """
    try:
        recorded = json.loads(Path(record).read_text())["attempt"]
    except FileNotFoundError:
        return []
    except (OSError, ValueError, KeyError, TypeError):
        recorded = None
    if recorded != attempt:
        workflow.dag.forcefiles.add(record)
    return []


def entry_of_model(wildcards):
    """Return the row of a model's workload; an edit of another row redraws nothing."""
    row = MODELS[wildcards.model]
    return {cell: value for cell, value in row.items() if cell != "model"}


def model_of_log(wildcards):
    """Return the jobs of the model that draws a log; no file if there is no model."""
    model = DRAWN_BY.get(wildcards.log)
    return f"<results>/workloads/{model}.parquet" if model else []


def estimates_of_log(wildcards):
    """Return whether the model that draws a log also draws estimates."""
    return estimates_drawn(wildcards.log)


def estimates_drawn(log):
    """Return whether a model draws a log, including estimates."""
    model = DRAWN_BY.get(log)
    return bool(model) and MODELS[model]["estimates"] != "actual"


def places_of_jobs(rows):
    """Return where the uncleaned jobs of rows are, by log or model."""
    places = {}
    for row in rows:
        model = row.source if row.is_model else DRAWN_BY.get(row.source)
        places[row.source] = {
            "text": None if row.is_model else f"resources/raw/{row.source}.swf",
            "model": (
                as_written(f"<results>/workloads/{model}.parquet") if model else None
            ),
            "estimated": estimates_drawn(row.source),
        }
    return places


def files_of_jobs(rows):
    """Return the files of `places_of_jobs`."""
    places = places_of_jobs(rows).values()
    return [
        path for place in places for path in (place["text"], place["model"]) if path
    ]


def jobs_of_source(wildcards):
    """Return the jobs of a model's workload or of a cleaned log."""
    if wildcards.cleaning == NO_CLEANING:
        return f"<results>/workloads/{wildcards.source}.parquet"
    return f"<results>/traces/clean/{wildcards.source}.{wildcards.cleaning}.parquet"


def pieces_of(row):
    """Return the pieces that a row of a sheet runs on."""
    return f"<results>/pieces/{row.source}.{row.cleaning}.{row.split}.parquet"


def pieces_of_experiment(wildcards):
    """Return the pieces that an experiment runs on."""
    return pieces_of(EXPERIMENTS[wildcards.paper][wildcards.experiment])


def settings_of_experiment(wildcards):
    """Return the columns of a row that its schedules depend on; a new label reruns nothing."""
    return EXPERIMENTS[wildcards.paper][wildcards.experiment].settings


def has_many_pieces(wildcards):
    """Return whether threads pay: ten pieces are simulated in a fraction of a second."""
    return EXPERIMENTS[wildcards.paper][wildcards.experiment].pieces > 100


def threads_of_experiment(wildcards):
    """Return as many threads as the experiment has work for."""
    return threads_of_job(wildcards) if has_many_pieces(wildcards) else 1


def by_length(many, few):
    """Return a resource for experiments of many or few pieces; it grows with every attempt."""
    return lambda wildcards, attempt: attempt * (
        many if has_many_pieces(wildcards) else few
    )


def learned_policies(wildcards):
    """Return the table of learned policies if these policies run."""
    return "<results>/policies/learned.csv" if wildcards.policies == LEARNED else []


def expressions_of_experiment(wildcards):
    """Return your policy, if it is the one that runs: its name and expression."""
    own = config["policies"]
    return {name: own[name] for name in own if name == wildcards.policies}


def jobs_of_workload(source, cleaning):
    """Return the jobs of a workload for drawing tuples; those of a model need no cleaning."""
    if source in MODELS:
        return f"<results>/workloads/{source}.parquet"
    return f"<results>/traces/clean/{source}.{cleaning}.parquet"


def processors_of_source(wildcards):
    """Return the number of processors of a log's or model's machine."""
    if wildcards.source in MODELS:
        return MODELS[wildcards.source]["processors"]
    return LOGS[wildcards.source].processors
