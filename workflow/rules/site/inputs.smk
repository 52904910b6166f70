"""What the site's rules take from the configuration."""


def log_of_site(wildcards):
    """Return the site's log and, where it was imported, the ledger; say what to do without one."""
    site = SiteSettings.of(config["site"])
    return [path for path in (site.log, site.ledger) if path]
