"""Download of one file over HTTP, with retries, resumption and time limits.

The bytes are taken as the server stores them, without content decoding. So a ``.gz`` labeled
``Content-Encoding: gzip`` stays a ``.gz``, and offsets for resumption are offsets into that file.
"""

import json
import logging
import queue
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import requests
import urllib3
from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
    TransferSpeedColumn,
)
from tenacity import (
    Retrying,
    before_sleep_log,
    retry_if_exception_type,
    stop_after_attempt,
    wait_exponential,
)

logger = logging.getLogger(__name__)

BLOCK = 1 << 16
CONNECT_TIMEOUT = 10.0
LONGEST_PAUSE = 30.0
# A server that sends only a byte now and then counts as silent.
SLOWEST_RATE = 128
TRANSIENT_STATUS = frozenset({408, 425, 429, 500, 502, 503, 504})


@dataclass(frozen=True)
class Network:
    """Settings for downloads.

    An attempt fails after `timeout` seconds without data (or below 128 bytes/s); a connection must
    be established within 10 s. `retries` are further attempts for one address after a temporary
    error (time-out, broken connection, HTTP 5xx). A refused connection, an unknown host and HTTP
    4xx are final.
    """

    timeout: float = 30.0
    retries: int = 3
    backoff: float = 1.0
    progress: bool | None = None
    largest: int = 1 << 32
    longest: float = 3600.0


class DownloadError(Exception):
    """An address did not deliver its file; the message is the reason, without the address."""


class TooLarge(DownloadError):
    """A body is larger than the file can be."""


class TransientError(DownloadError):
    """A temporary error that another attempt may not have."""


def download(url: str, part: Path, network: Network) -> bool:
    """Download an http or https address to `part`, resuming an earlier attempt.

    After a failure, `part` stays only if it can be resumed: the server sent a validator (ETag or
    Last-Modified), which is saved next to it and sent as ``If-Range``.
    """
    retrying = Retrying(
        retry=retry_if_exception_type(TransientError),
        stop=stop_after_attempt(network.retries + 1),
        wait=wait_exponential(multiplier=network.backoff, max=LONGEST_PAUSE),
        before_sleep=before_sleep_log(logger, logging.WARNING),
        reraise=True,
    )
    try:
        return retrying(_attempt, url, part, network)
    except TransientError as error:
        tries = network.retries + 1
        raise DownloadError(f"{error} (tried {tries} time{'s' if tries > 1 else ''})") from error


def discard(part: Path) -> None:
    """Remove a partial download and the record of its source."""
    part.unlink(missing_ok=True)
    _origin(part).unlink(missing_ok=True)


def _origin(part: Path) -> Path:
    return part.with_name(f"{part.name}.json")


def _leftover(url: str, part: Path) -> tuple[int, str]:
    """Return the size of an earlier attempt for this address, and its validator."""
    try:
        origin = json.loads(_origin(part).read_text())
        size = part.stat().st_size
        source, validator = str(origin["url"]), str(origin["validator"] or "")
    except (OSError, ValueError, KeyError, TypeError):
        discard(part)
        return 0, ""
    return (size, validator) if source == url and validator else (0, "")


def _attempt(url: str, part: Path, network: Network) -> bool:
    have, validator = _leftover(url, part)
    headers = {"Accept-Encoding": "identity", "User-Agent": "schedlab"}
    if have:
        headers |= {"Range": f"bytes={have}-", "If-Range": validator}
    try:
        with _answer(url, headers, network) as answer:
            resumed = _continues(answer, have, part)
            _store(answer, url, part, have if resumed else 0, network)
            return resumed
    except (requests.RequestException, urllib3.exceptions.HTTPError) as error:
        raise _explain_error(error, network) from error


def _answer(url: str, headers: dict[str, str], network: Network) -> requests.Response:
    """Request a file; limit the wait for headers: a socket's time-out restarts with every byte."""
    timeout = (min(CONNECT_TIMEOUT, network.timeout), network.timeout)
    came: queue.SimpleQueue[requests.Response | BaseException] = queue.SimpleQueue()

    def ask() -> None:
        try:
            came.put(requests.get(url, headers=headers, stream=True, timeout=timeout))
        except BaseException as error:
            came.put(error)

    # a daemon thread, so that a slow server does not prevent the end of the program
    threading.Thread(target=ask, daemon=True).start()
    limit = 2 * sum(timeout)
    try:
        answer = came.get(timeout=limit)
    except queue.Empty:
        raise TransientError(f"no whole answer within {limit:.3g} s") from None
    if isinstance(answer, BaseException):
        raise answer
    return answer


def _continues(answer: requests.Response, have: int, part: Path) -> bool:
    """Return whether the answer is the rest of the file; False means the whole file."""
    status = answer.status_code
    if status == 200:
        return False
    if status == 206 and answer.headers.get("Content-Range", "").startswith(f"bytes {have}-"):
        return True
    if status in (206, 416):
        discard(part)
        raise TransientError("the server could not go on where the last try stopped")
    reason = f"HTTP {status} {answer.reason or ''}".rstrip()
    raise (TransientError if status in TRANSIENT_STATUS else DownloadError)(reason)


def _store(answer: requests.Response, url: str, part: Path, have: int, network: Network) -> None:
    """Append the body to the `have` bytes of the part; a broken part stays if it can be resumed."""
    validator, length = _validator(answer), answer.raw.length_remaining
    if length and have + length > network.largest:
        discard(part)
        raise TooLarge(_too_large(network))
    _origin(part).write_text(json.dumps({"url": url, "validator": validator}))
    try:
        with (
            part.open("ab" if have else "wb") as sink,
            _bar(part.stem, have, length, network.progress) as advance,
        ):
            _copy(answer.raw, sink, advance, have, network)
    except TooLarge:
        discard(part)
        raise
    except BaseException:
        if not validator:
            discard(part)
        raise


def _validator(answer: requests.Response) -> str:
    """Return the value for If-Range; "" if the server cannot resume this file safely."""
    if answer.headers.get("Accept-Ranges", "").lower() == "none":
        return ""
    tag = answer.headers.get("ETag", "")
    return tag if tag.startswith('"') else answer.headers.get("Last-Modified", "")


def _copy(
    body: urllib3.BaseHTTPResponse,
    sink: BinaryIO,
    advance: Callable[[int], None],
    have: int,
    network: Network,
) -> None:
    """Append the bytes as they arrive to the `have` present ones; too many are a final error."""
    began = since = time.monotonic()
    received = 0
    while block := body.read1(BLOCK, decode_content=False):
        have += len(block)
        if have > network.largest:
            raise TooLarge(_too_large(network))
        sink.write(block)
        advance(len(block))
        received += len(block)
        now = time.monotonic()
        if now - began > network.longest:
            raise DownloadError(f"too slow: not whole after {network.longest:.4g} s")
        if now - since > network.timeout:
            if received < SLOWEST_RATE * (now - since):
                raise TransientError(f"too slow: {received} bytes in {now - since:.3g} s")
            since, received = now, 0


def _too_large(network: Network) -> str:
    return f"too large: more than {network.largest:,} bytes"


@contextmanager
def _bar(
    name: str, have: int, length: int | None, visible: bool | None
) -> Iterator[Callable[[int], None]]:
    is_shown = sys.stderr.isatty() if visible is None else visible
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), disable=not is_shown) as progress:
        task = progress.add_task(name, completed=have, total=have + length if length else None)
        yield lambda size: progress.advance(task, size)


def _explain_error(error: Exception, network: Network) -> DownloadError:
    """Return an error with a short reason, which is transient if another attempt may succeed."""
    cause = error.args[0] if error.args else error
    cause = getattr(cause, "reason", cause)
    if isinstance(error, requests.ConnectTimeout):
        return DownloadError(f"no connection within {min(CONNECT_TIMEOUT, network.timeout):g} s")
    if isinstance(cause, urllib3.exceptions.NameResolutionError):
        return DownloadError("the name of the server could not be resolved (no network?)")
    if isinstance(cause, urllib3.exceptions.NewConnectionError):
        return DownloadError(f"no connection: {str(cause).rpartition('] ')[2]}")
    timeouts = (requests.Timeout, urllib3.exceptions.ReadTimeoutError)
    if isinstance(error, timeouts) or isinstance(cause, timeouts):
        return TransientError(f"no data for {network.timeout:g} s")
    final = (requests.exceptions.SSLError, requests.exceptions.ProxyError)
    broken = (requests.ConnectionError, urllib3.exceptions.HTTPError)
    if isinstance(error, broken) and not isinstance(error, final):
        return TransientError(f"the connection broke: {cause}")
    return DownloadError(str(cause))
