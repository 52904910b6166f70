"""Neural policies: a small network scores each waiting job, and the largest logit runs first.

Input is a published TensorFlow bundle (``.data`` and ``.index``, read without TensorFlow) or an
``.npz`` file. Output is a `NeuralPolicy`. What the inputs mean is in `schedlab.policies.features`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
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
#: published bundles: widths of the policy network, values before it, and sizes of both files
WIDTHS, SKIPPED, DATA_BYTES, INDEX_BYTES = (8, 32, 16, 8, 1), 4, 150_388, 2_333


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
        width, last = len(self.features), len(self.layers) - 1
        if self.window < 1 or last < 0:
            raise ValueError(f"policy '{self.name}': it needs a window and layers of at least 1")
        for number, (kernel, bias) in enumerate(self.layers):
            outputs = 1 if number == last else bias.size
            if kernel.shape != (width, outputs) or bias.shape != (outputs,):
                raise ValueError(
                    f"policy '{self.name}': layer {number}: kernel and bias have the shapes "
                    f"{kernel.shape} and {bias.shape}, must be ({width}, {outputs}) and "
                    f"({outputs},); the inputs are {', '.join(self.features)}"
                )
            if not (np.isfinite(kernel).all() and np.isfinite(bias).all()):
                raise ValueError(
                    f"policy '{self.name}': layer {number}: a weight is not finite; export the "
                    "weights again"
                )
            width = outputs

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
        """Return the policy with owners and largest values of a log; see `known_of`."""
        owners, largest = known_of(frame)
        return replace(self, owners=owners, largest=largest)


def from_npz(path: str | Path, name: str | None = None) -> NeuralPolicy:
    """Return the policy of an ``.npz`` file, as `write_npz` writes it; the path is its usual name.

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
    count = max(sum(key.startswith("kernel") for key in values), 1)
    needed = [f"{kind}{layer}" for layer in range(count) for kind in ("kernel", "bias")]
    if missing := [key for key in (*needed, "features") if key not in values]:
        raise ValueError(f"{path}: array '{missing[0]}' is missing; there are {', '.join(values)}")
    arrays = [values[key].astype("f4") for key in needed]
    features, window = values["features"].tolist(), int(values.get("window", 128))
    return _policy(name or str(path), zip(arrays[::2], arrays[1::2], strict=True), features, window)


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
    single = [(np.asarray(kernel, "f4"), np.asarray(bias, "f4")) for kernel, bias in layers]
    _policy(str(path), single, features, window)
    arrays = {f"kernel{layer}": kernel for layer, (kernel, _) in enumerate(single)}
    arrays |= {f"bias{layer}": bias for layer, (_, bias) in enumerate(single)}
    np.savez(path, features=np.array(features), window=np.array(window), **arrays)


def from_bundle(path: str | Path, name: str | None = None) -> NeuralPolicy:
    """Return the policy network of a TensorFlow bundle that RLScheduler published.

    Its ``.data`` has little-endian float32 values: `SKIPPED` of training, then of each layer the
    bias, its two moments of Adam, the kernel and its two moments; other networks follow. `path` is
    the ``.data`` or the ``.index`` file, and the policy's usual name.

    Raises
    ------
    ValueError
        A file is missing or has another size, a second moment is negative, so that values are not
        where they must be, or a weight is not finite.
    """
    data, index = Path(path).with_suffix(".data"), Path(path).with_suffix(".index")
    for file, size in ((data, DATA_BYTES), (index, INDEX_BYTES)):
        if not file.is_file():
            raise ValueError(f"{path}: {file.name} is missing; a bundle is .data and .index")
        if file.stat().st_size != size:
            raise ValueError(
                f"{file}: {file.stat().st_size} bytes, must be {size} in a bundle of RLScheduler; "
                "copy it again, or export the network with schedlab.policies.neural.write_npz"
            )
    values, at, layers = np.fromfile(data, "<f4").astype("f4"), SKIPPED, []
    for shape in pairwise(WIDTHS):
        tensors = []
        for size in (shape[1], shape[0] * shape[1]):
            tensor, _, second = values[at : at + 3 * size].reshape(3, size)
            if (second < 0).any():
                raise ValueError(f"{data}: layer {len(layers)}: a second moment is negative")
            tensors.append(tensor)
            at += 3 * size
        layers.append((tensors[1].reshape(shape), tensors[0]))
    return _policy(name or str(path), layers, RLSCHEDULER)


def policy_in_file(place: str) -> Policy:
    """Return the policy in a file: a network, or ``file.py:function``.

    Raises ValueError as `from_npz`, `from_bundle` and `schedlab.policies.functions.from_file` do.
    """
    if not place.endswith(NETWORKS):
        return from_file(place)
    return from_npz(place) if place.endswith(".npz") else from_bundle(place)


def _policy(
    name: str,
    layers: Iterable[tuple[np.ndarray, np.ndarray]],
    features: Sequence[str],
    window: int = 128,
) -> NeuralPolicy:
    return NeuralPolicy(
        name, name, name, layers=tuple(layers), features=tuple(features), window=window
    )
