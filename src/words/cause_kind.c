/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cause_kind.h"

#include <assert.h>
#include <string.h>

#include "base/intern.h"
#include "cause_phrases.h"
#include "cause_words.h"

/* Members of every cause, by the kind's key; and those of the kind alone. */
#define COMMON(key_, type_) {.key = (key_), .type = (type_)}
#define OWN(key_, type_, arm, member_) OWN_IF(key_, type_, arm, member_, NULL)
#define OWN_IF(key_, type_, arm, member_, is_known_) \
	{.key = (key_), .type = (type_), .offset = offsetof(union cause_members, arm.member_), \
	 .is_known = (is_known_)}
#define OWN_SAID(key_, arm, member_, words_) \
	{.key = (key_), .type = MEMBER_BOOL, .offset = offsetof(union cause_members, arm.member_), \
	 .words = (words_)}
#define ALL_BITS UINT32_MAX

/* In a folded chain, members that its waits do not share are not set. */
static bool has_request(const struct cause *cause)
{
	return cause->as.disk.sector || cause->as.disk.bytes || cause->as.disk.rwbs;
}

static bool has_peer(const struct cause *cause)
{
	return cause->as.net.peer != 0;
}

static bool has_queue(const struct cause *cause)
{
	return cause->as.net.queue != 0;
}

static bool is_unanswered(const struct cause *cause)
{
	return cause->as.net.is_unanswered;
}

const struct cause_kind_row cause_kinds[CAUSE_KIND_COUNT] = {
	/* the phrase has the word: an open wait has another one */
	[CAUSE_UNKNOWN] = {
		.name = "unknown", .word = "", .text = phrase_unknown,
		.identity.unknown.is_open = true,
	},
	[CAUSE_TASK] = {
		.name = "task", .word = "task", .text = phrase_task, .object = phrase_task_object,
		.member = {COMMON("waker", MEMBER_WAKER)},
	},
	[CAUSE_DISK] = {
		.name = "disk", .word = "disk", .text = phrase_disk, .object = phrase_disk_object,
		.identity.disk = {.dev = ALL_BITS, .is_held_back = true},
		.member = {
			OWN("dev", MEMBER_DEVICE, disk, dev),
			OWN_IF("sector", MEMBER_U64, disk, sector, has_request),
			OWN_IF("bytes", MEMBER_U32, disk, bytes, has_request),
			OWN("rwbs", MEMBER_STRING, disk, rwbs),
			COMMON("what", MEMBER_WHAT),
			OWN_SAID("held_back", disk, is_held_back, "held back by an I/O limit"),
			COMMON("submitter", MEMBER_ORIGINATOR),
			OWN("queue_ns", MEMBER_TIME, disk, queue_time),
			OWN("device_ns", MEMBER_TIME, disk, device_time),
			OWN("wake_ns", MEMBER_TIME, disk, wake_time),
		},
	},
	[CAUSE_NET] = {
		.name = "net", .word = "net", .text = phrase_net, .object = phrase_net_object,
		/* the peer only if it did not answer, see cause_note_identity() */
		.identity.net = {
			.peer = ALL_BITS, .is_unanswered = true, .stall = UINT8_MAX,
			.is_queued = true,
		},
		.member = {
			COMMON("dev", MEMBER_TITLE),
			OWN("peer", MEMBER_STRING, net, peer),
			OWN_IF("local_port", MEMBER_U16, net, local_port, has_peer),
			COMMON("sender", MEMBER_ORIGINATOR),
			OWN("no_answer", MEMBER_BOOL, net, is_unanswered),
			OWN_IF("retransmits", MEMBER_U32, net, retransmits, is_unanswered),
			OWN_SAID("queued", net, is_queued, "in its queue"),
			OWN("queue", MEMBER_STRING, net, queue),
			OWN_IF("queue_ns", MEMBER_TIME, net, queue_time, has_queue),
		},
	},
	[CAUSE_TIMER] = {
		/* the phrase has the word: a task that is held back does not wait for a timer */
		.name = "timer", .word = "", .text = phrase_timer,
		.object = phrase_timer_object,
		.identity.timer = {
			.is_own = true, .call = UINT8_MAX, .stall = UINT8_MAX, .is_late = true,
		},
		.member = {
			COMMON("function", MEMBER_TITLE),
			OWN("own", MEMBER_BOOL, timer, is_own),
			OWN("what", MEMBER_CALL_WHAT, timer, call),
			OWN("in", MEMBER_CALL, timer, call),
			OWN_IF("late", MEMBER_BOOL, timer, is_late, cause_is_late),
			COMMON("armed_by", MEMBER_ORIGINATOR),
		},
	},
	[CAUSE_IRQ] = {
		.name = "irq", .word = "irq", .text = phrase_irq, .object = phrase_irq_object,
		.identity.irq.number = -1,
		.member = {OWN("number", MEMBER_INDEX, irq, number)},
	},
	[CAUSE_SOFTIRQ] = {
		.name = "softirq", .word = "softirq", .text = phrase_softirq,
		.identity.softirq = {.vector = -1, .is_delay = true},
		.member = {OWN_SAID("delay", softirq, is_delay, "to begin")},
	},
	[CAUSE_WORK] = {
		.name = "work", .word = "work", .text = phrase_work,
		.member = {
			COMMON("function", MEMBER_TITLE),
			COMMON("queued_by", MEMBER_ORIGINATOR),
			OWN("queue_ns", MEMBER_TIME, work, queue_time),
		},
	},
	[CAUSE_WORK_PENDING] = {.name = "work-pending", .word = "work pending"},
	[CAUSE_SIGNAL] = {
		.name = "signal", .word = "signal", .text = phrase_signal,
		.object = phrase_signal_object,
		.identity.signal.number = -1,
		.member = {OWN("number", MEMBER_INDEX, signal, number)},
	},
	[CAUSE_IPI] = {.name = "ipi", .word = "inter-processor interrupt"},
	/* a grace period, whichever task ends it */
	[CAUSE_RCU] = {
		.name = "rcu", .word = "RCU grace period", .text = phrase_nothing,
		.name_use = NAME_HIDDEN,
	},
	[CAUSE_LOCK] = {
		.name = "lock", .word = "lock", .text = phrase_lock,
		.member = {
			OWN("address", MEMBER_ADDRESS, lock, address),
			OWN("flags", MEMBER_U32, lock, flags),
			COMMON("owner", MEMBER_ORIGINATOR),
		},
	},
	[CAUSE_MEMORY] = {
		/* the phrase has the word: a penalty says what it is for */
		.name = "memory", .word = "", .text = phrase_memory,
		.object = phrase_memory_object, .name_use = NAME_BESIDE,
		.identity.memory = {.dev = ALL_BITS, .device = ALL_BITS},
		.member = {
			COMMON("what", MEMBER_WHAT),
			OWN("dev", MEMBER_DEVICE, memory, dev),
		},
	},
	[CAUSE_FORK] = {.name = "fork", .word = "fork"},
	[CAUSE_WAKE_LATENCY] = {
		.name = "wake-latency", .word = "wake-up on its way", .text = phrase_nothing,
	},
	[CAUSE_IDLE] = {
		.name = "idle", .word = "woken from idle, no evidence why", .text = phrase_nothing,
	},
	[CAUSE_FROZEN] = {
		.name = "frozen", .word = "frozen", .text = phrase_frozen,
		.member = {COMMON("frozen_by", MEMBER_ORIGINATOR)},
	},
	/* the limit says more than the timer's name */
	[CAUSE_THROTTLED] = {
		.name = "throttled", .word = "held back by a CPU limit", .text = phrase_throttled,
		.object = phrase_throttled_object,
		.identity.throttled.limit = UINT8_MAX,
		.member = {OWN("limit", MEMBER_LIMIT, throttled, limit)},
	},
	[CAUSE_PREEMPTED] = {.name = "preempted", .word = "preempted", .text = phrase_nothing},
	[CAUSE_WOKEN] = {.name = "woken", .word = "woken", .text = phrase_nothing},
};

const char *cause_kind_name(enum cause_kind kind)
{
	assert(kind < CAUSE_KIND_COUNT);
	return cause_kinds[kind].name;
}

int cause_kind_from_name(const char *name)
{
	for (int kind = 0; kind < CAUSE_KIND_COUNT; kind++)
		if (strcmp(cause_kinds[kind].name, name) == 0)
			return kind;
	return -1;
}

bool cause_kind_has(enum cause_kind kind, enum member_type type)
{
	for (const struct cause_member *member = cause_kinds[kind].member; member->key; member++)
		if (member->type == type)
			return true;
	return false;
}

const char *cause_string(const struct cause *cause, uint32_t id)
{
	return id ? intern_text(cause->names, id) : NULL;
}
