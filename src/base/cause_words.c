/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cause_words.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "array.h"
#include "format.h"

static void clean_append(struct buffer *to, const char *text)
{
	buffer_puts_clean(to, text, strlen(text));
}

void task_text_append(struct buffer *to, const struct task *task)
{
	clean_append(to, task->comm);
	buffer_printf(to, "[%" PRId32 "]", task->tid);
}

static void dev_append(struct buffer *to, uint32_t dev)
{
	if (dev)
		buffer_printf(to, " %" PRIu32 ",%" PRIu32, dev >> 20, dev & 0xfffff);
}

static void name_append(struct buffer *to, const char *name)
{
	if (!name)
		return;
	buffer_putc(to, ' ');
	clean_append(to, name);
}

/* The direction that the kernel's letters tell: a leading F is a flush before the data. */
static const char *rwbs_direction(const char *rwbs)
{
	static const struct {
		char letter;
		const char *word;
	} directions[] = {
		{'W', "write"}, {'R', "read"}, {'D', "discard"}, {'E', "erase"}, {'F', "flush"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(directions); i++)
		if (strchr(rwbs, directions[i].letter))
			return directions[i].word;
	return "request";
}

/* " for memory reclaim": what the wait was part of, whoever ended it. */
static void purpose_append(struct buffer *to, const struct cause *cause)
{
	static const struct {
		const char *what, *words;
	} purposes[] = {
		{"fault", "a page fault"},
		{"swap", "swap-in"},
		{"reclaim", "memory reclaim"},
		{"memcg-reclaim", "memory reclaim in its cgroup"},
		{"compaction", "memory compaction"},
		{"throttle", "memory throttling"},
		{"writeback", "writeback in memory reclaim"},
	};

	for (size_t i = 0; cause->what && i < ARRAY_SIZE(purposes); i++)
		if (strcmp(cause->what, purposes[i].what) == 0)
			buffer_printf(to, " for %s", purposes[i].words);
}

static void held_back_append(struct buffer *to, const struct cause *cause)
{
	if (cause->is_held_back)
		buffer_puts(to, " held back by an I/O limit");
}

static void disk_text(struct buffer *to, const struct cause *cause)
{
	char size[FORMAT_BYTES];

	if (cause->dev)
		dev_append(to, cause->dev);
	else
		name_append(to, cause->name);
	purpose_append(to, cause);
	held_back_append(to, cause);
	if (!cause->rwbs && !cause->bytes)
		return;
	buffer_printf(to, " (%s", cause->rwbs ? rwbs_direction(cause->rwbs) : "request");
	if (cause->bytes)
		buffer_printf(to, " %s", format_size(cause->bytes, size));
	if (cause->sector)
		buffer_printf(to, ", sector %" PRIu64, cause->sector);
	buffer_putc(to, ')');
}

static void originator_text(struct buffer *to, const struct cause *cause, const char *before,
                            const char *after)
{
	if (!cause->has_originator)
		return;
	buffer_puts(to, before);
	task_text_append(to, &cause->originator);
	buffer_puts(to, after);
}

/* ": no answer from 10.0.0.7:80 (2 retransmits)" */
static void unanswered_append(struct buffer *to, const struct cause *cause)
{
	buffer_puts(to, ": no answer");
	if (cause->peer)
		buffer_printf(to, " from %s", cause->peer);
	if (cause->retransmits)
		buffer_printf(to, " (%" PRIu32 " retransmit%s)", cause->retransmits,
		              cause->retransmits == 1 ? "" : "s");
}

static void net_text(struct buffer *to, const struct cause *cause)
{
	if (cause->is_unanswered) {
		unanswered_append(to, cause);
		return;
	}
	name_append(to, cause->name);
	if (cause->has_originator) {
		originator_text(to, cause, " from ", "");
		if (cause->peer)
			buffer_printf(to, " at %s", cause->peer);
	} else if (cause->peer) {
		buffer_printf(to, " from %s", cause->peer);
	}
}

/* ": sleep", ": timeout of poll" */
static void call_append(struct buffer *to, const struct cause *cause)
{
	buffer_printf(to, ": %s", sleep_call_what(cause->call));
	if (strcmp(sleep_call_what(cause->call), "timeout") == 0)
		buffer_printf(to, " of %s", sleep_call_name(cause->call));
}

static void timer_text(struct buffer *to, const struct cause *cause)
{
	/* what was slept in says all that the function does, and more */
	if (cause->call != CALL_NONE) {
		buffer_puts(to, " (own)");
		call_append(to, cause);
		return;
	}
	name_append(to, cause->name);
	if (cause->is_own)
		buffer_puts(to, " (own)");
	else
		originator_text(to, cause, " (armed by ", ")");
}

static void irq_text(struct buffer *to, const struct cause *cause)
{
	if (cause->number >= 0)
		buffer_printf(to, " %" PRId32, cause->number);
	name_append(to, cause->name);
}

static void irq_words(struct buffer *to, const struct cause *cause)
{
	if (cause->number < 0 && !cause->name)
		buffer_puts(to, " (which one is not known)");
	else
		irq_text(to, cause);
}

static void softirq_text(struct buffer *to, const struct cause *cause)
{
	if (cause->name)
		name_append(to, cause->name);
	else
		buffer_puts(to, " (which one is not known)");
	if (cause->is_delay)
		buffer_puts(to, " to begin");
}

static void work_text(struct buffer *to, const struct cause *cause)
{
	name_append(to, cause->name);
	originator_text(to, cause, " (queued by ", ")");
}

/* The name is the same on all machines, the number is not; real-time signals have no name. */
static void signal_name_text(struct buffer *to, const struct cause *cause)
{
	if (cause->name)
		name_append(to, cause->name);
	else if (cause->number > 0)
		buffer_printf(to, " %" PRId32, cause->number);
}

static void signal_text(struct buffer *to, const struct cause *cause)
{
	signal_name_text(to, cause);
	if (!cause->has_waker)
		return;
	buffer_puts(to, " from ");
	task_text_append(to, &cause->waker);
}

static void lock_text(struct buffer *to, const struct cause *cause)
{
	if (cause->name)
		name_append(to, cause->name);
	else if (cause->address)
		buffer_printf(to, " 0x%" PRIx64, cause->address);
	originator_text(to, cause, " held by ", "");
}

static void memory_text(struct buffer *to, const struct cause *cause)
{
	name_append(to, cause->what ? cause->what : cause->name);
}

static void frozen_text(struct buffer *to, const struct cause *cause)
{
	name_append(to, cause->name);
	originator_text(to, cause, " by ", "");
}

static void task_text(struct buffer *to, const struct cause *cause)
{
	if (!cause->has_waker) {
		name_append(to, cause->name);
		return;
	}
	buffer_putc(to, ' ');
	task_text_append(to, &cause->waker);
	/* exit, vfork, futex */
	if (cause->name) {
		buffer_puts(to, " (");
		clean_append(to, cause->name);
		buffer_putc(to, ')');
	}
}

static void plain_text(struct buffer *to, const struct cause *cause)
{
	name_append(to, cause->name);
}

/* How a kind is told in words: the beginning, and what else there is to say. */
static const struct {
	const char *word;
	void (*more)(struct buffer *to, const struct cause *cause);
} kind_text[CAUSE_KIND_COUNT] = {
	[CAUSE_UNKNOWN] = {"not known", NULL},
	[CAUSE_TASK] = {"task", task_text},
	[CAUSE_DISK] = {"disk", disk_text},
	[CAUSE_NET] = {"net", net_text},
	[CAUSE_TIMER] = {"timer", timer_text},
	[CAUSE_IRQ] = {"irq", irq_words},
	[CAUSE_SOFTIRQ] = {"softirq", softirq_text},
	[CAUSE_WORK] = {"work", work_text},
	[CAUSE_WORK_PENDING] = {"work pending", plain_text},
	[CAUSE_SIGNAL] = {"signal", signal_text},
	[CAUSE_IPI] = {"inter-processor interrupt", plain_text},
	[CAUSE_RCU] = {"RCU grace period", NULL},
	[CAUSE_LOCK] = {"lock", lock_text},
	[CAUSE_MEMORY] = {"memory", memory_text},
	[CAUSE_FORK] = {"fork", plain_text},
	[CAUSE_WAKE_LATENCY] = {"wake-up on its way", NULL},
	[CAUSE_IDLE] = {"woken from idle, no evidence why", NULL},
	[CAUSE_FROZEN] = {"frozen", frozen_text},
	[CAUSE_THROTTLED] = {"held back by a CPU limit", NULL},
	[CAUSE_PREEMPTED] = {"preempted", NULL},
	[CAUSE_WOKEN] = {"woken", NULL},
};

void cause_text_append(struct buffer *to, const struct cause *cause)
{
	assert(cause->kind < CAUSE_KIND_COUNT);
	buffer_puts(to, kind_text[cause->kind].word);
	if (cause->kind == CAUSE_UNKNOWN && cause->name) {
		buffer_puts(to, " (");
		clean_append(to, cause->name);
		buffer_putc(to, ')');
	}
	if (kind_text[cause->kind].more)
		kind_text[cause->kind].more(to, cause);
	if (cause_has_stopper(cause))
		originator_text(to, cause, " (stopped by ", ")");
	/* memory itself is the cause, or it is told before what the request was */
	if (cause->kind != CAUSE_MEMORY && cause->kind != CAUSE_DISK)
		purpose_append(to, cause);
}

void cause_name_append(struct buffer *to, const struct cause *cause)
{
	assert(cause->kind < CAUSE_KIND_COUNT);
	buffer_puts(to, cause_kind_name(cause->kind));
	if (cause->kind == CAUSE_DISK && cause->dev)
		dev_append(to, cause->dev);
	else if (cause->kind == CAUSE_IRQ)
		irq_text(to, cause);
	else if (cause->kind == CAUSE_SIGNAL)
		signal_name_text(to, cause);
	else if (cause->kind == CAUSE_MEMORY)
		memory_text(to, cause);
	else if (cause->kind == CAUSE_TASK && cause->has_waker)
		name_append(to, cause->waker.comm);
	else if (cause->call != CALL_NONE)
		call_append(to, cause);
	else if (cause->is_unanswered)
		unanswered_append(to, cause);
	else if (cause->kind != CAUSE_THROTTLED) /* the timer's name says less than the kind */
		name_append(to, cause->name);
	held_back_append(to, cause);
	if (cause->is_delay)
		buffer_puts(to, " to begin");
	if (cause->kind != CAUSE_MEMORY)
		purpose_append(to, cause);
}
