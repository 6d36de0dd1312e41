/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "text_symbols.h"

#include <inttypes.h>
#include <string.h>

#define ADDRESS_FIRST UINT64_C(0xffffffff81000000)
#define ADDRESS_STEP  16u
#define NAME_BYTES_MAX 127
#define ROW_BYTES      (16 + 3 + NAME_BYTES_MAX + 1)

void text_symbols_init(struct text_symbols *symbols)
{
	intern_init(&symbols->names);
	buffer_init(&symbols->table, TEXT_SYMBOLS_MAX * (size_t)ROW_BYTES);
}

void text_symbols_release(struct text_symbols *symbols)
{
	intern_release(&symbols->names);
	buffer_release(&symbols->table);
}

static bool is_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || c == '.' || c == '$';
}

/* "+0x1c/0x80"; "/0x0", as trace-cmd prints a first address; " [module]" */
static void skip_place(struct text_line *line)
{
	const char *at = line->at;

	if (at < line->end && (*at == '+' || *at == '/'))
		while (at < line->end && *at != ' ' && *at != ',' && *at != ')')
			at++;
	if (line->end - at > 2 && at[0] == ' ' && at[1] == '[') {
		const char *close = memchr(at, ']', (size_t)(line->end - at));

		if (close)
			at = close + 1;
	}
	line->at = at;
}

uint64_t text_symbols_take(struct text_symbols *symbols, struct text_line *line,
                           bool *ret_is_taken)
{
	struct text_line word = {line->at, line->at};
	struct text_line digits;
	uint64_t number;
	size_t known;
	uint32_t id;

	while (word.end < line->end && is_name(*word.end))
		word.end++;
	*ret_is_taken = word.end > word.at && line_length(word) <= NAME_BYTES_MAX;
	if (!*ret_is_taken)
		return 0;
	line->at = word.end;
	digits = word;
	if (line_length(word) > 2 && word.at[0] == '0' && word.at[1] == 'x')
		digits.at += 2;
	if ((digits.at > word.at || line_length(word) == 16) && word_hex(digits, &number))
		return number;
	skip_place(line);
	known = symbols->names.count;
	if (known >= TEXT_SYMBOLS_MAX)
		return 0;
	id = intern_add(&symbols->names, word.at, line_length(word));
	number = ADDRESS_FIRST + (uint64_t)id * ADDRESS_STEP;
	if (symbols->names.count > known)
		buffer_printf(&symbols->table, "%016" PRIx64 " t %s\n", number,
		              intern_text(&symbols->names, id));
	return number;
}

const char *text_symbols_find(const struct text_symbols *symbols, uint64_t address,
                              uint64_t *ret_begin)
{
	uint64_t id = (address - ADDRESS_FIRST) / ADDRESS_STEP;

	if (address < ADDRESS_FIRST || id <= INTERN_OVERFLOW || id >= symbols->names.count)
		return NULL;
	*ret_begin = ADDRESS_FIRST + id * ADDRESS_STEP;
	return intern_text(&symbols->names, (uint32_t)id);
}

int64_t text_symbols_read(const struct text_symbols *symbols, uint64_t offset, char *to,
                          size_t size)
{
	if (offset >= symbols->table.length)
		return 0;
	if (size > symbols->table.length - offset)
		size = symbols->table.length - (size_t)offset;
	memcpy(to, symbols->table.text + offset, size);
	return (int64_t)size;
}
