/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cause_events.h"

#include <string.h>

#include "base/data/array.h"

#define GROUPS_MAX 2

/* A group of events that can show a cause. Any of the kinds proves that it was recorded. */
struct showing_group {
	const char *name;
	const uint8_t *kinds;
};

/* Each group of a row shows waits that the others do not. Causes without a row
   are shown by the group sched, without which there are no waits. */
static const struct showing_group showing[CAUSE_KIND_COUNT][GROUPS_MAX] = {
	[CAUSE_DISK] = {{"block", EVENT_LIST(EVENT_BLOCK_COMPLETE)}},
	[CAUSE_NET] = {
		{"net", EVENT_LIST(EVENT_NET_RECEIVE, EVENT_NAPI_POLL, EVENT_SOCKET_STATE,
	                           EVENT_SOCKET_RECEIVE, EVENT_SOCKET_SEND, EVENT_SOCKET_TAKE,
	                           EVENT_SOCKET_READY)},
	},
	[CAUSE_TIMER] = {
		{"timer", EVENT_LIST(EVENT_HRTIMER_START, EVENT_HRTIMER_ENTRY, EVENT_HRTIMER_EXIT,
	                             EVENT_TIMER_START, EVENT_TIMER_ENTRY, EVENT_TIMER_EXIT)},
	},
	[CAUSE_IRQ] = {{"irq", EVENT_LIST(EVENT_IRQ_ENTRY, EVENT_IRQ_EXIT)}},
	[CAUSE_SOFTIRQ] = {
		{"irq", EVENT_LIST(EVENT_SOFTIRQ_RAISE, EVENT_SOFTIRQ_ENTRY, EVENT_SOFTIRQ_EXIT)},
	},
	[CAUSE_IPI] = {{"irq", EVENT_LIST(EVENT_IPI_ENTRY, EVENT_IPI_EXIT)}},
	[CAUSE_WORK] = {
		{"workqueue", EVENT_LIST(EVENT_WORK_QUEUE, EVENT_WORK_START, EVENT_WORK_END)},
	},
	/* a grace period ends in a soft interrupt, or in a work item */
	[CAUSE_RCU] = {
		{"irq", EVENT_LIST(EVENT_SOFTIRQ_RAISE, EVENT_SOFTIRQ_ENTRY, EVENT_SOFTIRQ_EXIT)},
		{"workqueue", EVENT_LIST(EVENT_WORK_QUEUE, EVENT_WORK_START, EVENT_WORK_END)},
	},
	[CAUSE_SIGNAL] = {{"signal", EVENT_LIST(EVENT_SIGNAL_GENERATE, EVENT_SIGNAL_DELIVER)}},
	/* locks of the kernel and of files; and futexes */
	[CAUSE_LOCK] = {
		{"lock", EVENT_LIST(EVENT_LOCK_BEGIN, EVENT_LOCK_END, EVENT_FLOCK,
	                            EVENT_POSIX_LOCK)},
		{"syscalls", EVENT_LIST(EVENT_SYSCALL_ENTER, EVENT_FUTEX_ENTER)},
	},
	[CAUSE_MEMORY] = {
		{"mm", EVENT_LIST(EVENT_MEMORY_BEGIN, EVENT_MEMORY_THROTTLE,
	                          EVENT_MEMORY_THROTTLED)},
	},
};

/* The same for aims that are no causes. Places where tasks sleep show most of them. */
static const struct showing_group showing_aim[AIM_KIND_COUNT] = {
	[AIM_ANSWER] = {"net", EVENT_LIST(EVENT_NET_RECEIVE, EVENT_NAPI_POLL, EVENT_SOCKET_STATE,
	                                  EVENT_SOCKET_RECEIVE, EVENT_SOCKET_SEND,
	                                  EVENT_SOCKET_TAKE, EVENT_SOCKET_READY, EVENT_STACK,
	                                  EVENT_BLOCKED_REASON)},
	[AIM_PIPE] = {"syscalls", EVENT_LIST(EVENT_SYSCALL_ENTER, EVENT_STACK,
	                                     EVENT_BLOCKED_REASON)},
	[AIM_CONDITION] = {"syscalls", EVENT_LIST(EVENT_SYSCALL_ENTER, EVENT_FUTEX_ENTER)},
	[AIM_BARRIER] = {"syscalls", EVENT_LIST(EVENT_SYSCALL_ENTER, EVENT_FUTEX_ENTER)},
	[AIM_SEMAPHORE] = {"syscalls", EVENT_LIST(EVENT_SYSCALL_ENTER, EVENT_STACK,
	                                          EVENT_BLOCKED_REASON)},
};

/* Whether the object can only be a lock of a file: then no system call is needed to see it. */
static bool is_lock_of_file(const char *object)
{
	static const char *const begins[] = {"/", "flock ", "fcntl lock ", "lease ", "of "};

	for (size_t i = 0; i < ARRAY_SIZE(begins); i++)
		if (strncmp(object, begins[i], strlen(begins[i])) == 0)
			return true;
	return false;
}

static bool is_shown(const struct showing_group *group, const struct resolved *resolved)
{
	return event_kinds_have_any(&resolved->seen, group->kinds) ||
	       recorded_has(&resolved->recorded, group->name);
}

bool lacking_groups_append(struct buffer *to, const struct rule *rule,
                           const struct resolved *resolved)
{
	bool is_seen = false;
	size_t count = rule->cause == CAUSE_LOCK && rule->object && is_lock_of_file(rule->object)
	                       ? 1
	                       : GROUPS_MAX;

	for (size_t i = 0; (rule->cause >= 0 || i == 0) && i < count; i++) {
		const struct showing_group *group =
			rule->cause < 0 ? &showing_aim[rule->aim] : &showing[rule->cause][i];

		if (!group->name)
			continue;
		if (is_shown(group, resolved)) {
			is_seen = true;
			continue;
		}
		buffer_puts(to, to->length ? "," : "");
		buffer_puts(to, group->name);
	}
	return to->length > 0 && !is_seen;
}
