/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state of one recording, for the files that carry it out: recording.h has the order of steps,
 * recording_parts.h the instances, recording_blocks.c the blocks that are written in addition to
 * pages.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/text/buffer.h"
#include "base/text/option_values.h"
#include "base/thread.h"
#include "ftwait/nsec.h"
#include "record_output.h"
#include "record_progress.h"
#include "recorder/drain/draining.h"
#include "recorder/drain/page_census.h"
#include "recorder/drain/page_packer.h"
#include "recorder/drain/page_queue.h"
#include "recorder/drain/ring_reader.h"
#include "recorder/file/stream_writer.h"
#include "recorder/instance/capture_session.h"
#include "recorder/instance/capture_watch.h"
#include "recorder/instance/event_selection.h"
#include "recorder/machine/child.h"
#include "recorder/machine/cpu_quota.h"
#include "recorder/machine/long_waits.h"
#include "recorder/machine/machine_notes.h"
#include "recorder/machine/open_files.h"
#include "recorder/machine/open_waits.h"
#include "recorder/machine/task_snapshot.h"
#include "recorder/programs/map_recorder.h"
#include "recorder/programs/program_recorder.h"

#define FLUSH_NOT_GIVEN NSEC_NEVER

/* An event, or a group of them, that is recorded beside those of `events`. */
struct event_wish {
	const char *event;
	const char *filter; /* kernel's filter expression of one event; NULL: none */
};

struct record_options {
	struct string_list events;
	const struct event_wish *wishes;
	size_t wish_count;
	bool needs_marks; /* somebody waits for what programs write to trace_marker */
	const char *output;
	struct string_list labels; /* KEY=VALUE, checked */
	struct string_list processes, cgroups, units; /* of -p, --cgroup, --unit, as given */
	struct number_list pids; /* the processes or tasks that these name when recording begins */
	nsec_t duration; /* NSEC_NEVER: no limit */
	nsec_t flush;    /* interval (recording.h); 0: never; FLUSH_NOT_GIVEN */
	uint64_t buffer_bytes;
	const char *clock; /* NULL: the best that the kernel has */
	const char *repair;
	const char *instance; /* name of a prepared one; NULL: the recorder creates its own */
	struct optional_string stacks, profile, compress;
	unsigned stack_kinds; /* mask of enum capture_stacks: the value of `stacks` */
	uint64_t profile_hz;  /* as asked for; 0: not asked for */
	bool no_mount, no_snapshot, no_arguments, is_ring, is_forced, is_quiet, is_verbose;
	bool ends_with_reader; /* it is no error that nobody reads the output any more */
};

/* The part of a recording in one buffer of the file. */
struct recorded_part {
	struct prepared_instance *prepared; /* NULL: none, or not taken; owned */
	struct capture_session *session; /* NULL: not recorded */
	struct capture_watch watch;
};

/* What is done from time to time. */
struct beat {
	nsec_t at;    /* the next time; NSEC_NEVER: no more */
	nsec_t pause; /* the interval after that */
};

/* The looks at tasks that wait for long. */
struct long_looks {
	struct long_waits waits;
	struct side_call call;
	nsec_t at;     /* next time to look at these, NSEC_NEVER: never */
	nsec_t looked; /* when the last look began */
	/* CPU time of the last look that has ended, and what earlier ones took too much of */
	nsec_t took, debt;
	/* next time to look at all tasks; until then only at those that were asked for, which took
	   so much CPU time the last time */
	nsec_t whole_at, brief_took;
};

/* What a look at the asked tasks is at. */
struct look_plan {
	bool has_waits, is_last; /* at what they wait for; the recording ends */
	nsec_t files_time;       /* the most time for a look at their files */
};

/* Events that are not in the file, as counted by the kernel. With --ring, older events were
   overwritten on purpose; without it they count as lost. */
struct recording_losses {
	uint64_t lost, overwritten; /* by the kernel */
	uint64_t taken; /* events that other processes read out of the buffers */
	struct buffer by_cpu; /* "cpu 0: 12, cpu 3: 1" */
};

struct recording {
	const struct record_options *options;
	char *tracefs; /* a prepared instance has the same folders of events: it counts as one */
	const char *clock; /* that is asked for, or the best; recording_prepare() finds it */
	struct event_catalog catalog;
	struct event_selection selection;
	struct buffer formats;     /* formats for the head of the file */
	struct recorded_part part[STREAM_BUFFERS]; /* by buffer number; [0] is the main part */
	struct ring_reader *reader;
	struct page_queue *queue;  /* while pages are written; else NULL */
	int32_t writing_thread;    /* tid of the writing thread; 0: not known */
	struct record_progress progress;
	struct page_census census; /* census of the written pages */
	struct map_recorder *maps;    /* maps of the tasks with recorded stacks; NULL: none */
	struct program_recorder *programs; /* NULL: none */
	struct stream_layout layout; /* used if the file can have holes */
	struct page_packer *packer;  /* NULL: pages are written as they are */
	struct stream_writer writer;
	struct record_output output;
	struct number_list family; /* the pids, with their descendants at the begin; owned */
	struct peek
		peek; /* what looks at other processes; the files of programs have another one */
	struct task_snapshot tasks;
	struct side_call tasks_call; /* reads the tasks */
	struct map devices; /* block devices of which the file has the names */
	struct open_waits waits;
	struct long_looks long_looks; /* while others may follow the stream */
	struct open_files files;
	struct beat files_beat; /* when to look at files alone */
	struct beat flush_beat;
	struct side_call looks_call; /* looks at waits and files */
	struct look_plan look;       /* the present one, or the last */
	struct side_call removal;    /* of the instances */
	struct drain_priority priority; /* from the making of the instances to the end */
	bool is_raised;
	struct child child;
	bool signal_is_passed; /* the first signal went to COMMAND, if it was sent to us alone */
	const char *command; /* argv[0] of COMMAND; NULL: none */
	char *const *argv;   /* COMMAND and its arguments; NULL: none */
	int signal_fd;
	nsec_t begin, end;   /* CLOCK_MONOTONIC */
	struct steal_counters steal_at_begin, steal_at_end;
	struct cpu_quotas quotas; /* of all control groups */
	struct cpu_weight weight; /* the least of COMMAND and of the tasks of -p */
	struct beat quotas_beat; /* when to look for quotas */
	bool has_begun;      /* the recording has begun, so there is something to keep */
	struct buffer notes; /* "note TEXT\n" lines for the file */
	struct recording_losses losses; /* set at the end */
};

/* Whether the trace's clock is the one that a thread can read, too, to note when something was read
   from /proc. */
static inline bool recording_clock_is_monotonic(const struct recording *recording)
{
	return strcmp(recording->clock, CLOCK_BEST) == 0;
}

/* The session of the main part. */
static inline struct capture_session *recording_session(const struct recording *recording)
{
	return recording->part[0].session;
}

/* Prints a warning, and writes it to the file. */
void recording_note(struct recording *recording, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* The begin of a text of option VERSION, with room for `limit` bytes. */
struct buffer version_of(size_t limit);
/* Whether nothing follows what version_of() begins it with. */
bool version_is_empty(const struct buffer *version);
void options_add_version(const struct buffer *version, struct buffer *options);
/* Puts the text of option VERSION into the queue of pages, unless it is empty; from any thread. */
int recording_take_version(struct recording *recording, const struct buffer *version);

/* Blocks of the stream that hold no pages: descriptions of the recording, the machine and its
   tasks (recording_blocks.c). */

/*
 * Writes magic, head, and the options that are known before the first event. Returns 0 or -errno;
 * `why` is filled only if the kernel's files could not be read.
 */
int recording_preface_write(struct recording *recording, struct buffer *why);
/*
 * The existing tasks. If programs can read the trace's clock, a thread reads the tasks once tracing
 * is on: recording_tasks_begin() makes the thread, and recording_tasks_end() waits for it, before
 * tracing is switched off. Otherwise the preface contains the tasks.
 */
void recording_tasks_begin(struct recording *recording);
void recording_tasks_end(struct recording *recording);
/*
 * Writes statistics (also summed up in *recording), new tasks, and the end mark. Tracing must be
 * off and the buffers drained. Also begins to remove the instances. Returns 0, or -errno of the
 * failed write.
 */
int recording_closing_write(struct recording *recording);
