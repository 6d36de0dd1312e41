/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stream_writer.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

static bool writer_is_interrupted(const struct stream_writer *writer)
{
	return writer->interrupts && *writer->interrupts >= writer->interrupt_limit;
}

static int writer_put(struct stream_writer *writer, const void *bytes, size_t size)
{
	const char *from = bytes;

	while (size > 0) {
		ssize_t written;

		if (writer_is_interrupted(writer))
			return -EINTR;
		written = write(writer->fd, from, size);
		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			return -errno;
		from += written;
		size -= (size_t)written;
		writer->bytes += (uint64_t)written;
	}
	return 0;
}

/* The next write would leave a hole, and the file look whole. */
static void writer_look(struct stream_writer *writer)
{
	struct stat file;

	if (writer->is_file && fstat(writer->fd, &file) == 0 &&
	    (uint64_t)file.st_size < writer->bytes)
		writer->is_cut = true;
}

static int writer_put_header(struct stream_writer *writer, enum stream_block_type type,
                             unsigned id, size_t size)
{
	const struct stream_block block = {
		.mark = STREAM_BLOCK_MARK,
		.type = type,
		.cpu = id & 0xffff,
		.buffer = id >> 16,
		.size = size,
	};

	writer_look(writer);
	return writer_put(writer, &block, sizeof(block));
}

int stream_writer_begin(struct stream_writer *writer, int fd)
{
	*writer = (struct stream_writer){.fd = fd};
	return writer_put(writer, STREAM_MAGIC, STREAM_MAGIC_BYTES);
}

int stream_writer_block(struct stream_writer *writer, enum stream_block_type type, unsigned id,
                        const void *bytes, size_t size)
{
	int r = writer_put_header(writer, type, id, size);

	return r < 0 ? r : writer_put(writer, bytes, size);
}

void stream_option_append(struct buffer *to, uint16_t id, const void *bytes, size_t size)
{
	uint32_t length = (uint32_t)size;

	buffer_append(to, &id, sizeof(id));
	buffer_append(to, &length, sizeof(length));
	buffer_append(to, bytes, size);
}
