# Which running jobs a job stops so that it can start in a later pass.
#
# Cost: O(running jobs) for the victims, which are sorted by insertion, and a choice of nodes for
# each that is taken.

from libc.stdint cimport int32_t, int64_t, uint64_t

from schedlab.kernels.common.heap cimport Event
from schedlab.kernels.site.node_sets cimport meet
from schedlab.kernels.site.site_limits cimport blocked, blocked_by_request
from schedlab.kernels.site.site_nodes cimport choose, put_back, take_again
from schedlab.kernels.site.site_state cimport Site

cdef enum:
    STOPPING = 1                        # seconds until nodes of a stopped job return
    MESSAGE_TIMEOUT = 10                # until an answer counts as lost
    REQUEUE_DELAY = 122                 # until a requeued job is eligible again
    REQUEUED = 1                        # mode of a victim
    MOST_RESTARTS = 100                 # else two jobs could stop each other without end


cdef inline bint comes_first(const Site* s, int32_t a, int32_t b) noexcept nogil:
    # Whether a victim is taken before another.
    cdef int64_t left = s.rank_order[s.pair_rank[s.ran_in[a]]]
    cdef int64_t right = s.rank_order[s.pair_rank[s.ran_in[b]]]
    if left != right:
        return left < right
    if s.place_count[a] != s.place_count[b]:
        return s.place_count[a] < s.place_count[b]
    return a < b


cdef inline int32_t find_victims(Site* s, int32_t pair, const uint64_t* usable) noexcept nogil:
    # Running jobs on usable nodes that a pair may preempt, the first to take first.
    cdef const int64_t* may = s.may_preempt + s.pair_rank[pair] * s.ranks
    cdef int32_t k, at, job, count = 0
    for k in range(s.runs):
        job = s.by_start[k]
        if (
            not may[s.pair_rank[s.ran_in[job]]] or s.stopped[job]
            or s.restarts[job] >= MOST_RESTARTS
            or s.now - s.start[job] < s.exempt
            or not meet(s.sets + <int64_t>s.slot[job] * s.words, usable, s.words)
        ):
            continue
        at = count
        while at > 0 and comes_first(s, job, s.victim[at - 1]):
            s.victim[at] = s.victim[at - 1]
            at -= 1
        s.victim[at] = job
        count += 1
    return count


cdef inline void end_sooner(Site* s, int32_t job, int64_t time) noexcept nogil:
    # Move the end of a running job forward.
    cdef Event* entry = s.running.entry
    cdef Event moved
    cdef int32_t k = 0, parent
    if time >= s.until[job]:
        return
    s.until[job] = time
    while entry[k].job != job:
        k += 1
    moved.time, moved.job = time, job
    while k > 0:
        parent = (k - 1) >> 1
        if entry[parent].time <= time:
            break
        entry[k] = entry[parent]
        k = parent
    entry[k] = moved


cdef inline bint preempt(Site* s, int32_t pair, const uint64_t* usable) noexcept nogil:
    # Stop jobs so that a pair can start later; return whether there are enough. Victims are taken
    # until the pair fits. Then the last of them is taken first, and once more.
    cdef int32_t job = s.pair_job[pair], kind = <int32_t>s.pair_class[pair]
    cdef int32_t count, k, m, gone = 0, twice, last, node
    cdef bint is_enough = False
    cdef const uint64_t* job_nodes
    if s.now < s.no_more_victims[job]:
        return False
    count = find_victims(s, pair, usable)
    if not count or blocked_by_request(s, pair):
        return False
    for twice in range(2):
        is_enough = False
        gone = 0
        while gone < count and not is_enough:
            put_back(s, s.victim[gone])
            gone += 1
            is_enough = choose(s, kind, usable)
        for k in range(gone):
            take_again(s, s.victim[k])
        if not is_enough:
            return False
        last = s.victim[gone - 1]
        if not twice:
            for k in range(gone - 1, 0, -1):
                s.victim[k] = s.victim[k - 1]
            s.victim[0] = last
    if blocked(s, pair):
        return False
    for k in range(gone):
        job_nodes = s.sets + <int64_t>s.slot[s.victim[k]] * s.words
        for m in range(s.picked):
            node = s.chosen[m]
            if job_nodes[node >> 6] >> (node & 63) & 1:
                end_sooner(
                    s, s.victim[k],
                    s.now + s.rank_grace[s.pair_rank[s.ran_in[s.victim[k]]]] + STOPPING,
                )
                s.stopped[s.victim[k]] = True
                break
    s.no_more_victims[job] = s.now + s.rules.kill_wait + MESSAGE_TIMEOUT
    return True
