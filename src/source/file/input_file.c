/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "input_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/byte_order.h"
#include "base/cleanup.h"
#include "base/file/file_io.h"
#include "base/xalloc.h"
#include "foreign_file.h"
#include "source/stream/spool.h"
#include "unpack.h"
#include "zip_file.h"

#define WINDOW_BYTES (64u << 10)
#define STAT_BLOCK_BYTES 512 /* the unit of st_blocks on every file system */
/* No single item of a header is larger; a larger claim is false and not worth the memory. */
#define TAKE_MAX (64u << 20)

/* The error of the medium, if the file can be opened but part of it cannot be read. */
static void complain_unreadable(uint64_t offset, int error, struct buffer *why)
{
	buffer_printf(why, "cannot read it at byte %llu: %s; copy what can be read, as with "
	              "ddrescue, and report the "
	              "copy", (unsigned long long)offset, strerror(-error));
}

bool input_file_describe_failure(const struct input_file *file, struct buffer *why)
{
	if (!file->failure || !file->failure->error)
		return false;
	buffer_clear(why);
	complain_unreadable(file->failure->offset, file->failure->error, why);
	return true;
}

/* Whether its begin says that the file is packed as a whole, or an archive. Returns 0 or -errno. */
static int input_file_see_packed(const struct input_file *file, bool *ret_is_packed,
                                 bool *ret_is_archive, struct buffer *why)
{
	uint8_t head[STREAM_PACKER_HEAD_BYTES];
	int64_t got = file_read_at(file->fd, head, sizeof(head), 0);

	if (got < 0) {
		complain_unreadable(0, (int)got, why);
		return (int)got;
	}
	*ret_is_archive = zip_is_archive(head, (size_t)got);
	*ret_is_packed = *ret_is_archive ||
	                 stream_packer_detect(head, (size_t)got) != PACKER_NONE;
	return 0;
}

/* Replaces the file by a copy that can be read in place; `bytes`: of an archive, of which only the
   trace is copied. */
static int input_file_copy(struct input_file *file, bool is_archive, uint64_t bytes,
                           struct buffer *why)
{
	_cleanup_(buffer_release) struct buffer damage = buffer_of(INPUT_DAMAGE_BYTES - 1);
	struct spool_part part;
	struct zip_member member;
	int r = is_archive ? zip_find_trace(file->fd, bytes, &member, why) : 0;

	if (r < 0)
		return r;
	if (is_archive) {
		part = (struct spool_part){.bytes = member.bytes, .packer = member.packer};
		if (lseek(file->fd, (off_t)member.offset, SEEK_SET) < 0)
			return -errno;
	}
	r = spool_fill(file->fd, is_archive ? &part : NULL, &damage, why);
	if (r < 0)
		return r;
	if (is_archive && damage.length == 0 && zip_member_is_damaged(&member, r))
		buffer_printf(&damage, "damaged: the archive has another checksum of its member %s",
		              member.name);
	memcpy(file->damage, damage.text, damage.length + 1);
	(void)close(file->fd);
	file->fd = r;
	file->is_copied = true;
	return 0;
}

static void (*endless_begin)(void);

void input_file_on_endless(void (*begin)(void), bool (*has_ended)(void))
{
	endless_begin = begin;
	spool_on_interrupt(has_ended);
}

/* ".../per_cpu/cpu3/trace", ".../trace_pipe" */
struct input_place input_place_of(int fd)
{
	struct input_place place = {.only_cpu = -1};
	struct stat status;
	static const char folder[] = "/per_cpu/cpu", pipe_name[] = "/trace_pipe";
	char link[sizeof("/proc/self/fd/") + 3 * sizeof(int)], path[PATH_MAX];
	const char *cpu, *name;
	ssize_t length;

	(void)snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	length = readlink(link, path, sizeof(path) - 1);
	if (fstat(fd, &status) < 0 || !S_ISREG(status.st_mode) || status.st_size > 0 || length <= 0)
		return place;
	path[length] = '\0';
	cpu = strstr(path, folder);
	name = strrchr(path, '/');
	if (cpu && strchr(cpu + sizeof(folder) - 1, '/') == name)
		place.only_cpu = (int32_t)strtol(cpu + sizeof(folder) - 1, NULL, 10);
	place.is_pipe = name && strcmp(name, pipe_name) == 0;
	return place;
}

static int input_file_stat(struct input_file *file, struct buffer *why)
{
	struct input_place place;
	struct stat status;
	bool is_whole, is_packed = false, is_archive = false;
	int r = 0;

	if (fstat(file->fd, &status) < 0) {
		r = -errno;
		return buffer_fail(why, r, "%s", strerror(-r));
	}
	/* files of tracefs and /proc say that they are empty, and some cannot be read in place */
	is_whole = S_ISREG(status.st_mode) && (status.st_size > 0 || file->is_copied);
	if (is_whole && !file->is_copied)
		r = input_file_see_packed(file, &is_packed, &is_archive, why);
	if (r < 0)
		return r;
	if (is_whole && !is_packed) {
		file->bytes = (uint64_t)status.st_size;
		file->has_holes = status.st_blocks < status.st_size / STAT_BLOCK_BYTES;
		return 0;
	}
	if (S_ISDIR(status.st_mode)) {
		if (!foreign_folder_describe(file->fd, why))
			buffer_puts(why, "it is a directory; name the trace.dat in it");
		return -EISDIR;
	}
	place = input_place_of(file->fd);
	file->only_cpu = place.only_cpu;
	if (place.is_pipe && endless_begin)
		endless_begin();
	if (S_ISREG(status.st_mode))
		(void)lseek(file->fd, 0, SEEK_SET);
	r = input_file_copy(file, is_archive, (uint64_t)status.st_size, why);
	return r < 0 ? r : input_file_stat(file, why);
}

int input_file_open(const char *path, struct input_file *ret, struct buffer *why)
{
	struct input_file file = {.fd = -1, .only_cpu = -1};
	int r;

	if (strcmp(path, "-") == 0)
		file.fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
	else
		file.fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (file.fd < 0) {
		r = -errno;
		buffer_puts(why, strerror(-r));
		if (r == -ENOENT)
			buffer_puts(why, "; `ftwait record -o FILE` makes one");
		else if (r == -EACCES)
			buffer_puts(why, "; read it as its owner or as root");
		return r;
	}
	r = input_file_stat(&file, why);
	if (r < 0) {
		input_file_release(&file);
		return r;
	}
	file.failure = xcalloc(1, sizeof(*file.failure));
	*ret = file;
	return 0;
}

int input_file_open_again(const struct input_file *file, struct input_file *ret,
                          struct buffer *why)
{
	*ret = *file;
	ret->failure = xcalloc(1, sizeof(*ret->failure));
	ret->fd = fcntl(file->fd, F_DUPFD_CLOEXEC, 0);
	if (ret->fd >= 0)
		return 0;
	return buffer_fail(why, -errno, "cannot open it again: %s", strerror(errno));
}

void input_file_release(struct input_file *file)
{
	if (file->fd >= 0)
		(void)close(file->fd);
	file->fd = -1;
	free(file->failure);
	file->failure = NULL;
}

int64_t input_file_read_some(const struct input_file *file, uint64_t offset, void *to, size_t size)
{
	int64_t got;

	if (offset >= file->bytes)
		return 0;
	if (size > file->bytes - offset)
		size = (size_t)(file->bytes - offset);
	got = file_read_at(file->fd, to, size, offset);
	if (got < 0 && file->failure && !file->failure->error)
		*file->failure = (struct read_failure){(int)got, offset};
	return got;
}

int input_file_read(const struct input_file *file, uint64_t offset, void *to, size_t size)
{
	int64_t got = input_file_read_some(file, offset, to, size);

	if (got < 0)
		return (int)got;
	return (uint64_t)got == size ? 0 : -ENODATA;
}

uint64_t input_file_skip_hole(const struct input_file *file, uint64_t offset)
{
	off_t at;

	if (!file->has_holes || offset >= file->bytes)
		return offset;
	at = lseek(file->fd, (off_t)offset, SEEK_DATA);
	if (at < 0)
		return errno == ENXIO ? file->bytes : offset;
	return (uint64_t)at < file->bytes ? (uint64_t)at : file->bytes;
}

void cursor_init_file(struct cursor *cursor, const struct input_file *file, uint64_t offset,
                      uint64_t end, bool is_swapped)
{
	*cursor = (struct cursor){.file = file, .offset = offset, .end = end};
	cursor->is_swapped = is_swapped;
	if (cursor->end > file->bytes)
		cursor->end = file->bytes;
	if (cursor->offset > cursor->end)
		cursor->error = -ENODATA;
}

void cursor_init_memory(struct cursor *cursor, const void *memory, size_t bytes, bool is_swapped)
{
	*cursor = (struct cursor){.memory = memory, .end = bytes, .is_swapped = is_swapped};
}

void cursor_release(struct cursor *cursor)
{
	free(cursor->window);
	*cursor = (struct cursor){0};
}

uint64_t cursor_left(const struct cursor *cursor)
{
	return cursor->error ? 0 : cursor->end - cursor->offset;
}

/* Loads [offset, offset + bytes) of the file into the window; the caller checked the bounds. */
static const uint8_t *cursor_window(struct cursor *cursor, size_t bytes)
{
	uint64_t skip = cursor->offset - cursor->window_offset;
	int64_t got;
	size_t want = bytes > WINDOW_BYTES ? bytes : WINDOW_BYTES;

	if (cursor->offset >= cursor->window_offset && skip <= cursor->window_bytes &&
	    bytes <= cursor->window_bytes - skip)
		return cursor->window + skip;
	if (want > cursor->window_capacity) {
		cursor->window = xrealloc(cursor->window, want);
		cursor->window_capacity = want;
	}
	if (want > cursor->end - cursor->offset)
		want = (size_t)(cursor->end - cursor->offset);
	cursor->window_bytes = 0;
	cursor->window_offset = cursor->offset;
	got = input_file_read_some(cursor->file, cursor->offset, cursor->window, want);
	if (got < 0 || (uint64_t)got < bytes) {
		cursor->error = got < 0 ? (int)got : -ENODATA;
		return NULL;
	}
	cursor->window_bytes = (size_t)got;
	return cursor->window;
}

static bool cursor_check(struct cursor *cursor, uint64_t bytes)
{
	if (!cursor->error && bytes > cursor->end - cursor->offset)
		cursor->error = -ENODATA;
	return !cursor->error;
}

const uint8_t *cursor_take(struct cursor *cursor, uint64_t bytes)
{
	const uint8_t *taken;

	if (!cursor_check(cursor, bytes))
		return NULL;
	if (bytes > TAKE_MAX) {
		cursor->error = -EFBIG;
		return NULL;
	}
	taken = cursor->file ? cursor_window(cursor, (size_t)bytes)
	                     : cursor->memory + cursor->offset;
	if (taken)
		cursor->offset += bytes;
	return taken;
}

void cursor_skip(struct cursor *cursor, uint64_t bytes)
{
	if (cursor_check(cursor, bytes))
		cursor->offset += bytes;
}

uint16_t cursor_u16(struct cursor *cursor)
{
	const uint8_t *at = cursor_take(cursor, 2);

	return at ? load_u16(at, cursor->is_swapped) : 0;
}

uint32_t cursor_u32(struct cursor *cursor)
{
	const uint8_t *at = cursor_take(cursor, 4);

	return at ? load_u32(at, cursor->is_swapped) : 0;
}

uint64_t cursor_u64(struct cursor *cursor)
{
	const uint8_t *at = cursor_take(cursor, 8);

	return at ? load_u64(at, cursor->is_swapped) : 0;
}

const char *cursor_string(struct cursor *cursor, size_t max)
{
	uint64_t left = cursor_left(cursor);
	size_t look = left < max ? (size_t)left : max;
	const uint8_t *at = cursor_take(cursor, look);
	const uint8_t *nul = at && look ? memchr(at, 0, look) : NULL;

	if (!nul) {
		if (!cursor->error)
			cursor->error = look == max ? -EINVAL : -ENODATA;
		return NULL;
	}
	cursor->offset -= look - (size_t)(nul - at) - 1;
	return (const char *)at;
}
