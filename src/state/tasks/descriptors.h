/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which descriptor of its process a system call uses, opens or closes, for descriptor_log.h: from
 * when until when a number stands for one file. Only what ends such a stretch is followed: calls
 * that close or replace descriptors, execs, and lost events. Whatever makes a descriptor takes a
 * number that is free, which the end of the stretch before has shown; until then the number is of
 * no use. So it does not matter that a descriptor may come without a call that shows it, as in a
 * message from another process.
 *
 * A socket may get another other end through another number, or in another process. So a connect
 * puts in doubt who is at the other end of all numbers that may be of that socket.
 *
 * Where descriptors may change in a way that no call shows, none of the process has a file until it
 * executes another program: with a ring of io_uring, and where its threads do not share their
 * descriptors, or share them with another process.
 */
#pragma once

#include "state/core/tracker.h"

struct descriptors;

/* What a call does with descriptors. */
enum descriptor_act {
	DESCRIPTOR_NONE,
	DESCRIPTOR_USE,     /* its first argument is one */
	DESCRIPTOR_USE_SECOND, /* so is its second one, which matters more */
	DESCRIPTOR_USE_OPEN, /* its first argument is one, and it returns another */
	DESCRIPTOR_SHARE,   /* uses the first one, and may give any to another number or process */
	DESCRIPTOR_DUPLICATE, /* the same, and returns one */
	DESCRIPTOR_SOCKET,  /* returns one of a new socket */
	DESCRIPTOR_OPEN,    /* returns one of a file that it opens */
	DESCRIPTOR_CONNECT, /* its first argument is one, and gets another other end */
	DESCRIPTOR_CLOSE,   /* the first argument */
	DESCRIPTOR_REPLACE, /* uses the first argument, and closes the second */
	DESCRIPTOR_RANGE,   /* may close many, or no longer share them */
	DESCRIPTOR_UNSHARE, /* the same, as the flags in its first argument say */
	DESCRIPTOR_SPLIT,   /* no call shows what becomes of them */
};

struct descriptor_call {
	uint8_t act; /* enum descriptor_act */
	uint64_t argument[2]; /* the first two */
};

/* NULL if the recording has no looks at descriptors: then nothing else need be called. */
struct descriptors *descriptors_new(const struct machine *machine);
/* Accepts NULL. */
void descriptors_free(struct descriptors *all);
/* The track enters a call. Returns what it uses, or closes. */
struct descriptor_use descriptors_enter(struct machine *machine, struct descriptors *all,
                                        uint32_t track, const struct descriptor_call *call);
/* It leaves that call. Returns what the call has opened. */
struct descriptor_use descriptors_leave(struct machine *machine, struct descriptors *all,
                                        uint32_t track, const struct descriptor_call *call,
                                        int64_t result);
/* The track is a new one: a thread, or a process that has what its parent had when that began to
   fork it, at `entered`; 0: not known. */
void descriptors_fork(struct machine *machine, struct descriptors *all, uint32_t track,
                      uint64_t flags, nsec_t entered);
/* The track has executed a program, which does not have all of the descriptors. */
void descriptors_exec(struct machine *machine, struct descriptors *all, uint32_t track);
/* The track has ended, and with it most likely its process. */
void descriptors_bury(struct machine *machine, struct descriptors *all, uint32_t track);
/* Events were lost from now on, or the trace ends: what was seen until now counts. */
void descriptors_forget(struct machine *machine, struct descriptors *all);
