"""The hash table's order, compared with MurmurHash3 and a table in plain Python."""

import doctest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedlab.queue import arrivals
from schedlab.queue.arrivals import hashes, table_walk


def rotate_left(x: int, bits: int) -> int:
    return (x << bits | x >> (32 - bits)) % 2**32


def murmur(number: int) -> int:
    """MurmurHash3 of one 32-bit word, seed 0, as OCaml's caml_hash has it of 2 n + 1."""
    tagged = 2 * number + 1
    word = (tagged ^ tagged >> 32) % 2**32
    word = rotate_left(word * 3432918353 % 2**32, 15) * 461845907 % 2**32
    h = (rotate_left(word, 13) * 5 + 3864292196) % 2**32
    h = (h ^ h >> 16) * 2246822507 % 2**32
    h = (h ^ h >> 13) * 3266489909 % 2**32
    return (h ^ h >> 16) % 2**30


def table_order(numbers: list[int]) -> list[int]:
    """Enter numbers one by one, the newest first in its bucket; double where it is too full."""
    table = [[] for _ in range(1024)]
    for place, number in enumerate(numbers):
        table[murmur(number) % len(table)].insert(0, place)
        if place + 1 > 2 * len(table):
            old, table = table, [[] for _ in range(2 * len(table))]
            for bucket in old:
                for entry in bucket:
                    table[murmur(numbers[entry]) % len(table)].append(entry)
    return [entry for bucket in table for entry in bucket]


def test_the_examples_run():
    assert doctest.testmod(arrivals).failed == 0


@given(st.lists(st.integers(0, 2**40)))
def test_hash_equals_murmurhash3_of_a_word(numbers):
    assert hashes(numbers).tolist() == [murmur(number) for number in numbers]


def test_hash_of_many_numbers_equals_murmurhash3():
    assert hashes(range(3000)).tolist() == [murmur(number) for number in range(3000)]


@pytest.mark.parametrize("count", [0, 1, 2048, 2049, 4096, 4097, 9000])
def test_a_table_is_walked_bucket_by_bucket_around_each_doubling(count):
    numbers = [7 * place % 10_007 for place in range(count)]
    assert table_walk(numbers).tolist() == table_order(numbers)
