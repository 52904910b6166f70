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
# Comparisons are exact: the third kind uses 128-bit integers where floats are too close, the second
# the floats of the policy's expression at that time. Certificates end slightly early, before
# rounding could matter.
#
# Two children are one line of the cache, and have what a match of the third kind reads. For that
# their times have 32 bits: seconds since the tournament was last empty. A certificate ends after 68
# years at the latest, and in a tournament that was not empty for so long every search replays all
# matches; a job submitted longer before is compared exactly each time.
#
# Invariant: at time t a node with expire > t holds the true winner below it. A change of place
# costs O(log n); finding the winner costs O(log n) per expired certificate.

from libc.math cimport NAN, fabs
from libc.stdint cimport INT32_MAX, INT64_MAX, int32_t, int64_t, uint64_t
from libc.stdlib cimport free, realloc
from libc.string cimport memmove

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
    LAST = 0x7FFFFFFE                   # when the longest certificates of a tournament end

cdef extern from *:
    """
    /* Products of floats below are right to 4e-16 of their size. */
    #define SCHEDLAB_DOUBT 2e-15
    #define SCHEDLAB_LONG 2147483646.0
    /* For at least how many seconds w1 * s2 = a stays on its side of w2 * s1 = b, of two lines
       w / s: 2**31 - 2 if always. There are no branches: half of them would be mispredicted. */
    static inline double schedlab_meet(double a, double b, double s1, double s2) {
        double side = (double)(a > b) - (double)(a < b), sum = a + b;
        double rate = side * (s1 - s2) + (s1 + s2) * SCHEDLAB_DOUBT;
        double left = side * (a - b) - sum * SCHEDLAB_DOUBT;
        left = left * (1 - 1e-9) / (rate > 1e-300 ? rate : 1e-300);
        left = left > 1 ? left : 1;
        return left < SCHEDLAB_LONG ? left : SCHEDLAB_LONG;
    }
    """
    const double DOUBT "SCHEDLAB_DOUBT"
    const double LONG "SCHEDLAB_LONG"
    double meet "schedlab_meet"(double a, double b, double s1, double s2) noexcept nogil


cdef struct Rival:                      # what exact matches read of a job
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
    double score                        # of the winner, if it is a line; NaN: only exact matches
    int32_t submit                      # when it was submitted
    int32_t winner                      # a job, or -1
    int32_t need                        # its processors
    int32_t until                       # until when the match is decided,
    int32_t expire                      # and until when the winner is guaranteed
    int32_t least                       # at most the smallest estimate of a job below


cdef struct Tournament:
    int32_t places                      # a power of two
    int64_t since                       # 0 of the nodes' times
    Node* node                          # root 1, leaves from `places` on
    void* block                         # the memory that they lie in


cdef inline int tournament_grow(Tournament* t, int32_t places) noexcept nogil:
    # Give a tournament more places; its matches are still to be played. -1 if memory runs out, and
    # then nothing has changed. Memory is grown instead of replaced, because to touch a new page
    # takes longer than many matches.
    cdef int64_t size = 2 * <int64_t>places * sizeof(Node) + CACHE_LINE
    cdef int64_t offset = <char*>t.node - <char*>t.block
    cdef int32_t k, held = t.places
    cdef char* block = <char*>realloc(t.block, size)
    if block == NULL:
        return -1
    large_pages(block, size)
    t.places, t.block = places, block
    t.node = <Node*>(block + (-<size_t>block) % CACHE_LINE)
    if held and <char*>t.node - block != offset:
        memmove(t.node, block + offset, 2 * held * sizeof(Node))
    for k in range(held):
        t.node[places + k] = t.node[held + k]
    for k in range(held, places):
        t.node[places + k].winner = -1
        t.node[places + k].expire = t.node[places + k].least = INT32_MAX
    return 0


cdef inline int tournament_make(Tournament* t, int32_t places) noexcept nogil:
    # An empty tournament; -1 if memory runs out.
    cdef int32_t k
    t.places, t.since = 0, 0
    t.block = t.node = NULL
    if tournament_grow(t, places):
        return -1
    for k in range(places):
        t.node[k].winner, t.node[k].until = -1, LAST
        t.node[k].expire, t.node[k].least = LAST, INT32_MAX
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


cdef inline double leads_for(
    const Order* o, int32_t i, int32_t j, int64_t now
) noexcept nogil:
    # For at least how many seconds the leading job i precedes job j.
    cdef const Rival* p = &o.rival[i]
    cdef const Rival* q = &o.rival[j]
    cdef double left
    if o.lines:
        if p.divisor == 0 or q.divisor == 0:
            return LONG
        return meet(
            <double>(now - p.submit) * q.score, <double>(now - q.submit) * p.score,
            p.score, q.score,
        )
    if o.pace == 0:
        return LONG
    left = catch_up(
        p.score, now - p.submit, p.estimate, q.score, now - q.submit, q.estimate, o.pace, o.scale
    )
    return left if left >= 0 else LONG


cdef inline int32_t end_after(int64_t now, double seconds) noexcept nogil:
    # When a certificate of so many seconds ends.
    return <int32_t>min(now + <int64_t>seconds, <int64_t>LAST)


cdef inline void pass_on(Node* node, const Node* child) noexcept nogil:
    node.winner, node.need = child.winner, child.need
    node.score, node.submit = child.score, child.submit


cdef inline bint play_lines(
    Node* node, const Node* child, bint reverse, int64_t now
) noexcept nogil:
    # Play a match of two lines that are far enough apart for floats; else, or if one has no score,
    # false, and nothing is changed. The same as `before` and `leads_for`.
    cdef double s1 = child[0].score, s2 = child[1].score
    cdef double a = <double>(now - child[0].submit) * s2, b = <double>(now - child[1].submit) * s1
    if not fabs(a - b) > (a + b) * DOUBT:
        return False
    pass_on(node, &child[(a > b) == reverse])
    node.until = end_after(now, meet(a, b, s1, s2))
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
    cdef int side
    if i < 0 or j < 0:
        pass_on(node, &child[i < 0])
        node.until = LAST
    elif not play_lines(node, child, o.reverse, now - t.since):
        side = not before(o, i, j, now)
        pass_on(node, &child[side])
        node.until = end_after(
            now - t.since, leads_for(o, child[side].winner, child[1 - side].winner, now)
        )
    sum_up(node, child)


cdef inline void tournament_put(
    Tournament* t, const Order* o, int32_t place, int32_t job, int64_t need
) noexcept nogil:
    # Assign a job, or none (-1), to a place; its matches are still to be played.
    cdef Node* leaf = &t.node[t.places + place]
    cdef const Rival* rival
    cdef int64_t submit
    leaf.winner, leaf.least = job, INT32_MAX
    if job < 0:
        return
    rival = &o.rival[job]
    submit = rival.submit - t.since
    leaf.score, leaf.submit, leaf.need = rival.score, <int32_t>submit, <int32_t>need
    leaf.least = <int32_t>min(rival.estimate, <int64_t>INT32_MAX)
    if not o.lines or rival.divisor == 0 or leaf.submit != submit:
        leaf.score = NAN


cdef inline void tournament_fetch(const Tournament* t, int32_t place) noexcept nogil:
    # Load the nodes of a place's matches, all at once.
    cdef int32_t k = t.places + place
    while k > 1:
        prefetch(&t.node[k])
        k >>= 1


cdef inline void tournament_set(
    Tournament* t, const Order* o, int32_t place, int32_t job, int64_t need, int64_t now
) noexcept nogil:
    # Assign a job, or none (-1), to a place, and play its matches up to a node that stays the same.
    cdef int32_t k = (t.places + place) >> 1
    cdef Node old
    cdef bint other = True              # whether the winner of the child below is another job now
    tournament_fetch(t, place)
    if t.node[1].winner < 0:
        t.since = now
    tournament_put(t, o, place, job, need)
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
    t.since = now
    for job in range(jobs):
        if state[job] == waits:
            tournament_put(t, o, job, job, procs[job])
    tournament_play(t, o, now)


cdef inline void renew(
    Tournament* t, const Order* o, int32_t k, int64_t now, int32_t tick
) noexcept nogil:
    # Replay expired matches below a node; the number of calls is at most the tree's depth.
    cdef Node* node = &t.node[k]
    cdef const Node* child = &t.node[2 * k]
    cdef int32_t left, right
    if node.expire > tick:
        return
    left, right = child[0].winner, child[1].winner
    renew(t, o, 2 * k, now, tick)
    renew(t, o, 2 * k + 1, now, tick)
    if node.until <= tick or child[0].winner != left or child[1].winner != right:
        decide(t, o, k, now)
    else:
        sum_up(node, child)


cdef inline int32_t tournament_first(Tournament* t, const Order* o, int64_t now) noexcept nogil:
    # The first job, or -1.
    renew(t, o, 1, now, end_after(now - t.since, 0))
    return t.node[1].winner
