"""Asks GitHub's REST API, with the token of a workflow."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from http.client import HTTPException
from typing import Any
from urllib.parse import urlencode

from grader.records import GraderFault

SECONDS = 30
MOST = 2**24  # bytes of one answer; a page of comments may have six million
PAGES, EACH = 20, 100


class GitHub:
    """One repository ("owner/name") behind the API at ``address``."""

    def __init__(self, address: str, repository: str, token: str) -> None:
        self._address, self._token = f"{address.rstrip('/')}/repos/{repository}", token

    def get(self, path: str, **query: str) -> Any:
        """An answer as plain values."""
        return json.loads(self._ask("GET", f"{path}?{urlencode(query)}" if query else path))

    def each(self, path: str) -> list[Any]:
        """The items of a list over several pages, PAGES * EACH of them at most."""
        found: list[Any] = []
        for page in range(1, PAGES + 1):
            items = self.get(path, per_page=str(EACH), page=str(page))
            found += items
            if len(items) < EACH:
                break
        return found

    def send(self, method: str, path: str, **body: str) -> None:
        """Create (POST) or change (PATCH) something."""
        self._ask(method, path, json.dumps(body).encode("utf-8"))

    def download(self, path: str) -> bytes:
        """The bytes behind a path that leads elsewhere; the token does not go there."""
        return self._ask("GET", path)

    def _ask(self, method: str, path: str, body: bytes | None = None) -> bytes:
        headers = {"Accept": "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28"}
        request = urllib.request.Request(f"{self._address}/{path}", body, headers, method=method)
        request.add_unredirected_header("Authorization", f"Bearer {self._token}")
        try:
            with urllib.request.urlopen(request, timeout=SECONDS) as answer:
                data: bytes = answer.read(MOST + 1)
        except urllib.error.HTTPError as error:
            error.close()
            told = f"GitHub answered {error.code} to {method} {path.partition('?')[0]}"
            raise GraderFault(f"{told}; has the job the permissions that its workflow should give it?") from None
        except (OSError, HTTPException) as error:
            raise GraderFault(f"GitHub cannot be reached: {error}") from None
        if len(data) > MOST:
            raise GraderFault(f"GitHub's answer to {method} {path.partition('?')[0]} has more than {MOST:,} bytes")
        return data
