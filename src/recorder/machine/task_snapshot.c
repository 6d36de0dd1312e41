/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "task_snapshot.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/monotonic.h"
#include "text_file.h"

#define CHILDREN_BYTES_MAX (1u << 20)

void task_family_init(struct task_family *family)
{
	*family = (struct task_family){0};
	map_init(&family->by_pid);
}

void task_family_release(struct task_family *family)
{
	free(family->process);
	map_release(&family->by_pid);
}

bool task_family_has(const struct task_family *family, int32_t pid)
{
	return map_get(&family->by_pid, (uint64_t)pid) != MAP_NONE;
}

void task_family_add(struct task_family *family, int32_t pid)
{
	if (family->count == TASK_FAMILY_MAX || task_family_has(family, pid))
		return;
	ARRAY_GROW(family->process, family->count, family->capacity);
	map_put(&family->by_pid, (uint64_t)pid, (uint32_t)family->count);
	family->process[family->count++] = pid;
}

/* If the kernel has no such file, no child is known. */
static void family_add_children(struct task_family *family, int32_t tgid, int32_t tid)
{
	_cleanup_(buffer_release) struct buffer text = buffer_of(CHILDREN_BYTES_MAX);
	const char *at;
	int32_t child;
	int used;

	(void)text_file_read(PROC_PATH("/proc/%d/task/%d/children", tgid, tid), &text);
	for (at = text.text; sscanf(at, "%" SCNd32 "%n", &child, &used) == 1;
	     at += used)
		task_family_add(family, child);
}

void task_family_add_children(struct task_family *family, int32_t tgid)
{
	_cleanup_(closedirp) DIR *threads = opendir(PROC_PATH("/proc/%d/task", tgid));
	int32_t tid;

	while (folder_next_pid(threads, &tid))
		family_add_children(family, tgid, tid);
}

void task_family_find(struct task_family *family, const int32_t *root, size_t count,
                      nsec_t deadline)
{
	task_family_init(family);
	for (size_t i = 0; i < count; i++)
		task_family_add(family, root[i]);
	for (size_t i = 0; i < family->count && monotonic_now() < deadline; i++)
		task_family_add_children(family, family->process[i]);
}

#define STATUS_BYTES_MAX 16384
#define NAME_BYTES_MAX   64
#define WORKER_PREFIX    "kworker/"
#define RESCUER_PREFIX   "kworker/R-"
#define TASKS_BYTES_MAX  (64u << 20) /* of one process */
/* Links of /proc/PID/task: two, and one for each thread. */
#define LINKS_OF_ONE_THREAD 3

struct snapshot_texts {
	struct buffer *tasks, *cmdlines;
	bool is_late;
};

void task_snapshot_init(struct task_snapshot *snapshot, struct peek *peek)
{
	*snapshot = (struct task_snapshot){.peek = peek};
	map_init(&snapshot->state_by_tid);
	map_init(&snapshot->is_of_interest);
	group_notes_init(&snapshot->processes);
}

void task_snapshot_release(struct task_snapshot *snapshot)
{
	map_release(&snapshot->state_by_tid);
	map_release(&snapshot->is_of_interest);
	group_notes_release(&snapshot->processes);
}

static bool name_begins(const char *name, size_t length, const char *prefix)
{
	return length >= strlen(prefix) && memcmp(name, prefix, strlen(prefix)) == 0;
}

/* "kworker/0:1H-kblockd" runs work of kblockd now; its name is "kworker/0:1H". */
static void comm_set(struct task_stat *stat, const char *name, size_t length)
{
	if (name_begins(name, length, WORKER_PREFIX) && !name_begins(name, length, RESCUER_PREFIX))
		for (size_t i = strlen(WORKER_PREFIX); i < length; i++)
			if (name[i] == '-' || name[i] == '+')
				length = i;
	if (length >= sizeof(stat->comm))
		length = sizeof(stat->comm) - 1;
	for (size_t i = 0; i < length; i++)
		stat->comm[i] = name[i] == '\n' ? '?' : name[i];
	stat->comm[length] = '\0';
}

/* The number or letter behind "WORD:\t" at the begin of a line; NULL: there is none. */
static const char *status_field(const char *text, const char *word)
{
	size_t length = strlen(word);

	for (const char *line = strchr(text, '\n'); line; line = strchr(line + 1, '\n'))
		if (strncmp(line + 1, word, length) == 0 &&
		    strncmp(line + 1 + length, ":\t", 2) == 0)
			return line + 1 + length + 2;
	return NULL;
}

/* "Name:\ta\\nb": a newline and a backslash are escaped. */
static void comm_decode(struct task_stat *stat, const char *name, size_t length)
{
	char plain[NAME_BYTES_MAX];
	size_t count = 0;

	for (size_t i = 0; i < length && count < sizeof(plain); i++) {
		if (name[i] == '\\' && i + 1 < length)
			plain[count++] = name[++i] == 'n' ? '\n' : name[i];
		else
			plain[count++] = name[i];
	}
	comm_set(stat, plain, count);
}

/* Before Linux 6.8, which says it, a child of the second process that has no memory: an ending
   program has none either, but another parent. */
static bool status_is_kernel(const char *text, const struct task_stat *stat)
{
	const char *kernel = status_field(text, "Kthread");

	if (kernel)
		return *kernel == '1';
	return !status_field(text, "VmSize") && (stat->tid == 2 || stat->parent == 2);
}

int task_stat_parse(const char *text, struct task_stat *ret)
{
	static const char name[] = "Name:\t";
	const char *state = status_field(text, "State"), *pid = status_field(text, "Pid");
	const char *parent = status_field(text, "PPid"), *threads = status_field(text, "Threads");
	struct task_stat stat = {0};

	if (strncmp(text, name, sizeof(name) - 1) != 0 || !state || !pid || !parent ||
	    !isalpha((unsigned char)*state) || sscanf(pid, "%d", &stat.tid) != 1 ||
	    sscanf(parent, "%d", &stat.parent) != 1)
		return -EINVAL;
	stat.state = *state;
	if (threads)
		(void)sscanf(threads, "%d", &stat.thread_count);
	stat.is_kernel = status_is_kernel(text, &stat);
	comm_decode(&stat, text + sizeof(name) - 1, strcspn(text, "\n") - (sizeof(name) - 1));
	*ret = stat;
	return 0;
}

bool task_stat_read(const char *path, struct task_stat *ret)
{
	_cleanup_(buffer_release) struct buffer text = buffer_of(STATUS_BYTES_MAX);

	return text_file_read(path, &text) == 0 && task_stat_parse(text.text, ret) == 0;
}

uint32_t task_own_number(int32_t tgid, int32_t tid, size_t *ret_count)
{
	_cleanup_(buffer_release) struct buffer text = buffer_of(STATUS_BYTES_MAX);
	const char *at;
	uint32_t pid = 0;
	int used;

	*ret_count = 0;
	if (text_file_read(PROC_PATH("/proc/%d/task/%d/status", tgid, tid), &text) < 0 ||
	    !(at = strstr(text.text, "\nNSpid:")))
		return 0;
	at += strlen("\nNSpid:");
	while (sscanf(at, "%*[\t ]%" SCNu32 "%n", &pid, &used) == 1) {
		++*ret_count;
		at += used;
	}
	return pid;
}

bool task_is_gone(int pid)
{
	struct task_stat stat;

	if (kill(pid, 0) < 0 && errno == ESRCH)
		return true;
	if (!task_stat_read(PROC_PATH("/proc/%d/status", pid), &stat))
		return false;
	return stat.state == 'X' || (stat.state == 'Z' && stat.thread_count <= 1);
}

/* "[<0>] ep_poll+0x31/0x3b0", "[<ffffffff81023456>] ext4_sync+0x1/0x2 [ext4]"; the last line of old
   kernels names no function. */
void task_stack_append(const char *text, struct buffer *to)
{
	unsigned frames = 0;

	for (const char *line = text; *line && frames < PLACE_FRAMES_MAX;) {
		const char *end = strchrnul(line, '\n'), *name = strstr(line, "] ");
		size_t length = name && name < end ? strcspn(name + 2, "+ \n") : 0;

		if (length > 0 && strncmp(name + 2, "0x", 2) != 0) {
			if (frames++ > 0)
				buffer_puts(to, ";");
			buffer_append(to, name + 2, length);
		}
		line = *end ? end + 1 : end;
	}
}

bool task_place_append(struct peek *peek, int tgid, int tid, struct buffer *to)
{
	_cleanup_(buffer_release) struct buffer text = buffer_of(16384);
	size_t before = to->length, length;

	if (peek_text(peek, tgid, PROC_PATH("/proc/%d/task/%d/stack", tgid, tid), &text) == 0)
		task_stack_append(text.text, to);
	if (to->length == before) {
		buffer_clear(&text);
		/* the kernel prints "0" for a running task, and where it hides the name */
		if (peek_text(peek, tgid, PROC_PATH("/proc/%d/task/%d/wchan", tgid, tid),
		              &text) == 0 && (length = strcspn(text.text, "\n ")) > 0 &&
		    (length > 1 || text.text[0] != '0'))
			buffer_append(to, text.text, length);
	}
	return to->length > before;
}

/* Appends a line "WORD TID FUNCTION..." with where the task sleeps, if that can be read. */
static void place_take(struct peek *peek, int tgid, int tid, const char *word, struct buffer *to)
{
	_cleanup_(buffer_release) struct buffer place = buffer_of(4096);

	if (task_place_append(peek, tgid, tid, &place))
		buffer_printf(to, "%s %d %s\n", word, tid, place.text);
}

static bool snapshot_is_asked(const struct task_snapshot *snapshot, int tgid, int tid)
{
	for (size_t i = 0; i < snapshot->asked_count; i++)
		if (snapshot->asked[i] == tgid || snapshot->asked[i] == tid)
			return true;
	return false;
}

static void snapshot_take_task(struct task_snapshot *snapshot, int tgid,
                               const struct task_stat *stat, const struct snapshot_texts *to)
{
	uint32_t known = map_get(&snapshot->state_by_tid, (uint64_t)stat->tid);

	bool is_known = known != MAP_NONE;
	/* few tasks: reading these files for all would take as long as the rest of the snapshot */
	bool is_of_interest = stat->state == 'D' ||
	                      (stat->state == 'S' && snapshot_is_asked(snapshot, tgid, stat->tid));

	if (is_known && is_of_interest && known == (uint8_t)stat->state)
		buffer_printf(to->tasks, "still %d\n", stat->tid);
	if (is_known && is_of_interest && to->is_late)
		place_take(snapshot->peek, tgid, stat->tid, "end-place", to->tasks);
	if (is_known)
		return;
	map_put(&snapshot->state_by_tid, (uint64_t)stat->tid, (uint8_t)stat->state);
	buffer_printf(to->tasks, "task %d %d %c %c %s\n", stat->tid, tgid,
	              to->is_late ? '-' : stat->state, stat->is_kernel ? 'k' : '-', stat->comm);
	if (is_of_interest && !to->is_late) {
		map_put(&snapshot->is_of_interest, (uint64_t)tgid, 1);
		place_take(snapshot->peek, tgid, stat->tid, "place", to->tasks);
	}
	buffer_printf(to->cmdlines, "%d %s\n", stat->tid, stat->comm);
}

/* Whether the end adds nothing to what is known of the task. */
static bool task_is_told(const struct task_snapshot *snapshot, int tgid, int tid,
                         const struct snapshot_texts *to)
{
	return to->is_late && map_get(&snapshot->state_by_tid, (uint64_t)tid) != MAP_NONE &&
	       map_get(&snapshot->is_of_interest, (uint64_t)tgid) == MAP_NONE;
}

/* The same of a process, which then has had no thread but the one that is known. */
static bool process_is_told(const struct task_snapshot *snapshot, int tgid,
                            const struct snapshot_texts *to)
{
	struct stat threads;

	if (!task_is_told(snapshot, tgid, tgid, to))
		return false;
	return stat(PROC_PATH("/proc/%d/task", tgid), &threads) == 0 &&
	       threads.st_nlink == LINKS_OF_ONE_THREAD;
}

/* For a process of one thread, as most are, reads only the process's file. */
static void snapshot_take_threads(struct task_snapshot *snapshot, int tgid,
                                  const struct task_stat *process, const struct snapshot_texts *to)
{
	_cleanup_(closedirp) DIR *threads = NULL;
	struct task_stat stat;
	int32_t tid;

	if (process && process->thread_count == 1) {
		snapshot_take_task(snapshot, tgid, process, to);
		return;
	}
	threads = opendir(PROC_PATH("/proc/%d/task", tgid));
	while (folder_next_pid(threads, &tid))
		if (!task_is_told(snapshot, tgid, tid, to) &&
		    task_stat_read(PROC_PATH("/proc/%d/task/%d/status", tgid, tid), &stat))
			snapshot_take_task(snapshot, tgid, &stat, to);
}

static void snapshot_take_process(struct task_snapshot *snapshot, int tgid,
                                  const struct snapshot_texts *to)
{
	struct task_stat stat;
	bool is_read;

	if (process_is_told(snapshot, tgid, to))
		return;
	is_read = !task_is_told(snapshot, tgid, tgid, to) &&
	          task_stat_read(PROC_PATH("/proc/%d/status", tgid), &stat);
	snapshot_take_threads(snapshot, tgid, is_read ? &stat : NULL, to);
	if (is_read)
		group_notes_look(&snapshot->processes, tgid, stat.parent, to->is_late, to->tasks);
}

/* Appends "read NS", the time when they were read, and the lines of a process. */
static void snapshot_take_timed(struct task_snapshot *snapshot, int tgid, struct buffer *process,
                                const struct snapshot_texts *to)
{
	struct snapshot_texts apart = *to;
	nsec_t time;

	buffer_clear(process);
	apart.tasks = process;
	snapshot_take_process(snapshot, tgid, &apart);
	time = monotonic_now();
	if (process->length == 0)
		return;
	buffer_printf(to->tasks, "read %" PRIu64 "\n", time);
	buffer_append(to->tasks, process->text, process->length);
}

int task_snapshot_take(struct task_snapshot *snapshot, enum snapshot_moment moment,
                       struct buffer *tasks, struct buffer *cmdlines)
{
	_cleanup_(closedirp) DIR *processes = opendir("/proc");
	const struct snapshot_texts to = {tasks, cmdlines, moment == SNAPSHOT_END};
	_cleanup_(buffer_release) struct buffer process = buffer_of(TASKS_BYTES_MAX);
	int32_t tgid;

	if (!processes)
		return -errno;
	while (folder_next_pid(processes, &tgid)) {
		if (moment == SNAPSHOT_BEGIN)
			snapshot_take_timed(snapshot, tgid, &process, &to);
		else
			snapshot_take_process(snapshot, tgid, &to);
	}
	return 0;
}
