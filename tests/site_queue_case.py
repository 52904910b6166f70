"""The present queue of the small site, as files."""

from __future__ import annotations

from pathlib import Path

import slurm_site_case
from schedlab.traces.slurm.site_files import read_site
from schedlab.workbench.site_queue import SiteQueue, load_site_queue

#: one user may have more processors at a time than with events
ACCOUNTS = slurm_site_case.ACCOUNTS.replace("MaxTRESPerUser=cpu=6", "MaxTRESPerUser=cpu=12")
_DAY = "2026-11-22T"
#: at 12:33:20 job 1 runs on both nodes of c since 12:10, and job 2 with a GPU; 3 wants three nodes
#: of 8 processors, 4 both GPUs, and 5 waits for 3
LINES = "\n".join(
    f"{line}|"
    for line in (
        f"1|RUNNING|8|45:00|23:20|{_DAY}12:10:00|{_DAY}12:00:00|ada|main|100|(null)|None|c[1-2]|"
        f"physics|normal|{_DAY}12:00:00|{_DAY}12:00:00|2|8|1|100M|cpu=8,mem=800M,node=2,billing=8|"
        "N/A|N/A|(null)|OK|0|(null)",
        f"2|RUNNING|2|1:00:00|20:00|{_DAY}12:13:20|{_DAY}12:10:00|bob|gpu|100|(null)|None|g1|"
        f"biology|normal|{_DAY}12:10:00|{_DAY}12:10:00|1|2|1|100M|cpu=2,mem=200M,node=1|"
        "gres:gpu:1|N/A|(null)|OK|0|(null)",
        f"3|PENDING|8|30:00|0:00|N/A|{_DAY}12:11:00|ada|main,gpu|995|(null)|Resources||"
        f"physics|high|{_DAY}12:11:00|{_DAY}12:11:00|2|8|N/A|100M|cpu=8,mem=800M,node=2|"
        "N/A|N/A|ib|OK|5|(null)",
        f"4|PENDING|2|20:00|0:00|N/A|{_DAY}12:11:40|bob|gpu|160|(null)|Priority||"
        f"biology|normal|{_DAY}12:12:40|{_DAY}12:12:40|1|2|1|500M|cpu=2,mem=500M,node=1|"
        "N/A|gres:gpu:2|(null)|OK|0|(null)",
        f"5|PENDING|4|10:00|0:00|N/A|{_DAY}12:12:00|bob|main|100|afterany:3(unfulfilled)|"
        f"Dependency||biology|normal|N/A|N/A|1|4|1|0|cpu=4,node=1|N/A|N/A|(null)|NO|0|(null)",
    )
)
OLD = f"1|RUNNING|8|45:00|23:20|{_DAY}12:10:00|{_DAY}12:00:00|ada|main|100|(null)|None|c[1-2]\n"


def write(folder: Path, lines: str = LINES) -> tuple[Path, Path, Path]:
    """Write the files; return slurm.conf, accounts and queue."""
    paths = folder / "slurm.conf", folder / "accounts.txt", folder / "squeue.txt"
    for path, text in zip(paths, (slurm_site_case.CONF, ACCOUNTS, lines), strict=True):
        path.write_text(text)
    return paths


def queue_of(folder: Path, lines: str = LINES) -> SiteQueue:
    conf, accounts, queue = write(folder, lines)
    return load_site_queue(queue, lambda origin: read_site(conf, accounts, origin=origin))
