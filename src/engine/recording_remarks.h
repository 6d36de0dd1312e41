/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a report remarks on its recording as a whole: what it lacks, and what makes its answers
 * uncertain. Each call adds what there is to say of one thing, or nothing.
 */
#pragma once

#include <stdbool.h>

#include "decode/event_decoder.h"
#include "ftwait/health.h"
#include "ftwait/source.h"

/* What is known of the recording so far; borrowed. */
struct recording_remarks {
	const struct source *source;
	const struct event_kinds *seen;      /* that occurred */
	const struct event_kinds *described; /* that were recorded, whether they occurred or not */
	enum state_form state_form;
	bool has_any; /* it has events */
	bool has_wakeup_timers; /* timer events, but only those that end sleeps and time-outs */
};

bool recording_remarks_lack(const struct recording_remarks *remarks, enum event_kind kind);
/* What explains most comes first: that what was interrupted is a guess; groups of events that are
   missing, with what that means, and how to record them. */
void recording_remarks_lacks(const struct recording_remarks *remarks, struct health *health);
/* States of tasks that are read otherwise than the kernel's format says; the CPU time that the host
   of a virtual machine took, which also becomes that of `health`; how often the system was
   suspended and for how long, from the counters in `health`; what makes times of day uncertain. */
void recording_remarks_rest(const struct recording_remarks *remarks, struct health *health);
