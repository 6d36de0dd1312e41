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
#include <string.h>

#include "host.h"
#include "label.h"
#include "realtime.h"
#include "record.h"
#include "trigger.h"

#define SOURCE_NOTES_MAX   16
#define SOURCE_STREAMS_MAX 65536

/* One tracepoint's description, as the kernel that wrote the trace printed it. */
struct format_text {
	const char *system; /* "sched"; "ftrace" for the kernel's own */
	const char *text;   /* not necessarily terminated by NUL */
	size_t length;      /* bytes of text */
};

/* A task from a saved command line table or a snapshot of /proc. */
struct known_task {
	int32_t tid;
	int32_t tgid;       /* -1: not known */
	const char *comm;   /* never NULL */
	char state;         /* letter of /proc/PID/stat when recording began; 0: not known */
	/* When state, name and place were read; 0: before recording began. A task with an older
	   event may have been in another state when recording began. */
	nsec_t read;
	bool is_still_so;   /* the task is in the same state when recording ends; known only for
	                       tasks in state D and for requested tasks */
	/* Kernel functions that the task slept in when recording began and when recording ended,
	   innermost first, separated by ";"; NULL: not recorded. */
	const char *place, *end_place;
	bool is_kernel;     /* kernel thread, according to the snapshot */
};

/* A control group. */
struct source_cgroup {
	uint32_t hierarchy; /* 0: version 2 */
	const char *path;   /* from the root of the hierarchy, "/" */
};

#define SOURCE_CGROUPS_MAX     65536
#define SOURCE_CGROUP_NONE     UINT32_MAX
#define SOURCE_HIERARCHIES_MAX 8
#define SOURCE_PROCESSES_MAX   (1u << 20)
#define SOURCE_TARGET_CGROUPS_MAX 16

/* A process from a snapshot of /proc. */
struct known_process {
	int32_t tgid;
	int32_t parent;  /* tgid; 0: none, or not known */
	uint32_t cgroup; /* index in source.cgroups; SOURCE_CGROUP_NONE: not known */
	/* as in struct known_task; NSEC_NEVER: when recording ended, of a process that appeared
	   since it began */
	nsec_t read;
};

enum open_wait_kind {
	OPEN_WAIT_OTHER,
	OPEN_WAIT_FUTEX, /* a lock whose owner may be known */
	OPEN_WAIT_THREAD, /* a futex: the end of thread owner */
	OPEN_WAIT_FLOCK,
	OPEN_WAIT_POSIX,
	OPEN_WAIT_LEASE,
	OPEN_WAIT_PIPE,
	OPEN_WAIT_CHILD,
	OPEN_WAIT_FILE,
	OPEN_WAIT_MOUNT, /* a file system with a server, or one of FUSE */
	OPEN_WAIT_LEFT,  /* a mutex that its owner left behind: it never gets free */
	OPEN_WAIT_CONDITION, /* a condition variable */
	OPEN_WAIT_SOCKET,
	OPEN_WAIT_TERMINAL,
};

#define OPEN_WAIT_HOLDERS_MAX 8

/* What else is known of a socket. */
enum open_wait_fact {
	OPEN_WAIT_FACT_NONE,
	OPEN_WAIT_FACT_FULL,    /* the backlog of the other end is full */
	OPEN_WAIT_FACT_WAITING, /* the other end has not accepted the connection */
	OPEN_WAIT_FACT_SERVED,  /* the other end opened the connection */
};

/* What a sleeping task waited for, as /proc showed it while the recording was made. */
struct open_wait {
	int32_t tid;
	/* when it was first and last seen in this sleep, on the clock of the records; 0: only when
	   the recording ended */
	nsec_t since, seen;
	char state;        /* letter of its state */
	uint8_t kind;      /* enum open_wait_kind */
	const char *call;  /* system call; NULL: not known */
	const char *place; /* as in struct known_task; NULL: not known */
	uint64_t address;  /* futex: its address; locks of files and pipes: inode; sockets: bytes
	                      that the other end has not taken */
	uint32_t dev;      /* locks of files: major << 20 | minor */
	/* holder of the lock, thread that is joined, only child, or only process that has the
	   other end open; OPEN_WAIT_LEFT: the thread that has ended; 0: not known, or several */
	int32_t owner;
	/* all of them, as far as they are known */
	int32_t holder[OPEN_WAIT_HOLDERS_MAX];
	uint8_t holder_count;
	bool has_no_holder; /* there are none: nobody has the other end open */
	/* locks of files: it slept in another call, and may try again afterwards; only events show
	   that it tries at all */
	bool is_tried;
	uint8_t fact;       /* enum open_wait_fact */
	/* locks of files, files, fifos, terminals; where the file system is mounted; the other end
	   of a socket, "127.0.0.1:80" or the name of a unix socket; NULL: not known */
	const char *path;
	/* of the file system, "nfs4"; of a socket: "tcp", "udp", "unix"; NULL: not known */
	const char *type;
};

#define OPEN_WAITS_MAX 65536

static inline bool open_wait_is_for_file_lock(const struct open_wait *wait)
{
	return wait->kind == OPEN_WAIT_FLOCK || wait->kind == OPEN_WAIT_POSIX ||
	       wait->kind == OPEN_WAIT_LEASE;
}

/* A block device of the recorded machine. */
struct source_device {
	uint32_t dev;       /* major << 20 | minor; not 0 */
	const char *name;   /* "sda1"; never NULL */
	const char *mapped; /* the device mapper's name for it, "vg-root"; NULL: none */
};

#define SOURCE_DEVICES_MAX 4096

/* A file that a task had open. */
struct source_path {
	uint32_t dev;     /* as the kernel numbers the file system: major << 20 | minor */
	uint64_t inode;   /* not 0 */
	const char *path; /* as the task saw it; never NULL */
};

#define SOURCE_PATHS_MAX 65536

/* The command line of a program that a process executed. */
struct source_program {
	int32_t tgid;
	nsec_t begin, read; /* when it was executed, 0: before recording began; and when the line
	                       was read, 0: not known. On the clock of the records */
	const char *text;   /* valid for words/command_line.h */
};

#define SOURCE_PROGRAMS_MAX (1u << 18)

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
	uint64_t reach;       /* the highest end of this function and of all before it in the set */
	const char *name;     /* never NULL */
	uint32_t number;      /* number of its text line: higher numbers were written later */
};

/* What the recorder found at an address at which a thread slept. */
struct noted_variable {
	uint64_t address;
	uint64_t within;  /* bytes from the variable's begin */
	const char *name; /* as the program's file has it; NULL: there is no variable */
};

/* The executable memory of a process at one time. */
struct user_maps {
	int32_t tgid;
	nsec_t seen;                /* since this time, on the clock of the records; 0: not known */
	const struct user_map *map; /* by begin, without overlaps */
	size_t map_count;
	const struct user_jit *jit; /* by begin */
	size_t jit_count;
	const struct noted_variable *variable; /* by address, each once */
	size_t variable_count;
};

/* What one stream's CPU reported when recording ended. */
struct source_stream {
	unsigned cpu;         /* CPU number, not an index */
	unsigned buffer;      /* index of the buffer instance; 0 is the main one */
	uint64_t overrun;     /* events overwritten or dropped by the kernel; 0 if not known */
	uint64_t dropped;     /* the dropped ones among these */
};

/* A control group with a limit on CPU time. */
struct source_cpu_limit {
	nsec_t quota, period; /* not 0 */
	nsec_t throttled;     /* during the recording, as its cpu.stat counts */
	uint64_t periods;     /* number of periods in which it was throttled */
	bool is_whole;        /* `throttled` and `periods` cover all of the recording */
	bool is_seen; /* COMMAND, or a task of -p, was seen in it; else tasks are known to be in it
	                 only by their control groups */
	nsec_t since; /* if so, when first, on the clock mono; 0: at the begin */
	const char *path;
};

#define SOURCE_CPU_LIMITS_MAX 16
#define RECORDER_THREADS_MAX  4

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

struct source {
	const struct source_ops *ops;

	/* The machines that it joins; none: it is a single recording. In a joined source what tids
	   and processes name are keys as hosts_process_id() makes them; devices keep the numbers
	   that their machines give them. */
	const struct source_part *parts;
	size_t part_count;

	/* What the trace says about itself. Strings are owned by the source. */
	const char *kernel;      /* release, "6.1.0-56-arm64"; NULL: not known */
	const char *arch;        /* machine, "aarch64"; NULL: not known */
	const char *host;        /* name of the machine; NULL: not known */
	const char *boot_id;     /* which boot of the kernel it was; NULL: not known */
	const char *kernel_build_id; /* lower-case hex; NULL: not known */
	const char *machine_id;  /* all recordings of a machine have the same; NULL: not known */
	/* Ids that trace-cmd gives to traces; 0: none. That of the host's trace is set if times are
	   on that host's clock. */
	uint64_t trace_id, host_trace_id;
	struct realtime realtime; /* the time of day */
	const char *clock;       /* "mono"; NULL: not known */
	bool is_scaled;          /* stamps were converted to nanoseconds as the trace says */
	bool is_big_endian;
	unsigned long_bytes;     /* 4 or 8: size of the kernel's long */
	uint32_t page_bytes;     /* no less than a page of the machine's memory; 0: not known */
	unsigned cpu_count;      /* CPUs of the machine, as far as the file says */
	int32_t command_pid;     /* pid of `record -- COMMAND`; 0: none */
	const char *const *command; /* the words of COMMAND, the program first; none: the file does
	                               not say */
	size_t command_count;
	const struct label *labels; /* each key once; in order of their first appearance */
	size_t label_count;
	struct trigger_note trigger; /* why a flight recorder saved it; condition NULL: none did */
	/* The recorded groups and events, "sched,irq,ext4:*"; NULL: the file does not say. */
	const char *recorded;
	/* The argument of record -e, or "default"; NULL: the file does not say. */
	const char *asked;
	bool keeps_newest;       /* `record --ring`: events overwritten before a CPU's first event
	                            do not count as lost */
	bool has_command_status; /* COMMAND has ended, with command_status */
	int command_status;      /* as of waitpid(2) */
	int32_t recorder[RECORDER_THREADS_MAX]; /* tids of `ftwait record` itself; 0: no more */
	const int32_t *pids;     /* tasks named by `record -p`; NULL: those of several machines */
	size_t pid_count;
	/* TCP ports that were listened on at the begin; none: no port, or not known */
	const uint16_t *listening;
	size_t listening_count;
	bool is_guest;           /* a virtual machine; false: none, or not known */
	bool has_steal;          /* whether steal_ns is known */
	nsec_t steal_ns;         /* sum over the CPUs: runnable, but not let run by the host */
	struct source_cpu_limit cpu_limits[SOURCE_CPU_LIMITS_MAX];
	size_t cpu_limit_count;
	uint32_t cpu_weight; /* per mille of the usual, the least of COMMAND and the tasks of -p,
	                        by what cpu_weight_by says */
	const char *cpu_weight_by; /* folder of a control group, or "SCHED_IDLE"; NULL: none */

	const struct format_text *formats;
	size_t format_count;
	/* Kernel strings that events refer to by address, in lines of the form "0x12ab : "text""
	   (printk_formats of tracefs); NULL: there are none. */
	const char *strings;
	const struct known_task *known_tasks;
	size_t known_task_count;
	const struct open_wait *open_waits; /* as written: by time of `seen` */
	size_t open_wait_count;
	/* As written; a device or file may have several, which need not agree. */
	const struct source_device *devices;
	size_t device_count;
	const struct source_path *paths;
	size_t path_count;
	const struct source_program *programs; /* in any order */
	size_t program_count;
	/* The hierarchies of the control groups that `processes` and events name, the one that
	   counts most first; none: the file does not say. */
	uint32_t hierarchies[SOURCE_HIERARCHIES_MAX];
	size_t hierarchy_count;
	const struct source_cgroup *cgroups;
	size_t cgroup_count;
	const struct known_process *processes;
	size_t process_count;
	/* globs of the control groups named by `record --cgroup` and --unit */
	const char *target_cgroups[SOURCE_TARGET_CGROUPS_MAX];
	size_t target_cgroup_count;
	const struct source_stream *streams;
	size_t stream_count;
	size_t buffer_count;

	/* What `record` adds to stacks of programs and to a profile; src/source/user_maps.c. */
	const struct user_file *user_files;
	size_t user_file_count;
	const struct user_maps *user_maps; /* by tgid; sets of one tgid by `seen` */
	size_t user_maps_count;
	uint32_t tick_hz;        /* ticks a second of the profile; 0: none, or not known */
	/* Index of ftwait's buffer of user stacks and ticks; UINT32_MAX: none. */
	uint32_t stacks_buffer;

	/* Bytes of records in the input, and how many were read so far; 0: not known. */
	uint64_t data_bytes, data_read;

	/* Health of the input. */
	bool damaged;
	const char *damage; /* the first note about it; NULL: none */
	/* The first read that failed; NULL: the source keeps none. */
	const struct read_failure *failure;
	const char *notes[SOURCE_NOTES_MAX];
	size_t note_count;
};

/* What the damage is, behind the word "damaged"; "": no note says it. */
static inline const char *source_damage_words(const struct source *source)
{
	static const char word[] = "damaged: ";

	if (!source->damage)
		return "";
	return strncmp(source->damage, word, sizeof(word) - 1) == 0
	               ? source->damage + sizeof(word) - 1
	               : source->damage;
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
	return source->host_trace_id ? source->host_trace_id : source->trace_id;
}

enum pull {
	PULL_ITEM, /* the batch holds at least one record, or is a heartbeat (record.h) */
	PULL_END,  /* the stream is exhausted, or nothing more of it can be read */
};

/* The implementation of the calls below, which document the contracts. */
struct source_ops {
	const char *name;
	enum pull (*next_batch)(struct source *source, size_t stream, struct record_batch *ret);
	int64_t (*read_symbols)(struct source *source, uint64_t offset, char *to, size_t size);
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

/* Accepts NULL; returns NULL. */
struct source *source_close(struct source *source);
