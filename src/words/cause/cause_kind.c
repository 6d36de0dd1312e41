/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cause_kind.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "base/data/array.h"
#include "base/text/format.h"
#include "futex_kind.h"
#include "unknown_words.h"
#include "words/task_words.h"

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

void name_append(struct buffer *to, const char *name)
{
	if (!name)
		return;
	buffer_putc(to, ' ');
	clean_append(to, name);
}

/* " vda", " 254,0": the block device by its name, or else by its numbers; nothing for 0. */
static void dev_append(struct buffer *to, const struct cause *cause, uint32_t dev)
{
	if (dev)
		name_append(to, cause->disk ? cause->disk : DEVICE_TEXT(dev));
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
	remark_append(to, cause, " (", ")");
}

bool cause_has_remark(const struct cause *cause)
{
	/* the phrase of a lock names its file */
	return cause->purpose || cause->inode || (cause->file && cause->kind == CAUSE_TASK);
}

/* "file /usr/lib/x", "fsync of /var/lib/x/wal", "file: inode 77 of vda1" */
static void inode_append(struct buffer *to, const struct cause *cause)
{
	buffer_puts(to, cause->is_sync ? "fsync of " : cause->file ? "file " : "file: ");
	if (cause->file) {
		clean_append(to, cause->file);
		return;
	}
	buffer_puts(to, "inode ");
	buffer_put_u64(to, cause->inode);
	buffer_puts(to, " of");
	name_append(to, cause->inode_disk ? cause->inode_disk : DEVICE_TEXT(cause->inode_dev));
}

void remark_append(struct buffer *to, const struct cause *cause, const char *before,
                   const char *after)
{
	if (!cause_has_remark(cause))
		return;
	buffer_puts(to, before);
	if (cause->inode) {
		inode_append(to, cause);
		/* what a file is read for, its pages, is clear */
		if (cause->purpose && cause->is_sync)
			between_append(to, ", for ", cause->purpose, "");
	} else if (cause->file && cause->kind == CAUSE_TASK) {
		buffer_puts(to, cause->as.lock.is_flock ? "flock on " : "fcntl lock on ");
		clean_append(to, cause->file);
	} else {
		buffer_puts(to, "for ");
		buffer_puts(to, cause->purpose);
	}
	buffer_puts(to, after);
}

void member_words_append(struct buffer *to, const struct cause *cause)
{
	const struct cause_member *member = cause_kinds[cause->kind].member;

	for (; member->key; member++)
		if (member->words && *(const bool *)cause_member_at(cause, member))
			between_append(to, " ", member->words, "");
}

static void phrase_disk_object(struct buffer *to, const struct cause *cause)
{
	if (cause->as.disk.dev)
		dev_append(to, cause, cause->as.disk.dev);
	else
		name_append(to, cause->name);
}

static void phrase_disk(struct buffer *to, const struct cause *cause)
{
	const char *rwbs = cause_string(cause, cause->as.disk.rwbs);
	uint32_t bytes = cause->as.disk.bytes;

	phrase_disk_object(to, cause);
	purpose_append(to, cause);
	member_words_append(to, cause);
	if (!rwbs && !bytes)
		return;
	between_append(to, " (", rwbs ? request_word(rwbs) : "request", "");
	if (bytes)
		between_append(to, " ", SIZE_TEXT(bytes), "");
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

/* " (2 retransmits)" of the kernel, " (sent again once)" by the program */
static void resends_append(struct buffer *to, const struct cause *cause)
{
	uint32_t count = cause->as.net.retransmits;

	if (count == 0)
		return;
	if (!cause->as.net.is_request)
		buffer_printf(to, " (%" PRIu32 " retransmit%s)", count, format_plural(count));
	else if (count == 1)
		buffer_puts(to, " (sent again once)");
	else
		buffer_printf(to, " (sent again %" PRIu32 " times)", count);
}

/* ": between 4 attempts to connect to 10.0.0.7:80, all refused" */
static void attempts_append(struct buffer *to, const struct cause *cause)
{
	uint32_t count = cause->as.net.retransmits;
	const char *peer = cause_string(cause, cause->as.net.peer);

	if (count)
		buffer_printf(to, ": between %" PRIu32 " attempts to connect", count);
	else
		buffer_puts(to, ": between attempts to connect");
	if (peer)
		between_append(to, " to ", peer, "");
	if (cause->as.net.is_unanswered)
		buffer_puts(to, cause->as.net.is_refused ? ", all refused" : ", all failed");
}

/* ": no answer from 10.0.0.7:80 (2 retransmits)" */
static void unanswered_append(struct buffer *to, const struct cause *cause)
{
	const char *peer = cause_string(cause, cause->as.net.peer);

	buffer_puts(to, ": no answer");
	if (peer)
		between_append(to, " from ", peer, "");
	resends_append(to, cause);
}

static void phrase_net_object(struct buffer *to, const struct cause *cause)
{
	if (cause->as.net.is_retried)
		attempts_append(to, cause);
	else if (cause->as.net.is_unanswered)
		unanswered_append(to, cause);
	else
		name_append(to, cause->name);
}

static void phrase_net(struct buffer *to, const struct cause *cause)
{
	const char *peer = cause_string(cause, cause->as.net.peer);

	phrase_net_object(to, cause);
	if (cause->as.net.is_unanswered || cause->as.net.is_retried)
		return;
	if (cause->has_originator) {
		originator_append(to, cause, " from ", "");
		if (peer)
			between_append(to, " at ", peer, "");
	} else if (peer) {
		between_append(to, " from ", peer, "");
	}
	if (cause->as.net.clock_bound)
		between_append(to, " (+-", DURATION_TEXT(cause->as.net.clock_bound),
		               cause->as.net.is_order_unknown ? ", order not known)" : ")");
}

/* ": sleep", ": timeout of poll" */
static void call_append(struct buffer *to, enum sleep_call call)
{
	between_append(to, ": ", sleep_call_what(call), "");
	if (strcmp(sleep_call_what(call), "timeout") == 0)
		between_append(to, " of ", sleep_call_name(call), "");
}

/* Appends why a task was held back: a penalty for dirtying memory, or a pause for which the
   recording has no reason. */
static void held_append(struct buffer *to, const char *why, const char *object)
{
	between_append(to, "held back by the kernel (", why, "");
	if (object) {
		buffer_puts(to, " for ");
		clean_append(to, object);
	}
	buffer_putc(to, ')');
}

/* Appends the sleep call if it is known, else the timer's function, which shows less. */
static void phrase_timer_object(struct buffer *to, const struct cause *cause)
{
	if (cause_is_late(cause))
		buffer_puts(to, ": until its next poll");
	else if (sleep_call_is_held(cause->as.timer.call))
		buffer_puts(to, ": held back by the kernel");
	else if (cause->as.timer.call != CALL_NONE)
		call_append(to, (enum sleep_call)cause->as.timer.call);
	else
		name_append(to, cause->name);
}

/* "its own sleep", "its own timeout of poll", "its own timer" */
static void own_timer_append(struct buffer *to, enum sleep_call call)
{
	buffer_puts(to, "its own ");
	buffer_puts(to, call == CALL_NONE ? "timer" : sleep_call_what(call));
	if (call != CALL_NONE && strcmp(sleep_call_what(call), "timeout") == 0)
		between_append(to, " of ", sleep_call_name(call), "");
}

static void phrase_timer(struct buffer *to, const struct cause *cause)
{
	if (cause_is_late(cause)) {
		buffer_puts(to, "until its next poll");
		return;
	}
	if (sleep_call_is_held(cause->as.timer.call)) {
		held_append(to, cause->as.timer.call == CALL_HELD ? "D, timed" : "msleep", NULL);
		return;
	}
	if (cause->as.timer.call != CALL_NONE || cause->as.timer.is_own) {
		own_timer_append(to, (enum sleep_call)cause->as.timer.call);
		return;
	}
	buffer_puts(to, "timer");
	name_append(to, cause->name);
	originator_append(to, cause, " (set by ", ")");
}

static void phrase_irq_object(struct buffer *to, const struct cause *cause)
{
	if (cause->as.irq.number >= 0)
		number_append(to, cause->as.irq.number);
	name_append(to, cause->name);
}

static void phrase_softirq(struct buffer *to, const struct cause *cause)
{
	name_append(to, cause->name);
	member_words_append(to, cause);
}

static void phrase_interrupt(struct buffer *to, const struct cause *cause)
{
	(void)cause;
	buffer_puts(to, " (not recorded which)");
}

static void phrase_work(struct buffer *to, const struct cause *cause)
{
	name_append(to, cause->name);
	originator_append(to, cause, " (queued by ", ")");
}

/* Appends the signal's name, which is the same on all machines, unlike its number; a real-time
   signal has no name, so its number is appended. */
static void phrase_signal_object(struct buffer *to, const struct cause *cause)
{
	if (cause->name)
		name_append(to, cause->name);
	else if (cause->as.signal.number > 0)
		number_append(to, cause->as.signal.number);
}

static void phrase_signal(struct buffer *to, const struct cause *cause)
{
	phrase_signal_object(to, cause);
	if (!cause->has_waker)
		return;
	buffer_puts(to, " from ");
	task_text_append(to, &cause->waker);
	if (cause->as.signal.is_end)
		buffer_puts(to, ", to end all threads");
}

static void phrase_lock(struct buffer *to, const struct cause *cause)
{
	if (cause->name)
		name_append(to, cause->name);
	else if (cause->as.lock.address)
		buffer_printf(to, " 0x%" PRIx64, cause->as.lock.address);
	originator_append(to, cause, " held by ", "");
}

/* "throttle", "throttle 254,0" */
static void phrase_memory_object(struct buffer *to, const struct cause *cause)
{
	name_append(to, cause->what ? cause->what : cause->name);
	dev_append(to, cause, cause->as.memory.dev);
	name_append(to, cause_string(cause, cause->as.memory.device));
}

/* If the device is no block device, as for NFS, the kernel's name for it is used. */
static void phrase_memory(struct buffer *to, const struct cause *cause)
{
	const char *device = cause->disk             ? cause->disk
	                     : cause->as.memory.dev ? DEVICE_TEXT(cause->as.memory.dev)
	                                            : cause_string(cause,
	                                                           cause->as.memory.device);

	if (!cause_is_held_back(cause)) {
		buffer_puts(to, "memory");
		name_append(to, cause->what ? cause->what : cause->name);
		return;
	}
	held_append(to, device ? "too many dirty pages" : "memory throttling", device);
}

/* The control group, "/box/job", or "for system suspend". */
static void phrase_frozen_object(struct buffer *to, const struct cause *cause)
{
	if (cause->name && cause->name[0] != '/')
		buffer_puts(to, " for");
	name_append(to, cause->name);
}

static void phrase_frozen(struct buffer *to, const struct cause *cause)
{
	phrase_frozen_object(to, cause);
	originator_append(to, cause, " by ", "");
}

static void phrase_task_object(struct buffer *to, const struct cause *cause)
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

/* The words for what a task was waited for; `name` itself if there are none. */
static const char *awaited_words(const char *name)
{
	static const struct {
		enum futex_kind kind;
		const char *words;
	} rows[] = {
		{FUTEX_KIND_JOIN, "its end"},
		{FUTEX_KIND_CONDITION, "a condition that it signalled"},
		{FUTEX_KIND_BARRIER, "a barrier or event that it completed"},
		{FUTEX_KIND_SEMAPHORE, "a semaphore that it posted"},
		{FUTEX_KIND_SIGNALLED, "a condition or semaphore that it signalled"},
	};

	for (size_t i = 0; name && i < ARRAY_SIZE(rows); i++)
		if (strcmp(name, futex_kind_name(rows[i].kind)) == 0)
			return rows[i].words;
	return name && strcmp(name, "exit") == 0 ? "its end" : name;
}

static void phrase_task(struct buffer *to, const struct cause *cause)
{
	if (!cause->has_waker) {
		name_append(to, cause->name);
		return;
	}
	buffer_putc(to, ' ');
	task_text_append(to, &cause->waker);
	/* exit, vfork, futex */
	aside_append(to, awaited_words(cause->name));
}

const char *unknown_words(const struct cause *cause)
{
	if (cause->as.unknown.is_remote)
		return WORDS_OTHER_CPU;
	return cause->as.unknown.is_open ? WORDS_STILL_WAITING : WORDS_NOT_RECORDED;
}

static void phrase_unknown(struct buffer *to, const struct cause *cause)
{
	buffer_puts(to, unknown_words(cause));
	aside_append(to, cause->name);
}

/* Appends which limit it is, unless it is a control group's limit. */
static void phrase_throttled(struct buffer *to, const struct cause *cause)
{
	static const char *const words[CPU_LIMIT_COUNT] = {
		[CPU_LIMIT_DEADLINE] = ": its SCHED_DEADLINE budget is used up",
		[CPU_LIMIT_REAL_TIME] = ": real-time throttling gave its CPU away",
		[CPU_LIMIT_FAIR_SERVER] = ": the fair server gave its CPU away",
	};

	if (words[cause->as.throttled.limit])
		buffer_puts(to, words[cause->as.throttled.limit]);
}

static void phrase_throttled_object(struct buffer *to, const struct cause *cause)
{
	if (cause->as.throttled.limit != CPU_LIMIT_GROUP)
		name_append(to, cpu_limit_name((enum cpu_limit)cause->as.throttled.limit));
}

static void phrase_nothing(struct buffer *to, const struct cause *cause)
{
	(void)to;
	(void)cause;
}

/* COMMON(): a member that every cause has, with this kind's key for it. The others are members that
   only this kind has. */
#define COMMON(key_, type_) {.key = (key_), .type = (type_)}
#define OWN(key_, type_, arm, member_) OWN_IF(key_, type_, arm, member_, NULL)
#define OWN_IF(key_, type_, arm, member_, is_known_) \
	{.key = (key_), .type = (type_), .offset = offsetof(union cause_members, arm.member_), \
	 .is_known = (is_known_)}
#define OWN_RARE(key_, type_, arm, member_, is_known_) \
	{.key = (key_), .type = (type_), .offset = offsetof(union cause_members, arm.member_), \
	 .is_known = (is_known_), .is_rare = true}
#define OWN_SAID(key_, arm, member_, words_) \
	{.key = (key_), .type = MEMBER_BOOL, .offset = offsetof(union cause_members, arm.member_), \
	 .words = (words_)}
#define ALL_BITS UINT32_MAX

/* When members are known. */
#define CONDITION(name, known) \
	static bool name(const struct cause *cause) \
	{ \
		return known; \
	}

/* Members that the waits of a folded chain do not share are not set. */
CONDITION(has_request, cause->as.disk.sector || cause->as.disk.bytes || cause->as.disk.rwbs)
CONDITION(has_local_port, cause->as.net.peer && cause->as.net.local_port)
CONDITION(has_queue, cause->as.net.queue != 0)
CONDITION(has_clock_bound, cause->as.net.clock_bound != 0)
CONDITION(is_remote, cause->as.unknown.is_remote)
CONDITION(is_order_unknown, cause->as.net.is_order_unknown)
CONDITION(is_opening_unanswered,
          cause->as.net.is_unanswered && !cause->as.net.is_request && !cause->as.net.is_retried)
CONDITION(is_request_unanswered, cause->as.net.is_unanswered && cause->as.net.is_request)
CONDITION(is_retried, cause->as.net.is_retried)
CONDITION(is_signal_of_end, cause->as.signal.is_end)

#define SOFTIRQ_EVENTS EVENT_LIST(EVENT_SOFTIRQ_RAISE, EVENT_SOFTIRQ_ENTRY, EVENT_SOFTIRQ_EXIT)
#define WORK_EVENTS    EVENT_LIST(EVENT_WORK_QUEUE, EVENT_WORK_START, EVENT_WORK_END)

const struct cause_kind_row cause_kinds[CAUSE_KIND_COUNT] = {
	/* `word` is "", as the phrase has the word: an open wait has another word */
	[CAUSE_UNKNOWN] = {
		.name = "unknown", .word = "", .words = WORDS_NOT_RECORDED,
		.text = phrase_unknown,
		.look = {"unknown", 'u', "2"},
		.identity.unknown = {.is_open = true, .is_remote = true},
		.member = {OWN_RARE("other_cpu", MEMBER_BOOL, unknown, is_remote, is_remote)},
	},
	[CAUSE_TASK] = {
		.name = "task", .word = "task", .text = phrase_task, .object = phrase_task_object,
		.look = {"task", 't', "35"}, .source = SOURCE_WAKER,
		.identity.lock = {.file = ALL_BITS, .is_flock = true},
		.member = {COMMON("waker", MEMBER_WAKER)},
	},
	[CAUSE_DISK] = {
		.name = "disk", .word = "disk", .text = phrase_disk, .object = phrase_disk_object,
		.look = {"disk", 'd', "34"}, .source = SOURCE_ORIGINATOR, .view = "disk",
		.holds_up = true, .aim = AIM_DISK,
		.shown_by = {{"block", EVENT_LIST(EVENT_BLOCK_COMPLETE)}},
		.identity.disk = {.dev = ALL_BITS, .is_held_back = true},
		.member = {
			OWN("dev", MEMBER_DEVICE, disk, dev),
			COMMON("disk", MEMBER_DISK),
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
		.look = {"net", 'n', "36"}, .source = SOURCE_NAME, .view = "net",
		.shown_by = {
			{"net", EVENT_LIST(EVENT_NET_RECEIVE, EVENT_NAPI_POLL, EVENT_SOCKET_STATE,
			                   EVENT_SOCKET_RECEIVE, EVENT_SOCKET_SEND,
			                   EVENT_SOCKET_TAKE, EVENT_SOCKET_READY)},
		},
		/* the peer identifies it only if it did not answer, see cause_note_identity() */
		.identity.net = {
			.peer = ALL_BITS, .is_unanswered = true, .stall = UINT8_MAX,
			.is_queued = true, .is_retried = true, .is_refused = true,
		},
		.member = {
			COMMON("dev", MEMBER_TITLE),
			OWN("peer", MEMBER_STRING, net, peer),
			OWN_IF("local_port", MEMBER_U16, net, local_port, has_local_port),
			COMMON("sender", MEMBER_ORIGINATOR),
			OWN("no_answer", MEMBER_BOOL, net, is_unanswered),
			OWN_IF("retransmits", MEMBER_U32, net, retransmits, is_opening_unanswered),
			OWN_RARE("sent_again", MEMBER_U32, net, retransmits, is_request_unanswered),
			OWN_RARE("attempts", MEMBER_U32, net, retransmits, is_retried),
			OWN_RARE("refused", MEMBER_BOOL, net, is_refused, is_retried),
			OWN_SAID("queued", net, is_queued, "(packets queued)"),
			OWN("queue", MEMBER_STRING, net, queue),
			OWN_IF("queue_ns", MEMBER_TIME, net, queue_time, has_queue),
			OWN_RARE("clock_bound_ns", MEMBER_U32, net, clock_bound, has_clock_bound),
			OWN_RARE("order_unknown", MEMBER_BOOL, net, is_order_unknown,
		                 is_order_unknown),
		},
	},
	[CAUSE_TIMER] = {
		/* `word` is "", as the phrase has the word: a task that is held back does not wait
		   for a timer */
		.name = "timer", .word = "", .text = phrase_timer,
		.look = {"timer", 'z', "2"}, .source = SOURCE_NAME | SOURCE_ORIGINATOR,
		.shown_by = {
			{"timer", EVENT_LIST(EVENT_HRTIMER_START, EVENT_HRTIMER_ENTRY,
			                     EVENT_HRTIMER_EXIT, EVENT_TIMER_START,
			                     EVENT_TIMER_ENTRY, EVENT_TIMER_EXIT)},
		},
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
		.name = "irq", .word = "irq", .text = phrase_irq_object,
		.object = phrase_irq_object,
		.look = {"kernel", 'i', "0"}, .source = SOURCE_NAME, .view = "irq",
		.shown_by = {{"irq", EVENT_LIST(EVENT_IRQ_ENTRY, EVENT_IRQ_EXIT)}},
		.identity.irq.number = -1,
		.member = {OWN("number", MEMBER_INDEX, irq, number)},
	},
	[CAUSE_SOFTIRQ] = {
		.name = "softirq", .word = "softirq", .text = phrase_softirq,
		.look = {"kernel", 's', "0"}, .source = SOURCE_NAME, .view = "irq",
		.shown_by = {{"irq", SOFTIRQ_EVENTS}},
		.identity.softirq = {.vector = -1, .is_delay = true},
		.member = {OWN_SAID("delay", softirq, is_delay, "to begin")},
	},
	[CAUSE_WORK] = {
		.name = "work", .word = "work", .text = phrase_work,
		.look = {"kernel", 'w', "0"}, .source = SOURCE_NAME | SOURCE_ORIGINATOR,
		.view = "irq",
		.shown_by = {{"workqueue", WORK_EVENTS}},
		.member = {
			COMMON("function", MEMBER_TITLE),
			COMMON("queued_by", MEMBER_ORIGINATOR),
			OWN("queue_ns", MEMBER_TIME, work, queue_time),
		},
	},
	[CAUSE_WORK_PENDING] = {
		.name = "work-pending", .word = "work pending", .look = {"kernel", 'w', "0"},
		.view = "irq", .is_no_end = true,
	},
	[CAUSE_SIGNAL] = {
		.name = "signal", .word = "signal", .text = phrase_signal,
		.look = {"signal", 'g', "0"}, .source = SOURCE_NAME | SOURCE_WAKER,
		.shown_by = {{"signal", EVENT_LIST(EVENT_SIGNAL_GENERATE, EVENT_SIGNAL_DELIVER)}},
		.object = phrase_signal_object,
		.identity.signal.number = -1,
		.member = {
			OWN("number", MEMBER_INDEX, signal, number),
			OWN_RARE("ends_threads", MEMBER_BOOL, signal, is_end, is_signal_of_end),
		},
	},
	[CAUSE_IPI] = {
		.name = "ipi", .word = "inter-processor interrupt", .look = {"kernel", 'i', "0"},
		.shown_by = {
			{"irq", EVENT_LIST(EVENT_IPI_ENTRY, EVENT_CSD_ENTRY, EVENT_RESCHEDULE_ENTRY,
			                   EVENT_IPI_EXIT)},
		},
	},
	/* a grace period is the same cause, whichever task ends it */
	[CAUSE_RCU] = {
		.name = "rcu", .word = "RCU grace period", .text = phrase_nothing,
		.look = {"kernel", 'r', "0"}, .holds_up = true, .aim = AIM_KERNEL,
		/* it ends in a soft interrupt, or in a work item */
		.shown_by = {
			{"irq", SOFTIRQ_EVENTS},
			{"workqueue", WORK_EVENTS},
		},
		.name_use = NAME_HIDDEN,
	},
	[CAUSE_LOCK] = {
		.name = "lock", .word = "lock", .text = phrase_lock,
		.look = {"lock", 'l', "31"}, .source = SOURCE_NAME | SOURCE_WAKER, .view = "lock",
		.aim = AIM_LOCK,
		/* locks of the kernel and of files; and futexes */
		.shown_by = {
			{"lock", EVENT_LIST(EVENT_LOCK_BEGIN, EVENT_LOCK_END, EVENT_FLOCK,
			                    EVENT_POSIX_LOCK)},
			{"syscalls", EVENT_LIST(EVENT_SYSCALL_ENTER, EVENT_FUTEX_ENTER)},
		},
		.member = {
			OWN("address", MEMBER_ADDRESS, lock, address),
			OWN("flags", MEMBER_U32, lock, flags),
			COMMON("owner", MEMBER_ORIGINATOR),
		},
	},
	[CAUSE_MEMORY] = {
		/* `word` is "", as the phrase has the word: for a penalty another one */
		.name = "memory", .word = "", .text = phrase_memory,
		.look = {"memory", 'm', "31"}, .source = SOURCE_WAKER, .view = "memory",
		.holds_up = true, .aim = AIM_MEMORY,
		.shown_by = {
			{"mm", EVENT_LIST(EVENT_MEMORY_BEGIN, EVENT_MEMORY_THROTTLE,
			                  EVENT_MEMORY_THROTTLED)},
		},
		.object = phrase_memory_object, .name_use = NAME_BESIDE,
		.identity.memory = {.dev = ALL_BITS, .device = ALL_BITS},
		.member = {
			COMMON("what", MEMBER_WHAT),
			OWN("dev", MEMBER_DEVICE, memory, dev),
			COMMON("disk", MEMBER_DISK),
		},
	},
	[CAUSE_FORK] = {
		.name = "fork", .word = "fork", .look = {"task", 'f', "0"}, .source = SOURCE_WAKER,
		.is_no_end = true,
	},
	[CAUSE_WAKE_LATENCY] = {
		.name = "wake-latency", .word = "wake-up on its way", .text = phrase_nothing,
		.look = {"kernel", 'k', "0"}, .is_no_end = true,
	},
	[CAUSE_IDLE] = {
		.name = "idle", .word = "woken from idle, " WORDS_NOT_RECORDED,
		.words = "woken from idle, " WORDS_NOT_RECORDED, .text = phrase_nothing,
		.look = {"unknown", 'u', "2"},
	},
	[CAUSE_FROZEN] = {
		.name = "frozen", .word = "frozen", .text = phrase_frozen,
		.look = {"stopped", 'o', "0"}, .source = SOURCE_WAKER,
		.holds_up = true, .object = phrase_frozen_object,
		.member = {COMMON("frozen_by", MEMBER_ORIGINATOR)},
	},
	[CAUSE_INTERRUPT] = {
		.name = "interrupt", .word = WORDS_SOME_INTERRUPT, .words = WORDS_SOME_INTERRUPT,
		.text = phrase_interrupt, .object = phrase_interrupt,
		.look = {"unknown", 'e', "2"},
	},
	/* the limit is shown in place of the timer's name, which is less clear */
	[CAUSE_THROTTLED] = {
		.name = "throttled", .word = "held back by a CPU limit", .text = phrase_throttled,
		.look = {"runnable", 'h', "33"}, .is_no_end = true,
		.object = phrase_throttled_object,
		.identity.throttled.limit = UINT8_MAX,
		.member = {OWN("limit", MEMBER_LIMIT, throttled, limit)},
	},
	[CAUSE_PREEMPTED] = {
		.name = "preempted", .word = "preempted", .text = phrase_nothing,
		.look = {"runnable", 'p', "33"}, .is_no_end = true,
	},
	[CAUSE_WOKEN] = {
		.name = "woken", .word = "woken", .text = phrase_nothing,
		.look = {"runnable", 'p', "33"}, .is_no_end = true,
	},
};

const char *cause_kind_name(enum cause_kind kind)
{
	assert(kind < CAUSE_KIND_COUNT);
	return cause_kinds[kind].name;
}

const char *cause_kind_words(enum cause_kind kind)
{
	assert(kind < CAUSE_KIND_COUNT);
	return cause_kinds[kind].words ? cause_kinds[kind].words : cause_kinds[kind].name;
}

int cause_kind_from_name(const char *name)
{
	for (int kind = 0; kind < CAUSE_KIND_COUNT; kind++)
		if (strcmp(cause_kinds[kind].name, name) == 0)
			return kind;
	return -1;
}

bool cause_kind_is_of_kernel(enum cause_kind kind)
{
	return strcmp(cause_kinds[kind].look.class, "kernel") == 0;
}

bool cause_kind_has(enum cause_kind kind, enum member_type type)
{
	for (const struct cause_member *member = cause_kinds[kind].member; member->key; member++)
		if (member->type == type)
			return true;
	return false;
}
