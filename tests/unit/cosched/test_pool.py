"""Pools: what is read, what stays unknown, and errors that name the place."""

import json

import numpy as np
import pytest

from schedlab.cosched.pairs import effects
from schedlab.cosched.pool import Pool, PoolError, printed_name, read_pool

TABLE4_1 = "resources/kellari2025/table4_1.tsv"


def load(*cells):
    fields = ("load_name", "num_of_processes", "compact_timelogs", "coscheduled_timelogs")
    return dict(zip(fields, cells, strict=True))


LOADS = [
    load("b.D.16", 16, [10.0, 30.0, 20.0], {"a.D.16": [[8.0, 12.0], [10.0]]}),
    load("a.D.16", 16, [6.0], {"b.D.16": [[5.0]], "a.D.16": [[3.0, 4.0, 9.0], [5.0]]}),
]


@pytest.fixture
def write(tmp_path):
    def to_file(loads):
        path = tmp_path / "pool.json"
        path.write_text(json.dumps({"loads": [json.dumps(load) for load in loads]}))
        return path

    return to_file


def test_times_are_medians_and_a_pair_with_itself_is_the_mean_of_two(write):
    pool = read_pool(write(LOADS))
    assert pool.names == ("a.D.16", "b.D.16")
    assert pool.compact.tolist() == [6, 20]
    assert pool.coscheduled[0].tolist() == [4.5, 5]
    assert pool.coscheduled[1, 0] == 10
    assert pool.speedup[1, 0] == 2
    assert np.isnan(pool.speedup[1, 1])
    assert pool.measured.tolist() == [[True, True], [True, False]]


def test_frame_gives_the_pool_back(write):
    pool = read_pool(write(LOADS), "mine")
    again = Pool.from_frame(pool.to_frame())
    assert (again.names, again.label) == (pool.names, "mine")
    np.testing.assert_array_equal(again.coscheduled, pool.coscheduled)
    np.testing.assert_array_equal(again.measured, pool.measured)


@pytest.mark.parametrize("wrong", [-1, 0, float("inf"), float("nan"), "x", None, True])
def test_impossible_time_is_named_with_file_application_and_field(write, wrong):
    path = write([load("a.D.16", 16, [6.0, wrong], {})])
    with pytest.raises(PoolError, match=r"pool\.json: application 'a.D.16': field 'compact_tim"):
        read_pool(path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"compact_timelogs": []}, "field 'compact_timelogs': no times"),
        ({"coscheduled_timelogs": {"b.D.16": []}}, r"field 'coscheduled_timelogs.b.D.16': no runs"),
        ({"coscheduled_timelogs": {"c.D.16": [[1]]}}, "its partner 'c.D.16' has no entry"),
        ({"num_of_processes": 0}, "field 'num_of_processes': 0 is not a whole number from 1"),
        ({"num_of_processes": 10**12}, "field 'num_of_processes': 1000000000000 is not a whole"),
        ({"compact_timelogs": [10**400]}, "field 'compact_timelogs': 1000.* is not a time"),
        ({"coscheduled_timelogs": [[1.0]]}, "'coscheduled_timelogs': not an object of partners"),
        ({"load_name": 7}, "application 2: field 'load_name': 7 is not a name"),
        ({"load_name": "b.D.16"}, "'b.D.16': appears twice"),
    ],
)
def test_impossible_entry_is_named(write, change, message):
    with pytest.raises(PoolError, match=message):
        read_pool(write([LOADS[0], LOADS[1] | change]))


@pytest.mark.parametrize("text", ["", "[]", '{"loads": 3}', '{"loads": ["{"]}', '{"loads": ["1"]}'])
def test_invalid_pool_file_is_an_error(tmp_path, text):
    path = tmp_path / "pool.json"
    path.write_text(text)
    with pytest.raises(PoolError, match=r"pool\.json: "):
        read_pool(path)


def test_application_that_is_not_in_the_pool_is_named(write):
    with pytest.raises(PoolError, match=r"application 'c\.D\.16' is not in the pool"):
        read_pool(write(LOADS)).index(["a.D.16", "c.D.16"])


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("a,16,5,b,16,6,-4", r"pairs\.csv:3: application 'a': field 'co_A_B': -4 is not a time"),
        ("a,16,,b,16,6,4", r"pairs\.csv:3: application 'a': field 'compact_A': '' is not a time"),
        ("a,16,5,b,0,6,4", r"pairs\.csv:3: application 'b': field 'procs_B': '0' is not a whole"),
        ("b,16,7,a,16,5,4", r"application 'b': field 'compact_A': 7 here and 6 above"),
        ("a,16,5,b,16,6,3", r"field 'co_A_B': with 'b': 3 here and 4 above"),
        ("a,16,5,b,16,6", r"pairs\.csv:3: not the header's 7 cells"),
        ("a,16,5,b,16,6,4,9", r"pairs\.csv:3: not the header's 7 cells"),
        ("a,16,5,,16,6,4", r"pairs\.csv:3: field 'name_B': '' is not a name"),
    ],
)
def test_invalid_table_is_named_with_line_and_field(tmp_path, row, message):
    path = tmp_path / "pairs.csv"
    header = "name_A,procs_A,compact_A,name_B,procs_B,compact_B,co_A_B"
    path.write_text(f"{header}\na,16,5,b,16,6,4\n{row}\n")
    with pytest.raises(PoolError, match=message):
        read_pool(path)
    path.write_text("")
    with pytest.raises(PoolError, match="column 'name_A' is missing"):
        read_pool(path)


def test_table4_1_has_31_applications_and_the_pairs_of_one(root):
    pool = read_pool(root / TABLE4_1)
    row = pool.names.index("bt.D.256")
    assert len(pool) == 31
    assert pool.measured.sum() == 53
    assert (pool.measured[row] == pool.measured[:, row]).all()
    assert pool.coscheduled[row, row] == pytest.approx((119.62 + 119.40) / 2)


def test_completed_pool_keeps_measurements_and_names_its_method(root):
    pool = read_pool(root / TABLE4_1, "Table 4.1")
    full = pool.completed(effects(pool.speedup), "completed")
    assert not np.isnan(full.speedup).any()
    np.testing.assert_array_equal(full.coscheduled[pool.measured], pool.coscheduled[pool.measured])
    np.testing.assert_array_equal(full.measured, pool.measured)
    assert full.label == "Table 4.1, completed"


def test_names_are_printed_with_powers_of_two():
    assert [printed_name(name) for name in ("sp.D.121", "bt.E.2025")] == ["sp.D.128", "bt.E.2048"]


@pytest.mark.logs
def test_aris_pool_matches_its_tables(raw_pool):
    pool = read_pool(raw_pool("aris-nas"))
    assert (len(pool), int(pool.measured.sum())) == (33, 809)
    place = dict(zip(pool.names, range(33), strict=True))
    assert pool.compact[place["bt.D.256"]] == pytest.approx(123.965)
    assert pool.speedup[place["bt.D.256"], place["ep.E.256"]] == pytest.approx(1.085318, abs=1e-6)
    assert pool.speedup[place["ep.E.256"], place["bt.D.256"]] == pytest.approx(1.002645, abs=1e-6)
