/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "descriptor_notes.h"

#include <assert.h>
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
/* Pauses between looks at all descriptors: they get longer while there is nothing new. */
#define PAUSE_MIN_NS 50000000u
#define PAUSE_MAX_NS 1000000000u
#define FORK_NS      1000000u /* a fork is followed by other calls, as closes of ends of pipes */
#define LOOK_NS      2000000u /* a look takes no longer at once */
/* A look is followed by a pause of so many times the time that it took. */
#define REST_TIMES   50u
#define SOCKETS_REST_NS 5000000u
/* Beyond, sockets are not asked for, and lines may be written again. */
#define SOCKETS_WAITING_MAX 4096u
#define KNOWN_MAX    65536u

void descriptor_notes_init(struct descriptor_notes *notes)
{
	*notes = (struct descriptor_notes){0};
	buffer_init(&notes->lines, DESCRIPTOR_BYTES_MAX + LINE_BYTES_MAX);
	map_init(&notes->paths);
	map_init(&notes->known);
	map_init(&notes->seen);
	map_init(&notes->unsure);
	map_init(&notes->connecting);
	map_init(&notes->processes);
	notes->pause = PAUSE_MIN_NS;
	notes->looks_due = monotonic_now() + PAUSE_MIN_NS;
}

void descriptor_notes_release(struct descriptor_notes *notes)
{
	buffer_release(&notes->lines);
	map_release(&notes->paths);
	map_release(&notes->known);
	map_release(&notes->seen);
	map_release(&notes->unsure);
	map_release(&notes->connecting);
	map_release(&notes->processes);
	free(notes->opened);
	free(notes->program);
	free(notes->socket);
	free(notes->process);
}

/* What a descriptor was at some time between two others. */
struct seen_descriptor {
	int32_t tgid;
	uint32_t number;
	nsec_t from, to;
	const char *path; /* not terminated */
	size_t length;
};

/* "descriptor-path 5 /etc/passwd", unless the path has a number; "descriptor 77 3 1000 900 5".
   Returns the number of the path; MAP_NONE: it has none. */
static uint32_t note_put(struct descriptor_notes *notes, const struct seen_descriptor *seen)
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
		return map_get(&notes->paths, key);
	}
	map_put(&notes->paths, key, path);
	notes->bytes += line.length;
	buffer_append(&notes->lines, line.text, line.length);
	return path;
}

static uint64_t descriptor_key(int32_t tgid, uint32_t number)
{
	return (uint64_t)(uint32_t)tgid << 32 | number;
}

/* The inode of the process's network namespace; 0: not known. */
static uint64_t process_network(int32_t tgid)
{
	char link[64];
	ssize_t length = readlink(PROC_PATH("/proc/%d/ns/net", tgid), link, sizeof(link) - 1);
	uint64_t inode;

	link[length > 0 ? length : 0] = '\0';
	return text_number(link, "net:[", 10, &inode) ? inode : 0;
}

/* Its other end will be asked for. */
static void socket_keep(struct descriptor_notes *notes, const struct seen_descriptor *seen,
                        uint64_t inode)
{
	const struct seen_socket *last =
		notes->socket_count ? &notes->socket[notes->socket_count - 1] : NULL;
	uint64_t network = last && last->tgid == seen->tgid ? last->network
	                                                    : process_network(seen->tgid);

	if (!network || notes->socket_count >= SOCKETS_WAITING_MAX)
		return;
	ARRAY_GROW(notes->socket, notes->socket_count, notes->socket_capacity);
	assert(notes->socket);
	notes->socket[notes->socket_count++] =
		(struct seen_socket){seen->tgid, seen->number, seen->from, inode, network};
}

/* Writes "socket:[78] with 10.0.0.7:80", "socket:[78] with /run/log", or, where the other socket
   has no name, "socket:[78] with socket:[79]"; false: it has no other end. */
static bool peer_write(const struct socket_table *sockets, uint64_t inode, struct buffer *to)
{
	const struct socket_row *row = socket_table_find(sockets, inode), *other;

	if (!row || row->is_listening || row->is_connecting)
		return false;
	buffer_printf(to, STREAM_DESCRIPTOR_SOCKET "%" PRIu64 "] with ", inode);
	if (row->protocol != SOCKET_UNIX) {
		endpoint_append(to, &row->remote);
		return row->remote.port != 0;
	}
	other = socket_table_other(sockets, row);
	if (other && other->name[0])
		buffer_puts(to, other->name);
	else
		buffer_printf(to, STREAM_DESCRIPTOR_SOCKET "%" PRIu64 "]", row->peer);
	return row->peer != 0;
}

/* Asks for all sockets of that network. Returns the CPU time that it took. */
static nsec_t network_note(struct descriptor_notes *notes, const struct seen_socket *one)
{
	bool is_own = one->network == process_network((int32_t)getpid());
	struct socket_table sockets;
	nsec_t begin = thread_cpu_time(), time;
	struct peek peek;

	peek_init(&peek, PEEK_PATIENCE_NS);
	socket_table_init(&sockets);
	/* a process that asks for it would have to wait for a CPU */
	socket_table_read(&sockets, is_own ? NULL : &peek, one->tgid);
	time = monotonic_now();
	for (size_t i = 0; i < notes->socket_count; i++) {
		_cleanup_(buffer_release) struct buffer text = buffer_of(PATH_MAX - 1);
		const struct seen_socket *socket = &notes->socket[i];

		if (socket->network == one->network && peer_write(&sockets, socket->inode, &text))
			(void)note_put(notes, &(struct seen_descriptor){
				socket->tgid, socket->number, socket->from, time,
				text.text, text.length});
	}
	socket_table_release(&sockets);
	begin -= nsec_min(begin, peek_time(&peek));
	peek_release(&peek);
	return thread_cpu_time() - begin;
}

/* Notes the other ends of sockets. */
static void sockets_note(struct descriptor_notes *notes)
{
	nsec_t took = 0;

	while (notes->socket_count > 0) {
		/* the latest one, as its process is the likeliest to be there */
		const struct seen_socket one = notes->socket[notes->socket_count - 1];
		size_t kept = 0;

		took += network_note(notes, &one);
		for (size_t i = 0; i < notes->socket_count; i++)
			if (notes->socket[i].network != one.network)
				notes->socket[kept++] = notes->socket[i];
		notes->socket_count = kept;
	}
	notes->sockets_due = monotonic_now() + nsec_max(REST_TIMES * took, SOCKETS_REST_NS);
}

/* Reads a link; false: there is none. only_news: notes it unless it is what was noted last. */
static bool link_note(struct descriptor_notes *notes, int folder, int32_t tgid, uint32_t number,
                      bool only_news)
{
	uint64_t key = descriptor_key(tgid, number);
	char path[PATH_MAX], name[16];
	struct seen_descriptor seen = {.tgid = tgid, .number = number, .path = path};
	struct end_object object;
	uint32_t known;
	ssize_t length;

	(void)snprintf(name, sizeof(name), "%" PRIu32, number);
	seen.from = monotonic_now();
	length = readlinkat(folder, name, path, PATH_MAX);
	seen.to = monotonic_now();
	if (length <= 0 || length >= PATH_MAX)
		return length > 0;
	seen.length = (size_t)length;
	known = only_news ? map_get(&notes->known, key) : MAP_NONE;
	if (known != MAP_NONE && known == map_get(&notes->paths, text_hash(path, seen.length)))
		return true;
	if (notes->known.count >= KNOWN_MAX)
		map_clear(&notes->known);
	known = note_put(notes, &seen);
	if (known != MAP_NONE)
		map_put(&notes->known, key, known);
	object = end_object_of(path, seen.length);
	if (object.kind == END_SOCKET)
		socket_keep(notes, &seen, object.number);
	return true;
}

/* Looks at it now and then, from some time after now on. */
static void process_follow(struct descriptor_notes *notes, int32_t tgid, nsec_t after)
{
	if (map_get(&notes->processes, (uint32_t)tgid) != MAP_NONE ||
	    map_get(&notes->unsure, (uint32_t)tgid) != MAP_NONE)
		return;
	map_put(&notes->processes, (uint32_t)tgid, 0);
	ARRAY_ADD(notes->process, notes->process_count, notes->process_capacity) =
		(struct late_program){tgid, monotonic_now() + after};
}

/* The next look at all descriptors is to come that soon, as far as it may. */
static void looks_hurry(struct descriptor_notes *notes, nsec_t after)
{
	nsec_t due = nsec_max(monotonic_now() + after, notes->looks_rest);

	notes->looks_due = nsec_min(notes->looks_due, due);
}

void descriptor_notes_fork(struct descriptor_notes *notes, int32_t child)
{
	process_follow(notes, child, EXEC_NS); /* it most likely executes a program */
	looks_hurry(notes, FORK_NS);
}

void descriptor_notes_connect(struct descriptor_notes *notes, int32_t tid, uint32_t number)
{
	map_put(&notes->connecting, (uint32_t)tid, number);
}

void descriptor_notes_connected(struct descriptor_notes *notes, int32_t tgid, int32_t tid)
{
	uint32_t number = map_take(&notes->connecting, (uint32_t)tid);

	if (number != MAP_NONE)
		descriptor_notes_open(notes, &(struct opened_descriptor){tgid, tid, number});
}

void descriptor_notes_open(struct descriptor_notes *notes, const struct opened_descriptor *opened)
{
	notes->counts.opens++;
	if (map_get(&notes->unsure, (uint32_t)opened->tgid) != MAP_NONE) {
		notes->counts.gone++;
		return;
	}
	process_follow(notes, opened->tgid, 0);
	ARRAY_ADD(notes->opened, notes->count, notes->capacity) = *opened;
	for (size_t i = 0; i < notes->program_count; i++)
		if (notes->program[i].tgid == opened->tgid)
			notes->program[i].due = 0;
}

void descriptor_notes_exec(struct descriptor_notes *notes, int32_t tgid, nsec_t time)
{
	(void)map_take(&notes->unsure, (uint32_t)tgid);
	process_follow(notes, tgid, EXEC_NS);
	ARRAY_ADD(notes->program, notes->program_count, notes->program_capacity) =
		(struct late_program){tgid, time + EXEC_NS};
}

/* Of what was opened under one number, only the last is looked at. */
static void opened_read(struct descriptor_notes *notes)
{
	_cleanup_(closep) int folder = -1;
	const struct opened_descriptor *last = NULL;

	map_clear(&notes->seen);
	while (notes->count > 0) {
		const struct opened_descriptor *opened = &notes->opened[--notes->count];
		uint64_t key = descriptor_key(opened->tgid, opened->number);

		/* that of the thread, as threads need not share their descriptors */
		if (!last || last->tid != opened->tid || last->tgid != opened->tgid) {
			closep(&folder);
			folder = open(PROC_PATH("/proc/%d/task/%d/fd", opened->tgid, opened->tid),
			              O_PATH | O_DIRECTORY | O_CLOEXEC);
		}
		last = opened;
		if (map_get(&notes->seen, key) != MAP_NONE || folder < 0 ||
		    !link_note(notes, folder, opened->tgid, opened->number,
		               /* only_news= */ false))
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

/* False: the process has ended, or may not be looked at. */
static bool process_look(struct descriptor_notes *notes, int32_t tgid, bool only_news)
{
	_cleanup_(closedirp) DIR *files = opendir(PROC_PATH("/proc/%d/fd", tgid));
	size_t left = DESCRIPTORS_LOOK_MAX;
	const struct dirent *entry;

	if (!files || !process_has_same_abi(tgid))
		return false;
	while ((entry = readdir(files))) {
		uint64_t number;

		if (parse_u64(entry->d_name, &number) < 0 || number > INT32_MAX)
			continue;
		if (left == 0 && only_news)
			break;
		if (left == 0)
			notes->counts.left_out++;
		else if (left-- > 0)
			(void)link_note(notes, dirfd(files), tgid, (uint32_t)number, only_news);
	}
	return true;
}

void descriptor_notes_look(struct descriptor_notes *notes, int32_t tgid)
{
	(void)process_look(notes, tgid, /* only_news= */ false);
}

/* Looks at what processes have that no call has shown. */
static void news_look(struct descriptor_notes *notes)
{
	nsec_t begin = monotonic_now(), ran = thread_cpu_time(), end = begin;
	uint64_t bytes = notes->bytes;

	for (size_t left = notes->process_count; left > 0 && end - begin < LOOK_NS; left--) {
		struct late_program *process;

		notes->next = notes->next < notes->process_count ? notes->next : 0;
		process = &notes->process[notes->next];
		if (process->due > begin ||
		    process_look(notes, process->tgid, /* only_news= */ true)) {
			notes->next++;
		} else {
			(void)map_take(&notes->processes, (uint32_t)process->tgid);
			*process = notes->process[--notes->process_count];
		}
		end = monotonic_now();
	}
	notes->pause = notes->bytes > bytes ? PAUSE_MIN_NS
	                                    : nsec_min(2 * notes->pause, PAUSE_MAX_NS);
	notes->looks_rest = end + REST_TIMES * (thread_cpu_time() - ran);
	notes->looks_due = nsec_max(end + notes->pause, notes->looks_rest);
}

void descriptor_notes_begin(struct descriptor_notes *notes, const int32_t *process, size_t count)
{
	_cleanup_(freep) bool *is_own = xcalloc(count ? count : 1, sizeof(*is_own));

	own_descriptors_find(process, count, is_own);
	for (size_t i = 0; i < count; i++) {
		if (is_own[i]) {
			descriptor_notes_look(notes, process[i]);
			process_follow(notes, process[i], 0);
			continue;
		}
		notes->counts.unsure++;
		map_put(&notes->unsure, (uint32_t)process[i], 0);
	}
	sockets_note(notes);
	looks_hurry(notes, PAUSE_MIN_NS);
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
	if (is_last || notes->looks_due <= time)
		news_look(notes);
	if (notes->socket_count > 0 && notes->sockets_due <= time)
		sockets_note(notes);
}

nsec_t descriptor_notes_due(const struct descriptor_notes *notes)
{
	nsec_t due = notes->program_count ? notes->program[0].due : NSEC_NEVER;

	if (notes->process_count > 0)
		due = nsec_min(due, notes->looks_due);
	return notes->socket_count > 0 ? nsec_min(due, notes->sockets_due) : due;
}
