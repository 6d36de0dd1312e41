/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cpu_quota.h"

#include <dirent.h>
#include <inttypes.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/monotonic.h"
#include "base/xalloc.h"
#include "control_group.h"
#include "text_file.h"

#define GROUPS_BYTES  (64u << 10)
#define VALUE_BYTES   4096
#define WEIGHT_USUAL  100u  /* cpu.weight */
#define SHARES_USUAL  1024u /* cpu.shares */
#define WEIGHT_IDLE   3u    /* of SCHED_IDLE, where nice 0 has 1024 */

#ifndef SCHED_IDLE
#define SCHED_IDLE 5
#endif

void cpu_weight_init(struct cpu_weight *weight)
{
	*weight = (struct cpu_weight){.per_mille = CPU_WEIGHT_USUAL};
}

void cpu_weight_release(struct cpu_weight *weight)
{
	free(weight->by);
	cpu_weight_init(weight);
}

static void weight_take(struct cpu_weight *weight, uint64_t value, uint64_t usual, const char *by)
{
	uint64_t per_mille = (value * CPU_WEIGHT_USUAL + usual / 2) / usual;

	if (per_mille >= weight->per_mille)
		return;
	weight->per_mille = (uint32_t)per_mille;
	free(weight->by);
	weight->by = xstrdup(by);
}

static bool number_read(const char *folder, const char *file, uint64_t *ret)
{
	return control_group_number(folder, file, ret) && *ret < UINT32_MAX;
}

static void weight_take_group(void *state, const char *folder, bool is_v1)
{
	uint64_t value;

	if (!is_v1 && number_read(folder, "cpu.idle", &value) && value)
		weight_take(state, WEIGHT_IDLE, SHARES_USUAL, folder);
	else if (number_read(folder, is_v1 ? "cpu.shares" : "cpu.weight", &value))
		weight_take(state, value, is_v1 ? SHARES_USUAL : WEIGHT_USUAL, folder);
}

void cpu_weight_find(struct cpu_weight *weight, const char *groups, const char *mounts)
{
	control_group_each_cpu(groups, mounts, weight_take_group, weight);
}

void cpu_weight_look(struct cpu_weight *weight, pid_t pid, const char *mounts)
{
	_cleanup_(buffer_release) struct buffer groups = buffer_of(GROUPS_BYTES);

	if (text_file_read(PROC_PATH("/proc/%d/cgroup", (int)pid), &groups) == 0)
		cpu_weight_find(weight, groups.text, mounts);
	if (sched_getscheduler(pid) == SCHED_IDLE)
		weight_take(weight, WEIGHT_IDLE, SHARES_USUAL, "SCHED_IDLE");
}

void cpu_weight_describe(const struct cpu_weight *weight, struct buffer *to)
{
	if (weight->by)
		buffer_printf(to, "cpu-weight %" PRIu32 " %s\n", weight->per_mille, weight->by);
}

#define MOUNTS_BYTES (256u << 10)
#define USEC         1000u
#define DEPTH_MAX    32u /* of folders that are searched */
#define CHANGES_BYTES 4096

void cpu_quotas_init(struct cpu_quotas *quotas)
{
	*quotas = (struct cpu_quotas){0};
	quotas->changes = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	map_init(&quotas->at_begin);
	buffer_init(&quotas->mounts, MOUNTS_BYTES);
	(void)text_file_read("/proc/self/mounts", &quotas->mounts);
}

void cpu_quotas_release(struct cpu_quotas *quotas)
{
	for (size_t i = 0; i < quotas->count; i++)
		free(quotas->group[i].folder);
	free(quotas->group);
	buffer_release(&quotas->mounts);
	map_release(&quotas->at_begin);
	closep(&quotas->changes);
	*quotas = (struct cpu_quotas){.changes = -1};
}

static void quota_count(struct cpu_quota *quota)
{
	_cleanup_(buffer_release) struct buffer text = buffer_of(VALUE_BYTES);

	if (text_file_read_at(quota->folder, "cpu.stat", &text) < 0)
		return; /* the group was removed: its last counts stay */
	quota->periods = quota->throttled = 0;
	(void)text_number(text.text, "nr_throttled ", 10, &quota->periods);
	(void)text_number(text.text, quota->is_v1 ? "throttled_time " : "throttled_usec ", 10,
	                  &quota->throttled);
	quota->throttled *= quota->is_v1 ? 1 : USEC;
}

/* Whether the counters of the group, which are just read, began after the first look. */
static bool quota_began_later(const struct cpu_quotas *quotas, const struct cpu_quota *quota)
{
	struct stat folder;

	if (!quotas->has_begun)
		return false;
	if (quota->periods == 0 && quota->throttled == 0)
		return true;
	return quotas->has_searched && stat(quota->folder, &folder) == 0 &&
	       map_get(&quotas->at_begin, folder.st_ino) == MAP_NONE;
}

/* The folder's group; NULL: it has no limit. */
static struct cpu_quota *quotas_take(struct cpu_quotas *quotas, const char *folder, bool is_v1)
{
	struct cpu_quota quota = {.is_v1 = is_v1};
	bool is_later;

	for (size_t i = 0; i < quotas->count; i++)
		if (strcmp(quotas->group[i].folder, folder) == 0)
			return &quotas->group[i];
	if (quotas->count == CPU_QUOTAS_MAX ||
	    !control_group_quota(folder, is_v1, &quota.quota, &quota.period))
		return NULL;
	quota.quota *= USEC;
	quota.period *= USEC;
	quota.folder = xstrdup(folder);
	quota_count(&quota);
	is_later = quota_began_later(quotas, &quota);
	if (!is_later) {
		quota.periods_first = quota.periods;
		quota.throttled_first = quota.throttled;
	}
	quota.is_whole = !quotas->has_begun || is_later;
	ARRAY_GROW(quotas->group, quotas->count, quotas->capacity);
	quotas->group[quotas->count] = quota;
	return &quotas->group[quotas->count++];
}

/* A recorded task is in the group. */
static void quotas_see(void *state, const char *folder, bool is_v1)
{
	struct cpu_quotas *quotas = state;
	struct cpu_quota *quota = quotas_take(quotas, folder, is_v1);

	if (!quota || quota->is_seen)
		return;
	quota->is_seen = true;
	quota->since = quotas->has_begun ? monotonic_now() : 0;
}

void cpu_quotas_find(struct cpu_quotas *quotas, const char *groups, const char *mounts)
{
	control_group_each_cpu(groups, mounts, quotas_see, quotas);
}

/* Takes the group and those in it; asks the kernel for changes before it reads what is there. */
static void quotas_walk(struct cpu_quotas *quotas, const char *folder, bool is_v1, unsigned depth)
{
	_cleanup_(closedirp) DIR *groups = NULL;
	const struct dirent *entry;

	(void)inotify_add_watch(quotas->changes, folder, IN_CREATE | IN_MODIFY | IN_ONLYDIR);
	groups = opendir(folder);
	(void)quotas_take(quotas, folder, is_v1);
	while (groups && depth < DEPTH_MAX && (entry = readdir(groups))) {
		_cleanup_(freep) char *path = NULL;

		if (entry->d_type != DT_DIR || *entry->d_name == '.')
			continue;
		path = xasprintf("%s/%s", folder, entry->d_name);
		if (!quotas->has_begun)
			map_put(&quotas->at_begin, entry->d_ino, 1);
		quotas_walk(quotas, path, is_v1, depth + 1);
	}
}

static void quotas_walk_hierarchy(void *state, const char *folder, bool is_v1)
{
	quotas_walk(state, folder, is_v1, 0);
}

void cpu_quotas_search_below(struct cpu_quotas *quotas, const char *mounts)
{
	control_group_each_cpu_mount(mounts, quotas_walk_hierarchy, quotas);
	quotas->has_searched = true;
}

/* Whether a group was made, or its limit changed, since the last call. */
static bool quotas_have_changed(const struct cpu_quotas *quotas)
{
	_Alignas(struct inotify_event) char bytes[CHANGES_BYTES];
	bool have_changed = false;
	ssize_t length;

	while ((length = read(quotas->changes, bytes, sizeof(bytes))) > 0) {
		const struct inotify_event *event;

		for (const char *at = bytes; at < bytes + length;
		     at += sizeof(*event) + event->len) {
			event = (const void *)at;
			have_changed |= event->mask & (IN_ISDIR | IN_Q_OVERFLOW) ||
			                (event->len && strncmp(event->name, "cpu.", 4) == 0);
		}
	}
	return have_changed;
}

void cpu_quotas_search(struct cpu_quotas *quotas)
{
	if (!quotas->has_begun || quotas_have_changed(quotas))
		cpu_quotas_search_below(quotas, quotas->mounts.text);
}

void cpu_quotas_look(struct cpu_quotas *quotas, pid_t pid)
{
	_cleanup_(buffer_release) struct buffer groups = buffer_of(MOUNTS_BYTES);

	if (text_file_read(PROC_PATH("/proc/%d/cgroup", (int)pid), &groups) == 0)
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

static nsec_t quota_throttled(const struct cpu_quota *quota)
{
	return counted_since(quota->throttled_first, quota->throttled);
}

static void quota_describe(const struct cpu_quota *quota, struct buffer *to)
{
	buffer_printf(to, "cpu-limit %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %c ",
	              quota->quota, quota->period, quota_throttled(quota),
	              counted_since(quota->periods_first, quota->periods),
	              quota->is_whole ? 'w' : '-');
	if (quota->is_seen)
		buffer_printf(to, "%" PRIu64, quota->since);
	else
		buffer_putc(to, '-');
	/* the kernel refuses newlines in group names */
	buffer_printf(to, " %s\n", quota->folder);
}

/* Of the groups that are not noted yet: the first that a task was seen in, or else the one that
   held tasks back longest; NULL: there is none. */
static struct cpu_quota *quotas_next(struct cpu_quotas *quotas)
{
	struct cpu_quota *next = NULL;

	for (size_t i = 0; i < quotas->count; i++) {
		struct cpu_quota *quota = &quotas->group[i];

		if (quota->is_noted)
			continue;
		if (quota->is_seen)
			return quota;
		if (quota_throttled(quota) > (next ? quota_throttled(next) : 0))
			next = quota;
	}
	return next;
}

void cpu_quotas_describe(struct cpu_quotas *quotas, struct buffer *to)
{
	struct cpu_quota *quota;

	for (size_t i = 0; i < CPU_QUOTAS_NOTED && (quota = quotas_next(quotas)); i++) {
		quota_describe(quota, to);
		quota->is_noted = true;
	}
}
