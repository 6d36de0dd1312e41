/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "datfile_writer.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/xalloc.h"
#include "stream_index.h"

#define COPY_BYTES  (16u << 20) /* one call; in between we look at the interrupts */
#define CHUNK_BYTES (256u << 10)

struct datfile_writer {
	int in, out;
	bool can_copy_range;
	const volatile sig_atomic_t *interrupts;
	sig_atomic_t interrupt_limit;
};

static bool writer_is_interrupted(const struct datfile_writer *writer)
{
	return writer->interrupts && *writer->interrupts >= writer->interrupt_limit;
}

static int writer_put(struct datfile_writer *writer, const char *bytes, size_t size)
{
	while (size > 0) {
		ssize_t written = write(writer->out, bytes, size);

		if (written < 0 && errno == EINTR && !writer_is_interrupted(writer))
			continue;
		if (written < 0)
			return -errno;
		bytes += written;
		size -= (size_t)written;
	}
	return 0;
}

static ssize_t writer_copy_through(struct datfile_writer *writer, off_t *offset, size_t size)
{
	_cleanup_(freep) char *chunk = xmalloc(CHUNK_BYTES);
	ssize_t got;
	int r;

	got = pread(writer->in, chunk, size < CHUNK_BYTES ? size : CHUNK_BYTES, *offset);
	if (got < 0)
		return errno == EINTR ? 0 : -errno;
	if (got == 0)
		return -EIO;
	r = writer_put(writer, chunk, (size_t)got);
	if (r < 0)
		return r;
	*offset += got;
	return got;
}

/* Some bytes of it. Returns how many, or -errno. */
static ssize_t writer_copy_some(struct datfile_writer *writer, off_t *offset, size_t size)
{
	ssize_t copied;

	if (!writer->can_copy_range)
		return writer_copy_through(writer, offset, size);
	copied = copy_file_range(writer->in, offset, writer->out, NULL, size, 0);
	if (copied > 0)
		return copied;
	if (copied < 0 && (errno == EINTR || errno == ENOSPC || errno == EDQUOT || errno == EIO))
		return errno == EINTR ? 0 : -errno;
	/* Not on this file system, not on this kernel: read and write always work. */
	writer->can_copy_range = false;
	return 0;
}

static int writer_copy_run(struct datfile_writer *writer, const struct page_run *run)
{
	off_t offset = (off_t)run->offset;
	uint64_t left = run->size;

	while (left > 0) {
		ssize_t copied;

		if (writer_is_interrupted(writer))
			return -EINTR;
		copied = writer_copy_some(writer, &offset,
		                          left < COPY_BYTES ? (size_t)left : COPY_BYTES);
		if (copied < 0)
			return (int)copied;
		left -= (uint64_t)copied;
	}
	return 0;
}

/* The head with the command lines that were learnt at the end. */
static void preface_put_head(struct buffer *to, const struct stream_index *index)
{
	size_t text_at = index->parts.cmdlines_at + sizeof(uint64_t);
	uint64_t bytes = index->parts.cmdlines_bytes + index->cmdlines.length;

	buffer_append(to, index->head.text, index->parts.cmdlines_at);
	buffer_append(to, &bytes, sizeof(bytes));
	buffer_append(to, index->head.text + text_at, index->parts.cmdlines_bytes);
	buffer_append(to, index->cmdlines.text, index->cmdlines.length);
	buffer_append(to, &index->parts.cpu_count, sizeof(index->parts.cpu_count));
}

/* "[mono]" of the clock option's "local global [mono] ..."; false where there is none. */
static bool options_find_clock(const struct buffer *options, const char **ret, uint64_t *ret_bytes)
{
	size_t at = 0;

	while (options->length - at >= sizeof(uint16_t) + sizeof(uint32_t)) {
		const char *text = options->text + at + sizeof(uint16_t) + sizeof(uint32_t);
		const char *open, *close;
		uint16_t id;
		uint32_t size;

		memcpy(&id, options->text + at, sizeof(id));
		memcpy(&size, options->text + at + sizeof(id), sizeof(size));
		if (size > options->length - (size_t)(text - options->text))
			return false;
		open = id == DATFILE_OPTION_CLOCK ? memchr(text, '[', size) : NULL;
		close = open ? memchr(open, ']', size - (size_t)(open - text)) : NULL;
		if (close) {
			*ret = open;
			*ret_bytes = (uint64_t)(close - open) + 1;
			return true;
		}
		at = (size_t)(text - options->text) + size;
	}
	return false;
}

static uint64_t cpu_bytes(const struct stream_index *index, uint32_t cpu)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < index->run_count; i++)
		if (index->run[i].cpu == cpu)
			bytes += index->run[i].size;
	return bytes;
}

/*
 * All that stands before the pages, padded to a page. *ret_total is the length of the whole file.
 */
static void preface_build(struct buffer *to, const struct stream_index *index, uint64_t *ret_total)
{
	const uint64_t page = index->parts.page_bytes;
	const uint16_t end_mark = DATFILE_OPTION_END;
	const char *clock = NULL;
	uint64_t clock_bytes = 0, offset;
	bool has_clock = options_find_clock(&index->options, &clock, &clock_bytes);

	preface_put_head(to, index);
	buffer_append(to, "options  ", 10);
	buffer_append(to, index->options.text, index->options.length);
	buffer_append(to, &end_mark, sizeof(end_mark));
	buffer_append(to, "flyrecord", 10);
	offset = to->length + (uint64_t)index->parts.cpu_count * 2 * sizeof(uint64_t) +
	         (has_clock ? sizeof(uint64_t) + clock_bytes : 0);
	offset = (offset + page - 1) / page * page;
	*ret_total = offset;
	for (uint32_t cpu = 0; cpu < index->parts.cpu_count; cpu++) {
		uint64_t bytes = cpu_bytes(index, cpu);

		buffer_append(to, ret_total, sizeof(*ret_total));
		buffer_append(to, &bytes, sizeof(bytes));
		*ret_total += bytes;
	}
	if (has_clock) {
		buffer_append(to, &clock_bytes, sizeof(clock_bytes));
		buffer_append(to, clock, (size_t)clock_bytes);
	}
	while (to->length < offset && !to->is_cut)
		buffer_putc(to, '\0');
}

static int writer_write(struct datfile_writer *writer, const struct stream_index *index)
{
	struct buffer preface;
	uint64_t total;
	int r;

	buffer_init(&preface, (size_t)DATFILE_HEAD_BYTES_MAX * 4);
	preface_build(&preface, index, &total);
	/* Better no copy at all than most of one; file systems without it fail later. */
	r = fallocate(writer->out, FALLOC_FL_KEEP_SIZE, 0, (off_t)total) < 0 ? -errno : 0;
	if (r != -ENOSPC && r != -EDQUOT && r != -EFBIG)
		r = preface.is_cut ? -EFBIG : writer_put(writer, preface.text, preface.length);
	buffer_release(&preface);
	for (uint32_t cpu = 0; r == 0 && cpu < index->parts.cpu_count; cpu++)
		for (size_t i = 0; r == 0 && i < index->run_count; i++)
			if (index->run[i].cpu == cpu)
				r = writer_copy_run(writer, &index->run[i]);
	return r;
}

int datfile_convert(int stream_fd, int out_fd, const char *path,
                    const volatile sig_atomic_t *interrupts, sig_atomic_t interrupt_limit,
                    struct buffer *why)
{
	struct datfile_writer writer = {
		.in = stream_fd,
		.out = out_fd,
		.can_copy_range = true,
		.interrupts = interrupts,
		.interrupt_limit = interrupt_limit,
	};
	struct stream_index index;
	int r;

	r = stream_index_read(stream_fd, path, &index, why);
	if (r < 0)
		return r;
	r = writer_write(&writer, &index);
	if (r < 0)
		buffer_printf(why, "cannot write a trace.dat beside %s: %s", path, strerror(-r));
	stream_index_release(&index);
	return r;
}

/* The new file shall look like the old one to everybody but its reader. */
static void file_copy_owner(int from, int to)
{
	struct stat file;

	if (fstat(from, &file) < 0)
		return;
	if (fchown(to, file.st_uid, file.st_gid) < 0)
		(void)fchown(to, (uid_t)-1, file.st_gid);
	(void)fchmod(to, file.st_mode & 07777);
}

/*
 * A file in the folder of `path`, at best without a name yet: then nothing is left of it whatever
 * kills us. `name` is the one it has or will have until it replaces `path`.
 */
static int beside_open(const char *path, char *name, bool *ret_has_name)
{
	_cleanup_(freep) char *copy = xstrdup(path);
	int fd;

	*ret_has_name = false;
	fd = open(dirname(copy), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd >= 0)
		return fd;
	*ret_has_name = true;
	fd = mkostemp(name, O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

static int beside_rename(int fd, bool has_name, const char *name, const char *path)
{
	_cleanup_(freep) char *link = xasprintf("/proc/self/fd/%d", fd);
	int error;

	if (!has_name && linkat(AT_FDCWD, link, AT_FDCWD, name, AT_SYMLINK_FOLLOW) < 0)
		return -errno;
	if (rename(name, path) == 0)
		return 0;
	error = errno;
	(void)unlink(name);
	return -error;
}

/* `in` is the open `path`. */
static int file_replace(int in, const char *path, const volatile sig_atomic_t *interrupts,
                        sig_atomic_t interrupt_limit, struct buffer *why)
{
	_cleanup_(freep) char *name = xasprintf("%s.%d.XXXXXX", path, (int)getpid());
	_cleanup_(closep) int out = -1;
	bool has_name;
	int r;

	out = beside_open(path, name, &has_name);
	if (out < 0) {
		r = out;
		buffer_printf(why, "cannot write beside %s: %s", path, strerror(-r));
		return r;
	}
	r = datfile_convert(in, out, path, interrupts, interrupt_limit, why);
	if (r < 0) {
		if (has_name)
			(void)unlink(name);
		return r;
	}
	file_copy_owner(in, out);
	r = beside_rename(out, has_name, name, path);
	if (r < 0)
		buffer_printf(why, "cannot replace %s: %s", path, strerror(-r));
	return r;
}

int datfile_replace(const char *path, const volatile sig_atomic_t *interrupts,
                    sig_atomic_t interrupt_limit, struct buffer *why)
{
	/* A symbolic link stays one: what it points to is replaced. */
	_cleanup_(freep) char *real = realpath(path, NULL);
	_cleanup_(closep) int in = -1;
	int r;

	in = real ? open(real, O_RDONLY | O_CLOEXEC) : -1;
	if (in < 0) {
		r = -errno;
		buffer_printf(why, "%s: %s", path, strerror(-r));
		return r;
	}
	return file_replace(in, real, interrupts, interrupt_limit, why);
}
