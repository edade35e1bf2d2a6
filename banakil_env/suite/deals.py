"""The deals of a task, made from a key, in parts: development, public, a second public part, and sealed.

The seed of deal i of a task is HMAC-SHA256(HMAC-SHA256(key, task), i). The keys of all parts except "sealed" are the
digests of published sentences, so everybody can make these deals. A run on the part "public-2" confirms one on
"public". The organizers of a contest draw the key of a sealed part. They publish its SHA-256 first, and the key when
the contest is over: until then nobody else can make the deals, and afterwards everybody can check that no other key
was used.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from pathlib import Path

from banakil_env.suite.tasks import Task, TaskError

DEVELOPMENT, PUBLIC, SECOND, SEALED = "development", "public", "public-2", "sealed"
SENTENCES = {
    DEVELOPMENT: "Rummy suite: deals to develop with, version 1",
    PUBLIC: "Rummy suite: public test deals, version 1",
    SECOND: "Rummy suite: public test deals, second part, version 1",
}
PARTS = (*SENTENCES, SEALED)
KEY_BYTES = 32
_KEY = re.compile(r"[0-9a-f]{64}")


def published_key(part: str) -> str:
    """The key of a published part, 64 hexadecimal digits."""
    return hashlib.sha256(SENTENCES[part].encode()).hexdigest()


def draw_key() -> str:
    """A new key for sealed deals."""
    return secrets.token_hex(KEY_BYTES)


def commitment(key: str) -> str:
    """The commitment to a key, which is published first: SHA-256 of its 32 bytes, 64 hexadecimal digits."""
    return hashlib.sha256(bytes.fromhex(key)).hexdigest()


def key_of_task(key: str, task: Task) -> str:
    """The key for the deals of one task, in the form that `Plan` takes. Each task gets different deals."""
    return hmac.digest(bytes.fromhex(key), task.short.encode(), hashlib.sha256).hex()


def read_key(path: Path) -> str:
    """Read a key from a file. Raises TaskError if the file holds no key."""
    try:
        with open(path, "rb") as file:
            text = file.read(1000).decode("utf-8", errors="replace").strip()
    except OSError as error:
        raise TaskError(f"the key {path} cannot be read: {error.strerror}") from None
    if not _KEY.fullmatch(text):
        raise TaskError(f"{path} holds no key of 64 hexadecimal digits: `banakil suite seal {path}` draws one")
    return text


def is_digest(value: object) -> bool:
    """Whether a value is a SHA-256 digest in hexadecimal digits."""
    return isinstance(value, str) and _KEY.fullmatch(value) is not None
