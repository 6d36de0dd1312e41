/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where records come from. A source is a set of streams, one per CPU and buffer instance, each
 * in time order, plus what the trace says about itself. Reading is pull: the merger asks for the
 * next batch of one stream. A source never prints and never exits.
 *
 * Order of calls: a source_open_*() of src/source, then any number of source_next_batch() and
 * source_read_symbols(), then source_close(). Not safe for concurrent use.
 *
 * Damage: whatever can still be read is delivered. `damaged` is set (it may become true during
 * reading) and one line per kind of damage is added to `notes` (at most SOURCE_NOTES_MAX).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record.h"

#define SOURCE_NOTES_MAX   16
#define SOURCE_STREAMS_MAX 65536

/* One tracepoint's description, as the kernel that wrote the trace printed it. */
struct format_text {
	const char *system; /* "sched"; "ftrace" for the kernel's own */
	const char *text;   /* not necessarily terminated by NUL */
	size_t length;      /* bytes of text */
};

/* A task as a saved command line table or a snapshot of /proc knew it. */
struct known_task {
	int32_t tid;
	int32_t tgid;       /* -1: not known */
	const char *comm;   /* never NULL */
	char state;         /* letter of /proc/PID/stat when recording began; 0: not known */
	/* State, name and place were read then: whoever has an older event was in another one
	   before. 0: before recording began. */
	nsec_t read;
	bool is_still_so;   /* and when it ended; told of D, and of what was asked for */
	/* Functions of the kernel that it slept in when recording began and when it ended,
	   innermost first, ";" between; NULL: not told. */
	const char *place, *end_place;
	bool is_kernel;     /* kernel thread, where the snapshot says so */
};

/* A file that a recorded process executes. */
struct user_file {
	const char *path;     /* as its process sees it; never NULL */
	const char *build_id; /* lower-case hex; NULL: none */
};

/* Memory from begin up to end holds user_files[file], from offset on. */
struct user_map {
	uint64_t begin, end, offset;
	uint32_t file;
};

/* A function of `size` bytes that a process generated itself. */
struct user_jit {
	uint64_t begin, size;
	uint64_t reach;       /* the highest end of this one and of those before it in their set */
	const char *name;     /* never NULL */
	uint32_t number;      /* of its line: the higher one was told later */
};

/* The executable memory of a process as it was seen once. */
struct user_maps {
	int32_t tgid;
	nsec_t seen;                /* since when, on the clock of the records; 0: not told */
	const struct user_map *map; /* by begin, none overlaps the next */
	size_t map_count;
	const struct user_jit *jit; /* by begin */
	size_t jit_count;
};

/* What one stream's CPU reported when recording ended. */
struct source_stream {
	unsigned cpu;         /* CPU number, not an index */
	unsigned buffer;      /* index of the buffer instance; 0 is the main one */
	uint64_t overrun;     /* events overwritten or dropped by the kernel; 0 where not told */
};

/* A control group of COMMAND's, or of one of -p, that has a limit on CPU time. */
struct source_cpu_limit {
	nsec_t quota, period; /* not 0 */
	nsec_t throttled;     /* while it was recorded, as its cpu.stat counts */
	uint64_t periods;     /* in which it was held back */
	bool is_whole;        /* these are of all the time that was recorded */
	nsec_t since; /* COMMAND, or that task, is in it, on the clock mono; 0: since the begin */
	const char *path;
};

#define SOURCE_CPU_LIMITS_MAX 16
#define RECORDER_THREADS_MAX  4

/* The first part of an input that could not be read: an error of the medium, not of the trace. */
struct read_failure {
	int error;       /* negative; 0: all could be read so far */
	uint64_t offset; /* byte of the file */
};

struct source {
	const struct source_ops *ops;

	/* What the trace says of itself. Strings are owned by the source. */
	const char *kernel;      /* release, "6.1.0-56-arm64"; NULL: not told */
	const char *arch;        /* machine, "aarch64"; NULL: not told */
	const char *clock;       /* "mono"; NULL: not told */
	bool is_scaled;          /* the trace told how stamps become nanoseconds, and they did */
	bool is_big_endian;
	unsigned long_bytes;     /* 4 or 8: size of the kernel's long */
	unsigned cpu_count;      /* CPUs of the machine as far as the file tells */
	int32_t command_pid;     /* pid of `record -- COMMAND`; 0: none */
	const char *const *command; /* its words, itself the first; none: the file does not say */
	size_t command_count;
	/* The groups and events that were recorded, "sched,irq,ext4:*"; NULL: the file does not
	   say. */
	const char *recorded;
	/* The argument of record -e, or "default"; NULL: the file does not say. */
	const char *asked;
	bool has_command_status; /* it has ended, with what is next */
	int command_status;      /* as of waitpid(2) */
	int32_t recorder[RECORDER_THREADS_MAX]; /* tids of `ftwait record` itself; 0: no more */
	const int32_t *pids;     /* tasks named by `record -p`; */
	size_t pid_count;
	bool is_guest;           /* the machine was a virtual one; false: none, or not told */
	bool has_steal;          /* whether the next is told */
	nsec_t steal_ns;         /* sum over the CPUs: runnable, but not let run by the host */
	struct source_cpu_limit cpu_limits[SOURCE_CPU_LIMITS_MAX];
	size_t cpu_limit_count;

	const struct format_text *formats;
	size_t format_count;
	const struct known_task *known_tasks;
	size_t known_task_count;
	const struct source_stream *streams;
	size_t stream_count;
	size_t buffer_count;

	/* What `record` adds to stacks of programs and to a profile; src/source/user_maps.c. */
	const struct user_file *user_files;
	size_t user_file_count;
	const struct user_maps *user_maps; /* by tgid, those of one by seen */
	size_t user_maps_count;
	uint32_t tick_hz;        /* ticks a second of the profile; 0: none, or not told */
	/* Index of ftwait's buffer of user stacks and ticks; UINT32_MAX: none. */
	uint32_t stacks_buffer;

	/* Bytes of records in the input, and how many of them were read so far; 0: not told. */
	uint64_t data_bytes, data_read;

	/* Health of the input. */
	bool damaged;
	/* The first read that failed; NULL: the source keeps none. */
	const struct read_failure *failure;
	const char *notes[SOURCE_NOTES_MAX];
	size_t note_count;
};

enum pull {
	PULL_ITEM, /* the batch holds at least one record */
	PULL_END,  /* the stream is exhausted, or nothing more of it can be read */
};

/* How a kind of source implements the calls below; see there for the contracts. */
struct source_ops {
	const char *name;
	enum pull (*next_batch)(struct source *source, size_t stream, struct record_batch *ret);
	int64_t (*read_symbols)(struct source *source, uint64_t offset, char *to, size_t size);
	void (*close)(struct source *source);
};

/* Next records of streams[stream]. On PULL_END *ret is empty, and stays so. */
static inline enum pull source_next_batch(struct source *source, size_t stream,
                                          struct record_batch *ret)
{
	return source->ops->next_batch(source, stream, ret);
}

/*
 * Reads a piece of the text of /proc/kallsyms as it was recorded: "address type name[\t[module]]"
 * lines. Returns bytes read, 0 at the end or where the trace has none, or -errno.
 */
static inline int64_t source_read_symbols(struct source *source, uint64_t offset, char *to,
                                          size_t size)
{
	return source->ops->read_symbols ? source->ops->read_symbols(source, offset, to, size) : 0;
}

/* Accepts NULL; returns NULL. */
struct source *source_close(struct source *source);
