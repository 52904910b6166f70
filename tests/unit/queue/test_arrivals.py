"""The hash table's order, compared with MurmurHash3 and a table in plain Python."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedlab.queue.arrivals import hashes, table_walk
from twins.one_pass import murmur, table_order


@given(st.lists(st.integers(0, 2**40)))
def test_hash_equals_murmurhash3_of_a_word(numbers):
    assert hashes(numbers).tolist() == [murmur(number) for number in numbers]


def test_hash_of_many_numbers_equals_murmurhash3():
    assert hashes(range(3000)).tolist() == [murmur(number) for number in range(3000)]


@pytest.mark.parametrize("count", [0, 1, 2048, 2049, 4096, 4097, 9000])
def test_a_table_is_walked_bucket_by_bucket_around_each_doubling(count):
    numbers = [7 * place % 10_007 for place in range(count)]
    assert [numbers[place] for place in table_walk(numbers)] == table_order(numbers)
