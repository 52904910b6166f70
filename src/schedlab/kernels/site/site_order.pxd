# The queue in order, priorities, and the fair tree with its usage.
#
# Invariant: `order` is sorted by advance reservation, tier, priority, then pair. Cost: O(log
# waiting) and a move per arrival; a natural merge sort when priorities are calculated again, which
# is O(waiting) where age alone moved them.

from libc.math cimport INFINITY, pow
from libc.stdint cimport int32_t, int64_t
from libc.string cimport memcpy, memmove

from schedlab.kernels.site.site_state cimport FIRST_GRES, Site

cdef enum:
    OF_PARENT = -1                      # shares of a user that counts as its account


cdef inline bint is_before(const Site* s, int32_t a, int32_t b) noexcept nogil:
    cdef int64_t left, right
    cdef bint first, second             # whether they are in advance reservations
    left, right = s.rank_level[s.pair_rank[a]], s.rank_level[s.pair_rank[b]]
    if left != right:
        return left > right
    first, second = s.reservation[s.pair_job[a]] >= 0, s.reservation[s.pair_job[b]] >= 0
    if first != second:
        return first
    left, right = s.tier[s.pair_partition[a]], s.tier[s.pair_partition[b]]
    if left != right:
        return left > right
    if s.priority[a] != s.priority[b]:
        return s.priority[a] > s.priority[b]
    return a < b


cdef inline void tidy(Site* s) noexcept nogil:
    # Leave out pairs whose job has started.
    cdef int32_t k, count = 0
    if s.alive == s.waits:
        return
    for k in range(s.waits):
        if s.start[s.pair_job[s.order[k]]] < 0:
            s.order[count] = s.order[k]
            count += 1
    s.waits = count


cdef inline int32_t enter(Site* s, int32_t pair) noexcept nogil:
    # Put a pair into the queue; return its place.
    cdef int32_t low = 0, high = s.waits, middle
    while low < high:
        middle = (low + high) >> 1
        if is_before(s, s.order[middle], pair):
            low = middle + 1
        else:
            high = middle
    memmove(s.order + low + 1, s.order + low, (s.waits - low) * sizeof(int32_t))
    s.order[low] = pair
    s.waits += 1
    s.alive += 1
    return low


cdef inline void sort(Site* s) noexcept nogil:
    # Natural merge sort: runs that are in order are merged until there is one.
    cdef int32_t first, middle, last, a, b, to, runs
    cdef int32_t* swap
    while True:
        first = to = runs = 0
        while first < s.waits:
            middle = first + 1
            while middle < s.waits and not is_before(s, s.order[middle], s.order[middle - 1]):
                middle += 1
            last = middle
            if middle < s.waits:
                last = middle + 1
                while last < s.waits and not is_before(s, s.order[last], s.order[last - 1]):
                    last += 1
            a, b = first, middle
            while a < middle or b < last:
                if b == last or (a < middle and not is_before(s, s.order[b], s.order[a])):
                    s.other[to] = s.order[a]
                    a += 1
                else:
                    s.other[to] = s.order[b]
                    b += 1
                to += 1
            runs += 1
            first = last
        swap = s.order
        s.order, s.other = s.other, swap
        if runs <= 1:
            return


cdef inline int64_t priority_of(const Site* s, int32_t pair) noexcept nogil:
    cdef int32_t job = s.pair_job[pair]
    cdef int64_t age
    cdef double value = s.points[pair] + s.extra[job]
    if s.rules.multifactor:
        age = min(s.now - s.accrue[job], s.rules.max_age)
        if s.rules.max_age:
            value += <double>(s.rules.weight_age * age) / <double>s.rules.max_age
        value += <double>s.rules.weight_fairshare * s.factor[s.association[job]]
        value = min(max(value, 1.0), 4294967295.0)
    return <int64_t>value


cdef inline double level_of(const Site* s, int64_t place, double every) noexcept nogil:
    # Shares relative to usage among siblings.
    cdef int64_t above = s.parent[place]
    cdef double whole, used
    if s.shares[place] == OF_PARENT:
        return INFINITY
    if s.shares[place] == 0:
        return 0.0
    whole = s.usage[above] if above >= 0 else 0.0
    used = s.usage[place] / whole if whole > 0 else 0.0
    return <double>s.shares[place] / every / used if used > 0 else INFINITY


cdef inline bint is_higher(const Site* s, int32_t a, int32_t b) noexcept nogil:
    if s.level[a] != s.level[b]:
        return s.level[a] > s.level[b]
    if s.is_user[a] != s.is_user[b]:
        return s.is_user[a] > s.is_user[b]
    return a < b


cdef inline void rank_below(
    Site* s, int32_t above, bint tied, int32_t* rank, int32_t* count
) noexcept nogil:
    # Give the users below an association their factors, from the highest level on.
    cdef int32_t k, j, place, before = -1, first = s.child_of[above], last = s.child_of[above + 1]
    cdef double every = 0
    cdef bint same
    for k in range(first, last):
        if s.shares[s.child[k]] != OF_PARENT:
            every += s.shares[s.child[k]]
    for k in range(first, last):
        place = s.child[k]
        s.level[place] = level_of(s, place, every)
    for k in range(first + 1, last):
        place = s.child[k]
        j = k
        while j > first and is_higher(s, place, s.child[j - 1]):
            s.child[j] = s.child[j - 1]
            j -= 1
        s.child[j] = place
    for k in range(first, last):
        place = s.child[k]
        same = tied if before < 0 else s.level[place] == s.level[before]
        before = place
        if s.is_user[place]:
            if not same:
                rank[0] = count[0]
            s.factor[place] = <double>rank[0] / <double>s.members_count
            count[0] -= 1
        else:
            rank_below(s, place, same, rank, count)


cdef inline void fair_tree(Site* s) noexcept nogil:
    cdef int32_t rank = s.members_count, count = s.members_count
    rank_below(s, 0, False, &rank, &count)


cdef inline void charge(Site* s, int32_t job, int64_t seconds) noexcept nogil:
    # Add what a job has used in its last seconds to its association and all above.
    cdef double used = s.billed[job] * <double>seconds * pow(s.rules.decay, <double>seconds)
    cdef int64_t place = s.association[job]
    while place >= 0:
        s.usage[place] += used
        place = s.parent[place]


cdef inline void recalculate(Site* s) noexcept nogil:
    # Usage, fair tree and priorities at the beginning of a period.
    cdef int32_t k
    cdef double f = pow(s.rules.decay, <double>(s.now - s.last))
    for k in range(s.associations):
        s.usage[k] *= f
    for k in range(s.runs):
        charge(s, s.by_start[k], s.now - max(s.last, s.start[s.by_start[k]]))
    s.last = s.now
    fair_tree(s)
    tidy(s)
    s.valid = s.quiet = s.now
    for k in range(s.waits):
        s.priority[s.order[k]] = priority_of(s, s.order[k])
    sort(s)


cdef inline double billing_of(const Site* s, int32_t pair) noexcept nogil:
    # Billing of a running job per second, from its amounts.
    cdef const double* weights = s.billing + s.pair_partition[pair] * (FIRST_GRES + s.kinds)
    cdef double total = 0, part, most = 0
    cdef int32_t k
    for k in range(FIRST_GRES + s.kinds):
        part = weights[k] * <double>s.amounts[k]
        total += part
        most = max(most, part)
    return most if s.rules.max_tres else total
