"""Which file and which settings feed which rule of carastan2017, by wildcards."""


def with_further(paths, *policies):
    """List result files, and after them those of the same experiments under further policies."""
    places = [Path(path) for path in paths]
    further = [at.parents[1] / name / at.name for name in policies for at in places]
    return [*paths, *(path.as_posix() for path in further)]


def further_of(name):
    """Return what a table or figure shows beside the paper's policies, by the end of its name."""
    return next((FURTHER[end] for end in FURTHER if name.endswith(f"_{end}")), ([], []))


def items_of_table4(wildcards):
    """Return the items whose rows a file of the shape of Table 4 shows."""
    return list(TABLE4_FILES[wildcards.table4])


def rows_of_table4(wildcards):
    """Return the rows of the sheet that a file of the shape of Table 4 shows."""
    return rows_of_items(*items_of_table4(wildcards))


def rows_of_items(*items):
    """Return the rows of the sheet that belong to items, as jobs take them."""
    return [cells_of(row) for row in SHEETS[CARASTAN].values() if row.item in items]


def rows_of_figure(wildcards):
    """Return the rows of the sheet that a figure has a box plot of."""
    figure = wildcards.figure.partition("_")[0]
    return [
        cells_of(row)
        for row in SHEETS[CARASTAN].values()
        if (row.figure or " ")[:-1] == figure
    ]


def simulations_of_table4(wildcards):
    """List the result files that a file of the shape of Table 4 shows."""
    paths = simulations(CARASTAN, *items_of_table4(wildcards))
    return with_further(paths, *further_of(wildcards.table4)[0])


def simulations_of_ranks(wildcards):
    """List the result files that further policies are ranked in."""
    return with_further(simulations(CARASTAN, *TABLE4), *FURTHER[wildcards.further][0])


def simulations_of_figure(wildcards):
    """List the result files that a figure draws: a panel, a dialect and a set of policies each."""
    figure = wildcards.figure.partition("_")[0]
    paths = [
        f"<results>/simulations/{CARASTAN}/{SHEET}/{row.experiment}.parquet"
        for row in EXPERIMENTS[CARASTAN].values()
        if (row.figure or " ")[:-1] == figure
    ]
    return with_further(paths, *further_of(wildcards.figure)[0])


def logs_shown(*measured):
    """List the logs that the experiments run on, and those that are only measured."""
    run = [row.source for row in EXPERIMENTS[CARASTAN].values() if not row.is_model]
    return list(dict.fromkeys([*run, *measured]))


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


def key_of_trials(wildcards):
    """Return the key of the random streams of a workload's tuples, a log's if it is one's jobs."""
    logs = {model: log for log, model in DRAWN_BY.items()}
    return [CARASTAN, "trials", logs.get(wildcards.source, wildcards.source)]


def learned_from(kind):
    """Return a result file of the workload that policies are learned from."""
    return f"<results>/scores/{config['learning']['source']}.{kind}.parquet"


def numbers_of_trials(wildcards):
    """Return how many trials figure 2 compares: as many as are run, halved down to a thousand."""
    counts = [config["learning"]["trials"]]
    while counts[-1] // 2 >= 1000:
        counts.append(counts[-1] // 2)
    return counts[::-1]


def workload_of_published_scores():
    """Return the jobs that the published tuples lie in; of the model at a scale that reads no log."""
    workload = PUBLISHED_WORKLOAD
    if config["source"] == "models":
        workload = DRAWN_BY.get(workload)
    return {"jobs": jobs_of_workload(workload, LEARNING_CLEANING)} if workload else {}


def distribution_to_fit(wildcards):
    """Return the score distribution that functions are fitted to: the artefact's or one of ours."""
    if wildcards.distribution == "published":
        return f"resources/raw/{PUBLISHED_SCORES}.swf"
    return learned_from(wildcards.distribution)


def windows_of_site(wildcards):
    """Return the windows of a site's second half."""
    cleaning = NO_CLEANING if wildcards.source in MODELS else SITE_CLEANING
    return f"<results>/pieces/{wildcards.source}.{cleaning}.{SITE_SPLIT}.parquet"


def key_of_site(wildcards):
    """Return the key of the random streams of a site."""
    return [CARASTAN, "sites", wildcards.source]


def settings_of_site(wildcards):
    """Return what a site's scores depend on."""
    settings = config["learning"]["sites"]
    return {key: settings[key] for key in ("tuples", "fewest", "trials")}


def label_of_site(source):
    """Return what tables call a site: a model's workload is labelled as such."""
    return f"{source} [model]" if source in MODELS else source


def of_sites(pattern, **wildcards):
    """List a file of every site."""
    return collect(pattern, source=config["learning"]["sites"]["names"], **wildcards)
