/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "wait_object.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/monotonic.h"
#include "base/parse.h"
#include "base/xalloc.h"
#include "futex_owner.h"
#include "held_locks.h"
#include "task_snapshot.h"
#include "text_file.h"
#include "words/syscall_names.h"

#define LOCKS_BYTES_MAX (1u << 20)
#define STATUS_BYTES_MAX 16384
#define CHILDREN_BYTES_MAX (1u << 20)
#define PIPE_ENDS_MAX 16384

/* From the kernel's include/uapi: of fcntl() and of waitid(). */
#define SET_LOCK_WAIT     7
#define SET_LOCK_WAIT_64  14
#define SET_LOCK_WAIT_OFD 38
#define WAIT_FOR_PID      1

/* Which of the arguments names the object that a call waits for. */
enum call_object {
	OBJECT_FUTEX, /* 0: address, 1: operation, 2: value */
	OBJECT_FLOCK, /* 0: file */
	OBJECT_FCNTL, /* 0: file, 1: command */
	OBJECT_FILE,  /* 0: file */
	OBJECT_WAIT4, /* 0: process */
	OBJECT_WAITID, /* 0: kind of id, 1: id */
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

const char *task_children_read(int32_t tgid, int32_t tid, struct buffer *text)
{
	_cleanup_(freep) char *path = xasprintf("/proc/%d/task/%d/children", tgid, tid);

	buffer_init(text, CHILDREN_BYTES_MAX);
	(void)text_file_read(path, text);
	return text->length ? text->text : "";
}

bool task_children_next(const char **at, int32_t *ret)
{
	int used;

	if (sscanf(*at, "%" SCNd32 "%n", ret, &used) != 1)
		return false;
	*at += used;
	return true;
}

void wait_scene_begin(struct wait_scene *scene, const int32_t *watched, size_t watched_count,
                      nsec_t deadline)
{
	*scene = (struct wait_scene){
		.watched = watched, .watched_count = watched_count, .deadline = deadline};
	buffer_init(&scene->locks, LOCKS_BYTES_MAX);
	(void)uname(&scene->machine);
}

void wait_scene_end(struct wait_scene *scene)
{
	buffer_release(&scene->locks);
	free(scene->end);
}

/* The size of a long of the program that the process executes. */
static bool process_is_64_bit(int32_t tgid)
{
	_cleanup_(freep) char *path = xasprintf("/proc/%d/exe", tgid);
	_cleanup_(closep) int fd = open(path, O_RDONLY | O_CLOEXEC);
	unsigned char head[5];

	if (fd < 0 || pread(fd, head, sizeof(head), 0) != (ssize_t)sizeof(head))
		return sizeof(long) == 8;
	return head[4] == 2; /* ELFCLASS64 */
}

/* The threads of a process, as numbers of its own PID namespace. */
struct thread_search {
	int32_t tgid;
	bool is_nested; /* its PID namespace is not that of this process */
	int32_t found;  /* the thread in the PID namespace of this process */
};

/* The last number of the line "NSpid:", which is the one in the thread's own namespace; *ret_count
   is how many there are. */
static uint32_t innermost_pid(int32_t tgid, int32_t tid, size_t *ret_count)
{
	_cleanup_(freep) char *path = xasprintf("/proc/%d/task/%d/status", tgid, tid);
	_cleanup_(buffer_release) struct buffer text = {0};
	const char *at;
	uint32_t pid = 0;
	int used;

	*ret_count = 0;
	buffer_init(&text, STATUS_BYTES_MAX);
	if (text_file_read(path, &text) < 0 || !(at = strstr(text.text, "\nNSpid:")))
		return 0;
	at += strlen("\nNSpid:");
	while (sscanf(at, "%*[\t ]%" SCNu32 "%n", &pid, &used) == 1) {
		++*ret_count;
		at += used;
	}
	return pid;
}

static bool thread_is_there(void *state, uint32_t tid)
{
	struct thread_search *search = state;
	_cleanup_(freep) char *path = NULL;
	_cleanup_(closedirp) DIR *threads = NULL;
	struct dirent *entry;
	size_t count;

	if (tid > INT32_MAX)
		return false;
	if (!search->is_nested) {
		path = xasprintf("/proc/%d/task/%u", search->tgid, tid);
		search->found = access(path, F_OK) == 0 ? (int32_t)tid : 0;
		return search->found != 0;
	}
	path = xasprintf("/proc/%d/task", search->tgid);
	threads = opendir(path);
	while (threads && (entry = readdir(threads)))
		if (parse_pid(entry->d_name, &search->found) == 0 &&
		    innermost_pid(search->tgid, search->found, &count) == tid)
			return true;
	return false;
}

/* "futex ADDRESS OWNER HOW" */
static void futex_describe(struct wait_scene *scene, int32_t tgid, const struct task_call *call,
                           bool is_64_bit, struct buffer *to)
{
	static const char *const how[] = {
		[FUTEX_OWNER_NONE] = "-",
		[FUTEX_OWNER_WORD] = "word",
		[FUTEX_OWNER_MUTEX] = "mutex",
		[FUTEX_OWNER_RWLOCK] = "rwlock",
		[FUTEX_OWNER_THREAD] = "thread",
	};
	_cleanup_(freep) char *path = xasprintf("/proc/%d/mem", tgid);
	_cleanup_(closep) int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct futex_sleep sleep = {
		.op = call->argument[1],
		.value = (uint32_t)call->argument[2],
		.is_64_bit = is_64_bit,
	};
	struct thread_search search = {.tgid = tgid};
	enum futex_owner_kind kind = FUTEX_OWNER_NONE;
	size_t depth;
	ssize_t got = -1;
	uint32_t owner;

	if (fd >= 0 && call->argument[0] <= INT64_MAX)
		got = pread(fd, sleep.memory, sizeof(sleep.memory), (off_t)call->argument[0]);
	if (got >= (ssize_t)sizeof(uint32_t)) {
		sleep.count = (size_t)got;
		(void)innermost_pid(tgid, tgid, &depth);
		search.is_nested = depth > 1;
		kind = futex_owner_find(&sleep, thread_is_there, &search, &owner);
	}
	if (kind == FUTEX_OWNER_NONE)
		search.found = 0;
	scene->has_holder = search.found > 0 && kind != FUTEX_OWNER_THREAD;
	buffer_printf(to, "futex %" PRIx64 " %d %s", call->argument[0], search.found, how[kind]);
}

/* The file that the process has open at that number; empty: none. A newline in it becomes "?". */
static void file_read_name(int32_t tgid, uint64_t number, char *ret, size_t size)
{
	_cleanup_(freep) char *path = xasprintf("/proc/%d/fd/%" PRIu64, tgid, number);
	ssize_t got = readlink(path, ret, size - 1);

	ret[got > 0 ? got : 0] = '\0';
	for (char *at = ret; *at; at++)
		if (*at == '\n')
			*at = '?';
}

/* "flock MAJOR:MINOR INODE OWNER PATH"; the file alone if the kernel knows no such wait. */
static int32_t lock_describe(struct wait_scene *scene, int32_t tgid, uint64_t number,
                             struct buffer *to)
{
	_cleanup_(freep) char *path = xasprintf("/proc/%d/fd/%" PRIu64, tgid, number);
	char name[PATH_MAX];
	struct held_lock lock;
	struct stat file = {0};

	if (!scene->has_locks)
		(void)text_file_read("/proc/locks", &scene->locks);
	scene->has_locks = true;
	(void)stat(path, &file);
	file_read_name(tgid, number, name, sizeof(name));
	if (scene->locks.length == 0 ||
	    !held_lock_find(scene->locks.text, tgid, file.st_ino, &lock)) {
		buffer_printf(to, "file %s", name);
		return 0;
	}
	buffer_printf(to, "%s %u:%u %" PRIu64 " %d %s", lock.kind, lock.major, lock.minor,
	              lock.inode, lock.owner, name);
	scene->has_holder = lock.owner > 0;
	return lock.owner;
}

/* Adds the ends of pipes that the process has open. */
static void scene_add_ends(struct wait_scene *scene, int32_t tgid)
{
	_cleanup_(freep) char *folder = xasprintf("/proc/%d/fd", tgid);
	_cleanup_(closedirp) DIR *files = opendir(folder);
	struct dirent *entry;
	struct stat file, link;

	while (files && (entry = readdir(files)) && scene->end_count < PIPE_ENDS_MAX) {
		if (!isdigit((unsigned char)entry->d_name[0]) ||
		    fstatat(dirfd(files), entry->d_name, &file, 0) < 0 ||
		    !S_ISFIFO(file.st_mode) ||
		    fstatat(dirfd(files), entry->d_name, &link, AT_SYMLINK_NOFOLLOW) < 0)
			continue;
		/* the mode of the link is that in which the file was opened */
		for (int is_written = 0; is_written < 2; is_written++) {
			if (!(link.st_mode & (is_written ? S_IWUSR : S_IRUSR)))
				continue;
			ARRAY_GROW(scene->end, scene->end_count, scene->end_capacity);
			scene->end[scene->end_count++] =
				(struct pipe_end){file.st_ino, tgid, is_written};
		}
	}
}

static void scene_read_ends(struct wait_scene *scene)
{
	for (size_t i = 0; i < scene->watched_count && !scene->has_ends; i++) {
		if (monotonic_now() >= scene->deadline)
			break;
		scene_add_ends(scene, scene->watched[i]);
	}
	scene->has_ends = true;
}

/* "pipe INODE PROCESS[,...]": the other watched processes that have the other end open, "-": none.
   Whether a thread of the same process would use an end that it has open, too, nothing shows. */
static int32_t pipe_describe(struct wait_scene *scene, int32_t tgid, uint64_t inode,
                             bool is_written, struct buffer *to)
{
	int32_t other = 0;
	size_t count = 0;

	scene_read_ends(scene);
	buffer_printf(to, "pipe %" PRIu64 " ", inode);
	for (size_t i = 0; i < scene->end_count; i++) {
		const struct pipe_end *end = &scene->end[i];

		if (end->inode != inode || end->is_written == is_written || end->tgid == other ||
		    end->tgid == tgid || count == WAIT_CHILDREN_MAX)
			continue;
		other = end->tgid;
		buffer_printf(to, "%s%d", count++ ? "," : "", other);
	}
	if (count == 0)
		buffer_putc(to, '-');
	return count == 1 ? other : 0;
}

static int32_t file_describe(struct wait_scene *scene, int32_t tgid, uint64_t number,
                             const char *call, struct buffer *to)
{
	_cleanup_(freep) char *path = xasprintf("/proc/%d/fd/%" PRIu64, tgid, number);
	bool is_written = strncmp(call, "write", strlen("write")) == 0;
	char name[PATH_MAX];
	struct stat file;

	if (stat(path, &file) == 0 && S_ISFIFO(file.st_mode))
		return pipe_describe(scene, tgid, file.st_ino, is_written, to);
	file_read_name(tgid, number, name, sizeof(name));
	buffer_printf(to, "file %s", name);
	return 0;
}

/* "child PROCESS[,...]": those that the call may wait for. */
static int32_t children_describe(int32_t tgid, int32_t tid, int32_t asked, struct buffer *to)
{
	_cleanup_(buffer_release) struct buffer text = {0};
	const char *at;
	int32_t child, only = 0;
	size_t count = 0;

	if (asked > 0) {
		buffer_printf(to, "child %d", asked);
		return asked;
	}
	at = task_children_read(tgid, tid, &text);
	buffer_puts(to, "child ");
	while (count < WAIT_CHILDREN_MAX && task_children_next(&at, &child)) {
		buffer_printf(to, "%s%d", count++ ? "," : "", child);
		only = child;
	}
	if (count == 0)
		buffer_putc(to, '-');
	return count == 1 ? only : 0;
}

static int32_t object_describe(struct wait_scene *scene, int32_t tgid, int32_t tid,
                               const struct task_call *call, const struct call_row *row,
                               bool is_64_bit, struct buffer *to)
{
	const uint64_t *argument = call->argument;
	uint64_t command = argument[1];

	switch (row->object) {
	case OBJECT_FUTEX:
		futex_describe(scene, tgid, call, is_64_bit, to);
		return 0; /* the owner is a thread of the same process */
	case OBJECT_FCNTL:
		if (command != SET_LOCK_WAIT && command != SET_LOCK_WAIT_64 &&
		    command != SET_LOCK_WAIT_OFD)
			break;
		return lock_describe(scene, tgid, argument[0], to);
	case OBJECT_FLOCK:
		return lock_describe(scene, tgid, argument[0], to);
	case OBJECT_FILE:
		return file_describe(scene, tgid, argument[0], row->name, to);
	case OBJECT_WAIT4:
		return children_describe(tgid, tid, (int32_t)argument[0], to);
	case OBJECT_WAITID:
		return children_describe(tgid, tid,
		                         argument[0] == WAIT_FOR_PID ? (int32_t)argument[1] : 0,
		                         to);
	}
	buffer_putc(to, '-');
	return 0;
}

int32_t wait_scene_describe(struct wait_scene *scene, int32_t tgid, int32_t tid,
                            const struct task_call *call, struct buffer *to)
{
	const struct call_row *row = NULL;
	const char *name = NULL;
	bool is_64_bit = false;

	scene->has_holder = false;
	if (call && call->number >= 0) {
		const char *arch = scene->machine.machine;

		is_64_bit = process_is_64_bit(tgid);
		name = syscall_name(arch, syscall_has_compat(arch) && !is_64_bit, call->number);
	}
	buffer_printf(to, "%s ", name ? name : "-");
	if (!task_place_append(tgid, tid, to))
		buffer_putc(to, '-');
	buffer_putc(to, ' ');
	for (size_t i = 0; name && i < ARRAY_SIZE(call_rows); i++)
		if (strcmp(call_rows[i].name, name) == 0)
			row = &call_rows[i];
	if (row)
		return object_describe(scene, tgid, tid, call, row, is_64_bit, to);
	buffer_putc(to, '-');
	return 0;
}
