/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One run of `ftwait record`, from the search for the tracefs to the finished file. The steps are
 * called in the order below; each prints its own one line if it fails, and returns -errno.
 * recording_release() comes at the end of every path: it removes the instance.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/option_values.h"
#include "capture/drain/drain_priority.h"
#include "capture/drain/page_census.h"
#include "capture/drain/page_packer.h"
#include "capture/drain/page_queue.h"
#include "capture/drain/ring_reader.h"
#include "capture/file/stream_layout.h"
#include "capture/file/stream_writer.h"
#include "capture/instance/capture_session.h"
#include "capture/instance/capture_watch.h"
#include "capture/instance/event_selection.h"
#include "capture/instance/side_call.h"
#include "capture/machine/child.h"
#include "capture/machine/cpu_quota.h"
#include "capture/machine/steal_counters.h"
#include "capture/machine/task_snapshot.h"
#include "capture/programs/map_recorder.h"
#include "ftwait/nsec.h"
#include "record_output.h"
#include "record_progress.h"

struct record_options {
	struct string_list events;
	const char *output;
	struct number_list pids;
	nsec_t duration; /* NSEC_NEVER: no limit */
	uint64_t buffer_bytes;
	const char *clock;
	const char *repair;
	struct optional_string stacks, profile, compress;
	unsigned stack_kinds; /* enum capture_stacks: what `stacks` says */
	uint64_t profile_hz;  /* as asked for; 0: not asked for */
	bool no_mount, is_ring, is_forced, is_quiet, is_verbose;
};

/* Why the loop ended. */
enum recording_end {
	RECORDING_FAILED, /* writing or reading failed; printed already */
	RECORDING_CHILD,
	RECORDING_TASKS,  /* all tasks of -p have ended */
	RECORDING_DURATION,
	RECORDING_SIGNAL,
};

/* The part of a recording in one buffer of the file. */
struct recorded_part {
	struct capture_session *session; /* NULL: not recorded */
	struct capture_watch watch;
};

struct recording {
	const struct record_options *options;
	char *tracefs;
	struct event_catalog catalog;
	struct event_selection selection;
	struct buffer formats;     /* for the head of the file */
	struct recorded_part part[STREAM_BUFFERS]; /* by its buffer's number; [0] is the main one */
	struct ring_reader *reader;
	struct page_queue *queue;  /* while pages are written; else NULL */
	int32_t writing_thread;    /* tid of the writing thread; 0: not known */
	struct record_progress progress;
	struct page_census census; /* of what was written */
	struct map_recorder *maps;    /* maps of the tasks with recorded stacks; NULL: none */
	struct stream_layout layout; /* for a file that can have holes; else unused */
	struct page_packer *packer;  /* NULL: pages are written as they are */
	struct stream_writer writer;
	struct record_output output;
	struct task_snapshot tasks;
	struct side_call tasks_call; /* reads the tasks */
	struct side_call removal;    /* of the instances */
	struct drain_priority priority; /* from the making of the instances to the end */
	bool is_raised;
	struct child child;
	const char *command; /* argv[0] of COMMAND; NULL: none */
	char *const *argv;   /* COMMAND and its arguments; NULL: none */
	int signal_fd;
	nsec_t begin, end;   /* CLOCK_MONOTONIC */
	struct steal_counters steal_at_begin, steal_at_end;
	struct cpu_quotas quotas; /* of COMMAND and of those of -p */
	nsec_t quotas_at, quotas_pause; /* next time to look for them, and the interval after
	                                   that */
	bool has_begun;      /* there is something to keep */
	struct buffer notes; /* "note TEXT\n" lines for the file */
	/* Set at the end: */
	uint64_t events_read, lost; /* as counted by the kernel */
	struct buffer lost_by_cpu; /* "cpu 0: 12, cpu 3: 1" */
};

/* The session of the main part. */
static inline struct capture_session *recording_session(const struct recording *recording)
{
	return recording->part[0].session;
}

/* Prints a warning, and writes it to the file. */
void recording_note(struct recording *recording, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void recording_init(struct recording *recording, const struct record_options *options);
/* Finds the tracefs, removes what killed recorders left, matches events. -EINVAL: a wrong name. */
int recording_prepare(struct recording *recording);
/* Makes the instance, the output, the held child (argv NULL: none) and writes the preface. */
int recording_open(struct recording *recording, char **argv);
/* Records until something ends it. */
enum recording_end recording_run(struct recording *recording);
/* Writes what is still in the buffers and what is known only now. */
int recording_finish(struct recording *recording);
/*
 * Turns the stream into a trace.dat, even if it was moved or removed. *ret_place is the path of
 * the recording then, to be freed. Returns 1 if that was impossible, which is printed, and the
 * stream stays; -errno if the recording is lost.
 */
int recording_convert(struct recording *recording, char **ret_place);
/* The same with the part that was written before a write failed. */
void recording_salvage(const struct recording *recording);
/* After a signal or a failure: waits for COMMAND, passes on the first signal, ends at the
   second. */
void recording_await_child(struct recording *recording);
void recording_release(struct recording *recording);
