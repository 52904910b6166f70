"""A fetched file that was altered afterwards is an error wherever raw logs are read."""

import json

import pytest

from loopback import OTHER, TEXT
from schedlab.traces.records import AlteredError, sha256_of, unaltered


@pytest.fixture(params=["SITE.swf", "pool.json"])
def fetched(request, tmp_path):
    text = tmp_path / request.param
    text.write_bytes(TEXT)
    record = tmp_path / {"SITE.swf": "SITE.json", "pool.json": "pool.record.json"}[request.param]
    record.write_text(json.dumps({"written": sha256_of(text)}))
    return text, record


def test_file_as_fetched_is_read(fetched):
    text, _ = fetched
    assert unaltered(str(text)) == text


def test_altered_file_is_rejected_with_both_checksums_and_a_remedy(fetched):
    text, record = fetched
    before = sha256_of(text)
    text.write_bytes(OTHER)
    with pytest.raises(AlteredError) as caught:
        unaltered(text)
    message = str(caught.value)
    assert message.startswith(f"{text}: altered since it was fetched: sha256 {sha256_of(text)}")
    assert f"{record} has {before}. Delete both files and run the same command again" in message


@pytest.mark.parametrize("content", [None, "", "{}", "[]", "null"])
def test_file_without_a_usable_record_is_refused(fetched, content):
    text, record = fetched
    record.unlink()
    if content is not None:
        record.write_text(content)
    with pytest.raises(AlteredError, match=rf"{record} cannot be read"):
        unaltered(text)
