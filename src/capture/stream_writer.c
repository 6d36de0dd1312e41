/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stream_writer.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/xalloc.h"

#define CHUNK_BYTES (64u << 10)

/* True where an interrupted call shall be made again. */
static bool writer_goes_on(const struct stream_writer *writer)
{
	return errno == EINTR &&
	       !(writer->interrupts && *writer->interrupts >= writer->interrupt_limit);
}

static int writer_put(struct stream_writer *writer, const void *bytes, size_t size)
{
	const char *from = bytes;

	while (size > 0) {
		ssize_t written = write(writer->fd, from, size);

		if (written < 0 && writer_goes_on(writer))
			continue;
		if (written < 0)
			return -errno;
		from += written;
		size -= (size_t)written;
		writer->bytes += (uint64_t)written;
	}
	return 0;
}

static int writer_put_header(struct stream_writer *writer, enum stream_block_type type,
                             unsigned cpu, size_t size)
{
	const struct stream_block block = {
		.mark = STREAM_BLOCK_MARK,
		.type = type,
		.cpu = cpu,
		.size = size,
	};

	return writer_put(writer, &block, sizeof(block));
}

int stream_writer_begin(struct stream_writer *writer, int fd)
{
	*writer = (struct stream_writer){.fd = fd, .can_splice = true};
	return writer_put(writer, STREAM_MAGIC, STREAM_MAGIC_BYTES);
}

int stream_writer_block(struct stream_writer *writer, enum stream_block_type type, unsigned cpu,
                        const void *bytes, size_t size)
{
	int r = writer_put_header(writer, type, cpu, size);

	return r < 0 ? r : writer_put(writer, bytes, size);
}

/* For outputs into which nothing can be spliced: opened for appending, some terminals. */
static int writer_copy_pipe(struct stream_writer *writer, int pipe_fd, size_t size)
{
	_cleanup_(freep) char *chunk = xmalloc(CHUNK_BYTES);

	while (size > 0) {
		ssize_t got = read(pipe_fd, chunk, size < CHUNK_BYTES ? size : CHUNK_BYTES);
		int r;

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got < 0 ? -errno : -EIO;
		r = writer_put(writer, chunk, (size_t)got);
		if (r < 0)
			return r;
		size -= (size_t)got;
	}
	return 0;
}

int stream_writer_pages(struct stream_writer *writer, unsigned cpu, int pipe_fd, size_t size)
{
	int r = writer_put_header(writer, STREAM_PAGES, cpu, size);

	if (r < 0)
		return r;
	while (size > 0 && writer->can_splice) {
		ssize_t moved = splice(pipe_fd, NULL, writer->fd, NULL, size, SPLICE_F_MOVE);

		if (moved < 0 && errno == EINVAL)
			writer->can_splice = false;
		else if (moved < 0 && !writer_goes_on(writer))
			return -errno;
		else if (moved == 0)
			return -EIO;
		if (moved > 0) {
			size -= (size_t)moved;
			writer->bytes += (uint64_t)moved;
		}
	}
	return writer_copy_pipe(writer, pipe_fd, size);
}

void stream_option_append(struct buffer *to, uint16_t id, const void *bytes, size_t size)
{
	uint32_t length = (uint32_t)size;

	buffer_append(to, &id, sizeof(id));
	buffer_append(to, &length, sizeof(length));
	buffer_append(to, bytes, size);
}
