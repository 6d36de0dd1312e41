/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "datfile_head.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>

#include "base/byte_order.h"
#include "base/cleanup.h"
#include "base/xalloc.h"
#include "recorder/machine/text_file.h"

bool datfile_option_next(const struct buffer *options, size_t *at, struct option_place *ret)
{
	size_t head = sizeof(ret->id) + sizeof(ret->bytes);

	if (options->length - *at < head)
		return false;
	memcpy(&ret->id, options->text + *at, sizeof(ret->id));
	memcpy(&ret->bytes, options->text + *at + sizeof(ret->id), sizeof(ret->bytes));
	ret->text = options->text + *at + head;
	if (ret->bytes > options->length - *at - head)
		return false;
	*at += head + ret->bytes;
	return true;
}

bool datfile_find_clock(const struct buffer *options, const char **ret, uint64_t *ret_bytes)
{
	struct option_place option;
	size_t at = 0;

	while (datfile_option_next(options, &at, &option)) {
		const char *open = NULL, *close = NULL;

		if (option.id == DATFILE_OPTION_CLOCK)
			open = memchr(option.text, '[', option.bytes);
		if (open)
			close = memchr(open, ']', option.bytes - (size_t)(open - option.text));
		if (close) {
			*ret = open;
			*ret_bytes = (uint64_t)(close - open) + 1;
			return true;
		}
	}
	return false;
}

#define DATFILE_MAGIC "\x17\x08\x44tracing6" /* and the NUL that ends the version */
#define FORMAT_BYTES_MAX (1u << 20)

static void put_u32(struct buffer *to, uint32_t number)
{
	buffer_append(to, &number, sizeof(number));
}

/* Appends a u64 with the length, then the text. */
static void put_text64(struct buffer *to, const struct buffer *text)
{
	const uint64_t length = text->length;

	buffer_append(to, &length, sizeof(length));
	buffer_append(to, text->text, text->length);
}

static int put_file64(struct buffer *to, const char *dir, const char *name, struct buffer *why)
{
	_cleanup_(buffer_release) struct buffer text = buffer_of(FORMAT_BYTES_MAX);
	int r = text_file_read_at(dir, name, &text);

	if (r < 0)
		return buffer_fail(why, r, "%s/%s: %s", dir, name, strerror(-r));
	put_text64(to, &text);
	return 0;
}

/* The size of the kernel's long, by the page header's commit field: it differs from this program's
   if a 32-bit program runs on a 64-bit kernel. */
static char kernel_long_bytes(const struct buffer *header_page)
{
	const char *commit = strstr(header_page->text, " commit;");
	const char *size = commit ? strstr(commit, "size:") : NULL;

	if (size && (size[5] == '4' || size[5] == '8'))
		return (char)(size[5] - '0');
	return (char)sizeof(long);
}

static int put_page_formats(struct buffer *to, const struct capture_session *session,
                            struct buffer *why)
{
	_cleanup_(buffer_release) struct buffer header_page = buffer_of(FORMAT_BYTES_MAX);
	int r = text_file_read_at(session->dir, "events/header_page", &header_page);

	if (r < 0)
		return buffer_fail(why, r, "%s/events/header_page: %s", session->dir, strerror(-r));
	buffer_append(to, DATFILE_MAGIC, sizeof(DATFILE_MAGIC));
	buffer_putc(to, byte_order_is_big());
	buffer_putc(to, kernel_long_bytes(&header_page));
	put_u32(to, (uint32_t)session->page_bytes);
	buffer_append(to, "header_page", sizeof("header_page"));
	put_text64(to, &header_page);
	buffer_append(to, "header_event", sizeof("header_event"));
	return put_file64(to, session->dir, "events/header_event", why);
}

/* Formats of the kernel's own events: prints, stacks, functions. */
static int put_own_formats(struct buffer *to, const char *tracefs, struct buffer *why)
{
	_cleanup_(freep) char *path = xasprintf("%s/events/ftrace", tracefs);
	_cleanup_(closedirp) DIR *dir = opendir(path);
	struct dirent *entry;
	_cleanup_(buffer_release) struct buffer formats = buffer_of(DATFILE_HEAD_BYTES_MAX);
	uint32_t count = 0;

	if (!dir)
		return buffer_fail(why, -errno, "%s: %s", path, strerror(errno));
	while ((entry = readdir(dir))) {
		_cleanup_(freep) char *name = xasprintf("%s/format", entry->d_name);
		_cleanup_(buffer_release) struct buffer unused = buffer_of(256);

		if (entry->d_name[0] != '.' && put_file64(&formats, path, name, &unused) == 0)
			count++;
	}
	put_u32(to, count);
	buffer_append(to, formats.text, formats.length);
	return 0;
}

static size_t system_length(const char *name)
{
	return strcspn(name, ":");
}

static bool system_is_same(const char *a, const char *b)
{
	return system_length(a) == system_length(b) && strncmp(a, b, system_length(a)) == 0;
}

/* True if no selected event before `index` belongs to the same system. */
static bool system_is_first(const struct event_selection *selection, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (selection->is_selected[i] &&
		    system_is_same(selection->catalog->name[i], selection->catalog->name[index]))
			return false;
	return true;
}

/* Appends all selected events of the system of event `first`. */
static int put_system(struct buffer *to, const char *tracefs,
                      const struct event_selection *selection, size_t first, struct buffer *why)
{
	const struct event_catalog *catalog = selection->catalog;
	size_t length = system_length(catalog->name[first]);
	_cleanup_(buffer_release) struct buffer formats = buffer_of(DATFILE_HEAD_BYTES_MAX);
	uint32_t count = 0;
	int r = 0;

	for (size_t i = first; r == 0 && i < catalog->count; i++) {
		_cleanup_(freep) char *path = NULL;

		if (!selection->is_selected[i] ||
		    !system_is_same(catalog->name[i], catalog->name[first]))
			continue;
		path = xasprintf("events/%.*s/%s/format", (int)length, catalog->name[i],
		                 catalog->name[i] + length + 1);
		r = put_file64(&formats, tracefs, path, why);
		count++;
	}
	buffer_append(to, catalog->name[first], length);
	buffer_putc(to, '\0');
	put_u32(to, count);
	buffer_append(to, formats.text, formats.length);
	return r;
}

static int put_event_formats(struct buffer *to, const char *tracefs,
                             const struct event_selection *selection, struct buffer *why)
{
	_cleanup_(buffer_release) struct buffer systems = buffer_of(DATFILE_HEAD_BYTES_MAX);
	uint32_t count = 0;
	int r = 0;

	for (size_t i = 0; r == 0 && i < selection->catalog->count; i++) {
		if (!selection->is_selected[i] || !system_is_first(selection, i))
			continue;
		r = put_system(&systems, tracefs, selection, i, why);
		count++;
	}
	put_u32(to, count);
	buffer_append(to, systems.text, systems.length);
	return r;
}

bool symbols_are_hidden(const struct buffer *symbols)
{
	for (const char *line = symbols->text; *line; line += *line == '\n') {
		if (line[strspn(line, "0")] != ' ')
			return false;
		line = strchrnul(line, '\n');
	}
	return true;
}

static void put_printk_formats(struct buffer *to, const char *tracefs)
{
	_cleanup_(buffer_release) struct buffer formats = buffer_of(DATFILE_HEAD_BYTES_MAX / 8);

	if (text_file_read_at(tracefs, "printk_formats", &formats) < 0)
		buffer_clear(&formats);
	put_u32(to, (uint32_t)formats.length);
	buffer_append(to, formats.text, formats.length);
}

int datfile_head_read_formats(const char *tracefs, const struct event_selection *selection,
                              struct buffer *to, struct buffer *why)
{
	int r = put_own_formats(to, tracefs, why);

	return r < 0 ? r : put_event_formats(to, tracefs, selection, why);
}

int datfile_head_build(const char *tracefs, const struct capture_session *session,
                       const struct buffer *formats, const struct buffer *cmdlines,
                       struct buffer *to, struct buffer *why)
{
	int r = put_page_formats(to, session, why);

	if (r < 0)
		return r;
	buffer_append(to, formats->text, formats->length);
	put_u32(to, 0); /* no symbols: they are known only at the end */
	put_printk_formats(to, tracefs);
	put_text64(to, cmdlines);
	put_u32(to, session->cpu_count);
	if (to->is_cut || formats->is_cut)
		return buffer_fail(why, -EFBIG, "the formats and symbols of this kernel are too "
		                   "large");
	return 0;
}

/* Reads a head from front to back; past its end all values are 0, and `is_over` is set. */
struct head_cursor {
	const char *bytes;
	size_t size, at;
	bool is_over;
	void (*on_format)(void *state, const char *text, size_t length); /* NULL: formats are
									    skipped */
	void *state;
};

static const char *cursor_take(struct head_cursor *cursor, uint64_t length)
{
	const char *here = cursor->bytes + cursor->at;

	if (cursor->is_over || length > cursor->size - cursor->at) {
		cursor->is_over = true;
		return NULL;
	}
	cursor->at += (size_t)length;
	return here;
}

static uint32_t cursor_u32(struct head_cursor *cursor)
{
	const char *from = cursor_take(cursor, sizeof(uint32_t));

	return from ? load_u32((const uint8_t *)from, false) : 0;
}

static uint64_t cursor_u64(struct head_cursor *cursor)
{
	const char *from = cursor_take(cursor, sizeof(uint64_t));

	return from ? load_u64((const uint8_t *)from, false) : 0;
}

static void cursor_expect(struct head_cursor *cursor, const char *bytes, size_t length)
{
	const char *from = cursor_take(cursor, length);

	if (from && memcmp(from, bytes, length) != 0)
		cursor->is_over = true;
}

static void cursor_skip_string(struct head_cursor *cursor)
{
	size_t rest = cursor->size - cursor->at;
	const char *end = cursor->is_over ? NULL : memchr(cursor->bytes + cursor->at, '\0', rest);

	if (end)
		cursor->at = (size_t)(end - cursor->bytes) + 1;
	else
		cursor->is_over = true;
}

static void cursor_pass_formats(struct head_cursor *cursor)
{
	uint32_t count = cursor_u32(cursor);

	for (uint32_t i = 0; i < count && !cursor->is_over; i++) {
		uint64_t length = cursor_u64(cursor);
		const char *text = cursor_take(cursor, length);

		if (text && cursor->on_format)
			cursor->on_format(cursor->state, text, (size_t)length);
	}
}

/* Advances to the symbols. */
static void cursor_pass_all_formats(struct head_cursor *cursor, struct datfile_head *ret)
{
	const char order = byte_order_is_big();
	const char *long_bytes;
	uint32_t systems;

	cursor_expect(cursor, DATFILE_MAGIC, sizeof(DATFILE_MAGIC));
	cursor_expect(cursor, &order, 1);
	long_bytes = cursor_take(cursor, 1);
	ret->long_bytes = long_bytes ? (uint8_t)*long_bytes : 0;
	ret->page_bytes = cursor_u32(cursor);
	cursor_expect(cursor, "header_page", sizeof("header_page"));
	(void)cursor_take(cursor, cursor_u64(cursor));
	cursor_expect(cursor, "header_event", sizeof("header_event"));
	(void)cursor_take(cursor, cursor_u64(cursor));
	ret->own_at = cursor->at;
	cursor_pass_formats(cursor);
	ret->events_at = cursor->at;
	systems = cursor_u32(cursor);
	for (uint32_t i = 0; i < systems && !cursor->is_over; i++) {
		cursor_skip_string(cursor);
		cursor_pass_formats(cursor);
	}
}

int datfile_head_parse(const void *head, size_t size, struct datfile_head *ret)
{
	struct head_cursor cursor = {.bytes = head, .size = size};
	struct datfile_head found = {0};
	uint64_t cmdlines_bytes;

	cursor_pass_all_formats(&cursor, &found);
	found.symbols_at = cursor.at;
	found.symbols_bytes = cursor_u32(&cursor);
	(void)cursor_take(&cursor, found.symbols_bytes);
	(void)cursor_take(&cursor, cursor_u32(&cursor));
	found.cmdlines_at = cursor.at;
	cmdlines_bytes = cursor_u64(&cursor);
	(void)cursor_take(&cursor, cmdlines_bytes);
	found.cmdlines_bytes = (size_t)cmdlines_bytes; /* they fit into size_t: they are in
	                                                  memory, unless is_over */
	found.cpu_count = cursor_u32(&cursor);
	if (cursor.is_over || cursor.at != size || found.page_bytes == 0 ||
	    (found.page_bytes & (found.page_bytes - 1)) != 0 ||
	    (found.long_bytes != 4 && found.long_bytes != 8))
		return -EINVAL;
	*ret = found;
	return 0;
}

void datfile_head_formats(const void *head, size_t size,
                          void (*on_format)(void *state, const char *text, size_t length),
                          void *state)
{
	struct head_cursor cursor = {
		.bytes = head, .size = size, .on_format = on_format, .state = state};
	struct datfile_head unused;

	cursor_pass_all_formats(&cursor, &unused);
}
