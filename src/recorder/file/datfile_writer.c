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

#include "base/byte_order.h"
#include "base/cleanup.h"
#include "base/file/file_io.h"
#include "base/xalloc.h"
#include "datfile_preface.h"
#include "recorder/machine/text_file.h"
#include "source/stream/page_reader.h"
#include "stream_index.h"

#define COPY_BYTES  (16u << 20) /* bytes of one call; between calls interrupts are checked */
#define CHUNK_BYTES (256u << 10)

struct datfile_writer {
	int in, out;
	bool can_copy_range;
	const atomic_int *interrupts;
	int interrupt_limit;
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

/* Copies up to `size` bytes. Returns how many, or -errno. */
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
	/* This file system or kernel does not support it; read and write always work. */
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

/* Pads the last page of packed pages. */
static int writer_pad(struct datfile_writer *writer, uint64_t *at, uint64_t offset)
{
	static const char zeros[4096];
	int r = 0;

	while (r == 0 && *at < offset) {
		size_t size = offset - *at < sizeof(zeros) ? (size_t)(offset - *at) : sizeof(zeros);

		r = writer_put(writer, zeros, size);
		*at += size;
	}
	return r;
}

/* Marks the written page at `offset`: events before it are missing. */
static int writer_mark_loss(const struct datfile_writer *writer, const struct stream_index *index,
                            uint64_t offset)
{
	uint32_t commit;
	off_t at = (off_t)(offset + sizeof(uint64_t));

	if (byte_order_is_big())
		at += (off_t)index->parts.long_bytes - (off_t)sizeof(commit);
	if (pread(writer->out, &commit, sizeof(commit), at) != (ssize_t)sizeof(commit))
		return -EIO;
	commit |= PAGE_COMMIT_LOST;
	return pwrite(writer->out, &commit, sizeof(commit), at) == (ssize_t)sizeof(commit) ? 0
	                                                                                   : -EIO;
}

static int writer_write_place(struct datfile_writer *writer, const struct stream_index *index,
                              uint32_t buffer, uint32_t cpu, uint64_t at)
{
	bool has_loss = false;
	int r = 0;

	for (size_t i = 0; r == 0 && i < index->run_count; i++) {
		const struct page_run *run = &index->run[i];

		if (run->buffer != buffer || run->cpu != cpu)
			continue;
		r = writer_copy_run(writer, run);
		if (r == 0 && has_loss && run->size > 0)
			r = writer_mark_loss(writer, index, at);
		has_loss = run->has_loss || (has_loss && run->size == 0);
		at += run->size;
	}
	return r;
}

static int writer_write_pages(struct datfile_writer *writer, const struct stream_index *index,
                              const struct datfile_places *places, uint64_t at)
{
	int r = 0;

	for (uint32_t buffer = 0; buffer < STREAM_BUFFERS; buffer++)
		for (uint32_t cpu = 0; r == 0 && cpu < index->parts.cpu_count; cpu++) {
			const struct datfile_place *place = datfile_place_of(places, buffer, cpu);

			if (place->bytes == 0)
				continue;
			r = writer_pad(writer, &at, place->offset);
			if (r == 0)
				r = writer_write_place(writer, index, buffer, cpu, at);
			at += place->bytes;
		}
	return r;
}

static int writer_write(struct datfile_writer *writer, const struct stream_index *index)
{
	struct datfile_places places;
	_cleanup_(buffer_release) struct buffer preface = buffer_of(PREFACE_BYTES_MAX);
	uint64_t total;
	int r;

	datfile_places_init(&places, index);
	datfile_preface_build(&preface, index, &places);
	total = datfile_places_pack(&places, preface.length);
	buffer_clear(&preface);
	datfile_preface_build(&preface, index, &places);
	/* if there is no room, this fails before the copy; without fallocate() the copy itself
	   fails */
	r = fallocate(writer->out, FALLOC_FL_KEEP_SIZE, 0, (off_t)total) < 0 ? -errno : 0;
	if (r != -ENOSPC && r != -EDQUOT && r != -EFBIG)
		r = preface.is_cut ? -EFBIG : writer_put(writer, preface.text, preface.length);
	if (r == 0)
		r = writer_write_pages(writer, index, &places, preface.length);
	datfile_places_release(&places);
	return r;
}

int datfile_convert(int stream_fd, int out_fd, const char *path,
                    const atomic_int *interrupts, int interrupt_limit,
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
	int r = stream_index_read(stream_fd, path, &index, why);

	if (r < 0)
		return r;
	stream_names_find(&index, stream_fd);
	r = writer_write(&writer, &index);
	if (r < 0)
		buffer_printf(why, "cannot write a trace.dat beside %s: %s", path, strerror(-r));
	else
		r = !index.is_ended;
	stream_index_release(&index);
	return r;
}

/* Gives the new file the old one's owner and mode. */
static void file_copy_owner(int from, int to)
{
	struct stat file;

	if (fstat(from, &file) < 0)
		return;
	if (fchown(to, file.st_uid, file.st_gid) < 0)
		(void)!fchown(to, (uid_t)-1, file.st_gid);
	(void)fchmod(to, file.st_mode & 07777);
}

/*
 * Opens a new file in the folder of `path`, if possible without a name: then nothing is left if the
 * recorder is killed. `name` is the name that the file has, or is given later, before it replaces
 * `path`.
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

/*
 * Links the file as `name`, which must not exist. The first way requires CAP_DAC_READ_SEARCH, the
 * second a mounted /proc.
 */
static int beside_link(int fd, const char *name)
{
	const char *link = PROC_PATH("/proc/self/fd/%d", fd);

	if (linkat(fd, "", AT_FDCWD, name, AT_EMPTY_PATH) == 0)
		return 0;
	return linkat(AT_FDCWD, link, AT_FDCWD, name, AT_SYMLINK_FOLLOW) < 0 ? -errno : 0;
}

/* Renames `name` to `path`, but only if `path` is still the file that is open as stream_fd: it may
   have been replaced. */
static int beside_rename(const char *name, int stream_fd, const char *path)
{
	int error;

	if (file_is_at(stream_fd, path)) {
		if (rename(name, path) == 0)
			return 0;
		error = errno;
	} else {
		error = ESTALE;
	}
	(void)unlink(name);
	return -error;
}

int datfile_replace(int stream_fd, const char *path, const atomic_int *interrupts,
                    int interrupt_limit, struct buffer *why)
{
	_cleanup_(freep) char *name = xasprintf("%s.%d.XXXXXX", path, (int)getpid());
	_cleanup_(closep) int out = -1;
	bool has_name, is_cut;
	int r;

	out = beside_open(path, name, &has_name);
	if (out < 0)
		return buffer_fail(why, out, "cannot write beside %s: %s", path, strerror(-out));
	r = datfile_convert(stream_fd, out, path, interrupts, interrupt_limit, why);
	if (r < 0) {
		if (has_name)
			(void)unlink(name);
		return r;
	}
	is_cut = r > 0;
	file_copy_owner(stream_fd, out);
	r = has_name ? 0 : beside_link(out, name);
	if (r == 0)
		r = beside_rename(name, stream_fd, path);
	if (r < 0)
		buffer_printf(why, "cannot replace %s: %s", path, strerror(-r));
	return r < 0 ? r : is_cut;
}

int datfile_conclude(int stream_fd, const char *path, const struct settle_options *options,
                     struct buffer *why)
{
	int r = datfile_settle(stream_fd, path, options, why);

	if (r != -EOPNOTSUPP && r != -EBADF)
		return r;
	buffer_clear(why);
	return datfile_replace(stream_fd, path, options->interrupts, options->interrupt_limit, why);
}

int datfile_restore(int stream_fd, const char *path, const atomic_int *interrupts,
                    int interrupt_limit, struct buffer *why)
{
	_cleanup_(closep) int out = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	int r;

	if (out < 0)
		return buffer_fail(why, -errno, "cannot write to %s: %s", path, strerror(errno));
	r = datfile_convert(stream_fd, out, path, interrupts, interrupt_limit, why);
	if (r < 0)
		(void)unlink(path);
	else
		file_copy_owner(stream_fd, out);
	return r;
}

/* Opens the stream, for writing if that is allowed: then it may be settled in place. */
static int repair_open(const char *path)
{
	int fd = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0)
		fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

int datfile_repair(const char *path, struct buffer *why)
{
	/* A symbolic link stays: its target is replaced. */
	_cleanup_(freep) char *real = realpath(path, NULL);
	_cleanup_(closep) int in = real ? repair_open(real) : -errno;

	if (in < 0)
		return buffer_fail(why, in, "%s: %s", path, strerror(-in));
	if (file_lock(in) < 0)
		return buffer_fail(why, -EBUSY, "%s is being recorded into by another ftwait; wait "
		                   "for its end", path);
	return datfile_conclude(in, real, &(struct settle_options){0}, why);
}
