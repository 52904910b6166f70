# Starts and ends of jobs: their nodes, the lists of running jobs, limits and billing.
#
# Cost: a start moves the running jobs with later limits, an end finds its job in the two lists.

from libc.stdint cimport INT64_MAX, int32_t, int64_t, uint64_t
from libc.string cimport memcpy, memmove, memset

from schedlab.kernels.common.heap cimport heap_pop, heap_push
from schedlab.kernels.common.region cimport arena_grow
from schedlab.kernels.site.site_limits cimport blocked, blocked_by_request, count_job
from schedlab.kernels.site.site_nodes cimport (
    amounts_of_choice, choose, memory_taken, nodes_of, put_back, take_again,
)
from schedlab.kernels.site.site_order cimport billing_of, charge
from schedlab.kernels.site.site_plan cimport barred
from schedlab.kernels.site.site_preempt cimport REQUEUED, REQUEUE_DELAY, STOPPING, preempt
from schedlab.kernels.site.site_state cimport FIRST_GRES, Place, Site

cdef enum:
    SKIPPED = 0
    STARTED = 1
    FAILS = 2                           # closes the partition
    PLANNED = 3


cdef inline void begin_job(Site* s, int32_t pair) noexcept nogil:
    # Start a pair's job now on the chosen nodes.
    cdef int32_t job = s.pair_job[pair], kind = <int32_t>s.pair_class[pair], k, node
    cdef int32_t at = s.runs
    cdef int64_t end = s.now + s.limit[job]
    cdef Place* place
    cdef uint64_t* job_nodes
    cdef bint exclusive = s.request[kind].exclusive
    s.valid = s.quiet = s.now
    s.main_quiet = False
    s.place_count[job] = s.picked
    s.spares -= 1
    s.slot[job] = s.spare[s.spares]
    job_nodes = s.sets + <int64_t>s.slot[job] * s.words
    if s.bare:
        memcpy(job_nodes, s.where, s.words * sizeof(uint64_t))
    else:
        amounts_of_choice(s, kind)
        s.first_place[job] = s.places.used // <int64_t>sizeof(Place)
        place = <Place*>arena_grow(&s.arena, &s.places, s.picked * <int64_t>sizeof(Place))
        if place == NULL:
            return
        memset(job_nodes, 0, s.words * sizeof(uint64_t))
        for k in range(s.picked):
            node = s.chosen[k]
            place[k].node = node
            place[k].cpus = <int32_t>(s.cpus[node] if exclusive else s.given[k])
            place[k].memory = memory_taken(s, kind, node, place[k].cpus)
            job_nodes[node >> 6] |= <uint64_t>1 << (node & 63)
    s.start[job], s.ran_in[job] = s.now, pair
    take_again(s, job)
    while at > 0 and s.ends[at - 1] > end:
        at -= 1
    memmove(s.by_limit + at + 1, s.by_limit + at, (s.runs - at) * sizeof(int32_t))
    memmove(s.ends + at + 1, s.ends + at, (s.runs - at) * sizeof(int64_t))
    memmove(s.home + at + 1, s.home + at, (s.runs - at) * sizeof(int32_t))
    s.by_limit[at], s.ends[at] = job, end
    s.home[at] = s.chosen[0] if s.picked == 1 else -1
    s.kept_count = 0
    s.turns += 1
    s.by_start[s.runs] = job
    s.runs += 1
    s.until[job] = s.now + s.holds[job]
    heap_push(&s.running, s.until[job], job)
    if not s.bare:
        count_job(s, pair, 1)
        s.billed[job] = billing_of(s, pair)
    if s.entered[job]:
        s.alive -= <int32_t>(s.pair_of[job + 1] - s.pair_of[job])


cdef inline void amounts_of_job(Site* s, int32_t job) noexcept nogil:
    # Amounts of a running job.
    cdef const Place* place = <Place*>s.places.at + s.first_place[job]
    cdef int64_t kind = s.pair_class[s.ran_in[job]]
    cdef int32_t k, g
    s.amounts[0], s.amounts[1], s.amounts[2], s.amounts[3] = 1, 0, 0, s.place_count[job]
    for g in range(s.kinds):
        s.amounts[FIRST_GRES + g] = 0
    for k in range(s.place_count[job]):
        s.amounts[1] += place[k].cpus
        s.amounts[2] += place[k].memory
        for g in range(s.kinds):
            s.amounts[FIRST_GRES + g] += (
                s.gres[place[k].node * s.kinds + g] if s.request[kind].exclusive
                else s.class_gres[kind * s.kinds + g]
            )


cdef inline void end_job(Site* s, int32_t job) noexcept nogil:
    # End a job that is no longer in the heap, and free its nodes.
    cdef int32_t at = 0
    s.quiet = s.valid = s.now
    s.main_quiet = False
    if not s.bare:
        amounts_of_job(s, job)
        count_job(s, <int32_t>s.ran_in[job], -1)
    if s.rules.multifactor:
        charge(s, job, s.now - max(s.last, s.start[job]))
    put_back(s, job)
    s.ended[job] = True
    if s.stopped[job]:
        s.stopped[job] = False
        if s.rank_mode[s.pair_rank[s.ran_in[job]]] == REQUEUED:
            s.ended[job] = s.entered[job] = False
            s.restarts[job] += 1
            s.start[job] = -1
            s.eligible[job] = s.now + REQUEUE_DELAY - STOPPING
            s.held[s.held_count] = job
            s.held_count += 1
            s.next_begin = min(s.next_begin, s.eligible[job])
    s.spare[s.spares] = s.slot[job]
    s.spares += 1
    s.runs -= 1
    while s.by_limit[at] != job:
        at += 1
    memmove(s.by_limit + at, s.by_limit + at + 1, (s.runs - at) * sizeof(int32_t))
    memmove(s.ends + at, s.ends + at + 1, (s.runs - at) * sizeof(int64_t))
    memmove(s.home + at, s.home + at + 1, (s.runs - at) * sizeof(int32_t))
    s.kept_count = at = 0
    s.turns += 1
    while s.by_start[at] != job:
        at += 1
    memmove(s.by_start + at, s.by_start + at + 1, (s.runs - at) * sizeof(int32_t))


cdef inline int32_t end_due(Site* s) noexcept nogil:
    # End all jobs that are due, in their order; return how many. `other` is free for their list.
    cdef int32_t count = 0, k, job
    while s.running.size and s.running.entry[0].time <= s.now:
        job = heap_pop(&s.running)
        k = count
        while k > 0 and s.other[k - 1] > job:
            s.other[k] = s.other[k - 1]
            k -= 1
        s.other[k] = job
        count += 1
    for k in range(count):
        end_job(s, s.other[k])
    return count


cdef inline int try_now(Site* s, int32_t pair, const uint64_t* avail) noexcept nogil:
    # Start a pair now if it can.
    cdef int64_t kind = s.pair_class[pair]
    cdef int32_t w
    cdef const uint64_t* fits
    if not s.possible[kind] or blocked_by_request(s, pair):
        return SKIPPED
    fits = nodes_of(s, kind)
    for w in range(s.words):
        s.usable[w] = fits[w] & avail[w]
    if s.reservations:
        barred(s, s.pair_job[pair], s.now, s.usable)
    if not choose(s, <int32_t>kind, s.usable):
        if s.preempts:
            preempt(s, pair, s.usable)
        return FAILS
    if blocked(s, pair):
        return SKIPPED
    begin_job(s, pair)
    return STARTED
