"""The state file: complete, of one format and one set of settings."""

import hashlib
import json
import re

import pytest
from filelock import FileLock

from schedlab.files.io import DamagedError
from schedlab.waits import store as module
from schedlab.waits.store import Store, StoreError

SETTINGS = {"policy": "tuned", "rate": 0.1}
RECORD = {"chance": [0.1, 0.2, 0.7], "drawn": 3}


@pytest.fixture
def path(tmp_path):
    """A state file with one record."""
    path = tmp_path / "waits.json"
    with Store(path, SETTINGS).change() as records:
        records["a/1"] = RECORD
    return path


def test_stored_records_are_read_back(path):
    """Also by way of a link, and with settings as JSON has them."""
    assert Store(path, SETTINGS).read() == {"a/1": RECORD}
    link = path.with_name("link.json")
    link.symlink_to(path)
    with Store(link, SETTINGS).change() as records:
        records["b/2"] = {}
    assert link.is_symlink()
    assert Store(path, SETTINGS).read() == {"a/1": RECORD, "b/2": {}}
    other = path.with_name("b.json")
    assert Store(other, SETTINGS).read() == {}
    with Store(other, {"waits": (1, 2)}).change() as records:
        records["a/1"] = RECORD
    assert Store(other, {"waits": (1, 2)}).read() == {"a/1": RECORD}


def test_a_change_that_fails_leaves_the_file_as_it_was(path):
    before = path.read_bytes()

    def fail():
        with Store(path, SETTINGS).change() as records:
            records.clear()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert path.read_bytes() == before
    assert {one.name for one in path.parent.iterdir()} <= {path.name, f"{path.name}.lock"}


def test_a_file_cut_short_anywhere_is_refused(path):
    whole = path.read_bytes()
    for length in range(len(whole) - 1):
        path.write_bytes(whole[:length])
        with pytest.raises(DamagedError, match=re.escape(f"{path}: ")):
            Store(path, SETTINGS).read()
    path.write_bytes(whole[:-1])  # the line end
    assert Store(path, SETTINGS).read() == {"a/1": RECORD}


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("0.7", "0.6", "damaged, its content is not what was written"),
        ('"sha256"', '"sha"', "damaged, its content"),
        ('{"format"', '{"Format"', "says no format"),
        ('"a/1"', '"a/\udc80"', "cut short, or no state"),
    ],
)
def test_a_file_with_a_change_is_refused(path, before, after, message):
    text = path.read_text().replace(before, after)
    path.write_bytes(text.encode(errors="surrogateescape"))
    with pytest.raises(DamagedError, match=f"{message}.*put a copy of it back, or delete it"):
        Store(path, SETTINGS).read()
    path.write_text("[1]")
    with pytest.raises(DamagedError, match="says no format"):
        Store(path, SETTINGS).read()


def test_unknown_format_is_rejected_before_other_checks(path):
    content = json.loads(path.read_text())
    path.write_text(json.dumps(content | {"format": 3, "records": []}))
    message = "is of format 3, this version of schedlab reads format 1 and 2: take"
    with pytest.raises(StoreError, match=message):
        Store(path, SETTINGS).read()


def first_format(path, settings):
    """A file as the first format had it: losses are sums, and the default rates fall."""
    record = {"chance": [0.1, 0.2, 0.7], "total": [3.0, 0.0, 0.5], "drawn": 3}
    content = {"format": 1, "settings": settings, "records": {"a/1": record}}
    digest = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
    path.write_text(json.dumps(content | {"sha256": digest}))


FALLING = {"policy": "tuned", "rate": 1.0, "power": 0.5}
CONSTANT = FALLING | {"power": 0.0}


@pytest.mark.parametrize("asked", [FALLING, CONSTANT])
def test_file_of_the_first_format_is_converted_with_its_records(path, asked):
    first_format(path, FALLING)
    record = {"chance": [0.1, 0.2, 0.7], "drawn": 3, "last": [1.0, 0.0, 0.5]}
    assert Store(path, asked).read() == {"a/1": record}
    with Store(path, asked).change() as records:
        records["b/2"] = {}
    content = json.loads(path.read_text())
    assert (content["format"], content["settings"]) == (2, asked)
    assert Store(path, asked).read() == {"a/1": record, "b/2": {}}


@pytest.mark.parametrize(
    ("has", "asked"),
    [
        (FALLING, CONSTANT | {"policy": "greedy"}),
        (FALLING, FALLING | {"power": 0.25}),
        (FALLING | {"power": 0.25}, CONSTANT),
    ],
)
def test_file_of_the_first_format_with_explicit_rates_is_rejected(path, has, asked):
    first_format(path, has)
    with pytest.raises(StoreError, match="was learned with other settings"):
        Store(path, asked).read()


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (SETTINGS | {"rate": 0.2}, "rate is 0.1 in the file, asked for is 0.2. Ask for"),
        (SETTINGS | {"power": 1}, "power is None in the file, asked for is 1"),
        ({"rate": 0.1}, "policy is tuned in the file, asked for is None"),
    ],
)
def test_other_settings_are_refused_by_name_and_the_file_stays(path, other, message):
    before = path.read_bytes()
    message = f"learned with other settings: {message}"
    with pytest.raises(StoreError, match=message), Store(path, other).change():
        pass
    assert path.read_bytes() == before


def test_lock_timeout_names_the_lock(path, monkeypatch):
    monkeypatch.setattr(module, "TIMEOUT_S", 0.05)
    lock = f"{path}.lock"
    message = re.escape(f"has held {lock} for")
    change = Store(path, SETTINGS).change()
    with FileLock(lock), pytest.raises(TimeoutError, match=message), change:
        pass
    assert Store(path, SETTINGS).read() == {"a/1": RECORD}
