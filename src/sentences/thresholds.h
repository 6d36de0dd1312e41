/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From what size on sentences speak of something, and of how many: the thresholds of the summary's
 * sentences and advice, and of what other views, comparisons and top say. Limits of memory are
 * where the memory is.
 */
#pragma once

/* Least parts           of what: what they decide */
#define PART_ASLEEP     0.99  /* of its known time: a task is idle */
#define PART_WHOLE      0.995 /* of anything: its share goes without saying */
#define PART_EXPLAINED  0.9   /* of a recording's time, explained: it can be judged */
#define PART_ALWAYS     0.9   /* of its time: a CPU or disk is busy, a task idle or stopped */
#define PART_MOST       0.5   /* of anything: one task, name or reason stands for all of it */
#define PART_HOG        0.25  /* of the CPUs, or of a task's time: a hog; it is queued */
#define PART_WORTH      0.1   /* of reported time, a path or a cost: worth advice or a clause */
#define PART_SPARE      0.3   /* of its time: a CPU is idle while tasks queue elsewhere */
#define PART_IDLE       0.1   /* of CPUs and disks, at most: a machine is mostly idle */
#define PART_AS_BEFORE  0.1   /* of the older figure, at most: the newer one is "as before" */
#define PART_STOLEN     0.05  /* of CPU time, taken by the host: a recording cannot be judged */
#define PART_NAMED      0.05  /* of reported time, or of a request: a view or a cost is named */
#define PART_NO_ROOM    0.05  /* of its time, at most idle: a CPU has no room for another task */
#define PART_OF_LIFE    0.05  /* of the one task's time with its sleeps: worth advice */
#define PART_NAME       0.02  /* of all time held up: a name is worth it */
#define PART_OF_QUEUES  0.01  /* of the time in run queues: what had the CPU is named */
#define PART_FORGOTTEN  0.01  /* of the path: that older history was forgotten is said */
#define PART_NEGLIGIBLE 0.005 /* of the whole: below it a cost, or who is to blame, is left out */

/* The same as divisors     of what: what they decide */
#define DIVISOR_MAJOR      2    /* of the longest life: polling comes first; of a life: steady; of
                                   a task's time on CPUs: a lent priority explains it */
#define DIVISOR_WORTH      10   /* of the longest life: polling is worth a line */
#define DIVISOR_WHOLE      10   /* of a time, at most missing: it counts as the whole */
#define DIVISOR_SLICES     20   /* of the task's time: a wait in slices is worth a line */
#define DIVISOR_ALIKE      10   /* of a chain's time: another chain lasts as long */
#define DIVISOR_CHAIN      100  /* of the whole: a chain is worth a line */
#define DIVISOR_HELD_UP    100  /* of the window: time held up is worth a sentence */
#define DIVISOR_SAME       100  /* of their mean, at most: waits have the same length */
#define DIVISOR_QUIET      100  /* of its sleeps, at most running: a task does nothing in between */
#define DIVISOR_LONGEST    1000 /* of the window: the longest wait is reported */
#define DIVISOR_MEMORY     1000 /* of the running time: making room in memory is reported */
#define DIVISOR_SMALL_COST 1000 /* of all costs: below it one goes last */

/* Least lengths, in ns */
#define LATE_LEAST        10000000u  /* a late timer is worth a sentence */
#define HOLD_LEAST        20000000u  /* a real-time task that keeps its CPU is felt */
#define HOLD_FAIR_LEAST   50000000u  /* any task: slices of fair tasks may be longer than that */
#define SPIN_RUN_MOST     20000000u  /* at most, of running for each time it gives its CPU away */
#define STAY_LEAST        20000u     /* in a run queue; less is the normal cost of a switch */
#define INVERTED_LEAST    1000000u   /* an inversion in one wait matters */
#define TRAFFIC_LEAST     100000000u /* a window in which the bytes of devices are exact enough */

/* Least numbers */
#define CROWD_LEAST       1.2 /* tasks for each CPU: too many */
#define BEYOND_LEAST      0.5 /* tasks beyond one for each CPU, on average: a queue needs advice */
#define TIMES_LEAST       2   /* a multiple of a limit; less is said in percent of it */
#define TIMES_MANY        100 /* a multiple of which no decimals are shown */
#define RUNS_LEAST        6   /* of a side; fewer prove hardly anything */
#define TURNS_LEAST       3   /* wake-ups that two tasks take by turns */
#define QUEUED_LEAST      3   /* programs that stand still behind one */
#define QUEUED_TO_RAN     4   /* of them for each that runs: nearly all stand still */
#define RETRANSMITS_LEAST 5   /* fewer are normal */
#define LOCK_WAITS_LEAST  10  /* waits at a futex that make it a lock */
#define SPINS_LEAST       20  /* times that a task gives its CPU away: it spins */
#define WEIGHT_SMALL      500 /* at most, of the usual 1000: a weight that is a reason to queue */

/* How many are named at most */
#define SHOWN_ADVICE   2
#define SHOWN_WORST    2 /* costs of the worst request */
#define SHOWN_VIEWS    3
#define SHOWN_SHARES   3 /* tasks of a cost */
#define SHOWN_PAIRS    3 /* of groups that cost each other time */
#define SHOWN_CHANGES  3 /* between two sets of runs */
#define SHOWN_DOUBTS   3 /* about runs, on a screen */
#define SHOWN_BROKEN   4 /* rules, on a screen */
#define SHOWN_CAUSES   3 /* of a task's waiting, or of a system call's time */
#define SHOWN_ENDED    3 /* zombies, and names that signals have ended */
#define SHOWN_COSTS    4 /* of the headline */
#define SHOWN_RUNNERS  4
#define SHOWN_NOW      4
#define SHOWN_NAMES    4 /* of what ran on a CPU, or of a knot */
#define SHOWN_LOSSES   4 /* of what a task, a group or a cycle lost its time to */
#define SHOWN_USERS    3 /* of CPUs while tasks were in run queues */
#define SHOWN_SOURCES  3 /* of what woke a CPU */
#define SHOWN_OWNERS   3 /* groups that had the locks of another one */
#define SHOWN_AHEAD    3 /* tasks that had requests ahead of another task's */
#define SHOWN_REASONS  4 /* of dropped packets */
#define SHOWN_RARE     3 /* rare causes of a tail */
#define SHOWN_RARE_FIRST 2 /* of these, on the first screen */
#define SHOWN_DROPPERS 2 /* functions that dropped packets for one reason */
#define SHOWN_KINDS    4 /* of waiting, in the head of top */
#define SHOWN_INSTANTS 4
#define SHOWN_SUFFERERS 5
#define LEAD_BYTES     150 /* of the first sentence: it fits into two lines of 80 columns */
