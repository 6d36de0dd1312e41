/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "clock_scale.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "recorder/machine/text_file.h"
#include "words/kernel/trace_clock.h"

#define CLOCK_NAMES_BYTES 4096
#define CYCLE_CLOCK       "x86-tsc" /* the clock to which perf's scale applies */
#define PAGE_READS_MAX    1000

int clock_scale_of_page(const volatile struct perf_event_mmap_page *page,
                        struct clock_scale *ret)
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
	struct buffer names;
	char *name, *next = NULL;

	buffer_init(&names, CLOCK_NAMES_BYTES);
	(void)text_file_read_at(dir, "trace_clock", &names);
	for (name = strtok_r(names.text, " []\n", &next); name;
	     name = strtok_r(NULL, " []\n", &next)) {
		const struct trace_clock *clock = trace_clock_find(name);

		if (!clock || clock->unit)
			continue;
		buffer_printf(to, "%s%s", blank, name);
		blank = " ";
	}
	buffer_release(&names);
}

int clock_scale_find(const char *dir, const char *name, struct clock_scale *ret,
                     struct buffer *why)
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
