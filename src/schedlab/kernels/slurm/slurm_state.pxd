# State of Slurm's controller: jobs, processors, running jobs, and the plan of a pass.
#
# Invariant: `by_limit` and `expected` have the running jobs, `running.size` of them, in the order
# of their limits; `free` and their sets are disjoint and cover all processors.

from libc.stdint cimport int32_t, int64_t, uint64_t

from schedlab.kernels.common.region cimport Arena
from schedlab.kernels.common.bitset cimport Bitset
from schedlab.kernels.common.heap cimport Heap


cdef enum:
    NEVER = -1                          # no start is known


cdef struct Controller:
    const int64_t* submit
    const int64_t* holds                # how long a job holds its processors
    const int64_t* limit
    const int64_t* procs
    const int32_t* job                  # at each rank
    const int32_t* rank                 # of each job
    int64_t* start                      # out
    int64_t now
    int32_t processors
    int32_t words                       # of a set of processors
    int64_t resolution
    int64_t window
    int64_t close
    int64_t most_tested
    int64_t most_reserved
    Bitset waiting                      # by rank
    int32_t waits                       # their number
    Heap running
    int32_t* by_limit                   # running jobs by limit, earliest first
    int64_t* expected                   # when each of them reaches it
    int32_t* slot                       # place of the set of a running job
    int32_t* spare                      # free slots
    int32_t spares
    uint64_t* sets                      # of running jobs, `words` per slot
    uint64_t* free                      # processors
    int32_t free_procs
    int64_t* begins                     # of the stretches of the plan
    int64_t* ends
    uint64_t* unreserved                # their sets
    int32_t stretches
    uint64_t* usable
    uint64_t* found
    uint64_t* where                     # the chosen processors
    Arena arena
