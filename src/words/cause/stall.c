/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stall.h"

#include <string.h>

#include "base/data/array.h"

/* The stall that the trackers have found; STALL_NONE if causes of that kind cannot have one. */
static enum stall_kind cause_stall_kind(const struct cause *cause)
{
	if (cause->kind == CAUSE_TIMER)
		return (enum stall_kind)cause->as.timer.stall;
	return cause->kind == CAUSE_NET ? (enum stall_kind)cause->as.net.stall : STALL_NONE;
}

static bool is_timer(const struct cause *cause, const char *function)
{
	return cause->kind == CAUSE_TIMER && cause->name && strcmp(cause->name, function) == 0;
}

/* Whether jbd2's thread began a commit by its timer, and not on request. */
static bool is_journal_commit(const struct cause *cause)
{
	return is_timer(cause, "commit_timeout");
}

/* Whether the peer is a name server, reached by a datagram or a connection. */
static bool is_resolver(const struct cause *cause)
{
	const char *peer = cause->kind == CAUSE_NET && cause->as.net.is_unanswered
	                           ? cause_string(cause, cause->as.net.peer)
	                           : NULL;
	const char *port = peer ? strrchr(peer, ':') : NULL;

	return port && strcmp(port, ":53") == 0;
}

static bool is_cpu_period(const struct cause *cause)
{
	return cause->kind == CAUSE_THROTTLED;
}

/* Whether writing was throttled: a throttled reclaim has no device. */
static bool is_dirty_throttle(const struct cause *cause)
{
	return cause->kind == CAUSE_MEMORY && (cause->as.memory.dev || cause->as.memory.device);
}

static const struct stall stalls[] = {
	{
		.kind = STALL_DELAYED_ACK,
		.key = "delayed-ack",
		.words = "delayed ACK",
		.advice = "the second of two small writes is held until the first is acknowledged, "
			  "which the peer delays until it has data to send: set TCP_NODELAY, or "
			  "send each message with one write.",
		.view = "net",
	},
	{
		.kind = STALL_RETRANSMISSION,
		.key = "retransmission",
		.words = "retransmission timeout",
		.advice = "segments were lost on the path, and no later segment revealed that "
			  "earlier.",
		.view = "net",
	},
	{
		.kind = STALL_SYN_RETRY,
		.key = "syn-retry",
		.words = "repeated SYN",
		.advice = "the first SYN was lost or dropped, and is sent again after 1 s, 3 s, 7 "
			  "s: check for a full backlog on the server (somaxconn), and for "
			  "firewalls.",
		.view = "net",
	},
	{
		.key = "resolver",
		.words = "resolver timeout",
		.advice = "the name server does not answer: see /etc/resolv.conf, whose options "
			  "timeout: and attempts: set how long that takes.",
		.view = "net",
		.is = is_resolver,
	},
	{
		.kind = STALL_WRITEBACK,
		.key = "writeback",
		.words = "writeback interval",
		.advice = "dirty pages are written back at intervals "
			  "(vm.dirty_writeback_centisecs, 5 s): fsync what must be on disk "
			  "earlier.",
		.view = "disk",
	},
	{
		.key = "cpu-period",
		.is = is_cpu_period,
	},
	{
		.key = "journal-commit",
		.words = "journal's commit interval",
		.advice = "the journal commits by itself every 5 s (mount option commit=): fsync "
			  "what must be on disk earlier.",
		.view = "disk",
		.is = is_journal_commit,
	},
	{
		.key = "dirty-throttle",
		.words = "too many dirty pages",
		.advice = "more is written than the device can take, and the kernel limits how "
			  "many dirty pages wait for it: write less, or to a faster device; a "
			  "higher limit (vm.dirty_bytes) only postpones this.",
		.view = "memory",
		.is = is_dirty_throttle,
	},
};

const struct stall *cause_stall(const struct cause *cause)
{
	enum stall_kind kind = cause_stall_kind(cause);

	for (size_t i = 0; i < ARRAY_SIZE(stalls); i++)
		if (stalls[i].is ? stalls[i].is(cause)
		                 : kind != STALL_NONE && stalls[i].kind == kind)
			return &stalls[i];
	return NULL;
}
