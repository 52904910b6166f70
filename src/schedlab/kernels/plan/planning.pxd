# Data of a machine with an execution plan (`planning.pyx`), for saved plans (`plan_kept.pyx`).

from libc.stdint cimport int32_t, int64_t, uint64_t

from schedlab.kernels.common.due cimport Due
from schedlab.kernels.plan.plan cimport Plan
from schedlab.kernels.plan.plan_marking cimport Marks
from schedlab.kernels.plan.plan_moves cimport Search
from schedlab.kernels.plan.plan_queue cimport Fair
from schedlab.kernels.plan.plan_search cimport Hunt


cdef enum State:
    IS_HELD, IS_PENDING, IS_WAITING, IS_RUNNING, IS_ENDED


cdef class Planner:
    cdef Plan plan
    cdef Search search
    cdef Hunt hunt
    cdef Fair fair
    cdef Marks marks
    cdef bint by_queue, marking
    cdef Due arriving, running
    cdef dict column                    # the memory of all arrays below, by name
    cdef list lines
    cdef int64_t* runtime
    cdef double* rate                   # usage of a job per second
    cdef signed char* state_
    cdef bint* has_come                 # of users
    cdef int32_t* began                 # jobs in order of their starts, and of their ends
    cdef int32_t* ended
    cdef int32_t begun, over, begun_read, over_read
    cdef int32_t jobs, room, iterations, most_planned
    cdef int64_t every, searched, long_beyond, updates
    cdef uint64_t key
    cdef bint timed
    cdef int64_t idle, active, poll     # seconds between cycles, and earliest time of the next one
    cdef public bint may_search         # whether a due search runs or is postponed

    cdef void* grown(self, dict column, str name, int64_t size)
    cdef void make_nodes(self, list nodes)
    cdef int make_free(self) except -1
    cdef void make_room(self, int32_t room)
    cdef void make_rules(self, int64_t one)
    cdef void make_users(self, int32_t users)
    cpdef bint release(self, int32_t job, int64_t at)
    cdef void finish(self, int32_t job) noexcept nogil
    cdef int64_t seen_at(self, int64_t time) noexcept nogil
    cdef void arrive(self, int32_t job) noexcept nogil
    cdef void start_due(self) noexcept nogil
    cdef int64_t next_time(self) noexcept nogil
    cdef void search_now(self) noexcept nogil
    cdef void update(self) noexcept nogil
    cdef void plan_queue(self) noexcept nogil
    cdef bint run(self, int64_t until, bint on_end) noexcept nogil
    cdef tuple means(self, const double* sums)
