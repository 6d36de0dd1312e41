/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ring_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/xalloc.h"

#define PIPE_BYTES (1 << 20)
/*
 * Kernels before 6.9 report a buffer as readable as soon as it holds anything, so the loop would
 * spin. After a round that found little, the loop rests for this long; in that time even 100 MB/s
 * fill no more than half of an 8 MiB buffer.
 */
#define REST_MS 40

struct ring_cpu {
	unsigned id; /* STREAM_ID() */
	int fd;
};

struct ring_reader {
	struct ring_cpu *cpu;
	struct pollfd *poll; /* [0] is the control, [1 + i] belongs to cpu[i] */
	size_t cpu_count;
	int pipe[2];
	size_t pipe_bytes;
	size_t page_bytes;
	uint64_t buffer_bytes;
	bool can_splice;
	bool was_woken;  /* by a buffer */
	bool needs_rest; /* see REST_MS */
	char *page;
};

static int reader_open_cpu(struct ring_reader *reader, const char *dir, unsigned buffer,
                           unsigned cpu)
{
	_cleanup_(freep) char *path = xasprintf("%s/per_cpu/cpu%u/trace_pipe_raw", dir, cpu);
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	reader->cpu[reader->cpu_count].id = STREAM_ID(buffer, cpu);
	reader->cpu[reader->cpu_count].fd = fd;
	reader->cpu_count++;
	reader->poll[reader->cpu_count] = (struct pollfd){.fd = fd, .events = POLLIN};
	return 0;
}

static int reader_open_pipe(struct ring_reader *reader)
{
	int size;

	if (pipe2(reader->pipe, O_CLOEXEC) < 0)
		return -errno;
	/* A larger pipe only means fewer calls; unprivileged users may be refused. */
	(void)fcntl(reader->pipe[1], F_SETPIPE_SZ, PIPE_BYTES);
	size = fcntl(reader->pipe[1], F_GETPIPE_SZ);
	if (size < 0)
		return -errno;
	reader->pipe_bytes = (size_t)size / reader->page_bytes * reader->page_bytes;
	reader->can_splice = reader->pipe_bytes > 0;
	return 0;
}

int ring_reader_add(struct ring_reader *reader, const struct capture_session *session,
                    unsigned buffer, struct buffer *why)
{
	size_t count = reader->cpu_count + session->cpu_count;
	int r = 0;

	reader->cpu = xreallocarray(reader->cpu, count, sizeof(reader->cpu[0]));
	reader->poll = xreallocarray(reader->poll, count + 1, sizeof(reader->poll[0]));
	for (unsigned cpu = 0; r == 0 && cpu < session->cpu_count; cpu++) {
		r = reader_open_cpu(reader, session->dir, buffer, cpu);
		if (r == -ENOENT || r == -ENODEV)
			r = 0; /* CPU numbers may have gaps */
		if (r < 0)
			buffer_printf(why, "%s/per_cpu/cpu%u/trace_pipe_raw: %s%s", session->dir,
			              cpu, strerror(-r),
			              r == -EMFILE ? "; raise the limit: ulimit -n" : "");
	}
	return r;
}

int ring_reader_open(const struct capture_session *session, struct ring_reader **ret,
                     struct buffer *why)
{
	struct ring_reader *reader = xcalloc(1, sizeof(*reader));
	int r;

	reader->pipe[0] = reader->pipe[1] = -1;
	reader->page_bytes = session->page_bytes;
	reader->buffer_bytes = session->buffer_bytes;
	reader->page = xmalloc(session->page_bytes);
	r = reader_open_pipe(reader);
	if (r < 0)
		buffer_printf(why, "cannot make a pipe: %s", strerror(-r));
	if (r == 0)
		r = ring_reader_add(reader, session, /* buffer= */ 0, why);
	if (r < 0) {
		(void)ring_reader_close(reader);
		return r;
	}
	*ret = reader;
	return 0;
}

struct ring_reader *ring_reader_close(struct ring_reader *reader)
{
	if (!reader)
		return NULL;
	for (size_t i = 0; i < reader->cpu_count; i++)
		(void)close(reader->cpu[i].fd);
	for (size_t i = 0; i < 2; i++)
		if (reader->pipe[i] >= 0)
			(void)close(reader->pipe[i]);
	free(reader->cpu);
	free(reader->poll);
	free(reader->page);
	free(reader);
	return NULL;
}

void ring_reader_wait(struct ring_reader *reader, int control_fd, int timeout_ms)
{
	nfds_t count = 1 + (reader->needs_rest ? 0 : reader->cpu_count);
	int ready;

	if (reader->needs_rest && timeout_ms > REST_MS)
		timeout_ms = REST_MS;
	reader->poll[0] = (struct pollfd){.fd = control_fd, .events = POLLIN};
	ready = poll(reader->poll, count, timeout_ms);
	reader->was_woken = ready > 0 && count > 1 && !(ready == 1 && reader->poll[0].revents);
	reader->needs_rest = false;
}

/* Moves only full pages. Returns bytes, 0 if there are none, or -errno. */
static ssize_t reader_splice(struct ring_reader *reader, const struct ring_cpu *cpu,
                             struct page_queue *queue)
{
	ssize_t moved = splice(cpu->fd, NULL, reader->pipe[1], NULL, reader->pipe_bytes,
	                       SPLICE_F_MOVE | SPLICE_F_NONBLOCK);
	int r;

	if (moved < 0)
		return errno == EAGAIN || errno == EINTR ? 0 : -errno;
	if (moved == 0)
		return 0;
	r = page_queue_take_pipe(queue, cpu->id, reader->pipe[0], (size_t)moved);
	return r < 0 ? r : moved;
}

/* Returns bytes, 0 if there are none, or -errno. A short page is padded with zeros. */
static ssize_t reader_read(struct ring_reader *reader, const struct ring_cpu *cpu,
                           struct page_queue *queue)
{
	ssize_t got = read(cpu->fd, reader->page, reader->page_bytes);
	int r;

	if (got < 0)
		return errno == EAGAIN || errno == EINTR || errno == ENODEV ? 0 : -errno;
	if (got == 0)
		return 0;
	memset(reader->page + got, 0, reader->page_bytes - (size_t)got);
	r = page_queue_take(queue, cpu->id, reader->page, reader->page_bytes);
	return r < 0 ? r : (ssize_t)reader->page_bytes;
}

/*
 * Drains the pages that a CPU's buffer holds now, and no more. To drain until nothing is left would
 * take forever on a busy CPU, a page or two at each step, while the other buffers run over: gaps of
 * 0.7 s were seen on a loaded machine. A splice that moves less than a pipe holds has emptied the
 * buffer. A read always returns a whole page, as it also takes the page that is being filled.
 */
static int reader_drain_cpu(struct ring_reader *reader, const struct ring_cpu *cpu,
                            struct page_queue *queue, uint64_t *ret_bytes)
{
	uint64_t total = 0;
	ssize_t moved;
	size_t full;

	do {
		moved = reader->can_splice ? reader_splice(reader, cpu, queue) : -EINVAL;
		full = reader->pipe_bytes;
		if (moved == -EINVAL) {
			reader->can_splice = false;
			moved = reader_read(reader, cpu, queue);
			full = reader->page_bytes;
		}
		if (moved < 0)
			return (int)moved;
		total += (uint64_t)moved;
	} while ((size_t)moved == full && total < reader->buffer_bytes);
	*ret_bytes = total;
	return 0;
}

int ring_reader_drain(struct ring_reader *reader, struct page_queue *queue)
{
	uint64_t most = 0;

	for (size_t i = 0; i < reader->cpu_count; i++) {
		uint64_t bytes = 0;
		int r = reader_drain_cpu(reader, &reader->cpu[i], queue, &bytes);

		if (r < 0)
			return r;
		if (bytes > most)
			most = bytes;
	}
	reader->needs_rest = reader->was_woken && most < reader->buffer_bytes / 4;
	return 0;
}

/*
 * A splice leaves the page that is being filled, and older kernels leave all pages behind one
 * that was read in part. The read takes either, and the splice after it shows whether more was
 * behind it: if nothing was, all events are out that were there at the first step.
 */
static int reader_flush_cpu(struct ring_reader *reader, const struct ring_cpu *cpu,
                            struct page_queue *queue)
{
	uint64_t total = 0, full = 0;
	ssize_t got;
	int r;

	do {
		r = reader_drain_cpu(reader, cpu, queue, &full);
		if (r < 0)
			return r;
		if (total > 0 && full == 0)
			return 0;
		got = reader_read(reader, cpu, queue);
		if (got < 0)
			return (int)got;
		total += full + (uint64_t)got;
	} while (got > 0 && total < reader->buffer_bytes);
	return 0;
}

int ring_reader_flush(struct ring_reader *reader, struct page_queue *queue)
{
	for (size_t i = 0; i < reader->cpu_count; i++) {
		int r = reader_flush_cpu(reader, &reader->cpu[i], queue);

		if (r < 0)
			return r;
	}
	return 0;
}

int ring_reader_finish(struct ring_reader *reader, struct page_queue *queue)
{
	for (size_t i = 0; i < reader->cpu_count; i++) {
		const struct ring_cpu *cpu = &reader->cpu[i];
		ssize_t moved;

		while (reader->can_splice && (moved = reader_splice(reader, cpu, queue)) != 0)
			if (moved < 0 && moved != -EINVAL)
				return (int)moved;
			else if (moved < 0)
				reader->can_splice = false;
		while ((moved = reader_read(reader, cpu, queue)) != 0)
			if (moved < 0)
				return (int)moved;
	}
	return 0;
}
