"""Scan the lines of an `sacct` dump into columns.

One pass over the bytes, O(bytes), without allocation. Plain ids, numbers, times and durations are
read here, if their text follows from the number; every other value is the place of its text among
the distinct texts of its field, which a hash table with linear probing finds. The text ends with a
newline, which the caller (`schedlab.traces.slurm.sacct_lines`) ensures. Invariants: the first
`rows` places of every column are complete rows, and every table has more slots than texts.
"""

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.string cimport memchr, memcmp, memcpy

cdef enum:
    NEWLINE = 10
    RETURN = 13
    BAR = 124
    DASH = 45
    COLON = 58
    UNDERSCORE = 95
    LETTER_T = 84
    ID_DIGITS = 17  # digits of an id, so that the next ones fit an int64
    TASK_DIGITS = 9
    UNIX_DIGITS = 12
    CLOCK = 19  # characters of 2024-01-31T23:59:59
    SHORT_SPAN = 8  # characters of 23:59:59
    DAY_DIGITS = 9

cdef enum Kind:
    TEXT = 0
    JOB_ID = 1
    RAW_ID = 2
    TIME = 3
    SPAN = 4
    COUNT = 5

#: added to seconds of a local clock, which have no offset from UTC
LOCAL = 1 << 40
cdef int64_t _LOCAL = 1 << 40
cdef int[13] DAYS_BEFORE
cdef int _month
for _month in range(1, 13):
    # of a year without a leap day
    DAYS_BEFORE[_month] = (0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334)[_month - 1]


cdef inline bint is_blank(unsigned char c) noexcept nogil:
    return c == 32 or (9 <= c <= 13 and c != NEWLINE)


cdef inline bint is_digit(unsigned char c) noexcept nogil:
    return 48 <= c <= 57


cdef inline uint64_t mixed(uint64_t state, uint64_t word) noexcept nogil:
    state = (state ^ word) * <uint64_t> 0x9E3779B97F4A7C15
    return state ^ (state >> 32)


cdef inline uint64_t hash_of(const unsigned char* p, int64_t length) noexcept nogil:
    """Return a hash of a value; it depends on each byte and the length."""
    cdef uint64_t state = <uint64_t> 0x2545F4914F6CDD1D + <uint64_t> length
    cdef uint64_t word
    while length >= 8:
        memcpy(&word, p, 8)
        state = mixed(state, word)
        p += 8
        length -= 8
    word = 0
    while length > 0:
        length -= 1
        word = word << 8 | p[length]
    return mixed(state, word)


cdef inline int64_t whole(
    const unsigned char* p, const unsigned char* end, int most
) noexcept nogil:
    """Return a number of at most `most` digits, without leading zeros; -1 for another text."""
    cdef int64_t total = 0
    if p == end or end - p > most or (p[0] == 48 and end - p > 1):
        return -1
    while p < end:
        if not is_digit(p[0]):
            return -1
        total = total * 10 + (p[0] - 48)
        p += 1
    return total


cdef inline int pair(const unsigned char* p) noexcept nogil:
    """Return a number of two digits; -1 for another text."""
    if is_digit(p[0]) and is_digit(p[1]):
        return (p[0] - 48) * 10 + (p[1] - 48)
    return -1


cdef inline int64_t time_of(const unsigned char* p, const unsigned char* end) noexcept nogil:
    """Return Unix seconds, or seconds of a local clock since 1970 plus `LOCAL`; -1 for others."""
    cdef int century, year, month, day, hour, minute, second, most
    cdef int64_t days
    cdef bint leap
    if end - p != CLOCK:
        return whole(p, end, UNIX_DIGITS)
    if (
        p[4] != DASH
        or p[7] != DASH
        or p[10] != LETTER_T
        or p[13] != COLON
        or p[16] != COLON
    ):
        return -1
    century, year, month, day = pair(p), pair(p + 2), pair(p + 5), pair(p + 8)
    hour, minute, second = pair(p + 11), pair(p + 14), pair(p + 17)
    if century < 0 or year < 0 or not 1 <= month <= 12 or day < 1:
        return -1
    if not (0 <= hour < 24 and 0 <= minute < 60 and 0 <= second < 60):
        return -1
    year += 100 * century
    if year < 1970:
        return -1
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    most = 31 - (month in (4, 6, 9, 11))
    if month == 2:
        most = 28 + leap
    if day > most:
        return -1
    days = 365 * (year - 1970) + DAYS_BEFORE[month] + day - 1 + (leap and month > 2)
    # leap days of the years before
    year -= 1
    days += year // 4 - year // 100 + year // 400 - 477
    return _LOCAL + ((days * 24 + hour) * 60 + minute) * 60 + second


cdef inline int64_t span_of(const unsigned char* p, const unsigned char* end) noexcept nogil:
    """Return the seconds of a duration (``23:59:59``, ``1-23:59:59``); -1 for another text."""
    cdef int64_t days = 0
    cdef int hour, minute, second
    if end - p < SHORT_SPAN:
        return -1
    if end - p > SHORT_SPAN:
        if (end - SHORT_SPAN - 1)[0] != DASH:
            return -1
        days = whole(p, end - SHORT_SPAN - 1, DAY_DIGITS)
        if days < 1:
            return -1
        p = end - SHORT_SPAN
    if p[2] != COLON or p[5] != COLON:
        return -1
    hour, minute, second = pair(p), pair(p + 3), pair(p + 6)
    if not (0 <= hour < 24 and 0 <= minute < 60 and 0 <= second < 60):
        return -1
    return ((days * 24 + hour) * 60 + minute) * 60 + second


cdef inline int64_t bars_in(const unsigned char* p, const unsigned char* end) noexcept nogil:
    cdef int64_t bars = 0
    while p < end:
        bars += p[0] == BAR
        p += 1
    return bars


cdef inline bint all_blank(const unsigned char* p, const unsigned char* end) noexcept nogil:
    while p < end and is_blank(p[0]):
        p += 1
    return p == end


cdef inline int64_t place_of(
    const unsigned char* first,
    int64_t begin,
    int64_t stop,
    uint64_t key,
    uint64_t mask,
    int32_t* slots,
    int64_t* spans,
    int64_t* distinct,
) noexcept nogil:
    """Return the place of a text among the distinct ones of a column; add it if it is new.

    Slots have places from 1; 0 is free.
    """
    cdef uint64_t slot = key & mask
    cdef int64_t place
    while slots[slot]:
        place = slots[slot] - 1
        if (
            spans[2 * place + 1] - spans[2 * place] == stop - begin
            and memcmp(first + spans[2 * place], first + begin, stop - begin) == 0
        ):
            return place
        slot = (slot + 1) & mask
    place = distinct[0]
    spans[2 * place] = begin
    spans[2 * place + 1] = stop
    distinct[0] += 1
    slots[slot] = <int32_t> distinct[0]
    return place


def scan(
    const unsigned char[::1] text,
    const int32_t[::1] places,
    const int32_t[::1] kinds,
    bint open_end,
    bint closing,
    int64_t[::1] lines,
    int64_t[:, ::1] values,
    int64_t[::1] tasks,
    int64_t[:, ::1] hashes,
    int64_t[:, :, ::1] spans,
    int32_t[:, ::1] slots,
    int64_t[::1] distinct,
    int64_t[:, ::1] odd,
):
    """Fill the columns from `text`.

    Lines of blanks are skipped. Blanks at the ends of a value are no part of it.

    Parameters
    ----------
    text : bytes-like
        The lines; empty, or the last byte is a newline.
    places : int32 array, shape (fields,)
        The column of each field of a line, -1 for fields without one.
    kinds : int32 array, shape (columns,)
        0 text, 1 id of a job or of a task (``123_4``), 2 plain id, 3 time, 4 duration, 5 whole
        number.
    open_end : bool
        Whether the last field may contain the separator; it has no column then.
    closing : bool
        Whether a separator ends each line.
    lines : int64 array, shape (most rows,)
        Out: the line of each row, from 1.
    values : int64 array, shape (columns, most rows)
        Out: an id or whole number; Unix seconds; seconds of a local clock plus `LOCAL`; seconds of
        a duration; or, for other values and all texts, -1 minus the place of the text among the
        distinct ones of the column.
    tasks : int64 array, shape (most rows,)
        Out: the task in an id of kind 1, -1 if it is none, or another text.
    hashes : int64 array, shape (most rows, 2)
        Out: of the ids, and of all columns.
    spans : int64 array, shape (columns, most rows, 2)
        Out: first and one past the last byte of each distinct text.
    slots : int32 array, shape (columns, a power of 2 above the most rows), zeros
        Scratch: tables of distinct texts.
    distinct : int64 array, shape (columns,), zeros
        Out: numbers of distinct texts.
    odd : int64 array, shape (most odd lines, 3)
        Out: line, first and one past the last byte of lines with another number of values.

    Returns
    -------
    tuple of int
        Rows, and odd lines.
    """
    cdef:
        Py_ssize_t fields = places.shape[0]
        Py_ssize_t field
        int column
        int kind
        uint64_t mask = slots.shape[1] - 1
        uint64_t key
        uint64_t ids
        uint64_t all_columns
        int64_t line = 0
        int64_t row = 0
        int64_t odds = 0
        int64_t bars
        int64_t value
        const unsigned char* first = NULL
        const unsigned char* last = NULL
        const unsigned char* p = NULL
        const unsigned char* q = NULL
        const unsigned char* end = NULL
        const unsigned char* begin = NULL
        const unsigned char* stop = NULL
        const unsigned char* cut = NULL
    if not text.shape[0]:
        return 0, 0
    first = &text[0]
    last = first + text.shape[0]
    p = first
    with nogil:
        while p < last:
            line += 1
            begin = p
            end = <const unsigned char*> memchr(p, NEWLINE, last - p)
            p = end + 1
            while end > begin and (end - 1)[0] == RETURN:
                end -= 1
            if all_blank(begin, end):
                continue
            bars = bars_in(begin, end) - closing
            if (
                (bars != fields - 1 and not (bars >= fields and open_end))
                or (closing and (end - 1)[0] != BAR)
            ):
                odd[odds, 0] = line
                odd[odds, 1] = begin - first
                odd[odds, 2] = end - first
                odds += 1
                continue
            lines[row] = line
            tasks[row] = -1
            ids = 0
            all_columns = 0
            q = begin
            for field in range(fields):
                begin = q
                while q < end and q[0] != BAR:
                    q += 1
                stop = q
                q += 1
                column = places[field]
                if column < 0:
                    continue
                while begin < stop and is_blank(begin[0]):
                    begin += 1
                while begin < stop and is_blank((stop - 1)[0]):
                    stop -= 1
                kind = kinds[column]
                key = hash_of(begin, stop - begin)
                all_columns = mixed(all_columns, key)
                value = -1
                if kind == TIME:
                    value = time_of(begin, stop)
                elif kind == SPAN:
                    value = span_of(begin, stop)
                elif kind == COUNT:
                    value = whole(begin, stop, ID_DIGITS)
                elif kind != TEXT:
                    ids = mixed(ids, key)
                    value = whole(begin, stop, ID_DIGITS)
                    if value < 0 and kind == JOB_ID and begin < stop:
                        cut = <const unsigned char*> memchr(begin, UNDERSCORE, stop - begin)
                        if cut != NULL:
                            tasks[row] = whole(cut + 1, stop, TASK_DIGITS)
                            if tasks[row] >= 0:
                                value = whole(begin, cut, ID_DIGITS)
                if value < 0:
                    if kind == JOB_ID:
                        tasks[row] = -1
                    value = -1 - place_of(
                        first, begin - first, stop - first, key, mask,
                        &slots[column, 0], &spans[column, 0, 0], &distinct[column],
                    )
                values[column, row] = value
            hashes[row, 0] = <int64_t> ids
            hashes[row, 1] = <int64_t> all_columns
            row += 1
    return row, odds
