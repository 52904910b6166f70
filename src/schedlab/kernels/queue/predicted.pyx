"""EASY backfilling with predictions: first come first served, backfilled shortest first.

Algorithm: at one instant all completions, then all arrivals, then one pass. The predicted run time
of a waiting job is the mean of its user's last two completed jobs, or its estimate if that is less
or fewer have completed. A started job keeps its prediction. If a job has exceeded its prediction
when a pass begins, the prediction is increased step by step (`schedlab.queue.predictions`). The
head of the queue is the oldest waiting job. A short queue is a `WaitingLine` in order of arrival;
once more jobs wait than it has room for, they are in `ByPrediction`. Running jobs are in `Releases`
by predicted end, for the shadow time, and in `expiring`, for corrections.

Invariant: after an instant no waiting job could start, and every running job has a predicted end
in the future. Cost: O(log n) per arrival, start, completion and correction (at most a dozen
corrections per job), plus the costs of `Releases` and `ByPrediction`. In a short queue a new mean
and a search cost O(waiting), many jobs in one step.
"""

import numpy as np

from libc.stdint cimport INT32_MAX, INT64_MAX, int32_t, int64_t
from libc.string cimport memset

from schedlab.kernels.common.region cimport Arena, arena_free, arena_take, arena_zeros
from schedlab.kernels.common.due cimport Due, Entry, due_add, due_drop, due_next
from schedlab.kernels.common.fit_scan cimport LANES, fitting
from schedlab.kernels.queue.by_prediction cimport (
    NO_JOB,
    ByPrediction,
    Gap,
    by_prediction_first_fit,
    by_prediction_learn,
    by_prediction_make,
    by_prediction_order,
    by_prediction_set,
    prediction,
)
from schedlab.kernels.queue.releases cimport (
    Releases,
    releases_add,
    releases_clear,
    releases_drop,
    releases_free,
    releases_grow,
    releases_shadow,
)
from schedlab.kernels.queue.waiting_line cimport WaitingLine, line_add, line_at, line_drop


cdef struct Queue:
    const int64_t* submit
    const int64_t* runtime
    const int64_t* estimate
    const int64_t* procs
    const int32_t* user
    const int64_t* step                 # successive additions to a prediction
    int32_t steps
    int32_t users                       # users with a history
    int64_t* start                      # out
    int64_t* predicted                  # of each job that has started
    int64_t* expected                   # its currently predicted end
    int32_t* corrected                  # its number of corrections
    int64_t* last                       # run time of each user's last job that ended, or -1
    int64_t now
    int64_t free_procs
    int32_t jobs                        # of the log
    int32_t head                        # no earlier job waits
    bint lined                          # the waiting jobs are in the line, not in the trees
    WaitingLine line                    # by arrival; their estimates are predictions
    ByPrediction waiting                # the same, once they have been too many
    Due running                         # by end
    Due expiring                        # by predicted end
    Releases releases
    Arena arena


cdef int plant(Queue* q) noexcept nogil:
    # Move the waiting jobs from the line, which is full of them, to trees. -1 if memory runs out.
    cdef int32_t* order = <int32_t*>arena_take(&q.arena, q.jobs, sizeof(int32_t))
    cdef int32_t k
    if (
        order == NULL
        or by_prediction_order(&q.waiting, &q.arena, order, q.jobs, q.users + 1)
        or by_prediction_make(&q.waiting, &q.arena, order, q.jobs, q.users + 1)
    ):
        return -1
    for k in range(q.line.first, q.line.end):
        by_prediction_set(&q.waiting, q.line.job[k], True)
    q.lined = False
    return 0


cdef inline int enter(Queue* q, int32_t job) noexcept nogil:
    # Let a job wait. -1 if memory runs out.
    cdef int32_t need = <int32_t>q.procs[job], length = <int32_t>prediction(&q.waiting, job)
    if q.lined and line_add(&q.line, job, need, length, job) and plant(q):
        return -1
    if not q.lined:
        by_prediction_set(&q.waiting, job, True)
    return 0


cdef inline void leave(Queue* q, int32_t job) noexcept nogil:
    # Let a job no longer wait.
    if q.lined:
        line_drop(&q.line, line_at(&q.line, job))
    else:
        by_prediction_set(&q.waiting, job, False)


cdef inline void learn(Queue* q, int32_t user, int64_t mean) noexcept nogil:
    # Set a new mean of a user's run times, which changes the predictions of waiting jobs.
    cdef int32_t k
    if not q.lined:
        by_prediction_learn(&q.waiting, user, mean)
        return
    q.waiting.mean[user] = mean
    for k in range(q.line.first, q.line.end):
        if q.user[q.line.job[k]] == user:
            q.line.estimate[k] = <int32_t>prediction(&q.waiting, q.line.job[k])


cdef inline int32_t shortest(
    const WaitingLine* line, int32_t most, int32_t longest
) noexcept nogil:
    # The place of the shortest of the jobs that need at most `most` processors and at most
    # `longest` seconds, the first of equal ones; -1: there is none.
    cdef int32_t place = -1, at = line.first
    while True:
        at = fitting(line.need, line.estimate, at, line.end, most, longest, 0, LANES)
        if at >= line.end:
            return place
        place, longest = at, line.estimate[at] - 1
        at += 1


cdef inline int32_t first_fit(Queue* q, const Gap* gap) noexcept nogil:
    # The fitting waiting job with the shortest prediction, ties to the oldest; or NO_JOB.
    cdef int32_t place
    if not q.lined:
        return by_prediction_first_fit(&q.waiting, gap)
    place = shortest(
        &q.line, <int32_t>gap.free_procs, <int32_t>min(gap.slack, INT32_MAX)
    )
    if place < 0 and gap.extra > 0:
        place = shortest(&q.line, <int32_t>min(gap.extra, gap.free_procs), INT32_MAX)
    return q.line.job[place] if place >= 0 else NO_JOB


cdef inline int begin(Queue* q, int32_t job) noexcept nogil:
    # Start a waiting job. -1 if memory runs out.
    q.predicted[job] = prediction(&q.waiting, job)
    leave(q, job)
    q.start[job] = q.now
    q.expected[job] = q.now + q.predicted[job]
    q.free_procs -= q.procs[job]
    due_add(&q.running, job, q.now + q.runtime[job], 0, job)
    due_add(&q.expiring, job, q.expected[job], 0, job)
    return releases_add(&q.releases, q.expected[job], q.procs[job])


cdef inline void finish(Queue* q, int32_t job) noexcept nogil:
    cdef int32_t user = q.user[job]
    cdef int64_t mean
    due_drop(&q.running, job)
    due_drop(&q.expiring, job)
    releases_drop(&q.releases, q.expected[job], q.procs[job])
    q.free_procs += q.procs[job]
    if user >= q.users:
        return
    if q.last[user] >= 0:
        mean = (q.last[user] + q.runtime[job]) // 2
        learn(q, user, mean if mean > 1 else 1)
    q.last[user] = q.runtime[job]


cdef inline int correct(Queue* q, int32_t job) noexcept nogil:
    # Move the predicted end of a running job past now. -1 if memory runs out.
    cdef int64_t length
    due_drop(&q.expiring, job)
    releases_drop(&q.releases, q.expected[job], q.procs[job])
    while q.expected[job] <= q.now:
        length = q.estimate[job]
        if q.corrected[job] < q.steps:
            if q.predicted[job] + q.step[q.corrected[job]] < length:
                length = q.predicted[job] + q.step[q.corrected[job]]
            q.corrected[job] += 1
        q.expected[job] = q.start[job] + length
    due_add(&q.expiring, job, q.expected[job], 0, job)
    return releases_add(&q.releases, q.expected[job], q.procs[job])


cdef int schedule(Queue* q, int32_t arrived) noexcept nogil:
    # One pass; -1 if memory runs out.
    cdef Gap gap
    cdef int32_t job
    while q.head < arrived:
        if q.start[q.head] < 0:
            if q.procs[q.head] > q.free_procs:
                break
            if begin(q, q.head):
                return -1
        q.head += 1
    if q.head == arrived or q.free_procs == 0:
        return 0
    gap.slack = releases_shadow(
        &q.releases, q.free_procs, q.procs[q.head], &gap.extra
    ) - q.now
    while q.free_procs > 0:
        gap.free_procs = q.free_procs
        job = first_fit(q, &gap)
        if job == NO_JOB:
            return 0
        if prediction(&q.waiting, job) > gap.slack:
            gap.extra -= q.procs[job]
        if begin(q, job):
            return -1
    return 0


cdef int simulate(Queue* q, int32_t n) noexcept nogil:
    cdef int32_t arrived = 0, job
    while arrived < n or q.running.size:
        if arrived == n or (
            q.running.size and q.running.entry[0].time <= q.submit[arrived]
        ):
            q.now = q.running.entry[0].time
        else:
            q.now = q.submit[arrived]
        job = due_next(&q.running, q.now)
        while job >= 0:
            finish(q, job)
            job = due_next(&q.running, q.now)
        while arrived < n and q.submit[arrived] == q.now:
            if enter(q, arrived):
                return -1
            arrived += 1
        while q.expiring.size and q.expiring.entry[0].time <= q.now:
            if correct(q, q.expiring.entry[0].job):
                return -1
        if schedule(q, arrived):
            return -1
    return 0


cdef int prepare(Queue* q, int32_t n, int32_t users) noexcept nogil:
    # Allocate once for the whole run; -1 if memory runs out.
    cdef int32_t k
    q.predicted = <int64_t*>arena_take(&q.arena, n, sizeof(int64_t))
    q.expected = <int64_t*>arena_take(&q.arena, n, sizeof(int64_t))
    q.corrected = <int32_t*>arena_zeros(&q.arena, n, sizeof(int32_t))
    q.last = <int64_t*>arena_take(&q.arena, users, sizeof(int64_t))
    q.waiting.mean = <int64_t*>arena_take(&q.arena, users, sizeof(int64_t))
    q.running.entry = <Entry*>arena_take(&q.arena, n, sizeof(Entry))
    q.running.place = <int32_t*>arena_take(&q.arena, n, sizeof(int32_t))
    q.expiring.entry = <Entry*>arena_take(&q.arena, n, sizeof(Entry))
    q.expiring.place = <int32_t*>arena_take(&q.arena, n, sizeof(int32_t))
    if q.arena.failed or releases_grow(&q.releases, 16):
        return -1
    releases_clear(&q.releases)
    for k in range(users):
        q.last[k] = -1
        q.waiting.mean[k] = INT64_MAX
    return 0


def run_predicted(
    const int64_t[::1] submit,
    const int64_t[::1] runtime,
    const int64_t[::1] estimate,
    const int64_t[::1] procs,
    const int32_t[::1] user,
    int32_t users,
    int64_t processors,
    const int64_t[::1] steps,
    bint planted=False,
):
    """Start times of n jobs; the caller (`schedlab.queue.predictions`) checks the arguments.

    Parameters
    ----------
    submit, runtime, estimate, procs : memoryviews of int64, shape (n,)
        The jobs, in order of submission; no estimate is below 1 s or the run time.
    user : memoryview of int32, shape (n,)
        From 0 to `users`; `users` means unknown users, who have no history.
    users : int
        Number of known users.
    processors : int
        Size of the machine.
    steps : memoryview of int64, shape (s,)
        Additions to an exceeded prediction, the first time, the second and so on.
    planted : bool
        The queue is in trees from the beginning, which is where it is once many jobs wait.

    Returns
    -------
    ndarray of int64, shape (n,)
    """
    cdef int32_t n = <int32_t>submit.shape[0]
    cdef Queue q
    cdef int failed
    start = np.full(n, -1, dtype=np.int64)
    cdef int64_t[::1] out = start
    if n == 0:
        return start
    memset(&q, 0, sizeof(Queue))
    q.submit, q.runtime = &submit[0], &runtime[0]
    q.estimate, q.procs, q.user = &estimate[0], &procs[0], &user[0]
    q.waiting.estimate, q.waiting.procs, q.waiting.user = q.estimate, q.procs, q.user
    q.step, q.steps, q.users = &steps[0], <int32_t>steps.shape[0], users
    q.start, q.free_procs = &out[0], processors
    q.jobs, q.lined = n, not planted
    with nogil:
        failed = prepare(&q, n, users + 1) or (planted and plant(&q)) or simulate(&q, n)
        arena_free(&q.arena)
        releases_free(&q.releases)
    if failed:
        raise MemoryError(f"no memory left to simulate {n} jobs on {processors} processors")
    return start
