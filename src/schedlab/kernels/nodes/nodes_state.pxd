# Data of a simulation of jobs that share nodes, for the files of the nodes kernel.
#
# At most two jobs share a node. Places on nodes, their links, neighbors by application and speeds
# support any number of ways. These parts assume two: the other job of a node (`k ^ 1` and `way` in
# nodes_places, the mark WHOLE on the other way), the classes (a set per occupant; with more ways
# one per multiset of occupants), `opens` and `clears` (which of two leaves last) and
# `second_cores` of a node. To raise WAYS, change these, and define the speed with several
# neighbors.

from cpython.ref cimport PyObject
from libc.stdint cimport int32_t, int64_t, uint8_t

from schedlab.kernels.common.region cimport Arena, Growing
from schedlab.kernels.nodes.arrivals cimport Arrivals
from schedlab.kernels.common.bitset cimport Bitset
from schedlab.kernels.nodes.fenwick cimport Fenwick
from schedlab.kernels.nodes.neighbours cimport Neighbours
from schedlab.kernels.nodes.node_classes cimport COMPACT, HYBRID, SPREAD, NodeClasses, enough
from schedlab.kernels.nodes.popularity cimport Popularity, rank_of
from schedlab.kernels.nodes.steps cimport Steps
from schedlab.kernels.nodes.timed_heap cimport TimedHeap

cdef enum:
    WAYS = 2                            # jobs that may share a node
    NO_JOB = -1
    WHOLE = -2                          # the other way of a node that a job has as a whole

cdef enum StartOrder:
    STATIC, FILLER, INDEXED, RANK_INDEXED, RANK_INDEXED_UP, RANK, OWN

cdef enum Backfill:
    NONE, EASY, CONSERVATIVE, TEXTBOOK


cdef struct Running:
    int32_t job
    int32_t app
    int32_t chain                       # its first place on a node, by `link`
    int32_t nodes
    int32_t opens                       # nodes that get room for another job at its end,
    int32_t clears                      # and those that become idle, if all jobs end at wall time
    bint compact
    bint changed                        # its neighbors changed at this instant
    double wall_end
    double work                         # left at `since`, in seconds on whole nodes
    double since
    double speed


cdef struct Piece:                      # a job's speed from a time on
    int32_t job
    double time
    double speed


cdef struct Cosched:
    Arena arena                         # owns every array except those of the jobs and the results
    # jobs
    int32_t n
    const double* submit
    const double* time
    const double* wall
    const int64_t* procs
    const int32_t* app
    const int32_t* whole                # number of whole nodes,
    const int32_t* shared               # or of shared nodes
    # scheduler
    int32_t order
    bint exact                          # keys are fractions, not doubles
    int32_t mode
    int32_t filling_mode                # of backfilled jobs
    bint filling                        # whether backfilling is in progress
    int32_t backfill
    bint repeat
    int32_t depth
    int32_t window                      # number of jobs that the order sees
    int32_t compact_below               # ranks below it are compact in a hybrid allocation
    PyObject* own
    # waiting jobs: by arrival, their ranks, and in groups with a fixed order
    Arrivals queue
    Popularity popularity
    int32_t groups
    const int32_t* place                # of each job among all, group after group
    const int32_t* at                   # the job at each place
    const int32_t* group_first          # first place of each group; one more at the end
    Bitset seen                         # places of the jobs that the order sees
    int32_t* head                       # of each group in this pass; NO_JOB if none can start
    int64_t* key                        # of each head, if it is a whole number,
    double* score                       # or otherwise
    const int32_t* second               # place of each job in the second queue
    Fenwick index                       # of visible jobs: by `second`, or by type and arrival
    int32_t* gone                       # jobs started in this pass that are still in `index`
    int32_t gone_count
    bint passing
    int64_t pass_free                   # free cores at the beginning of this pass,
    int32_t pass_seen                   # and visible jobs
    int32_t* listed                     # jobs in a user-defined order
    # nodes
    int64_t node_cores
    int64_t second_cores                # free cores of a node with one job
    NodeClasses nodes
    int32_t* on                         # running slot at each place (node * WAYS + way)
    int32_t* link                       # next place of the same job
    # running jobs
    int32_t slots
    Running* running
    int32_t* spare                      # slots without a job
    int32_t spares
    Neighbours neighbours
    int32_t* by_wall                    # slots by wall-time end, then by job
    int32_t count
    int32_t* changed                    # slots whose neighbors changed at this instant
    int32_t changed_count
    TimedHeap ends
    # plans
    Steps steps
    double* reserved                    # the job's reservation; < 0: none
    double* limit                       # time by which each candidate must end
    int32_t* left                       # running jobs in a walk over candidates
    # output
    double now
    double* start
    double* end
    int32_t* given                      # nodes
    uint8_t* packed
    bint keep
    int64_t* kept_first                 # position of each job's first node,
    Growing kept_nodes                  # one int32_t each
    Growing pieces


cdef inline int no_memory() except -1 nogil:
    with gil:
        raise MemoryError("no memory left to simulate co-scheduled jobs")


cdef inline int32_t mode_of(const Cosched* q, int32_t job) noexcept nogil:
    cdef int32_t mode = q.filling_mode if q.filling else q.mode
    if mode != HYBRID:
        return mode
    return COMPACT if rank_of(&q.popularity, q.app[job]) < q.compact_below else SPREAD


cdef inline int32_t need_of(const Cosched* q, int32_t job, int32_t mode) noexcept nogil:
    return q.whole[job] if mode == COMPACT else q.shared[job]


cdef inline bint fits(const Cosched* q, int32_t job) noexcept nogil:
    cdef int32_t mode = mode_of(q, job)
    return enough(mode, need_of(q, job, mode), q.nodes.size[0], q.nodes.open)
