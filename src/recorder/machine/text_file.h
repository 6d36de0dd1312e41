/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads whole files of procfs and tracefs, whose size is unknown before, and writes values to such
 * files. Paths are absolute. Calls return 0 or -errno.
 */
#pragma once

#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/text/buffer.h"

/* Copies the next line without its newline, and takes it from the text; false: it is too long. */
bool text_line_next(const char **text, char *to, size_t size);
/* A hash of so many bytes. */
uint64_t text_hash(const char *text, size_t length);
/* The number behind the first such word of the text, and blanks; false: there is none. */
bool text_number(const char *text, const char *word, int base, uint64_t *ret);

#define PROC_PATH_BYTES 80

/* A path in /proc for the enclosing block. */
#define PROC_PATH(...) proc_path_print((char[PROC_PATH_BYTES]){0}, __VA_ARGS__)

char *proc_path_print(char to[static PROC_PATH_BYTES], const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* The next name of the folder that is the number of a process or thread; false: there are no more,
   or the folder is NULL. */
bool folder_next_pid(DIR *folder, int32_t *ret);

/* Appends the file to `to`, an initialised buffer; -EFBIG beyond its limit. */
int text_file_read(const char *path, struct buffer *to);
int text_file_read_open(int fd, struct buffer *to);
/* The same for "DIR/NAME". */
int text_file_read_at(const char *dir, const char *name, struct buffer *to);
/* Returns the content of "DIR/NAME", which the caller frees; NULL if it cannot be read or is longer
   than 1 MiB. */
char *text_file_copy_at(const char *dir, const char *name);
/* The same of its first line, without the newline. */
char *text_file_copy_line_at(const char *dir, const char *name);
/* Writes the value in one write(), as kernel files require. Never creates a file. */
int text_file_write(const char *path, const char *value);
int text_file_write_at(const char *dir, const char *name, const char *value);
