/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which files the descriptors of asked processes are, for the lines `descriptor` of
 * ftwait/stream.h: of each that was opened, accepted or connected, soon after that, and of all that
 * a process has when recording begins and when it has executed a program. What comes by other
 * calls, as pipes do, or in messages, is found by looks at all descriptors: soon after a fork, as a
 * pipe is there for two processes, and else now and then. These take some hundredth of a CPU at
 * most.
 *
 * Who is at the other end of a socket is asked of the kernel for all sockets of a network at once,
 * soon after they were seen; that takes some hundredth of a CPU, too. A line of its own says so.
 *
 * Nothing is noted of a process that may not have its descriptors for itself when recording begins,
 * before it executes a program: no call that is recorded later shows that (own_descriptors.h). A
 * descriptor may be closed, and its number be another file's, before it is looked at: each line has
 * the time of the look, which its reader compares with the recorded system calls.
 *
 * Only links of /proc/PID/fd are read, which asks no file system. Not safe for concurrent use.
 *
 * Order of calls: descriptor_notes_init(), descriptor_notes_begin() or not, any number of the
 * others, descriptor_notes_release().
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/data/map.h"
#include "base/text/buffer.h"
#include "ftwait/nsec.h"

/* The lines of one recording have at most so many bytes; further ones are left out. */
#define DESCRIPTOR_BYTES_MAX (16u << 20)
/* The most descriptors of a process that are looked at at once. */
#define DESCRIPTORS_LOOK_MAX 4096u

struct opened_descriptor {
	int32_t tgid, tid; /* the process, and its thread that has opened it */
	uint32_t number;
};

/* A socket of which the other end is to be found. */
struct seen_socket {
	int32_t tgid;
	uint32_t number;
	nsec_t from; /* of the look */
	uint64_t inode, network;
};

struct late_program {
	int32_t tgid;
	nsec_t due; /* when its descriptors are to be looked at */
};

struct descriptor_counts {
	uint64_t unsure;   /* processes that may not have had their descriptors for themselves */
	uint64_t opens;    /* seen, of asked processes */
	uint64_t gone;     /* of these, closed or opened again before they were looked at */
	uint64_t left_out; /* descriptors, beyond DESCRIPTOR_BYTES_MAX or DESCRIPTORS_LOOK_MAX */
};

struct descriptor_notes {
	struct buffer lines; /* not taken yet */
	struct descriptor_counts counts;
	uint64_t bytes;      /* of all lines so far */
	struct map paths;    /* hash of a path -> its number */
	struct map known;    /* process and number -> path that was noted last */
	struct map seen;     /* of one look: process and number */
	struct map unsure;   /* processes of which nothing is noted before they execute a program */
	struct opened_descriptor *opened; /* to be looked at */
	size_t count, capacity;
	struct map connecting; /* thread -> the number that it connects */
	struct late_program *program; /* the same, in order of time */
	size_t program_count, program_capacity;
	struct seen_socket *socket;
	size_t socket_count, socket_capacity;
	nsec_t sockets_due; /* not before */
	/* those that are looked at now and then, from index `next` on, each once */
	struct late_program *process;
	size_t process_count, process_capacity, next;
	struct map processes;
	nsec_t looks_due, looks_rest; /* looks_rest: not before, whatever happens */
	nsec_t pause;
};

void descriptor_notes_init(struct descriptor_notes *notes);
void descriptor_notes_release(struct descriptor_notes *notes);
/* Looks at all descriptors of these processes, of which system calls are recorded by now. */
void descriptor_notes_begin(struct descriptor_notes *notes, const int32_t *process, size_t count);
/* The thread has opened a descriptor. */
void descriptor_notes_open(struct descriptor_notes *notes, const struct opened_descriptor *opened);
/* The thread begins to connect that descriptor; has ended this. */
void descriptor_notes_connect(struct descriptor_notes *notes, int32_t tid, uint32_t number);
void descriptor_notes_connected(struct descriptor_notes *notes, int32_t tgid, int32_t tid);
/* A process has forked another one, which is followed, too. */
void descriptor_notes_fork(struct descriptor_notes *notes, int32_t child);
/* The process begins to execute a program at that time: its descriptors are looked at when the
   program is seen to run, by what it opens, or somewhat later. */
void descriptor_notes_exec(struct descriptor_notes *notes, int32_t tgid, nsec_t time);
/* Looks at all descriptors of the process, unless its system calls have other numbers than those of
   this program's ABI. */
void descriptor_notes_look(struct descriptor_notes *notes, int32_t tgid);
/* Looks at what was opened, and at what else is due; is_last: at all descriptors once more. */
void descriptor_notes_read(struct descriptor_notes *notes, bool is_last);
/* When that is due next; NSEC_NEVER: it is not. */
nsec_t descriptor_notes_due(const struct descriptor_notes *notes);
