"""A small log, its registry row, and a server for it, for the tests of the archive stage."""

import hashlib
from pathlib import Path

import pytest

from loopback import JOBS, TEXT, Server
from schedlab.traces.registry import LogEntry


@pytest.fixture
def entry() -> LogEntry:
    digest = hashlib.sha256(TEXT).hexdigest()
    return LogEntry("SITE", "site.swf", (), digest, None, "free", "the site", 64, JOBS)


@pytest.fixture
def folder(tmp_path) -> Path:
    path = tmp_path / "archive"
    path.mkdir()
    return path


@pytest.fixture
def target(tmp_path) -> Path:
    return tmp_path / "out" / "SITE.swf"


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1,localhost")
    running = Server()
    yield running
    running.stop()
