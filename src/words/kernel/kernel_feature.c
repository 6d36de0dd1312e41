/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel_feature.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

#include "base/data/array.h"

bool kernel_release_parse(const char *text, unsigned ret[KERNEL_RELEASE_NUMBERS])
{
	for (size_t i = 0; i < KERNEL_RELEASE_NUMBERS; i++) {
		ret[i] = 0;
		if (i < 2 && !isdigit((unsigned char)*text))
			return false;
		for (; isdigit((unsigned char)*text) && ret[i] < 100000; text++)
			ret[i] = ret[i] * 10 + ((unsigned char)*text - 0x30u);
		text += *text == '.';
	}
	return true;
}

int kernel_release_compare(const unsigned a[KERNEL_RELEASE_NUMBERS],
                           const unsigned b[KERNEL_RELEASE_NUMBERS])
{
	for (size_t i = 0; i < KERNEL_RELEASE_NUMBERS; i++)
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	return 0;
}

static const struct {
	const char *name, *since;
} features[] = {
	{FEATURE_INSTANCES, "3.10"},
	{FEATURE_OWN_FILTERS, "3.13"},
	{"events/sched/sched_switch/trigger", "3.14"},
	{FEATURE_CLOCK, "3.17"},
	{"sched:sched_waking", "4.3"},
	{"options/disable_on_free", "4.4"},
	{"options/userstacktrace", "4.4"},
	{"set_event_pid", "4.4"},
	{"options/event-fork", "4.7"},
	{"oom:mark_victim", "4.13"},
	{FEATURE_STATES, "4.14"},
	{"sock:inet_sock_set_state", "4.16"},
	{"fib:fib_table_lookup", "4.17"},
	{"fib6:fib6_table_lookup", "4.17"},
	{"buffer_percent", "5.0"},
	{"mmap_lock:mmap_lock_start_locking", "5.11"},
	{"mmap_lock:mmap_lock_acquire_returned", "5.11"},
	{"mmap_lock:mmap_lock_released", "5.11"},
	{FEATURE_CALL_NUMBERS, "5.15"},
	{FEATURE_OWN_TRIGGERS, "5.17"},
	{"lock:contention_begin", "5.19"},
	{"lock:contention_end", "5.19"},
	{FEATURE_OWN_EXPANSION, "6.7"},
	{"options/copy_trace_marker", "6.16"},
	{FEATURE_LIMIT_BY_WORK, "6.18"},
	{"syscall_user_buf_size", "7.2"},
};

const char *kernel_feature_since(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(features); i++)
		if (strcmp(features[i].name, name) == 0)
			return features[i].since;
	return NULL;
}

/* How the release compares with the first that has it, as strcmp() does; false: not known. */
static bool feature_compare(const char *release, const char *name, int *ret)
{
	unsigned number[KERNEL_RELEASE_NUMBERS], first[KERNEL_RELEASE_NUMBERS];
	const char *since = kernel_feature_since(name);

	if (!release || !since || !kernel_release_parse(release, number) ||
	    !kernel_release_parse(since, first))
		return false;
	*ret = kernel_release_compare(number, first);
	return true;
}

bool kernel_release_has(const char *release, const char *name)
{
	int order;

	return feature_compare(release, name, &order) && order >= 0;
}

bool kernel_release_lacks(const char *release, const char *name)
{
	int order;

	return feature_compare(release, name, &order) && order < 0;
}
