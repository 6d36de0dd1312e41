/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "realtime_reading.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/timex.h>
#include <time.h>

#include "base/data/array.h"
#include "base/nsec_scale.h"
#include "base/text/parse.h"
#include "text_file.h"

/* Of several readings the quickest is the most exact. */
#define ATTEMPTS    5
#define STATS_FILE  "per_cpu/cpu0/stats"
#define STATS_BYTES 4096
#define NOW         "now ts: "
#define MICROSECOND 1000
/* The kernel adds to its maximal error once a second. */
#define ERROR_SECOND 500000

static const struct {
	const char *name;
	clockid_t id;
} readable[] = {
	{"mono", CLOCK_MONOTONIC},
	{"mono_raw", CLOCK_MONOTONIC_RAW},
	{"boot", CLOCK_BOOTTIME},
	{"tai", CLOCK_TAI},
};

static int clock_read(clockid_t id, nsec_t *ret)
{
	struct timespec time;

	if (clock_gettime(id, &time) < 0)
		return -errno;
	*ret = (nsec_t)time.tv_sec * 1000000000u + (nsec_t)time.tv_nsec;
	return 0;
}

/* "  123.456789" seconds, or "123456" stamps. */
int stats_now_parse(const char *text, const struct clock_scale *scale, nsec_t *ret)
{
	const char *at = strstr(text, NOW);
	char word[32] = "";
	uint64_t stamp;
	size_t length;
	int r;

	if (!at)
		return -EINVAL;
	at += sizeof(NOW) - 1;
	at += strspn(at, " ");
	length = strcspn(at, "\n");
	if (length >= sizeof(word))
		return -EINVAL;
	memcpy(word, at, length);
	if (scale->mult == 0)
		return parse_time(word, ret);
	r = parse_u64(word, &stamp);
	if (r == 0)
		*ret = nsec_scale(stamp, scale->mult, scale->shift);
	return r;
}

int instance_clock_read(const char *dir, const struct clock_scale *scale, nsec_t *ret)
{
	struct buffer text;
	int r;

	buffer_init(&text, STATS_BYTES);
	r = text_file_read_at(dir, STATS_FILE, &text);
	if (r == 0)
		r = stats_now_parse(text.text, scale, ret);
	buffer_release(&text);
	return r;
}

/* A clock as it is read. */
struct readable_clock {
	const clockid_t *id; /* NULL: only in the instance's `stats` */
	const char *dir;
	const struct clock_scale *scale;
};

/* The time of day is read before and after the other clock; the mean is wrong by at most half of
   the difference. */
static int pair_read(const struct readable_clock *clock, struct realtime_pair *ret)
{
	nsec_t before = 0, after = 0, unit = clock->id || clock->scale->mult ? 0 : MICROSECOND;
	int r = clock_read(CLOCK_REALTIME, &before);

	if (r == 0)
		r = clock->id ? clock_read(*clock->id, &ret->time)
		              : instance_clock_read(clock->dir, clock->scale, &ret->time);
	if (r == 0)
		r = clock_read(CLOCK_REALTIME, &after);
	if (r < 0)
		return r;
	if (after < before) /* it was set back meanwhile */
		return -EAGAIN;
	ret->time += unit / 2;
	ret->real = before + (after - before) / 2;
	ret->within = (after - before + 1) / 2 + unit / 2;
	return 0;
}

/* NULL: a program cannot read that clock. */
static const clockid_t *clock_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(readable); i++)
		if (strcmp(readable[i].name, name) == 0)
			return &readable[i].id;
	return NULL;
}

int recording_clock_read(const char *name, nsec_t *ret)
{
	const clockid_t *id = clock_find(name);

	return id ? clock_read(*id, ret) : -ENOENT;
}

nsec_t realtime_error(int state, const struct timex *times)
{
	nsec_t ahead = (nsec_t)(times->offset < 0 ? -times->offset : times->offset);

	if (state < 0 || state == TIME_ERROR || (times->status & STA_UNSYNC) || times->maxerror < 0)
		return 0;
	if (!(times->status & STA_NANO))
		ahead *= MICROSECOND;
	return (nsec_t)times->maxerror * MICROSECOND + ahead + ERROR_SECOND;
}

int realtime_read(const char *dir, const char *name, const struct clock_scale *scale,
                  struct realtime_pair *ret)
{
	struct readable_clock clock = {.id = clock_find(name), .dir = dir, .scale = scale};
	struct timex times = {0};
	int r = -EAGAIN;

	*ret = (struct realtime_pair){.within = NSEC_NEVER};
	if (!clock.id && !dir)
		return -ENOENT;
	for (unsigned i = 0; i < ATTEMPTS; i++) {
		struct realtime_pair pair = {0};
		int error = pair_read(&clock, &pair);

		if (error == 0 && pair.within < ret->within)
			*ret = pair;
		r = ret->within != NSEC_NEVER ? 0 : error;
	}
	if (r == 0)
		ret->error = realtime_error(adjtimex(&times), &times);
	return r;
}

void realtime_pair_describe(const struct realtime_pair *pair, struct buffer *to)
{
	buffer_printf(to, "realtime %" PRIu64 " %" PRIu64 " %" PRIu64, pair->time, pair->real,
	              pair->within);
	if (pair->error)
		buffer_printf(to, " %" PRIu64, pair->error);
	buffer_putc(to, '\n');
}
