"""What the site's rules take from the configuration."""


def log_of_site(wildcards):
    """Return the site's log and, where it was imported, the ledger; say what to do without one."""
    site = SiteSettings.of(config["site"])
    return [path for path in (site.log, site.ledger) if path]


def files_of_site(*items):
    """Name the files of tables (.csv, .md) and, by fig_, of figures (.png, .pdf, .csv)."""
    return {
        f"{item}_{suffix}": (
            report(
                f"<results>/figures/{SITE}/{item}.{suffix}",
                caption=f"../../report/{SITE}/{PAGES[SITE]['captions'].get(item, item)}.rst",
                category=SITE,
                labels={"item": item},
            )
            if suffix == suffixes[0]
            else f"<results>/figures/{SITE}/{item}.{suffix}"
        )
        for item in items
        for suffixes in [
            ("png", "pdf", "csv") if item.startswith("fig_") else ("csv", "md")
        ]
        for suffix in suffixes
    }


def text_of_site(item):
    """Name a text of the site's report."""
    return f"<results>/figures/{SITE}/{item}.txt"
