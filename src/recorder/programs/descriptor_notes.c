/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "descriptor_notes.h"

#include <dirent.h>
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
#include "base/xalloc.h"
#include "ftwait/stream.h"
#include "own_descriptors.h"
#include "recorder/file/stream_writer.h"
#include "recorder/machine/end_table.h"
#include "recorder/machine/seen_process.h"
#include "recorder/machine/socket_table.h"
#include "recorder/machine/text_file.h"

#define LINE_BYTES_MAX  (4 * PATH_MAX + 128)
/* The kernel reports an exec before it is finished, some 100 us before unless the program comes
   from a busy disk. */
#define EXEC_NS 20000000u

void descriptor_notes_init(struct descriptor_notes *notes)
{
	*notes = (struct descriptor_notes){0};
	buffer_init(&notes->lines, DESCRIPTOR_BYTES_MAX + LINE_BYTES_MAX);
	map_init(&notes->paths);
	map_init(&notes->seen);
	map_init(&notes->unsure);
}

void descriptor_notes_release(struct descriptor_notes *notes)
{
	buffer_release(&notes->lines);
	map_release(&notes->paths);
	map_release(&notes->seen);
	map_release(&notes->unsure);
	free(notes->opened);
	free(notes->program);
}

/* What a descriptor was at some time between two others. */
struct seen_descriptor {
	int32_t tgid;
	uint32_t number;
	nsec_t from, to;
	const char *path; /* not terminated */
	size_t length;
};

/* "descriptor-path 5 /etc/passwd", unless the path has a number; "descriptor 77 3 1000 900 5" */
static void note_put(struct descriptor_notes *notes, const struct seen_descriptor *seen)
{
	_cleanup_(buffer_release) struct buffer line = buffer_of(LINE_BYTES_MAX);
	uint64_t key = text_hash(seen->path, seen->length);
	uint32_t path = map_get(&notes->paths, key);
	char text[PATH_MAX];

	if (path == MAP_NONE) {
		memcpy(text, seen->path, seen->length);
		text[seen->length] = '\0';
		path = (uint32_t)notes->paths.count;
		buffer_printf(&line, "descriptor-path %" PRIu32 " ", path);
		stream_text_append(&line, text);
		buffer_putc(&line, '\n');
	}
	buffer_printf(&line, "descriptor %d %" PRIu32 " %" PRIu64 " %" PRIu64 " %" PRIu32 "\n",
	              (int)seen->tgid, seen->number, seen->from, seen->to - seen->from, path);
	if (line.is_cut || notes->bytes + line.length > DESCRIPTOR_BYTES_MAX) {
		notes->counts.left_out++;
		return;
	}
	map_put(&notes->paths, key, path);
	notes->bytes += line.length;
	buffer_append(&notes->lines, line.text, line.length);
}

/* Adds to the link of a socket who is at its other end: a TCP connection has one for life. */
static void socket_add_peer(const struct socket_table *sockets, struct seen_descriptor *seen,
                            char path[static PATH_MAX])
{
	_cleanup_(buffer_release) struct buffer text = buffer_of(PATH_MAX - 1);
	struct end_object object = end_object_of(path, seen->length);
	const struct socket_row *row =
		object.kind == END_SOCKET ? socket_table_find(sockets, object.number) : NULL;

	if (!row || row->protocol != SOCKET_TCP || row->is_listening || row->remote.port == 0)
		return;
	buffer_append(&text, path, seen->length);
	buffer_puts(&text, " with ");
	endpoint_append(&text, &row->remote);
	memcpy(path, text.text, text.length);
	seen->length = text.length;
}

/* Reads a link; false: there is none. `sockets`: NULL, or those of its network. */
static bool link_note(struct descriptor_notes *notes, int folder, const char *name,
                      const struct socket_table *sockets, struct seen_descriptor *seen,
                      char path[static PATH_MAX])
{
	ssize_t length;

	seen->from = monotonic_now();
	length = readlinkat(folder, name, path, PATH_MAX);
	seen->to = monotonic_now();
	seen->path = path;
	seen->length = length > 0 ? (size_t)length : 0;
	if (length > 0 && length < PATH_MAX && sockets)
		socket_add_peer(sockets, seen, path);
	if (length > 0 && length < PATH_MAX)
		note_put(notes, seen);
	return length > 0;
}

void descriptor_notes_open(struct descriptor_notes *notes, const struct opened_descriptor *opened)
{
	notes->counts.opens++;
	if (map_get(&notes->unsure, (uint32_t)opened->tgid) != MAP_NONE) {
		notes->counts.gone++;
		return;
	}
	ARRAY_ADD(notes->opened, notes->count, notes->capacity) = *opened;
	for (size_t i = 0; i < notes->program_count; i++)
		if (notes->program[i].tgid == opened->tgid)
			notes->program[i].due = 0;
}

void descriptor_notes_exec(struct descriptor_notes *notes, int32_t tgid, nsec_t time)
{
	(void)map_take(&notes->unsure, (uint32_t)tgid);
	ARRAY_ADD(notes->program, notes->program_count, notes->program_capacity) =
		(struct late_program){tgid, time + EXEC_NS};
}

/* Of what was opened under one number, only the last is looked at. */
static void opened_read(struct descriptor_notes *notes)
{
	_cleanup_(closep) int folder = -1;
	const struct opened_descriptor *last = NULL;
	char path[PATH_MAX], name[16];

	map_clear(&notes->seen);
	while (notes->count > 0) {
		const struct opened_descriptor *opened = &notes->opened[--notes->count];
		uint64_t key = (uint64_t)(uint32_t)opened->tgid << 32 | opened->number;
		struct seen_descriptor seen = {.tgid = opened->tgid, .number = opened->number};

		/* that of the thread, as threads need not share their descriptors */
		if (!last || last->tid != opened->tid || last->tgid != opened->tgid) {
			closep(&folder);
			folder = open(PROC_PATH("/proc/%d/task/%d/fd", opened->tgid, opened->tid),
			              O_PATH | O_DIRECTORY | O_CLOEXEC);
		}
		last = opened;
		(void)snprintf(name, sizeof(name), "%" PRIu32, opened->number);
		if (map_get(&notes->seen, key) != MAP_NONE || folder < 0 ||
		    !link_note(notes, folder, name, NULL, &seen, path))
			notes->counts.gone++;
		map_put(&notes->seen, key, 0);
	}
}

/* Whether calls of the process have the numbers that those of this program have. Unlike its
   descriptors, this does not change before it executes another program. */
static bool process_has_same_abi(int32_t tgid)
{
	_cleanup_(closep) int fd = open(PROC_PATH("/proc/%d/auxv", tgid), O_RDONLY | O_CLOEXEC);
	uint32_t word[2];

	return fd >= 0 && read(fd, word, sizeof(word)) == (ssize_t)sizeof(word) &&
	       auxv_is_64_bit(word) == (sizeof(long) == 8);
}

static void process_look(struct descriptor_notes *notes, int32_t tgid,
                         const struct socket_table *sockets)
{
	_cleanup_(closedirp) DIR *files = opendir(PROC_PATH("/proc/%d/fd", tgid));
	size_t left = DESCRIPTORS_LOOK_MAX;
	const struct dirent *entry;
	char path[PATH_MAX];

	if (!files || !process_has_same_abi(tgid))
		return;
	while ((entry = readdir(files))) {
		struct seen_descriptor seen = {.tgid = tgid};
		uint64_t number;

		if (parse_u64(entry->d_name, &number) < 0 || number > INT32_MAX)
			continue;
		seen.number = (uint32_t)number;
		if (left == 0)
			notes->counts.left_out++;
		else if (left-- > 0)
			(void)link_note(notes, dirfd(files), entry->d_name, sockets, &seen, path);
	}
}

void descriptor_notes_look(struct descriptor_notes *notes, int32_t tgid)
{
	process_look(notes, tgid, NULL);
}

void descriptor_notes_begin(struct descriptor_notes *notes, const int32_t *process, size_t count)
{
	_cleanup_(freep) bool *is_own = xcalloc(count ? count : 1, sizeof(*is_own));
	struct socket_table sockets;
	struct peek peek;

	peek_init(&peek, PEEK_PATIENCE_NS);
	socket_table_init(&sockets);
	own_descriptors_find(process, count, is_own);
	for (size_t i = 0; i < count; i++) {
		if (is_own[i]) {
			socket_table_read(&sockets, &peek, process[i]);
			process_look(notes, process[i], &sockets);
			continue;
		}
		notes->counts.unsure++;
		map_put(&notes->unsure, (uint32_t)process[i], 0);
	}
	socket_table_release(&sockets);
	peek_release(&peek);
}

void descriptor_notes_read(struct descriptor_notes *notes, bool is_last)
{
	nsec_t time = monotonic_now();
	size_t kept = 0;

	opened_read(notes);
	for (size_t i = 0; i < notes->program_count; i++)
		if (is_last || notes->program[i].due <= time)
			descriptor_notes_look(notes, notes->program[i].tgid);
		else
			notes->program[kept++] = notes->program[i];
	notes->program_count = kept;
}
