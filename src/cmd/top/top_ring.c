/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "top_ring.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/format.h"
#include "base/xalloc.h"
#include "cmd/commands.h"
#include "flight/ring_tasks.h"
#include "flight/shot_file.h"
#include "flight/stream_ring.h"
#include "live/top_words.h"
#include "piped_child.h"
#include "recorder/machine/clock_reading.h"
#include "recorder/machine/machine_notes.h"
#include "source/stream_lines.h"

#define VERSION_BYTES_MAX (UINT64_C(64) << 20)
/* All tasks are described no more often, however full a chapter is: thousands of them take some
   milliseconds. Meanwhile the ring may take up more than it should. */
#define CHAPTER_LEAST_NS  250000000u
#define ATTEMPTS_MAX      100u
/* The most that the writing process sends through its pipe, which holds as much without a reader:
   a line for each file name that it tries, then the result for the last one, without a newline. */
#define SAID_BYTES_MAX    8192

struct top_ring {
	struct stream_ring stream;
	int fd;
	bool is_own;
	bool is_off;    /* there is too little memory */
	nsec_t turned;  /* when the last chapter began */
	bool is_failed; /* a file was asked for, but not saved */
	struct piped_child writer; /* its pipe: what came of the file */
	char *file;     /* the last one that was written; NULL: none, or it was not */
};

uint64_t top_ring_bytes_max(uint64_t half, uint64_t held)
{
	/* without overflow: a quarter of the memory that would be free without the ring */
	uint64_t bytes = half / 2 + held / 4;

	if (bytes < TOP_RING_BYTES_MIN)
		return 0;
	return bytes < TOP_RING_BYTES_MAX ? bytes : TOP_RING_BYTES_MAX;
}

struct top_ring *top_ring_new(int fd, bool is_own)
{
	struct top_ring *ring = xcalloc(1, sizeof(*ring));
	uint64_t bytes_max = top_ring_bytes_max(ring_memory_limit(), 0);

	ring->fd = fd;
	ring->is_own = is_own;
	ring->is_off = bytes_max == 0;
	ring->writer.fd = -1;
	stream_ring_init(&ring->stream, TOP_RING_NS, bytes_max, /* fd= */ -1);
	return ring;
}

/* One that still writes goes on. */
struct top_ring *top_ring_free(struct top_ring *ring)
{
	if (!ring)
		return NULL;
	stream_ring_release(&ring->stream);
	closep(&ring->writer.fd);
	free(ring->file);
	free(ring);
	return NULL;
}

void top_ring_take(void *state, const void *bytes, size_t size)
{
	struct top_ring *ring = state;

	if (!ring->is_off)
		stream_ring_take(&ring->stream, bytes, size);
}

/* The time of day: now; of another machine, what its stream says. */
static bool pair_find(const struct top_ring *ring, const struct source *source,
                      struct realtime_pair *ret)
{
	const struct realtime *realtime = &source->notes.realtime;

	if (ring->is_own)
		return source->clock && realtime_read(NULL, source->clock, NULL, ret) == 0;
	if (realtime->count > 0)
		*ret = realtime->pair[realtime->count - 1];
	return realtime->count > 0;
}

/* What others take of the memory meanwhile, the ring gives back. */
static void ring_fit(struct top_ring *ring)
{
	uint64_t bytes = top_ring_bytes_max(ring_memory_limit(), ring->stream.bytes);

	ring->stream.bytes_max = bytes ? bytes : TOP_RING_BYTES_MIN;
}

void top_ring_reach(struct top_ring *ring, const struct live_run *run,
                    const struct source *source, nsec_t reached)
{
	struct realtime_pair pair;
	bool has_pair;

	if (ring->is_off || !stream_ring_is_due(&ring->stream, reached) ||
	    reached - ring->turned < CHAPTER_LEAST_NS)
		return;
	ring_fit(ring);
	has_pair = pair_find(ring, source, &pair);
	if (ring_tasks_turn(&ring->stream, run, has_pair ? &pair : NULL, reached))
		ring->turned = reached;
}

/* What the file says of the time when it was saved. */
static void version_describe(const struct top_ring *ring, const struct live_run *run,
                             const struct source *source, struct buffer *to)
{
	nsec_t now = live_run_last(run);
	const struct trigger_note note = {
		.at = now,
		.since = now,
		.condition = "by hand",
		.text = "it was asked for in ftwait top",
	};
	struct realtime_pair pair;
	bool has_pair = pair_find(ring, source, &pair);

	trigger_note_put(&note, to);
	ring_tasks_describe_end(&ring->stream, run, has_pair ? &pair : NULL,
	                        ring->is_own ? getppid() : 0, to);
}

/* Since when the ring holds all that was recorded. */
static nsec_t ring_duration(const struct top_ring *ring, const struct live_run *run)
{
	return live_run_last(run) - ring_tasks_begin(&ring->stream, run);
}

/* A new file, whatever others of that name there are. */
static int file_write(const struct top_ring *ring, const struct buffer *version, int said_fd,
                      struct buffer *name, uint64_t *ret_bytes, struct buffer *why)
{
	const struct shot shot = {
		.ring = &ring->stream,
		.version = version,
		.is_new = true,
	};
	time_t now = time(NULL);
	struct tm local;
	int r = -EEXIST;

	(void)localtime_r(&now, &local);
	for (unsigned i = 1; i <= ATTEMPTS_MAX && r == -EEXIST; i++) {
		buffer_clear(name);
		buffer_clear(why);
		save_name_append(name, &local, i);
		(void)dprintf(said_fd, "%s\n", name->text);
		r = shot_file_write(&shot, name->text, ret_bytes, why);
	}
	return r;
}

/* It is not to end with `top`, and does not know of its screen. */
static void writer_begin(const struct top_ring *ring)
{
	static const int ended_by[] = {
		SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGPIPE, SIGXFSZ,
	};
	int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);

	for (int number = 1; number < SIGRTMIN; number++)
		(void)signal(number, SIG_DFL);
	for (size_t i = 0; i < ARRAY_SIZE(ended_by); i++)
		(void)signal(ended_by[i], SIG_IGN);
	(void)close(ring->fd);
	if (nowhere >= 0)
		(void)dup2(nowhere, STDERR_FILENO);
}

static _Noreturn void writer_run(const struct top_ring *ring, const struct live_run *run,
                                 const struct source *source, int said_fd)
{
	_cleanup_(buffer_release) struct buffer version = buffer_of(VERSION_BYTES_MAX);
	_cleanup_(buffer_release) struct buffer name = buffer_of(SAID_BYTES_MAX);
	_cleanup_(buffer_release) struct buffer said = buffer_of(SAID_BYTES_MAX);
	nsec_t duration = ring_duration(ring, run);
	uint64_t bytes = 0;
	int r;

	writer_begin(ring);
	version_describe(ring, run, source, &version);
	r = file_write(ring, &version, said_fd, &name, &bytes, &said);
	if (r == 0)
		save_result_append(&said, duration, bytes, name.text,
		                   ring->stream.is_short && duration < TOP_RING_NS);
	if (r == 0 && ring->stream.is_swapped)
		buffer_puts(&said, " (other byte order: only ftwait reads it)");
	(void)!write(said_fd, said.text, said.length);
	_exit(r < 0 ? STATUS_FAILED : STATUS_FINE);
}

/* Returns 0, or -errno. */
static int writer_start(struct top_ring *ring, const struct live_run *run,
                        const struct source *source)
{
	int r = piped_child_fork(&ring->writer);

	if (r == 0 && ring->writer.pid == 0)
		writer_run(ring, run, source, ring->writer.fd);
	return r;
}

void top_ring_save(struct top_ring *ring, const struct live_run *run,
                   const struct source *source, struct buffer *said)
{
	int r;

	if (ring->writer.pid) {
		buffer_puts(said, "the recording that was asked for is still being written");
		return;
	}
	if (ring->is_off) {
		buffer_printf(said, "no recording is kept: less than %s of memory were free",
		              SIZE_TEXT(4 * TOP_RING_BYTES_MIN));
	} else if (!run || live_run_last(run) == 0) {
		buffer_puts(said, "nothing has been recorded yet");
		return;
	} else if ((r = writer_start(ring, run, source)) < 0) {
		buffer_printf(said, "cannot make a process that writes: %s", strerror(-r));
	} else {
		buffer_printf(said, "writing the last %.1f s ...",
		              (double)ring_duration(ring, run) / 1e9);
		return;
	}
	ring->is_failed = true;
}

pid_t top_ring_writer(const struct top_ring *ring)
{
	return ring->writer.pid;
}

/* What there is of a file is a stream, if its process did not end by itself. */
static void killed_describe(const char *name, struct buffer *said)
{
	if (*name && access(name, F_OK) == 0)
		buffer_printf(said, "killed while it wrote; to complete it: ftwait record "
		                    "--repair %s", name);
	else
		buffer_puts(said, "the process that was to write was killed");
}

static void writer_ended(struct top_ring *ring, int status, struct buffer *said)
{
	char bytes[SAID_BYTES_MAX + 1], *last, *name;
	ssize_t got = read(ring->writer.fd, bytes, SAID_BYTES_MAX);
	bool is_written = WIFEXITED(status) && WEXITSTATUS(status) == STATUS_FINE;

	closep(&ring->writer.fd);
	ring->is_failed |= !is_written;
	bytes[got > 0 ? got : 0] = '\0';
	last = strrchr(bytes, '\n');
	if (last)
		*last++ = '\0';
	name = strrchr(bytes, '\n');
	name = name ? name + 1 : bytes;
	free(ring->file);
	ring->file = is_written && last ? xstrdup(name) : NULL;
	if (last && *last)
		buffer_puts(said, last);
	else
		killed_describe(name, said);
}

bool top_ring_poll(struct top_ring *ring, struct buffer *said)
{
	int status;

	if (!piped_child_poll(&ring->writer, &status))
		return false;
	writer_ended(ring, status, said);
	return true;
}

bool top_ring_wait(struct top_ring *ring, struct buffer *said)
{
	int status = 0;

	if (!piped_child_await(&ring->writer, &status))
		return false;
	writer_ended(ring, status, said);
	return true;
}

const char *top_ring_file(const struct top_ring *ring)
{
	return ring->file;
}

bool top_ring_is_fine(const struct top_ring *ring)
{
	return !ring->is_failed;
}
