/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "memory_end.h"

#include <malloc.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>

#include "base/cleanup.h"
#include "base/text/buffer.h"
#include "base/text/format.h"
#include "base/xalloc.h"
#include "recorder/machine/control_group.h"

/* A group's limit divided by this is left for other memory than data: the program's pages, tables,
   other processes. */
#define RESERVE_SHARE 16
#define RESERVE_MAX   (UINT64_C(16) << 20)
/* Larger blocks have a mapping of their own, as they have at first in glibc. */
#define APART_BYTES   (128 << 10)

static void line_set(const char *command, const char *limit, const char *mend)
{
	_cleanup_(buffer_release) struct buffer line = buffer_of(XALLOC_LINE_BYTES - 1);

	buffer_printf(&line, "ftwait: %s: out of memory%s%s; %s\n", command, *limit ? ": " : "",
	              limit, mend);
	xalloc_on_end(line.text);
}

static void user_limit_take(const struct rlimit *limit, const char *name, uint64_t *below,
                            struct buffer *to)
{
	if (limit->rlim_cur >= *below)
		return;
	*below = limit->rlim_cur;
	buffer_clear(to);
	buffer_printf(to, "at most %s (%s)", SIZE_TEXT(*below), name);
}

/* Describes a smaller limit that the user has set, as by ulimit; false: there is none. */
static bool user_limit_describe(uint64_t below, struct buffer *to)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_AS, &limit) == 0)
		user_limit_take(&limit, "ulimit -v", &below, to);
	if (getrlimit(RLIMIT_DATA, &limit) == 0)
		user_limit_take(&limit, "ulimit -d", &below, to);
	return to->length > 0;
}

static uint64_t swap_bytes(void)
{
	struct sysinfo memory;

	return sysinfo(&memory) == 0 ? (uint64_t)memory.totalswap * memory.mem_unit : 0;
}

/* Sets a limit of the process a little below the group's limit, and appends the group's limit to
   the message. */
static void group_limit_set(const struct control_group_limits *limits, struct buffer *to)
{
	uint64_t bytes = limits->memory_bytes, reserve = bytes / RESERVE_SHARE;
	struct rlimit limit;

	bytes -= reserve < RESERVE_MAX ? reserve : RESERVE_MAX;
	bytes += swap_bytes();
	if (getrlimit(RLIMIT_DATA, &limit) < 0 || bytes >= limit.rlim_cur)
		return;
	limit.rlim_cur = bytes;
	if (setrlimit(RLIMIT_DATA, &limit) == 0)
		buffer_printf(to, "at most %s (%s)", SIZE_TEXT(limits->memory_bytes),
		              limits->memory_file);
}

void memory_end_prepare(const char *command, const char *mend)
{
	_cleanup_(buffer_release) struct buffer words = buffer_of(XALLOC_LINE_BYTES / 2);
	struct control_group_limits limits;

	control_group_read(&limits);
	if (!user_limit_describe(limits.memory_bytes, &words) && limits.memory_file)
		group_limit_set(&limits, &words);
	line_set(command, words.text, mend);
	control_group_release(&limits);
}

void memory_end_say(const char *command, const char *mend)
{
	_cleanup_(buffer_release) struct buffer words = buffer_of(XALLOC_LINE_BYTES / 2);

	(void)user_limit_describe(UINT64_MAX, &words);
	line_set(command, words.text, mend);
}

void memory_give_back(void)
{
#ifdef M_MMAP_THRESHOLD
	(void)mallopt(M_MMAP_THRESHOLD, APART_BYTES);
#endif
}
