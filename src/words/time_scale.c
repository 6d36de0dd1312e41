/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "time_scale.h"

#include <assert.h>
#include <stddef.h>
#include <stdio.h>

#include "base/cleanup.h"
#include "time_of_day.h"

#define DECIMALS 6

static void day_instant_format(const struct instant_form *form, nsec_t time,
                               char to[static FORMAT_BYTES])
{
	_cleanup_(buffer_release) struct buffer text = {0};

	buffer_init(&text, FORMAT_BYTES);
	time_of_day_append(&text, time_scale_real(form->realtime, time),
	                   time_scale_real(form->realtime, form->begin), DECIMALS);
	(void)snprintf(to, FORMAT_BYTES, "%s", text.text);
}

char *format_instant_of(const struct instant_form *form, nsec_t time, char to[static FORMAT_BYTES])
{
	/* An instant may be before the trace: a task that was running when the trace began was
	   switched in earlier. */
	if (form->realtime)
		day_instant_format(form, time, to);
	else if (time < form->begin)
		(void)snprintf(to, FORMAT_BYTES, "-%s", INSTANT_TEXT(form->begin - time));
	else
		(void)format_instant(time - form->begin, to);
	return to;
}

/* Clocks drift apart: NTP corrects by at most 0.5 in 1000, and ftrace's other clocks are not
   corrected at all. */
#define DRIFT_NS   1000000
#define DRIFT_PART 1000

/* All times are below 2^63, so differences fit. */
static int64_t difference(nsec_t to, nsec_t from)
{
	return (int64_t)to - (int64_t)from;
}

static nsec_t moved(nsec_t time, int64_t by)
{
	int64_t sum;

	if (__builtin_add_overflow((int64_t)time, by, &sum) || sum > (int64_t)REALTIME_MAX)
		return REALTIME_MAX;
	return sum < 0 ? 0 : (nsec_t)sum;
}

nsec_t time_scale_real(const struct realtime *realtime, nsec_t time)
{
	const struct realtime_pair *pair = realtime->pair;
	double further;
	size_t next = 0;

	assert(realtime->count > 0);
	time = nsec_min(time, REALTIME_MAX);
	while (next < realtime->count && pair[next].time <= time)
		next++;
	if (next > 0)
		pair += next - 1;
	if (next == 0 || next == realtime->count)
		return moved(pair->real, difference(time, pair->time));
	/* only the correction is rounded, which is small */
	further = (double)difference(pair[1].real, pair->real) -
	          (double)difference(pair[1].time, pair->time);
	further *= nsec_ratio(time - pair->time, pair[1].time - pair->time);
	return moved(moved(pair->real, difference(time, pair->time)), (int64_t)further);
}

nsec_t time_scale_error(const struct realtime *realtime)
{
	const struct realtime_pair *pair = realtime->pair;
	nsec_t most = 0, span;

	assert(realtime->count > 0);
	for (size_t i = 0; i < realtime->count; i++) {
		if (pair[i].error == 0)
			return NSEC_NEVER;
		most = nsec_max(most, pair[i].error + pair[i].within);
	}
	/* it may have grown until it was set right again */
	span = pair[realtime->count - 1].time - pair[0].time;
	return most + span / (2 * DRIFT_PART);
}

nsec_t time_scale_time(const struct realtime *realtime, nsec_t real)
{
	const struct realtime_pair *pair = realtime->pair;
	double ratio;
	size_t next = 0;

	assert(realtime->count > 0);
	real = nsec_min(real, REALTIME_MAX);
	while (next < realtime->count && pair[next].real <= real)
		next++;
	if (next > 0)
		pair += next - 1;
	if (next == 0 || next == realtime->count)
		return moved(pair->time, difference(real, pair->real));
	ratio = nsec_ratio(real - pair->real, pair[1].real - pair->real);
	return moved(pair->time, (int64_t)(ratio * (double)(pair[1].time - pair->time) + 0.5));
}

int64_t time_scale_jump(const struct realtime *realtime)
{
	int64_t most = 0;

	for (size_t i = 1; i < realtime->count; i++) {
		const struct realtime_pair *pair = &realtime->pair[i];
		int64_t length = difference(pair->time, pair[-1].time);
		int64_t further = difference(pair->real, pair[-1].real) - length;
		int64_t size = further < 0 ? -further : further;

		if (size > DRIFT_NS + length / DRIFT_PART && size > (most < 0 ? -most : most))
			most = further;
	}
	return most;
}
