# The first waiting job, under scores that are static or change linearly with time.
#
# A tournament over places held by jobs: every node of a binary tree stores the winner of its two
# children, until when that match is decided, until when all matches below are, and the smallest
# estimate below. There are three kinds of score: a number per job, smaller first; such a number
# plus pace * ((w / r) / scale), with w the waiting time and r the estimate; or w / (F * r), larger
# first or smaller first, with F a whole number per job (a divisor in fixed point). Two lines cross
# once, so the time at which a rival overtakes the winner is known in advance. Ties go to the
# earlier submitted job, then to the lower number, or the other way round.
#
# What a match reads lies together: two children are one line of the cache, a job (`Rival`) is half
# a line.
#
# Comparisons are exact: the third kind uses 128-bit integers where floats are too close, the second
# the floats of the policy's expression at that time. Certificates end slightly early, before
# rounding could matter.
#
# Invariant: at time t a node with expire > t holds the true winner below it. A change of place
# costs O(log n); finding the winner costs O(log n) per expired certificate.

from libc.stdint cimport INT64_MAX, int32_t, int64_t, uint64_t
from libc.stdlib cimport free, malloc

from schedlab.kernels.common.portable cimport Wide, less, prefetch, product
from schedlab.kernels.common.region cimport large_pages

cdef extern from *:
    """
    #include <math.h>
    /* What a score of the second kind has moved by. */
    static inline double schedlab_moved(int64_t w, int64_t r, double pace, double scale) {
        return pace * (((double) w / (double) r) / scale);
    }
    /* For at least how many seconds the first such score, which is not the larger one now, stays in
       front for certain; below 0: always. It ends before rounding could matter, which is a few
       times 2**-53 of all that is added up, and after 2**20 s at the latest. */
    SCHEDLAB_NOINLINE static double schedlab_catch_up(
        double a1, int64_t w1, int64_t r1, double a2, int64_t w2, int64_t r2,
        double pace, double scale) {
        const int64_t horizon = 1 << 20;
        double lead = a2 + schedlab_moved(w2, r2, pace, scale)
            - (a1 + schedlab_moved(w1, r1, pace, scale));
        double size = fabs(a1) + fabs(a2) + fabs(schedlab_moved(w1 + horizon, r1, pace, scale))
            + fabs(schedlab_moved(w2 + horizon, r2, pace, scale));
        double rate = pace / scale * (1.0 / (double) r1 - 1.0 / (double) r2), left;
        if (!isfinite(lead)) return -1.0;           /* one of them never moves */
        lead -= size * 1e-14;
        if (lead <= 0) return 1.0;
        if (rate <= 0 || lead >= rate * (double) horizon) return (double) horizon;
        left = lead / rate * (1 - 1e-9);
        return left > 1 ? left : 1.0;
    }
    """
    double moved "schedlab_moved"(
        int64_t w, int64_t r, double pace, double scale
    ) noexcept nogil
    double catch_up "schedlab_catch_up"(
        double a1, int64_t w1, int64_t r1, double a2, int64_t w2, int64_t r2,
        double pace, double scale
    ) noexcept nogil


cdef enum:
    CACHE_LINE = 64                     # bytes

cdef extern from *:
    """
    /* Products of floats below are right to 4e-16 of their size. */
    #define SCHEDLAB_DOUBT 2e-15
    #define SCHEDLAB_NEVER (-1e300)
    """
    const double DOUBT "SCHEDLAB_DOUBT"
    const double NEVER "SCHEDLAB_NEVER"


cdef struct Rival:                      # what matches read of a job
    int64_t submit
    int64_t estimate
    int64_t divisor                     # F, if `lines`; 0: before all others
    double score                        # the number per job; if `lines`, F * r instead


cdef struct Order:
    bint lines                          # scores change linearly with time
    bint fresh                          # jobs without wait: by F * r instead of submission
    bint reverse                        # the smaller w / (F * r) first
    bint lifo                           # of equal jobs the last first,
    int32_t strict                      # except for the first jobs
    double pace                         # slope of the second kind, or 0
    double scale
    Rival* rival                        # by job


cdef struct Node:
    int64_t until                       # until when its own match is decided,
    int64_t expire                      # and until when its winner is guaranteed
    int64_t least                       # the smallest estimate of a job below
    int32_t winner                      # a job, or -1
    int32_t need                        # its processors


cdef struct Tournament:
    int32_t places                      # a power of two
    Node* node                          # root 1, leaves from `places` on
    void* block                         # the memory that they lie in


cdef inline int tournament_make(Tournament* t, int32_t places) noexcept nogil:
    # An empty tournament; -1 if memory runs out.
    cdef int64_t size = 2 * <int64_t>places * sizeof(Node) + CACHE_LINE
    cdef int32_t k
    t.places = places
    t.block = malloc(size)
    if t.block == NULL:
        return -1
    large_pages(t.block, size)
    t.node = <Node*>(<char*>t.block + (-<size_t>t.block) % CACHE_LINE)
    for k in range(2 * places):
        t.node[k].winner, t.node[k].need = -1, 0
        t.node[k].until = t.node[k].expire = t.node[k].least = INT64_MAX
    return 0


cdef inline void tournament_free(Tournament* t) noexcept nogil:
    free(t.block)
    t.block = t.node = NULL


cdef inline int compare_exactly(
    uint64_t w1, uint64_t r1, uint64_t f1, uint64_t w2, uint64_t r2, uint64_t f2
) noexcept nogil:
    # The sign of w1 / (f1 r1) - w2 / (f2 r2).
    cdef Wide a = product(w1 * r2, f2), b = product(w2 * r1, f1)
    return less(b, a) - less(a, b)


cdef inline int compare_lines(const Rival* p, const Rival* q, int64_t now) noexcept nogil:
    # The sign of the difference of two lines, w / (F * r); floats decide unless they are close.
    cdef double a = <double>(now - p.submit) * q.score, b = <double>(now - q.submit) * p.score
    if a - b > a * DOUBT:
        return 1
    if b - a > b * DOUBT:
        return -1
    return compare_exactly(
        now - p.submit, p.estimate, p.divisor, now - q.submit, q.estimate, q.divisor
    )


cdef inline double meet_lines(const Rival* p, const Rival* q, int64_t now) noexcept nogil:
    # At least how many seconds pass until the second line meets the leading first, or `NEVER`.
    cdef double a = <double>(now - p.submit) * q.score, b = <double>(now - q.submit) * p.score
    cdef double rate = p.score - q.score + (p.score + q.score) * DOUBT
    return (a - b - (a + b) * DOUBT) / rate if rate > 0 else NEVER


cdef inline bint before(const Order* o, int32_t i, int32_t j, int64_t now) noexcept nogil:
    # Whether job i precedes job j at this time.
    cdef const Rival* p = &o.rival[i]
    cdef const Rival* q = &o.rival[j]
    cdef int sign
    cdef bint lifo
    cdef double a, b
    if not o.lines:
        a = p.score
        b = q.score
        if o.pace != 0:
            a += moved(now - p.submit, p.estimate, o.pace, o.scale)
            b += moved(now - q.submit, q.estimate, o.pace, o.scale)
        if a != b:
            return a < b
    elif p.divisor == 0 or q.divisor == 0:
        if p.divisor or q.divisor:
            return p.divisor == 0
    else:
        sign = compare_lines(p, q, now)
        if sign == 0 and o.fresh and now == p.submit and now == q.submit:
            # at equal waiting times the steeper line leads
            sign = compare_exactly(1, p.estimate, p.divisor, 1, q.estimate, q.divisor)
        if sign:
            return (sign > 0) != o.reverse
    lifo = o.lifo and i >= o.strict and j >= o.strict
    if p.submit != q.submit:
        return (p.submit < q.submit) != lifo
    return (i < j) != lifo


cdef inline int64_t holds_until(
    const Order* o, int32_t i, int32_t j, int64_t now
) noexcept nogil:
    # A time before which the leading job i is guaranteed to precede job j.
    cdef const Rival* p = &o.rival[i]
    cdef const Rival* q = &o.rival[j]
    cdef double left
    if not o.lines:
        if o.pace == 0:
            return INT64_MAX
        left = catch_up(
            p.score, now - p.submit, p.estimate, q.score, now - q.submit, q.estimate,
            o.pace, o.scale,
        )
        return now + <int64_t>left if left >= 0 else INT64_MAX
    if p.divisor == 0 or q.divisor == 0:
        return INT64_MAX
    if o.reverse:                       # reversed: i rises to j
        p, q = q, p
    left = meet_lines(p, q, now)
    if left == NEVER or left > 1e15:
        return INT64_MAX
    return now + (<int64_t>(left * (1 - 1e-9)) if left >= 2 else 1)


cdef inline bint play_lines(
    const Order* o, int32_t i, int32_t j, int64_t now, Node* node
) noexcept nogil:
    # Play a match of two lines that are far enough apart for floats; else false, and nothing is
    # changed. The same as `before` and `holds_until`.
    cdef const Rival* p = &o.rival[i]
    cdef const Rival* q = &o.rival[j]
    cdef double a, b, gap, rate, left
    cdef bint leads
    if not o.lines or p.divisor == 0 or q.divisor == 0:
        return False
    a = <double>(now - p.submit) * q.score
    b = <double>(now - q.submit) * p.score
    leads = a > b
    gap = a - b if leads else b - a
    if not gap > (a if leads else b) * DOUBT:
        return False
    rate = p.score - q.score if leads else q.score - p.score
    rate += (p.score + q.score) * DOUBT
    node.winner = i if leads != o.reverse else j
    node.until = INT64_MAX
    if rate > 0:
        left = (gap - (a + b) * DOUBT) / rate
        if left <= 1e15:
            node.until = now + (<int64_t>(left * (1 - 1e-9)) if left >= 2 else 1)
    return True


cdef inline void sum_up(Node* node, const Node* child) noexcept nogil:
    # Update what a node knows of all below it, after its match; `child` is the first of two.
    node.expire = min(node.until, min(child[0].expire, child[1].expire))
    node.least = min(child[0].least, child[1].least)


cdef inline void decide(Tournament* t, const Order* o, int32_t k, int64_t now) noexcept nogil:
    # Play the match of a node whose children are up to date.
    cdef Node* node = &t.node[k]
    cdef const Node* child = &t.node[2 * k]
    cdef int32_t i = child[0].winner, j = child[1].winner
    if i < 0 or j < 0:
        node.winner = j if i < 0 else i
        node.until = INT64_MAX
    elif not play_lines(o, i, j, now, node):
        if before(o, i, j, now):
            node.winner = i
            node.until = holds_until(o, i, j, now)
        else:
            node.winner = j
            node.until = holds_until(o, j, i, now)
    node.need = child[0].need if node.winner == i else child[1].need
    sum_up(node, child)


cdef inline void tournament_put(
    Tournament* t, const Order* o, int32_t place, int32_t job, int64_t need
) noexcept nogil:
    # Assign a job, or none (-1), to a place; its matches are still to be played.
    cdef Node* leaf = &t.node[t.places + place]
    leaf.winner = job
    leaf.need = <int32_t>need
    leaf.least = o.rival[job].estimate if job >= 0 else INT64_MAX


cdef inline void fetch_rivals(const Tournament* t, const Order* o, int32_t k) noexcept nogil:
    # Load what the matches above a node read, all at once.
    cdef int32_t job
    while k > 1:
        job = t.node[k ^ 1].winner
        prefetch(&o.rival[job & ~(job >> 31)])          # of job 0 if there is none
        k >>= 1


cdef inline void tournament_set(
    Tournament* t, const Order* o, int32_t place, int32_t job, int64_t need, int64_t now
) noexcept nogil:
    # Assign a job, or none (-1), to a place, and play its matches up to a node that stays the same.
    cdef int32_t k = (t.places + place) >> 1
    cdef Node old
    cdef bint other = True              # whether the winner of the child below is another job now
    tournament_put(t, o, place, job, need)
    fetch_rivals(t, o, t.places + place)
    while k:
        old = t.node[k]
        if other:
            decide(t, o, k, now)
            other = t.node[k].winner != old.winner
        else:
            sum_up(&t.node[k], &t.node[2 * k])
        if not other and t.node[k].expire == old.expire and t.node[k].least == old.least:
            return
        k >>= 1


cdef inline void tournament_play(Tournament* t, const Order* o, int64_t now) noexcept nogil:
    # Play every match.
    cdef int32_t node
    for node in range(t.places - 1, 0, -1):
        decide(t, o, node, now)


cdef inline void tournament_build(
    Tournament* t, const Order* o, int32_t jobs, const int64_t* procs, const signed char* state,
    int waits, int64_t now
) noexcept nogil:
    # Assign places in an empty tournament to all jobs of a state.
    cdef int32_t job
    for job in range(jobs):
        if state[job] == waits:
            tournament_put(t, o, job, job, procs[job])
    tournament_play(t, o, now)


cdef inline void renew(Tournament* t, const Order* o, int32_t k, int64_t now) noexcept nogil:
    # Replay expired matches below a node; the number of calls is at most the tree's depth.
    cdef Node* node = &t.node[k]
    cdef const Node* child = &t.node[2 * k]
    cdef int32_t left, right
    if node.expire > now:
        return
    left, right = child[0].winner, child[1].winner
    renew(t, o, 2 * k, now)
    renew(t, o, 2 * k + 1, now)
    if node.until <= now or child[0].winner != left or child[1].winner != right:
        decide(t, o, k, now)
    else:
        sum_up(node, child)


cdef inline int32_t tournament_first(Tournament* t, const Order* o, int64_t now) noexcept nogil:
    # The first job, or -1.
    renew(t, o, 1, now)
    return t.node[1].winner
