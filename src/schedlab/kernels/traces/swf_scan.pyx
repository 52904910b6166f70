"""Scan the text of a Standard Workload Format log into columns.

One pass over the bytes, O(bytes), without allocation. The text ends with a newline, which the
caller (`schedlab.traces.swf`) ensures, so every loop over the characters of a number or of a blank
terminates. Invariants: the first `jobs` places of every column are complete rows, and `line` is
the number of the line that contains `p`.
"""

from libc.stdint cimport int64_t
from libc.string cimport memchr

cdef enum:
    FIELDS = 18
    CPU_TIME = 5  # the one field with a fraction, counted from 0
    # times and amounts of memory, by place: their fractions are rounded
    MEASURED = 1 << 1 | 1 << 2 | 1 << 3 | 1 << 6 | 1 << 8 | 1 << 9 | 1 << 17
    EXACT_DIGITS = 15  # up to so many digits over a power of ten divide to the nearest double
    WHOLE_DIGITS = 18  # digits that always fit an int64
    NEWLINE = 10
    SEMICOLON = 59

cdef enum Fault:
    NONE = 0
    MISSING = 1
    NOT_A_NUMBER = 2
    NOT_WHOLE = 3
    OUT_OF_RANGE = 4

cdef double[16] TENS
cdef int _place
TENS[0] = 1.0
for _place in range(1, 16):
    TENS[_place] = TENS[_place - 1] * 10.0


cdef inline bint is_blank(unsigned char c) noexcept nogil:
    return c == 32 or (9 <= c <= 13 and c != NEWLINE)


cdef inline bint is_digit(unsigned char c) noexcept nogil:
    return 48 <= c <= 57


cdef inline const unsigned char* skip_blanks(const unsigned char* p) noexcept nogil:
    while is_blank(p[0]):
        p += 1
    return p


cdef inline const unsigned char* skip_token(const unsigned char* p) noexcept nogil:
    while p[0] != NEWLINE and not is_blank(p[0]):
        p += 1
    return p


cdef Fault parse_whole(
    const unsigned char** place, int64_t* value, bint rounds, int64_t* rounded
) noexcept nogil:
    """Read an integer, written as 123 or as 123.00, and move `place` past it.

    If it `rounds`, other fractions are rounded, halves away from 0, and counted.
    """
    cdef:
        const unsigned char* p = place[0]
        const unsigned char* digits
        bint negative = p[0] == 45
        bint up
        int64_t total = 0
    if negative or p[0] == 43:
        p += 1
    digits = p
    while is_digit(p[0]):
        if p - digits == WHOLE_DIGITS:
            return OUT_OF_RANGE
        total = total * 10 + (p[0] - 48)
        p += 1
    if p == digits:
        return NOT_A_NUMBER
    if p[0] == 46:
        p += 1
        up = 53 <= p[0] <= 57
        while p[0] == 48:
            p += 1
        if is_digit(p[0]):
            if not rounds:
                return NOT_WHOLE
            while is_digit(p[0]):
                p += 1
            total += up
            rounded[0] += 1
    if p[0] != NEWLINE and not is_blank(p[0]):
        return NOT_A_NUMBER
    value[0] = -total if negative else total
    place[0] = p
    return NONE


cdef Fault parse_long_decimal(const unsigned char** place, double* value) noexcept nogil:
    """Read a decimal of many digits or with an exponent, to the nearest double (slow path)."""
    cdef:
        const unsigned char* begin = place[0]
        const unsigned char* p = begin
    while p[0] != NEWLINE and not is_blank(p[0]):
        if not is_digit(p[0]) and p[0] not in (43, 45, 46, 69, 101):  # + - . E e
            return NOT_A_NUMBER
        p += 1
    with gil:
        try:
            value[0] = float((<const char*> begin)[:p - begin])
        except ValueError:
            return NOT_A_NUMBER
    if value[0] - value[0] != 0.0:
        return OUT_OF_RANGE
    place[0] = p
    return NONE


cdef Fault parse_decimal(const unsigned char** place, double* value) noexcept nogil:
    """Read a number with or without a fraction and move `place` past it."""
    cdef:
        const unsigned char* p = place[0]
        bint negative = p[0] == 45
        int64_t total = 0
        int digits = 0
        int fraction = 0
    if negative or p[0] == 43:
        p += 1
    while is_digit(p[0]) and digits <= EXACT_DIGITS:
        total = total * 10 + (p[0] - 48)
        digits += 1
        p += 1
    if p[0] == 46:
        p += 1
        while is_digit(p[0]) and digits <= EXACT_DIGITS:
            total = total * 10 + (p[0] - 48)
            digits += 1
            fraction += 1
            p += 1
    if digits == 0 or digits > EXACT_DIGITS or (p[0] != NEWLINE and not is_blank(p[0])):
        return parse_long_decimal(place, value)
    value[0] = (-total if negative else total) / TENS[fraction]
    place[0] = p
    return NONE


def scan(
    const unsigned char[::1] text,
    int64_t[:, ::1] whole,
    double[::1] cpu_time,
    int64_t[::1] lines,
    int64_t[:, ::1] comments,
    int64_t[:, ::1] further,
):
    """Fill the columns from `text` until its end or the first fault.

    Times and amounts of memory may have fractions, which are rounded.

    Parameters
    ----------
    text : bytes-like
        The log; empty, or its last byte is a newline.
    whole : int64 array, shape (18, lines of the text)
        Out: the fields by row; row 5 (CPU time) is not changed.
    cpu_time : float64 array, shape (lines of the text,)
        Out: field 6.
    lines : int64 array, shape (lines of the text,)
        Out: the line of each job, from 1.
    comments : int64 array, shape (lines of the text, 2)
        Out: first and one past the last byte of each comment, without its semicolon.
    further : int64 array, shape (lines of the text, 2)
        Out: first and one past the last byte of the text after a job's 18th field.

    Returns
    -------
    tuple of int
        jobs; comments; jobs with more than 18 fields; the most fields on a line; rounded values;
        fault (0 none, 1 missing, 2 not a number, 3 not whole, 4 out of range) and, of the fault,
        line and field from 1, first and one past the last byte.
    """
    cdef:
        const unsigned char* first = NULL
        const unsigned char* p = NULL
        const unsigned char* end = NULL
        int64_t line = 0
        int64_t jobs = 0
        int64_t remarks = 0
        int64_t wide = 0
        int64_t rounded = 0
        int64_t most = 0
        int64_t fields
        int field = 0
        Fault fault = NONE
    if not text.shape[0]:
        return 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
    first = &text[0]
    p = first
    end = first + text.shape[0]
    with nogil:
        while p < end:
            line += 1
            p = skip_blanks(p)
            if p[0] == NEWLINE:
                p += 1
                continue
            if p[0] == SEMICOLON:
                comments[remarks, 0] = p + 1 - first
                p = <const unsigned char*> memchr(p, NEWLINE, end - p)
                comments[remarks, 1] = p - first
                remarks += 1
                p += 1
                continue
            for field in range(FIELDS):
                if p[0] == NEWLINE:
                    fault = MISSING
                elif field == CPU_TIME:
                    fault = parse_decimal(&p, &cpu_time[jobs])
                else:
                    fault = parse_whole(&p, &whole[field, jobs], MEASURED >> field & 1, &rounded)
                if fault != NONE:
                    break
                p = skip_blanks(p)
            if fault != NONE:
                break
            further[jobs, 0] = p - first
            if p[0] != NEWLINE:
                fields = FIELDS
                while p[0] != NEWLINE:
                    fields += 1
                    p = skip_blanks(skip_token(p))
                wide += 1
                most = max(most, fields)
            further[jobs, 1] = p - first
            lines[jobs] = line
            jobs += 1
            p += 1
    if fault == NONE:
        return jobs, remarks, wide, most, rounded, 0, 0, 0, 0, 0
    return (jobs, remarks, wide, most, rounded, <int> fault, line, field + 1, p - first,
            skip_token(p) - first)
