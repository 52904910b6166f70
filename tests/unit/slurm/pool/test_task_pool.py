"""The real scheduler and real workers on this machine: keys, lost workers, lost schedulers."""

import os
import socket
import subprocess
import sys
import time
from contextlib import suppress

import psutil
import pytest
from distributed.utils import get_ip

from schedlab.slurm.client import SlurmError
from schedlab.slurm.client_lock import Heartbeat
from schedlab.slurm.pool import credentials
from schedlab.slurm.pool.credentials import (
    check_installed,
    make_credentials,
    read_address,
    read_credentials,
)
from schedlab.slurm.pool.task_pool import TaskPool
from schedlab.slurm.tasks import Task, TaskMarks

WORKER = """\
import sys
from schedlab.slurm.pool import worker
worker.CONNECT_S, worker.LOOK_S = 8.0, 0.5
worker.main(sys.argv[1:])
"""


@pytest.fixture
def folder(tmp_path):
    for name in ("output", "marks"):
        (tmp_path / name).mkdir()
    TaskMarks(tmp_path).prepare("s")
    return tmp_path


@pytest.fixture
def start(folder):
    processes = []

    def started(job, cores=2, tolerance=600, end=3600):
        options = ["--job", job, "--end", time.time() + end, "--tolerance", tolerance]
        options = map(str, [*options, "--tasks-per-node", cores])
        processes.append(
            subprocess.Popen([sys.executable, "-c", WORKER, str(folder), *options], cwd=folder)
        )
        return processes[-1]

    yield started
    for process in processes:
        process.kill()
        process.wait()


def wait_for(pool, happened, seconds=240):
    end = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < end
        pool.wait(0.2)


def never(job):
    return False


@pytest.mark.slow
def test_lost_worker_and_lost_scheduler_cost_no_finished_task(folder, start):
    command = "echo $SCHEDLAB_TASK >> ran.txt; until [ -e go ]; do sleep 0.1; done"
    tasks = {
        "s": (
            Task("quick", "echo quick >> ran.txt", 700),
            Task("a", command, 600),
            Task("b", command, 600),
        )
    }
    with Heartbeat(folder):
        first, second = start(1, 1), start(2, 1)
        with TaskPool(folder, tasks, settle=0) as pool:
            wait_for(pool, lambda: len(pool.board.workers) == 2)
            pool.open("s")
            wait_for(pool, lambda: TaskMarks(folder).scan("s")[1].keys() >= {"a", "b", "quick"})
            entries = pool.board._stages["s"].entries
            lost = entries["a"].job
            process = first if lost == 1 else second
            process.kill()
            process.wait()
            wait_for(pool, lambda: len(pool.board.workers) == 1)
            # the connection is lost, the job is not known to have ended
            wait_for(pool, lambda: entries["a"].state == "held")
            pool.look(never)
            assert entries["a"].state == "held"
        # the scheduler ends; b goes on, and the worker joins the next one
        with TaskPool(folder, tasks, settle=0) as pool:
            wait_for(pool, lambda: len(pool.board.workers) == 1)
            pool.open("s")
            pool.look(lambda job: job == lost)
            entries = pool.board._stages["s"].entries
            assert (entries["a"].state, entries["b"].state) == ("waits", "held")
            (folder / "go").touch()

            def is_done():
                pool.look(lambda job: job == lost)
                return pool.board.is_done("s")

            wait_for(pool, is_done)
    assert sorted((folder / "ran.txt").read_text().split()) == ["a", "a", "b", "quick"]
    assert TaskMarks(folder).scan("s")[1] == {"quick": 1, "a": 2, "b": 1}


@pytest.mark.slow
def test_mark_that_cannot_be_written_is_an_error_of_the_task(folder, start):
    """The folder of the marks is gone; without words the task would be tried indefinitely."""
    (folder / "tasks/s").rmdir()
    with Heartbeat(folder), TaskPool(folder, {"s": (Task("a", ":", 60),)}) as pool:
        start(1)
        pool.open("s")
        wait_for(pool, lambda: pool.board.failed)
        assert pool.board.failed[0].error.startswith("[Errno 2] No such file or directory")


@pytest.mark.slow
def test_worker_ends_if_its_client_is_gone_or_its_time_is_over(folder, start):
    tasks = {"s": (Task("a", ":", 60),)}
    with Heartbeat(folder, seconds=1), TaskPool(folder, tasks) as pool:
        ending = start(1, end=8)
        assert ending.wait(timeout=240) == 0
        wait_for(pool, lambda: not pool.board.workers)
        waiting = start(2, tolerance=30)
        wait_for(pool, lambda: "2.0" in pool.board.workers)
    old = time.time() - 100
    os.utime(folder / "heartbeat", (old, old))
    assert waiting.wait(timeout=120) == 0


def listening(process):
    connections = psutil.Process(process).net_connections()
    return [one.laddr.ip for one in connections if one.status == psutil.CONN_LISTEN]


@pytest.mark.slow
@pytest.mark.parametrize("interface", [None, "lo"])
def test_scheduler_and_worker_listen_on_one_port_of_one_address(folder, start, interface):
    before = listening(os.getpid())
    with Heartbeat(folder), TaskPool(folder, {"s": (Task("a", ":", 60),)}, interface) as pool:
        worker = start(1)
        wait_for(pool, lambda: pool.board.workers)
        host = read_address(folder).removeprefix("tls://").rpartition(":")[0]
        assert host == ("127.0.0.1" if interface else get_ip())
        own = listening(os.getpid())
        for ip in before:
            own.remove(ip)
        assert own == [host]
        assert listening(worker.pid) == [host]


@pytest.mark.slow
def test_scheduler_refuses_connections_without_the_key_of_the_run(folder, tmp_path_factory):
    from distributed import Client

    other = tmp_path_factory.mktemp("other")
    make_credentials(other)
    with TaskPool(folder, {"s": (Task("a", ":", 60),)}):
        address = read_address(folder)
        assert address.startswith("tls://")
        host, _, port = address.removeprefix("tls://").rpartition(":")
        with socket.create_connection((host, int(port))) as plain:
            plain.settimeout(20)
            plain.sendall(b"GET / HTTP/1.0\r\n\r\n")
            with suppress(ConnectionResetError):
                assert b"HTTP" not in plain.recv(100)
        with pytest.raises(OSError, match=r"Timed out|certificate|SSL|TLS|connect"):
            Client(address, security=read_credentials(other), timeout=3, set_as_default=False)
        with Client(address, security=read_credentials(folder), set_as_default=False) as client:
            assert client.scheduler_info()["workers"] == {}


def test_key_is_for_the_user_alone(folder):
    mask = os.umask(0)
    try:
        make_credentials(folder)
    finally:
        os.umask(mask)
    path = folder / "pool/key.pem"
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    content = path.read_bytes()
    make_credentials(folder)  # workers that run have this one
    assert path.read_bytes() == content
    path.chmod(0o640)
    with pytest.raises(SlurmError, match="other users may read it"):
        read_credentials(folder)


def test_missing_library_is_an_error_with_what_to_do(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(SlurmError, match=r"pip install 'schedlab\[pool\]'") as error:
        check_installed()
    assert "\n" not in str(error.value)
    assert credentials.MISSING in str(error.value)
