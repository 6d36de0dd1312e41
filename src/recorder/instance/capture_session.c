/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture_session.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <tracefs.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/xalloc.h"
#include "instance_folder.h"
#include "recorder/machine/child.h"
#include "recorder/machine/text_file.h"
#include "tracing_access.h"

/*
 * The guard: runs until the other end of the pipe is closed. It must not keep files open that
 * should be closed when its parent dies, and no signal to the terminal's processes may end it
 * earlier.
 */
static _Noreturn void guard_run(const char *path, int fd)
{
	char byte;

	if (guard_process_begin(fd) < 0)
		_exit(1);
	guard_process_close_from(STDIN_FILENO + 1);
	while (read(STDIN_FILENO, &byte, 1) < 0 && errno == EINTR)
		;
	(void)text_file_write(path, "0");
	_exit(0);
}

int mark_copy_init(struct mark_copy *copy, const char *dir)
{
	int pipes[2];

	*copy = (struct mark_copy){.path = xasprintf("%s/" MARK_COPY_FILE, dir), .alive_fd = -1};
	if (access(copy->path, F_OK) < 0) {
		int r = -errno;

		free(copy->path);
		copy->path = NULL;
		return r;
	}
	if (pipe2(pipes, O_CLOEXEC) < 0)
		return -errno;
	copy->guard = fork();
	if (copy->guard == 0)
		guard_run(copy->path, pipes[0]);
	(void)close(pipes[0]);
	copy->alive_fd = pipes[1];
	if (copy->guard < 0) {
		copy->guard = 0;
		return -EAGAIN;
	}
	return 0;
}

static int mark_copy_begin(struct mark_copy *copy)
{
	int r = copy->guard > 0 ? text_file_write(copy->path, "1") : 0;

	copy->is_on = copy->guard > 0 && r == 0;
	return r;
}

static void mark_copy_end(struct mark_copy *copy)
{
	if (copy->is_on)
		(void)text_file_write(copy->path, "0");
	copy->is_on = false;
}

static void mark_copy_release(struct mark_copy *copy)
{
	mark_copy_end(copy);
	closep(&copy->alive_fd);
	while (copy->guard > 0 && waitpid(copy->guard, NULL, 0) < 0 && errno == EINTR)
		;
	free(copy->path);
	*copy = (struct mark_copy){.alive_fd = -1};
}

#define TASKS_BYTES_MAX (1u << 20)
/* How often the end without memory tries to remove an instance that other threads still use. */
#define ABANDON_TRIES    100
#define ABANDON_PAUSE_NS 10000000
#define FILES_MAX        (1 << 20) /* file descriptors that it closes, of those allowed */

/* The folders of this process's instances; only the main thread changes the table. */
static const char *folders[3];

void capture_session_note(struct capture_session *session, const char *format, ...)
{
	va_list arguments;
	char line[1024];

	if (session->note_count == CAPTURE_NOTES_MAX)
		return;
	va_start(arguments, format);
	(void)vsnprintf(line, sizeof(line), format, arguments);
	va_end(arguments);
	session->notes[session->note_count++] = xstrdup(line);
}

/*
 * Removes the instances where memory runs out. Nothing may be allocated, and other threads still
 * run: their files are closed under them, since the kernel keeps an instance of which a file is
 * open, and what they say about that goes nowhere, from before the first file is closed on.
 */
static void instances_abandon(void)
{
	const struct timespec pause = {.tv_nsec = ABANDON_PAUSE_NS};
	long files = sysconf(_SC_OPEN_MAX);
	int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);

	if (nowhere < 0 || dup2(nowhere, STDERR_FILENO) < 0)
		(void)close(STDERR_FILENO);
	/* machines with thousands of CPUs have as many files of an instance open */
	for (int fd = STDERR_FILENO + 1; fd < files && fd < FILES_MAX; fd++)
		(void)close(fd);
	for (size_t i = 0; i < ARRAY_SIZE(folders); i++)
		for (unsigned n = 0; folders[i] && n < ABANDON_TRIES; n++) {
			if (rmdir(folders[i]) == 0 || errno != EBUSY)
				break;
			(void)nanosleep(&pause, NULL);
		}
}

static void folder_note(const char *folder)
{
	for (size_t i = 0; i < ARRAY_SIZE(folders); i++)
		if (!folders[i]) {
			folders[i] = folder;
			break;
		}
	xalloc_before_end(instances_abandon);
}

static void folder_forget(const char *folder)
{
	for (size_t i = 0; i < ARRAY_SIZE(folders); i++)
		if (folders[i] == folder)
			folders[i] = NULL;
}

/* Leaves the instance in the kernel. */
static void session_free(struct capture_session *session)
{
	folder_forget(session->dir);
	tracefs_instance_free(session->instance);
	for (size_t i = 0; i < session->note_count; i++)
		free(session->notes[i]);
	free(session->dir);
	free(session);
}

/* Makes the instance and locks it; makes it again if a sweeper removed it before the lock. */
static int session_make(struct capture_session *session, const char *dir, const char *name,
                        struct buffer *why)
{
	do {
		tracefs_instance_free(session->instance);
		errno = 0;
		session->instance = tracefs_instance_create(name);
		if (!session->instance) {
			int error = errno ? errno : EIO;

			buffer_puts(why, "cannot create the instance ");
			return tracing_denial_explain_file(dir, session->dir + strlen(dir) + 1,
			                                   error, why);
		}
		if (!tracefs_instance_is_new(session->instance))
			return buffer_fail(why, -EEXIST, "%s exists: a recorder in another PID "
			                   "namespace has our PID; try again", session->dir);
		folder_note(session->dir);
		session->lock_fd = instance_lock_take_new(session->dir);
		/* -ENOENT: to a sweeper a folder without a lock is a dead recorder's */
	} while (session->lock_fd == -ENOENT);
	if (session->lock_fd < 0)
		capture_session_note(session, "%s: no lock (%s); another ftwait may remove it",
		                     session->dir, strerror(-session->lock_fd));
	return 0;
}

static const char *instance_suffix(enum capture_part part)
{
	return part == CAPTURE_CALLS    ? INSTANCE_CALLS_SUFFIX
	       : part == CAPTURE_STACKS ? INSTANCE_STACKS_SUFFIX
	                                : "";
}

static struct capture_session *session_new(void)
{
	struct capture_session *session = xcalloc(1, sizeof(*session));

	session->free_buffer_fd = -1;
	session->lock_fd = -1;
	session->marks.alive_fd = -1;
	return session;
}

struct capture_session *capture_session_use(struct prepared_instance *prepared)
{
	struct capture_session *session = session_new();

	session->prepared = prepared;
	session->dir = xstrdup(prepared_instance_dir(prepared));
	return session;
}

int capture_session_make(const char *dir, enum capture_part part, struct capture_session **ret,
                         struct buffer *why)
{
	_cleanup_(freep) char *name = xasprintf(INSTANCE_PREFIX "%d%s", (int)getpid(),
	                                        instance_suffix(part));
	struct capture_session *session = session_new();
	int r;

	session->dir = xasprintf("%s/instances/%s", dir, name);
	r = session_make(session, dir, name, why);
	if (r < 0)
		session_free(session);
	else
		*ret = session;
	return r;
}

/* Appends " 17 18", a process's threads; nothing if it is gone. */
static void threads_append(int32_t pid, struct buffer *to)
{
	_cleanup_(closedirp) DIR *dir = opendir(PROC_PATH("/proc/%d/task", pid));
	int32_t tid;

	while (folder_next_pid(dir, &tid))
		buffer_printf(to, " %d", tid);
}

/*
 * Reads the threads twice. A thread that is created between the first reading and the write is not
 * followed, but the second reading finds it. Threads that are created later come from threads that
 * the kernel follows by then.
 */
int capture_session_set_tasks(struct capture_session *session, const int32_t *pids, size_t count)
{
	int r = text_file_write_at(session->dir, CAPTURE_FORKS_FILE, "1");

	for (unsigned look = 0; r == 0 && look < 2; look++) {
		_cleanup_(buffer_release) struct buffer text = buffer_of(TASKS_BYTES_MAX);

		for (size_t i = 0; i < count; i++) {
			buffer_printf(&text, "%s%d", i ? " " : "", (int)pids[i]);
			threads_append(pids[i], &text);
		}
		r = text.is_cut ? -EFBIG : text_file_write_at(session->dir, CAPTURE_TASKS_FILE,
		                                              text.text);
	}
	return r;
}

int capture_session_begin(struct capture_session *session)
{
	int r = text_file_write_at(session->dir, "tracing_on", "1");

	if (r == 0)
		(void)mark_copy_begin(&session->marks);
	return r;
}

int capture_session_end(struct capture_session *session)
{
	mark_copy_end(&session->marks);
	return text_file_write_at(session->dir, "tracing_on", "0");
}

/* Takes "name: number" lines; those that an older kernel does not print stay 0. */
static void stats_parse(const char *text, struct capture_stats *stats)
{
	const struct {
		const char *name;
		uint64_t *to;
	} rows[] = {
		{"entries:", &stats->left},
		{"\noverrun:", &stats->overwritten},
		{"\ncommit overrun:", &stats->dropped},
		{"\ndropped events:", &stats->dropped},
		{"\nread events:", &stats->read},
	};
	uint64_t number;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (text_number(text, rows[i].name, 10, &number))
			*rows[i].to += number;
}

int capture_session_stats(const struct capture_session *session, unsigned cpu,
                          struct capture_stats *ret, struct buffer *text)
{
	_cleanup_(freep) char *path = xasprintf("per_cpu/cpu%u/stats", cpu);
	_cleanup_(buffer_release) struct buffer file = buffer_of(4096);
	int r = text_file_read_at(session->dir, path, &file);

	if (r == 0) {
		if (text)
			buffer_puts(text, file.text);
		*ret = (struct capture_stats){0};
		stats_parse(file.text, ret);
	}
	return r;
}

static void session_remove_folder(struct capture_session *session)
{
	bool is_gone = rmdir(session->dir) == 0 || errno == ENOENT;

	session->removal_error = is_gone ? 0 : -errno;
}

void capture_session_remove(struct capture_session *session)
{
	if (session->is_removed) {
		/* the process that had its files open may have ended since */
		if (session->removal_error == -EBUSY)
			session_remove_folder(session);
		return;
	}
	(void)capture_session_end(session);
	mark_copy_release(&session->marks);
	closep(&session->free_buffer_fd);
	if (session->prepared)
		prepared_instance_return(session->prepared);
	else
		session_remove_folder(session);
	closep(&session->lock_fd);
	session->is_removed = true;
}

struct capture_session *capture_session_close(struct capture_session *session)
{
	if (!session)
		return NULL;
	capture_session_remove(session);
	session_free(session);
	return NULL;
}
