"""Names of users, groups and accounts as numbers, so that a log can be shared."""

import hashlib

import pandas as pd

_BYTES = 6  # 48 bits: exact in float64, and 10,000 names are unlikely to share a number


def number_names(names: pd.Series, kind: str, salt: str | None) -> pd.Series:
    """Return a number for each name: int64, -1 for unknown (empty) names.

    Equal names of two kinds have different hashes. With a secret `salt`, a name's number is its
    keyed hash, equal in every dump, positive and below 2⁴⁸ + 1; without the secret, guesses of
    names cannot be tested. Without a salt, names are numbered from 1 in order of appearance. Raises
    ValueError if the salt is empty, or two names have the same hash.
    """
    distinct = pd.unique(names[names != ""]).tolist()
    if salt is None:
        numbers = {name: number for number, name in enumerate(distinct, start=1)}
    else:
        if not salt:
            raise ValueError("the salt is empty; give a secret text, or none at all")
        numbers = {name: _hash(name, kind, salt) for name in distinct}
        if len(set(numbers.values())) < len(distinct):
            raise ValueError(f"two names of field {kind} have one hash; give another salt")
    return names.map(numbers | {"": -1}).astype("int64")


def _hash(name: str, kind: str, salt: str) -> int:
    key = hashlib.sha256(salt.encode("utf-8", "surrogateescape")).digest()
    text = name.encode("utf-8", "surrogateescape")
    digest = hashlib.blake2b(text, digest_size=_BYTES, key=key, person=kind.encode())
    return 1 + int.from_bytes(digest.digest(), "big")
