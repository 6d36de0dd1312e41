/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A private ftrace instance and all that is set in it. Nothing outside the instance's folder is
 * ever written: not the top level's clock, buffers, pids or tracer, so other tracers and ftwait
 * do not see each other.
 *
 * Order of calls: capture_session_open(), capture_session_begin(), capture_session_end(),
 * capture_session_stats(), capture_session_close(). Close removes the instance; every file in it
 * must be closed before. If the process is killed, the kernel stops tracing and frees the buffers
 * (option disable_on_free, held through free_buffer); the empty folder is for stale_instances.h.
 *
 * What the kernel lacks or refuses and recording can do without is a line in `notes`; what it
 * cannot do without is -errno and one line in `why`, where a mend stands behind the last "; ".
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "capture/file/clock_scale.h"
#include "event_selection.h"
#include "mark_copy.h"

#define CAPTURE_NOTES_MAX 16

/* Of the selected events. System calls of some tasks alone need an instance of their own, as the
   tasks of an instance are those of all its events. */
enum capture_part {
	CAPTURE_ALL,
	CAPTURE_ALL_BUT_CALLS,
	CAPTURE_CALLS,  /* in "ftwait.PID.syscalls" */
	CAPTURE_STACKS, /* none of them, but what stack_events.h says: in "ftwait.PID.stacks" */
};

/* Stacks of the kernel where a task goes to sleep, and where it is woken; those of programs. */
enum capture_stacks {
	CAPTURE_STACKS_SLEEP = 1 << 0,
	CAPTURE_STACKS_WAKE = 1 << 1,
	CAPTURE_STACKS_USER = 1 << 2,
};

/* Selects what CAPTURE_CALLS does. */
#define CAPTURE_CALLS_PATTERN "raw_syscalls:*"

struct capture_options {
	const char *clock;     /* as in trace_clock: "mono" */
	uint64_t buffer_bytes; /* per CPU; 0: a default that suits the memory that is free */
	bool is_forced;        /* also buffers that take most of it */
	enum capture_part part;
	unsigned stacks;       /* enum capture_stacks */
	bool has_profile;      /* CAPTURE_STACKS: stacks of what runs at each tick */
};

struct capture_session {
	struct tracefs_instance *instance;
	char *dir;             /* of the instance; owned */
	int free_buffer_fd;    /* held open: see above */
	int lock_fd;           /* on the folder: says that we live */
	bool is_removed;       /* from the kernel, as far as it let us */
	int removal_error;     /* 0, or -errno of what did not: the instance stands there still */
	unsigned cpu_count;    /* highest CPU number plus one */
	size_t page_bytes;     /* of a ring-buffer page */
	uint64_t buffer_bytes; /* per CPU, as the kernel has it */
	struct clock_scale scale; /* of the clock's stamps */
	struct mark_copy marks;   /* of what programs write to the top level's trace_marker */
	unsigned stacks;       /* CAPTURE_STACKS: which of those asked for can be had */
	bool has_profile;      /* the same */
	char *notes[CAPTURE_NOTES_MAX]; /* owned */
	size_t note_count;
};

/* What the kernel counted on one CPU. */
struct capture_stats {
	uint64_t read;        /* events that were read */
	uint64_t left;        /* still in the buffer */
	uint64_t overwritten; /* lost to a full buffer */
	uint64_t dropped;     /* lost for other reasons */
};

/* `dir` is the tracefs. Tracing is off on return. */
int capture_session_open(const char *dir, const struct capture_options *options,
                         const struct event_selection *selection, struct capture_session **ret,
                         struct buffer *why);
/* The files of an instance by which it records the events of some tasks alone, and of what they
   fork. */
#define CAPTURE_TASKS_FILE "set_event_pid"
#define CAPTURE_FORKS_FILE "options/event-fork"
#define CAPTURE_TASK_FILES CAPTURE_TASKS_FILE ", " CAPTURE_FORKS_FILE

/*
 * Only events of these tasks, of all threads of theirs where it is a process, and of what they
 * fork: -errno where the kernel has no such filter.
 */
int capture_session_set_tasks(struct capture_session *session, const int32_t *pids, size_t count);
int capture_session_begin(struct capture_session *session);
int capture_session_end(struct capture_session *session);
/* Also appends the text of the CPU's statistics file to `text` unless that is NULL. */
int capture_session_stats(const struct capture_session *session, unsigned cpu,
                          struct capture_stats *ret, struct buffer *text);
/* Adds a note. */
void capture_session_note(struct capture_session *session, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Removes the instance: nothing in it can be read any more, what is known here stays. If another
   process had its files open, a second call tries again. */
void capture_session_remove(struct capture_session *session);
/* The same, and frees the session; accepts NULL; returns NULL. */
struct capture_session *capture_session_close(struct capture_session *session);

/* The per-CPU size that is used where none is asked for: 16 MiB, less where memory is scarce. */
uint64_t capture_buffer_bytes_default(void);
