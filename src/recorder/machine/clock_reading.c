/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "clock_reading.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/nsec_scale.h"
#include "base/text/parse.h"
#include "text_file.h"
#include "words/kernel/trace_clock.h"

#define CLOCK_NAMES_BYTES 4096
#define CYCLE_CLOCK       "x86-tsc" /* the clock to which perf's scale applies */
#define PAGE_READS_MAX    1000

int clock_scale_of_page(const volatile struct perf_event_mmap_page *page, struct clock_scale *ret)
{
	/* The kernel makes `lock` odd while it changes the page, and changes it again
	   afterwards. */
	for (unsigned i = 0; i < PAGE_READS_MAX; i++) {
		uint32_t lock = page->lock;
		bool has_scale;

		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		has_scale = page->cap_user_time && page->time_mult;
		*ret = (struct clock_scale){page->time_mult, page->time_shift};
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		if (page->lock == lock && !(lock & 1))
			return has_scale ? 0 : -ENOTSUP;
	}
	return -ENOTSUP;
}

/* Opens an event of this task that counts nothing, so it needs no privilege. */
static int dummy_event_open(void)
{
	struct perf_event_attr attributes = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attributes),
		.config = PERF_COUNT_SW_DUMMY,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	long fd = syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : (int)fd;
}

/* -ENOTSUP if perf works but gives no scale; else the error of perf_event_open() or mmap(). */
static int clock_scale_ask(struct clock_scale *ret)
{
	size_t bytes = (size_t)sysconf(_SC_PAGESIZE);
	_cleanup_(closep) int fd = dummy_event_open();
	void *page;
	int r;

	if (fd < 0)
		return fd;
	page = mmap(NULL, bytes, PROT_READ, MAP_SHARED, fd, 0);
	if (page == MAP_FAILED)
		return -errno;
	r = clock_scale_of_page(page, ret);
	(void)munmap(page, bytes);
	return r;
}

/* Not the clock "local": that of one CPU says nothing about another. */
const char *clock_default(const char *dir)
{
	_cleanup_(freep) char *names = text_file_copy_at(dir, "trace_clock");
	char *name, *next = NULL;

	for (name = names ? strtok_r(names, " []\n", &next) : NULL; name;
	     name = strtok_r(NULL, " []\n", &next))
		if (strcmp(name, CLOCK_BEST) == 0)
			return CLOCK_BEST;
	return names && *names ? "global" : CLOCK_BEST;
}

void clock_names_append(const char *dir, struct buffer *to)
{
	const char *blank = "";
	_cleanup_(buffer_release) struct buffer names = buffer_of(CLOCK_NAMES_BYTES);
	char *name, *next = NULL;

	(void)text_file_read_at(dir, "trace_clock", &names);
	for (name = strtok_r(names.text, " []\n", &next); name;
	     name = strtok_r(NULL, " []\n", &next)) {
		const struct trace_clock *clock = trace_clock_find(name);

		if (!clock || clock->unit)
			continue;
		buffer_printf(to, "%s%s", blank, name);
		blank = " ";
	}
}

int clock_scale_find(const char *dir, const char *name, struct clock_scale *ret, struct buffer *why)
{
	const struct trace_clock *clock = trace_clock_find(name);
	int r = -ENOTSUP;

	*ret = (struct clock_scale){0};
	if (clock && !clock->unit)
		return 0;
	if (strcmp(name, CYCLE_CLOCK) == 0)
		r = clock_scale_ask(ret);
	if (r == 0)
		return 0;
	buffer_printf(why, "clock \"%s\" counts %s, not nanoseconds", name,
	              clock ? clock->unit : "what is not known");
	if (strcmp(name, CYCLE_CLOCK) == 0)
		buffer_printf(why, ", and the kernel does not say how long one is (%s%s)",
		              r == -ENOTSUP ? "" : "perf_event_open: ",
		              r == -ENOTSUP ? "perf has no cap_user_time here, as in most virtual "
		                              "machines"
		                            : strerror(-r));
	buffer_puts(why, "; use one of: ");
	clock_names_append(dir, why);
	return -ENOTSUP;
}

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
	_cleanup_(buffer_release) struct buffer text = buffer_of(STATS_BYTES);
	int r = text_file_read_at(dir, STATS_FILE, &text);

	return r < 0 ? r : stats_now_parse(text.text, scale, ret);
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
