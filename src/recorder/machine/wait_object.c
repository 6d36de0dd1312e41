/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "wait_object.h"

#include <dirent.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "held_locks.h"
#include "open_files.h"
#include "task_snapshot.h"
#include "text_file.h"
#include "waiter_memory.h"
#include "words/kernel/kernel_feature.h"
#include "words/kernel/kernel_numbers.h"

#define LOCKS_BYTES_MAX (1u << 20)
#define STATUS_BYTES_MAX 16384
#define PLACE_BYTES_MAX    8192
#define PATH_BYTES         1024 /* of a path that are read */
#define SLEEPS_MAX         65536
#define TRIED_FILES_MAX    64 /* files of a process among which is what it tries to lock */

/* From the kernel's include/uapi: of fcntl() and of waitid(). */
#define SET_LOCK_WAIT     7
#define SET_LOCK_WAIT_64  14
#define SET_LOCK_WAIT_OFD 38
#define WAIT_FOR_PID      1

/* Which of the arguments names the object that a call waits for. */
enum call_object {
	OBJECT_FUTEX,   /* 0: address, 1: operation, 2: value */
	OBJECT_FLOCK,   /* 0: file */
	OBJECT_FCNTL,   /* 0: file, 1: command */
	OBJECT_FILE,    /* 0: file */
	OBJECT_PATH,    /* 0: path */
	OBJECT_PATH_AT, /* 0: folder, 1: path */
	OBJECT_WAIT4,   /* 0: process */
	OBJECT_VFORK,   /* none: a child that has not executed a program yet */
	OBJECT_WAITID,  /* 0: kind of id, 1: id */
	OBJECT_POLL,    /* waiter_memory.h */
	OBJECT_SLEEP,   /* none, but the thread may try something again afterwards */
	OBJECT_SIGNAL,  /* none: any signal that is not blocked */
	OBJECT_SIGNALS, /* 0: address of a set of signals */
	OBJECT_SEMAPHORE, /* 0: id of the set, 1: address of the operations */
	OBJECT_MESSAGE,   /* 0: id of the queue */
};

static const struct call_row {
	const char *name;
	enum call_object object;
} call_rows[] = {
	{"futex", OBJECT_FUTEX},        {"futex_time64", OBJECT_FUTEX},
	{"flock", OBJECT_FLOCK},        {"fcntl", OBJECT_FCNTL},
	{"fcntl64", OBJECT_FCNTL},      {"wait4", OBJECT_WAIT4},
	{"waitpid", OBJECT_WAIT4},      {"waitid", OBJECT_WAITID},
	{"read", OBJECT_FILE},          {"readv", OBJECT_FILE},
	{"write", OBJECT_FILE},         {"writev", OBJECT_FILE},
	{"pread64", OBJECT_FILE},       {"pwrite64", OBJECT_FILE},
	{"recvfrom", OBJECT_FILE},      {"recvmsg", OBJECT_FILE},
	{"recv", OBJECT_FILE},          {"sendto", OBJECT_FILE},
	{"sendmsg", OBJECT_FILE},       {"send", OBJECT_FILE},
	{"accept", OBJECT_FILE},        {"accept4", OBJECT_FILE},
	{"connect", OBJECT_FILE},       {"fsync", OBJECT_FILE},
	{"fdatasync", OBJECT_FILE},     {"ioctl", OBJECT_FILE},
	{"fstat", OBJECT_FILE},         {"fstat64", OBJECT_FILE},
	{"getdents", OBJECT_FILE},      {"getdents64", OBJECT_FILE},
	{"lseek", OBJECT_FILE},         {"ftruncate", OBJECT_FILE},
	{"fallocate", OBJECT_FILE},     {"fstatfs", OBJECT_FILE},
	{"preadv", OBJECT_FILE},        {"pwritev", OBJECT_FILE},
	{"open", OBJECT_PATH},          {"openat", OBJECT_PATH_AT},
	{"openat2", OBJECT_PATH_AT},    {"creat", OBJECT_PATH},
	{"stat", OBJECT_PATH},          {"lstat", OBJECT_PATH},
	{"stat64", OBJECT_PATH},        {"lstat64", OBJECT_PATH},
	{"newfstatat", OBJECT_PATH_AT}, {"fstatat64", OBJECT_PATH_AT},
	{"statx", OBJECT_PATH_AT},      {"statfs", OBJECT_PATH},
	{"access", OBJECT_PATH},        {"faccessat", OBJECT_PATH_AT},
	{"faccessat2", OBJECT_PATH_AT}, {"readlink", OBJECT_PATH},
	{"readlinkat", OBJECT_PATH_AT}, {"chdir", OBJECT_PATH},
	{"execve", OBJECT_PATH},        {"execveat", OBJECT_PATH_AT},
	{"mkdir", OBJECT_PATH},         {"mkdirat", OBJECT_PATH_AT},
	{"rmdir", OBJECT_PATH},         {"unlink", OBJECT_PATH},
	{"unlinkat", OBJECT_PATH_AT},   {"rename", OBJECT_PATH},
	{"renameat", OBJECT_PATH_AT},   {"renameat2", OBJECT_PATH_AT},
	{"truncate", OBJECT_PATH},      {"chmod", OBJECT_PATH},
	{"fchmodat", OBJECT_PATH_AT},   {"chown", OBJECT_PATH},
	{"fchownat", OBJECT_PATH_AT},   {"utimensat", OBJECT_PATH_AT},
	{"umount2", OBJECT_PATH},       {"poll", OBJECT_POLL},
	{"ppoll", OBJECT_POLL},         {"ppoll_time64", OBJECT_POLL},
	{"select", OBJECT_POLL},        {"_newselect", OBJECT_POLL},
	{"pselect6", OBJECT_POLL},      {"pselect6_time64", OBJECT_POLL},
	{"epoll_wait", OBJECT_POLL},    {"epoll_pwait", OBJECT_POLL},
	{"epoll_pwait2", OBJECT_POLL},  {"nanosleep", OBJECT_SLEEP},
	{"clock_nanosleep", OBJECT_SLEEP}, {"clock_nanosleep_time64", OBJECT_SLEEP},
	{"vfork", OBJECT_VFORK},        {"clone", OBJECT_VFORK},
	{"clone3", OBJECT_VFORK},
	{"semop", OBJECT_SEMAPHORE},    {"semtimedop", OBJECT_SEMAPHORE},
	{"semtimedop_time64", OBJECT_SEMAPHORE},
	{"msgrcv", OBJECT_MESSAGE},     {"msgsnd", OBJECT_MESSAGE},
	{"mq_timedreceive", OBJECT_FILE}, {"mq_timedreceive_time64", OBJECT_FILE},
	{"mq_timedsend", OBJECT_FILE},  {"mq_timedsend_time64", OBJECT_FILE},
	{"pause", OBJECT_SIGNAL},       {"sigsuspend", OBJECT_SIGNAL},
	{"rt_sigsuspend", OBJECT_SIGNAL}, {"rt_sigtimedwait", OBJECT_SIGNALS},
	{"rt_sigtimedwait_time64", OBJECT_SIGNALS},
};

/* "202 0x7f20 0x80 0x2 0x0 0x0 0x0 0x7ffc 0x7f21"; "-1 0x7ffc 0x7f21" outside of a call;
   "running". */
bool task_call_parse(const char *text, struct task_call *ret)
{
	struct task_call call = {.number = -1};
	int used = 0;

	if (sscanf(text, "%" SCNd64 "%n", &call.number, &used) != 1)
		return false;
	if (call.number >= 0 &&
	    sscanf(text + used, "%" SCNx64 "%" SCNx64 "%" SCNx64 "%" SCNx64 "%" SCNx64 "%" SCNx64,
	           &call.argument[0], &call.argument[1], &call.argument[2], &call.argument[3],
	           &call.argument[4], &call.argument[5]) != 6)
		return false;
	*ret = call;
	return true;
}

bool call_numbers_are_right(const struct utsname *machine)
{
	return strncmp(machine->machine, "arm", 3) != 0 ||
	       kernel_release_has(machine->release, FEATURE_CALL_NUMBERS);
}

void wait_scene_begin(struct wait_scene *scene, struct end_table *table, const int32_t *watched,
		      size_t watched_count, nsec_t deadline, nsec_t patience)
{
	*scene = (struct wait_scene){.peek = table->peek};
	wait_ends_begin(&scene->ends, table, watched, watched_count, deadline, patience);
	seen_process_init(&scene->process, table->peek);
	buffer_init(&scene->locks, LOCKS_BYTES_MAX);
	(void)uname(&scene->machine);
}

void wait_scene_end(struct wait_scene *scene)
{
	seen_process_release(&scene->process);
	buffer_release(&scene->locks);
	wait_ends_end(&scene->ends);
}

void sleep_table_init(struct sleep_table *table)
{
	*table = (struct sleep_table){0};
	map_init(&table->by_tid);
}

void sleep_table_release(struct sleep_table *table)
{
	free(table->sleep);
	map_release(&table->by_tid);
}

struct seen_sleep *sleep_table_see(struct sleep_table *table, int32_t tid, uint64_t key,
                                   uint32_t oldest, nsec_t now)
{
	uint32_t at = map_get(&table->by_tid, (uint64_t)tid);
	struct seen_sleep *sleep;

	if (at == MAP_NONE) {
		if (table->count == SLEEPS_MAX)
			return NULL;
		ARRAY_GROW(table->sleep, table->count, table->capacity);
		at = (uint32_t)table->count++;
		map_put(&table->by_tid, (uint64_t)tid, at);
		table->sleep[at] = (struct seen_sleep){.key = ~key};
	}
	sleep = &table->sleep[at];
	if (sleep->key != key || sleep->look < oldest)
		*sleep = (struct seen_sleep){
			.tid = tid, .key = key, .since = now, .call = sleep->call};
	sleep->look = table->look;
	return sleep;
}

void sleep_table_trim(struct sleep_table *table, uint32_t oldest)
{
	size_t count = 0;

	map_clear(&table->by_tid);
	for (size_t i = 0; i < table->count; i++) {
		if (table->sleep[i].look < oldest)
			continue;
		table->sleep[count] = table->sleep[i];
		map_put(&table->by_tid, (uint64_t)table->sleep[count].tid, (uint32_t)count);
		count++;
	}
	table->count = count;
}

/* The threads of a process, as numbers of its own PID namespace. */
struct thread_search {
	int32_t tgid;
	bool is_nested; /* its PID namespace is not that of this process */
	int32_t found;  /* the thread in the PID namespace of this process */
};

static bool thread_is_there(void *state, uint32_t tid)
{
	struct thread_search *search = state;
	_cleanup_(closedirp) DIR *threads = NULL;
	size_t count;

	if (tid > INT32_MAX)
		return false;
	if (!search->is_nested) {
		search->found = access(PROC_PATH("/proc/%d/task/%u", search->tgid, tid), F_OK) == 0
		                        ? (int32_t)tid : 0;
		return search->found != 0;
	}
	threads = opendir(PROC_PATH("/proc/%d/task", search->tgid));
	while (folder_next_pid(threads, &search->found))
		if (task_own_number(search->tgid, search->found, &count) == tid)
			return true;
	return false;
}

/* What nobody has that the futex is of, as a word. */
static const char *futex_object_word(struct wait_scene *scene, uint64_t address,
                                     const struct futex_sleep *sleep)
{
	static const char *const words[] = {
		[FUTEX_OBJECT_NONE] = "-",
		[FUTEX_OBJECT_CONDITION] = "condition",
		[FUTEX_OBJECT_SEMAPHORE] = "semaphore",
		[FUTEX_OBJECT_BARRIER] = "barrier",
	};
	uint8_t before[FUTEX_BYTES_BEFORE];
	bool is_known = seen_process_copy(&scene->process, address - sizeof(before), before,
	                                  sizeof(before)) == sizeof(before);

	return words[is_known ? futex_object_of(sleep, before) : FUTEX_OBJECT_NONE];
}

/* How the futex is owned, as a word; *ret_owner: the thread. */
static const char *owner_describe(struct wait_scene *scene, int32_t tgid, uint64_t address,
				  const struct futex_sleep *sleep, int32_t *ret_owner)
{
	static const char *const how[] = {
		[FUTEX_OWNER_WORD] = "word",
		[FUTEX_OWNER_MUTEX] = "mutex",   [FUTEX_OWNER_RWLOCK] = "rwlock",
		[FUTEX_OWNER_THREAD] = "thread", [FUTEX_OWNER_GONE] = "ended",
	};
	struct thread_search search = {.tgid = tgid};
	enum futex_owner_kind kind;
	size_t depth;
	uint32_t owner;

	(void)task_own_number(tgid, tgid, &depth);
	search.is_nested = depth > 1;
	kind = futex_owner_find(sleep, thread_is_there, &search, &owner);
	*ret_owner = kind == FUTEX_OWNER_NONE ? 0 : search.found;
	if (kind == FUTEX_OWNER_GONE)
		*ret_owner = search.is_nested || owner > INT32_MAX ? 0 : (int32_t)owner;
	/* a process that was forked while another thread had the lock never gets it either */
	if (kind == FUTEX_OWNER_GONE && (*ret_owner == 0 || !task_is_gone(*ret_owner)))
		return "left";
	if (kind == FUTEX_OWNER_NONE)
		return futex_object_word(scene, address, sleep);
	scene->may_change = *ret_owner > 0 && kind != FUTEX_OWNER_THREAD;
	return how[kind];
}

/* "futex ADDRESS OWNER HOW" */
static void futex_describe(struct wait_scene *scene, int32_t tgid, const struct task_call *call,
                           bool is_64_bit, struct buffer *to)
{
	struct futex_sleep sleep = {
		.op = call->argument[1],
		.value = (uint32_t)call->argument[2],
		.is_64_bit = is_64_bit,
	};
	const char *how = "-";
	int32_t owner = 0;

	sleep.count = seen_process_copy(&scene->process, call->argument[0], sleep.memory,
	                                sizeof(sleep.memory));
	if (sleep.count >= sizeof(uint32_t))
		how = owner_describe(scene, tgid, call->argument[0], &sleep, &owner);
	scene->futex = call->argument[0];
	buffer_printf(to, "futex %" PRIx64 " %d %s", call->argument[0], owner, how);
}

/* A path as a word of the line that goes to its end: a newline in it becomes "?". */
static void path_put(struct buffer *to, const char *path, size_t length)
{
	for (size_t i = 0; i < length; i++)
		buffer_putc(to, path[i] == '\n' ? '?' : path[i]);
}

/* Appends the processes that have the lock. /proc/locks names the one that took it, which may have
   ended: then the heirs of the open file have the lock, as with flock(1) in a shell. */
static int32_t lock_holders_put(struct wait_scene *scene, int32_t tgid,
				const struct open_file *file, const struct held_lock *lock,
				struct buffer *to)
{
	struct end_object object = end_object_of(file->path, file->path_length);

	if (lock->owner > 0 && (strcmp(lock->kind, "posix") == 0 ||
				wait_ends_has(&scene->ends, lock->owner, object, END_LOCKED,
					      /* otherwise= */ true))) {
		buffer_printf(to, "%d", lock->owner);
		return lock->owner;
	}
	return wait_ends_put(&scene->ends, tgid, object, END_LOCKED, to);
}

static const char *locks_read(struct wait_scene *scene)
{
	if (!scene->has_locks)
		(void)text_file_read("/proc/locks", &scene->locks);
	scene->has_locks = true;
	return scene->locks.length ? scene->locks.text : "";
}

/* "flock MAJOR:MINOR INODE PROCESS,... PATH" */
static int32_t held_describe(struct wait_scene *scene, int32_t tgid, const struct open_file *file,
			     const struct held_lock *lock, struct buffer *to)
{
	int32_t owner;

	buffer_printf(to, "%s %u:%u %" PRIu64 " ", lock->kind, lock->major, lock->minor,
		      lock->inode);
	owner = lock_holders_put(scene, tgid, file, lock, to);
	buffer_putc(to, ' ');
	path_put(to, file->path, file->path_length);
	scene->may_change = owner > 0;
	return owner;
}

/* The lock that the thread waits for; the file alone if the kernel knows no such wait. */
static int32_t lock_describe(struct wait_scene *scene, int32_t tgid, const struct open_file *file,
			     struct buffer *to)
{
	struct held_lock lock;

	/* /proc/locks names no process that waits for a lock of an open file description */
	if (held_lock_find(locks_read(scene), tgid, file->inode, &lock) ||
	    held_lock_of_file(locks_read(scene), tgid, file->inode, &lock))
		return held_describe(scene, tgid, file, &lock, to);
	buffer_puts(to, "file ");
	path_put(to, file->path, file->path_length);
	return 0;
}

/* Whether the process has that file open, and others the lock of it. */
static bool is_locked_by_others(struct wait_scene *scene, const struct open_end *end,
				struct buffer *text, struct open_file *file,
				struct held_lock *lock)
{
	buffer_clear(text);
	return end->kind == END_PATH &&
	       open_file_read(scene->peek, end->tgid, end->file, text, file) &&
	       file->inode && !file->has_lock &&
	       held_lock_of_file(locks_read(scene), end->tgid, file->inode, lock);
}

/* "tried flock ..." if one of the files that the process has open is locked by others: it may sleep
   between two tries to lock that. Only of the processes that were asked for; else "-". */
static int32_t tries_describe(struct wait_scene *scene, int32_t tgid, struct buffer *to)
{
	_cleanup_(buffer_release) struct buffer text = buffer_of(2 * PATH_MAX);
	struct end_round *files = &scene->ends.one;
	const struct open_end *tried = NULL;
	struct open_file file;
	struct held_lock lock;
	size_t count = 0;

	if (wait_ends_is_watched(&scene->ends, tgid) && *locks_read(scene) &&
	    end_table_read(scene->ends.table, tgid, files) && files->count <= TRIED_FILES_MAX)
		for (size_t i = 0; i < files->count; i++)
			if (is_locked_by_others(scene, &files->end[i], &text, &file, &lock)) {
				tried = &files->end[i];
				count++;
			}
	if (count != 1 || !is_locked_by_others(scene, tried, &text, &file, &lock)) {
		buffer_putc(to, '-');
		return 0;
	}
	buffer_puts(to, "tried ");
	return held_describe(scene, tgid, &file, &lock, to);
}

/* "pipe INODE PROCESS,... [PATH]": those that have the other end open; the process itself if only
   it has. PATH: of a fifo or a message queue; the id of an eventfd. */
static int32_t pipe_describe(struct wait_scene *scene, int32_t tgid, const struct open_file *file,
			     bool is_written, struct buffer *to)
{
	struct end_object object = end_object_of(file->path, file->path_length);
	uint64_t inode = object.kind == END_PIPE ? object.number : file->inode;
	int32_t other;

	if (object.kind == END_EVENT && file->event) {
		object.number = file->event;
		buffer_puts(to, "pipe 0 ");
		other = wait_ends_put(&scene->ends, tgid, object, END_OPEN, to);
		buffer_printf(to, " id %" PRIu64, file->event);
		return other;
	}
	buffer_printf(to, "pipe %" PRIu64 " ", inode);
	other = wait_ends_put(&scene->ends, tgid, object, is_written ? END_READ : END_WRITTEN, to);
	if (object.kind == END_PATH) {
		buffer_putc(to, ' ');
		path_put(to, file->path, file->path_length);
	}
	return other;
}

/* "tty PROCESS,... PATH": of a pseudo terminal, those that have its master open. */
static int32_t terminal_describe(struct wait_scene *scene, int32_t tgid,
				 const struct open_file *file, uint64_t number, struct buffer *to)
{
	const struct end_object master = {number, END_MASTER};
	int32_t other;

	buffer_puts(to, "tty ");
	other = wait_ends_put(&scene->ends, tgid, master, END_OPEN, to);
	buffer_putc(to, ' ');
	path_put(to, file->path, file->path_length);
	return other;
}

/* The number of the pseudo terminal "/dev/pts/3"; false: it is none. */
static bool terminal_number(const struct open_file *file, uint64_t *ret)
{
	char text[32];

	(void)snprintf(text, sizeof(text), "%.*s", (int)file->path_length, file->path);
	return sscanf(text, "/dev/pts/%" SCNu64, ret) == 1;
}

/* The name of the unix socket that connect() waits for. */
static bool target_read(struct wait_scene *scene, const struct task_call *call,
			struct buffer *ret)
{
	char memory[SOCKET_NAME_BYTES];
	size_t size = call->argument[2] < SOCKET_NAME_BYTES ? (size_t)call->argument[2]
							    : SOCKET_NAME_BYTES;
	uint16_t family;

	buffer_init(ret, SOCKET_NAME_BYTES);
	if (size > sizeof(family) + 1)
		size = seen_process_copy(&scene->process, call->argument[1], memory, size);
	if (size <= sizeof(family) + 1)
		return false;
	memcpy(&family, memory, sizeof(family));
	if (family != AF_UNIX)
		return false;
	memory[sizeof(family)] = memory[sizeof(family)] ? memory[sizeof(family)] : '@';
	buffer_append(ret, memory + sizeof(family),
		      strnlen(memory + sizeof(family), size - sizeof(family)));
	return true;
}

/* False: nothing is known of the socket's other end. */
static bool socket_describe(struct wait_scene *scene, int32_t tgid, const struct task_call *call,
			    const char *name, uint64_t inode, struct buffer *to,
			    int32_t *ret_other)
{
	_cleanup_(buffer_release) struct buffer target = {0};
	bool has_target = strcmp(name, "connect") == 0 && target_read(scene, call, &target);
	bool is_known;

	*ret_other = wait_ends_put_socket(&scene->ends, tgid, inode,
					  has_target ? target.text : NULL, to, &is_known);
	return is_known;
}

/* "mount TYPE POINT" */
static void mount_describe(const struct mount *mount, struct buffer *to)
{
	buffer_printf(to, "mount %s ", mount->type);
	path_put(to, mount->point, strlen(mount->point));
}

/* `name`: of the call; `place`: where in the kernel the thread sleeps. */
static int32_t file_describe(struct wait_scene *scene, int32_t tgid, const struct open_file *file,
			     const struct task_call *call, const char *name, const char *place,
			     struct buffer *to)
{
	struct end_object object = end_object_of(file->path, file->path_length);
	bool is_written = strncmp(name, "write", strlen("write")) == 0 ||
			  strncmp(name, "mq_timedsend", strlen("mq_timedsend")) == 0;
	struct mount mount;
	uint64_t terminal;
	int32_t other;

	if (object.kind == END_PROCESS && file->process) {
		buffer_printf(to, "child %d", file->process);
		return file->process;
	}
	if (object.kind == END_PIPE || (object.kind == END_EVENT && file->event) ||
	    strncmp(name, "mq_", strlen("mq_")) == 0 || strstr(place, "pipe_read") ||
	    strstr(place, "pipe_write") ||
	    strstr(place, "pipe_wait"))
		return pipe_describe(scene, tgid, file, is_written, to);
	if (object.kind == END_SOCKET &&
	    socket_describe(scene, tgid, call, name, object.number, to, &other))
		return other;
	if (terminal_number(file, &terminal))
		return terminal_describe(scene, tgid, file, terminal, to);
	if (seen_process_mount(&scene->process, file->mount, &mount) &&
	    mount_is_served(&mount)) {
		mount_describe(&mount, to);
		return 0;
	}
	buffer_puts(to, "file ");
	path_put(to, file->path, file->path_length);
	return 0;
}

/* Appends the folder that the call begins at: that of a file descriptor, or the process's own. */
static void folder_append(struct wait_scene *scene, int32_t tgid, const uint64_t *folder,
			  struct buffer *to)
{
	const char *path = folder && (int32_t)*folder >= 0
	                           ? PROC_PATH("/proc/%d/fd/%d", tgid, (int32_t)*folder)
	                           : PROC_PATH("/proc/%d/cwd", tgid);

	(void)peek_link(scene->peek, tgid, path, to);
	buffer_putc(to, '/');
}

/* "mount TYPE POINT" if the path of the call lies on a file system with a server; "pipe 0 0 PATH"
   if it is that of a fifo of which nobody opens the other end; else "file PATH". */
static void path_describe(struct wait_scene *scene, int32_t tgid, const uint64_t *folder,
			  uint64_t address, const char *place, struct buffer *to)
{
	_cleanup_(buffer_release) struct buffer name = buffer_of(PATH_BYTES);
	_cleanup_(buffer_release) struct buffer path = buffer_of(2 * PATH_MAX + PATH_BYTES);
	struct mount mount;

	if (!seen_process_memory(&scene->process, address, PATH_BYTES, &name)) {
		buffer_putc(to, '-');
		return;
	}
	if (name.text[0] != '/')
		folder_append(scene, tgid, folder, &path);
	buffer_puts(&path, name.text);
	if (seen_process_mount_of_path(&scene->process, path.text, &mount) &&
	    mount_is_served(&mount)) {
		mount_describe(&mount, to);
		return;
	}
	/* a task that opened the other end of the fifo would end the wait */
	buffer_puts(to, strstr(place, "fifo_open") ? "pipe 0 0 " : "file ");
	path_put(to, path.text, path.length);
}

/* "child PROCESS[,...]": those that the call may wait for. */
static int32_t children_describe(int32_t tgid, int32_t asked, struct buffer *to)
{
	struct task_family children;
	int32_t only;

	task_family_init(&children);
	if (asked > 0)
		task_family_add(&children, asked);
	else
		task_family_add_children(&children, tgid);
	buffer_puts(to, "child ");
	for (size_t i = 0; i < children.count && i < WAIT_HOLDERS_MAX; i++)
		buffer_printf(to, "%s%d", i ? "," : "", children.process[i]);
	if (children.count == 0)
		buffer_putc(to, '-');
	only = children.count == 1 ? children.process[0] : 0;
	task_family_release(&children);
	return only;
}

/* The only child that lives; 0: there are several, or none. */
static int32_t only_child(int32_t tgid)
{
	struct task_family children;
	int32_t only = 0;
	size_t count = 0;

	task_family_init(&children);
	task_family_add_children(&children, tgid);
	for (size_t i = 0; i < children.count; i++)
		if (!task_is_gone(children.process[i])) {
			only = children.process[i];
			count++;
		}
	task_family_release(&children);
	return count == 1 ? only : 0;
}

/* Whether the signals of that line of /proc/TID/status have SIGCHLD. */
static bool line_has_child_signal(const char *text, const char *line)
{
	uint64_t set;

	return text_number(text, line, 16, &set) && set >> (SIGCHLD - 1) & 1;
}

/* Whether the end of a child wakes the thread. */
static bool has_child_signal(struct wait_scene *scene, int32_t tgid, int32_t tid,
			     const struct task_call *call, enum call_object object)
{
	_cleanup_(buffer_release) struct buffer text = buffer_of(STATUS_BYTES_MAX);
	unsigned long set;

	if (object == OBJECT_SIGNAL)
		return text_file_read(PROC_PATH("/proc/%d/task/%d/status", tgid, tid),
		                      &text) == 0 &&
		       line_has_child_signal(text.text, "\nSigCgt:") &&
		       !line_has_child_signal(text.text, "\nSigBlk:");
	return seen_process_copy(&scene->process, call->argument[0], &set, sizeof(set)) ==
		       sizeof(set) && set >> (SIGCHLD - 1) & 1;
}

/* "child PROCESS" of a task with one child that sleeps in vfork(), or until a signal comes, as that
   of the child's end; else "-". */
static int32_t child_describe(struct wait_scene *scene, int32_t tgid, int32_t tid,
			      const struct task_call *call, enum call_object object,
			      struct buffer *to)
{
	int32_t child = object == OBJECT_VFORK ||
	                                has_child_signal(scene, tgid, tid, call, object)
	                        ? only_child(tgid) : 0;

	if (child)
		buffer_printf(to, "child %d", child);
	else
		buffer_putc(to, '-');
	return child;
}

/* The objects that are files of the process. */
static int32_t opened_describe(struct wait_scene *scene, int32_t tgid, const struct task_call *call,
			       const struct call_row *row, const char *place, struct buffer *to)
{
	_cleanup_(buffer_release) struct buffer text = buffer_of(2 * PATH_MAX);
	struct open_file file;

	if (!open_file_read(scene->peek, tgid, call->argument[0], &text, &file)) {
		buffer_puts(to, "file ");
		return 0;
	}
	return row->object == OBJECT_FILE
		       ? file_describe(scene, tgid, &file, call, row->name, place, to)
		       : lock_describe(scene, tgid, &file, to);
}

/* Whether the call of fcntl() waits for a lock. */
static bool is_lock_wait(uint64_t command)
{
	return command == SET_LOCK_WAIT || command == SET_LOCK_WAIT_64 ||
	       command == SET_LOCK_WAIT_OFD;
}

/* What the thread polls where only one pipe or unix socket can end that; else "-". */
static int32_t polled_describe(struct wait_scene *scene, int32_t tgid,
			       const struct task_call *call, const struct poll_set *set,
			       const char *place, struct buffer *to)
{
	_cleanup_(buffer_release) struct buffer text = buffer_of(2 * PATH_MAX);
	struct open_file file;
	uint64_t number = 0;

	if (wait_ends_find_polled(&scene->ends, tgid, set->bit, POLLED_MAX, set->count, &number) &&
	    open_file_read(scene->peek, tgid, number, &text, &file))
		return file_describe(scene, tgid, &file, call, file.is_read ? "read" : "write",
				     place, to);
	buffer_putc(to, '-');
	return 0;
}

/* "socket ..." of the connection on which a request is open, if that can be seen. */
static int32_t poll_describe(struct wait_scene *scene, int32_t tgid, const struct task_call *call,
			     const char *name, const char *place, struct buffer *to)
{
	struct poll_set set = {.count = 0};
	uint64_t inode = 0;
	int32_t other;
	bool is_known;

	if (poll_set_read(&scene->process, name, call->argument, &set) && set.count > 0)
		inode = wait_ends_find_request(&scene->ends, tgid, set.bit, POLLED_MAX,
					       set.count == 1);
	if (inode) {
		other = wait_ends_put_socket(&scene->ends, tgid, inode, NULL, to, &is_known);
		if (is_known)
			return other;
	}
	return polled_describe(scene, tgid, call, &set, place, to);
}

/* Whether ids of System V objects are the same for that process as for this one. */
static bool has_own_ipc(struct wait_scene *scene, int32_t tgid)
{
	_cleanup_(buffer_release) struct buffer space = buffer_of(2 * PATH_MAX);
	char own[NAMESPACE_BYTES] = "";

	(void)peek_link(scene->peek, tgid, PROC_PATH("/proc/%d/ns/ipc", tgid), &space);
	return readlink("/proc/self/ns/ipc", own, sizeof(own) - 1) > 0 && space.length > 0 &&
	       strcmp(own, space.text) == 0;
}

/* The process that changed the semaphore last which the first operation is about; 0: not known. */
static int32_t semaphore_changer(struct wait_scene *scene, const struct task_call *call)
{
	uint16_t number;

	if (seen_process_copy(&scene->process, call->argument[1], &number, sizeof(number)) <
	    sizeof(number))
		return 0;
	return semctl((int)call->argument[0], number, GETPID);
}

/* The process that sent to the queue last, or took from it; 0: not known. */
static int32_t queue_user(const struct task_call *call, bool is_sent)
{
	struct msqid_ds queue;

	if (msgctl((int)call->argument[0], IPC_STAT, &queue) < 0)
		return 0;
	return is_sent ? queue.msg_lrpid : queue.msg_lspid;
}

/* "pipe 0 PROCESS id ID": who used it last is likely to do so again. */
static int32_t ipc_describe(struct wait_scene *scene, int32_t tgid, const struct task_call *call,
			    const struct call_row *row, struct buffer *to)
{
	int32_t other = 0;

	if (has_own_ipc(scene, tgid))
		other = row->object == OBJECT_SEMAPHORE
				? semaphore_changer(scene, call)
				: queue_user(call, strcmp(row->name, "msgsnd") == 0);
	if (other <= 0 || other == tgid || task_is_gone(other))
		other = 0;
	if (other)
		buffer_printf(to, "pipe 0 %d id %d", other, (int)call->argument[0]);
	else
		buffer_printf(to, "pipe 0 - id %d", (int)call->argument[0]);
	return other;
}

/* What the call is about that is no open file. */
static int32_t other_describe(struct wait_scene *scene, int32_t tgid, int32_t tid,
                              const struct task_call *call, const struct call_row *row,
                              const char *place, struct buffer *to)
{
	const uint64_t *argument = call->argument;

	switch (row->object) {
	case OBJECT_FUTEX:
		futex_describe(scene, tgid, call, seen_process_is_64_bit(&scene->process), to);
		return 0; /* the owner is a thread of the same process */
	case OBJECT_PATH:
		path_describe(scene, tgid, NULL, argument[0], place, to);
		return 0;
	case OBJECT_PATH_AT:
		path_describe(scene, tgid, &argument[0], argument[1], place, to);
		return 0;
	case OBJECT_WAIT4:
		return children_describe(tgid, (int32_t)argument[0], to);
	case OBJECT_WAITID:
		return children_describe(
			tgid, argument[0] == WAIT_FOR_PID ? (int32_t)argument[1] : 0, to);
	case OBJECT_SLEEP:
		return tries_describe(scene, tgid, to);
	case OBJECT_POLL:
		return poll_describe(scene, tgid, call, row->name, place, to);
	case OBJECT_SEMAPHORE:
	case OBJECT_MESSAGE:
		return ipc_describe(scene, tgid, call, row, to);
	case OBJECT_VFORK:
	case OBJECT_SIGNAL:
	case OBJECT_SIGNALS:
		return child_describe(scene, tgid, tid, call, row->object, to);
	case OBJECT_FILE:
	case OBJECT_FLOCK:
	case OBJECT_FCNTL:
		break;
	}
	buffer_putc(to, '-');
	return 0;
}

static int32_t object_describe(struct wait_scene *scene, int32_t tgid, int32_t tid,
			       const struct task_call *call, struct buffer *to)
{
	_cleanup_(buffer_release) struct buffer place = buffer_of(PLACE_BYTES_MAX);
	const struct call_row *row = NULL;
	const char *name = NULL;
	bool is_64_bit = false;

	seen_process_of(&scene->process, tgid);
	if (call && call->number >= 0) {
		const char *arch = scene->machine.machine;

		is_64_bit = seen_process_is_64_bit(&scene->process);
		name = syscall_name(arch, syscall_has_compat(arch) && !is_64_bit, call->number);
	}
	if (!task_place_append(scene->peek, tgid, tid, &place))
		buffer_putc(&place, '-');
	buffer_printf(to, "%s %s ", name ? name : "-", place.text);
	for (size_t i = 0; name && i < ARRAY_SIZE(call_rows); i++)
		if (strcmp(call_rows[i].name, name) == 0)
			row = &call_rows[i];
	if (row && (row->object == OBJECT_FILE || row->object == OBJECT_FLOCK ||
	            (row->object == OBJECT_FCNTL && is_lock_wait(call->argument[1]))))
		return opened_describe(scene, tgid, call, row, place.text, to);
	if (row)
		return other_describe(scene, tgid, tid, call, row, place.text, to);
	buffer_putc(to, '-');
	return 0;
}

int32_t wait_scene_describe(struct wait_scene *scene, int32_t tgid, int32_t tid,
                            const struct task_call *call, struct buffer *to)
{
	int32_t other;

	scene->may_change = scene->ends.is_partial = false;
	scene->futex = 0;
	other = object_describe(scene, tgid, tid,
	                        call_numbers_are_right(&scene->machine) ? call : NULL, to);
	scene->may_change |= scene->ends.is_partial;
	return other;
}
