/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "end_table.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/monotonic.h"
#include "base/text/parse.h"
#include "ftwait/stream.h"
#include "task_snapshot.h"
#include "text_file.h"

#define FILES_MAX      16384u /* of one process */
#define FILE_MAX       ((1u << 28) - 1)

void end_table_init(struct end_table *table, struct peek *peek)
{
	*table = (struct end_table){.peek = peek};
	buffer_init(&table->text, FILES_MAX * sizeof(struct open_end));
}

void end_round_release(struct end_round *round)
{
	free(round->end);
	*round = (struct end_round){0};
}

void end_table_release(struct end_table *table)
{
	end_round_release(&table->now);
	end_round_release(&table->last);
	buffer_release(&table->text);
}

static bool number_after(const char *link, size_t length, const char *word, uint64_t *ret)
{
	char text[32];

	if (length >= sizeof(text) || strncmp(link, word, strlen(word)) != 0)
		return false;
	memcpy(text, link, length);
	text[length] = '\0';
	return sscanf(text + strlen(word), "%" SCNu64, ret) == 1;
}

/* The kind of a file without a name. */
static enum end_kind kind_of_anonymous(const char *link, size_t length)
{
	static const struct {
		const char *link;
		enum end_kind kind;
	} kinds[] = {
		{"anon_inode:[eventfd]", END_EVENT},
		{"anon_inode:[pidfd]", END_PROCESS},
	};

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (length == strlen(kinds[i].link) && memcmp(link, kinds[i].link, length) == 0)
			return kinds[i].kind;
	return END_NONE;
}

struct end_object end_object_of(const char *link, size_t length)
{
	struct end_object object = {.kind = kind_of_anonymous(link, length)};

	if (number_after(link, length, "pipe:[", &object.number)) {
		object.kind = END_PIPE;
	} else if (number_after(link, length, STREAM_DESCRIPTOR_SOCKET, &object.number)) {
		object.kind = END_SOCKET;
	} else if (length > 0 && link[0] == '/') {
		object.kind = END_PATH;
		object.number = text_hash(link, length);
	}
	return object;
}

/* Whether the link is that of a master of pseudo terminals, "/dev/ptmx" or "/dev/pts/ptmx". */
static bool is_master(const char *link, size_t length)
{
	return length >= 5 && memcmp(link + length - 5, "/ptmx", 5) == 0 &&
	       memcmp(link, "/dev/", 5) == 0;
}

bool file_info_read(int32_t tgid, const char *file, char ret[static INFO_BYTES_MAX])
{
	_cleanup_(closep) int fd =
		open(PROC_PATH("/proc/%d/fdinfo/%s", tgid, file), O_RDONLY | O_CLOEXEC);
	ssize_t got = fd >= 0 ? read(fd, ret, INFO_BYTES_MAX - 1) : -1;

	if (got > 0)
		ret[got] = '\0';
	return got > 0;
}

/* The number behind that word of the file's information, as "tty-index:\t3"; false: the kernel does
   not say. */
static bool info_number(int32_t tgid, const char *file, const char *word, uint64_t *ret)
{
	char text[INFO_BYTES_MAX];

	return file_info_read(tgid, file, text) && text_number(text, word, 10, ret);
}

static void file_put(int32_t tgid, int folder, const char *name, struct buffer *reply)
{
	char link[PATH_MAX];
	ssize_t length = readlinkat(folder, name, link, sizeof(link));
	struct end_object object;
	struct open_end end;
	uint64_t file;

	if (length <= 0 || parse_u64(name, &file) < 0 || file > FILE_MAX)
		return;
	object = end_object_of(link, (size_t)length);
	if (object.kind == END_PATH && is_master(link, (size_t)length) &&
	    info_number(tgid, name, "tty-index:", &object.number))
		object.kind = END_MASTER;
	if (object.kind == END_EVENT)
		(void)info_number(tgid, name, EVENT_WORD, &object.number);
	if (object.kind == END_NONE)
		return;
	end = (struct open_end){
		.number = object.number,
		.tgid = tgid,
		.file = (uint32_t)file & FILE_MAX,
		.kind = (uint32_t)object.kind & 15u,
	};
	buffer_append(reply, &end, sizeof(end));
}

static int look(const void *argument, size_t size, struct buffer *reply)
{
	_cleanup_(closedirp) DIR *files = NULL;
	struct dirent *entry;
	int32_t tgid;

	(void)size;
	memcpy(&tgid, argument, sizeof(tgid));
	files = opendir(PROC_PATH("/proc/%d/fd", tgid));
	if (!files)
		return -errno;
	while ((entry = readdir(files)) && !reply->is_cut)
		if (isdigit((unsigned char)entry->d_name[0]))
			file_put(tgid, dirfd(files), entry->d_name, reply);
	return 0;
}

bool end_table_add(struct end_table *table, int32_t tgid, struct end_round *ret)
{
	size_t count;

	buffer_clear(&table->text);
	if (peek_call(table->peek, (uint64_t)tgid, look, &tgid, sizeof(tgid), &table->text) < 0)
		return false;
	count = table->text.length / sizeof(struct open_end);
	for (size_t i = 0; i < count && ret->count < ENDS_MAX; i++) {
		ARRAY_GROW(ret->end, ret->count, ret->capacity);
		memcpy(&ret->end[ret->count++], table->text.text + i * sizeof(struct open_end),
		       sizeof(struct open_end));
	}
	return true;
}

bool end_table_read(struct end_table *table, int32_t tgid, struct end_round *ret)
{
	ret->count = 0;
	return end_table_add(table, tgid, ret);
}

/* The round is over: the next look begins another one. */
static void round_end(struct end_table *table, bool is_whole)
{
	struct end_round last = table->last;

	table->last = table->now;
	table->now = last;
	table->now.count = 0;
	table->next = 0;
	table->is_whole = is_whole && table->last.count < ENDS_MAX;
	table->has_round = true;
}

static void round_go_on(struct end_table *table, nsec_t deadline)
{
	_cleanup_(closedirp) DIR *processes = opendir("/proc");
	bool is_whole = table->next == 0;
	int32_t tgid;

	table->is_whole = false;
	while (folder_next_pid(processes, &tgid)) {
		if (tgid < table->next)
			continue;
		if (monotonic_now() >= deadline) {
			table->next = tgid;
			return;
		}
		is_whole &= end_table_add(table, tgid, &table->now) || task_is_gone(tgid);
	}
	round_end(table, is_whole);
}

void end_table_look(struct end_table *table, nsec_t deadline)
{
	nsec_t begin = monotonic_now();
	bool is_first = !table->has_round;

	round_go_on(table, deadline);
	if (is_first)
		table->first_round += monotonic_now() - begin;
}
