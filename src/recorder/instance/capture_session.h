/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A private ftrace instance from its making to its removal, or one that was prepared for this user
 * (prepared_instance.h), which is returned instead. Nothing outside the instance's folder
 * is ever written: not the top level's clock, buffers, pids or tracer, so other tracers and ftwait
 * do not see each other.
 *
 * Order of calls: capture_open(), capture_session_begin(), capture_session_end(),
 * capture_session_stats(), capture_session_close(). Close removes the instance; every file in it
 * must be closed before. Where memory runs out (base/xalloc.h), the process closes all its files
 * and removes its instances before it ends. If the process is killed, the kernel stops tracing and
 * frees the buffers (option disable_on_free, held through free_buffer); stale_instances.h removes
 * the empty folder.
 *
 * A missing or refused feature that recording can do without is a line in `notes`. A failure is
 * -errno and one line in `why`, with the remedy after its last "; ".
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/text/buffer.h"
#include "event_selection.h"
#include "prepared_instance.h"
#include "recorder/machine/clock_reading.h"

/*
 * Copies of what programs write to the top level's trace_marker into an instance: its option
 * copy_trace_marker, of Linux 6.16 and newer.
 *
 * While the option is on and tracing is off, the kernel refuses all writes to the top level's file,
 * and no other instance gets them. So the option is on only while tracing is, and a guard process
 * switches it off if the recorder is killed, which stops tracing (disable_on_free).
 *
 * Order of calls: mark_copy_init() before threads exist, mark_copy_begin() when tracing is on,
 * mark_copy_end() before it is switched off, mark_copy_release().
 */

/* The option of an instance. */
#define MARK_COPY_FILE "options/copy_trace_marker"

struct mark_copy {
	char *path;      /* path of the option; owned; NULL: this kernel does not have it */
	pid_t guard;     /* the guard process; 0: none */
	int alive_fd;    /* the guard ends when this is closed */
	bool is_on;
};

/* `dir` is the instance. Returns 0, -ENOENT if the kernel has no such option, or -errno. */
int mark_copy_init(struct mark_copy *copy, const char *dir);

#define CAPTURE_NOTES_MAX 16

/* Which of the selected events an instance records. System calls of only some tasks need an
   instance of their own, because an instance's task filter applies to all its events. */
enum capture_part {
	CAPTURE_ALL,
	CAPTURE_ALL_BUT_CALLS,
	CAPTURE_CALLS,  /* in "ftwait.PID.syscalls" */
	CAPTURE_STACKS, /* none of the selected events, but those of stack_events.h, in
	                   "ftwait.PID.stacks" */
};

/* Kernel stacks where a task goes to sleep and where it is woken; user stacks. */
enum capture_stacks {
	CAPTURE_STACKS_SLEEP = 1 << 0,
	CAPTURE_STACKS_WAKE = 1 << 1,
	CAPTURE_STACKS_USER = 1 << 2,
};

/* Selects the events of CAPTURE_CALLS; those of tracepoint_names_file() are others. */
#define CAPTURE_CALLS_PATTERN "raw_syscalls:*"

struct capture_options {
	/* Records into this instance, which it returns at its end; borrowed. NULL: into one of its
	   own. */
	struct prepared_instance *prepared;
	const char *clock;     /* as in trace_clock: "mono" */
	uint64_t buffer_bytes; /* per CPU; 0: a default that suits the free memory */
	bool is_forced;        /* accepts buffers that take most of the free memory */
	enum capture_part part;
	unsigned stacks;       /* enum capture_stacks */
	bool has_profile;      /* CAPTURE_STACKS: stacks of busy CPUs at each tick */
};

struct capture_session {
	struct tracefs_instance *instance; /* NULL: a prepared one */
	struct prepared_instance *prepared; /* borrowed; NULL: an own one */
	char *dir;             /* of the instance; owned */
	int free_buffer_fd;    /* held open: see above */
	int lock_fd;           /* lock on the folder, which shows that this recorder lives */
	bool is_removed;       /* the instance was removed, or the kernel refused that: see
	                          removal_error */
	int removal_error;     /* 0, or -errno: the instance still exists */
	unsigned cpu_count;    /* highest CPU number plus one */
	size_t page_bytes;     /* of a ring-buffer page */
	uint64_t buffer_bytes; /* per CPU, as the kernel has it */
	struct clock_scale scale; /* of the clock's stamps */
	struct mark_copy marks;   /* copies what programs write to the top level's trace_marker */
	unsigned stacks;       /* the requested ones that are available */
	bool has_profile;      /* the same */
	bool has_own_filters;  /* filters of its events do not hold for the whole machine */
	char *notes[CAPTURE_NOTES_MAX]; /* owned */
	size_t note_count;
};

/* The kernel's counts for one CPU. */
struct capture_stats {
	uint64_t read;        /* events read */
	uint64_t left;        /* still in the buffer */
	uint64_t overwritten; /* lost to a full buffer */
	uint64_t dropped;     /* lost for other reasons */
};

/* Opens a private instance with all its settings: clock, buffers, options, events, stacks. `dir` is
   the tracefs, unused with a prepared instance. Tracing is off on return. Returns 0, or -errno with
   a line in `why`. */
int capture_open(const char *dir, const struct capture_options *options,
                 const struct event_selection *selection, struct capture_session **ret,
                 struct buffer *why);
/* The default size per CPU: 16 MiB, less if memory is scarce. */
uint64_t capture_buffer_bytes_default(void);
/* Makes the instance of that part with no settings yet; `dir` is the tracefs. */
int capture_session_make(const char *dir, enum capture_part part, struct capture_session **ret,
                         struct buffer *why);
/* The same with an instance that was taken. */
struct capture_session *capture_session_use(struct prepared_instance *prepared);
/* The files that limit an instance's events to some tasks and their children. */
#define CAPTURE_TASKS_FILE "set_event_pid"
#define CAPTURE_FORKS_FILE "options/event-fork"
#define CAPTURE_TASK_FILES CAPTURE_TASKS_FILE ", " CAPTURE_FORKS_FILE

/*
 * Limits events to these tasks, to all threads of a process, and to their children. Returns 0, or
 * -errno if the kernel has no such filter.
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
/* Removes the instance: its files can no longer be read, results kept here stay. If another process
   had its files open, a second call tries again. */
void capture_session_remove(struct capture_session *session);
/* Removes the instance and frees the session; accepts NULL; returns NULL. */
struct capture_session *capture_session_close(struct capture_session *session);
