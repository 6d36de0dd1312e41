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
#include "base/file_lock.h"
#include "base/xalloc.h"
#include "boot_line.h"
#include "kernel_symbols.h"
#include "page_census.h"
#include "stream_index.h"
#include "stream_writer.h"

#define COPY_BYTES  (16u << 20) /* one call; in between we look at the interrupts */
#define CHUNK_BYTES (256u << 10)
#define TABLE_WORD_BYTES 10

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

/* The head with the symbols and command lines that were learnt at the end. */
static void preface_put_head(struct buffer *to, const struct stream_index *index)
{
	size_t symbols_end =
	        index->parts.symbols_at + sizeof(uint32_t) + index->parts.symbols_bytes;
	size_t text_at = index->parts.cmdlines_at + sizeof(uint64_t);
	uint64_t bytes = index->parts.cmdlines_bytes + index->cmdlines.length;
	uint32_t symbols_bytes = (uint32_t)(index->parts.symbols_bytes + index->symbols.length);

	buffer_append(to, index->head.text, index->parts.symbols_at);
	buffer_append(to, &symbols_bytes, sizeof(symbols_bytes));
	buffer_append(to, index->head.text + symbols_end - index->parts.symbols_bytes,
	              index->parts.symbols_bytes);
	buffer_append(to, index->symbols.text, index->symbols.length);
	buffer_append(to, index->head.text + symbols_end, index->parts.cmdlines_at - symbols_end);
	buffer_append(to, &bytes, sizeof(bytes));
	buffer_append(to, index->head.text + text_at, index->parts.cmdlines_bytes);
	buffer_append(to, index->cmdlines.text, index->cmdlines.length);
	buffer_append(to, &index->parts.cpu_count, sizeof(index->parts.cpu_count));
}

struct option_place {
	const char *text;
	uint32_t bytes;
	uint16_t id;
};

/* The text of an option: from `*at`, which is moved behind it; false at the end. */
static bool option_next(const struct buffer *options, size_t *at, struct option_place *ret)
{
	size_t head = sizeof(ret->id) + sizeof(ret->bytes);

	if (options->length - *at < head)
		return false;
	memcpy(&ret->id, options->text + *at, sizeof(ret->id));
	memcpy(&ret->bytes, options->text + *at + sizeof(ret->id), sizeof(ret->bytes));
	ret->text = options->text + *at + head;
	if (ret->bytes > options->length - *at - head)
		return false;
	*at += head + ret->bytes;
	return true;
}

/* "[mono]" of the clock option's "local global [mono] ..."; false where there is none. */
static bool options_find_clock(const struct buffer *options, const char **ret, uint64_t *ret_bytes)
{
	struct option_place option;
	size_t at = 0;

	while (option_next(options, &at, &option)) {
		const char *open = NULL, *close = NULL;

		if (option.id == DATFILE_OPTION_CLOCK)
			open = memchr(option.text, '[', option.bytes);
		if (open)
			close = memchr(open, ']', option.bytes - (size_t)(open - option.text));
		if (close) {
			*ret = open;
			*ret_bytes = (uint64_t)(close - open) + 1;
			return true;
		}
	}
	return false;
}

static uint64_t cpu_bytes(const struct stream_index *index, uint32_t buffer, uint32_t cpu)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < index->run_count; i++)
		if (index->run[i].buffer == buffer && index->run[i].cpu == cpu)
			bytes += index->run[i].size;
	return bytes;
}

/* "[mono]", as it stands behind each table; text NULL: nothing does. */
struct table_clock {
	const char *text;
	uint64_t bytes;
};

static uint64_t table_bytes(const struct stream_index *index, const struct table_clock *clock)
{
	return TABLE_WORD_BYTES + (uint64_t)index->parts.cpu_count * 2 * sizeof(uint64_t) +
	       (clock->text ? sizeof(clock->bytes) + clock->bytes : 0);
}

/* Where each CPU's pages stand, from *total on, which moves behind them. */
static void table_append(struct buffer *to, const struct stream_index *index, uint32_t buffer,
                         const struct table_clock *clock, uint64_t *total)
{
	buffer_append(to, "flyrecord", TABLE_WORD_BYTES);
	for (uint32_t cpu = 0; cpu < index->parts.cpu_count; cpu++) {
		uint64_t bytes = cpu_bytes(index, buffer, cpu);

		buffer_append(to, total, sizeof(*total));
		buffer_append(to, &bytes, sizeof(bytes));
		*total += bytes;
	}
	if (clock->text) {
		buffer_append(to, &clock->bytes, sizeof(clock->bytes));
		buffer_append(to, clock->text, (size_t)clock->bytes);
	}
}

/* The options that tell of the other buffers, whose tables stand one behind the other. */
static void buffer_options_append(struct buffer *to, const struct stream_index *index,
                                  const struct table_clock *clock)
{
	const uint64_t head = sizeof(uint16_t) + sizeof(uint32_t);
	uint64_t offset = to->length + sizeof(uint16_t);

	for (uint32_t i = 1; i < STREAM_BUFFERS; i++)
		if (index->has_buffer[i])
			offset += head + sizeof(offset) + strlen(stream_buffer_name(i)) + 1;
	for (uint32_t i = 1; i < STREAM_BUFFERS; i++) {
		struct buffer option;

		if (!index->has_buffer[i])
			continue;
		offset += table_bytes(index, clock);
		buffer_init(&option, BUFFER_LIMIT_DEFAULT);
		buffer_append(&option, &offset, sizeof(offset));
		buffer_append(&option, stream_buffer_name(i), strlen(stream_buffer_name(i)) + 1);
		stream_option_append(to, DATFILE_OPTION_BUFFER, option.text, option.length);
		buffer_release(&option);
	}
}

/*
 * All that stands before the pages, padded to a page. *ret_total is the length of the whole file.
 */
static void preface_build(struct buffer *to, const struct stream_index *index, uint64_t *ret_total)
{
	const uint64_t page = index->parts.page_bytes;
	const uint16_t end_mark = DATFILE_OPTION_END;
	struct table_clock clock = {0};
	uint64_t offset;

	(void)options_find_clock(&index->options, &clock.text, &clock.bytes);
	preface_put_head(to, index);
	buffer_append(to, "options  ", 10);
	buffer_append(to, index->options.text, index->options.length);
	buffer_options_append(to, index, &clock);
	buffer_append(to, &end_mark, sizeof(end_mark));
	offset = to->length;
	for (uint32_t buffer = 0; buffer < STREAM_BUFFERS; buffer++)
		offset += index->has_buffer[buffer] ? table_bytes(index, &clock) : 0;
	offset = (offset + page - 1) / page * page;
	*ret_total = offset;
	for (uint32_t buffer = 0; buffer < STREAM_BUFFERS; buffer++)
		if (index->has_buffer[buffer])
			table_append(to, index, buffer, &clock, ret_total);
	while (to->length < offset && !to->is_cut)
		buffer_putc(to, '\0');
}

static int writer_write_pages(struct datfile_writer *writer, const struct stream_index *index,
                              uint32_t buffer)
{
	int r = 0;

	for (uint32_t cpu = 0; r == 0 && cpu < index->parts.cpu_count; cpu++)
		for (size_t i = 0; r == 0 && i < index->run_count; i++)
			if (index->run[i].buffer == buffer && index->run[i].cpu == cpu)
				r = writer_copy_run(writer, &index->run[i]);
	return r;
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
	for (uint32_t buffer = 0; r == 0 && buffer < STREAM_BUFFERS; buffer++)
		r = writer_write_pages(writer, index, buffer);
	return r;
}

/* True where this kernel is the one that was recorded, by the line "boot ID". */
static bool boot_is_same(const struct buffer *options)
{
	_cleanup_(freep) char *line = boot_line();
	struct option_place option;
	size_t at = 0;

	while (line && option_next(options, &at, &option))
		if (option.id == DATFILE_OPTION_VERSION &&
		    memmem(option.text, option.bytes, line, strlen(line)))
			return true;
	return false;
}

static void census_read_run(struct page_census *census, int fd, const struct page_run *run,
                            char *chunk)
{
	size_t page = census->layout.page_bytes;
	size_t step = CHUNK_BYTES / page * page;

	for (uint64_t done = 0; step > 0 && done < run->size; done += step) {
		size_t size = run->size - done < step ? (size_t)(run->size - done) : step;

		if (pread(fd, chunk, size, (off_t)(run->offset + done)) != (ssize_t)size)
			return;
		page_census_add(census, chunk, size);
	}
}

/*
 * A recorder that was killed came not to write names. As long as this kernel runs they can still be
 * had: what its pages refer to is looked for in them.
 */
static void index_find_symbols(struct stream_index *index, int fd)
{
	_cleanup_(freep) char *chunk = xmalloc(CHUNK_BYTES);
	_cleanup_(freep) uint64_t *function = NULL, *object = NULL;
	struct symbol_wishes wishes;
	struct page_census census;

	if (index->has_symbols || index->parts.symbols_bytes > 0 || !boot_is_same(&index->options))
		return;
	if (page_census_init(&census, index->head.text, index->head.length) == 0) {
		for (size_t i = 0; i < index->run_count; i++)
			census_read_run(&census, fd, &index->run[i], chunk);
		wishes.function = function =
			page_census_addresses(&census, &wishes.function_count);
		wishes.object = object = page_census_objects(&census, &wishes.object_count);
		(void)kernel_symbols_pick(&wishes, &index->symbols);
	}
	page_census_release(&census);
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
	int r;

	r = stream_index_read(stream_fd, path, &index, why);
	if (r < 0)
		return r;
	index_find_symbols(&index, stream_fd);
	r = writer_write(&writer, &index);
	if (r < 0)
		buffer_printf(why, "cannot write a trace.dat beside %s: %s", path, strerror(-r));
	else
		r = !index.is_ended;
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
		(void)!fchown(to, (uid_t)-1, file.st_gid);
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

/*
 * Gives the file the name `name`, which must be free. The first way is for those who may link any
 * file (CAP_DAC_READ_SEARCH), the other needs a /proc.
 */
static int beside_link(int fd, const char *name)
{
	_cleanup_(freep) char *link = xasprintf("/proc/self/fd/%d", fd);

	if (linkat(fd, "", AT_FDCWD, name, AT_EMPTY_PATH) == 0)
		return 0;
	return linkat(AT_FDCWD, link, AT_FDCWD, name, AT_SYMLINK_FOLLOW) < 0 ? -errno : 0;
}

/* A file of that name may have come and gone since: only the open one may be replaced. */
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
	if (out < 0) {
		r = out;
		buffer_printf(why, "cannot write beside %s: %s", path, strerror(-r));
		return r;
	}
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

int datfile_restore(int stream_fd, const char *path, const atomic_int *interrupts,
                    int interrupt_limit, struct buffer *why)
{
	_cleanup_(closep) int out = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	int r;

	if (out < 0) {
		r = -errno;
		buffer_printf(why, "cannot write to %s: %s", path, strerror(-r));
		return r;
	}
	r = datfile_convert(stream_fd, out, path, interrupts, interrupt_limit, why);
	if (r < 0)
		(void)unlink(path);
	else
		file_copy_owner(stream_fd, out);
	return r;
}

int datfile_repair(const char *path, struct buffer *why)
{
	/* A symbolic link stays one: what it points to is replaced. */
	_cleanup_(freep) char *real = realpath(path, NULL);
	_cleanup_(closep) int in = -1;
	int r;

	in = real ? open(real, O_RDONLY | O_NONBLOCK | O_CLOEXEC) : -1;
	if (in < 0) {
		r = -errno;
		buffer_printf(why, "%s: %s", path, strerror(-r));
		return r;
	}
	if (file_lock(in) < 0) {
		buffer_printf(why, "%s is being recorded into by another ftwait; wait for its end",
		              path);
		return -EBUSY;
	}
	return datfile_replace(in, real, NULL, 0, why);
}
