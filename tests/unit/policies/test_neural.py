"""Networks as policies: reading of bundles and .npz files, checks of weights, owners."""

import shutil

import numpy as np
import pandas as pd
import pytest

from schedlab.core.jobs import Jobs
from schedlab.policies import ExpressionError, get
from schedlab.policies.neural import (
    RLSCHEDULER,
    NeuralPolicy,
    from_bundle,
    from_npz,
    policy_in_file,
    write_npz,
)
from schedlab.policies.published import find_published, policy_named, published
from schedlab.queue.simulation import Run, simulate
from schedlab.traces.archive import archive_folders

LAYERS = [(np.ones((8, 2)), np.zeros(2)), (np.array([[1.0], [-1.0]]), np.array([0.5]))]


@pytest.fixture(scope="module")
def bundle():
    """Path of a published bundle in SCHEDLAB_ARCHIVE, or a skipped test."""
    for folder in archive_folders():
        for path in folder.rglob("lublin256.data"):
            return path
    pytest.skip("lublin256.data is in no folder of SCHEDLAB_ARCHIVE")


def test_a_written_policy_is_read(tmp_path):
    path = str(tmp_path / "mine.npz")
    write_npz(path, LAYERS, window=64)
    policy = policy_in_file(path)
    assert isinstance(policy, NeuralPolicy)
    assert (policy.order, policy.window, policy.features) == ("neural", 64, RLSCHEDULER)
    assert policy.layers[1][0].dtype == np.float32
    assert policy.layers[1][0].tolist() == [[1.0], [-1.0]]
    with pytest.raises(ValueError, match="no expression"):
        _ = policy.program


@pytest.mark.parametrize(
    ("layers", "what"),
    [
        ([(np.ones((7, 1)), np.zeros(1))], r"layer 0: .*must be \(8, 1\)"),
        ([LAYERS[0]], r"layer 0: .*\(8, 2\) and \(2,\), must be \(8, 1\) and \(1,\)"),
        ([LAYERS[0], (np.ones((3, 1)), np.zeros(1))], r"layer 1: .*must be \(2, 1\)"),
        ([LAYERS[0], (np.array([[np.nan], [1]]), np.zeros(1))], "layer 1: a weight is not finite"),
        ([], "it has 0 layers, must be 1 or more and 1 to 8"),
        ([LAYERS[0], *[(np.ones((2, 2)), np.zeros(2))] * 7, LAYERS[1]], "it has 9 layers"),
        ([(np.ones((8, 65)), np.zeros(65)), (np.ones((65, 1)), np.zeros(1))], "65 outputs"),
        ([(np.ones((8, 0)), np.zeros(0)), (np.ones((0, 1)), np.zeros(1))], "0 outputs, must be 1"),
    ],
)
def test_wrong_weights_are_refused(tmp_path, layers, what):
    with pytest.raises(ValueError, match=what):
        write_npz(tmp_path / "x.npz", layers)
    assert not (tmp_path / "x.npz").exists()


def test_files_that_are_none(tmp_path):
    path = tmp_path / "x.npz"
    with pytest.raises(ValueError, match=r"cannot be read as .npz"):
        from_npz(path)
    path.write_bytes(b"PK\x03\x04 cut short")
    with pytest.raises(ValueError, match=r"cannot be read as .npz"):
        from_npz(path)
    np.savez(path, kernel0=np.ones((8, 1)), features=np.array(RLSCHEDULER))
    with pytest.raises(ValueError, match="array 'bias0' is missing"):
        from_npz(path)


@pytest.mark.parametrize(
    ("key", "array", "what"),
    [
        ("kernel0", [["a"] * 2] * 8, "array 'kernel0' is <U1 of the shape .*must be numbers"),
        ("kernel0", np.full((8, 2), 1e300), "layer 0: a weight is not finite"),
        ("kernel0", np.array([None]), "Object arrays cannot be loaded"),
        ("features", [RLSCHEDULER], r"array 'features' is .*\(1, 8\), must be a row of names"),
        ("features", ["fit", *RLSCHEDULER[1:]], r"x.npz': unknown feature 'fit'; did you mean"),
        ("features", ["fits", *RLSCHEDULER[1:]], "x.npz': feature 'fits' comes twice"),
        ("window", [1, 2], r"array 'window' is int64 of the shape \(2,\), must be a whole number"),
        ("window", np.nan, "array 'window' is float64 .*must be a whole number"),
        ("window", 0, "its window is 0"),
    ],
)
def test_arrays_of_another_kind(tmp_path, key, array, what):
    path = tmp_path / "x.npz"
    write_npz(path, LAYERS)
    with np.load(path) as arrays:
        arrays = dict(arrays) | {key: np.array(array)}
    np.savez(path, **arrays)
    with pytest.raises(ValueError, match=what):
        from_npz(path)


def test_a_window_may_be_larger_than_any_queue(tmp_path):
    path = str(tmp_path / "x.npz")
    jobs = Jobs([1, 2, 3], [0, 0, 0], [5, 5, 5], [9, 9, 9], [1, 2, 2])
    starts = []
    for window in (3, 10**12):
        write_npz(path, LAYERS, window=window)
        run = Run(jobs, 3, policy_in_file(path), reservations="head")
        starts.append(simulate(run).start.tolist())
    assert starts[0] == starts[1]


@pytest.mark.parametrize("name", ["rl_lublin256", "RL_Lublin256"])
def test_names_of_neural_policies_where_an_expression_is_needed(name):
    with pytest.raises(ExpressionError, match=rf"^policy '{name}' is neural: it has no expression"):
        get(name)
    with pytest.raises(ExpressionError, match="did you mean 'rl_lublin256'"):
        get("rl_lublin25")


def test_owners_and_largest_values_of_a_log():
    policy = NeuralPolicy("x", "x", "x", layers=tuple(LAYERS), features=RLSCHEDULER)
    frame = pd.DataFrame(
        {"number": [1, 2], "runtime": [5, 90], "estimate": [7, 100], "user": [3, -1]}
    )
    bound = policy.of_log(frame)
    assert bound.largest == {
        "estimate": 90, "memory": 1, "user": 3, "group": 1, "executable": 1,
    }  # fmt: skip
    assert bound.owners["user"].tolist() == [3, -1]
    assert bound.owners["group"].tolist() == [-1, -1]


@pytest.mark.logs
def test_a_published_bundle(bundle):
    """Layers are where the published layout says: biases, moments, kernels after four values."""
    policy = from_bundle(bundle)
    assert [kernel.shape for kernel, _ in policy.layers] == [(8, 32), (32, 16), (16, 8), (8, 1)]
    values, at = np.fromfile(bundle, "<f4"), 4
    for kernel, bias in policy.layers:
        assert np.array_equal(bias, values[at : at + bias.size])
        at += 3 * bias.size
        assert np.array_equal(kernel.ravel(), values[at : at + kernel.size])
        at += 3 * kernel.size


@pytest.mark.logs
def test_damaged_bundles(bundle, tmp_path):
    data, index = tmp_path / "x.data", tmp_path / "x.index"
    shutil.copyfile(bundle, data)
    with pytest.raises(ValueError, match=r"x.index is missing"):
        policy_in_file(str(data))
    text = bundle.with_suffix(".index").read_bytes()
    index.write_bytes(text[:-9])
    with pytest.raises(ValueError, match=r"x.index: 2324 bytes, must be 2333"):
        policy_in_file(str(index))
    index.write_bytes(text)
    values = bundle.read_bytes()
    data.write_bytes(values[:-4])
    with pytest.raises(ValueError, match="150384 bytes, must be 150388"):
        from_bundle(data)
    numbers = np.frombuffer(values, "<f4").copy()
    numbers[4 + 2 * 32] = -1e-9  # a second moment of the first bias
    data.write_bytes(numbers.tobytes())
    with pytest.raises(ValueError, match=r"x.data: layer 0: a second moment is negative"):
        from_bundle(data)
    numbers[4 + 2 * 32], numbers[4] = 0, np.nan
    data.write_bytes(numbers.tobytes())
    with pytest.raises(ValueError, match="layer 0: a weight is not finite"):
        from_bundle(data)


@pytest.mark.logs
@pytest.mark.parametrize("name", published())
def test_published_policies_are_found_by_name(bundle, name):
    policy = policy_named(name.upper())
    assert (policy.name, policy.label) == (name, published()[name].label)


def test_a_published_policy_that_is_not_available(tmp_path):
    with pytest.raises(ValueError, match=r"log not available: put lublin256.data and lublin256"):
        find_published("rl_lublin256", [tmp_path])


@pytest.mark.logs
def test_a_published_policy_with_another_checksum(bundle, tmp_path):
    numbers = np.fromfile(bundle, "<f4")
    numbers[-1] += 1  # of the value network, which is not read
    numbers.tofile(tmp_path / "lublin256.data")
    shutil.copyfile(bundle.with_suffix(".index"), tmp_path / "lublin256.index")
    with pytest.raises(ValueError, match=r"lublin256.data: wrong checksum"):
        find_published("rl_lublin256", [tmp_path])
    shutil.copyfile(bundle, tmp_path / "lublin256.data")
    assert find_published("rl_lublin256", [tmp_path]).label == "RL-Lublin-256"
    with (tmp_path / "lublin256.index").open("r+b") as index:
        index.write(b"\0\0\6\11")  # the version in the header
    with pytest.raises(ValueError, match=r"lublin256.index: wrong checksum"):
        find_published("rl_lublin256", [tmp_path])
