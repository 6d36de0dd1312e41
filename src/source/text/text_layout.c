/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "text_layout.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/xalloc.h"
#include "text_events.h"
#include "text_value.h"

#define HEAD_BYTES     8  /* id, flags, preempt count, tid */
#define COMM_BYTES     16
#define ARGUMENTS      6
#define TEXT_BYTES_MAX 4096 /* of fields of type s and r */
#define STACK_ID       2
#define FIRST_ID       16
#define NAMES_SHOWN    8  /* names of unknown events in a note */

static_assert(HEAD_BYTES + TEXT_FIELDS_MAX * 48 + TEXT_BYTES_MAX + 8 <= TEXT_RECORD_BYTES &&
              HEAD_BYTES + 8 + 8 * TEXT_STACK_FRAMES <= TEXT_RECORD_BYTES, "records fit");

/* A row of text_events[] with its fields and patterns parsed. */
struct text_row {
	const struct text_event *event;
	uint16_t id;
	struct text_field field[TEXT_FIELDS_MAX];
	size_t field_count;
	uint16_t bytes; /* size of the head and of all fields of fixed size */
	struct text_pattern pattern[TEXT_PATTERNS_MAX];
	size_t pattern_count;
	uint32_t next; /* next row with the same first word: index + 1; 0: none */
};

/* The first word of an event. */
struct text_word {
	const char *name;
	size_t bytes;
	uint16_t id;
	uint32_t row;   /* first row with this word: index + 1; 0: not in the table */
	int64_t call;   /* the number of the system call that the word names; -1: none */
	uint64_t lines; /* lines seen, if the word is not in the table */
};

struct text_layout {
	struct text_row *row;
	size_t row_count;
	struct text_word *word;
	size_t word_count, word_capacity;
	struct map word_by_hash; /* indices */
	size_t unknown_count;
	struct text_store names; /* of words */
	bool is_seen[UINT16_MAX + 1];      /* by id: such a line was read */
	bool is_described[UINT16_MAX + 1]; /* there is the format */
	/* System calls that the text names, and others that it numbers. */
	bool has_calls, has_numbers;
	union {
		uint8_t bytes[TEXT_RECORD_BYTES];
		uint64_t aligned;
	} record;
	size_t length; /* of the record between text_layout_begin() and text_layout_end() */
	struct format_text *format; /* room for all that there can be */
	size_t format_count;
};

/* The record that is being filled. */
struct text_fill {
	uint8_t *bytes;
	size_t length;
	struct text_symbols *symbols;
	bool is_raw; /* the line has the values of fields, by their names */
};

struct text_type {
	char type;
	const char *declaration, *suffix;
	uint16_t bytes;
	bool is_signed;
	size_t reach; /* how long a text may be; 0: it is none */
	bool (*take)(struct text_line *line, uint64_t *ret); /* numbers; NULL: a function */
};

static const struct text_type types[] = {
	{'d', "int", "", 4, true, 0, text_value_decimal},
	{'u', "unsigned int", "", 4, false, 0, text_value_decimal},
	{'b', "unsigned int", "", 4, false, 0, text_value_bool},
	{'V', "unsigned int", "", 4, false, 0, text_value_device},
	{'L', "unsigned int", "", 4, false, 0, text_value_lock_flags},
	{'M', "unsigned int", "", 4, false, 0, text_value_timer_mode},
	{'T', "unsigned int", "", 4, false, 0, text_value_lock_type},
	{'l', "long", "", 8, true, 0, text_value_decimal},
	{'S', "long", "", 8, true, 0, text_value_state},
	{'x', "unsigned long", "", 8, false, 0, text_value_hex},
	{'f', "void *", "", 8, false, 0, NULL},
	{'c', "void *", "", 8, false, 0, NULL},
	{'a', "unsigned long", "[6]", 8 * ARGUMENTS, false, 0, NULL},
	{'t', "char", "[16]", COMM_BYTES, false, COMM_BYTES, NULL},
	{'s', "__data_loc char[]", "", 4, false, TEXT_BYTES_MAX, NULL},
	{'r', "char", "[]", 0, false, TEXT_BYTES_MAX, NULL},
	{'*', NULL, NULL, 0, false, TEXT_BYTES_MAX, NULL},
};

static const struct text_type *type_find(char type)
{
	size_t i = 0;

	while (types[i].type != type)
		i++;
	return &types[i];
}

/* "pid:d comm:t" */
static void row_add_fields(struct text_row *row)
{
	const char *at = row->event->fields;

	row->bytes = HEAD_BYTES;
	while (*at) {
		const char *colon = strchr(at, ':');
		const struct text_type *type = type_find(colon[1]);
		uint16_t align = type->bytes == 4 || type->type == 't' ? 4 : 8;

		assert(row->field_count < TEXT_FIELDS_MAX);
		row->bytes = (uint16_t)((row->bytes + align - 1) / align * align);
		row->field[row->field_count++] = (struct text_field){
			.name = at,
			.name_bytes = (uint16_t)(colon - at),
			.offset = row->bytes,
			.type = type->type,
			.kind = type,
		};
		row->bytes = (uint16_t)(row->bytes + type->bytes);
		at = colon + 2;
		at += *at == ' ';
	}
}

static const struct text_field *row_field(const struct text_row *row, const char *name,
                                          size_t bytes)
{
	for (size_t i = 0; i < row->field_count; i++)
		if (row->field[i].name_bytes == bytes &&
		    memcmp(row->field[i].name, name, bytes) == 0)
			return &row->field[i];
	return NULL;
}

static void row_add_pattern(struct text_row *row, const char *text)
{
	struct text_pattern *pattern = &row->pattern[row->pattern_count++];

	while (*text) {
		struct text_piece *piece = &pattern->piece[pattern->count++];
		const char *open = strchr(text, '{');
		const struct text_field *field;

		assert(pattern->count <= TEXT_PIECES_MAX);
		piece->literal = text;
		piece->literal_bytes = (uint16_t)(open ? (size_t)(open - text) : strlen(text));
		piece->has_field = open;
		if (!open)
			return;
		text = strchr(open, '}') + 1;
		field = row_field(row, open + 1, (size_t)(text - open) - 2);
		assert(field || open[1] == '*');
		piece->field = field ? *field : (struct text_field){.type = '*',
		                                                    .kind = type_find('*')};
		pattern->fields |= field ? 1u << (field - row->field) : 0;
	}
}

/* By eight bytes at a time, the last of which overlap those before. */
static uint64_t name_hash(const char *name, size_t bytes)
{
	uint64_t hash = bytes, piece;

	if (bytes < sizeof(piece)) {
		for (size_t i = 0; i < bytes; i++)
			hash = hash * 31 + (unsigned char)name[i];
		return hash_mix(hash, bytes);
	}
	for (size_t i = 0; i + sizeof(piece) < bytes; i += sizeof(piece)) {
		memcpy(&piece, name + i, sizeof(piece));
		hash = hash_mix(hash, piece);
	}
	memcpy(&piece, name + bytes - sizeof(piece), sizeof(piece));
	return hash_mix(hash, piece);
}

/* Finds the word, or adds it. Returns NULL if there are too many unknown words. */
static struct text_word *layout_word(struct text_layout *layout, const char *name, size_t bytes)
{
	uint64_t hash = name_hash(name, bytes);
	uint32_t index;

	MAP_HASH_EACH(&layout->word_by_hash, hash, index)
		if (layout->word[index].bytes == bytes &&
		    memcmp(layout->word[index].name, name, bytes) == 0)
			return &layout->word[index];
	if (layout->unknown_count == TEXT_UNKNOWN_MAX)
		return NULL;
	map_put(&layout->word_by_hash, hash, (uint32_t)layout->word_count);
	ARRAY_GROW(layout->word, layout->word_count, layout->word_capacity);
	layout->word[layout->word_count] = (struct text_word){
		.name = text_store_add(&layout->names, name, bytes),
		.bytes = bytes,
		.call = text_call_number((struct text_line){name, name + bytes}),
	};
	return &layout->word[layout->word_count++];
}

/* Prepends the row to the list of its word. Call it for the last row first: the list then has the
   order of the table. */
static void layout_link_row(struct text_layout *layout, size_t index)
{
	struct text_row *row = &layout->row[index];
	const char *printed = row->event->printed ? row->event->printed : row->event->name;
	struct text_word *word = layout_word(layout, printed, strcspn(printed, ":"));

	row->next = word->row;
	word->row = (uint32_t)index + 1;
}

static void layout_add_row(struct text_layout *layout, const struct text_event *event)
{
	size_t index = layout->row_count++;
	struct text_row *row = &layout->row[index], *before = row - 1;

	row->event = event;
	row->id = (uint16_t)(FIRST_ID + index);
	if (index > 0 && strcmp(before->event->name, event->name) == 0)
		row->id = before->id;
	row_add_fields(row);
	for (size_t i = 0; i < TEXT_PATTERNS_MAX && event->pattern[i]; i++)
		row_add_pattern(row, event->pattern[i]);
}

struct text_layout *text_layout_new(void)
{
	struct text_layout *layout = xcalloc(1, sizeof(*layout));
	size_t count = 0;

	while (text_events[count].system)
		count++;
	layout->row = xcalloc(count, sizeof(*layout->row));
	map_init(&layout->word_by_hash);
	for (size_t i = 0; i < count; i++)
		layout_add_row(layout, &text_events[i]);
	for (size_t i = count; i-- > 0;)
		layout_link_row(layout, i);
	layout->format = xcalloc(count + TEXT_UNKNOWN_MAX + 1, sizeof(*layout->format));
	return layout;
}

struct text_layout *text_layout_free(struct text_layout *layout)
{
	if (!layout)
		return NULL;
	free(layout->row);
	free(layout->word);
	free(layout->format);
	map_release(&layout->word_by_hash);
	text_store_release(&layout->names);
	free(layout);
	return NULL;
}

/* Cuts the literal off the line's front. A blank in it matches one or more blanks. */
static bool take_literal(const struct text_piece *piece, struct text_line *line)
{
	for (size_t i = 0; i < piece->literal_bytes; i++) {
		if (line->at == line->end || *line->at != piece->literal[i])
			return false;
		line->at++;
		if (piece->literal[i] == ' ')
			line_skip_blanks(line);
	}
	return true;
}

static void put_u64(uint8_t *record, size_t offset, uint64_t value)
{
	memcpy(record + offset, &value, sizeof(value));
}

static void put_number(uint8_t *record, const struct text_field *field, uint64_t value)
{
	uint32_t low = (uint32_t)value;

	if (field->kind->bytes == sizeof(low))
		memcpy(record + field->offset, &low, sizeof(low));
	else
		put_u64(record, field->offset, value);
}

/* "1, 2, 3, 4, 5, 6" */
static bool take_arguments(struct text_fill *fill, const struct text_field *field,
                           struct text_line *line)
{
	uint64_t value;

	for (unsigned i = 0; i < ARGUMENTS; i++) {
		if ((i > 0 && !line_skip(line, ", ")) || !text_value_hex(line, &value))
			return false;
		put_u64(fill->bytes, field->offset + 8 * i, value);
	}
	return true;
}

static bool take_number(struct text_line *line, const struct text_field *field,
                        struct text_symbols *symbols, uint64_t *ret)
{
	bool is_taken;

	if (field->kind->take)
		return field->kind->take(line, ret);
	*ret = text_symbols_take(symbols, line, &is_taken);
	if (field->type == 'c' && *ret)
		*ret += TEXT_SYMBOL_INSIDE;
	return is_taken;
}

/* Whether the number fits into its field. Others come from damaged text, as the kernel printed the
   value from a field of that type. */
static bool number_fits(const struct text_type *kind, uint64_t value)
{
	if (kind->bytes == 8)
		return true;
	return kind->is_signed ? (int64_t)value == (int32_t)value : value <= UINT32_MAX;
}

/* The value of a field: "0x1 (1)" of options/fields; "1" of trace-cmd report -R, which prints
   some values as the event's own text does. */
static bool take_raw_number(struct text_line *line, const struct text_field *field,
                            struct text_symbols *symbols, uint64_t *ret)
{
	bool is_hex = line_begins(*line, "0x");
	struct text_line rest = *line;
	char type = field->type;

	if (!field->kind->take || (type == 'V' && text_value_device(&rest, ret)) ||
	    !(is_hex || type == 'x' ? text_value_hex(line, ret) : text_value_decimal(line, ret)))
		return take_number(line, field, symbols, ret);
	if (type == 'd' && is_hex)
		*ret = (uint64_t)(int64_t)(int32_t)*ret;
	if (type == 'S')
		*ret = text_value_raw_state(*ret);
	return true;
}

static bool take_fixed(struct text_fill *fill, const struct text_field *field,
                       struct text_line *line)
{
	uint64_t value;

	if (field->type == 'a')
		return take_arguments(fill, field, line);
	if (!(fill->is_raw ? take_raw_number(line, field, fill->symbols, &value)
	                   : take_number(line, field, fill->symbols, &value)) ||
	    !number_fits(field->kind, value))
		return false;
	put_number(fill->bytes, field, value);
	return true;
}

/* Type t: copies the text into the field. Types s and r: appends it to the record; s also stores
   its offset and length in the field, as __data_loc. The text ends with a NUL. */
static void put_text(struct text_fill *fill, const struct text_field *field,
                     struct text_line text)
{
	size_t length = line_length(text);

	if (field->type == 't') {
		if (length >= COMM_BYTES)
			length = COMM_BYTES - 1;
		memset(fill->bytes + field->offset, 0, COMM_BYTES);
		memcpy(fill->bytes + field->offset, text.at, length);
		return;
	}
	if (length > TEXT_RECORD_BYTES - fill->length - 1)
		length = TEXT_RECORD_BYTES - fill->length - 1;
	if (field->type == 's')
		put_number(fill->bytes, field, (length + 1) << 16 | fill->length);
	memcpy(fill->bytes + fill->length, text.at, length);
	fill->bytes[fill->length + length] = '\0';
	fill->length += length + 1;
}

static bool match_from(struct text_fill *fill, const struct text_pattern *pattern, size_t index,
                       struct text_line line);

/* Matches a text field. It ends at the first position from which the rest of the pattern fits. */
static bool match_text(struct text_fill *fill, const struct text_pattern *pattern, size_t index,
                       struct text_line line)
{
	const struct text_piece *piece = &pattern->piece[index];
	size_t reach = piece->field.kind->reach;
	struct text_line text = line;
	const char *last;

	if (index + 1 == pattern->count) {
		if (line_length(text) > reach)
			text.end = text.at + reach;
		if (piece->field.type != '*')
			put_text(fill, &piece->field, text);
		return true;
	}
	last = line_length(line) > reach ? line.at + reach : line.end;
	for (text.end = text.at; text.end <= last; text.end++) {
		if (text.end < line.end && *text.end != piece[1].literal[0])
			continue;
		if (!match_from(fill, pattern, index + 1, (struct text_line){text.end, line.end}))
			continue;
		if (piece->field.type != '*')
			put_text(fill, &piece->field, text);
		return true;
	}
	return false;
}

static bool match_from(struct text_fill *fill, const struct text_pattern *pattern, size_t index,
                       struct text_line line)
{
	for (; index < pattern->count; index++) {
		const struct text_piece *piece = &pattern->piece[index];

		if (!take_literal(piece, &line))
			return false;
		if (!piece->has_field)
			return true;
		if (piece->field.kind->reach > 0)
			return match_text(fill, pattern, index, line);
		if (!take_fixed(fill, &piece->field, &line))
			return false;
	}
	return line.at == line.end || *line.at == ' ';
}

/* Cuts off the name of an event. It is followed by a colon; the events of system calls may instead
   be printed as "sys_read(fd: 3)" and "sys_read -> 0x10". */
static bool take_word(struct text_line *line, struct text_line *ret)
{
	const char *at = line->at;

	while (at < line->end && char_is_name(*at))
		at++;
	*ret = (struct text_line){line->at, at};
	line->at = at;
	if (ret->at == ret->end || at == line->end)
		return false;
	if (*at == '(' || (line->end - at > 4 && memcmp(at, " -> ", 4) == 0))
		return true;
	if (*at != ':' || (at + 1 < line->end && at[1] != ' '))
		return false;
	line->at++;
	line_skip_blanks(line);
	/* libtraceevent prints fields as NAME=VALUE after these words if it does not understand the
	   "print fmt" of an event. It does not understand that of hrtimers before Linux 4.10. */
	(void)line_skip(line, "[FAILED TO PARSE] ");
	return true;
}

bool text_line_is_event(struct text_line rest)
{
	struct text_line word;

	return take_word(&rest, &word);
}

/* Names without an underscore are words of other texts, too. */
static bool is_known_name(struct text_line name)
{
	if (!memchr(name.at, '_', line_length(name)))
		return false;
	for (const struct text_event *event = text_events; event->system; event++)
		if (word_is(name, event->name))
			return true;
	return line_begins(name, "tracing_mark_write");
}

bool text_line_find_event(struct text_line line, struct text_line *ret_name)
{
	for (const char *at = line.at;
	     at < line.end && (at = memchr(at, ':', (size_t)(line.end - at))); at++) {
		struct text_line name = {at, at};

		while (name.at > line.at && char_is_name(name.at[-1]))
			name.at--;
		if (at + 1 == line.end || at[1] != ' ' ||
		    (name.at > line.at && name.at[-1] != ' ' && name.at[-1] != ':') ||
		    !is_known_name(name))
			continue;
		*ret_name = name;
		return true;
	}
	return false;
}

static uint16_t layout_unknown(struct text_layout *layout, struct text_word *word)
{
	if (word->id == 0)
		word->id = (uint16_t)(FIRST_ID + layout->row_count + layout->unknown_count++);
	word->lines++;
	layout->is_seen[word->id] = true;
	return word->id;
}

static void record_begin(uint8_t *record, uint16_t id, const struct text_head *head)
{
	memcpy(record, &id, sizeof(id));
	record[2] = head->flags;
	record[3] = head->preempt_count;
	memcpy(record + 4, &head->tid, sizeof(head->tid));
}

/* Cuts " NAME" off the line's front, and returns the value behind its "=", up to the next such
   name. */
static bool take_named(struct text_line *line, struct text_line *ret_name,
                       struct text_line *ret_value)
{
	const char *equals = memchr(line->at, '=', line_length(*line)), *next, *end = line->end;

	if (!equals)
		return false;
	*ret_name = (struct text_line){equals, equals};
	while (ret_name->at > line->at && char_is_name(ret_name->at[-1]))
		ret_name->at--;
	next = memchr(equals + 1, '=', (size_t)(line->end - equals) - 1);
	if (next) {
		for (end = next; end > equals + 1 && char_is_name(end[-1]);)
			end--;
		next = end;
		while (end > equals + 1 && end[-1] == ' ')
			end--;
	}
	*ret_value = (struct text_line){equals + 1, end};
	line->at = next ? next : line->end;
	return true;
}

static void fill_begin(struct text_fill *fill, const struct text_row *row)
{
	memset(fill->bytes, 0, row->bytes);
	fill->length = row->bytes;
}

/* Whether the fields of some pattern are among those of the mask. */
static bool row_is_whole(const struct text_row *row, unsigned fields)
{
	for (size_t i = 0; i < row->pattern_count; i++)
		if ((row->pattern[i].fields & ~fields) == 0)
			return true;
	return false;
}

/* Fills the record from "name=value". False: too few values can be read. */
static bool row_fill_named(const struct text_row *row, struct text_line line,
                           struct text_fill *fill)
{
	struct text_line name, value;
	unsigned found = 0;

	fill_begin(fill, row);
	while (take_named(&line, &name, &value))
		for (size_t i = 0; i < row->field_count; i++) {
			const struct text_field *field = &row->field[i];

			if (line_length(name) != field->name_bytes ||
			    memcmp(name.at, field->name, field->name_bytes) != 0)
				continue;
			if (field->kind->reach > 0)
				put_text(fill, field, value);
			else if (!take_fixed(fill, field, &value) ||
			         (value.at < value.end && *value.at != ' '))
				continue;
			found |= 1u << i;
		}
	return found && row_is_whole(row, found);
}

/* Fills the record by the first pattern that fits the line. Returns its id; 0: no pattern fits. */
static uint16_t layout_fill(struct text_layout *layout, const struct text_word *word,
                            struct text_line line, struct text_fill *fill)
{
	for (uint32_t at = word->row; at; at = layout->row[at - 1].next) {
		const struct text_row *row = &layout->row[at - 1];

		for (size_t i = 0; i < row->pattern_count; i++) {
			fill_begin(fill, row);
			if (match_from(fill, &row->pattern[i], 0, line))
				return row->id;
		}
	}
	fill->is_raw = true;
	if (row_fill_named(&layout->row[word->row - 1], line, fill))
		return layout->row[word->row - 1].id;
	fill->length = HEAD_BYTES;
	return 0;
}

size_t text_layout_find(const struct text_layout *layout, struct text_line name)
{
	for (size_t i = 0; i < layout->row_count; i++)
		if (word_is(name, layout->row[i].event->name))
			return i;
	return SIZE_MAX;
}

/* Fills the record of a system call that the text names. */
static uint16_t layout_fill_call(struct text_layout *layout, const struct text_word *word,
                                 struct text_line name, struct text_line line,
                                 struct text_fill *fill)
{
	struct text_call call;
	const struct text_row *row;

	text_call_parse(name, line, &call);
	row = &layout->row[text_layout_find(
		layout, line_of(call.is_enter ? "sys_enter" : "sys_exit"))];
	fill_begin(fill, row);
	put_u64(fill->bytes, row->field[0].offset, (uint64_t)word->call);
	memcpy(fill->bytes + row->field[1].offset, call.argument,
	       call.is_enter ? sizeof(call.argument) : sizeof(call.argument[0]));
	layout->has_calls = true;
	return row->id;
}

bool text_layout_read(struct text_layout *layout, const struct text_head *head,
                      struct text_symbols *symbols, const uint8_t **ret_record,
                      size_t *ret_bytes)
{
	struct text_fill fill = {layout->record.bytes, HEAD_BYTES, symbols, false};
	struct text_line line = head->rest, name;
	struct text_word *word;
	uint16_t id = 0;

	if (!take_word(&line, &name))
		return false;
	word = layout_word(layout, name.at, line_length(name));
	if (word && word->row)
		id = layout_fill(layout, word, line, &fill);
	else if (word && word->call >= 0 && !layout->has_numbers)
		id = layout_fill_call(layout, word, name, line, &fill);
	else if (word)
		id = layout_unknown(layout, word);
	if (id)
		layout->is_seen[id] = true;
	layout->has_numbers |= id && (word_is(name, "sys_enter") || word_is(name, "sys_exit"));
	record_begin(fill.bytes, id ? id : TEXT_ID_UNREAD, head);
	*ret_record = fill.bytes;
	*ret_bytes = fill.length;
	return true;
}

void text_layout_add_flags(uint8_t *record, uint8_t flags)
{
	record[2] |= flags;
}

bool text_layout_is_unread(const uint8_t *record)
{
	uint16_t id;

	memcpy(&id, record, sizeof(id));
	return id == TEXT_ID_UNREAD;
}

bool text_layout_follow(struct text_layout *layout, struct text_head *head, int32_t *ret_next)
{
	const struct text_row *row = &layout->row[0];
	uint8_t *record = layout->record.bytes;
	uint16_t id;

	assert(strcmp(row->event->name, "sched_switch") == 0);
	memcpy(&id, record, sizeof(id));
	if (id != row->id)
		return false;
	memcpy(ret_next, record + row_field(row, "next_pid", 8)->offset, sizeof(*ret_next));
	if (head->tid < 0) {
		memcpy(&head->tid, record + row_field(row, "prev_pid", 8)->offset,
		       sizeof(head->tid));
		memcpy(record + 4, &head->tid, sizeof(head->tid));
	}
	return true;
}

bool text_field_is_text(const struct text_field *field)
{
	return field->kind->reach > 0;
}

const struct text_field *text_layout_field(const struct text_layout *layout, size_t row,
                                           struct text_line name)
{
	return row_field(&layout->row[row], name.at, line_length(name));
}

void text_layout_begin(struct text_layout *layout, size_t row, const struct text_head *head)
{
	const struct text_row *of = &layout->row[row];

	memset(layout->record.bytes, 0, of->bytes + 1u);
	layout->length = of->bytes;
	layout->is_seen[of->id] = true;
	record_begin(layout->record.bytes, of->id, head);
}

void text_layout_put(struct text_layout *layout, const struct text_field *field, uint64_t value)
{
	if (field->type != 'a')
		put_number(layout->record.bytes, field, value);
}

void text_layout_put_argument(struct text_layout *layout, const struct text_field *field,
                              unsigned index, uint64_t value)
{
	assert(field->type == 'a');
	if (index < ARGUMENTS)
		put_u64(layout->record.bytes, field->offset + 8 * index, value);
}

void text_layout_put_text(struct text_layout *layout, const struct text_field *field,
                          struct text_line text)
{
	struct text_fill fill = {.bytes = layout->record.bytes, .length = layout->length};

	if (line_length(text) > TEXT_BYTES_MAX)
		text.end = text.at + TEXT_BYTES_MAX;
	if (fill.length + 1 < TEXT_RECORD_BYTES)
		put_text(&fill, field, text);
	layout->length = fill.length;
}

void text_layout_end(struct text_layout *layout, const uint8_t **ret_record, size_t *ret_bytes)
{
	*ret_record = layout->record.bytes;
	*ret_bytes = layout->length;
}

void text_layout_stack(struct text_layout *layout, const struct text_head *head,
                       const uint64_t *frames, size_t count, const uint8_t **ret_record,
                       size_t *ret_bytes)
{
	uint8_t *record = layout->record.bytes;
	uint32_t size = (uint32_t)count;

	assert(count <= TEXT_STACK_FRAMES);
	record_begin(record, STACK_ID, head);
	memset(record + HEAD_BYTES, 0, 8);
	memcpy(record + HEAD_BYTES, &size, sizeof(size));
	memcpy(record + HEAD_BYTES + 8, frames, count * sizeof(*frames));
	layout->is_seen[STACK_ID] = true;
	*ret_record = record;
	*ret_bytes = HEAD_BYTES + 8 + count * sizeof(*frames);
}

static void format_begin(struct buffer *to, const char *name, unsigned id)
{
	buffer_clear(to);
	buffer_printf(to, "name: %s\nID: %u\nformat:\n"
	              "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	              "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	              "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;"
	              "\tsigned:0;\n"
	              "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n", name, id);
}

static void format_add_field(struct buffer *to, const struct text_field *field)
{
	buffer_printf(to, "\tfield:%s %.*s%s;\toffset:%u;\tsize:%u;\tsigned:%d;\n",
	              field->kind->declaration, (int)field->name_bytes, field->name,
	              field->kind->suffix, (unsigned)field->offset,
	              (unsigned)field->kind->bytes, field->kind->is_signed);
}

static void format_end(struct text_layout *layout, struct text_store *store, struct buffer *text,
                       const char *system, const char *print_format)
{
	buffer_printf(text, "\nprint fmt: %s\n", print_format ? print_format : "\"\"");
	layout->format[layout->format_count++] = (struct format_text){
		.system = system,
		.text = text_store_add(store, text->text, text->length),
		.length = text->length,
	};
}

/* Whether the event was seen, and its format is still missing: that is then added. */
static bool layout_describes(struct text_layout *layout, uint16_t id)
{
	bool is_new = layout->is_seen[id] && !layout->is_described[id];

	layout->is_described[id] |= is_new;
	return is_new;
}

void text_layout_add_formats(struct text_layout *layout, struct text_store *store,
                             struct source *source)
{
	_cleanup_(buffer_release) struct buffer text = {0};

	for (size_t k = 0; k < layout->row_count; k++) {
		const struct text_row *row = &layout->row[k];

		if (!layout_describes(layout, row->id))
			continue;
		format_begin(&text, row->event->name, row->id);
		for (size_t i = 0; i < row->field_count; i++)
			format_add_field(&text, &row->field[i]);
		format_end(layout, store, &text, row->event->system, row->event->print_format);
	}
	for (size_t i = 0; i < layout->word_count; i++)
		if (layout_describes(layout, layout->word[i].id)) {
			format_begin(&text, layout->word[i].name, layout->word[i].id);
			format_end(layout, store, &text, "text", NULL);
		}
	if (layout_describes(layout, STACK_ID)) {
		format_begin(&text, "kernel_stack", STACK_ID);
		buffer_puts(&text, "\tfield:int size;\toffset:8;\tsize:4;\tsigned:1;\n"
		                   "\tfield:unsigned long caller[];\toffset:16;\tsize:0;"
		                   "\tsigned:0;\n");
		format_end(layout, store, &text, "ftrace", NULL);
	}
	source->formats = layout->format;
	source->format_count = layout->format_count;
}

bool text_layout_has_named_calls(const struct text_layout *layout)
{
	return layout->has_calls && !layout->has_numbers;
}

bool text_layout_describe_unknown(const struct text_layout *layout, const char *what,
                                  const char *lines, struct buffer *to)
{
	uint64_t count = 0;
	size_t named = 0;

	for (size_t i = 0; i < layout->word_count; i++)
		count += layout->word[i].lines;
	if (count == 0)
		return false;
	buffer_printf(to, "ftwait does not read these events, or not from %s: ", what);
	for (size_t i = 0; i < layout->word_count; i++) {
		if (!layout->word[i].id)
			continue;
		if (named == NAMES_SHOWN) {
			buffer_printf(to, " and %zu more", layout->unknown_count - named);
			break;
		}
		buffer_puts(to, named++ ? ", " : "");
		buffer_puts(to, layout->word[i].name);
	}
	buffer_printf(to, " (%s: %llu)", lines, (unsigned long long)count);
	return true;
}
