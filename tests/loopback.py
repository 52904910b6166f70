"""A site's log, and an HTTP server on loopback that serves it correctly or with faults."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

FIELDS = "{0} {1} 0 {2} 4 -1 -1 4 600 -1 1 7 1 -1 1 -1 -1 -1\n"
JOBS = 4000
TEXT = "; MaxProcs: 64\n" + "".join(FIELDS.format(i, 10 * i, i * i % 977) for i in range(JOBS))
TEXT = TEXT.encode()
OTHER = TEXT.replace(b" 600 ", b" 900 ")
HTML = b"<!DOCTYPE html>\n<html><body>Moved here</body></html>\n"


def remaining_files(target: Path) -> list[str]:
    return sorted(path.name for path in target.parent.iterdir())


class Server:
    """HTTP server whose answers are functions by path; it keeps the requests it got."""

    def __init__(self):
        self.answers = {}
        self.requests = []
        self.released = threading.Event()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                outer.requests.append((self.path, dict(self.headers)))
                outer.answers.get(self.path, lambda handler: reply(handler, 404))(self)

            def log_message(self, *args):
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.released = self.released
        self.url = f"http://127.0.0.1:{self.http.server_port}"
        threading.Thread(target=self.http.serve_forever, args=(0.01,), daemon=True).start()

    def on(self, path, answer) -> str:
        """Answer a path; several functions in a row answer one request each, the last the rest."""
        answers = list(answer) if isinstance(answer, list) else [answer]

        def turn(handler):
            (answers.pop(0) if len(answers) > 1 else answers[0])(handler)

        self.answers[path] = turn
        return self.url + path

    def stop(self):
        self.released.set()
        self.http.shutdown()
        self.http.server_close()


def reply(handler, status, body=b"", claimed=None, **headers):
    """Send a response; `claimed` is the length in its header."""
    handler.send_response(status)
    for name, value in headers.items():
        handler.send_header(name.replace("_", "-"), value)
    if claimed != "unsaid":
        handler.send_header("Content-Length", str(len(body) if claimed is None else claimed))
    handler.end_headers()
    handler.wfile.write(body)
    handler.wfile.flush()


def good_answer(body=TEXT, **headers):
    return lambda handler: reply(handler, 200, body, **headers)


def broken_answer(body=TEXT, **headers):
    """Half of the body, then the connection is closed."""
    return lambda handler: reply(handler, 200, body[: len(body) // 2], claimed=len(body), **headers)


def range_answer(body=TEXT, tag='"v1"'):
    """Answer Range as in RFC 9110: 206 if If-Range names this version, else the whole file."""

    def answer(handler):
        start = handler.headers.get("Range", "bytes=0-")[len("bytes=") : -1]
        if not int(start) or handler.headers.get("If-Range") != tag:
            return reply(handler, 200, body, ETag=tag)
        span = f"bytes {start}-{len(body) - 1}/{len(body)}"
        return reply(handler, 206, body[int(start) :], ETag=tag, Content_Range=span)

    return answer
