"""The configuration file of a site's report."""

import hashlib
import json
import os
import re
from collections.abc import Mapping
from pathlib import Path
from shlex import quote

from schedlab.files.io import PACKED, whole
from schedlab.files.programs import program

#: name of a site whose file has no name
DEFAULT = "site"
#: keys of a site.yaml, each with a comment
WORDS = {
    "name": "name of the site",
    "log": "path of the log; paths are relative to the folder that snakemake runs in",
    "processors": "processors of the machine, as one pool",
    "rules": "cleaning rules, see config/README.md",
    "default_limit": "time limit of jobs without one, like 24h; null drops these jobs",
    "drop_wide": "true drops jobs that do not fit the machine",
    "timezone": "time zone of hours and weekdays; null: as in the log",
    "dialect": "simulated scheduler: full (EASY) or slurm, with switches: slurm+bf_interval=300; "
    "or your own Slurm: site+slurm_conf=slurm.conf+accounts=accounts.txt",
    "changes": "drains, outages and maintenance of nodes, a CSV; null: those that the log shows",
    "ledger": "ledger of the import, with every line of the dump",
}


def scale_of(name: str) -> str:
    """Return the name of the folder in results/ that contains a site's report.

    A digest tells names apart that differ in other signs than these.

    >>> scale_of("wagap_2013"), scale_of("Wagap-2013.swf")
    ('site_wagap_2013', 'site_wagap_2013_swf_56b4fcf8')
    """
    plain = re.sub("[^a-z0-9]+", "_", name.lower()).strip("_")
    digest = hashlib.sha256(name.encode(errors="surrogateescape")).hexdigest()[:8]
    return "_".join(filter(None, ("site", plain, digest if plain != name else "")))


def name_of(path: str | os.PathLike[str]) -> str:
    """Return the name of a site, derived from its file.

    >>> name_of("logs/wagap-2013.swf.gz")
    'wagap-2013'
    """
    suffixes = rf"(\.swf|\.gwf|\.parquet|\.txt|\.[ct]sv|\.json)?({PACKED})?$"
    return re.sub(suffixes, "", Path(path).name) or DEFAULT


def heading_of(name: str | None) -> str:
    """Return the question that a site's report answers.

    None, an empty name and the default name "site" count as no name.

    >>> heading_of("KTH"), heading_of("site")
    ('Which order should KTH run?', 'Which order should this site run?')
    """
    return f"Which order should {_called(name)} run?"


def question_of(name: str | None) -> str:
    """Return the question that the report on a site's own Slurm answers.

    >>> question_of("KTH")
    'What should the Slurm of KTH change?'
    """
    return f"What should the Slurm of {_called(name)} change?"


def _called(name: str | None) -> str:
    has_name = name is not None and name.strip().lower() not in ("", DEFAULT)
    return str(name) if has_name else "this site"


def from_here(path: str | os.PathLike[str]) -> str:
    """Return a path for a configuration: relative inside the working directory, else absolute."""
    inside = os.path.relpath(path)
    return str(Path(path).resolve()) if inside.startswith("..") else Path(inside).as_posix()


def write_site(path: str | os.PathLike[str], cells: Mapping[str, object]) -> None:
    """Write a site.yaml atomically; `cells` has values by the keys of `WORDS`."""
    lines = [
        f"# Your site. Build its report: {program('snakemake')} --cores 2 site --configfile "
        + quote(from_here(path)),
        f"# The report is results/{scale_of(str(cells['name']))}/report/site.html.",
        f"scale: {scale_of(str(cells['name']))}",
        "site:",
    ]
    for key, comment in WORDS.items():
        lines += [f"  # {comment}", f"  {key}: {json.dumps(cells[key], ensure_ascii=False)}"]
    with whole(path) as draft:
        draft.write_text("\n".join([*lines, ""]), encoding="utf-8")
