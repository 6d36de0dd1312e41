/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a recording says besides its events: of the machine, of how it was recorded, and of the
 * tasks, groups, files and programs that its events name by number. There is one list for each
 * kind of note, as the file has them. A list without items means that there are none, or that the
 * file does not say.
 *
 * Ownership: the source owns all items and strings, and frees them when it is closed. Readers of
 * notes borrow them. Lists are in the order in which they were written, unless they say otherwise.
 * A source that is read while it is written may add items to its lists; those that it has keep
 * their places.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "label.h"
#include "nsec.h"
#include "realtime.h"
#include "trigger.h"

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
	                       tasks in state D and for requested tasks, unless lacks_end */
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
	uint32_t cgroup; /* index in cgroups; SOURCE_CGROUP_NONE: not known */
	/* as in struct known_task; NSEC_NEVER: when recording ended, of a process that appeared
	   since it began */
	nsec_t read;
};

enum open_wait_kind {
	OPEN_WAIT_OTHER,
	OPEN_WAIT_FUTEX, /* a lock; its owner may be known */
	OPEN_WAIT_THREAD, /* a futex: the end of thread owner */
	OPEN_WAIT_FLOCK,
	OPEN_WAIT_POSIX,
	OPEN_WAIT_LEASE,
	OPEN_WAIT_PIPE,
	OPEN_WAIT_CHILD,
	OPEN_WAIT_FILE,
	OPEN_WAIT_MOUNT, /* a file system with a server, or one of FUSE */
	OPEN_WAIT_LEFT,  /* a mutex that its owner left behind: it never gets free */
	/* objects of threads that none of them has: */
	OPEN_WAIT_CONDITION,
	OPEN_WAIT_SEMAPHORE,
	OPEN_WAIT_BARRIER,
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

/* A lock of a file that a process had when the recording began. */
struct source_lock {
	uint64_t inode;
	uint64_t begin, end; /* first and last byte */
	uint32_t dev;        /* major << 20 | minor */
	int32_t owner;       /* process */
	bool is_flock;       /* else of fcntl() */
	bool is_write;       /* nobody else may have any of it */
};

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

/* A descriptor of a process, when the recorder looked at it. */
struct source_descriptor {
	int32_t tgid;
	uint32_t number;
	nsec_t from, to;  /* the look was made in between, on the clock of the records */
	const char *path; /* never NULL */
};

#define SOURCE_DESCRIPTORS_MAX (1u << 20)

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

/* Which machine it was, and which boot of it. */
struct noted_machine {
	const char *host;       /* its name; NULL: not known */
	const char *boot_id;    /* which boot of the kernel it was; NULL: not known */
	const char *kernel_build_id; /* lower-case hex; NULL: not known */
	const char *machine_id; /* all recordings of a machine have the same; NULL: not known */
	/* Ids that trace-cmd gives to traces; 0: none. That of the host's trace is set if times are
	   on that host's clock. */
	uint64_t trace_id, host_trace_id;
	bool is_guest;          /* a virtual machine; false: none, or not known */
	bool has_steal;         /* whether steal_ns is known */
	nsec_t steal_ns;        /* sum over the CPUs: runnable, but not let run by the host */
};

/* COMMAND of `record -- COMMAND`. */
struct noted_command {
	int32_t pid;             /* 0: there was none */
	const char *const *word; /* the program first */
	size_t count;            /* 0: the file does not say */
	bool has_status;         /* it has ended, with `status` */
	int status;              /* as of waitpid(2) */
};

/* The share of CPU time that COMMAND and the tasks of -p are given. */
struct noted_cpu_weight {
	uint32_t per_mille; /* of the usual, the least of all of them */
	const char *by;     /* folder of a control group, or "SCHED_IDLE"; NULL: not known */
};

struct known_task_list {
	const struct known_task *item;
	size_t count;
};

struct known_process_list {
	const struct known_process *item;
	size_t count;
};

struct open_wait_list {
	const struct open_wait *item;
	size_t count;
};

struct tid_list {
	const int32_t *item; /* NULL: those of several machines */
	size_t count;
};

struct label_list {
	const struct label *item;
	size_t count;
};

struct recording_notes {
	struct noted_machine machine;
	struct realtime realtime; /* the time of day */

	/* How it was recorded. */
	struct noted_command command;
	struct label_list labels; /* each key once; in order of their first appearance */
	struct trigger_note trigger; /* why a flight recorder saved it; condition NULL: none did */
	/* The recorded groups and events, "sched,irq,ext4:*"; NULL: the file does not say. */
	const char *recorded;
	/* The argument of record -e, or "default"; NULL: the file does not say. */
	const char *asked;
	bool keeps_newest; /* `record --ring`: events overwritten before a CPU's first event do not
	                      count as lost */
	bool lacks_end;    /* the recorder was killed: nothing was noted when recording ended */
	bool is_of_atrace; /* its events were chosen by the categories of Android's atrace */
	uint32_t tick_hz;  /* ticks a second of the profile; 0: none, or not known */
	int32_t recorder[RECORDER_THREADS_MAX]; /* tids of `ftwait record` itself; 0: no more */
	struct tid_list pids; /* tasks named by `record -p` */
	struct {
		/* globs of the control groups named by `record --cgroup` and --unit */
		const char *item[SOURCE_TARGET_CGROUPS_MAX];
		size_t count;
	} target_cgroups;

	/* Limits on CPU time. */
	struct {
		struct source_cpu_limit item[SOURCE_CPU_LIMITS_MAX];
		size_t count;
	} cpu_limits;
	struct noted_cpu_weight cpu_weight;

	/* Tasks and processes. */
	struct known_task_list tasks;
	/* Tasks known by tid and tgid only, from events before the time that is reached. A
	   source that is read while it is written sets them at each call of on_reached(), and at
	   its end. */
	struct known_task_list new_tasks;
	struct known_process_list processes;
	struct {
		const struct source_program *item; /* in any order */
		size_t count;
	} programs;
	struct {
		const struct source_descriptor *item; /* in any order */
		size_t count;
	} descriptors;
	struct open_wait_list open_waits; /* by time of `seen` */

	/* The hierarchies of the control groups that `processes` and events name, the one that
	   counts most first. */
	struct {
		uint32_t item[SOURCE_HIERARCHIES_MAX];
		size_t count;
	} hierarchies;
	struct {
		const struct source_cgroup *item;
		size_t count;
	} cgroups;

	/* Objects. A device or file may have several items, which need not agree. */
	struct {
		const struct source_device *item;
		size_t count;
	} devices;
	struct {
		const struct source_path *item;
		size_t count;
	} paths;
	struct {
		const struct source_lock *item; /* held at the begin, as far as they are known */
		size_t count;
	} locks;
	struct {
		const uint16_t *item; /* TCP ports that were listened on at the begin */
		size_t count;
	} listening;

	/* What `record` adds to stacks of programs and to a profile; source/file/user_maps.c. */
	struct {
		const struct user_file *item;
		size_t count;
	} user_files;
	struct {
		const struct user_maps *item; /* by tgid; sets of one tgid by `seen` */
		size_t count;
	} user_maps;
};
