/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Conditions that were met: hits that nobody has taken yet, by time, which waits have fired, and
   the words for them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text/buffer.h"
#include "condition.h"
#include "ftwait/event.h"
#include "ftwait/nsec.h"
#include "ftwait/task.h"
#include "tally/tally.h"
#include "wait_match.h"

/* A condition was met. */

#define HITS_MAX       256 /* that nobody has taken yet; further ones are only counted */
#define HIT_COMM_BYTES 16
#define HIT_TEXT_BYTES 256
#define HIT_AIM_BYTES  256

/* All of it is a copy, but for the condition. */
struct hit {
	nsec_t at;    /* end of the wait, time of the event; of what is open, when it was seen */
	nsec_t since; /* begin of the wait or delay, first of the retransmissions; else `at` */
	int32_t tid, pid; /* -1: not known; pid: of the process */
	char comm[HIT_COMM_BYTES]; /* of the task; any bytes; "": not known */
	/* Of the setup's; NULL: somebody asked for a shot, or the recording ended. */
	const struct condition *condition;
	uint8_t aim; /* enum aim_kind: what the wait was for; AIM_NONE: not known, or no wait */
	char aim_name[HIT_AIM_BYTES]; /* printable UTF-8; "": it has none, or a longer one */
	bool is_end; /* the recording ended, and has no conditions */
	/* Printable UTF-8: "mysqld[812] waited 212.437 ms for disk vda", "mysqld[812] has waited
	   5.010 s for lock rwsem, behind jbd2/vda-8[211]", "worker[44] was queued 31.204 ms" */
	char text[HIT_TEXT_BYTES];
};

struct hit_queue {
	struct hit hit[HITS_MAX]; /* by `at`; of equal ones the first that came */
	size_t count;
	uint64_t lost;
};

/* False: there is no room; it is counted. */
bool hit_queue_add(struct hit_queue *queue, const struct hit *hit);
bool hit_queue_take(struct hit_queue *queue, struct hit *ret);

/* A wait that has fired for a condition: known by the tid of its task and its begin, as these do
   not change with the generation of the run. */
struct fired_wait {
	uint64_t key; /* number of the condition << 32 | tid */
	nsec_t since;
	nsec_t at; /* when it was last seen open, or ended */
};

/* Notes that the wait fires for the condition of that number; `at`: when it was seen, or ended.
   `fired`: a tally of struct fired_wait. False: it has fired already. */
bool fired_waits_add(struct tally *fired, size_t condition, int32_t tid, nsec_t since, nsec_t at);
/* A look at all that is open has ended, at that time: forgets what ended before. */
void fired_waits_forget(struct tally *fired, nsec_t reached);

/* Words of hits are printable UTF-8 without line ends, as bytes of unknown origin are cleaned. */

/* "mysqld[812] waited 212.437 ms for disk vda", "mysqld[812] has waited more than 5.010 s for lock
   rwsem, behind jbd2/vda-8[211]", "x[7] waited 3.000 s (for data from a pipe)" */
void wait_hit_append(struct buffer *to, const struct seen_wait *wait);
/* "worker[44] was queued 31.204 ms", "worker[44] has been queued for 31.204 ms: held back by a CPU
   limit" */
void delay_hit_append(struct buffer *to, const struct seen_wait *delay);
/* "mark \"frame late\" by render[77]" */
void mark_hit_append(struct buffer *to, struct text mark, const struct task *task);
