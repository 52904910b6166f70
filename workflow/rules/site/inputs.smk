"""Input functions of the site's rules."""


def log_of_site(wildcards):
    """Return the site's log and the ledger of its import; an error without a log."""
    with without_stack():
        site = SiteSettings.of(config["site"])
    return [path for path in (site.log, site.ledger) if path]
