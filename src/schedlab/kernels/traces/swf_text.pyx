"""Write the columns of a Standard Workload Format log as text.

One pass over the jobs, O(bytes written), without allocation; the inverse of `swf_scan`. A number is
written from its last digit, two at a time. Invariant: `length` bytes are written, all of them whole
fields.
"""

from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memcpy

cdef enum:
    CPU_TIME = 5  # counted from 0
    NEWLINE = 10
    BLANK = 32
    MINUS = 45

cdef unsigned char[200] PAIRS
cdef int _pair
for _pair in range(100):
    PAIRS[2 * _pair] = 48 + _pair // 10
    PAIRS[2 * _pair + 1] = 48 + _pair % 10


cdef inline int64_t write_whole(int64_t value, unsigned char* out) noexcept nogil:
    """Write a whole number and return how many bytes it has."""
    cdef int64_t sign = value < 0
    cdef uint64_t rest = <uint64_t> -value if value < 0 else <uint64_t> value
    cdef uint64_t bound = 10
    cdef int64_t length = 1 + sign
    cdef int64_t place
    out[0] = MINUS
    if rest < 10:
        out[sign] = <unsigned char> (48 + rest)
        return length
    while rest >= bound:
        length += 1
        bound *= 10
    place = length
    while rest >= 100:
        place -= 2
        memcpy(out + place, &PAIRS[2 * (rest % 100)], 2)
        rest = rest // 100
    if rest >= 10:
        memcpy(out + place - 2, &PAIRS[2 * rest], 2)
    else:
        out[place - 1] = <unsigned char> (48 + rest)
    return length


def write_lines(
    const int64_t[:, ::1] values,
    const unsigned char[::1] texts,
    const int64_t[::1] stops,
    unsigned char[::1] out,
):
    """Write a line for each job and return the number of bytes.

    Parameters
    ----------
    values : int64 array, shape (18, n)
        The fields, above -10¹⁸ and below 10¹⁸.
    texts : bytes-like
        CPU times one after the other, if they are no whole numbers; else any byte.
    stops : int64 array, shape (n,) or (0,)
        One past the last byte of each text; empty if CPU times are in `values`.
    out : uint8 array
        Out: the lines; it has room for them.
    """
    cdef:
        Py_ssize_t fields = values.shape[0]
        Py_ssize_t jobs = values.shape[1]
        Py_ssize_t job
        Py_ssize_t field
        bint has_texts = stops.shape[0] > 0
        int64_t begin = 0
        int64_t length = 0
    with nogil:
        for job in range(jobs):
            for field in range(fields):
                if field == CPU_TIME and has_texts:
                    memcpy(&out[length], &texts[begin], stops[job] - begin)
                    length += stops[job] - begin
                    begin = stops[job]
                else:
                    length += write_whole(values[field, job], &out[length])
                out[length] = NEWLINE if field == fields - 1 else BLANK
                length += 1
    return length
