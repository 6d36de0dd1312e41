/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cause_phrases.h"

#include <inttypes.h>
#include <string.h>

#include "base/array.h"
#include "base/format.h"
#include "cause_kind.h"
#include "cause_words.h"
#include "futex_kind.h"

static void clean_append(struct buffer *to, const char *text)
{
	buffer_puts_clean(to, text, strlen(text));
}

static void between_append(struct buffer *to, const char *before, const char *text,
                           const char *after)
{
	buffer_puts(to, before);
	buffer_puts(to, text);
	buffer_puts(to, after);
}

static void number_append(struct buffer *to, int32_t number)
{
	buffer_putc(to, ' ');
	buffer_put_i64(to, number);
}

static void dev_append(struct buffer *to, uint32_t dev)
{
	char device[FORMAT_BYTES];

	if (!dev)
		return;
	buffer_putc(to, ' ');
	buffer_puts(to, format_device(dev, device));
}

void name_append(struct buffer *to, const char *name)
{
	if (!name)
		return;
	buffer_putc(to, ' ');
	clean_append(to, name);
}

void purpose_append(struct buffer *to, const struct cause *cause)
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
			between_append(to, " for ", purposes[i].words, "");
	if (cause->purpose)
		between_append(to, " (for ", cause->purpose, ")");
}

void member_words_append(struct buffer *to, const struct cause *cause)
{
	const struct cause_member *member = cause_kinds[cause->kind].member;

	for (; member->key; member++)
		if (member->words && *(const bool *)cause_member_at(cause, member))
			between_append(to, " ", member->words, "");
}

void phrase_disk_object(struct buffer *to, const struct cause *cause)
{
	if (cause->as.disk.dev)
		dev_append(to, cause->as.disk.dev);
	else
		name_append(to, cause->name);
}

void phrase_disk(struct buffer *to, const struct cause *cause)
{
	const char *rwbs = cause_string(cause, cause->as.disk.rwbs);
	uint32_t bytes = cause->as.disk.bytes;
	char size[FORMAT_BYTES];

	phrase_disk_object(to, cause);
	purpose_append(to, cause);
	member_words_append(to, cause);
	if (!rwbs && !bytes)
		return;
	between_append(to, " (", rwbs ? request_word(rwbs) : "request", "");
	if (bytes)
		between_append(to, " ", format_size(bytes, size), "");
	if (cause->as.disk.sector) {
		buffer_puts(to, ", sector ");
		buffer_put_u64(to, cause->as.disk.sector);
	}
	buffer_putc(to, ')');
}

void originator_append(struct buffer *to, const struct cause *cause, const char *before,
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
	const char *peer = cause_string(cause, cause->as.net.peer);
	uint32_t retransmits = cause->as.net.retransmits;

	buffer_puts(to, ": no answer");
	if (peer)
		between_append(to, " from ", peer, "");
	if (retransmits)
		buffer_printf(to, " (%" PRIu32 " retransmit%s)", retransmits,
		              format_plural(retransmits));
}

void phrase_net_object(struct buffer *to, const struct cause *cause)
{
	if (cause->as.net.is_unanswered)
		unanswered_append(to, cause);
	else
		name_append(to, cause->name);
}

void phrase_net(struct buffer *to, const struct cause *cause)
{
	const char *peer = cause_string(cause, cause->as.net.peer);

	phrase_net_object(to, cause);
	if (cause->as.net.is_unanswered)
		return;
	if (cause->has_originator) {
		originator_append(to, cause, " from ", "");
		if (peer)
			between_append(to, " at ", peer, "");
	} else if (peer) {
		between_append(to, " from ", peer, "");
	}
}

/* ": sleep", ": timeout of poll" */
static void call_append(struct buffer *to, enum sleep_call call)
{
	between_append(to, ": ", sleep_call_what(call), "");
	if (strcmp(sleep_call_what(call), "timeout") == 0)
		between_append(to, " of ", sleep_call_name(call), "");
}

/* A penalty for dirtying memory, or a pause for which the recording has no reason. */
static void held_append(struct buffer *to, const char *why, const char *object)
{
	between_append(to, "held back by the kernel (", why, "");
	if (object) {
		buffer_puts(to, " for ");
		clean_append(to, object);
	}
	buffer_putc(to, ')');
}

/* The sleep call says all that the function does, and more. */
void phrase_timer_object(struct buffer *to, const struct cause *cause)
{
	if (cause_is_late(cause))
		buffer_puts(to, ": noticed late by polling");
	else if (sleep_call_is_held(cause->as.timer.call))
		buffer_puts(to, ": held back by the kernel");
	else if (cause->as.timer.call != CALL_NONE)
		call_append(to, (enum sleep_call)cause->as.timer.call);
	else
		name_append(to, cause->name);
}

void phrase_timer(struct buffer *to, const struct cause *cause)
{
	if (cause_is_late(cause)) {
		buffer_puts(to, "noticed late by polling");
		return;
	}
	if (sleep_call_is_held(cause->as.timer.call)) {
		held_append(to, cause->as.timer.call == CALL_HELD ? "D, timed" : "msleep", NULL);
		return;
	}
	buffer_puts(to, "timer");
	if (cause->as.timer.call != CALL_NONE) {
		buffer_puts(to, " (own)");
		call_append(to, (enum sleep_call)cause->as.timer.call);
		return;
	}
	name_append(to, cause->name);
	if (cause->as.timer.is_own)
		buffer_puts(to, " (own)");
	else
		originator_append(to, cause, " (armed by ", ")");
}

void phrase_irq_object(struct buffer *to, const struct cause *cause)
{
	if (cause->as.irq.number >= 0)
		number_append(to, cause->as.irq.number);
	name_append(to, cause->name);
}

void phrase_irq(struct buffer *to, const struct cause *cause)
{
	if (cause->as.irq.number < 0 && !cause->name)
		buffer_puts(to, " (which one is not known)");
	else
		phrase_irq_object(to, cause);
}

void phrase_softirq(struct buffer *to, const struct cause *cause)
{
	if (cause->name)
		name_append(to, cause->name);
	else
		buffer_puts(to, " (which one is not known)");
	member_words_append(to, cause);
}

void phrase_work(struct buffer *to, const struct cause *cause)
{
	name_append(to, cause->name);
	originator_append(to, cause, " (queued by ", ")");
}

/* The name is the same on all machines, the number is not; real-time signals have no name. */
void phrase_signal_object(struct buffer *to, const struct cause *cause)
{
	if (cause->name)
		name_append(to, cause->name);
	else if (cause->as.signal.number > 0)
		number_append(to, cause->as.signal.number);
}

void phrase_signal(struct buffer *to, const struct cause *cause)
{
	phrase_signal_object(to, cause);
	if (!cause->has_waker)
		return;
	buffer_puts(to, " from ");
	task_text_append(to, &cause->waker);
}

void phrase_lock(struct buffer *to, const struct cause *cause)
{
	if (cause->name)
		name_append(to, cause->name);
	else if (cause->as.lock.address)
		buffer_printf(to, " 0x%" PRIx64, cause->as.lock.address);
	originator_append(to, cause, " held by ", "");
}

/* "throttle", "throttle 254,0" */
void phrase_memory_object(struct buffer *to, const struct cause *cause)
{
	name_append(to, cause->what ? cause->what : cause->name);
	dev_append(to, cause->as.memory.dev);
	name_append(to, cause_string(cause, cause->as.memory.device));
}

/* A device that is no block device, such as NFS, has the kernel's name for it. */
void phrase_memory(struct buffer *to, const struct cause *cause)
{
	char text[FORMAT_BYTES];
	const char *device = cause->as.memory.dev ? format_device(cause->as.memory.dev, text)
	                                          : cause_string(cause,
	                                                         cause->as.memory.device);

	if (!cause_is_held_back(cause)) {
		buffer_puts(to, "memory");
		name_append(to, cause->what ? cause->what : cause->name);
		return;
	}
	held_append(to, device ? "too many dirty pages" : "memory throttling", device);
}

void phrase_frozen(struct buffer *to, const struct cause *cause)
{
	name_append(to, cause->name);
	originator_append(to, cause, " by ", "");
}

void phrase_task_object(struct buffer *to, const struct cause *cause)
{
	name_append(to, cause->has_waker ? cause->waker.comm : cause->name);
}

/* " (exit)": a name in parentheses */
static void aside_append(struct buffer *to, const char *name)
{
	if (!name)
		return;
	buffer_puts(to, " (");
	clean_append(to, name);
	buffer_putc(to, ')');
}

/* What a futex was waited for; the name itself if it is no futex. */
static const char *futex_words(const char *name)
{
	static const struct {
		enum futex_kind kind;
		const char *words;
	} rows[] = {
		{FUTEX_KIND_JOIN, "its end"},
		{FUTEX_KIND_CONDITION, "a condition that it signalled"},
		{FUTEX_KIND_BARRIER, "a barrier that it came to last"},
	};

	for (size_t i = 0; name && i < ARRAY_SIZE(rows); i++)
		if (strcmp(name, futex_kind_name(rows[i].kind)) == 0)
			return rows[i].words;
	return name;
}

void phrase_task(struct buffer *to, const struct cause *cause)
{
	if (!cause->has_waker) {
		name_append(to, cause->name);
		return;
	}
	buffer_putc(to, ' ');
	task_text_append(to, &cause->waker);
	/* exit, vfork, futex */
	aside_append(to, futex_words(cause->name));
}

void phrase_unknown(struct buffer *to, const struct cause *cause)
{
	buffer_puts(to, cause->as.unknown.is_open ? "not ended" : "not known");
	aside_append(to, cause->name);
}

/* Without further words a control group's limit is meant. */
void phrase_throttled(struct buffer *to, const struct cause *cause)
{
	static const char *const words[CPU_LIMIT_COUNT] = {
		[CPU_LIMIT_DEADLINE] = ": its SCHED_DEADLINE budget is used up",
		[CPU_LIMIT_REAL_TIME] = ": real-time throttling gave its CPU away",
		[CPU_LIMIT_FAIR_SERVER] = ": the fair server gave its CPU away",
	};

	if (words[cause->as.throttled.limit])
		buffer_puts(to, words[cause->as.throttled.limit]);
}

void phrase_throttled_object(struct buffer *to, const struct cause *cause)
{
	if (cause->as.throttled.limit != CPU_LIMIT_GROUP)
		name_append(to, cpu_limit_name((enum cpu_limit)cause->as.throttled.limit));
}

void phrase_nothing(struct buffer *to, const struct cause *cause)
{
	(void)to;
	(void)cause;
}
