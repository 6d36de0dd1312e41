/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A condition was met. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "condition.h"
#include "ftwait/nsec.h"

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
