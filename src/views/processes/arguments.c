/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arguments.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/xalloc.h"
#include "words/command_line.h"

#define LINE_COLUMNS 60
#define CUT          "..."

static const struct column word_columns[] = {
	{NULL, NULL, CELL_TEXT, 0},
};

static size_t words_count(const char *text)
{
	size_t count = *text != '\0';

	for (; *text; text++)
		count += *text == ' ';
	return count;
}

void arguments_read(struct arguments *arguments, const char *text)
{
	_cleanup_(buffer_release) struct buffer word = {0};
	size_t count = words_count(text), at = 0;
	bool is_cut;

	*arguments = (struct arguments){0};
	if (count == 0)
		return;
	arguments->cell = xcalloc(count, sizeof(*arguments->cell));
	arguments->bytes = xmalloc(strlen(text) + 1); /* no word is longer than its text */
	buffer_init(&word, COMMAND_LINE_TEXT_MAX);
	while (command_line_next(&text, &word, &is_cut)) {
		if (is_cut)
			buffer_puts(&word, CUT);
		memcpy(arguments->bytes + at, word.text, word.length + 1);
		arguments->cell[arguments->count++] = (struct cell){
			.type = CELL_TEXT,
			.text = arguments->bytes + at,
		};
		at += word.length + 1;
	}
}

void arguments_release(struct arguments *arguments)
{
	free(arguments->cell);
	free(arguments->bytes);
}

struct cell arguments_cell(const struct arguments *arguments)
{
	if (arguments->count == 0)
		return (struct cell){.type = CELL_EMPTY};
	return (struct cell){
		.type = CELL_ROWS,
		.rows = {word_columns, 1, arguments->cell, arguments->count},
	};
}

void arguments_append(struct buffer *to, const char *text)
{
	_cleanup_(buffer_release) struct buffer line = {0};

	buffer_init(&line, BUFFER_LIMIT_DEFAULT);
	command_line_append(&line, text);
	buffer_cut_columns(&line, LINE_COLUMNS, CUT);
	buffer_append(to, line.text, line.length);
}
