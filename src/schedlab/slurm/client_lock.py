"""One client for each run: a lock on the run's folder, and a heartbeat that shows that it lives.

The lock is one of the operating system. It ends with its process, however that ends, and with the
sbatch that the process has started. So no submission is under way when the next client begins.

Ages are differences of times that the file server sets. The clocks of the machines do not matter.
"""

import errno
import fcntl
import json
import os
import platform
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from typing import Self

from schedlab.slurm.client import SlurmError

LOCK, HEARTBEAT = "client.lock", "heartbeat"
#: seconds between two heartbeats, and without one after which another machine's client is gone
BEAT_S, GONE_S = 15.0, 180.0
#: seconds after which another process holds the lock for more than reading the status
MOMENT_S = 1.0
#: errors of file systems that have no locks
_NO_LOCKS = (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL)


@dataclass(frozen=True)
class Client:
    """Client of a run: its machine and its process number there."""

    host: str
    process: int

    def __str__(self) -> str:
        return f"process {self.process} on {self.host}"

    @property
    def is_here(self) -> bool:
        """Whether it ran on this machine."""
        return self.host == platform.node()

    @property
    def lives(self) -> bool:
        """Whether a process of this machine has its number."""
        try:
            os.kill(self.process, 0)
        except ProcessLookupError:
            return False
        except OSError:  # another user's process
            pass
        return True


class ClientLock:
    """Lock of a run's folder, held in the block; raises `SlurmError` if another client has it.

    If its sbatch still runs, the lock waits for it for up to `timeout` seconds.
    """

    def __init__(self, folder: Path, tell: Callable[[str], None], timeout: float = 0.0) -> None:
        self._folder, self._tell, self._timeout = folder, tell, timeout
        #: descriptor of the lock, for processes that must share it
        self.file = -1

    def __enter__(self) -> Self:
        path = self._folder / LOCK
        self.file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            former = read_client(self._folder)
            self._acquire(former)
            if former and not former.is_here and beats_elsewhere(self._folder):
                raise self._refusal(former)
        except BaseException:
            os.close(self.file)
            raise
        if former:
            self._tell(f"the former client, {former}, was killed; this one goes on")
        self._write(json.dumps({"host": platform.node(), "process": os.getpid()}))
        return self

    def __exit__(self, *_: object) -> None:
        self._write("")
        os.close(self.file)

    def _acquire(self, former: Client | None) -> None:
        """Acquire the lock of the operating system."""
        begin = time.monotonic()
        while True:
            try:
                fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                lives = former is None or not former.is_here or former.lives
                # a look at the status takes the lock for a moment
                if time.monotonic() - begin >= (MOMENT_S if lives else self._timeout):
                    raise self._refusal(read_client(self._folder)) from None
                time.sleep(0.1)
            except OSError as error:
                if error.errno not in _NO_LOCKS:
                    raise
                if former and former.is_here and former.lives:
                    raise self._refusal(former) from None
                return
            else:
                return

    def _refusal(self, client: Client | None) -> SlurmError:
        return SlurmError(
            f"{self._folder}: another client runs it ({client or 'unknown'}); see "
            f"schedlab asa status {quote(str(self._folder))}, and end that client first"
        )

    def _write(self, text: str) -> None:
        """Replace the text in the lock's file; a full disk does not matter."""
        with suppress(OSError):
            os.ftruncate(self.file, 0)
            os.pwrite(self.file, text.encode(), 0)


class Heartbeat:
    """Heartbeat of the client in the block: a thread that renews the time of a file."""

    def __init__(self, folder: Path, seconds: float = BEAT_S) -> None:
        self._path, self._seconds = folder / HEARTBEAT, seconds
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._beat, daemon=True)

    def __enter__(self) -> Self:
        self._touch()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._thread.join()

    def _beat(self) -> None:
        while not self._end.wait(self._seconds):
            self._touch()

    def _touch(self) -> None:
        """Renew the time of the file, by the clock of the file's server."""
        with suppress(OSError):
            self._path.touch()


def read_client(folder: Path) -> Client | None:
    """Return the client that has not ended its run in order; None if there is none."""
    try:
        content = json.loads((folder / LOCK).read_text())
        return Client(content["host"], content["process"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def client_lives(folder: Path) -> bool:
    """Return whether a client runs this folder, as far as that is visible from here."""
    client = read_client(folder)
    if client is None:
        return False
    if not client.is_here:
        return beats_elsewhere(folder)
    try:
        file = os.open(folder / LOCK, os.O_RDONLY)
    except OSError:
        return client.lives
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return client.lives
    else:
        return False
    finally:
        os.close(file)


def heartbeat_age(folder: Path, against: Path | None = None) -> float | None:
    """Return the seconds since the last heartbeat; None if there was none.

    A heartbeat that a wrong clock has dated in the future has a negative age.
    """
    try:
        now = time.time() if against is None else against.stat().st_mtime
        return now - (folder / HEARTBEAT).stat().st_mtime
    except OSError:
        return None


def beats_elsewhere(folder: Path) -> bool:
    """Return whether a client of another machine has shown a heartbeat a short time ago."""
    probe = folder / f".probe-{platform.node()}-{os.getpid()}"
    try:
        probe.touch()
        age = heartbeat_age(folder, probe)
    except OSError:
        age = heartbeat_age(folder)
    finally:
        with suppress(OSError):
            probe.unlink(missing_ok=True)
    return age is not None and abs(age) < GONE_S
