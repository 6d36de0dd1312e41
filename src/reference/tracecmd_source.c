/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tracecmd_source.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <trace-cmd.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file/confine.h"
#include "base/xalloc.h"
#include "source/file/datfile_source.h"
#include "source/source.h"
#include "source/source_notes.h"

/*
 * The child process of tracecmd_source.h, and the protocol between parent and child over a socket.
 * First the child sends one reply (count 0: the file is open). A request is the index of a stream;
 * the child answers each request with one reply, of which count 0 means the end of that stream. The
 * child closes the socket only when it ends, which is also the only sign of an error.
 */

#define REFERENCE_BATCH_RECORDS 512
#define REFERENCE_BATCH_BYTES (256u << 10)

/* Followed by `count` reply_records and then `bytes` of payloads, in the same order. */
struct reply {
	uint32_t count;
	uint32_t bytes;
	uint64_t lost_events; /* as in struct record_batch */
};

struct reply_record {
	uint64_t time;
	uint64_t length; /* each payload is padded to 8 bytes in the reply */
};

/* Exit statuses of the child. */
enum reference_exit {
	REFERENCE_DONE = 0,
	REFERENCE_CANNOT_OPEN = 1,
	REFERENCE_BROKEN_SOCKET = 2,
};

struct child_stream {
	struct tracecmd_input *handle; /* NULL: the library has no such buffer */
	int cpu;                       /* number of the CPU as the library counts it, from 0 in
	                                  each buffer */
	struct tep_record *held;       /* a record that is read already, but belongs to the next
	                                  batch */
};

struct tracecmd_child {
	const struct source *native;
	struct child_stream *streams;
	uint8_t *payloads;
	struct reply_record records[REFERENCE_BATCH_RECORDS];
};

/* Send and receive exactly `size` bytes. They return 0, -errno, or -ENODATA at the end of the
   socket. */
static int reference_send(int socket, const void *bytes, size_t size)
{
	const uint8_t *at = bytes;

	while (size > 0) {
		ssize_t sent = send(socket, at, size, MSG_NOSIGNAL);

		if (sent < 0 && errno == EINTR)
			continue;
		if (sent < 0)
			return -errno;
		at += sent;
		size -= (size_t)sent;
	}
	return 0;
}

static struct tracecmd_input *buffer_handle(struct tracecmd_input *main_handle, const char *name)
{
	int count = tracecmd_buffer_instances(main_handle);

	if (*name == '\0')
		return main_handle;
	for (int i = 0; i < count; i++) {
		const char *known = tracecmd_buffer_instance_name(main_handle, i);

		if (known && strcmp(known, name) == 0)
			return tracecmd_buffer_instance_handle(main_handle, i);
	}
	return NULL;
}

static void child_place_streams(struct tracecmd_child *child, struct tracecmd_input *main_handle)
{
	const struct source *native = child->native;

	for (size_t b = 0; b < native->buffer_count; b++) {
		struct tracecmd_input *handle = buffer_handle(main_handle,
		                                              datfile_buffer_name(native, b));
		int cpu = 0;

		for (size_t s = 0; s < native->stream_count; s++)
			if (native->streams[s].buffer == b)
				child->streams[s] = (struct child_stream){handle, cpu++, NULL};
	}
}

static struct tep_record *stream_read(struct child_stream *stream)
{
	if (!stream->handle)
		return NULL;
	return stream->held ? TAKE_PTR(stream->held)
	                    : tracecmd_read_data(stream->handle, stream->cpu);
}

static uint64_t record_loss(const struct tep_record *record)
{
	return record->missed_events < 0 ? LOST_UNCOUNTED : (uint64_t)record->missed_events;
}

/* Collects a batch: it ends where events were lost, as a batch reports losses only at its
   front. */
static struct reply child_collect(struct tracecmd_child *child, struct child_stream *stream)
{
	struct reply reply = {0};
	struct tep_record *record;

	while (reply.count < REFERENCE_BATCH_RECORDS && (record = stream_read(stream))) {
		size_t size = record->size > 0 ? (size_t)record->size : 0;
		size_t padded = (size + 7) & ~(size_t)7;

		if (padded > REFERENCE_BATCH_BYTES)
			padded = size = REFERENCE_BATCH_BYTES;
		if (reply.count > 0 &&
		    (record->missed_events || padded > REFERENCE_BATCH_BYTES - reply.bytes)) {
			stream->held = record;
			break;
		}
		if (reply.count == 0)
			reply.lost_events = record_loss(record);
		memcpy(child->payloads + reply.bytes, record->data, size);
		memset(child->payloads + reply.bytes + size, 0, padded - size);
		child->records[reply.count++] = (struct reply_record){record->ts, size};
		reply.bytes += (uint32_t)padded;
		tracecmd_free_record(record);
	}
	return reply;
}

static int child_answer(struct tracecmd_child *child, int socket, struct child_stream *stream)
{
	struct reply reply = child_collect(child, stream);
	int r = reference_send(socket, &reply, sizeof(reply));

	if (r == 0)
		r = reference_send(socket, child->records, reply.count * sizeof(child->records[0]));
	return r < 0 ? r : reference_send(socket, child->payloads, reply.bytes);
}

static enum reference_exit child_loop(struct tracecmd_child *child, int socket)
{
	const struct reply opened = {0};
	uint32_t stream;

	if (reference_send(socket, &opened, sizeof(opened)) < 0)
		return REFERENCE_BROKEN_SOCKET;
	while (recv(socket, &stream, sizeof(stream), MSG_WAITALL) == (ssize_t)sizeof(stream)) {
		if (stream >= child->native->stream_count ||
		    child_answer(child, socket, &child->streams[stream]) < 0)
			return REFERENCE_BROKEN_SOCKET;
	}
	return REFERENCE_DONE;
}

/*
 * Serves `socket` until its end, for a source that source_open() made: opens its file again, by
 * the name of its descriptor.
 */
static enum reference_exit reference_serve(const struct source *native, int socket)
{
	struct tracecmd_child *child = xcalloc(1, sizeof(*child));
	struct tracecmd_input *handle;
	char path[64];

	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", datfile_descriptor(native));
	tracecmd_set_loglevel(TEP_LOG_NONE);
	handle = tracecmd_open(path, TRACECMD_FL_LOAD_NO_PLUGINS);
	if (!handle)
		return REFERENCE_CANNOT_OPEN;
	child->native = native;
	child->streams = xcalloc(native->stream_count, sizeof(*child->streams));
	child->payloads = xmalloc(REFERENCE_BATCH_BYTES);
	child_place_streams(child, handle);
	/* Nothing is closed or freed, as the process ends now, and the library's own cleanup
	   crashes. */
	return child_loop(child, socket);
}

#define PROGRESS_TIMEOUT_MS 10000
#define CHILD_MEMORY_MAX    (UINT64_C(4) << 30)

struct reference_feed {
	bool is_over;
	struct record *records;
	uint8_t *payloads;
};

struct reference {
	struct source source; /* the first member, as ops cast a pointer to it back */
	struct source *native; /* describes this trace */
	struct text_store text;
	struct reference_feed *feeds;
	pid_t child; /* 0: reaped */
	int socket;
};

static int reference_fork(struct reference *reference)
{
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
		return -errno;
	reference->child = fork();
	if (reference->child == 0) {
		(void)close(pair[0]);
		child_confine(CHILD_MEMORY_MAX);
		_exit((int)reference_serve(reference->native, pair[1]));
	}
	(void)close(pair[1]);
	reference->socket = pair[0];
	if (reference->child < 0) {
		reference->child = 0;
		return -errno;
	}
	return 0;
}

/* Returns 0, -ENODATA if the child has ended, or -ETIMEDOUT if it does not answer for too long. */
static int reference_receive(const struct reference *reference, void *to, size_t size)
{
	uint8_t *at = to;

	while (size > 0) {
		struct pollfd ready = {.fd = reference->socket, .events = POLLIN};
		int polled = poll(&ready, 1, PROGRESS_TIMEOUT_MS);
		ssize_t got;

		if (polled == 0)
			return -ETIMEDOUT;
		got = polled > 0 ? recv(reference->socket, at, size, 0) : -1;
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0 && errno != ECONNRESET)
			return -errno;
		if (got <= 0)
			return -ENODATA;
		at += got;
		size -= (size_t)got;
	}
	return 0;
}

/* Ends the child in any case, and reports how it ended. */
static void reference_reap(struct reference *reference, int error, struct buffer *why)
{
	int status = 0;
	pid_t child = reference->child;

	reference->child = 0;
	if (child == 0)
		return;
	if (error != -ENODATA)
		(void)kill(child, SIGKILL);
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	if (error == -ETIMEDOUT)
		buffer_printf(why, "libtracecmd made no progress for %d s and was stopped",
		              PROGRESS_TIMEOUT_MS / 1000);
	else if (error != -ENODATA)
		buffer_printf(why, "libtracecmd cannot be asked: %s", strerror(-error));
	else if (WIFSIGNALED(status))
		buffer_printf(why, "libtracecmd crashed (%s)", strsignal(WTERMSIG(status)));
	else if (WEXITSTATUS(status) == REFERENCE_CANNOT_OPEN)
		buffer_puts(why, "libtracecmd cannot open it");
	else
		buffer_printf(why, "libtracecmd's process ended with status %d",
		              WEXITSTATUS(status));
}

static int reference_check(const struct reply *reply)
{
	if (reply->count > REFERENCE_BATCH_RECORDS || reply->bytes > REFERENCE_BATCH_BYTES)
		return -EBADMSG;
	return 0;
}

/* Turns the payloads of a reply into records. */
static int reference_lay_out(struct reference_feed *feed, const struct reply *reply,
                             const struct reply_record *from)
{
	size_t at = 0;

	for (uint32_t i = 0; i < reply->count; i++) {
		/* NOLINTNEXTLINE: filled by reference_receive(), which the analyser cannot see */
		size_t padded = (size_t)((from[i].length + 7) & ~UINT64_C(7));

		if (from[i].length > REFERENCE_BATCH_BYTES || padded > reply->bytes - at)
			return -EBADMSG;
		feed->records[i] = (struct record){from[i].time, feed->payloads + at,
		                                   (uint32_t)from[i].length};
		at += padded;
	}
	return 0;
}

static int reference_ask(struct reference *reference, uint32_t stream, struct reply *ret)
{
	struct reference_feed *feed = &reference->feeds[stream];
	struct reply_record records[REFERENCE_BATCH_RECORDS];
	int r;

	if (!feed->records) {
		feed->records = xreallocarray(NULL, REFERENCE_BATCH_RECORDS,
		                              sizeof(*feed->records));
		feed->payloads = xmalloc(REFERENCE_BATCH_BYTES);
	}
	r = reference_send(reference->socket, &stream, sizeof(stream));
	if (r < 0) /* the socket is closed: the child has ended */
		return -ENODATA;
	r = reference_receive(reference, ret, sizeof(*ret));
	if (r == 0)
		r = reference_check(ret);
	if (r == 0)
		r = reference_receive(reference, records, ret->count * sizeof(records[0]));
	if (r == 0)
		r = reference_receive(reference, feed->payloads, ret->bytes);
	return r < 0 ? r : reference_lay_out(feed, ret, records);
}

static void reference_feed_end(struct reference_feed *feed)
{
	feed->is_over = true;
	free(feed->records);
	free(feed->payloads);
	feed->records = NULL;
	feed->payloads = NULL;
}

static enum pull reference_next_batch(struct source *source, size_t stream,
                                      struct record_batch *ret)
{
	struct reference *reference = (struct reference *)source;
	struct reference_feed *feed = &reference->feeds[stream];
	struct reply reply = {0};
	int r;

	*ret = (struct record_batch){0};
	if (feed->is_over || reference->child == 0)
		return PULL_END;
	r = reference_ask(reference, (uint32_t)stream, &reply);
	if (r < 0) {
		_cleanup_(buffer_release) struct buffer why = buffer_of(256);

		reference_reap(reference, r, &why);
		source_damage(source, &reference->text, "%s while reading cpu %u", why.text,
		              source->streams[stream].cpu);
	}
	if (r < 0 || reply.count == 0) {
		reference_feed_end(feed);
		return PULL_END;
	}
	*ret = (struct record_batch){feed->records, reply.count, reply.lost_events};
	return PULL_ITEM;
}

static int64_t reference_read_symbols(struct source *source, uint64_t offset, char *to, size_t size)
{
	return source_read_symbols(((struct reference *)source)->native, offset, to, size);
}

static void reference_free(struct reference *reference)
{
	if (reference->child > 0) {
		(void)kill(reference->child, SIGKILL);
		while (waitpid(reference->child, NULL, 0) < 0 && errno == EINTR)
			;
	}
	if (reference->socket >= 0)
		(void)close(reference->socket);
	for (size_t i = 0; reference->feeds && i < reference->source.stream_count; i++)
		reference_feed_end(&reference->feeds[i]);
	free(reference->feeds);
	text_store_release(&reference->text);
	(void)source_close(reference->native);
	free(reference);
}

static void reference_close(struct source *source)
{
	reference_free((struct reference *)source);
}

static const struct source_ops reference_ops = {
	.name = "libtracecmd",
	.next_batch = reference_next_batch,
	.read_symbols = reference_read_symbols,
	.close = reference_close,
};

static int reference_begin(struct reference *reference, struct buffer *why)
{
	struct reply opened;
	int r = reference_fork(reference);

	if (r < 0)
		return buffer_fail(why, r, "cannot start a process for libtracecmd: %s",
		                   strerror(-r));
	r = reference_receive(reference, &opened, sizeof(opened));
	if (r == 0)
		return 0;
	reference_reap(reference, r, why);
	if (datfile_packing(reference->native) == PACKING_ZLIB)
		buffer_puts(why, " (it is compressed with zlib, which many builds of libtracecmd "
		                 "lack)");
	buffer_puts(why, "; use --reader native");
	return r == -ENODATA ? -EIO : r;
}

bool reference_is_built(void)
{
	return true;
}

int reference_open(const char *path, struct source **ret, struct buffer *why)
{
	struct reference *reference;
	struct source *native;
	int r = source_open(path, &native, why);

	if (r < 0)
		return r;
	if (!datfile_is_source(native)) {
		(void)source_close(native);
		return buffer_fail(why, -EINVAL, "libtracecmd does not read text; use --reader "
		                   "native");
	}
	reference = xcalloc(1, sizeof(*reference));
	reference->native = native;
	reference->source = *native;
	reference->source.ops = &reference_ops;
	reference->socket = -1;
	reference->feeds = xcalloc(native->stream_count, sizeof(*reference->feeds));
	r = reference_begin(reference, why);
	if (r < 0) {
		reference_free(reference);
		return r;
	}
	*ret = &reference->source;
	return 0;
}
