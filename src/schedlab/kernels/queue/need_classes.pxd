# The waiting jobs by class of need, one tournament per class, and the search for the first that
# fits.
#
# There are 64 classes of need: one for each number up to 16, then four per octave. A search for a
# backfill candidate visits the classes that the free processors allow. In each it descends only
# below nodes whose smallest estimate (or whose class's need) admits a job and whose winner
# precedes the best so far.
#
# Invariant: bit c of `filled` is set if class c has a waiting job. A job that no longer waits gives
# its place to another, so that a tree has 16 places or at most twice as many as jobs waited in
# it at one time. add and drop cost O(log n), a search O(log n) per non-empty class, plus the nodes
# whose winner is too long while another job is not.

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport free

from schedlab.kernels.queue.fit_tree cimport CLASSES, need_class
from schedlab.kernels.common.portable cimport lowest
from schedlab.kernels.common.region cimport resize
from schedlab.kernels.queue.tournament cimport (
    Order,
    Tournament,
    before,
    tournament_first,
    tournament_free,
    tournament_grow,
    tournament_play,
    tournament_put,
    tournament_set,
)


cdef struct NeedClass:
    Tournament tree
    int32_t* vacant                     # places without a job; the next to be used is last
    int32_t vacancies


cdef struct NeedClasses:
    NeedClass one[CLASSES]
    uint64_t filled
    int32_t* place                      # of each job in its class; allocated by the owner


cdef struct Fit:
    int64_t free_procs                  # limit of a job's need,
    int64_t slack                       # limit of its estimate,
    int64_t extra                       # unless its need is at most this


cdef inline void classes_free(NeedClasses* c) noexcept nogil:
    cdef int32_t k
    for k in range(CLASSES):
        tournament_free(&c.one[k].tree)
        free(c.one[k].vacant)
    free(c.place)


cdef inline int class_grow(NeedClass* one, int32_t places) noexcept nogil:
    # Give a class that has no place left this many; -1 if memory runs out, and then nothing has
    # changed. Its matches are still to be played.
    cdef int32_t k, held = one.tree.places
    if resize(<void**>&one.vacant, places, sizeof(int32_t)):
        return -1
    if tournament_grow(&one.tree, places):
        return -1
    for k in range(places - 1, held - 1, -1):
        one.vacant[one.vacancies] = k
        one.vacancies += 1
    return 0


cdef inline int32_t class_place(NeedClass* one) noexcept nogil:
    # Take one of the places without a job.
    one.vacancies -= 1
    return one.vacant[one.vacancies]


cdef inline int classes_add(
    NeedClasses* c, const Order* o, int32_t job, int64_t need, int64_t now
) noexcept nogil:
    # Add a waiting job; -1 if memory runs out, and then nothing has changed.
    cdef int32_t k = need_class(<int32_t>need)
    cdef NeedClass* one = &c.one[k]
    if one.vacancies == 0:
        if class_grow(one, 2 * one.tree.places if one.tree.places else 16):
            return -1
        tournament_play(&one.tree, o, now)
    c.place[job] = class_place(one)
    tournament_set(&one.tree, o, c.place[job], job, need, now)
    c.filled |= <uint64_t>1 << k
    return 0


cdef inline void classes_drop(
    NeedClasses* c, const Order* o, int32_t job, int64_t need, int64_t now
) noexcept nogil:
    # Remove a waiting job.
    cdef int32_t k = need_class(<int32_t>need)
    cdef NeedClass* one = &c.one[k]
    tournament_set(&one.tree, o, c.place[job], -1, 0, now)
    one.vacant[one.vacancies] = c.place[job]
    one.vacancies += 1
    if one.tree.node[1].winner < 0:
        c.filled &= ~(<uint64_t>1 << k)


cdef inline int classes_build(
    NeedClasses* c, const Order* o, int32_t jobs, const int64_t* procs, const signed char* state,
    int waits, int64_t now
) noexcept nogil:
    # Add all jobs of a state to empty classes; -1 if memory runs out.
    cdef int32_t waiting[CLASSES]
    cdef int32_t k, job, places
    for k in range(CLASSES):
        waiting[k] = 0
    for job in range(jobs):
        if state[job] == waits:
            waiting[need_class(<int32_t>procs[job])] += 1
    for k in range(CLASSES):
        if waiting[k] == 0:
            continue
        places = 16
        while places < waiting[k]:
            places *= 2
        if class_grow(&c.one[k], places):
            return -1
        c.one[k].tree.since = now
        c.filled |= <uint64_t>1 << k
    for job in range(jobs):
        if state[job] == waits:
            k = need_class(<int32_t>procs[job])
            c.place[job] = class_place(&c.one[k])
            tournament_put(&c.one[k].tree, o, c.place[job], job, procs[job])
    for k in range(CLASSES):
        if waiting[k]:
            tournament_play(&c.one[k].tree, o, now)
    return 0


cdef inline int32_t classes_first(NeedClasses* c, const Order* o, int64_t now) noexcept nogil:
    # The first job of all, or -1.
    cdef uint64_t rest = c.filled
    cdef int32_t best = -1, job
    while rest:
        job = tournament_first(&c.one[lowest(rest)].tree, o, now)
        rest &= rest - 1
        if best < 0 or before(o, job, best, now):
            best = job
    return best


cdef inline void search_below(
    Tournament* t, const Order* o, int32_t k, const Fit* fit, bint any_length, int64_t now,
    int32_t* best
) noexcept nogil:
    # Improve `best` with the first job that fits below a node. Its winner is known not to fit, and
    # to precede `best`; so is that of one child.
    cdef int32_t own, other
    if k >= t.places:
        return
    own = 2 * k + (t.node[2 * k].winner != t.node[k].winner)
    other = own ^ 1
    if any_length or t.node[own].least <= fit.slack:
        search_below(t, o, own, fit, any_length, now, best)
    if any_length or t.node[other].least <= fit.slack:
        search_from(t, o, other, fit, any_length, now, best)


cdef inline void search_from(
    Tournament* t, const Order* o, int32_t k, const Fit* fit, bint any_length, int64_t now,
    int32_t* best
) noexcept nogil:
    # Improve `best` with the first job that fits at a node. any_length: some need of the class is
    # within the extra processors.
    cdef int32_t job = t.node[k].winner, need = t.node[k].need
    if job < 0 or (best[0] >= 0 and not before(o, job, best[0], now)):
        return
    if need <= fit.free_procs and (o.rival[job].estimate <= fit.slack or need <= fit.extra):
        best[0] = job
        return
    search_below(t, o, k, fit, any_length, now, best)


cdef inline int32_t classes_first_fit(
    NeedClasses* c, const Order* o, const Fit* fit, int64_t now
) noexcept nogil:
    # The first waiting job in the order that fits, or -1.
    cdef int32_t best = -1, k, by_extra = -1, most = need_class(<int32_t>fit.free_procs)
    cdef uint64_t rest = c.filled & (~<uint64_t>0 >> (63 - most))
    if fit.extra > 0:
        by_extra = need_class(<int32_t>min(fit.extra, fit.free_procs))
    while rest:
        k = lowest(rest)
        rest &= rest - 1
        tournament_first(&c.one[k].tree, o, now)        # updates expired matches
        if k <= by_extra or c.one[k].tree.node[1].least <= fit.slack:
            search_from(&c.one[k].tree, o, 1, fit, k <= by_extra, now, &best)
    return best
