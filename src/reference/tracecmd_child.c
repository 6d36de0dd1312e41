/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tracecmd_child.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <trace-cmd.h>

#include "base/cleanup.h"
#include "base/xalloc.h"
#include "source/file/datfile_source.h"

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

int reference_send(int socket, const void *bytes, size_t size)
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

enum reference_exit reference_serve(const struct source *native, int socket)
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
