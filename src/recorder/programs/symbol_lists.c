/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbol_lists.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/data/order.h"
#include "base/xalloc.h"
#include "recorder/machine/text_file.h"
#include "recorder/machine/task_snapshot.h"
#include "words/symbol_line.h"

#define FILE_BYTES_MAX (64u << 20)
#define NAME_BYTES_MAX 1024u

ORDER_FUNCTION(address_compare, uint64_t, (*x > *y) - (*x < *y))

void addresses_sort(uint64_t *address, size_t count)
{
	array_sort(address, count, sizeof(*address), address_compare);
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

	addresses_sort(address, count);
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
	_cleanup_(buffer_release) struct buffer text = buffer_of(FILE_BYTES_MAX);
	_cleanup_(closep) int fd = -1;
	struct stat process;
	size_t depth;
	uint32_t own;
	bool lives;

	memcpy(&request, argument, sizeof(request));
	memcpy(address, (const char *)argument + sizeof(request), request.count * sizeof(*address));
	own = task_own_number(request.tgid, request.tgid, &depth);
	lives = stat(PROC_PATH("/proc/%d", request.tgid), &process) == 0;
	if (request.owner == JIT_OWNER_UNKNOWN)
		request.owner = lives ? process.st_uid : geteuid();
	fd = lives ? file_open(PROC_PATH("/proc/%d/root/tmp/perf-%d.map", request.tgid,
	                                 own ? (int32_t)own : request.tgid), request.owner)
	           : -ENOENT;
	if (fd < 0)
		fd = file_open(PROC_PATH("/tmp/perf-%d.map", request.tgid), request.owner);
	if (fd < 0)
		return fd;
	(void)text_file_read_open(fd, &text); /* what was read of it is used */
	jit_symbols_pick(text.text, text.length, address, request.count, reply);
	return 0;
}

void jit_symbols_append(struct peek *peek, int32_t tgid, uid_t owner, uint64_t *address,
			size_t count, struct buffer *to)
{
	const struct jit_request request = {tgid, owner, count};
	_cleanup_(buffer_release) struct buffer argument = buffer_of(
		sizeof(request) + count * sizeof(*address));

	if (count == 0)
		return;
	buffer_append(&argument, &request, sizeof(request));
	buffer_append(&argument, address, count * sizeof(*address));
	(void)peek_call(peek, (uint64_t)tgid, file_look, argument.text, argument.length, to);
}

#define READ_BYTES       (64u << 10)
#define LINE_BYTES       1024 /* longer lines are not from kallsyms */
#define LINES_OF_ADDRESS 4096 /* bytes of all names of one address */

/* The function found so far for an address: the one that begins closest below it. */
struct owner {
	uint64_t begin; /* 0: none */
	char *lines;    /* all lines of that begin; owned */
};

/*
 * Each line gives the begin of a function; its end is the begin of whichever function follows it in
 * memory, anywhere in the file: the kernel's own are sorted, those of modules are not. So a line is
 * held until the next one, and then applies to the addresses up to there at most.
 */
struct symbol_pick {
	const uint64_t *address;
	struct owner *owner; /* one for each address */
	size_t count;
	uint64_t begin;      /* of the held function; 0: none */
	struct buffer lines; /* of the held function, with all its names */
	size_t at;           /* index of the first address at or above `begin` */
	bool is_disordered;  /* a function began below the one before it */
	const struct symbol_wishes *wishes;
	struct buffer objects; /* lines of variables */
};

static void line_append(struct buffer *to, const char *line, const struct symbol_line *symbol)
{
	buffer_append(to, line, (size_t)(symbol->end - line));
	buffer_putc(to, '\n');
}

static void pick_take_object(struct symbol_pick *pick, const char *line,
                             const struct symbol_line *symbol)
{
	const struct symbol_wishes *wishes = pick->wishes;
	size_t at = array_lower_bound_u64(wishes->object, wishes->object_count,
	                                  sizeof(*wishes->object), symbol->address);

	if (at < wishes->object_count && wishes->object[at] == symbol->address)
		line_append(&pick->objects, line, symbol);
}

/*
 * Assigns the held function to the addresses in [begin, end) that have no function that begins
 * later. The functions of ascending addresses begin in ascending order, so the first later one ends
 * the loop.
 */
static void pick_settle(struct symbol_pick *pick, uint64_t end)
{
	for (size_t i = pick->at; i < pick->count && pick->address[i] < end; i++) {
		struct owner *owner = &pick->owner[i];

		if (owner->begin >= pick->begin)
			break;
		free(owner->lines);
		owner->lines = xstrdup(pick->lines.text);
		owner->begin = pick->begin;
	}
}

static void pick_take(struct symbol_pick *pick, const char *line, const struct symbol_line *symbol)
{
	if (symbol->address != pick->begin) {
		bool is_in_order = symbol->address > pick->begin;

		if (pick->begin > 0)
			pick_settle(pick, is_in_order ? symbol->address : UINT64_MAX);
		while (is_in_order && pick->at < pick->count &&
		       pick->address[pick->at] < symbol->address)
			pick->at++;
		if (!is_in_order)
			pick->at = array_lower_bound_u64(pick->address, pick->count,
			                                 sizeof(*pick->address),
			                                 symbol->address);
		pick->is_disordered |= !is_in_order;
		pick->begin = symbol->address;
		buffer_clear(&pick->lines);
	}
	line_append(&pick->lines, line, symbol);
}

/* Takes whole lines; returns the number of bytes left at the end. */
static size_t pick_take_lines(struct symbol_pick *pick, const char *at, const char *end)
{
	unsigned kinds = SYMBOL_FUNCTION | (pick->wishes->object_count ? SYMBOL_OBJECT : 0);
	const char *newline;

	while ((newline = memchr(at, '\n', (size_t)(end - at)))) {
		struct symbol_line symbol;

		if (symbol_line_parse(at, newline, kinds, &symbol)) {
			if (symbol.kind == SYMBOL_FUNCTION)
				pick_take(pick, at, &symbol);
			else
				pick_take_object(pick, at, &symbol);
		}
		at = newline + 1;
	}
	return end - at < LINE_BYTES ? (size_t)(end - at) : 0;
}

/*
 * Whether no later line can be closer: all addresses lie between functions of the kernel itself,
 * which come first in the file, sorted. Modules are elsewhere; variables are anywhere.
 */
static bool pick_is_done(const struct symbol_pick *pick)
{
	return pick->wishes->object_count == 0 && !pick->is_disordered &&
	       pick->at == pick->count && pick->owner[0].begin > 0;
}

static int pick_read(struct symbol_pick *pick, int fd)
{
	_cleanup_(freep) char *piece = xmalloc(READ_BYTES + LINE_BYTES);
	size_t kept = 0;

	while (!pick_is_done(pick)) {
		ssize_t got = read(fd, piece + kept, READ_BYTES);
		const char *end;

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got < 0 ? -errno : 0;
		end = piece + kept + got;
		kept = pick_take_lines(pick, piece, end);
		memmove(piece, end - kept, kept);
	}
	return 0;
}

static void pick_write(const struct symbol_pick *pick, struct buffer *to)
{
	uint64_t before = 0;

	for (size_t i = 0; i < pick->count; i++) {
		if (pick->owner[i].begin != before)
			buffer_puts(to, pick->owner[i].lines);
		before = pick->owner[i].begin;
	}
}

int kernel_symbols_pick_from(int fd, const struct symbol_wishes *wishes, struct buffer *to)
{
	size_t count = wishes->function_count;
	struct symbol_pick pick = {
		.wishes = wishes,
		.address = wishes->function,
		.count = count,
	};
	int r;

	pick.owner = xcalloc(count + 1, sizeof(*pick.owner));
	buffer_init(&pick.lines, LINES_OF_ADDRESS);
	buffer_init(&pick.objects, BUFFER_LIMIT_DEFAULT);
	r = pick_read(&pick, fd);
	if (pick.begin > 0)
		pick_settle(&pick, UINT64_MAX);
	if (r == 0) {
		pick_write(&pick, to);
		buffer_append(to, pick.objects.text, pick.objects.length);
	}
	for (size_t i = 0; i < count; i++)
		free(pick.owner[i].lines);
	free(pick.owner);
	buffer_release(&pick.lines);
	buffer_release(&pick.objects);
	return r;
}

int kernel_symbols_pick(const struct symbol_wishes *wishes, struct buffer *to)
{
	_cleanup_(closep) int fd = -1;

	if (wishes->function_count + wishes->object_count == 0)
		return 0;
	fd = open("/proc/kallsyms", O_RDONLY | O_CLOEXEC);
	return fd < 0 ? -errno : kernel_symbols_pick_from(fd, wishes, to);
}
