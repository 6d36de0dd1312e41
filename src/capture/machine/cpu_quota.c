/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cpu_quota.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/monotonic.h"
#include "base/xalloc.h"
#include "control_group.h"
#include "text_file.h"

#define MOUNTS_BYTES (256u << 10)
#define VALUE_BYTES  4096
#define PATH_BYTES   64
#define USEC         1000u

void cpu_quotas_init(struct cpu_quotas *quotas)
{
	*quotas = (struct cpu_quotas){0};
	buffer_init(&quotas->mounts, MOUNTS_BYTES);
	(void)text_file_read("/proc/self/mounts", &quotas->mounts);
}

void cpu_quotas_release(struct cpu_quotas *quotas)
{
	for (size_t i = 0; i < quotas->count; i++)
		free(quotas->group[i].folder);
	buffer_release(&quotas->mounts);
	*quotas = (struct cpu_quotas){0};
}

/* The number after `word` in the text of cpu.stat; 0 if there is none. */
static uint64_t stat_number(const char *text, const char *word)
{
	const char *at = strstr(text, word);
	uint64_t number = 0;

	if (at)
		(void)sscanf(at + strlen(word), "%" SCNu64, &number);
	return number;
}

static void quota_count(struct cpu_quota *quota)
{
	_cleanup_(buffer_release) struct buffer text = {0};

	buffer_init(&text, VALUE_BYTES);
	if (text_file_read_at(quota->folder, "cpu.stat", &text) < 0)
		return; /* the group was removed: its last counts stay */
	quota->periods = stat_number(text.text, "nr_throttled ");
	quota->throttled = quota->is_v1 ? stat_number(text.text, "throttled_time ")
	                                : stat_number(text.text, "throttled_usec ") * USEC;
}

static bool quota_read_v2(struct cpu_quota *quota, const char *folder)
{
	_cleanup_(buffer_release) struct buffer text = {0};

	buffer_init(&text, VALUE_BYTES);
	return text_file_read_at(folder, "cpu.max", &text) == 0 &&
	       sscanf(text.text, "%" SCNu64 " %" SCNu64, &quota->quota, &quota->period) == 2;
}

static bool quota_read_v1(struct cpu_quota *quota, const char *folder)
{
	_cleanup_(buffer_release) struct buffer limit = {0}, period = {0};
	int64_t most;

	buffer_init(&limit, VALUE_BYTES);
	buffer_init(&period, VALUE_BYTES);
	if (text_file_read_at(folder, "cpu.cfs_quota_us", &limit) < 0 ||
	    text_file_read_at(folder, "cpu.cfs_period_us", &period) < 0 ||
	    sscanf(limit.text, "%" SCNd64, &most) != 1 || most <= 0 ||
	    sscanf(period.text, "%" SCNu64, &quota->period) != 1)
		return false;
	quota->quota = (nsec_t)most;
	return true;
}

/* Remembers the folder of a hierarchy if it has a limit. */
static void quotas_take(void *state, const char *folder, bool is_v1)
{
	struct cpu_quotas *quotas = state;
	struct cpu_quota quota = {.is_v1 = is_v1};

	for (size_t i = 0; i < quotas->count; i++)
		if (strcmp(quotas->group[i].folder, folder) == 0)
			return;
	if (quotas->count == CPU_QUOTAS_MAX ||
	    !(is_v1 ? quota_read_v1(&quota, folder) : quota_read_v2(&quota, folder)) ||
	    quota.quota == 0 || quota.period == 0)
		return;
	quota.quota *= USEC;
	quota.period *= USEC;
	quota.folder = xstrdup(folder);
	quota_count(&quota);
	quota.periods_first = quota.periods;
	quota.throttled_first = quota.throttled;
	/* a group that is found later may have been throttled earlier in the recording, unless its
	   counters are 0 */
	quota.since = quotas->has_begun ? monotonic_now() : 0;
	quota.is_whole = !quotas->has_begun || (quota.periods == 0 && quota.throttled == 0);
	quotas->group[quotas->count++] = quota;
}

void cpu_quotas_find(struct cpu_quotas *quotas, const char *groups, const char *mounts)
{
	control_group_each_cpu(groups, mounts, quotas_take, quotas);
}

void cpu_quotas_look(struct cpu_quotas *quotas, pid_t pid)
{
	_cleanup_(buffer_release) struct buffer groups = {0};
	char path[PATH_BYTES];

	buffer_init(&groups, MOUNTS_BYTES);
	(void)snprintf(path, sizeof(path), "/proc/%d/cgroup", (int)pid);
	if (text_file_read(path, &groups) == 0)
		cpu_quotas_find(quotas, groups.text, quotas->mounts.text);
}

void cpu_quotas_count(struct cpu_quotas *quotas)
{
	quotas->has_begun = true;
	for (size_t i = 0; i < quotas->count; i++)
		quota_count(&quotas->group[i]);
}

/* The increase of a counter; if the group was removed and made again, the counter has restarted at
   0. */
static uint64_t counted_since(uint64_t first, uint64_t last)
{
	return last > first ? last - first : 0;
}

void cpu_quotas_describe(const struct cpu_quotas *quotas, struct buffer *to)
{
	for (size_t i = 0; i < quotas->count; i++) {
		const struct cpu_quota *quota = &quotas->group[i];

		buffer_printf(to,
		              "cpu-limit %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %c "
		              "%" PRIu64 " ", quota->quota, quota->period,
		              counted_since(quota->throttled_first, quota->throttled),
		              counted_since(quota->periods_first, quota->periods),
		              quota->is_whole ? 'w' : '-', quota->since);
		/* the kernel refuses newlines in group names */
		buffer_printf(to, "%s\n", quota->folder);
	}
}
