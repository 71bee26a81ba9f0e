"""A server on this machine that answers as GitHub's API does, for what a comment needs."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

TOKEN = "a-token-of-the-workflow"
REPOSITORY = "school/course"


@dataclass
class Hub:
    """What there is on the server, and what was asked of it: method, path, body, token."""

    pulls: list[dict[str, Any]] = field(default_factory=list)
    artifacts: list[dict[str, Any]] = field(default_factory=list)
    comments: list[dict[str, Any]] = field(default_factory=list)
    archive: bytes = b""
    refuses: int = 0
    address: str = ""
    asked: list[tuple[str, str, str | None]] = field(default_factory=list)

    def answer(self, method: str, path: str, query: dict[str, list[str]], body: Any) -> tuple[int, Any]:
        """Status and JSON."""
        where = path.removeprefix(f"/repos/{REPOSITORY}/")
        if self.refuses and method != "GET":
            return self.refuses, {"message": "Resource not accessible by integration"}
        if where == "pulls":
            return 200, [p for p in self.pulls if p["head"]["label"] == query["head"][0]]
        if where == "actions/runs/7/artifacts":
            return 200, {"artifacts": self.artifacts}
        if where.startswith("issues/comments/"):
            (found,) = [c for c in self.comments if c["id"] == int(where.rpartition("/")[2])]
            found["body"] = body["body"]
            return 200, found
        if where == "issues/12/comments" and method == "POST":
            made = {"id": 1000 + len(self.comments), "user": {"login": "github-actions[bot]"}, "body": body["body"]}
            self.comments.append(made)
            return 201, made
        if where == "issues/12/comments":
            start = (int(query["page"][0]) - 1) * int(query["per_page"][0])
            return 200, self.comments[start : start + int(query["per_page"][0])]
        return 404, {"message": "Not Found"}


@contextmanager
def serving(hub: Hub) -> Iterator[Hub]:
    """The server, at ``hub.address`` while it runs."""

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

        def _serve(self) -> None:
            asked = urlsplit(self.path)
            length = int(self.headers.get("Content-Length") or 0)
            body = json.loads(self.rfile.read(length)) if length else None
            hub.asked.append((self.command, asked.path, self.headers.get("Authorization")))
            if asked.path.endswith("/zip"):  # as GitHub does, the download is somewhere else
                self.send_response(302)
                self.send_header("Location", f"{hub.address}/storage")
                self.end_headers()
                return
            if asked.path == "/storage":
                self._reply(200, hub.archive)
                return
            status, told = hub.answer(self.command, asked.path, parse_qs(asked.query), body)
            self._reply(status, json.dumps(told).encode())

        def _reply(self, status: int, data: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_POST = do_PATCH = _serve  # noqa: N815  # the names that the server looks for

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        hub.address = f"http://127.0.0.1:{server.server_port}"
        try:
            yield hub
        finally:
            server.shutdown()
            thread.join()
