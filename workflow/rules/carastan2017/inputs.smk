"""Input functions of carastan2017: files and settings by wildcards."""


def jobs_of_learning(wildcards):
    """Return the jobs that policies are learned from."""
    return jobs_of_workload(wildcards.source, LEARNING_CLEANING)


def jobs_of_site(wildcards):
    """Return the jobs of a site."""
    return jobs_of_workload(wildcards.source, SITE_CLEANING)


def key_of_trials(wildcards):
    """Return the key of the random streams of a workload's tuples.

    A model that draws the jobs of a log uses the key of the log.
    """
    logs = {model: log for log, model in DRAWN_BY.items()}
    return [CARASTAN, "trials", logs.get(wildcards.source, wildcards.source)]


def numbers_of_trials(wildcards):
    """Return the numbers of trials in figure 2: the configured one, halved down to a thousand."""
    counts = [LEARNING["trials"]]
    while counts[-1] // 2 >= 1000:
        counts.append(counts[-1] // 2)
    return counts[::-1]


def workload_of_published_scores():
    """Return the jobs of the published tuples; at a scale without logs, those of the model."""
    workload = PUBLISHED_WORKLOAD
    if config["source"] == "models":
        workload = DRAWN_BY.get(workload)
    return {"jobs": jobs_of_workload(workload, LEARNING_CLEANING)} if workload else {}


def distribution_to_fit(wildcards):
    """Return the score distribution that functions are fitted to: the artefact's or a computed one."""
    if wildcards.distribution == "published":
        return f"resources/raw/{PUBLISHED_SCORES}.swf"
    return f"<results>/scores/{LEARNING['source']}.{wildcards.distribution}.parquet"


def windows_of_site(wildcards):
    """Return the windows of a site's second half."""
    cleaning = NO_CLEANING if wildcards.source in MODELS else SITE_CLEANING
    return f"<results>/pieces/{wildcards.source}.{cleaning}.{SITE_SPLIT}.parquet"


def label_of_source(wildcards):
    """Return the label of the site in tables."""
    return label_of_site(STUDIES[CARASTAN], wildcards.source)


def key_of_site(wildcards):
    """Return the key of the random streams of a site."""
    return [CARASTAN, "sites", wildcards.source]
