/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "flight_search.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/buffer.h"
#include "base/text/parse.h"
#include "base/xalloc.h"
#include "peek.h"
#include "process_search.h"
#include "text_file.h"

#define PROGRAM_NAME      "ftwait"
#define STATUS_BYTES_MAX  (64u << 10)
#define COMMAND_BYTES_MAX (64u << 10)

/* Whether any option of the recorder begins with one of the words; `is_whole`: is one. */
static bool cmdline_has(const char *cmdline, size_t size, const char *const words[], size_t count,
                        bool is_whole)
{
	const char *at = cmdline, *end = cmdline + size;

	while (at < end && strnlen(at, (size_t)(end - at)) < (size_t)(end - at)) {
		/* what follows belongs to COMMAND */
		if (strcmp(at, "--") == 0)
			return false;
		for (size_t i = 0; i < count; i++)
			if (strncmp(at, words[i], strlen(words[i])) == 0 &&
			    (!is_whole || !at[strlen(words[i])]))
				return true;
		at += strlen(at) + 1;
	}
	return false;
}

bool flight_cmdline_matches(const char *cmdline, size_t size)
{
	static const char *const words[] = {"--trigger", "--ring="};

	return cmdline_has(cmdline, size, words, ARRAY_SIZE(words), false);
}

bool flight_cmdline_is_quiet(const char *cmdline, size_t size)
{
	static const char *const words[] = {"-q", "--quiet"};

	return cmdline_has(cmdline, size, words, ARRAY_SIZE(words), true);
}

bool flight_status_matches(const char *status)
{
	static const char word[] = "\nSigCgt:\t";
	const char *line = strstr(status, word);
	_cleanup_(freep) char *mask = NULL;
	uint64_t caught;

	if (!line)
		return false;
	line += sizeof(word) - 1;
	mask = xasprintf("0x%.*s", (int)strcspn(line, "\n"), line);
	return parse_u64(mask, &caught) == 0 && (caught >> (SIGUSR2 - 1) & 1);
}

/* Appends its command line, with a NUL behind each argument, as far as there is room; false: it is
   not known. Does not wait for ever (peek.h). */
static bool command_read(int32_t pid, struct buffer *to)
{
	_cleanup_(freep) char *path = xasprintf("/proc/%d/cmdline", (int)pid);
	struct peek peek;
	int r;

	peek_init(&peek, PEEK_PATIENCE_NS);
	r = peek_text(&peek, pid, path, to);
	peek_release(&peek);
	return r == 0;
}

static bool status_read(int32_t pid, struct buffer *to)
{
	_cleanup_(freep) char *path = xasprintf("/proc/%d/status", (int)pid);

	return text_file_read(path, to) == 0;
}

bool is_flight_recorder(int32_t pid)
{
	_cleanup_(buffer_release) struct buffer cmdline = {0};
	_cleanup_(buffer_release) struct buffer status = {0};
	char comm[16];

	buffer_init(&cmdline, COMMAND_BYTES_MAX);
	buffer_init(&status, STATUS_BYTES_MAX);
	comm_of_process(pid, comm, sizeof(comm));
	return strcmp(comm, PROGRAM_NAME) == 0 && status_read(pid, &status) &&
	       flight_status_matches(status.text) && command_read(pid, &cmdline) &&
	       flight_cmdline_matches(cmdline.text, cmdline.length);
}

bool flight_recorder_is_quiet(int32_t pid)
{
	_cleanup_(buffer_release) struct buffer cmdline = {0};

	buffer_init(&cmdline, COMMAND_BYTES_MAX);
	return command_read(pid, &cmdline) &&
	       flight_cmdline_is_quiet(cmdline.text, cmdline.length);
}

size_t flight_recorders_find(int32_t **ret)
{
	size_t count = processes_find_named(PROGRAM_NAME, ret), kept = 0;

	for (size_t i = 0; i < count; i++)
		if (is_flight_recorder((*ret)[i]))
			(*ret)[kept++] = (*ret)[i];
	if (kept == 0) {
		free(*ret);
		*ret = NULL;
	}
	return kept;
}
