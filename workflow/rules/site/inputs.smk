"""Input functions of the site's rules."""


def log_of_site(wildcards):
    """Return the site's log, the ledger of its import, and files of its Slurm; an error without a log."""
    with without_stack():
        site = SiteSettings.of(config["site"])
    return [path for path in (site.log, site.ledger, *files_in(site.dialect)) if path]


def files_of_slurm(wildcards):
    """Return the files of the site's own Slurm, and that of changes of its nodes."""
    changes = config["site"]["changes"]
    return files_in(config["site"]["dialect"]) + ([changes] if changes else [])
