# Data of a simulation in the dialect ocs, for the files of the mixed kernel.
#
# The policies are weight vectors, or one expression, which is a single vector without features. A
# state of the machine carries all weight vectors that have reached it. The present one is in `s`
# and the arrays after it; the others are on a stack between boundaries, and in contiguous memory
# at a boundary.

from libc.stdint cimport int32_t, int64_t, uint64_t

from schedlab.kernels.common.region cimport Arena, Growing
from schedlab.kernels.mixed.event_heap cimport EventHeap
from schedlab.kernels.common.expression cimport Program

cdef enum:
    JOB_BITS = 24                       # a running job is time << JOB_BITS | job
    FRACTION_BITS = 44                  # of a bounded slowdown in fixed point
    NO_JOB = -1
    LONGEST = 0x7FFFFFFF
    EXPRESSION = 0                      # number of features of a policy that is an expression
    BASIC = 3                           # number of static features; otherwise there are five
    MOST_WEIGHTS = 6                    # including the time-dependent one
    FEW = 3                             # number of vectors up to which each is scored separately
    MOST_SCORES = 1 << 16               # stored scores, vectors times jobs, that fit the cache


cdef struct State:
    int64_t now
    int64_t shadow                      # time of the head's reservation
    int64_t due                         # no job starves up to this time
    int64_t whole, part                 # sum of bounded slowdowns since the last boundary
    uint64_t mark                       # hash of the starts since then
    int32_t low, high                   # its vectors are order[low:high]
    double least[MOST_WEIGHTS]          # bounding box of the vectors, if there are more than FEW
    double most[MOST_WEIGHTS]
    int32_t arrived
    int32_t free_procs
    int32_t extra                       # processors that the reservation leaves free
    int32_t head                        # a job, or NO_JOB if not determined yet
    int32_t waiting
    int32_t running
    int32_t begun                       # jobs that the present pass started,
    int32_t led                         # and how many of these were heads
    int32_t fill                        # during backfilling: the next job, or NO_JOB
    bint reserved                       # shadow and extra are those of `head`
    bint starving                       # the head is the oldest job, which exceeds the threshold


cdef struct Kept:                       # a state at a boundary
    int64_t at                          # beginning of its bytes
    int64_t size                        # number of bytes that identify it
    uint64_t hash
    int32_t low, high


cdef struct Boundary:
    Kept* kept
    int32_t count
    Growing states


cdef struct Batch:
    Arena arena                         # owns every array except those of the jobs and the results
    # the jobs
    int32_t n
    const int64_t* submit
    const int64_t* runtime
    const int64_t* estimate
    const int64_t* procs
    const double* bound                 # divisor of each job's slowdown: max(runtime, tau)
    const int32_t* job                  # at each rank of the backfill order
    const int32_t* level                # at each rank: equal for ties of that order
    int32_t* rank                       # of each job
    int32_t* came                       # of each job: of equal jobs the last arrival is first
    int32_t* need_at                    # by rank
    int32_t* estimate_at
    const double* feature_at            # by rank: static features,
    double* size_at                     # and the sum of their absolute values
    int32_t processors
    int64_t threshold                   # jobs that have waited longer starve
    bint easy                           # EASY; otherwise strict order
    # for a single policy
    Program program
    const double* fixed                 # by rank: its scores, if they are static
    int64_t* start                      # output: start of each job
    int32_t faulty                      # a job whose score has no order, or NO_JOB
    int64_t wait                        # its wait at that time
    bint exact                          # whether `came` follows the events of the simulation:
    EventHeap events
    # the vectors
    int32_t vectors
    int32_t features
    const double* weight                # by vector
    const double* pace                  # by vector: weight of (wait / estimate) / pace_scale
    double pace_scale
    bint moving
    double* still_at                    # by vector and rank: static part of the scores; or NULL
    double* share                       # by rank: the time-dependent feature in this question
    int32_t* order
    int32_t* chosen                     # by vector: its chosen job
    int32_t* rival                      # ranks of the candidate jobs
    int32_t* state_of                   # by vector: its state at the next boundary
    int64_t* whole                      # by vector: sum of bounded slowdowns
    int64_t* part
    uint64_t* mark                      # by vector: hash of its schedule
    # the present state
    State s
    int32_t* rank_of                    # waiting jobs by rank,
    int32_t* need                       # their needs and estimates
    int32_t* estimate_of
    int64_t* ending                     # running jobs by actual end, the next one last
    int64_t* release                    # the same by estimated end, the next one first;
    int32_t* begun                      # jobs that this pass started: heads, then backfilled ones
    int64_t* fresh                      # memory to sort the heads among them by estimated end
    # the other states
    Growing stack
    Boundary here, there
    int32_t* table                      # of the states at `there`, by hash
    int64_t table_size
    int64_t simulated                   # starts in all simulations together


cdef inline int64_t entry_of(int64_t time, int32_t job) noexcept nogil:
    return time << JOB_BITS | job


cdef inline int32_t job_of(int64_t entry) noexcept nogil:
    return <int32_t>(entry & ((1 << JOB_BITS) - 1))


cdef inline int64_t time_of(int64_t entry) noexcept nogil:
    return entry >> JOB_BITS
