"""A site's own Slurm in a dialect's text, as `site+slurm_conf=slurm.conf+accounts=accounts.txt`."""

from collections.abc import Sequence

from schedlab.core.slurm_site import VERSIONS, Site
from schedlab.queue.site_dialect import SiteSlurm
from schedlab.traces.slurm.site_files import read_site

#: switches that are files of a site
FILES = ("slurm_conf", "accounts", "more")


def files_in(cell: str) -> list[str]:
    """Return the files of a site that a dialect's text names; other dialects have none.

    >>> files_in("site+slurm_conf=a/slurm.conf+accounts=b.txt+bf_interval=60"), files_in("full")
    (['a/slurm.conf', 'b.txt'], [])
    """
    parts = (part.partition("=") for part in cell.split("+")[1:])
    return [value.strip() for switch, _, value in parts if switch.strip() in FILES]


def is_own_slurm(cell: str) -> bool:
    """Return whether a dialect's text names the files of a site's own Slurm."""
    return cell.split("+")[0].strip() == "site"


def with_settings(cell: str, settings: Sequence[str]) -> Site:
    """Return the site of a dialect's text with further settings, as of ``--slurm-set``."""
    return site_of(cell.split("+")[1:], cell, settings).site


def site_of(parts: Sequence[str], cell: str, further: Sequence[str] = ()) -> SiteSlurm:
    """Return the site's Slurm of a text's switches.

    Parameters
    ----------
    parts : sequence of str
        ``slurm_conf`` (required), ``accounts`` and ``more`` (each repeated for several files) are
        files, ``version`` is Slurm's release, ``points`` are those of the first waiting job. Any
        other switch is a setting by Slurm's name.
    cell : str
        The text, for messages.
    further : sequence of str
        More settings, as of `schedlab.traces.slurm.site_files.read_site`.

    Raises
    ------
    ValueError
        A file is missing or wrong, or a setting is unknown; the message begins with the text.
    """
    files: dict[str, list[str]] = {name: [] for name in (*FILES, "version", "points")}
    changed = []
    for part in parts:
        switch, equals, value = (each.strip() for each in part.partition("="))
        if not equals or not value:
            raise ValueError(f"dialect '{cell}': '{switch}' has no value; write {switch}=VALUE")
        if switch in files:
            files[switch].append(value)
        else:
            changed.append(f"{switch}={value}")
    for switch, values in files.items():
        if len(values) > 1 and switch not in FILES[1:]:
            raise ValueError(f"dialect '{cell}': switch '{switch}' is given twice")
    if not files["slurm_conf"]:
        raise ValueError(f"dialect '{cell}': give slurm_conf=FILE, the site's slurm.conf")
    points = "".join(files["points"])
    if points and not (points.isascii() and points.isdigit() and int(points)):
        raise ValueError(f"dialect '{cell}': points={points}: must be a number of at least 1")
    try:
        site = read_site(
            files["slurm_conf"][0],
            files["accounts"],
            version="".join(files["version"]) or VERSIONS[0],
            more=files["more"],
            changed=[*changed, *further],
        )
    except OSError as error:
        raise ValueError(f"dialect '{cell}': {error.filename}: {error.strerror}") from error
    except ValueError as error:
        raise ValueError(f"dialect '{cell}': {error}") from error
    return SiteSlurm(site, most=int(points) if points else None)
