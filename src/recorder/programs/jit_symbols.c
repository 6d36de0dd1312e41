/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "jit_symbols.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/parse.h"
#include "base/xalloc.h"

#define FILE_BYTES_MAX (64u << 20)
#define NAME_BYTES_MAX 1024u

static int address_compare(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Whether one of the sorted addresses is in [begin, begin + size). */
static bool addresses_hit(const uint64_t *address, size_t count, uint64_t begin, uint64_t size)
{
	size_t at = array_lower_bound_u64(address, count, sizeof(*address), begin);

	return at < count && address[at] - begin < size;
}

/* Reads a hexadecimal number and the space after it and advances *at past them; false if there is
   none. */
static bool take_hex(const char **at, const char *end, uint64_t *ret)
{
	const char *begin = *at;

	*ret = 0;
	for (; *at < end && **at != ' '; ++*at) {
		char c = (char)(**at | 32);
		unsigned digit = c >= '0' && c <= '9'   ? (unsigned)(c - '0')
		                 : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10
		                                        : 16;

		if (digit == 16 || *ret >> 60)
			return false;
		*ret = *ret << 4 | digit;
	}
	if (*at == begin || *at == end)
		return false;
	++*at;
	return true;
}

void jit_symbols_pick(const char *text, size_t length, uint64_t *address, size_t count,
                      struct buffer *to)
{
	const char *at = text, *end = text + length;
	unsigned lines = 0;

	array_sort(address, count, sizeof(*address), address_compare);
	while (at < end && lines < JIT_LINES_MAX) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		const char *line_end = newline ? newline : end;
		uint64_t begin, size;

		if (take_hex(&at, line_end, &begin) && take_hex(&at, line_end, &size) &&
		    addresses_hit(address, count, begin, size) && at < line_end) {
			size_t bytes = (size_t)(line_end - at);

			buffer_printf(to, "jit %" PRIx64 " %" PRIx64 " %.*s\n", begin, size,
			              bytes < NAME_BYTES_MAX ? (int)bytes : (int)NAME_BYTES_MAX,
			              at);
			lines++;
		}
		at = newline ? newline + 1 : end;
	}
}

/* The number of a process in its own namespace: the last of "NSpid:\t17\t1". */
static int32_t process_own_number(int32_t tgid)
{
	_cleanup_(freep) char *path = xasprintf("/proc/%d/status", (int)tgid);
	_cleanup_(fclosep) FILE *status = fopen(path, "re");
	int32_t number;
	char line[512];

	while (status && fgets(line, sizeof(line), status)) {
		const char *last = strrchr(line, '\t');

		line[strcspn(line, "\n")] = '\0';
		if (strncmp(line, "NSpid:", 6) == 0 && last && parse_pid(last + 1, &number) == 0)
			return number;
	}
	return tgid;
}

/* Anybody may write to that folder: refuses links and all but regular files. */
static int file_open(const char *path, uid_t owner)
{
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat file;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &file) == 0 && S_ISREG(file.st_mode) && file.st_size <= FILE_BYTES_MAX &&
	    (file.st_uid == owner || file.st_uid == 0))
		return fd;
	(void)close(fd);
	return -EPERM;
}

static char *file_read(int fd, size_t *ret_length)
{
	char *text = NULL;
	size_t length = 0, capacity = 0;
	ssize_t got = 1;

	while (got > 0 && length < FILE_BYTES_MAX) {
		if (length == capacity) {
			capacity = capacity ? capacity * 2 : 65536;
			text = xrealloc(text, capacity);
		}
		got = read(fd, text + length, capacity - length);
		length += got > 0 ? (size_t)got : 0;
	}
	*ret_length = length;
	return text;
}

/* What is asked of the process; the addresses follow. */
struct jit_request {
	int32_t tgid;
	uid_t owner;
	size_t count;
};

static int file_look(const void *argument, size_t size, struct buffer *reply)
{
	struct jit_request request;
	_cleanup_(freep) uint64_t *address = xmalloc(size);
	_cleanup_(freep) char *folder = NULL, *inside = NULL, *outside = NULL, *text = NULL;
	_cleanup_(closep) int fd = -1;
	struct stat process;
	size_t length;
	bool lives;

	memcpy(&request, argument, sizeof(request));
	memcpy(address, (const char *)argument + sizeof(request), request.count * sizeof(*address));
	folder = xasprintf("/proc/%d", (int)request.tgid);
	inside =
		xasprintf("%s/root/tmp/perf-%d.map", folder, (int)process_own_number(request.tgid));
	outside = xasprintf("/tmp/perf-%d.map", (int)request.tgid);
	lives = stat(folder, &process) == 0;
	if (request.owner == JIT_OWNER_UNKNOWN)
		request.owner = lives ? process.st_uid : geteuid();
	fd = lives ? file_open(inside, request.owner) : -ENOENT;
	if (fd < 0)
		fd = file_open(outside, request.owner);
	if (fd < 0)
		return fd;
	text = file_read(fd, &length);
	jit_symbols_pick(text, length, address, request.count, reply);
	return 0;
}

void jit_symbols_append(struct peek *peek, int32_t tgid, uid_t owner, uint64_t *address,
			size_t count, struct buffer *to)
{
	const struct jit_request request = {tgid, owner, count};
	_cleanup_(buffer_release) struct buffer argument = {0};

	if (count == 0)
		return;
	buffer_init(&argument, sizeof(request) + count * sizeof(*address));
	buffer_append(&argument, &request, sizeof(request));
	buffer_append(&argument, address, count * sizeof(*address));
	(void)peek_call(peek, (uint64_t)tgid, file_look, argument.text, argument.length, to);
}
