/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The ftwait stream: what `record` writes while it records, to a file or through a pipe. It is
 * self-describing, so that whatever is on disk at any moment can be read; a clean end turns it
 * into an ordinary trace.dat.
 *
 * A stream is STREAM_MAGIC (16 bytes) and then blocks. A block is a struct stream_block in the
 * byte order of the machine that records (STREAM_BLOCK_MARK shows which), followed by `size`
 * bytes of payload. Blocks stand back to back without padding. A block that the file cuts short
 * is read as far as it goes (whole pages of STREAM_PAGES; nothing of the others). If another
 * program writes to the same pipe, reading continues at the next whole block
 * (source/stream/stream_walk.h).
 *
 *   STREAM_HEAD    first block, exactly one: the bytes of a trace.dat version 6 from its magic up
 *                  to and including the CPU count (so: header page and event, ftrace formats,
 *                  event formats, kallsyms, printk formats, command lines, u32 CPU count);
 *                  kallsyms are left empty where STREAM_SYMBOLS is to bring them
 *   STREAM_OPTIONS after HEAD, any number, later ones add to earlier ones: trace.dat version 6
 *                  options (u16 id, u32 size, bytes)..., without the "options" word and end mark
 *   STREAM_CMDLINES optional, at the end: "PID COMM\n" lines, as in the head, with tasks that
 *                  appeared since
 *   STREAM_SYMBOLS optional, at the end, once: lines of kallsyms, of the functions that the pages
 *                  refer to
 *   STREAM_PAGES   whole ring-buffer pages of `cpu` and `buffer`, in order; buffers are numbered:
 *                  0 is the one without a name, 1 is "syscalls", where the system calls of only
 *                  some tasks were recorded, 2 is "stacks", with stacks of programs and the ticks
 *                  of a profile
 *   STREAM_REACHED a u64: all records before that time, ns of the recording's clock, that the
 *                  buffers of any CPU had then, stand before this block. Written to pipes, and
 *                  where `record --flush` asks for it, with clocks that a program can read and
 *                  that never go back; then pages may be partly filled
 *   STREAM_WAITS   lines `waits` of option VERSION, of any tasks that have slept for a while, with
 *                  SINCE and SEEN on the recording's clock. Written where STREAM_REACHED is, unless
 *                  --no-snapshot was given, for readers that follow the stream: of a wait that has
 *                  not ended no event says what it is for. Of several lines for one task the last
 *                  one counts. Reports leave them out
 *   STREAM_END     no payload: recording ended cleanly; nothing follows
 *
 * In a file that can have holes pages do not stand in blocks but where a trace.dat has them, those
 * of one CPU and buffer in one piece, so that they need not be written twice. Such a stream begins
 * with STREAM_JUMP, and HEAD is followed by STREAM_REGIONS:
 *
 *   STREAM_JUMP    first block of all: a struct stream_jump, where the next block stands
 *   STREAM_REGIONS a struct stream_regions and struct stream_region..., one for each CPU and buffer
 *                  that is recorded: where its pages stand. If there are several such blocks, the
 *                  last one counts
 *
 * During the recording the blocks stand in front of the pages, regions are larger than what they
 * will hold, and a region's pages end where only a hole or zeros follow. When the trace.dat is
 * made, the blocks are copied behind the pages (`is_settling`), the beginning of the file becomes
 * that of the trace.dat, and the pages move to their targets, one region after the other, over the
 * holes before them. As holes may be cut out of the file meanwhile, the pages that have not moved
 * yet are found by their distance from the end of the file, where the blocks always end.
 */
#pragma once

#include <stdint.h>

#define STREAM_MAGIC       "\177ftwait-stream1"  /* 15 bytes and the closing NUL: 16 */
#define STREAM_MAGIC_BYTES 16
/* Limits of COMMAND's line in the text of option VERSION: a longer line is left out. */
#define STREAM_ARGUMENTS_MAX      256
#define STREAM_ARGUMENT_BYTES_MAX 2048
/* Ports that one line `listen` may have. */
#define STREAM_LISTEN_MAX 1024
/* Lines `locked` that one recording may have. */
#define STREAM_LOCKS_MAX 1024
#define STREAM_BLOCK_MARK  0x6b6c4246u

enum stream_block_type {
	STREAM_HEAD = 1,
	STREAM_OPTIONS = 2,
	STREAM_CMDLINES = 3,
	STREAM_PAGES = 4,
	STREAM_END = 5,
	STREAM_SYMBOLS = 6,
	STREAM_JUMP = 7,
	STREAM_REGIONS = 8,
	STREAM_REACHED = 9,
	STREAM_WAITS = 10,
};

struct stream_block {
	uint32_t mark; /* STREAM_BLOCK_MARK */
	uint32_t type; /* enum stream_block_type; unknown types are skipped by size */
	uint32_t cpu;  /* STREAM_PAGES: CPU number; else 0 */
	uint32_t buffer; /* STREAM_PAGES: number of the CPU's buffer; else 0 */
	uint64_t size; /* bytes of payload */
};

struct stream_jump {
	uint64_t offset;
	uint64_t is_from_end; /* 1: back from the end of the file */
};

/* ZSTD: a region consists of chunks as in trace.dat version 7: u32 count, (u32 packed, u32
   unpacked, bytes)... */
enum stream_packing {
	STREAM_PACKED_NOT = 0,
	STREAM_PACKED_ZSTD = 1,
};

struct stream_regions {
	uint32_t packing;     /* enum stream_packing */
	uint32_t is_settling; /* 1: `bytes` are exact, `offset` is back from the file's end */
	/* While settling, both are updated in place. done: number of regions that are at their
	   target; done_bytes: how many bytes of the next region are at their target. */
	uint64_t done;
	uint64_t done_bytes;
};

struct stream_region {
	uint32_t cpu, buffer;
	uint64_t offset;
	uint64_t bytes;  /* room for pages; while settling: what the region holds */
	uint64_t target; /* while settling: where it will be */
};

#define STREAM_BUFFERS       3
#define STREAM_BUFFER_CALLS  1
#define STREAM_CALLS_NAME    "syscalls"
#define STREAM_BUFFER_STACKS 2
#define STREAM_STACKS_NAME   "stacks"

/* The name of a buffer below STREAM_BUFFERS; empty for the main buffer. */
static inline const char *stream_buffer_name(unsigned buffer)
{
	return buffer == STREAM_BUFFER_CALLS  ? STREAM_CALLS_NAME
	       : buffer == STREAM_BUFFER_STACKS ? STREAM_STACKS_NAME
	                                        : "";
}

/* A CPU of a buffer in one number: CPUs are below 65536. */
#define STREAM_ID(buffer, cpu) ((buffer) << 16 | (cpu))
#define STREAM_ID_CPU(id)      ((id) & 0xffffu)

/*
 * What ftwait adds to a trace.dat about the recording travels as the text of option VERSION (9),
 * which other readers print or ignore. Lines, in any order, unknown ones are ignored:
 *
 *   ftwait VERSION             always the first line
 *   command PID                `record -- COMMAND`: the pid of COMMAND
 *   argument TEXT              a word of COMMAND's line, in order, the program first; a newline is
 *                              \012, a backslash \134. No such lines if the words are too many or
 *                              too long
 *   exit STATUS                at the end, where COMMAND has ended by then: its status, as
 *                              waitpid(2) has it
 *   pids PID[,PID...]          the processes that `record -p`, --cgroup and --unit named when it
 *                              began
 *   target-cgroup GLOB         `record --cgroup` or `--unit`: tasks that come into such a control
 *                              group (words/kernel/control_group_name.h) are also meant
 *   recorder PID               the recorder; at the end, a thread of it
 *   task TID TGID STATE K COMM a task of the /proc snapshot; STATE is the letter of
 *                              /proc/PID/stat at the start ('-': appeared later), K is 'k' for a
 *                              kernel thread, else '-'; COMM is the rest of the line
 *   read NS                    the `task` and `place` lines that follow, up to the next `read`,
 *                              were read until NS of CLOCK_MONOTONIC, which is the clock of the
 *                              recording, after that had begun. For a task that has no older event
 *                              they hold from the begin of the recording on. Lines without a `read`
 *                              before them were read before the begin
 *   hierarchies ID [ID...]     the hierarchies of cgroups that `cgroup` lines name groups of, as
 *                              /proc/PID/cgroup numbers them (0: version 2), at most 8. A process
 *                              is noted in its group of the first one in which that is not the root
 *   cgroup N ID PATH           group number N, counted from 0, of hierarchy ID; PATH is the rest of
 *                              the line, as in /proc/PID/cgroup
 *   process TGID PARENT N      a process of the snapshot: its parent, 0: none, and the number of
 *                              its group, "-": not known. `read` applies
 *   end-process TGID PARENT N  the same at the end, of a process that appeared since
 *   still TID                  at the end: a task that is in state D in the snapshot is in D now,
 *                              or a requested task is still asleep; if no event names it, it was so
 *                              all the time
 *   place TID FUNCTION[;...]   where in the kernel a task of the snapshot sleeps, innermost first;
 *                              only for tasks in state D and for requested tasks
 *   end-place TID FUNCTION...  the same at the end
 *   waits TID SINCE SEEN STATE CALL FUNCTIONS KIND...
 *                              at SEEN ns of CLOCK_MONOTONIC the task slept, and the recorder saw
 *                              the same sleep first at SINCE. If the recording has another clock,
 *                              both are 0, and SEEN is the end of the recording. There are lines
 *                              for tasks of COMMAND and of -p, and for tasks that these wait for.
 *                              STATE: letter of its state; CALL: name of its system call;
 *                              FUNCTIONS: where in the kernel, as in `place`; "-": not known.
 *                              PROCESS,...: at most 8; "0": there is none, "-": not known, or, in
 *                              older recordings, none of COMMAND and -p. KIND is one of:
 *       futex ADDRESS OWNER HOW  a futex (hex); OWNER: the thread that holds the lock, or that is
 *                              joined, by HOW: word, mutex, rwlock, thread; 0 and "-": not known.
 *                              0 and "condition": a condition variable; "ended": OWNER took the
 *                              mutex, and has ended; "left": the task OWNER that took it is none
 *                              of this process, 0: not known
 *       flock MAJOR:MINOR INODE PROCESS,... PATH
 *                              a lock of a file, also "posix" and "lease"; the processes that have
 *                              it; PATH is the rest of the line, as for all that follow
 *       tried flock ...        the task sleeps; its process has that file open and has no lock of
 *                              it: the task may try again to lock it
 *       pipe INODE PROCESS,... [PATH]
 *                              a pipe; the processes that have its other end open, the own one
 *                              only if no other has; PATH of a fifo; also where the task polls,
 *                              and only these processes can end that. The same of a POSIX message
 *                              queue, of an eventfd, and of a semaphore or message queue of
 *                              System V, where PATH is "id ID", and PROCESS used it last
 *       tty PROCESS,... PATH   a pseudo terminal; the processes that have its master open
 *       socket PROTOCOL FACT PROCESS,... NAME
 *                              tcp, udp or unix; the processes that have the other end open, and
 *                              its address or name; also where the task polls several files, and a
 *                              request on that one has no answer, and as for pipes. FACT: bytes
 *                              that the other end has not taken; "full": the backlog there is
 *                              full; "waiting": the connection has not been accepted; "served":
 *                              the other end opened it; "-": none
 *       child PROCESS,...      the end of one of these children, "-": of any; also where the task
 *                              polls, and only the end of a process can end that
 *       mount TYPE POINT       a file system that a server or another program answers for, such as
 *                              fuse.sshfs or nfs4, mounted at POINT, which is the rest of the line
 *       file PATH              a file, socket or the like; PATH may be empty
 *       -                      nothing more is known
 *   guest                      the machine is a virtual one
 *   boot ID                    the kernel's boot_id: whether /proc/kallsyms is still this kernel's
 *   build-id HEX               the kernel's build id, lower-case: which vmlinux is that kernel's
 *   machine HASH               32 digits, lower-case hex: which machine it is, without its
 *                              /etc/machine-id (recorder/machine/machine_notes.h)
 *   realtime NS REAL WITHIN [ERROR]
 *                              at NS ns of the recording's clock, CLOCK_REALTIME had REAL ns, which
 *                              is wrong by at most WITHIN ns; once at the begin, once at the end.
 *                              ERROR: the maximal error of CLOCK_REALTIME in ns by adjtimex(2),
 *                              with what it is still to be moved by; absent if the kernel does not
 *                              call it synchronized
 *   recorded GROUP[,...]       what was recorded: groups of events, then single ones and patterns
 *   asked TEXT                 the argument of -e; "default" where -e was not given
 *   ring                       `record --ring`: events overwritten before the first event of a
 *                              CPU do not count as lost
 *   note TEXT                  what readers must know of the recording; they show it in the health
 *   damage TEXT                the same about what was lost before this trace.dat was made of the
 *                              recording: such an input is a damaged one
 *   listen PORT [PORT...]      TCP ports that sockets listened on when the recording began, in the
 *                              network namespace of the recorder and of the tasks of -p; at most
 *                              STREAM_LISTEN_MAX
 *   locked KIND MAJOR:MINOR INODE BEGIN END MODE PROCESS
 *                              a lock of a file when the recording began: KIND "flock" or "posix",
 *                              of the bytes from BEGIN to END, MODE 'w' if nobody else may have any
 *                              of them, else 'r'; PROCESS has it; at most STREAM_LOCKS_MAX lines
 *   label KEY TEXT             `record --label`; TEXT as an `argument`, without TEXT it is empty
 *   trigger AT SINCE TID CONDITION
 *                              a flight recorder saved this because CONDITION, the rest of the
 *                              line, was met at AT ns of the recording's clock. What met it began
 *                              at SINCE, AT: it has no duration. TID is its task, 0: none. The
 *                              first such line counts
 *   triggered TEXT             the same in words, of which ftwait/trigger.h has an example
 *   triggered-for KIND [NAME]  what the wait that met it was for: as the aims of ftwait-json(5);
 *                              NAME is the rest of the line
 *   device MAJOR:MINOR NAME [MAPPED]
 *                              a block device that exists when recording begins or, if it appeared
 *                              later, when recording ends; NAME as in /sys/class/block. MAPPED is
 *                              the rest of the line: the device mapper's name, as an `argument`
 *                              is written. If lines of one number differ, only what they share
 *                              is known for the whole recording
 *   path MAJOR:MINOR INODE PATH
 *                              a file that a process of COMMAND or of -p had open or mapped when
 *                              the recorder looked; the numbers are the kernel's, as in events and
 *                              in /proc/locks. PATH is the rest of the line: the link of
 *                              /proc/PID/fd, or the path of /proc/PID/maps, as an `argument` is
 *                              written. Of several paths the first one counts
 *   program TGID BEGIN READ TEXT
 *                              the command line of a process of COMMAND or of -p, or of a
 *                              descendant of these: of the program that it executed at BEGIN, ns of
 *                              CLOCK_MONOTONIC, 0: before recording began. It was read at READ; 0:
 *                              the recording has another clock. The event of that exec is the first
 *                              one from BEGIN on. TEXT is the rest of the line, as
 *                              words/command_line.h defines it. Programs that ended soon have no
 *                              such line
 *   descriptor-path N PATH     path number N, for the lines `descriptor` behind it; PATH is the
 *                              rest of the line: a link of /proc/PID/fd, as an `argument` is
 *                              written: a path, or "pipe:[77]", "anon_inode:[eventfd]",
 *                              STREAM_DESCRIPTOR_RING, "socket:[78]", or with the other end of
 *                              the socket, "socket:[78] with 10.0.0.7:80" of TCP and UDP,
 *                              "socket:[78] with /run/log" of unix sockets, or "socket:[78] with
 *                              socket:[79]" if the other one has no name. Recorders before 1.2
 *                              wrote of these only paths and rings
 *   descriptor TGID NUMBER NS WITHIN N
 *                              at some time from NS of CLOCK_MONOTONIC until WITHIN ns later,
 *                              descriptor NUMBER of a process of COMMAND or of -p, or of a
 *                              descendant of these, was that of path N. There are lines for
 *                              descriptors that were opened while it was recorded, and for those
 *                              that the process had when recording began and when it had executed
 *                              a program. A second line with the same NS says more of the first,
 *                              with the other end of a socket: from the look at the descriptor
 *                              until that at all sockets. The process's system calls go by the
 *                              numbers of the machine's own ABI
 *   steal CPU NS               at the end, for each CPU: how long its host did not let it run
 *                              while it recorded
 *   cpu-limit QUOTA PERIOD THROTTLED PERIODS WHOLE SINCE PATH
 *                              at the end: a control group with a limit on CPU time. It may use
 *                              QUOTA ns in each period of PERIOD ns; by its cpu.stat it was held
 *                              back for THROTTLED ns, in PERIODS periods; WHOLE is 'w' if these two
 *                              cover all of the recording, else '-'; SINCE: when COMMAND or a task
 *                              of -p was first seen in the group, ns of CLOCK_MONOTONIC, 0: at the
 *                              begin, "-": none was. PATH, its folder, is the rest of the line
 *   cpu-weight PER_MILLE BY    at the end: COMMAND or a task of -p has so much of the usual weight,
 *                              less than 1000, when tasks share a CPU. BY is the rest of the line:
 *                              the folder of its control group, or SCHED_IDLE
 *   file N BUILDID PATH        a file that programs execute, N from 0; BUILDID is its GNU build id
 *                              in hex, or "-"; PATH is the rest of the line as /proc/PID/maps
 *                              prints it (a newline is \012)
 *   maps TGID NS               at the end: the executable memory of a process, from NS of
 *                              CLOCK_MONOTONIC on, or as it was first seen at NS (0: the recording
 *                              has another clock). If the process executed another program later,
 *                              that has a `maps` line of its own. The `map`, `jit` and `variable`
 *                              lines up to the next `maps` belong to this one
 *   map START END OFFSET N     from START up to END (hex, as OFFSET): file N from OFFSET on
 *   jit START SIZE NAME        SIZE bytes from START (hex) are a function that the process itself
 *                              generated (perf-PID.map); NAME is the rest of the line
 *   variable ADDRESS WITHIN NAME
 *                              a thread slept at ADDRESS (hex, as WITHIN), WITHIN bytes from the
 *                              begin of the variable NAME of a program or library, by the symbols
 *                              of its file when recording ended; NAME is the rest of the line, as
 *                              an `argument` is written, and is not demangled
 *   variable ADDRESS -         by these symbols, no variable is there
 *   tick HZ                    `record --profile`: ticks a second; 0: not known
 */
#define STREAM_VERSION_WORD "ftwait "
/* A line that ftwait adds to the kernel's statistics of a CPU (option CPUSTAT): how many events
   other processes read out of its buffers. They are lost. */
#define STREAM_STATISTICS_TAKEN "taken by others:"
/* Files may be opened and closed through it without a system call. */
#define STREAM_DESCRIPTOR_RING "anon_inode:[io_uring]"
/* Begin of the link of a socket; its inode follows. */
#define STREAM_DESCRIPTOR_SOCKET "socket:["
/* The beginning of a note that readers drop if they get the symbols elsewhere (--kallsyms). */
#define STREAM_NOTE_UNNAMED "the kernel named none of its functions to the recorder"
