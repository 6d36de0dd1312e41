/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "text_file.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/data/map.h"
#include "base/text/parse.h"
#include "base/xalloc.h"

#define CHUNK_BYTES    (64u << 10)
#define COPY_BYTES_MAX (1u << 20)

char *proc_path_print(char to[static PROC_PATH_BYTES], const char *format, ...)
{
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = vsnprintf(to, PROC_PATH_BYTES, format, arguments);
	va_end(arguments);
	assert(length > 0 && length < PROC_PATH_BYTES);
	return to;
}

bool text_line_next(const char **text, char *to, size_t size)
{
	const char *at = *text, *end = strchrnul(at, '\n');
	size_t length = (size_t)(end - at);

	*text = *end ? end + 1 : end;
	if (length >= size)
		return false;
	memcpy(to, at, length);
	to[length] = '\0';
	return true;
}

uint64_t text_hash(const char *text, size_t length)
{
	uint64_t hash = 0;

	for (size_t i = 0; i < length; i++)
		hash = hash_mix(hash, (unsigned char)text[i]);
	return hash;
}

bool text_number(const char *text, const char *word, int base, uint64_t *ret)
{
	const char *at = strstr(text, word);

	return at && parse_number_at(at + strlen(word), base, ret);
}

bool folder_next_pid(DIR *folder, int32_t *ret)
{
	const struct dirent *entry;

	while (folder && (entry = readdir(folder)))
		if (parse_pid(entry->d_name, ret) == 0)
			return true;
	return false;
}

int text_file_read(const char *path, struct buffer *to)
{
	_cleanup_(closep) int fd = open(path, O_RDONLY | O_CLOEXEC);

	return fd < 0 ? -errno : text_file_read_open(fd, to);
}

int text_file_read_open(int fd, struct buffer *to)
{
	_cleanup_(freep) char *chunk = xmalloc(CHUNK_BYTES);
	ssize_t got;

	for (;;) {
		got = read(fd, chunk, CHUNK_BYTES);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		if (got == 0)
			return 0;
		buffer_append(to, chunk, (size_t)got);
		if (to->is_cut)
			return -EFBIG;
	}
}

int text_file_read_at(const char *dir, const char *name, struct buffer *to)
{
	_cleanup_(freep) char *path = xasprintf("%s/%s", dir, name);

	return text_file_read(path, to);
}

char *text_file_copy_at(const char *dir, const char *name)
{
	_cleanup_(buffer_release) struct buffer text = buffer_of(COPY_BYTES_MAX);

	return text_file_read_at(dir, name, &text) == 0 ? xstrdup(text.text) : NULL;
}

char *text_file_copy_line_at(const char *dir, const char *name)
{
	char *text = text_file_copy_at(dir, name);

	if (text)
		text[strcspn(text, "\n")] = '\0';
	return text;
}

int text_file_write(const char *path, const char *value)
{
	_cleanup_(closep) int fd = -1;
	size_t length = strlen(value);
	ssize_t written;

	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	do {
		written = write(fd, value, length);
	} while (written < 0 && errno == EINTR);
	if (written < 0)
		return -errno;
	return (size_t)written == length ? 0 : -EIO;
}

int text_file_write_at(const char *dir, const char *name, const char *value)
{
	_cleanup_(freep) char *path = xasprintf("%s/%s", dir, name);

	return text_file_write(path, value);
}
