/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Format, from the kernel's fs/locks.c: a held lock is followed by those that wait for it, which
 * have an arrow in front, indented by how many locks are between:
 *
 *	1: FLOCK  ADVISORY  WRITE 25702 fe:00:1234 0 EOF
 *	1: -> FLOCK  ADVISORY  WRITE 25707 fe:00:1234 0 EOF
 */
#include "held_locks.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/data/array.h"
#include "base/text/parse.h"
#include "ftwait/stream.h"
#include "text_file.h"

struct lock_line {
	struct held_lock lock; /* owner: the process of the line; not above 0: not known */
	bool is_waiting;
};

static const char *kind_of(const char *word)
{
	static const struct {
		const char *word, *kind;
	} kinds[] = {
		{"FLOCK", "flock"}, {"POSIX", "posix"}, {"OFDLCK", "posix"}, {"ACCESS", "posix"},
		{"LEASE", "lease"}, {"DELEG", "lease"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (strcmp(kinds[i].word, word) == 0)
			return kinds[i].kind;
	return NULL;
}

static bool line_parse(const char *line, struct lock_line *ret)
{
	const char *at = strchr(line, ':');
	char kind[16], mode[16], end[24];
	int pid;

	if (!at)
		return false;
	at++;
	at += strspn(at, " ");
	*ret = (struct lock_line){.is_waiting = strncmp(at, "->", 2) == 0};
	if (ret->is_waiting)
		at += 2;
	if (sscanf(at, " %15s %*s %15s %d %" SCNx32 ":%" SCNx32 ":%" SCNu64 " %" SCNu64 " %23s",
	           kind, mode, &pid, &ret->lock.major, &ret->lock.minor, &ret->lock.inode,
	           &ret->lock.begin, end) != 8)
		return false;
	if (parse_u64(end, &ret->lock.end) < 0)
		ret->lock.end = INT64_MAX; /* "EOF" */
	ret->lock.is_write = strcmp(mode, "WRITE") == 0;
	ret->lock.kind = kind_of(kind);
	ret->lock.owner = pid > 0 ? pid : 0;
	return ret->lock.kind != NULL;
}

/* Takes the next line of the text, and parses it; false: it is none of a lock that is known. */
static bool line_next(const char **text, struct lock_line *ret)
{
	char line[256];

	return text_line_next(text, line, sizeof(line)) && line_parse(line, ret);
}

bool held_lock_find(const char *text, int32_t waiter, uint64_t inode, struct held_lock *ret)
{
	bool has_holder = false;
	struct held_lock holder = {0};

	while (*text) {
		struct lock_line line;

		if (!line_next(&text, &line)) {
			has_holder = false;
		} else if (!line.is_waiting) {
			holder = line.lock;
			has_holder = true;
		} else if (has_holder && line.lock.owner == waiter &&
			   (!inode || line.lock.inode == inode)) {
			*ret = holder;
			return true;
		}
	}
	return false;
}

bool held_lock_of_file(const char *text, int32_t other, uint64_t inode, struct held_lock *ret)
{
	while (*text) {
		struct lock_line line;

		if (line_next(&text, &line) && !line.is_waiting && line.lock.inode == inode &&
		    line.lock.owner != other) {
			*ret = line.lock;
			return true;
		}
	}
	return false;
}

static bool owner_is_asked(int32_t owner, const int32_t *pids, size_t pid_count)
{
	bool is_asked = pid_count == 0;

	for (size_t i = 0; i < pid_count; i++)
		is_asked |= pids[i] == owner;
	return is_asked;
}

void held_locks_describe(const char *text, const int32_t *pids, size_t pid_count, struct buffer *to)
{
	size_t count = 0;

	while (*text && count < STREAM_LOCKS_MAX) {
		struct lock_line line;
		const struct held_lock *lock = &line.lock;

		if (!line_next(&text, &line) || line.is_waiting || lock->owner == 0 ||
		    strcmp(lock->kind, "lease") == 0 ||
		    !owner_is_asked(lock->owner, pids, pid_count))
			continue;
		buffer_printf(to, "locked %s %u:%u %" PRIu64 " %" PRIu64 " %" PRIu64 " %c %d\n",
			      lock->kind, lock->major, lock->minor, lock->inode, lock->begin,
			      lock->end, lock->is_write ? 'w' : 'r', lock->owner);
		count++;
	}
}
