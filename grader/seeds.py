"""Which seed each file of a class is asked with."""

from __future__ import annotations

import hmac
from dataclasses import dataclass, field
from pathlib import Path

from grader.expectations import PUBLIC_SEED
from grader.records import UsageError

POOL = 16  # private seeds of a run: a number seen once is little help, and each reference is asked once
SHORTEST_KEY = 16  # bytes


@dataclass(frozen=True)
class Seeds:
    """Which seed a file is asked with: the public one, or one of a few that the key picks."""

    public: int = PUBLIC_SEED
    key: bytes | None = field(default=None, repr=False)

    @classmethod
    def from_file(cls, path: Path) -> Seeds:
        """Private seeds. Raises UsageError for a key that is missing or short."""
        try:
            key = path.read_bytes().strip()
        except OSError as error:
            make = f"python -c 'import secrets; print(secrets.token_hex())' > {path}"
            raise UsageError(f"cannot read the key {path}: {error.strerror}; make one with: {make}") from None
        if len(key) < SHORTEST_KEY:
            raise UsageError(f"the key in {path} is shorter than {SHORTEST_KEY} bytes")
        return cls(key=key)

    def of(self, digest: str) -> int:
        """The seed for a file: the same for the same file and key, and nobody's guess without the key."""
        if self.key is None:
            return self.public
        place = hmac.digest(self.key, f"place {digest}".encode(), "sha256")[0] % POOL
        return int.from_bytes(hmac.digest(self.key, f"seed {place}".encode(), "sha256")[:6], "big")
