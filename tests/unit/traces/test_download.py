"""Logs from addresses: the archive stage against a real HTTP server on loopback."""

import gzip
import re
import socket
import time
from dataclasses import replace

import pytest

from loopback import (
    HTML,
    OTHER,
    TEXT,
    broken_answer,
    good_answer,
    range_answer,
    remaining_files,
    reply,
)
from schedlab.traces import verify
from schedlab.traces.archive import fetch
from schedlab.traces.download import DownloadError, Network, download

NETWORK = Network(timeout=0.3, retries=2, backoff=0.01)


def answer_of(status):
    return lambda handler: reply(handler, status)


@pytest.mark.parametrize(
    "answer",
    [
        good_answer(),
        good_answer(gzip.compress(TEXT)),
        good_answer(gzip.compress(TEXT), Content_Encoding="gzip"),
        good_answer(claimed="unsaid"),
    ],
    ids=["plain", "gz", "gz labeled as encoding", "no length"],
)
def test_good_answer_is_taken(entry, server, target, answer):
    url = server.on("/log", answer)
    report = fetch(replace(entry, urls=(url,)), [], target, NETWORK)
    assert target.read_bytes() == TEXT
    assert report.source == url
    assert remaining_files(target) == ["SITE.swf"]


def test_local_folder_is_searched_before_addresses(entry, folder, server, target):
    (folder / "site.swf").write_bytes(TEXT)
    fetch(replace(entry, urls=(server.on("/log", good_answer()),)), [folder], target, NETWORK)
    assert server.requests == []


def test_next_address_is_tried_and_the_first_is_reported(entry, server, target):
    urls = (server.url + "/gone", server.on("/log", good_answer()))
    report = fetch(replace(entry, urls=urls), [], target, NETWORK)
    assert report.source == urls[1]
    assert f"passed over {urls[0]}: HTTP 404 Not Found" in report.message
    assert [path for path, _ in server.requests] == ["/gone", "/log"]


def trickle(handler):
    reply(handler, 200, b"1", claimed=len(TEXT))
    while not handler.server.released.wait(0.05):
        handler.wfile.write(b"1")


def begin_far_too_much(handler):
    reply(handler, 200, b"1", claimed=1 << 40)
    handler.server.released.wait(5)


def endless(handler):
    """Send a body without a length until the server stops."""
    reply(handler, 200, TEXT, claimed="unsaid", ETag='"v1"')
    while not handler.server.released.is_set():
        handler.wfile.write(b"1" * 65536)


@pytest.fixture
def small(monkeypatch):
    """Bound of a text at a size of this log."""
    monkeypatch.setattr(verify, "HEADER_BYTES", 1 << 20)
    monkeypatch.setattr(verify, "JOB_BYTES", 100)


@pytest.mark.parametrize(
    ("answer", "reason", "tries"),
    [
        (good_answer(HTML), "an HTML or XML page", 1),
        (good_answer(gzip.compress(TEXT)[:-50]), "truncated or damaged gzip", 1),
        (good_answer(gzip.compress(TEXT)[:-50], claimed="unsaid"), "truncated or damaged gzip", 1),
        (good_answer(OTHER, ETag='"v1"'), "wrong checksum", 1),
        *(
            (answer_of(status), f"HTTP {status}", 1)
            for status in (400, 401, 403, 404, 410, 501, 505)
        ),
        (answer_of(503), r"HTTP 503 .*tried 3 times", 3),
        (broken_answer(), r"connection broke: .*tried 3 times", 3),
        (broken_answer(ETag='"v1"', Accept_Ranges="none"), "connection broke", 3),
        (trickle, "too slow: ", 1),
        (endless, "too large: more than", 1),
        (begin_far_too_much, "too large: more than", 1),
    ],
)
def test_bad_response_leaves_no_file(entry, server, target, answer, reason, tries, small):
    url = server.on("/log", answer)
    network = replace(NETWORK, retries=0) if answer is trickle else NETWORK
    message = fetch(replace(entry, urls=(url,)), [], target, network).message
    assert re.search(f"{url}: .*{reason}", message)
    assert remaining_files(target) == []
    assert len(server.requests) == tries


def test_silent_server_is_given_up_after_the_timeout(entry, server, target):
    url = server.on("/log", lambda handler: server.released.wait(5))
    began = time.monotonic()
    message = fetch(replace(entry, urls=(url,)), [], target, replace(NETWORK, retries=0)).message
    assert "no data for 0.3 s (tried 1 time)" in message
    assert time.monotonic() - began < 2


def test_endless_body_is_given_up_and_the_second_address_tried(entry, server, target, small):
    urls = (server.on("/endless", endless), server.on("/log", good_answer()))
    report = fetch(replace(entry, urls=urls), [], target, NETWORK)
    assert report.source == urls[1]
    bound = (1 << 20) + 100 * entry.jobs
    assert f"passed over {urls[0]}: too large: more than {bound:,} bytes" in report.message
    assert [path for path, _ in server.requests] == ["/endless", "/log"]
    assert remaining_files(target) == ["SITE.swf"]


def test_remainder_beyond_the_size_limit_leaves_no_partial_file(server, tmp_path):
    """The first half is there, and may be resumed, when the bound turns out to be less."""
    url, part = server.on("/log", [broken_answer(ETag='"v1"'), range_answer()]), tmp_path / "part"
    with pytest.raises(DownloadError, match="connection broke"):
        download(url, part, replace(NETWORK, retries=0))
    assert part.stat().st_size == len(TEXT) // 2
    with pytest.raises(DownloadError, match="too large"):
        download(url, part, replace(NETWORK, largest=len(TEXT) - 1))
    assert remaining_files(part) == []


def test_a_text_of_exactly_the_bound_is_taken_and_one_byte_more_is_not(tmp_path):
    packed, text = tmp_path / "log.gz", tmp_path / "log"
    packed.write_bytes(gzip.compress(TEXT))
    verify.unpack(packed, text, len(TEXT))
    assert text.read_bytes() == TEXT
    with pytest.raises(
        verify.Refused, match=f"too large: its text has more than {len(TEXT) - 1:,}"
    ):
        verify.unpack(packed, text, len(TEXT) - 1)


def test_download_of_exactly_the_bound_is_taken_and_one_byte_more_is_not(server, tmp_path):
    url, part = server.on("/log", good_answer(claimed="unsaid")), tmp_path / "part"
    download(url, part, replace(NETWORK, largest=len(TEXT)))
    assert part.read_bytes() == TEXT
    with pytest.raises(DownloadError, match="too large"):
        download(url, part, replace(NETWORK, largest=len(TEXT) - 1))


def test_endless_compressed_text_is_rejected(entry, folder, target, small):
    (folder / "site.swf.gz").write_bytes(gzip.compress(b"\n" * (1 << 22)))
    message = fetch(entry, [folder], target, None).message
    assert "site.swf.gz: too large: its text has more than" in message
    assert remaining_files(target) == []


@pytest.mark.slow
def test_headers_without_end_are_given_up(entry, server, target):
    """A header line now and then: no single wait of the socket is long."""

    def answer(handler):
        handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
        line = 0
        while not server.released.wait(0.1):
            line += 1
            handler.wfile.write(f"X-{line}: y\r\n".encode())

    url = server.on("/log", answer)
    began = time.monotonic()
    message = fetch(replace(entry, urls=(url,)), [], target, replace(NETWORK, retries=0)).message
    assert "no whole answer within 1.2 s (tried 1 time)" in message
    assert time.monotonic() - began < 3


@pytest.mark.slow
def test_slow_body_is_given_up_and_can_be_resumed(entry, server, target):
    def answer(handler):
        reply(handler, 200, TEXT[:1000], claimed=len(TEXT), ETag='"v1"')
        for first in range(1000, len(TEXT), 1000):
            if server.released.wait(0.05):
                break
            handler.wfile.write(TEXT[first : first + 1000])

    log = replace(entry, urls=(server.on("/log", [answer, range_answer()]),))
    message = fetch(log, [], target, replace(NETWORK, longest=0.5)).message
    assert "too slow: not whole after 0.5 s" in message
    assert len(server.requests) == 1
    assert remaining_files(target) == ["SITE.swf.part", "SITE.swf.part.json"]
    fetch(log, [], target, NETWORK)
    assert target.read_bytes() == TEXT


@pytest.mark.parametrize(
    "turns",
    [
        *([answer_of(status)] for status in (408, 425, 429, 500, 502, 503, 504)),
        [answer_of(500), broken_answer()],
        # what does not continue the part that is there is thrown away
        [broken_answer(ETag='"v1"'), answer_of(416)],
    ],
)
def test_temporary_fault_is_retried(entry, server, target, turns):
    url = server.on("/log", [*turns, good_answer()])
    fetch(replace(entry, urls=(url,)), [], target, NETWORK)
    assert target.read_bytes() == TEXT
    assert len(server.requests) == len(turns) + 1
    assert "Range" not in server.requests[-1][1]


def test_broken_download_is_resumed_where_it_stopped(entry, server, target):
    url = server.on("/log", [broken_answer(ETag='"v1"'), range_answer()])
    fetch(replace(entry, urls=(url,)), [], target, NETWORK)
    sent = server.requests[1][1]
    assert sent["Range"] == f"bytes={len(TEXT) // 2}-"
    assert sent["If-Range"] == '"v1"'
    assert target.read_bytes() == TEXT
    assert remaining_files(target) == ["SITE.swf"]


def test_stalled_download_is_resumed_by_a_later_fetch(entry, server, target):
    def stall(handler):
        reply(handler, 200, TEXT[:1000], claimed=len(TEXT), ETag='"v1"')
        server.released.wait(5)

    log = replace(entry, urls=(server.on("/log", [stall, range_answer()]),))
    message = fetch(log, [], target, replace(NETWORK, retries=0)).message
    assert "no data for" in message
    assert remaining_files(target) == ["SITE.swf.part", "SITE.swf.part.json"]
    fetch(log, [], target, NETWORK)
    assert server.requests[1][1]["Range"] == "bytes=1000-"
    assert target.read_bytes() == TEXT
    assert remaining_files(target) == ["SITE.swf"]


def test_log_that_changed_between_tries_is_downloaded_again(entry, server, target):
    url = server.on("/log", [broken_answer(OTHER, ETag='"v0"'), range_answer()])
    fetch(replace(entry, urls=(url,)), [], target, NETWORK)
    assert server.requests[1][1]["If-Range"] == '"v0"'
    assert target.read_bytes() == TEXT


def test_mismatched_parts_are_discarded_and_the_whole_is_requested(entry, server, target):
    url = server.on("/log", [broken_answer(OTHER, ETag='"v1"'), range_answer()])
    fetch(replace(entry, urls=(url,)), [], target, NETWORK)
    assert "Range" not in server.requests[2][1]
    assert target.read_bytes() == TEXT


def test_partial_download_is_removed_if_a_folder_has_the_log(entry, folder, server, target):
    log = replace(entry, urls=(server.on("/log", broken_answer(ETag='"v1"')),))
    fetch(log, [], target, replace(NETWORK, retries=0))
    assert "SITE.swf.part" in remaining_files(target)
    (folder / "site.swf").write_bytes(TEXT)
    fetch(log, [folder], target, NETWORK)
    assert remaining_files(target) == ["SITE.swf"]


@pytest.mark.parametrize("place", ["refused", "unknown"])
def test_unreachable_server_fails_at_once(entry, server, target, place):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    host, reason = {
        "refused": (f"127.0.0.1:{port}", "Connection refused"),
        "unknown": ("host.invalid", "could not be resolved"),
    }[place]
    began = time.monotonic()
    log = replace(entry, urls=(f"http://{host}/l",))
    assert re.search(reason, fetch(log, [], target, Network(30, retries=5)).message)
    assert time.monotonic() - began < 5


def test_offline_contacts_no_address(entry, server, target):
    log = replace(entry, urls=(server.on("/log", good_answer()),))
    assert "none, working offline" in fetch(log, [], target, None).message
    assert server.requests == []


@pytest.mark.parametrize("wanted", [True, False])
def test_progress_bar_is_drawn_on_request_only(entry, server, target, capfd, wanted):
    log = replace(entry, urls=(server.on("/log", good_answer()),))
    fetch(log, [], target, replace(NETWORK, progress=wanted))
    assert ("SITE.swf" in capfd.readouterr().err) is wanted


@pytest.mark.parametrize("note", ["{}", "[]", "null", '{"url": "elsewhere"}', '{"url'])
def test_leftover_with_an_unusable_note_is_thrown_away(entry, server, target, note):
    url = server.on("/log", good_answer())
    target.parent.mkdir()
    target.with_name("SITE.swf.part").write_bytes(TEXT[:1000])
    target.with_name("SITE.swf.part.json").write_text(note)
    fetch(replace(entry, urls=(url,)), [], target, NETWORK)
    assert "Range" not in server.requests[0][1]
    assert target.read_bytes() == TEXT
    assert remaining_files(target) == ["SITE.swf"]
