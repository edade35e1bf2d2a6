"""The identity of a player: its name, and digests of its files, its code and values, or its behavior.

Two players with the same name and digest make the same moves with the same version of this package. Results, records
and tasks store the identities of their players, so that figures of different players are never mixed under one name.
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
        name: the player's name.
        parts: SHA-256 digests (64 hexadecimal digits) of all that decides its moves: one for each file, for its code
            and values or its behavior, and for each player whose advice it takes. Empty: only the name is known, as for
            a person.
        version: the version of this package.
        commit: the commit of the checkout that runs, see `core.release`; None: unknown.
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
        """The identity as a dict of plain values, for JSON."""
        return {
            "name": self.name,
            "digest": self.digest,
            "parts": dict(sorted(self.parts.items())),
            "version": self.version,
            "commit": self.commit,
        }


def change_of(expected: Mapping[str, Any], found: Mapping[str, Any]) -> str | None:
    """Describe how two identities differ; None if they agree.

    The commit is not compared: a commit that changes the player's moves changes its parts too.

    Args:
        expected, found: identities as `Identity.as_dict` returns them.
    """
    if expected.get("digest") != found.get("digest"):
        before, now = _parts_of(expected), _parts_of(found)
        names = [name for name in sorted({*before, *now}) if before.get(name) != now.get(name)]
        details = [f"its {name} was {_short(before.get(name))} and is {_short(now.get(name))}" for name in names]
        return "; ".join(details) or f"its digest was {_short(expected.get('digest'))} and is {_short(found['digest'])}"
    if expected.get("version") != found.get("version"):
        return f"it played with version {expected.get('version')!s:.40} of the package; this is {found['version']}"
    return None


def _parts_of(said: Mapping[str, Any]) -> Mapping[str, Any]:
    parts = said.get("parts")
    return parts if isinstance(parts, dict) else {}


def _short(digest: Any) -> str:
    return "missing" if digest is None else str(digest)[:SHORT]


def digest_of_file(path: str | Path) -> str:
    """The SHA-256 digest of a file's content.

    Raises:
        OSError: the file cannot be read.
    """
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def files_of(owner: Any, name: str) -> dict[str, str]:
    """The digests, by path, of the files that an object's attribute `plays_by` names.

    Raises:
        ValueError: a file cannot be read.
    """
    paths = getattr(owner, "plays_by", ())
    if isinstance(paths, (str, Path)):
        paths = (paths,)
    try:
        return {str(path): digest_of_file(path) for path in paths}
    except (OSError, TypeError) as error:
        raise ValueError(
            f"the player {name} needs one or several paths of files in its attribute plays_by: {error}"
        ) from error
