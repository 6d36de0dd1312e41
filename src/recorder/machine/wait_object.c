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
	OBJECT_NONE,
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

static const char *const calls_of[] = {
	[OBJECT_NONE] = "",
	[OBJECT_FUTEX] = "futex futex_time64",
	[OBJECT_FLOCK] = "flock",
	[OBJECT_FCNTL] = "fcntl fcntl64",
	[OBJECT_FILE] = "read readv write writev pread64 pwrite64 preadv pwritev recvfrom recvmsg "
	                "recv sendto sendmsg send accept accept4 connect fsync fdatasync ioctl "
	                "fstat fstat64 getdents getdents64 lseek ftruncate fallocate fstatfs "
	                "mq_timedreceive mq_timedreceive_time64 mq_timedsend mq_timedsend_time64",
	[OBJECT_PATH] = "open creat stat lstat stat64 lstat64 statfs access readlink chdir execve "
	                "mkdir rmdir unlink rename truncate chmod chown umount2",
	[OBJECT_PATH_AT] = "openat openat2 newfstatat fstatat64 statx faccessat faccessat2 "
	                   "readlinkat execveat mkdirat unlinkat renameat renameat2 fchmodat "
	                   "fchownat utimensat",
	[OBJECT_WAIT4] = "wait4 waitpid",
	[OBJECT_VFORK] = "vfork clone clone3",
	[OBJECT_WAITID] = "waitid",
	[OBJECT_POLL] = "poll ppoll ppoll_time64 select _newselect pselect6 pselect6_time64 "
	                "epoll_wait epoll_pwait epoll_pwait2",
	[OBJECT_SLEEP] = "nanosleep clock_nanosleep clock_nanosleep_time64",
	[OBJECT_SIGNAL] = "pause sigsuspend rt_sigsuspend",
	[OBJECT_SIGNALS] = "rt_sigtimedwait rt_sigtimedwait_time64",
	[OBJECT_SEMAPHORE] = "semop semtimedop semtimedop_time64",
	[OBJECT_MESSAGE] = "msgrcv msgsnd",
};

static bool words_have(const char *words, const char *word)
{
	size_t length = strlen(word);

	for (const char *at = words; (at = strstr(at, word)); at += length)
		if ((at == words || at[-1] == ' ') && strchr(" ", at[length]))
			return true;
	return false;
}

static enum call_object object_of_call(const char *name)
{
	for (size_t i = OBJECT_FUTEX; i < ARRAY_SIZE(calls_of); i++)
		if (words_have(calls_of[i], name))
			return (enum call_object)i;
	return OBJECT_NONE;
}

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

/* The wait that is described. */
struct wait {
	struct wait_scene *scene;
	int32_t tgid, tid;
	const struct task_call *call;
	const char *name;  /* of the call */
	const char *place; /* where in the kernel the thread sleeps */
	enum call_object object;
	struct buffer *to;
};

/* What nobody has that the futex is of, as a word. */
static const char *futex_object_word(const struct wait *wait, const struct futex_sleep *sleep)
{
	static const char *const words[] = {
		[FUTEX_OBJECT_NONE] = "-",
		[FUTEX_OBJECT_CONDITION] = "condition",
		[FUTEX_OBJECT_SEMAPHORE] = "semaphore",
		[FUTEX_OBJECT_BARRIER] = "barrier",
	};
	uint8_t before[FUTEX_BYTES_BEFORE];
	bool is_known = seen_process_copy(&wait->scene->process,
	                                  wait->call->argument[0] - sizeof(before), before,
	                                  sizeof(before)) == sizeof(before);

	return words[is_known ? futex_object_of(sleep, before) : FUTEX_OBJECT_NONE];
}

/* How the futex is owned, as a word; *ret_owner: the thread. */
static const char *owner_describe(const struct wait *wait, const struct futex_sleep *sleep,
                                  int32_t *ret_owner)
{
	static const char *const how[] = {
		[FUTEX_OWNER_WORD] = "word",
		[FUTEX_OWNER_MUTEX] = "mutex",   [FUTEX_OWNER_RWLOCK] = "rwlock",
		[FUTEX_OWNER_THREAD] = "thread", [FUTEX_OWNER_GONE] = "ended",
	};
	struct thread_search search = {.tgid = wait->tgid};
	enum futex_owner_kind kind;
	size_t depth;
	uint32_t owner;

	(void)task_own_number(wait->tgid, wait->tgid, &depth);
	search.is_nested = depth > 1;
	kind = futex_owner_find(sleep, thread_is_there, &search, &owner);
	*ret_owner = kind == FUTEX_OWNER_NONE ? 0 : search.found;
	if (kind == FUTEX_OWNER_GONE)
		*ret_owner = search.is_nested || owner > INT32_MAX ? 0 : (int32_t)owner;
	/* a process that was forked while another thread had the lock never gets it either */
	if (kind == FUTEX_OWNER_GONE && (*ret_owner == 0 || !task_is_gone(*ret_owner)))
		return "left";
	if (kind == FUTEX_OWNER_NONE)
		return futex_object_word(wait, sleep);
	wait->scene->may_change = *ret_owner > 0 && kind != FUTEX_OWNER_THREAD;
	return how[kind];
}

/* "futex ADDRESS OWNER HOW". Returns 0: the owner is a thread of the same process. */
static int32_t futex_describe(const struct wait *wait)
{
	struct wait_scene *scene = wait->scene;
	uint64_t address = wait->call->argument[0];
	struct futex_sleep sleep = {
		.op = wait->call->argument[1],
		.value = (uint32_t)wait->call->argument[2],
		.is_64_bit = seen_process_is_64_bit(&scene->process),
	};
	const char *how = "-";
	int32_t owner = 0;

	sleep.count = seen_process_copy(&scene->process, address, sleep.memory,
	                                sizeof(sleep.memory));
	if (sleep.count >= sizeof(uint32_t))
		how = owner_describe(wait, &sleep, &owner);
	scene->futex = address;
	buffer_printf(wait->to, "futex %" PRIx64 " %d %s", address, owner, how);
	return 0;
}

/* Nothing is known of the object. */
static int32_t none_describe(const struct wait *wait)
{
	buffer_putc(wait->to, '-');
	return 0;
}

/* Appends the words and a path, which goes to the end of the line: a newline in it becomes "?". */
static void path_put(const struct wait *wait, const char *words, const char *path, size_t length)
{
	buffer_puts(wait->to, words);
	for (size_t i = 0; i < length; i++)
		buffer_putc(wait->to, path[i] == '\n' ? '?' : path[i]);
}

static void file_put(const struct wait *wait, const char *words, const struct open_file *file)
{
	path_put(wait, words, file->path, file->path_length);
}

/* Appends the processes that have it open. */
static int32_t ends_put(const struct wait *wait, struct end_object object, enum end_use use)
{
	return wait_ends_put(&wait->scene->ends, wait->tgid, object, use, wait->to);
}

/* Appends the processes that have the lock. /proc/locks names the one that took it, which may have
   ended: then the heirs of the open file have the lock, as with flock(1) in a shell. */
static int32_t lock_holders_put(const struct wait *wait, const struct open_file *file,
                                const struct held_lock *lock)
{
	struct end_object object = end_object_of(file->path, file->path_length);

	if (lock->owner <= 0 || (strcmp(lock->kind, "posix") != 0 &&
	                         !wait_ends_may_lock(&wait->scene->ends, lock->owner, object)))
		return ends_put(wait, object, END_LOCKED);
	buffer_printf(wait->to, "%d", lock->owner);
	return lock->owner;
}

static const char *locks_read(struct wait_scene *scene)
{
	if (!scene->has_locks)
		(void)text_file_read("/proc/locks", &scene->locks);
	scene->has_locks = true;
	return scene->locks.length ? scene->locks.text : "";
}

/* "flock MAJOR:MINOR INODE PROCESS,... PATH" */
static int32_t held_describe(const struct wait *wait, const struct open_file *file,
                             const struct held_lock *lock)
{
	int32_t owner;

	buffer_printf(wait->to, "%s %u:%u %" PRIu64 " ", lock->kind, lock->major, lock->minor,
	              lock->inode);
	owner = lock_holders_put(wait, file, lock);
	file_put(wait, " ", file);
	wait->scene->may_change = owner > 0;
	return owner;
}

/* The lock that the thread waits for; the file alone if the kernel knows no such wait. */
static int32_t lock_describe(const struct wait *wait, const struct open_file *file)
{
	const char *locks = locks_read(wait->scene);
	struct held_lock lock;

	/* /proc/locks names no process that waits for a lock of an open file description */
	if (held_lock_find(locks, wait->tgid, file->inode, &lock) ||
	    held_lock_of_file(locks, wait->tgid, file->inode, &lock))
		return held_describe(wait, file, &lock);
	file_put(wait, "file ", file);
	return 0;
}

/* Whether the process has that file open, and others the lock of it. */
static bool is_locked_by_others(struct wait_scene *scene, const struct open_end *end,
                                struct buffer *text, struct open_file *file, struct held_lock *lock)
{
	buffer_clear(text);
	return end->kind == END_PATH &&
	       open_file_read(scene->peek, end->tgid, end->file, text, file) &&
	       file->inode && !file->has_lock &&
	       held_lock_of_file(locks_read(scene), end->tgid, file->inode, lock);
}

/* "tried flock ..." if one of the files that the process has open is locked by others: it may sleep
   between two tries to lock that. Only of the processes that were asked for; else "-". */
static int32_t tries_describe(const struct wait *wait)
{
	_cleanup_(buffer_release) struct buffer text = buffer_of(2 * PATH_MAX);
	struct wait_scene *scene = wait->scene;
	struct end_round *files = &scene->ends.one;
	const struct open_end *tried = NULL;
	struct open_file file;
	struct held_lock lock;
	size_t count = 0;

	if (wait_ends_is_watched(&scene->ends, wait->tgid) && *locks_read(scene) &&
	    end_table_read(scene->ends.table, wait->tgid, files) && files->count <= TRIED_FILES_MAX)
		for (size_t i = 0; i < files->count; i++)
			if (is_locked_by_others(scene, &files->end[i], &text, &file, &lock)) {
				tried = &files->end[i];
				count++;
			}
	if (count != 1 || !is_locked_by_others(scene, tried, &text, &file, &lock))
		return none_describe(wait);
	buffer_puts(wait->to, "tried ");
	return held_describe(wait, &file, &lock);
}

/* "pipe INODE PROCESS,... [PATH]": those that have the other end open; the process itself if only
   it has. PATH: of a fifo or a message queue; the id of an eventfd. */
static int32_t pipe_describe(const struct wait *wait, const struct open_file *file, bool is_written)
{
	struct end_object object = end_object_of(file->path, file->path_length);
	int32_t other;

	if (object.kind == END_EVENT && file->event) {
		object.number = file->event;
		buffer_puts(wait->to, "pipe 0 ");
		other = ends_put(wait, object, END_OPEN);
		buffer_printf(wait->to, " id %" PRIu64, file->event);
		return other;
	}
	buffer_printf(wait->to, "pipe %" PRIu64 " ",
	              object.kind == END_PIPE ? object.number : file->inode);
	other = ends_put(wait, object, is_written ? END_READ : END_WRITTEN);
	if (object.kind == END_PATH)
		file_put(wait, " ", file);
	return other;
}

/* "tty PROCESS,... PATH": of a pseudo terminal, those that have its master open. */
static int32_t terminal_describe(const struct wait *wait, const struct open_file *file,
                                 uint64_t number)
{
	int32_t other;

	buffer_puts(wait->to, "tty ");
	other = ends_put(wait, (struct end_object){number, END_MASTER}, END_OPEN);
	file_put(wait, " ", file);
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
static bool target_read(const struct wait *wait, struct buffer *ret)
{
	const uint64_t *argument = wait->call->argument;
	char memory[SOCKET_NAME_BYTES];
	size_t size = argument[2] < SOCKET_NAME_BYTES ? (size_t)argument[2] : SOCKET_NAME_BYTES;
	uint16_t family;

	buffer_init(ret, SOCKET_NAME_BYTES);
	if (size > sizeof(family) + 1)
		size = seen_process_copy(&wait->scene->process, argument[1], memory, size);
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
static bool socket_describe(const struct wait *wait, uint64_t inode, int32_t *ret_other)
{
	_cleanup_(buffer_release) struct buffer target = {0};
	bool has_target = strcmp(wait->name, "connect") == 0 && target_read(wait, &target);
	bool is_known;

	*ret_other = wait_ends_put_socket(&wait->scene->ends, wait->tgid, inode,
	                                  has_target ? target.text : NULL, wait->to, &is_known);
	return is_known;
}

/* "mount TYPE POINT" if the file system has a server; else false. */
static bool mount_describe(const struct wait *wait, const struct mount *mount)
{
	if (!mount_is_served(mount))
		return false;
	buffer_printf(wait->to, "mount %s ", mount->type);
	path_put(wait, "", mount->point, strlen(mount->point));
	return true;
}

static bool begins_with(const char *text, const char *begin)
{
	return strncmp(text, begin, strlen(begin)) == 0;
}

static int32_t file_describe(const struct wait *wait, const struct open_file *file)
{
	struct end_object object = end_object_of(file->path, file->path_length);
	struct mount mount;
	uint64_t terminal;
	int32_t other;

	if (object.kind == END_PROCESS && file->process) {
		buffer_printf(wait->to, "child %d", file->process);
		return file->process;
	}
	if (object.kind == END_PIPE || (object.kind == END_EVENT && file->event) ||
	    begins_with(wait->name, "mq_") || strstr(wait->place, "pipe_read") ||
	    strstr(wait->place, "pipe_write") || strstr(wait->place, "pipe_wait"))
		return pipe_describe(wait, file, begins_with(wait->name, "write") ||
		                                         begins_with(wait->name, "mq_timedsend"));
	if (object.kind == END_SOCKET && socket_describe(wait, object.number, &other))
		return other;
	if (terminal_number(file, &terminal))
		return terminal_describe(wait, file, terminal);
	if (!seen_process_mount(&wait->scene->process, file->mount, &mount) ||
	    !mount_describe(wait, &mount))
		file_put(wait, "file ", file);
	return 0;
}

/* Appends the folder that the call begins at: that of a file descriptor, or the process's own. */
static void folder_append(const struct wait *wait, const uint64_t *folder, struct buffer *to)
{
	const char *path = folder && (int32_t)*folder >= 0
	                           ? PROC_PATH("/proc/%d/fd/%d", wait->tgid, (int32_t)*folder)
	                           : PROC_PATH("/proc/%d/cwd", wait->tgid);

	(void)peek_link(wait->scene->peek, wait->tgid, path, to);
	buffer_putc(to, '/');
}

/* "mount TYPE POINT" if the path of the call lies on a file system with a server; "pipe 0 0 PATH"
   if it is that of a fifo of which nobody opens the other end; else "file PATH". */
static int32_t path_describe(const struct wait *wait, const uint64_t *folder, uint64_t address)
{
	_cleanup_(buffer_release) struct buffer name = buffer_of(PATH_BYTES);
	_cleanup_(buffer_release) struct buffer path = buffer_of(2 * PATH_MAX + PATH_BYTES);
	struct mount mount;

	if (!seen_process_memory(&wait->scene->process, address, PATH_BYTES, &name))
		return none_describe(wait);
	if (name.text[0] != '/')
		folder_append(wait, folder, &path);
	buffer_puts(&path, name.text);
	/* a task that opened the other end of the fifo would end the wait */
	if (!seen_process_mount_of_path(&wait->scene->process, path.text, &mount) ||
	    !mount_describe(wait, &mount))
		path_put(wait, strstr(wait->place, "fifo_open") ? "pipe 0 0 " : "file ", path.text,
		         path.length);
	return 0;
}

/* "child PROCESS[,...]": those that the call may wait for. */
static int32_t children_describe(const struct wait *wait, int32_t asked)
{
	struct task_family children;
	int32_t only;

	task_family_init(&children);
	if (asked > 0)
		task_family_add(&children, asked);
	else
		task_family_add_children(&children, wait->tgid);
	buffer_puts(wait->to, "child ");
	for (size_t i = 0; i < children.count && i < WAIT_HOLDERS_MAX; i++)
		buffer_printf(wait->to, "%s%d", i ? "," : "", children.process[i]);
	if (children.count == 0)
		buffer_putc(wait->to, '-');
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
static bool has_child_signal(const struct wait *wait)
{
	_cleanup_(buffer_release) struct buffer text = buffer_of(STATUS_BYTES_MAX);
	unsigned long set;

	if (wait->object == OBJECT_SIGNAL)
		return text_file_read(PROC_PATH("/proc/%d/task/%d/status", wait->tgid, wait->tid),
		                      &text) == 0 &&
		       line_has_child_signal(text.text, "\nSigCgt:") &&
		       !line_has_child_signal(text.text, "\nSigBlk:");
	return seen_process_copy(&wait->scene->process, wait->call->argument[0], &set,
	                         sizeof(set)) == sizeof(set) && set >> (SIGCHLD - 1) & 1;
}

/* "child PROCESS" of a task with one child that sleeps in vfork(), or until a signal comes, as that
   of the child's end; else "-". */
static int32_t child_describe(const struct wait *wait)
{
	int32_t child = wait->object == OBJECT_VFORK || has_child_signal(wait)
	                        ? only_child(wait->tgid) : 0;

	if (!child)
		return none_describe(wait);
	buffer_printf(wait->to, "child %d", child);
	return child;
}

/* The objects that are files of the process. */
static int32_t opened_describe(const struct wait *wait)
{
	_cleanup_(buffer_release) struct buffer text = buffer_of(2 * PATH_MAX);
	struct open_file file;

	if (open_file_read(wait->scene->peek, wait->tgid, wait->call->argument[0], &text, &file))
		return wait->object == OBJECT_FILE ? file_describe(wait, &file)
		                                   : lock_describe(wait, &file);
	buffer_puts(wait->to, "file ");
	return 0;
}

/* Whether the call of fcntl() waits for a lock. */
static bool is_lock_wait(uint64_t command)
{
	return command == SET_LOCK_WAIT || command == SET_LOCK_WAIT_64 ||
	       command == SET_LOCK_WAIT_OFD;
}

/* What the thread polls where only one pipe or unix socket can end that; else "-". */
static int32_t polled_describe(const struct wait *wait, const struct poll_set *set)
{
	_cleanup_(buffer_release) struct buffer text = buffer_of(2 * PATH_MAX);
	struct wait as_call = *wait;
	struct open_file file;
	uint64_t number = 0;

	if (!wait_ends_find_polled(&wait->scene->ends, wait->tgid, set, &number) ||
	    !open_file_read(wait->scene->peek, wait->tgid, number, &text, &file))
		return none_describe(wait);
	as_call.name = file.is_read ? "read" : "write";
	return file_describe(&as_call, &file);
}

/* "socket ..." of the connection on which a request is open, if that can be seen. */
static int32_t poll_describe(const struct wait *wait)
{
	struct wait_scene *scene = wait->scene;
	struct poll_set set = {.count = 0};
	uint64_t inode = 0;
	int32_t other;
	bool is_known;

	if (poll_set_read(&scene->process, wait->name, wait->call->argument, &set) && set.count > 0)
		inode = wait_ends_find_request(&scene->ends, wait->tgid, &set);
	if (inode) {
		other = wait_ends_put_socket(&scene->ends, wait->tgid, inode, NULL, wait->to,
		                             &is_known);
		if (is_known)
			return other;
	}
	return polled_describe(wait, &set);
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
static int32_t ipc_describe(const struct wait *wait)
{
	int id = (int)wait->call->argument[0];
	int32_t other = 0;

	if (has_own_ipc(wait->scene, wait->tgid))
		other = wait->object == OBJECT_SEMAPHORE
		                ? semaphore_changer(wait->scene, wait->call)
		                : queue_user(wait->call, strcmp(wait->name, "msgsnd") == 0);
	if (other <= 0 || other == wait->tgid || task_is_gone(other))
		other = 0;
	if (other)
		buffer_printf(wait->to, "pipe 0 %d id %d", other, id);
	else
		buffer_printf(wait->to, "pipe 0 - id %d", id);
	return other;
}

static int32_t object_describe(const struct wait *wait)
{
	const uint64_t *argument = wait->call ? wait->call->argument : NULL;

	switch (wait->object) {
	case OBJECT_FUTEX:
		return futex_describe(wait);
	case OBJECT_FILE:
	case OBJECT_FLOCK:
		return opened_describe(wait);
	case OBJECT_FCNTL:
		return is_lock_wait(argument[1]) ? opened_describe(wait) : none_describe(wait);
	case OBJECT_PATH:
		return path_describe(wait, NULL, argument[0]);
	case OBJECT_PATH_AT:
		return path_describe(wait, &argument[0], argument[1]);
	case OBJECT_WAIT4:
		return children_describe(wait, (int32_t)argument[0]);
	case OBJECT_WAITID:
		return children_describe(
			wait, argument[0] == WAIT_FOR_PID ? (int32_t)argument[1] : 0);
	case OBJECT_SLEEP:
		return tries_describe(wait);
	case OBJECT_POLL:
		return poll_describe(wait);
	case OBJECT_SEMAPHORE:
	case OBJECT_MESSAGE:
		return ipc_describe(wait);
	case OBJECT_VFORK:
	case OBJECT_SIGNAL:
	case OBJECT_SIGNALS:
		return child_describe(wait);
	case OBJECT_NONE:
		break;
	}
	return none_describe(wait);
}

int32_t wait_scene_describe(struct wait_scene *scene, int32_t tgid, int32_t tid,
                            const struct task_call *call, struct buffer *to)
{
	_cleanup_(buffer_release) struct buffer place = buffer_of(PLACE_BYTES_MAX);
	const char *arch = scene->machine.machine;
	struct wait wait = {.scene = scene, .tgid = tgid, .tid = tid, .to = to};
	int32_t other;

	scene->may_change = scene->ends.is_partial = false;
	scene->futex = 0;
	seen_process_of(&scene->process, tgid);
	if (call && call->number >= 0 && call_numbers_are_right(&scene->machine)) {
		bool is_compat =
			syscall_has_compat(arch) && !seen_process_is_64_bit(&scene->process);

		wait.call = call;
		wait.name = syscall_name(arch, is_compat, call->number);
		if (wait.name)
			wait.object = object_of_call(wait.name);
	}
	if (!task_place_append(scene->peek, tgid, tid, &place))
		buffer_putc(&place, '-');
	wait.place = place.text;
	buffer_printf(to, "%s %s ", wait.name ? wait.name : "-", place.text);
	other = object_describe(&wait);
	scene->may_change |= scene->ends.is_partial;
	return other;
}
