/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "event_selection.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/suggest.h"
#include "text_file.h"

const struct event_group event_groups[] = {
	{"sched", "who runs, waits and wakes whom; always recorded", true},
	{"irq", "interrupts, soft interrupts, calls between CPUs", true},
	{"block", "requests to disks", true},
	{"net", "packets and sockets", true},
	{"lock", "contended locks of the kernel", true},
	{"timer", "timers armed and run", true},
	{"workqueue", "work handed to kernel workers", true},
	{"signal", "signals sent and delivered", true},
	{"mm", "reclaim, compaction, throttled writers", false},
	{"syscalls", "every system call; costly", false},
};

const size_t event_group_count = ARRAY_SIZE(event_groups);

const struct event_row event_rows[] = {
	{"sched", "sched:sched_switch", false},
	{"sched", "sched:sched_waking", false},
	{"sched", "sched:sched_wakeup", false},
	{"sched", "sched:sched_wakeup_new", false},
	{"sched", "sched:sched_process_fork", false},
	{"sched", "sched:sched_process_exec", false},
	{"sched", "sched:sched_process_exit", false},
	{"sched", "sched:sched_process_free", false},
	{"sched", "sched:sched_migrate_task", false},
	{"sched", "sched:sched_pi_setprio", true},
	{"sched", "task:task_newtask", false},
	{"sched", "task:task_rename", false},

	{"irq", "irq:irq_handler_entry", false},
	{"irq", "irq:irq_handler_exit", false},
	{"irq", "irq:softirq_raise", false},
	{"irq", "irq:softirq_entry", false},
	{"irq", "irq:softirq_exit", false},
	{"irq", "ipi:*", true},
	{"irq", "csd:*", true},

	{"block", "block:block_rq_insert", false},
	{"block", "block:block_rq_issue", false},
	{"block", "block:block_rq_complete", false},
	{"block", "block:block_rq_requeue", false},
	{"block", "block:block_rq_merge", true},
	{"block", "block:block_rq_error", true},
	{"block", "block:block_rq_remap", true},
	{"block", "block:block_rq_tag_wait", true},
	{"block", "block:block_bio_queue", false},
	{"block", "block:block_bio_remap", true},
	{"block", "block:block_bio_frontmerge", false},
	{"block", "block:block_bio_backmerge", false},
	{"block", "block:block_split", false},

	{"net", "net:netif_receive_skb", false},
	{"net", "net:net_dev_queue", false},
	{"net", "napi:napi_poll", false},
	{"net", "sock:inet_sock_set_state", false},
	{"net", "tcp:tcp_probe", true},
	{"net", "sock:sk_data_ready", true},

	{"lock", "lock:contention_begin", false},
	{"lock", "lock:contention_end", false},
	{"lock", "lock:contended_release", true},

	{"timer", "timer:hrtimer_start", false},
	{"timer", "timer:hrtimer_expire_entry", false},
	{"timer", "timer:hrtimer_expire_exit", false},
	{"timer", "timer:timer_start", false},
	{"timer", "timer:timer_expire_entry", false},
	{"timer", "timer:timer_expire_exit", false},

	{"workqueue", "workqueue:workqueue_queue_work", false},
	{"workqueue", "workqueue:workqueue_activate_work", false},
	{"workqueue", "workqueue:workqueue_execute_start", false},
	{"workqueue", "workqueue:workqueue_execute_end", false},

	{"signal", "signal:signal_generate", false},
	{"signal", "signal:signal_deliver", false},

	{"mm", "vmscan:mm_vmscan_direct_reclaim_begin", false},
	{"mm", "vmscan:mm_vmscan_direct_reclaim_end", false},
	{"mm", "vmscan:mm_vmscan_memcg_reclaim_begin", true},
	{"mm", "vmscan:mm_vmscan_memcg_reclaim_end", true},
	{"mm", "vmscan:mm_vmscan_throttled", true},
	{"mm", "compaction:mm_compaction_begin", true},
	{"mm", "compaction:mm_compaction_end", true},
	{"mm", "writeback:balance_dirty_pages", false},

	{"syscalls", "raw_syscalls:sys_enter", false},
	{"syscalls", "raw_syscalls:sys_exit", false},
};

const size_t event_row_count = ARRAY_SIZE(event_rows);

/* Of these a group records only what the report reads. */
static const struct {
	const char *pattern, *filter;
} event_filters[] = {
	/* sockets of AF_UNIX tell of every message, and there is no packet behind it */
	{"sock:sk_data_ready", "family != 1"},
};

int event_catalog_load(const char *dir, struct event_catalog *ret)
{
	struct event_catalog catalog = {0};
	struct buffer text;
	char *line, *rest = NULL;
	int r;

	buffer_init(&text, BUFFER_LIMIT_DEFAULT * 4);
	r = text_file_read_at(dir, "available_events", &text);
	if (r == 0) {
		for (line = strtok_r(text.text, "\n", &rest); line;
		     line = strtok_r(NULL, "\n", &rest)) {
			ARRAY_GROW(catalog.name, catalog.count, catalog.capacity);
			catalog.name[catalog.count++] = xstrdup(line);
		}
		*ret = catalog;
	}
	buffer_release(&text);
	return r;
}

void event_catalog_release(struct event_catalog *catalog)
{
	for (size_t i = 0; i < catalog->count; i++)
		free(catalog->name[i]);
	free(catalog->name);
	*catalog = (struct event_catalog){0};
}

void event_selection_init(struct event_selection *selection, const struct event_catalog *catalog)
{
	*selection = (struct event_selection){.catalog = catalog};
	selection->is_selected = xcalloc(catalog->count, sizeof(selection->is_selected[0]));
	selection->filter = xcalloc(catalog->count, sizeof(selection->filter[0]));
}

void event_selection_release(struct event_selection *selection)
{
	free(selection->is_selected);
	free(selection->filter);
	free(selection->missing);
	*selection = (struct event_selection){0};
}

/* Returns how many names of the catalog the pattern stands for. */
/* fnmatch() turns both into wide characters first, for each of some 2000 events. */
static bool name_matches(const char *pattern, const char *name)
{
	size_t plain = strcspn(pattern, "*?[\\");

	if (strncmp(pattern, name, plain) != 0)
		return false;
	return pattern[plain] ? fnmatch(pattern + plain, name + plain, 0) == 0 : !name[plain];
}

static size_t selection_add_pattern(struct event_selection *selection, const char *pattern,
                                    const char *filter)
{
	size_t found = 0;

	for (size_t i = 0; i < selection->catalog->count; i++) {
		if (!name_matches(pattern, selection->catalog->name[i]))
			continue;
		/* of several wishes for an event the widest holds */
		if (!selection->is_selected[i] || !filter)
			selection->filter[i] = filter;
		selection->is_selected[i] = true;
		found++;
	}
	return found;
}

static void selection_miss(struct event_selection *selection, const char *pattern)
{
	for (size_t i = 0; i < selection->missing_count; i++)
		if (selection->missing[i] == pattern)
			return;
	ARRAY_GROW(selection->missing, selection->missing_count, selection->missing_capacity);
	selection->missing[selection->missing_count++] = pattern;
}

static const char *filter_find(const char *pattern)
{
	for (size_t i = 0; i < ARRAY_SIZE(event_filters); i++)
		if (strcmp(event_filters[i].pattern, pattern) == 0)
			return event_filters[i].filter;
	return NULL;
}

/* Returns false where no group has that name. */
static bool selection_add_group(struct event_selection *selection, const char *group)
{
	bool is_group = false;

	for (size_t i = 0; i < event_row_count; i++) {
		const struct event_row *row = &event_rows[i];
		size_t found;

		if (strcmp(row->group, group) != 0)
			continue;
		is_group = true;
		found = selection_add_pattern(selection, row->pattern, filter_find(row->pattern));
		if (found == 0 && !row->is_optional)
			selection_miss(selection, row->pattern);
	}
	return is_group;
}

static const struct event_row *row_find(const char *pattern)
{
	for (size_t i = 0; i < event_row_count; i++)
		if (strcmp(event_rows[i].pattern, pattern) == 0)
			return &event_rows[i];
	return NULL;
}

/* Names without a system are compared with the part behind the colon. */
static const char *name_suggest(const struct event_catalog *catalog, const char *name)
{
	size_t limit = catalog->count + event_group_count, count = 0;
	const char **names = xreallocarray(NULL, limit, sizeof(*names));
	const char *near;

	for (size_t i = 0; i < event_group_count && !strchr(name, ':'); i++)
		names[count++] = event_groups[i].name;
	for (size_t i = 0; i < catalog->count; i++) {
		const char *colon = strchr(catalog->name[i], ':');

		names[count++] = !strchr(name, ':') && colon ? colon + 1 : catalog->name[i];
	}
	near = suggest(name, names, count);
	free(names);
	return near;
}

int event_selection_add(struct event_selection *selection, const char *name, struct buffer *why)
{
	const struct event_row *row;
	const char *near;
	size_t found;

	if (selection_add_group(selection, name))
		return 0;
	if (strchr(name, ':')) {
		found = selection_add_pattern(selection, name, NULL);
	} else {
		char *pattern = xasprintf("*:%s", name);

		found = selection_add_pattern(selection, pattern, NULL);
		free(pattern);
	}
	if (found > 0)
		return 0;
	row = row_find(name);
	if (row) {
		selection_miss(selection, row->pattern);
		return 0;
	}
	near = name_suggest(selection->catalog, name);
	buffer_printf(why, "no group or event \"%s\" here", name);
	if (near)
		buffer_printf(why, "; did you mean \"%s\"?", near);
	else
		buffer_puts(why, " (see \"ftwait list\")");
	return -EINVAL;
}

void event_selection_add_default(struct event_selection *selection)
{
	for (size_t i = 0; i < event_group_count; i++)
		if (event_groups[i].is_default)
			(void)selection_add_group(selection, event_groups[i].name);
}

bool event_selection_has(const struct event_selection *selection, const char *pattern)
{
	for (size_t i = 0; i < selection->catalog->count; i++)
		if (selection->is_selected[i] && name_matches(pattern, selection->catalog->name[i]))
			return true;
	return false;
}

bool event_selection_describe_missing(const struct event_selection *selection, struct buffer *to)
{
	for (size_t i = 0; i < selection->missing_count; i++)
		buffer_printf(to, "%s%s", i ? ", " : "", selection->missing[i]);
	return selection->missing_count > 0;
}
