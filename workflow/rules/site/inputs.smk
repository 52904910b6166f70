"""What the site's rules take from the configuration."""


def log_of_site(wildcards):
    """Return the site's log and, where it was imported, the ledger; say what to do without one."""
    site = SiteSettings.of(config["site"])
    return [path for path in (site.log, site.ledger) if path]


def suffixes_of(item):
    """List the suffixes of a figure or a table; the first one is in Snakemake's report."""
    return ("png", "pdf", "csv") if item.startswith("fig_") else ("csv", "md")


def files_of_site(*items):
    """Name the files of tables and, by fig_, of figures, by item and suffix."""
    captions = PAGES[SITE]["captions"]
    shown = {
        f"{item}_{suffixes_of(item)[0]}": report(
            f"<results>/figures/{SITE}/{item}.{suffixes_of(item)[0]}",
            caption=f"../../report/{SITE}/{captions.get(item, item)}.rst",
            category=SITE,
            subcategory=suffixes_of(item)[0],
            labels={"item": item},
        )
        for item in items
    }
    return shown | {
        f"{item}_{suffix}": f"<results>/figures/{SITE}/{item}.{suffix}"
        for item in items
        for suffix in suffixes_of(item)[1:]
    }


def text_of_site(item):
    """Name a text of the site's report."""
    return f"<results>/figures/{SITE}/{item}.txt"
