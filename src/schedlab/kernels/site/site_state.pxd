# State of a site's controller: nodes, requests, jobs, the queue and the running jobs.
#
# Invariant: `ends` and `by_limit` have the running jobs by their limits, and those of equal limits
# by start; `idle` has the nodes with a free processor; `order` has the waiting pairs of jobs and
# partitions by rank, among them pairs of jobs that have started since the last `tidy`.

from libc.stdint cimport int32_t, int64_t, uint64_t

from schedlab.kernels.common.heap cimport Heap
from schedlab.kernels.common.region cimport Arena, Growing

cdef enum:
    NEVER = -1                          # no start is known
    NO_MEMORY = 0                       # how memory is asked for
    PER_NODE = 1
    PER_CPU = 2
    ALL_MEMORY = 3
    NUMBERS = 8                         # of a class of requests
    KEPT = 8                            # running jobs from a kept state to the next
    FIRST_GRES = 4                      # amounts: jobs, cpu, mem, node, then gres


cdef struct Rules:                      # parameters by Slurm's names, times in seconds
    int64_t default_queue_depth
    int64_t sched_interval
    int64_t batch_sched_delay
    int64_t defer
    int64_t bf_interval
    int64_t bf_window
    int64_t bf_resolution
    int64_t bf_max_job_test
    int64_t bf_max_job_user
    int64_t bf_max_job_part
    int64_t bf_max_job_assoc
    int64_t bf_max_job_user_part
    int64_t bf_max_job_start
    int64_t bf_max_job_array_resv
    int64_t bf_node_space_size
    int64_t bf_min_age_reserve
    int64_t bf_min_prio_reserve
    int64_t bf_one_resv_per_job
    int64_t bf_job_part_count_reserve
    int64_t bf_window_linear
    int64_t kill_wait
    int64_t multifactor
    int64_t weight_age
    int64_t weight_fairshare
    int64_t max_age
    int64_t calc_period
    int64_t accrue_always
    int64_t max_tres
    int64_t rounds_up                   # ends of reservations, from 24.11 on
    int64_t clock
    int64_t keeps_places                # of all jobs, not only of running ones
    int64_t watched                     # job whose plan is noted, or -1
    double decay                        # of usage in a second


cdef struct Request:                    # a class of equal ones
    int64_t partition
    int64_t nodes
    int64_t most_nodes
    int64_t cpus
    int64_t per_task
    int64_t memory
    int64_t mode
    int64_t exclusive


cdef struct Place:                      # of a running job on a node
    int32_t node
    int32_t cpus
    int64_t memory


cdef struct Site:
    Rules rules
    Arena arena
    int64_t now
    int32_t nodes
    int32_t words                       # of a set of nodes
    int32_t kinds                       # of generic resources
    int64_t widest                      # processors of a node, the most
    int32_t classes
    int32_t partitions
    int32_t jobs
    int32_t pairs
    bint unit                           # nodes of one processor and one weight, nothing else
    bint plain                          # the same in one partition, without limits and changes
    bint bare                           # the same, if amounts and places are not kept
    bint tests_all                      # whether each pair in the queue counts as tested
    const int64_t* cpus                 # of nodes
    const int64_t* memory
    const int64_t* weight
    const int64_t* leaf                 # switch of each node, or NULL
    int32_t leaves
    int64_t* leaf_cpus                  # scratch
    int32_t* leaf_nodes
    const int64_t* gres                 # kinds per node
    const Request* request
    const int64_t* class_gres
    const uint64_t* fits                # sets of nodes that could have a share of some classes
    const int64_t* class_static         # the set of each class
    const uint64_t* members             # of partitions
    bint* possible                      # whether the idle machine could start a class
    int64_t* free_cpus                  # these four are parts of one state, live or on trial
    int64_t* free_memory
    int64_t* free_gres
    uint64_t* idle
    int64_t* live                       # state of the nodes now
    int64_t* trial                      # after some running jobs have left
    int64_t* kept                       # the same after every KEPT of them, in order of limits
    int32_t kept_count                  # states in `kept` that are up to date
    int64_t turns                       # starts and ends so far, and 1
    int64_t* class_seen                 # turns at which `class_left` was noted
    int32_t* class_left                 # running jobs that must leave before a class could start
    int64_t part                        # numbers of a state
    uint64_t* up
    const int64_t* tier
    const double* billing
    const int64_t* pair_of              # first pair of each job
    const int64_t* pair_class
    const int64_t* pair_partition
    const int64_t* pair_group
    const double* points
    double* extra                       # points of jobs that a policy gives
    int32_t* pair_job
    const int64_t* submit
    int64_t* eligible                   # not before this time
    const int64_t* holds
    const int64_t* limit
    const int64_t* user
    const int64_t* association
    const int64_t* array
    const int64_t* after_of
    const int64_t* after
    const int64_t* reservation
    int64_t* start                      # out
    int64_t* ran_in                     # out: the pair
    int64_t* first_place                # of each job in `place`
    int32_t* place_count
    Growing places
    int64_t* accrue
    int64_t* priority                   # of pairs
    double* billed                      # per second
    bint* ended
    # limits
    const int64_t* check_of
    const int64_t* checks               # counter, amount, most, early
    const int64_t* addition_of
    const int64_t* additions            # counter, amount
    int64_t* used
    bint* limited                       # pairs that a limit stopped when they were last looked at
    int64_t* amounts                    # scratch
    # preemption: ranks of pairs
    const int64_t* pair_rank
    const int64_t* may_preempt          # of a rank, `ranks` each
    const int64_t* rank_level
    const int64_t* rank_order
    const int64_t* rank_mode
    const int64_t* rank_grace
    int32_t ranks
    bint preempts                       # whether any rank may preempt another
    int64_t exempt                      # seconds after a start
    int64_t* until                      # when the nodes of a running job return
    bint* stopped
    int32_t* restarts                   # out
    int64_t* no_more_victims
    int32_t* victim
    # advance reservations and changes
    int32_t reservations
    const int64_t* reserved_times       # known, begin, end, maintenance
    const uint64_t* reserved
    int32_t changes
    const int64_t* change_times         # time, takes
    const uint64_t* changed
    int32_t next_change
    # running
    Heap running                        # by actual end
    int32_t runs                        # entries of the three lists below
    int32_t* by_start
    int32_t* by_limit
    int64_t* ends
    int32_t* home                       # node of a running job on one node, by limit; else -1
    int32_t* group_place                # running jobs that have left after each group of ends
    int64_t* group_last                 # and the last end of it
    uint64_t* sets                      # nodes of running jobs, `words` per slot
    int32_t* slot                       # of each job
    int32_t* spare
    int32_t spares
    # waiting
    int32_t* order
    int32_t* other                      # scratch of sorting
    int32_t waits                       # entries of `order`
    int32_t alive                       # pairs in it whose job has not started
    # choice
    int32_t* candidate                  # nodes that offer processors
    int64_t* offer
    int32_t* left                       # candidates not taken
    int32_t candidates
    int32_t* by_offer                   # candidates by their offer
    int32_t* chosen                     # nodes of a choice, and processors on them
    int64_t* given
    int32_t picked
    uint64_t* usable
    uint64_t* wide
    uint64_t* where
    uint64_t* avail
    # plan of a pass
    int64_t* slot_begin
    int64_t* slot_end
    uint64_t* unreserved
    int32_t* slot_count                 # equal processors: unreserved nodes of each slot
    char* rises                         # equal processors: see `note_rises`
    int32_t* freed                      # equal processors: see `soonest`
    int64_t* room_begin                 # equal processors: free nodes that are unreserved until
    int32_t* room                       # the next begin
    int32_t rooms
    int32_t planned                     # pairs that the last pass looked at
    int64_t valid                       # until then the plan is that of a new pass
    int64_t quiet                       # the same, and a pass starts nothing
    bint main_quiet                     # the same of full main passes
    int32_t slots
    int32_t most_slots
    int64_t* seen_user                  # pairs looked at in a pass, and when they were counted
    int64_t* seen_part
    int64_t* seen_assoc
    int64_t* seen_user_part
    int64_t* array_count
    int64_t* array_rejected
    int64_t users
    int64_t arrays
    int64_t pass_                       # number of the pass
    int64_t watched_at                  # first start of the watched job in the last pass, or NEVER
    int64_t* planned_in                 # last pass in which a job was planned
    int32_t* planned_of_part
    unsigned char* class_state
    bint has_checks
    bint* failed                        # partitions that a main pass has closed
    # time
    int32_t arrived
    int32_t* held                       # jobs that wait for their begin or for other jobs
    int32_t held_count
    int64_t next_begin
    bint* entered
    int64_t* fresh_at                   # when a job came into the queue
    int32_t fresh                       # pairs that came at this instant
    uint64_t* covered
    uint64_t* every                     # all nodes
    int64_t backfill                    # next pass, or its place in `pass_times`
    const int64_t* pass_times
    int64_t passes
    int64_t full                        # next full main pass
    int64_t queued                      # next pass after a submission
    int64_t last_loop
    int64_t calc                        # next calculation of priorities
    int64_t last_event                  # last change or end of an advance reservation
    int64_t idle_since
    # fair tree
    int32_t associations
    const int64_t* parent
    const int64_t* shares
    const int64_t* is_user
    int32_t* child                      # siblings together, in order
    int32_t* child_of                   # first child of each association
    double* level
    double* usage
    double* factor
    int64_t last                        # when usage was last added up
    int32_t members_count               # associations of users
