/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a wait was for: its aim. The cause (cause.h) says what ended the wait; where a time limit, a
 * signal or the end of the trace did, the aim is something else. An aim lasts from when the task
 * began to want something until it had it, gave up, or died: one wait or many.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "cause.h"
#include "nsec.h"
#include "task.h"

enum aim_kind {
	AIM_NONE,      /* nothing shows what the wait was for */
	AIM_ANSWER,    /* the other end of a connection, or a server in another form */
	AIM_LOCK,      /* of the program, of a file, or of the kernel: others have it meanwhile */
	AIM_CHILD,     /* a child process */
	AIM_PIPE,      /* data from another task, or room for some: pipes, unix sockets, queues */
	AIM_CONDITION,
	AIM_BARRIER,
	AIM_SEMAPHORE,
	AIM_JOIN,      /* the end of a thread */
	AIM_DISK,
	AIM_MEMORY,
	AIM_FOR_WORK,  /* nothing: there was no work */
	AIM_TIME,      /* a time that the task chose */
	AIM_KERNEL,    /* anything else in the kernel or of a device */
	AIM_KIND_COUNT,
};

/* How an aim, or the wait's part of it, ended. */
enum aim_end {
	AIM_HAD,    /* the task got what it wanted */
	AIM_LIMIT,  /* a time limit of its own was over */
	AIM_SIGNAL, /* a signal ended the wait */
	AIM_DEATH,  /* a signal that no program survives did, or the end of the process */
	AIM_OPEN,   /* the wait lasts until the end of the trace */
	AIM_END_COUNT,
};

#define AIM_HOLDERS_MAX 8

/* The aim of one wait, as results have it. Strings are NULL where nothing is known. */
struct aim {
	enum aim_kind kind; /* AIM_NONE: the wait has no known aim, and only `end` counts */
	enum aim_end end;
	nsec_t begin;       /* not after the begin of the wait */
	const char *name;   /* of the object: "/var/lib/x/lock", "big_lock", "vda" */
	const char *peer;   /* an address */
	/* The tasks that had it meanwhile, one after the other, each once, or that are the other
	   end; never who only ended the wait. Of more only the last ones are known. */
	size_t holder_count;
	struct task holder[AIM_HOLDERS_MAX];
};

/* The same without what differs between waits of one row: what they were for. */
struct brief_aim {
	enum aim_kind kind; /* AIM_NONE: not known */
	const char *name;   /* of the object, or in words; NULL: it has none */
};

/* "answer", "lock" ... as in JSON; NULL for AIM_NONE. */
const char *aim_kind_name(enum aim_kind kind);
/* AIM_NONE if no kind has that name. */
enum aim_kind aim_kind_from_name(const char *name);
/* "had", "limit" ... as in JSON. */
const char *aim_end_name(enum aim_end end);
/* -1 if no end has that name. */
int aim_end_from_name(const char *name);
