/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ftwait/cause.h"

#include <assert.h>
#include <string.h>

#include "base/data/array.h"
#include "base/data/intern.h"
#include "ftwait/event.h"

const char *confidence_name(enum confidence confidence)
{
	static const char *const names[] = {"low", "medium", "high"};

	assert(confidence <= CONFIDENCE_HIGH);
	return names[confidence];
}

const char *sleep_call_name(enum sleep_call call)
{
	static const char *const names[] = {
		[CALL_NONE] = NULL,             [CALL_NANOSLEEP] = "nanosleep",
		[CALL_MSLEEP] = "msleep",       [CALL_POLL] = "poll",
		[CALL_SELECT] = "select",       [CALL_EPOLL] = "epoll",
		[CALL_ACCEPT] = "accept",       [CALL_FUTEX] = "futex",
		[CALL_CONNECT] = "connect",     [CALL_RECEIVE] = "receive",
		[CALL_SEND] = "send",           [CALL_SIGTIMEDWAIT] = "sigtimedwait",
		[CALL_SEMTIMEDOP] = "semtimedop", [CALL_MQUEUE] = "mqueue",
		[CALL_IO_URING] = "io_uring",   [CALL_AIO] = "aio",
		[CALL_HELD] = NULL,
	};

	assert(call < ARRAY_SIZE(names));
	return names[call];
}

const char *sleep_call_what(enum sleep_call call)
{
	if (call == CALL_NONE)
		return NULL;
	if (call == CALL_HELD)
		return "held-back";
	return call == CALL_NANOSLEEP || call == CALL_MSLEEP ? "sleep" : "timeout";
}

const char *memory_what_name(unsigned what)
{
	static const char *const names[] = {
		[MEMORY_NONE] = NULL,
		[MEMORY_RECLAIM] = "reclaim",             [MEMORY_COMPACTION] = "compaction",
		[MEMORY_THROTTLE] = "throttle",           [MEMORY_FAULT] = "fault",
		[MEMORY_SWAP] = "swap",                   [MEMORY_WRITEBACK] = "writeback",
		[MEMORY_MEMCG_RECLAIM] = "memcg-reclaim",
	};

	_Static_assert(ARRAY_SIZE(names) == MEMORY_WHAT_COUNT, "a word for each");
	return what < ARRAY_SIZE(names) ? names[what] : NULL;
}

const char *cpu_limit_name(enum cpu_limit limit)
{
	static const char *const names[CPU_LIMIT_COUNT] = {
		[CPU_LIMIT_GROUP] = "group",
		[CPU_LIMIT_DEADLINE] = "deadline",
		[CPU_LIMIT_REAL_TIME] = "real-time",
		[CPU_LIMIT_FAIR_SERVER] = "fair-server",
	};

	return names[limit];
}

const char *request_word(const char *rwbs)
{
	static const struct {
		char letter;
		const char *word;
	} directions[] = {
		{'W', "write"}, {'R', "read"}, {'D', "discard"}, {'E', "erase"}, {'F', "flush"},
	};

	/* a leading F is a flush before the data */
	for (size_t i = 0; i < ARRAY_SIZE(directions); i++)
		if (strchr(rwbs, directions[i].letter))
			return directions[i].word;
	return "request";
}

bool cause_is_held_back(const struct cause *cause)
{
	if (cause->kind == CAUSE_TIMER)
		return sleep_call_is_held(cause->as.timer.call);
	return cause->kind == CAUSE_MEMORY && cause->what &&
	       strcmp(cause->what, memory_what_name(MEMORY_THROTTLE)) == 0;
}

const char *cause_string(const struct cause *cause, uint32_t id)
{
	return id ? intern_text(cause->names, id) : NULL;
}
