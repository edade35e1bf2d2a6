"""The identity of a player: a name, and digests of its files, its code and its values, or of its behaviour.

Two players with one name and one digest make the same moves with the same package. Results, records and tasks keep the
identity of their players, so that figures of two players are never mixed under one name.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from banakil_env.core.release import VERSION, commit

SHORT = 12  # hexadecimal digits of a digest in a message


@dataclass(frozen=True)
class Identity:
    """The identity of a player.

    Attributes:
        name: of the player.
        parts: what decides its moves: a SHA-256 digest (64 hexadecimal digits) for each file, for its code and its
            values or for its behaviour, and for each player whose advice it takes. Empty: only the name is known, as
            for a person.
        version: of this package. commit: of the checkout it is run from, see `core.release`; None: unknown.
    """

    name: str
    parts: Mapping[str, str] = field(default_factory=dict)
    version: str = VERSION
    commit: str | None = field(default_factory=commit)

    @property
    def digest(self) -> str:
        """The SHA-256 digest of all parts, 64 hexadecimal digits."""
        return hashlib.sha256(json.dumps(dict(sorted(self.parts.items()))).encode()).hexdigest()

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "name": self.name,
            "digest": self.digest,
            "parts": dict(sorted(self.parts.items())),
            "version": self.version,
            "commit": self.commit,
        }


def change_of(expected: Mapping[str, Any], found: Mapping[str, Any]) -> str | None:
    """The parts in which two identities differ, both as `Identity.as_dict` gives them; None if they agree.

    The commit can differ: a commit that changes the player's moves changes its parts too.
    """
    if expected.get("digest") != found.get("digest"):
        before, now = _parts_of(expected), _parts_of(found)
        names = [name for name in sorted({*before, *now}) if before.get(name) != now.get(name)]
        details = [f"its {name} was {_short(before.get(name))} and is {_short(now.get(name))}" for name in names]
        return "; ".join(details) or f"its digest was {_short(expected.get('digest'))} and is {_short(found['digest'])}"
    if expected.get("version") != found.get("version"):
        return f"it played by version {expected.get('version')!s:.40} of the package, and this is {found['version']}"
    return None


def _parts_of(said: Mapping[str, Any]) -> Mapping[str, Any]:
    parts = said.get("parts")
    return parts if isinstance(parts, dict) else {}


def _short(digest: Any) -> str:
    return "not there" if digest is None else str(digest)[:SHORT]


def digest_of_file(path: str | Path) -> str:
    """The SHA-256 digest of a file's content. OSError: it cannot be read."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def files_of(owner: Any, name: str) -> dict[str, str]:
    """The digests of the files that an object's attribute `plays_by` names. ValueError: one cannot be read."""
    paths = getattr(owner, "plays_by", ())
    if isinstance(paths, (str, Path)):
        paths = (paths,)
    try:
        return {str(path): digest_of_file(path) for path in paths}
    except (OSError, TypeError) as error:
        raise ValueError(
            f"the player {name} has an attribute plays_by, which is the path of a file or several: {error}"
        ) from error
