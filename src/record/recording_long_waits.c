/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "recording_long_waits.h"

#include <time.h>

#include "base/cleanup.h"

#define LONG_PAUSE_NS     250000000u
#define LONG_PAUSE_MAX_NS 10000000000u
/* Looks at all tasks may take this part of the time of one CPU, and so much at once; those at the
   tasks that were asked for as much. */
#define LONG_SHARE        200u
#define LONG_BURST_NS     20000000u
#define LONG_BYTES_MAX    (1u << 20)

/* CPU time of the calling thread, and of the process that looks for it. */
static nsec_t look_time(struct recording *recording)
{
	struct timespec time;

	if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) < 0)
		return 0;
	return (nsec_t)time.tv_sec * 1000000000u + (nsec_t)time.tv_nsec +
	       peek_time(&recording->peek);
}

static int look(void *state)
{
	struct recording *recording = state;
	_cleanup_(buffer_release) struct buffer lines = {0};
	nsec_t first_round = recording->long_waits.ends.first_round;
	nsec_t begin = look_time(recording), end;

	buffer_init(&lines, LONG_BYTES_MAX);
	long_waits_look(&recording->long_waits, &lines);
	/* another process may have taken the place of the first */
	end = look_time(recording);
	/* reading the open files of all processes for the first time comes once */
	begin += recording->long_waits.ends.first_round - first_round;
	*(recording->long_waits.is_brief ? &recording->long_waits_brief_took
	                                 : &recording->long_waits_took) =
		end > begin ? end - begin : 0;
	/* its error is ignored, as the next write fails again */
	if (lines.length > 0)
		(void)page_queue_take_block(recording->queue, STREAM_WAITS, lines.text,
		                            lines.length);
	return 0;
}

void recording_long_waits_begin(struct recording *recording)
{
	recording->long_waits_at = NSEC_NEVER;
	if (recording->flush_at == NSEC_NEVER || recording->options->no_snapshot)
		return;
	recording->long_waits_at = recording->long_waits_looked = recording->begin;
	recording->long_waits.root = recording->waits.root;
	recording->long_waits.root_count = recording->waits.root_count;
}

/* The pause after the look that begins now. */
static nsec_t pause_from(struct recording *recording, nsec_t time)
{
	nsec_t debt = recording->long_waits_debt + recording->long_waits_took;
	nsec_t paid = (time - recording->long_waits_looked) / LONG_SHARE, pause = 0;

	debt = debt > paid ? debt - paid : 0;
	recording->long_waits_debt = debt;
	recording->long_waits_looked = time;
	if (debt > LONG_BURST_NS)
		pause = (debt - LONG_BURST_NS) * LONG_SHARE;
	return nsec_min(nsec_max(pause, LONG_PAUSE_NS), LONG_PAUSE_MAX_NS);
}

/* Decides what the look that begins now looks at, and when the next one comes. */
static void plan(struct recording *recording, nsec_t time)
{
	struct long_waits *waits = &recording->long_waits;

	waits->is_brief = time < recording->long_waits_whole_at;
	if (!waits->is_brief)
		recording->long_waits_whole_at = time + pause_from(recording, time);
	recording->long_waits_at = recording->long_waits_whole_at;
	if (waits->root_count > 0)
		recording->long_waits_at = nsec_min(
			recording->long_waits_at,
			time + nsec_max(LONG_PAUSE_NS,
			                recording->long_waits_brief_took * LONG_SHARE));
}

void recording_long_waits_tick(struct recording *recording, nsec_t time)
{
	if (time < recording->long_waits_at)
		return;
	recording->long_waits_at = time + LONG_PAUSE_NS;
	if (side_call_is_busy(&recording->long_waits_call))
		return;
	(void)side_call_end(&recording->long_waits_call);
	plan(recording, time);
	side_call_begin(&recording->long_waits_call, look, recording);
}

void recording_long_waits_end(struct recording *recording)
{
	(void)side_call_end(&recording->long_waits_call);
	recording->long_waits_at = NSEC_NEVER;
}
