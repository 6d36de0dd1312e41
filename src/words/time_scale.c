/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "time_scale.h"

#include <assert.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/cleanup.h"

#define SECOND       UINT64_C(1000000000)
#define DAY          (86400 * SECOND)
#define DECIMALS_MAX 9
#define YEAR_FIRST   1970
#define YEAR_LAST    2115

static struct tm local_time(nsec_t real)
{
	time_t seconds = (time_t)(real / SECOND);
	struct tm local = {0};

	(void)localtime_r(&seconds, &local);
	return local;
}

void date_append(struct buffer *to, nsec_t real)
{
	struct tm local = local_time(real);
	char text[64];

	if (strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S %Z", &local) > 0)
		buffer_puts(to, text);
}

void time_of_day_append(struct buffer *to, nsec_t real, nsec_t from, unsigned decimals)
{
	struct tm local = local_time(real);
	nsec_t fraction = real % SECOND;

	if (real >= from + DAY || real + DAY <= from)
		buffer_printf(to, "%04d-%02d-%02dT", local.tm_year + 1900, local.tm_mon + 1,
		              local.tm_mday);
	buffer_printf(to, "%02d:%02d:%02d", local.tm_hour, local.tm_min, local.tm_sec);
	if (decimals == 0)
		return;
	for (unsigned i = decimals; i < DECIMALS_MAX; i++)
		fraction /= 10;
	buffer_printf(to, ".%0*" PRIu64, (int)decimals, fraction);
}

/* Reads exactly so many digits, as a number from `least` to `most`. */
static bool digits_read(const char **at, unsigned count, int least, int most, int *ret)
{
	int number = 0;

	for (unsigned i = 0; i < count; i++, ++*at) {
		if (**at < '0' || **at > '9')
			return false;
		number = number * 10 + (**at - '0');
	}
	*ret = number;
	return number >= least && number <= most;
}

static bool char_read(const char **at, char c)
{
	if (**at != c)
		return false;
	++*at;
	return true;
}

/* Digits beyond nanoseconds are ignored. */
static bool fraction_read(const char **at, nsec_t *ret)
{
	nsec_t unit = SECOND / 10;

	*ret = 0;
	if (**at < '0' || **at > '9')
		return false;
	for (; **at >= '0' && **at <= '9'; ++*at, unit /= 10)
		*ret += unit * (nsec_t)(**at - '0');
	return true;
}

static bool date_read(const char **at, struct day_time *ret)
{
	ret->has_date = true;
	return digits_read(at, 4, YEAR_FIRST, YEAR_LAST, &ret->year) && char_read(at, '-') &&
	       digits_read(at, 2, 1, 12, &ret->month) && char_read(at, '-') &&
	       digits_read(at, 2, 1, 31, &ret->day) &&
	       (char_read(at, ' ') || char_read(at, 'T'));
}

/* ":SS" or ":SS.fraction", or nothing */
static bool seconds_read(const char **at, struct day_time *ret)
{
	if (!char_read(at, ':'))
		return true;
	if (!digits_read(at, 2, 0, 59, &ret->second))
		return false;
	return !char_read(at, '.') || fraction_read(at, &ret->fraction);
}

bool day_time_read(const char *text, struct day_time *ret)
{
	struct day_time read = {0};
	const char *at = text;

	if (strspn(text, "0123456789") == 4 && !date_read(&at, &read))
		return false;
	if (!digits_read(&at, 2, 0, 23, &read.hour) || !char_read(&at, ':') ||
	    !digits_read(&at, 2, 0, 59, &read.minute) || !seconds_read(&at, &read) || *at)
		return false;
	*ret = read;
	return true;
}

/* The time of day on the day of `local`, `days` later; 0 if that was before 1970. */
static nsec_t day_time_on(const struct day_time *asked, struct tm local, int days)
{
	time_t seconds;

	local.tm_mday += days;
	local.tm_hour = asked->hour;
	local.tm_min = asked->minute;
	local.tm_sec = asked->second;
	local.tm_isdst = -1;
	seconds = mktime(&local);
	return seconds < 0 ? 0 : (nsec_t)seconds * SECOND + asked->fraction;
}

static nsec_t distance(nsec_t real, nsec_t from, nsec_t to)
{
	return real < from ? from - real : real > to ? real - to : 0;
}

nsec_t day_time_find(const struct day_time *asked, nsec_t from, nsec_t to)
{
	struct tm local = local_time(from);
	nsec_t nearest = 0, least = NSEC_NEVER;

	if (asked->has_date) {
		local.tm_year = asked->year - 1900;
		local.tm_mon = asked->month - 1;
		local.tm_mday = asked->day;
		return day_time_on(asked, local, 0);
	}
	/* the last one before `from`, and the first one after it, which is the first one in [from,
	   to] if there is any */
	for (int days = -1; days <= 1; days++) {
		nsec_t real = day_time_on(asked, local, days);

		if (distance(real, from, to) >= least)
			continue;
		least = distance(real, from, to);
		nearest = real;
	}
	return nearest;
}

#define DECIMALS 6

static void day_instant_format(const struct instant_form *form, nsec_t time,
                               char to[static FORMAT_BYTES])
{
	_cleanup_(buffer_release) struct buffer text = buffer_of(FORMAT_BYTES);

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
