"""Names of users, groups and accounts as numbers, so that a log can be shared."""

import hashlib
from collections.abc import Sequence

_BYTES = 6  # 48 bits: exact in float64, and 10,000 names are unlikely to share a number


def number_names(names: Sequence[str], kind: str, salt: str | None) -> dict[str, int]:
    """Return a number for each of distinct names; -1 for the empty one, which is unknown.

    Equal names of two kinds have different hashes. With a secret `salt`, a name's number is its
    keyed hash, equal in every dump, positive and below 2⁴⁸ + 1; without the secret, guesses of
    names cannot be tested. Without a salt, names are numbered from 1 in order. Raises ValueError
    if the salt is empty, or two names have the same hash.
    """
    known = [name for name in names if name]
    if salt is None:
        numbers = {name: number for number, name in enumerate(known, start=1)}
    else:
        if not salt:
            raise ValueError("the salt is empty; give a secret text, or none at all")
        numbers = {name: _hash(name, kind, salt) for name in known}
        if len(set(numbers.values())) < len(known):
            raise ValueError(f"two names of field {kind} have one hash; give another salt")
    return numbers | {"": -1}


def _hash(name: str, kind: str, salt: str) -> int:
    key = hashlib.sha256(salt.encode("utf-8", "surrogateescape")).digest()
    digest = hashlib.blake2b(name.encode(), digest_size=_BYTES, key=key, person=kind.encode())
    return 1 + int.from_bytes(digest.digest(), "big")
