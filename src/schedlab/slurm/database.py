"""Slurm's database if one is needed: MariaDB and slurmdbd, on separate ports."""

import contextlib
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path

from schedlab.slurm.cluster import RunningSlurm, end, install, run, start, wait_until

PACKAGES = ("mariadb-server", "slurmdbd", "slurm-wlm-mysql-plugin")
COMMANDS = ("mariadbd", "mariadb-install-db", "slurmdbd")
PORT, STORAGE_PORT = 16819, 13306
LINES = (
    "AccountingStorageType=accounting_storage/slurmdbd",
    "AccountingStorageHost=127.0.0.1",
    f"AccountingStoragePort={PORT}",
)
SLURMDBD_CONF = """\
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
DbdHost=localhost
DbdAddr=127.0.0.1
DbdPort={port}
SlurmUser=root
PidFile={folder}/slurmdbd.pid
StorageType=accounting_storage/mysql
StorageHost=127.0.0.1
StoragePort={storage}
StorageUser=root
StorageLoc=slurm
"""


@contextlib.contextmanager
def with_database(
    cluster: RunningSlurm, lines: Iterable[str], commands: Iterable[str] = ()
) -> Iterator[None]:
    """Restart the controller with a database and other lines of slurm.conf.

    `commands` of sacctmgr fill the database before the controller knows it.
    """
    install(PACKAGES, COMMANDS)
    with contextlib.ExitStack() as cleanup:
        for starter in (start_storage, start_slurmdbd):
            starter(cluster.folder, cleanup)
        if commands := list(commands):
            _fill(cluster.folder, commands)
        cleanup.enter_context(cluster.under([*lines_for(cluster.folder), *lines]))
        wait_until("the cluster in the database", in_database)
        # jobs age only under a controller that finds its cluster in the database
        cluster.restart()
        yield


def lines_for(folder: Path) -> tuple[str, ...]:
    """Return the lines of slurm.conf for a database; it authenticates by munge as well."""
    return (*LINES, f"AccountingStoragePass={folder}/munge.socket")


def _fill(folder: Path, commands: list[str]) -> None:
    """Run commands of sacctmgr, of which some may be of no use here, in one process."""
    settings = folder / "slurmdbd" / "client.conf"
    first = ("ClusterName=schedlab", "SlurmctldHost=localhost", "AuthType=auth/munge")
    secret = f"AuthInfo=socket={folder}/munge.socket"
    settings.write_text("\n".join([*first, secret, *lines_for(folder), ""]))
    command = ["env", f"SLURM_CONF={settings}", "sacctmgr", "--immediate"]
    asked = (*command, "show", "qos", "format=Name")
    wait_until("an answer of slurmdbd", lambda: "normal" in run(*asked, check=False))
    text = "\n".join([*commands, "exit", ""])
    subprocess.run(command, input=text, text=True, check=False)


def in_database() -> bool:
    """Add the cluster to the database if necessary; return whether it is there."""
    run("sacctmgr", "--immediate", "add", "cluster", "schedlab", check=False)
    return "schedlab" in run("sacctmgr", "show", "cluster", "format=Cluster", check=False)


def start_storage(folder: Path, cleanup: contextlib.ExitStack) -> None:
    """Start an empty MariaDB without password, for this machine only, until cleanup."""
    data = folder / "mariadb"
    run("mariadb-install-db", "--no-defaults", f"--datadir={data}", "--user=root")
    options = ["--skip-grant-tables", "--bind-address=127.0.0.1", f"--port={STORAGE_PORT}"]
    places = [f"--datadir={data}", f"--socket={data}/socket", f"--pid-file={data}/pid"]
    # nothing of it outlives this process
    quick = ["--innodb-flush-log-at-trx-commit=0", "--innodb-flush-method=nosync"]
    command = ["mariadbd", "--no-defaults", "--user=root", *options, *quick, *places]
    cleanup.callback(end, start(folder, "mariadb", *command))
    wait_until("the storage", (data / "socket").exists)


def start_slurmdbd(folder: Path, cleanup: contextlib.ExitStack) -> None:
    """Start slurmdbd until cleanup, with its settings in a separate folder."""
    place = folder / "slurmdbd"
    place.mkdir()
    settings = place / "slurmdbd.conf"
    settings.touch(mode=0o600)
    settings.write_text(SLURMDBD_CONF.format(folder=folder, port=PORT, storage=STORAGE_PORT))
    (place / "slurm.conf").touch()
    command = ["env", f"SLURM_CONF={place}/slurm.conf", "slurmdbd", "-D"]
    cleanup.callback(end, start(folder, "slurmdbd", *command))
    wait_until("slurmdbd", (folder / "slurmdbd.pid").exists)
