/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lock_names.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/data/order.h"
#include "base/monotonic.h"
#include "base/xalloc.h"
#include "elf_variables.h"
#include "program_file.h"
#include "recorder/file/stream_writer.h"
#include "recorder/machine/text_file.h"

#define THREADS_MAX     65536u
#define PLACES_MAX      1024u /* of one call of the other process */
#define STATUS_MAX      4096u
/* peek.h: a number that is no process's */
#define ABOUT_FILE(number) (1ull << 62 | (number))

/* The places in one file. */
struct file_request {
	struct mapped_file file;
	char build_id[BUILD_ID_HEX_BYTES];
	uint32_t count;
	struct user_place place[PLACES_MAX];
};

void lock_names_init(struct lock_names *names)
{
	*names = (struct lock_names){0};
	map_init(&names->seen_before);
	map_init(&names->process_of);
}

void lock_names_release(struct lock_names *names)
{
	for (size_t i = 0; i < names->named_count; i++)
		free(names->named[i].line);
	free(names->named);
	free(names->seen);
	map_release(&names->seen_before);
	map_release(&names->process_of);
}

void lock_names_take_thread(struct lock_names *names, int32_t tid, int32_t tgid)
{
	if (names->process_of.count < THREADS_MAX ||
	    map_get(&names->process_of, (uint32_t)tid) != MAP_NONE)
		map_put(&names->process_of, (uint32_t)tid, (uint32_t)tgid);
}

void lock_names_see(struct lock_names *names, int32_t tid, uint64_t address)
{
	uint64_t key = hash_mix(hash_mix(0, (uint32_t)tid), address);

	if (tid <= 0 || address == 0 || names->seen_count >= LOCK_NAMES_SEEN_MAX ||
	    map_get(&names->seen_before, key) != MAP_NONE)
		return;
	map_put(&names->seen_before, key, 0);
	ARRAY_GROW(names->seen, names->seen_count, names->seen_capacity);
	names->seen[names->seen_count++] = (struct seen_futex){tid, address};
}

static int32_t process_of(struct lock_names *names, int32_t tid)
{
	_cleanup_(buffer_release) struct buffer text = {0};
	uint32_t known = map_get(&names->process_of, (uint32_t)tid);
	uint64_t tgid = 0;

	if (known != MAP_NONE)
		return (int32_t)known;
	/* it was there before recording began; if it has ended, it is a process's first thread, or
	   not known */
	buffer_init(&text, STATUS_MAX);
	(void)text_file_read(PROC_PATH("/proc/%d/status", tid), &text);
	if (!text_number(text.text, "\nTgid:", 10, &tgid) || tgid == 0 || tgid > INT32_MAX)
		tgid = (uint64_t)tid;
	lock_names_take_thread(names, tid, (int32_t)tgid);
	return (int32_t)tgid;
}

ORDER_FUNCTION(named_compare, struct named_futex, RISING(x, y, tgid), RISING(x, y, set),
               RISING(x, y, address))

/* Several threads wait for one futex. */
static void named_part(struct lock_names *names)
{
	size_t kept = 0;

	array_sort(names->named, names->named_count, sizeof(*names->named), named_compare);
	for (size_t i = 0; i < names->named_count; i++)
		if (kept == 0 || named_compare(&names->named[kept - 1], &names->named[i]) != 0)
			names->named[kept++] = names->named[i];
	names->named_count = kept < LOCK_NAMES_MAX ? kept : LOCK_NAMES_MAX;
}

static void named_collect(struct lock_names *names, const struct map_table *table)
{
	for (size_t i = 0; i < names->seen_count; i++) {
		const struct seen_futex *seen = &names->seen[i];
		int32_t tgid = process_of(names, seen->tid);
		const struct map_process *process = map_table_find(table, tgid);

		for (size_t s = 0; process && process->is_seen && s < process->set_count; s++) {
			const struct mapping *mapping =
				map_set_below(&process->set[s], seen->address);

			if (!mapping)
				continue;
			ARRAY_GROW(names->named, names->named_count, names->named_capacity);
			names->named[names->named_count++] = (struct named_futex){
				.tgid = tgid,
				.set = (uint32_t)s,
				.address = seen->address,
				.mapping = mapping,
			};
		}
	}
	named_part(names);
}

static void variables_append(const struct elf_variables *variables, const struct user_place *place,
                             struct buffer *reply)
{
	uint64_t within;
	const char *name = elf_variables_name(variables, place, &within);

	if (name && strlen(name) <= LOCK_NAME_BYTES_MAX) {
		buffer_printf(reply, "%" PRIx64 " ", within);
		stream_text_append(reply, name);
	} else if (!name && variables->has_all) {
		buffer_putc(reply, '-');
	}
	buffer_putc(reply, '\n');
}

static bool has_build_id(int fd, const struct stat *status, const void *wanted)
{
	char hex[BUILD_ID_HEX_BYTES];

	(void)status;
	return build_id_read(fd, hex) == 0 && strcmp(hex, wanted) == 0;
}

/* In the other process: a line for each place, which is empty where nothing is known. */
static int variables_look(const void *argument, size_t size, struct buffer *reply)
{
	const struct file_request *request = argument;
	_cleanup_(closep) int fd =
		mapped_file_open(&request->file, has_build_id, request->build_id);
	struct elf_variables variables;
	int r;

	(void)size;
	if (fd < 0)
		return fd;
	r = elf_variables_read(&variables, elf_read_open_file, &fd, request->place, request->count);
	for (uint32_t at = 0; r == 0 && at < request->count; at++)
		variables_append(&variables, &request->place[at], reply);
	elf_variables_release(&variables);
	return r;
}

/* Fills in the file: "BUILDID PATH". False: it is none that can be looked at. */
static bool request_begin(struct file_request *request, const struct map_table *table,
                          uint32_t file)
{
	const char *text = intern_text(&table->files, file), *path = strchr(text, ' ');
	size_t length = path ? (size_t)(path - text) : 0;

	if (!path || length < 2 || length >= sizeof(request->build_id) ||
	    !mapped_file_name(&request->file, path + 1))
		return false;
	memcpy(request->build_id, text, length);
	request->build_id[length] = '\0';
	request->count = 0;
	return true;
}

/* Gives each futex of `asked` its line of the reply. */
static void reply_take(struct named_futex *const *asked, size_t count, const struct buffer *reply)
{
	const char *at = reply->text;

	for (size_t i = 0; i < count; i++) {
		const char *end = strchr(at, '\n');

		if (!end)
			return;
		if (end > at)
			asked[i]->line = xstrndup(at, (size_t)(end - at));
		at = end + 1;
	}
}

/* Looks at the futexes from `asked` on that are near the same file; returns how many. */
static size_t file_look(struct peek *peek, const struct map_table *table,
                        struct named_futex *const *asked, size_t left, nsec_t deadline)
{
	const struct mapping *first = asked[0]->mapping;
	_cleanup_(freep) struct file_request *request = xcalloc(1, sizeof(*request));
	_cleanup_(buffer_release) struct buffer reply = buffer_of(BUFFER_LIMIT_DEFAULT);
	bool is_file = request_begin(request, table, first->file);
	size_t count = 0;

	request->file.tgid = asked[0]->tgid;
	request->file.begin = first->begin;
	request->file.end = first->end;
	for (; count < left && count < PLACES_MAX && asked[count]->mapping->file == first->file;
	     count++)
		request->place[count] = (struct user_place){asked[count]->mapping->begin,
		                                            asked[count]->mapping->offset,
		                                            asked[count]->address};
	request->count = (uint32_t)count;
	if (!is_file || monotonic_now() >= deadline)
		return count;
	if (peek_call(peek, ABOUT_FILE(first->file), variables_look, request,
		      offsetof(struct file_request, place) + count * sizeof(request->place[0]),
		      &reply) == 0 && !reply.is_cut)
		reply_take(asked, count, &reply);
	return count;
}

ORDER_FUNCTION(file_compare, struct named_futex *const, RISING(*x, *y, mapping->file),
               named_compare(*x, *y))

void lock_names_find(struct lock_names *names, struct peek *peek, const struct map_table *table)
{
	_cleanup_(freep) struct named_futex **asked = NULL;
	nsec_t deadline = monotonic_now() + LOCK_NAMES_NS;

	named_collect(names, table);
	asked = xreallocarray(NULL, names->named_count + 1, sizeof(struct named_futex *));
	for (size_t i = 0; i < names->named_count; i++)
		asked[i] = &names->named[i];
	array_sort(asked, names->named_count, sizeof(struct named_futex *), file_compare);
	for (size_t at = 0; at < names->named_count;)
		at += file_look(peek, table, asked + at, names->named_count - at, deadline);
}

void lock_names_append(const struct lock_names *names, const struct map_process *process,
                       size_t set, struct buffer *to)
{
	const struct named_futex key = {.tgid = process->tgid, .set = (uint32_t)set};
	size_t at = ARRAY_BEFORE(it, names->named, names->named_count, named_compare(it, &key) < 0);

	for (; at < names->named_count && names->named[at].tgid == key.tgid &&
	       names->named[at].set == key.set; at++)
		if (names->named[at].line)
			buffer_printf(to, "variable %" PRIx64 " %s\n", names->named[at].address,
			              names->named[at].line);
}
