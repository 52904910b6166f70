# Waiting and running jobs of the present state.
#
# Invariant: ranks, needs and estimates of the waiting jobs ascend by rank, `ending` descends, and
# `release` ascends by estimated end, ties with the last started job first. Jobs that the present
# pass started are in `begun` until its end. Each change costs O(waiting + running), a few moves of
# memory.

from libc.stdint cimport INT64_MAX, int32_t, int64_t, uint64_t
from libc.string cimport memmove

from schedlab.kernels.common.bisect cimport before_int32, before_int64, bisect
from schedlab.kernels.mixed.event_heap cimport event_push
from schedlab.kernels.mixed.mixed_state cimport (
    FRACTION_BITS,
    Batch,
    State,
    entry_of,
    job_of,
    time_of,
)
from schedlab.kernels.common.splitmix cimport mix


cdef inline bint ends_after(const void* entries, int32_t place, const void* entry) noexcept nogil:
    return (<const int64_t*>entries)[place] > (<const int64_t*>entry)[0]


cdef inline int32_t waiting_place(const Batch* b, int32_t rank) noexcept nogil:
    # Return the first place of the waiting jobs whose rank is not below `rank`.
    return bisect(before_int32, b.rank_of, b.s.waiting, &rank)


cdef inline int32_t release_place(const Batch* b, int32_t running, int64_t end) noexcept nogil:
    # Return the first place among `running` estimated ends that is not before `end`.
    cdef int64_t entry = entry_of(end, 0)
    return bisect(before_int64, b.release, running, &entry)


cdef inline void enqueue(Batch* b, int32_t job) noexcept nogil:
    cdef int32_t rank = b.rank[job], at = waiting_place(b, rank), more = b.s.waiting - at
    if b.s.waiting == 0 and b.threshold != INT64_MAX:
        b.s.due = b.submit[job] + b.threshold
    memmove(&b.rank_of[at + 1], &b.rank_of[at], more * sizeof(int32_t))
    memmove(&b.need[at + 1], &b.need[at], more * sizeof(int32_t))
    memmove(&b.estimate_of[at + 1], &b.estimate_of[at], more * sizeof(int32_t))
    b.rank_of[at] = rank
    b.need[at] = b.need_at[rank]
    b.estimate_of[at] = b.estimate_at[rank]
    b.s.waiting += 1


cdef inline void dequeue(Batch* b, int32_t at) noexcept nogil:
    cdef int32_t more
    b.s.waiting -= 1
    more = b.s.waiting - at
    memmove(&b.rank_of[at], &b.rank_of[at + 1], more * sizeof(int32_t))
    memmove(&b.need[at], &b.need[at + 1], more * sizeof(int32_t))
    memmove(&b.estimate_of[at], &b.estimate_of[at + 1], more * sizeof(int32_t))


cdef inline void start_job(Batch* b, int32_t job) noexcept nogil:
    # Start a job in the present pass.
    cdef State* s = &b.s
    cdef int64_t run = b.runtime[job], entry = entry_of(s.now + run, job), whole
    cdef int32_t at = bisect(ends_after, b.ending, s.running, &entry)
    cdef double slowdown = <double>(s.now - b.submit[job] + run) / b.bound[job]
    memmove(&b.ending[at + 1], &b.ending[at], (s.running - at) * sizeof(int64_t))
    b.ending[at] = entry
    b.begun[s.begun] = job
    s.begun += 1
    s.running += 1
    s.free_procs -= <int32_t>b.procs[job]
    if slowdown > 1:
        whole = <int64_t>slowdown
        s.whole += whole
        s.part += <int64_t>((slowdown - <double>whole) * (<int64_t>1 << FRACTION_BITS))
    else:
        s.whole += 1
    s.mark += mix(<uint64_t>entry_of(s.now, job) + 0x9E3779B97F4A7C15ULL)
    if b.start != NULL:
        b.start[job] = s.now
    b.simulated += 1


cdef inline void expect(Batch* b, int32_t job, int32_t running) noexcept nogil:
    # Insert a job that starts now before those with equal estimated end, of `running` ones.
    cdef int64_t end = b.s.now + b.estimate[job]
    cdef int32_t at = release_place(b, running, end)
    memmove(&b.release[at + 1], &b.release[at], (running - at) * sizeof(int64_t))
    b.release[at] = entry_of(end, job)
    if b.exact:
        event_push(&b.events, b.s.now + b.runtime[job], job)


cdef inline void end_pass(Batch* b) noexcept nogil:
    # Record the jobs that a pass started as running: heads first, then backfilled ones in reverse.
    cdef State* s = &b.s
    cdef int32_t running = s.running - s.begun, k
    for k in range(s.led):
        expect(b, b.begun[k], running + k)
    for k in range(s.led, s.begun):
        expect(b, b.begun[s.led + s.begun - 1 - k], running + k)
    s.begun = s.led = 0


cdef inline void end_next(Batch* b) noexcept nogil:
    # End the running job with the next end.
    cdef State* s = &b.s
    cdef int64_t entry = b.ending[s.running - 1]
    cdef int32_t job = job_of(entry), at
    at = release_place(b, s.running, time_of(entry) - b.runtime[job] + b.estimate[job])
    while job_of(b.release[at]) != job:
        at += 1
    s.running -= 1
    s.free_procs += <int32_t>b.procs[job]
    memmove(&b.release[at], &b.release[at + 1], (s.running - at) * sizeof(int64_t))


cdef inline void fill_needs(Batch* b) noexcept nogil:
    # Fill in needs and estimates of the waiting jobs, from their ranks.
    cdef int32_t k, rank
    for k in range(b.s.waiting):
        rank = b.rank_of[k]
        b.need[k] = b.need_at[rank]
        b.estimate_of[k] = b.estimate_at[rank]


cdef inline int64_t oldest_of(const Batch* b) noexcept nogil:
    # Return the submit time of the oldest waiting job.
    cdef int64_t submit = b.submit[b.job[b.rank_of[0]]]
    cdef int32_t k
    for k in range(1, b.s.waiting):
        submit = min(submit, b.submit[b.job[b.rank_of[k]]])
    return submit
