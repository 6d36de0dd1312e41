/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "map_recorder.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/monotonic.h"
#include "base/thread.h"
#include "base/xalloc.h"
#include "lock_names.h"
#include "map_events.h"
#include "map_table.h"
#include "program_file.h"
#include "recorder/machine/peek.h"
#include "recorder/machine/seen_process.h"
#include "recorder/machine/text_file.h"
#include "symbol_lists.h"

#define POLL_NS        50000000
#define MAPS_BYTES_MAX (16u << 20) /* limit on the text of one process's maps */
#define PAUSE_LEAST    10000000u   /* least pause between two reads of a process's maps, ns; it
                                      is doubled after each read that finds nothing */
#define PAUSE_MOST     1000000000u
#define STACK_ADDRESSES_MAX 64u

/* The innermost address of a stack, kept because only the end shows whether it has a name. */
struct stack_top {
	int32_t tgid;
	uint32_t count;
	uint64_t address;
};

struct map_recorder {
	pthread_t thread;
	struct peek peek; /* what looks at the files of programs */
	int wake_fd;
	struct map_events *events; /* NULL: refused */
	int error;                 /* 0, or -errno why `events` is NULL */
	bool has_stacks;
	struct map known_files;    /* path and inode -> file of the table; only the thread uses
	                              it */

	pthread_mutex_t lock; /* protects all that follows */
	struct map_table table;
	struct lock_names locks;
	int32_t *pending; /* processes to be read */
	size_t pending_count, pending_capacity;
	struct stack_top *top;
	size_t top_count, top_capacity;
	struct map top_index; /* process and address -> index of top */
	struct map asked;     /* without stacks: a set of processes */
	uint64_t stacks;
	bool is_ended;
};

/* Whether the mapping has a file; memory without a file has a name like //anon in perf. */
static bool path_is_file(const char *path)
{
	static const char *const others[] = {
		"//anon", "/dev/zero", "/SYSV", "anon_inode:", "[heap]", "[stack]", "[anon",
	};

	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		if (strncmp(path, others[i], strlen(others[i])) == 0)
			return false;
	return *path != '\0';
}

/* The mapping of a file, of which the build id is asked for. */
struct file_request {
	struct mapped_file file;
	uint64_t inode;
};

static bool has_inode(int fd, const struct stat *status, const void *wanted)
{
	(void)fd;
	return (uint64_t)status->st_ino == *(const uint64_t *)wanted;
}

/* Reads the build id of the file that is mapped there, and not of another file with the same name.
 */
static int build_id_look(const void *argument, size_t size, struct buffer *reply)
{
	const struct file_request *request = argument;
	_cleanup_(closep) int fd = mapped_file_open(&request->file, has_inode, &request->inode);
	char hex[BUILD_ID_HEX_BYTES];

	(void)size;
	if (fd >= 0 && build_id_read(fd, hex) == 0)
		buffer_puts(reply, hex);
	return 0;
}

/* *ret_hex is "" on failure. A file system that does not answer is left alone for a while. */
static void build_id_ask(struct map_recorder *recorder, int32_t tgid, const struct maps_line *line,
			 char ret_hex[static BUILD_ID_HEX_BYTES])
{
	struct file_request request = {{tgid, line->begin, line->end, ""}, line->inode};
	uint64_t device = 1ull << 63 | (uint64_t)line->device_major << 31 | line->device_minor;
	_cleanup_(buffer_release) struct buffer hex = buffer_of(BUILD_ID_HEX_BYTES - 1);

	ret_hex[0] = '\0';
	if (mapped_file_name(&request.file, line->path) &&
	    peek_call(&recorder->peek, device, build_id_look, &request, sizeof(request), &hex) ==
		    0 &&
	    hex.length > 0)
		memcpy(ret_hex, hex.text, hex.length + 1);
}

/* The table's number for the file. Reads its build id once. Called by the thread, without the
   lock. */
static uint32_t recorder_file(struct map_recorder *recorder, int32_t tgid,
                              const struct maps_line *line)
{
	uint64_t path = text_hash(line->path, strlen(line->path));
	uint64_t key = hash_mix(hash_mix(path, line->inode),
	                        (uint64_t)line->device_major << 32 | line->device_minor);
	uint32_t file = map_get(&recorder->known_files, key);
	char hex[BUILD_ID_HEX_BYTES];

	if (!path_is_file(line->path))
		return MAP_FILE_NONE;
	if (file != MAP_NONE)
		return file;
	build_id_ask(recorder, tgid, line, hex);
	thread_lock(&recorder->lock);
	file = map_table_file(&recorder->table, hex[0] ? hex : NULL, line->path);
	thread_unlock(&recorder->lock);
	map_put(&recorder->known_files, key, file);
	return file;
}

/* All current executable mappings of the process. Empty if it has ended. */
static struct mapping *recorder_read(struct map_recorder *recorder, int32_t tgid, size_t *ret_count)
{
	struct mapping *mapping = NULL;
	size_t count = 0, capacity = 0;
	char *line, *rest = NULL;
	_cleanup_(buffer_release) struct buffer text = buffer_of(MAPS_BYTES_MAX);

	*ret_count = 0;
	if (peek_text(&recorder->peek, tgid, PROC_PATH("/proc/%d/maps", tgid), &text) < 0)
		return NULL;
	for (line = strtok_r(text.text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		struct maps_line found;

		if (!maps_line_parse(line, &found) || !found.is_executable)
			continue;
		ARRAY_ADD(mapping, count, capacity) = (struct mapping){
			.begin = found.begin,
			.end = found.end,
			.offset = found.offset,
			.file = recorder_file(recorder, tgid, &found),
		};
	}
	*ret_count = count;
	return mapping;
}

/* The user of the process; JIT_OWNER_UNKNOWN if it has ended. */
static uid_t process_owner(int32_t tgid)
{
	struct stat process;

	return stat(PROC_PATH("/proc/%d", tgid), &process) == 0 ? process.st_uid
	                                                        : JIT_OWNER_UNKNOWN;
}

/* Records which user may have written the perf-PID.map of the process: a file of any other user is
   not trusted. The caller holds the lock. */
static void recorder_take_owner(struct map_recorder *recorder, int32_t tgid, uid_t owner)
{
	struct map_process *process = map_table_process(&recorder->table, tgid);

	if (!process || owner == JIT_OWNER_UNKNOWN)
		return;
	process->has_owner = true;
	process->owner = owner;
}

/* Without stacks: whether the event is of an asked process. */
static bool recorder_wants(struct map_recorder *recorder, const struct map_event *event)
{
	bool is_asked;

	thread_lock(&recorder->lock);
	is_asked = asked_processes_follow(&recorder->asked, event);
	if (is_asked && event->kind == MAP_EVENT_THREAD)
		map_table_keep(&recorder->table, event->tgid);
	thread_unlock(&recorder->lock);
	return is_asked;
}

static void recorder_take_event(struct map_recorder *recorder, const struct map_event *event)
{
	const struct maps_line line = {
		.begin = event->begin,
		.end = event->end,
		.inode = event->inode,
		.path = event->path,
	};
	struct mapping mapping = {event->begin, event->end, event->offset, MAP_FILE_NONE};
	bool is_map = event->kind == MAP_EVENT_MAP, is_file = is_map && path_is_file(event->path);
	uid_t owner = is_map && !is_file ? process_owner(event->tgid) : JIT_OWNER_UNKNOWN;

	if (is_map && !event->has_build_id)
		mapping.file = recorder_file(recorder, event->tgid, &line);
	thread_lock(&recorder->lock);
	if (is_file && event->has_build_id)
		mapping.file = map_table_file(&recorder->table, event->build_id, event->path);
	if (is_map)
		map_table_add(&recorder->table, event->tgid, event->time, &mapping);
	else if (event->kind == MAP_EVENT_FORK)
		map_table_fork(&recorder->table, event->parent, event->tgid, event->time);
	else
		map_table_exec(&recorder->table, event->tgid, event->time);
	recorder_take_owner(recorder, event->tgid, owner);
	thread_unlock(&recorder->lock);
}

static void on_map_event(void *state, const struct map_event *event)
{
	struct map_recorder *recorder = state;

	if (!recorder->has_stacks && !recorder_wants(recorder, event))
		return;
	if (event->kind == MAP_EVENT_THREAD || event->kind == MAP_EVENT_FORK) {
		thread_lock(&recorder->lock);
		lock_names_take_thread(&recorder->locks, event->tid, event->tgid);
		thread_unlock(&recorder->lock);
	}
	/* threads share their process's mappings */
	if (event->kind != MAP_EVENT_THREAD)
		recorder_take_event(recorder, event);
}

/* The next process due to be read, or 0. Skips those whose address a map event has covered
   meanwhile. */
static int32_t pending_take(struct map_recorder *recorder, bool is_last)
{
	nsec_t time = monotonic_now();
	int32_t tgid = 0;

	thread_lock(&recorder->lock);
	for (size_t i = 0; tgid == 0 && i < recorder->pending_count; i++) {
		struct map_process *process = map_table_process(&recorder->table,
		                                                recorder->pending[i]);

		if (process && !is_last && process->next_read > time)
			continue;
		tgid = recorder->pending[i];
		recorder->pending[i--] = recorder->pending[--recorder->pending_count];
		if (!process)
			continue;
		process->is_pending = false;
		if (process->wanted &&
		    map_table_holds(&recorder->table, process->tgid, process->wanted)) {
			tgid = 0;
			continue;
		}
		process->pause = process->pause ? process->pause * 2 : PAUSE_LEAST;
		process->pause = nsec_min(process->pause, PAUSE_MOST);
		process->next_read = time + process->pause;
	}
	thread_unlock(&recorder->lock);
	return tgid;
}

/* Locked. A read that finds the wanted address resets the pause. */
static void recorder_take(struct map_recorder *recorder, int32_t tgid,
                          const struct mapping *mapping, size_t count, uid_t owner)
{
	struct map_process *process;

	if (count == 0)
		return;
	map_table_put(&recorder->table, tgid, monotonic_now(), mapping, count);
	process = map_table_process(&recorder->table, tgid);
	if (process && map_table_holds(&recorder->table, tgid, process->wanted))
		process->pause = 0;
	recorder_take_owner(recorder, tgid, owner);
}

static void pending_read(struct map_recorder *recorder, bool is_last)
{
	int32_t tgid;

	while ((tgid = pending_take(recorder, is_last)) > 0) {
		size_t count;
		uid_t owner = process_owner(tgid);
		_cleanup_(freep) struct mapping *mapping = recorder_read(recorder, tgid, &count);

		thread_lock(&recorder->lock);
		recorder_take(recorder, tgid, mapping, count, owner);
		thread_unlock(&recorder->lock);
	}
}

static void recorder_wait(struct map_recorder *recorder)
{
	static const struct timespec pause = {.tv_nsec = POLL_NS};
	eventfd_t unused;

	map_events_wait(recorder->events, recorder->wake_fd, &pause);
	(void)eventfd_read(recorder->wake_fd, &unused);
}

static void *recorder_run(void *state)
{
	struct map_recorder *recorder = state;
	bool is_ended = false;

	while (!is_ended) {
		recorder_wait(recorder);
		thread_lock(&recorder->lock);
		is_ended = recorder->is_ended;
		thread_unlock(&recorder->lock);
		(void)map_events_read(recorder->events, is_ended, on_map_event, recorder);
		pending_read(recorder, is_ended);
	}
	return NULL;
}

int map_recorder_begin(struct map_recorder **ret, bool has_stacks)
{
	struct map_recorder *recorder = xcalloc(1, sizeof(*recorder));
	int r;

	recorder->has_stacks = has_stacks;
	peek_init(&recorder->peek, PEEK_DISK_NS);
	recorder->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	map_init(&recorder->known_files);
	map_init(&recorder->asked);
	map_init(&recorder->top_index);
	map_table_init(&recorder->table);
	lock_names_init(&recorder->locks);
	(void)pthread_mutex_init(&recorder->lock, NULL);
	recorder->error = map_events_open(MAP_EVENTS_ALL, &recorder->events);
	r = recorder->wake_fd < 0 ? -errno
	                          : thread_begin(&recorder->thread, recorder_run, recorder);
	if (r < 0) {
		recorder->is_ended = true;
		(void)map_recorder_free(recorder);
		return r;
	}
	*ret = recorder;
	return 0;
}

/* Locked. */
static void recorder_push(struct map_recorder *recorder, int32_t tgid, uint64_t wanted)
{
	struct map_process *process = map_table_process(&recorder->table, tgid);

	if (!process || process->is_pending)
		return;
	process->is_pending = true;
	process->wanted = wanted;
	ARRAY_ADD(recorder->pending, recorder->pending_count, recorder->pending_capacity) = tgid;
	if (process->next_read == 0)
		(void)eventfd_write(recorder->wake_fd, 1);
}

int map_recorder_error(const struct map_recorder *recorder)
{
	return recorder->error;
}

void map_recorder_ask(struct map_recorder *recorder, int32_t tgid)
{
	thread_lock(&recorder->lock);
	if (!recorder->has_stacks) {
		map_put(&recorder->asked, (uint32_t)tgid, 0);
		map_table_keep(&recorder->table, tgid);
	}
	recorder_push(recorder, tgid, 0);
	thread_unlock(&recorder->lock);
}

void map_recorder_ask_child(struct map_recorder *recorder, int32_t tgid)
{
	thread_lock(&recorder->lock);
	map_put(&recorder->asked, (uint32_t)tgid, 0);
	thread_unlock(&recorder->lock);
}

void map_recorder_ask_all(struct map_recorder *recorder)
{
	_cleanup_(closedirp) DIR *processes = opendir("/proc");
	int32_t tgid;

	while (folder_next_pid(processes, &tgid))
		map_recorder_ask(recorder, tgid);
}

/* Locked. */
static void recorder_count_top(struct map_recorder *recorder, int32_t tgid, uint64_t address)
{
	uint64_t key = hash_mix(hash_mix(0, (uint32_t)tgid), address);
	uint32_t at = map_get(&recorder->top_index, key);

	recorder->stacks++;
	if (at == MAP_NONE && recorder->top_count < MAP_TABLE_MAPS_MAX) {
		at = (uint32_t)recorder->top_count;
		map_put(&recorder->top_index, key, at);
		ARRAY_ADD(recorder->top, recorder->top_count, recorder->top_capacity) =
			(struct stack_top){.tgid = tgid, .address = address};
	}
	if (at != MAP_NONE)
		recorder->top[at].count++;
}

void map_recorder_see(void *state, int32_t tgid, const uint64_t *address, size_t count)
{
	struct map_recorder *recorder = state;
	uint64_t unknown = 0;

	if (count == 0 || tgid <= 0)
		return;
	thread_lock(&recorder->lock);
	recorder_count_top(recorder, tgid, address[0]);
	for (size_t i = 0; i < count && i < STACK_ADDRESSES_MAX; i++)
		if (!map_table_see(&recorder->table, tgid, address[i]) && !unknown)
			unknown = address[i];
	if (unknown)
		recorder_push(recorder, tgid, unknown);
	thread_unlock(&recorder->lock);
}

void map_recorder_exec(void *state, int32_t tgid, nsec_t time)
{
	struct map_recorder *recorder = state;

	thread_lock(&recorder->lock);
	if (!recorder->events)
		map_table_exec(&recorder->table, tgid, time);
	thread_unlock(&recorder->lock);
}

void map_recorder_futex(void *state, int32_t tid, uint64_t address)
{
	struct map_recorder *recorder = state;

	thread_lock(&recorder->lock);
	lock_names_see(&recorder->locks, tid, address);
	thread_unlock(&recorder->lock);
}

void map_recorder_end(struct map_recorder *recorder)
{
	thread_lock(&recorder->lock);
	recorder->is_ended = true;
	thread_unlock(&recorder->lock);
	(void)eventfd_write(recorder->wake_fd, 1);
	(void)pthread_join(recorder->thread, NULL);
	recorder->events = map_events_close(recorder->events);
}

static void on_set(void *state, const struct map_process *process, size_t set, struct buffer *to)
{
	struct map_recorder *recorder = state;

	lock_names_append(&recorder->locks, process, set, to);
	if (set + 1 == process->set_count)
		jit_symbols_append(&recorder->peek, process->tgid,
				   process->has_owner ? process->owner : JIT_OWNER_UNKNOWN,
				   process->loose, process->loose_count, to);
}

void map_recorder_describe(struct map_recorder *recorder, bool is_timed, struct buffer *to)
{
	lock_names_find(&recorder->locks, &recorder->peek, &recorder->table);
	map_table_describe(&recorder->table, is_timed, to, on_set, recorder);
}

struct map_counts map_recorder_count(const struct map_recorder *recorder)
{
	struct map_counts counts = {
		.stacks = recorder->stacks, .left_out = recorder->table.left_out};

	for (size_t i = 0; i < recorder->top_count; i++)
		if (map_table_names(&recorder->table, recorder->top[i].tgid,
		                    recorder->top[i].address))
			counts.named += recorder->top[i].count;
	return counts;
}

struct map_recorder *map_recorder_free(struct map_recorder *recorder)
{
	if (!recorder)
		return NULL;
	if (!recorder->is_ended)
		map_recorder_end(recorder);
	(void)map_events_close(recorder->events);
	peek_release(&recorder->peek);
	(void)pthread_mutex_destroy(&recorder->lock);
	lock_names_release(&recorder->locks);
	map_table_release(&recorder->table);
	map_release(&recorder->known_files);
	map_release(&recorder->asked);
	map_release(&recorder->top_index);
	free(recorder->pending);
	free(recorder->top);
	closep(&recorder->wake_fd);
	free(recorder);
	return NULL;
}
