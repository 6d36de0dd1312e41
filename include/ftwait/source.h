/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where records come from. A source is a set of streams, one per CPU and buffer instance, each
 * in time order, plus what the trace says about itself. Reading is pull: the merger asks for the
 * next batch of one stream. A source never prints and never exits.
 *
 * Order of calls: a source_open_*() of src/source, then any number of source_next_batch() and
 * source_read_symbols(), then source_close(). Not safe for concurrent use.
 *
 * Damage: whatever can still be read is delivered. `health.damaged` is set (it may become true
 * during reading) and one line per kind of damage is added to `health.notes` (at most
 * SOURCE_NOTES_MAX).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "host.h"
#include "record.h"
#include "recording_notes.h"

#define SOURCE_NOTES_MAX   16
#define SOURCE_STREAMS_MAX 65536

/* One tracepoint's description, as the kernel that wrote the trace printed it. */
struct format_text {
	const char *system; /* "sched"; "ftrace" for the kernel's own */
	const char *text;   /* not necessarily terminated by NUL */
	size_t length;      /* bytes of text */
};

/* What one stream's CPU reported when recording ended. */
struct source_stream {
	unsigned cpu;         /* CPU number, not an index */
	unsigned buffer;      /* index of the buffer instance; 0 is the main one */
	uint64_t overrun;     /* events overwritten or dropped by the kernel; 0 if not known */
	uint64_t dropped;     /* the dropped ones among these */
};

/* The first part of an input that could not be read: an error of the medium, not of the trace. */
struct read_failure {
	int error;       /* negative; 0: no error so far */
	uint64_t offset; /* byte of the file */
};

/* How a machine got its place in time if nothing is known of its clock. */
enum placement {
	PLACED_AT_BEGIN, /* as if it began together with the first one */
	PLACED_BY_DAY,   /* by its time of day and the first machine's */
	PLACED_BY_HOST,  /* by what trace-cmd measured of a virtual machine and its host */
	PLACED_AS_WRITTEN, /* by its times, which one file has of all machines */
};

/* A machine's clock, and just after that one that it shares with other machines. Then comes the
   next reading of its own clock. */
struct clock_reading {
	nsec_t own, common;
};

/* What one machine contributes to a source that joins several (src/machines/joined_source.h). */
struct source_part {
	/* As if it was alone, but with the times of the joined source. Its batches are pulled from
	   the joined source only. */
	struct source *source;
	uint32_t first_stream; /* its streams are those of the joined source from here on */
	uint32_t cpu_first;    /* number in the joined source of its CPU 0 */
	const char *file;      /* name of the recording */
	const char *name;      /* as in struct host */
	/* What was added to its times, at their middle, to have them on the first part's clock. */
	int64_t offset;
	/* How its clock relates to that of part `root`, which is the first one with which it can be
	   compared: by how much its times may be wrong against that one's, and how many messages
	   were matched. A part that is its own root has 0 of both. */
	uint32_t root, via; /* via: as in struct host */
	nsec_t bound;
	uint64_t matched;
	/* If the root is not part 0: how the root's clock is placed; and if that is by times of
	   day, by how much the offset is wrong at most if both are as right as their kernels say,
	   NSEC_NEVER: they do not say so. */
	enum placement placement;
	nsec_t day_bound;
	/* nothing is known of that, although there are packets: they fit several differences, or
	   one of the clocks was set */
	bool is_ambiguous;
	enum command_lead lead; /* as in struct host */
};

/* How far an input can be relied on. */
struct input_health {
	bool damaged;
	const char *damage; /* the first note about it; NULL: none */
	/* The first read that failed; NULL: the source keeps none. */
	const struct read_failure *failure;
	const char *notes[SOURCE_NOTES_MAX];
	size_t note_count;
};

struct source {
	const struct source_ops *ops;

	/* The machines that it joins; none: it is a single recording. In a joined source what tids
	   and processes name are keys as hosts_process_id() makes them; devices keep the numbers
	   that their machines give them. */
	const struct source_part *parts;
	size_t part_count;

	/* The machines of its file, if there are several: it is the first of these alone, and
	   open_machine() opens each. 0: there is one machine. */
	size_t machine_count;
	bool has_common_clock; /* its clock is the common one of the others' readings */
	const struct clock_reading *readings;
	size_t reading_count;

	/* What the trace says about itself. Strings are owned by the source. */
	const char *kernel;      /* release, "6.1.0-56-arm64"; NULL: not known */
	const char *arch;        /* machine, "aarch64"; NULL: not known */
	bool is_of_one_cpu;      /* the other CPUs were not recorded */
	bool is_arch_assumed;    /* system calls have its numbers, but it may have been another */
	const char *clock;       /* "mono"; NULL: not known */
	bool is_scaled;          /* stamps were converted to nanoseconds as the trace says */
	bool is_big_endian;
	unsigned long_bytes;     /* 4 or 8: size of the kernel's long */
	uint32_t page_bytes;     /* no less than a page of the machine's memory; 0: not known */
	unsigned cpu_count;      /* CPUs of the machine, as far as the file says */
	bool lacks_contexts;     /* no event shows that it was in an interrupt */
	bool lacks_timers;       /* nor that the interrupt was a timer's, as others' events do */
	struct recording_notes notes;

	/* A source that is read while it is written may add more; those that it has stay in
	   place. */
	const struct format_text *formats;
	size_t format_count;
	/* Kernel strings that events refer to by address, in lines of the form "0x12ab : "text""
	   (printk_formats of tracefs); NULL: there are none. */
	const char *strings;
	const struct source_stream *streams;
	size_t stream_count;
	size_t buffer_count;
	/* Index of ftwait's buffer of user stacks and ticks; UINT32_MAX: none. */
	uint32_t stacks_buffer;

	/* Bytes of records in the input, and how many were read so far; 0: not known. */
	uint64_t data_bytes, data_read;

	struct input_health health;
};

/* What the damage is, behind the word "damaged"; "": no note says it. */
static inline const char *source_damage_words(const struct source *source)
{
	static const char word[] = "damaged: ";

	if (!source->health.damage)
		return "";
	return strncmp(source->health.damage, word, sizeof(word) - 1) == 0
	               ? source->health.damage + sizeof(word) - 1
	               : source->health.damage;
}

/* Whether the stream is of ftwait's buffer of user stacks and ticks. */
static inline bool source_stream_has_stacks(const struct source *source, size_t stream)
{
	return source->streams[stream].buffer == source->stacks_buffer;
}

/* Returns the ID of the trace that defines the clock of the time stamps. If trace-cmd has converted
   the time stamps of a guest to the host's clock, that is the host's trace; otherwise it is this
   trace. Returns 0 if the trace has no ID. */
static inline uint64_t source_trace_clock(const struct source *source)
{
	const struct noted_machine *machine = &source->notes.machine;

	return machine->host_trace_id ? machine->host_trace_id : machine->trace_id;
}

enum pull {
	PULL_ITEM, /* the batch holds at least one record, or is a heartbeat (record.h) */
	PULL_END,  /* the stream is exhausted, or nothing more of it can be read */
};

/* The implementation of the calls below, which document the contracts. */
struct buffer;

struct source_ops {
	const char *name;
	enum pull (*next_batch)(struct source *source, size_t stream, struct record_batch *ret);
	int64_t (*read_symbols)(struct source *source, uint64_t offset, char *to, size_t size);
	/* The function that contains the address, and its begin, of a source that gets to know
	   functions as it is read; NULL: none is known. Without it read_symbols() has all. */
	const char *(*find_symbol)(const struct source *source, uint64_t address,
	                           uint64_t *ret_begin);
	/* NULL: it cannot be read twice. */
	int (*open_again)(const struct source *source, struct source **ret, struct buffer *why);
	/* Opens the machine of that number in its file. Returns 0, or -errno and a phrase. */
	int (*open_machine)(const struct source *source, size_t number, struct source **ret,
	                    struct buffer *why);
	void (*close)(struct source *source);
};

/* Next records of streams[stream]. On PULL_END *ret has no records, and stays so; its lost_events
   says whether records are missing after the last one, as where a file is cut. */
static inline enum pull source_next_batch(struct source *source, size_t stream,
                                          struct record_batch *ret)
{
	return source->ops->next_batch(source, stream, ret);
}

/*
 * Reads a piece of the text of /proc/kallsyms as it was recorded: "address type name[\t[module]]"
 * lines. Returns bytes read, 0 at the end or if the trace has none, or -errno.
 */
static inline int64_t source_read_symbols(struct source *source, uint64_t offset, char *to,
                                          size_t size)
{
	return source->ops->read_symbols ? source->ops->read_symbols(source, offset, to, size) : 0;
}

/*
 * The same recording once more, to be read from its begin, however much of the first one was read,
 * and to be closed by itself. Pipes can be opened again, too, as they are read from a copy. Returns
 * 0, or -errno and a phrase.
 */
int source_open_again(const struct source *source, struct source **ret, struct buffer *why);

/* Whether that may succeed. */
static inline bool source_is_rereadable(const struct source *source)
{
	return source->ops->open_again != NULL;
}

/* Accepts NULL; returns NULL. */
struct source *source_close(struct source *source);
