"""Neural policies: a small network scores each waiting job, and the largest logit runs first.

Input is a published TensorFlow bundle (``.data`` and ``.index``, read without TensorFlow) or an
``.npz`` file. Output is a `NeuralPolicy`. What the inputs mean is in `schedlab.policies.features`.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NoReturn, Self
from zipfile import BadZipFile

import numpy as np

from schedlab.policies.features import known_of
from schedlab.policies.functions import from_file
from schedlab.policies.pure import Policy
from schedlab.policies.user_files import NETWORKS

if TYPE_CHECKING:
    import pandas as pd

    from schedlab.core.jobs import Jobs
    from schedlab.policies.expression import Program

Layers = tuple[tuple[np.ndarray, np.ndarray], ...]

#: inputs of RLScheduler's networks, in order
RLSCHEDULER = ("wait", "estimate", "procs", "memory", "user", "group", "executable", "fits")
#: last bytes of an index of TensorFlow: the magic number of its tables
_MAGIC = bytes.fromhex("57fb808b247547db")
_FOOTER = 48


@dataclass(frozen=True, eq=False)
class NeuralPolicy(Policy):
    """Policy that is a network over the features of a job, from `from_npz` or `from_bundle`.

    Parameters
    ----------
    layers : tuple of (kernel, bias)
        Float32 arrays of shapes (n_in, n_out) and (n_out,). ReLU is between layers; the last one is
        linear, and its n_out is 1.
    features : tuple of str
        Names of the inputs, in order.
    window : int
        Number of waiting jobs that it sees: those with the smallest requested time.
    seed : int, optional
        Seed to sample jobs from the softmax of the logits; by default the largest logit runs first.
    owners : DataFrame, optional
        Memory, user, group and executable by job number, from `of_log`.
    largest : mapping
        Largest run time ("estimate", which the requested time is divided by), memory, user, group
        and executable of all jobs of the log, from `of_log`; at least 1.

    Raises
    ------
    ValueError
        Layers do not fit each other or the features, or a weight is not finite.
    """

    layers: Layers = field(kw_only=True)
    features: tuple[str, ...] = field(kw_only=True)
    window: int = field(default=128, kw_only=True)
    seed: int | None = field(default=None, kw_only=True)
    owners: pd.DataFrame | None = field(default=None, repr=False, kw_only=True)
    largest: Mapping[str, float] = field(default_factory=dict, kw_only=True)

    def __post_init__(self) -> None:
        """Check the layers."""
        if self.window < 1:
            raise ValueError(f"policy '{self.name}': window is {self.window}, must be 1 or more")
        if not self.layers:
            raise ValueError(f"policy '{self.name}': it has no layers")
        width = len(self.features)
        for number, (kernel, bias) in enumerate(self.layers):
            last = number == len(self.layers) - 1
            if kernel.ndim != 2 or bias.ndim != 1:
                shape: object = kernel.shape, bias.shape
            else:
                shape = kernel.shape, bias.shape
                if kernel.shape == (width, len(bias)) and (not last or len(bias) == 1):
                    width = len(bias)
                    if np.isfinite(kernel).all() and np.isfinite(bias).all():
                        continue
                    raise ValueError(
                        f"policy '{self.name}': layer {number}: a weight is not finite; export "
                        "the weights again"
                    )
            outputs = "1" if last else "n"
            raise ValueError(
                f"policy '{self.name}': layer {number}: kernel and bias have the shapes {shape}, "
                f"must be ({width}, {outputs}) and ({outputs},); the inputs are "
                f"{', '.join(self.features)}"
            )

    @property
    def order(self) -> Literal["neural"]:
        """How the order of waiting jobs changes: as the network scores them."""
        return "neural"

    @property
    def program(self) -> Program:
        """Raise ValueError, because a network has no expression."""
        raise ValueError(
            f"policy '{self.name}' is neural: it has no expression, which is needed here"
        )

    def scores(self, jobs: Jobs, head: int = 0, wait: float | np.ndarray = 0.0) -> NoReturn:
        """Raise an error, because a network scores jobs only in a simulation; see `program`."""
        raise ValueError(f"policy '{self.name}' is neural: it scores jobs only inside a simulation")

    def of_log(self, frame: pd.DataFrame) -> Self:
        """Return the policy with the owners of a log's jobs, and the largest values in the log.

        Parameters
        ----------
        frame : DataFrame
            ``number``, ``runtime`` and any of memory (or requested_memory), user, group and
            executable; a row per job. A missing column is unknown.
        """
        owners, largest = known_of(frame)
        return replace(self, owners=owners, largest=largest)


def from_npz(path: str | Path, name: str | None = None) -> NeuralPolicy:
    """Return the policy of an ``.npz`` file, as `write_npz` writes it.

    Parameters
    ----------
    path : path-like
        Arrays ``kernel0``, ``bias0``, ``kernel1``, ... and ``features``; ``window`` if it is not
        128.
    name : str, optional
        Name and label; the path by default.

    Raises
    ------
    ValueError
        The file is none, lacks an array, or its weights are invalid; see `NeuralPolicy`.
    """
    try:
        with np.load(path, allow_pickle=False) as arrays:
            values = {key: arrays[key] for key in arrays.files}
    except (OSError, ValueError, EOFError, TypeError, BadZipFile) as error:
        raise ValueError(
            f"{path}: cannot be read as .npz ({error}); write it with "
            "schedlab.policies.neural.write_npz"
        ) from error
    count = sum(key.startswith("kernel") for key in values)
    needed = [f"{kind}{layer}" for layer in range(max(count, 1)) for kind in ("kernel", "bias")]
    if missing := [key for key in (*needed, "features") if key not in values]:
        raise ValueError(f"{path}: array '{missing[0]}' is missing; there are {', '.join(values)}")
    layers = tuple(
        (values[f"kernel{layer}"].astype("f4"), values[f"bias{layer}"].astype("f4"))
        for layer in range(count)
    )
    features, window = tuple(values["features"].tolist()), int(values.get("window", 128))
    name = name or str(path)
    return NeuralPolicy(name, name, name, layers=layers, features=features, window=window)


def write_npz(
    path: str | Path,
    layers: Sequence[tuple[np.ndarray, np.ndarray]],
    features: Sequence[str] = RLSCHEDULER,
    window: int = 128,
) -> None:
    """Write a network, so that `from_npz` and ``--policy path/to/policy.npz`` read it.

    Parameters
    ----------
    path : path-like
        File that ends in ``.npz``.
    layers : sequence of (kernel, bias)
        Arrays of shapes (n_in, n_out) and (n_out,), from inputs to the one output.
    features : sequence of str
        Names of the inputs, in order.
    window : int
        Number of waiting jobs that the policy sees.

    Raises
    ------
    ValueError
        As for `NeuralPolicy`.
    """
    single = tuple((np.asarray(k, "f4"), np.asarray(b, "f4")) for k, b in layers)
    name = str(path)
    NeuralPolicy(name, name, name, layers=single, features=tuple(features), window=window)
    arrays = {f"kernel{layer}": kernel for layer, (kernel, _) in enumerate(single)}
    arrays |= {f"bias{layer}": bias for layer, (_, bias) in enumerate(single)}
    np.savez(path, features=np.array(features), window=np.array(window), **arrays)


def from_bundle(
    path: str | Path, name: str | None = None, features: Sequence[str] = RLSCHEDULER
) -> NeuralPolicy:
    """Return the policy network of a TensorFlow bundle, as RLScheduler published it.

    Parameters
    ----------
    path : path-like
        The bundle's ``.data`` or ``.index`` file; both are needed.
    name : str, optional
        Name and label; the path by default.
    features : sequence of str
        Names of the inputs, in order.

    Raises
    ------
    ValueError
        A file is missing or damaged, the layers do not fit the features, or a second moment of
        Adam is negative, so that values are not where the index places them.
    """
    data, index = Path(path).with_suffix(".data"), Path(path).with_suffix(".index")
    for file in (data, index):
        if not file.is_file():
            raise ValueError(f"{path}: {file.name} is missing; a bundle is .data and .index")
    values, places = data.read_bytes(), _read_index(index)
    size = max((offset + length for offset, length, _ in places.values()), default=0)
    if len(values) != size:
        raise ValueError(
            f"{data}: {len(values)} bytes, must be {size} by its .index; copy the bundle again"
        )

    def tensor(key: str) -> np.ndarray:
        if key not in places:
            raise ValueError(f"{index}: tensor '{key}' is missing; it has {', '.join(places)}")
        offset, length, shape = places[key]
        if length != 4 * int(np.prod(shape)):
            raise ValueError(f"{index}: tensor '{key}': {length} bytes for the shape {shape}")
        return np.frombuffer(values, "<f4", length // 4, offset).reshape(shape).astype("f4")

    layers = []
    while (prefix := f"pi/dense_{len(layers)}" if layers else "pi/dense") + "/bias" in places:
        for kind in ("kernel", "bias"):
            if (tensor(f"{prefix}/{kind}/Adam_1") < 0).any():
                raise ValueError(f"{data}: '{prefix}/{kind}': a second moment of Adam is negative")
        layers.append((tensor(f"{prefix}/kernel"), tensor(f"{prefix}/bias")))
    name = name or str(path)
    return NeuralPolicy(name, name, name, layers=tuple(layers), features=tuple(features))


def policy_in_file(place: str) -> Policy:
    """Return the policy in a file: a network, or ``file.py:function``.

    Raises ValueError as `from_npz`, `from_bundle` and `schedlab.policies.functions.from_file` do.
    """
    if not place.endswith(NETWORKS):
        return from_file(place)
    return from_npz(place) if place.endswith(".npz") else from_bundle(place)


def _read_index(path: Path) -> dict[str, tuple[int, int, tuple[int, ...]]]:
    """Return offset, length and shape of each tensor; the table is TensorFlow's (as LevelDB's)."""
    text = path.read_bytes()
    if len(text) < _FOOTER or not text.endswith(_MAGIC):
        raise ValueError(f"{path}: it is no index of a TensorFlow bundle, or it is cut short")
    try:
        footer = len(text) - _FOOTER
        for _ in range(2):  # past the handle of the meta index
            _, footer = _varint(text, footer)
        handles = _block(text, *_handle(text, footer))
        entries = {
            key: value
            for handle in handles.values()
            for key, value in _block(text, *_handle(handle, 0)).items()
        }
        return {key.decode(): _entry(value) for key, value in entries.items() if key}
    except (IndexError, struct.error, UnicodeDecodeError, KeyError) as error:
        raise ValueError(f"{path}: the index is damaged; copy the bundle again") from error


def _varint(text: bytes, at: int) -> tuple[int, int]:
    """Return a number in groups of seven bits, and the place behind it."""
    value = shift = 0
    while text[at] & 128:
        value |= (text[at] & 127) << shift
        at, shift = at + 1, shift + 7
    return value | text[at] << shift, at + 1


def _handle(text: bytes, at: int) -> tuple[int, int]:
    """Return offset and size of a block."""
    offset, at = _varint(text, at)
    return offset, _varint(text, at)[0]


def _block(text: bytes, offset: int, size: int) -> dict[bytes, bytes]:
    """Return the entries of an uncompressed block; a key omits what the previous key has."""
    if text[offset + size]:
        raise KeyError("compressed")
    restarts = struct.unpack_from("<I", text, offset + size - 4)[0]
    at, end, key, entries = offset, offset + size - 4 * (restarts + 1), b"", {}
    while at < end:
        shared, at = _varint(text, at)
        own, at = _varint(text, at)
        length, at = _varint(text, at)
        key = key[:shared] + text[at : at + own]
        entries[key] = text[at + own : at + own + length]
        at += own + length
    return entries


def _entry(text: bytes) -> tuple[int, int, tuple[int, ...]]:
    """Return offset, size and shape of a tensor from its message in the index."""
    fields: dict[int, int] = {}
    shape: list[int] = []
    at = 0
    while at < len(text):
        tag, at = _varint(text, at)
        if tag & 7 == 5:  # a checksum
            at += 4
        elif tag & 7 == 2:
            length, at = _varint(text, at)
            message, at = text[at : at + length], at + length
            place = 0
            while tag >> 3 == 2 and place < len(message):  # a dimension holds its size
                shape.append(_varint(message, place + 3)[0])
                place += 2 + message[place + 1]
        else:
            fields[tag >> 3], at = _varint(text, at)
    return fields.get(4, 0), fields[5], tuple(shape)
