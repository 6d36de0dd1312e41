/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "mark_list.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/data/array.h"
#include "base/text/utf8.h"
#include "analysis/tables/cells.h"

/* Maximal length of a text in a table on a screen. */
#define SHOWN_BYTES_MAX 200

void mark_list_init(struct mark_list *list, const struct question *question)
{
	*list = (struct mark_list){.question = question};
	intern_init(&list->texts);
}

void mark_list_release(struct mark_list *list)
{
	intern_release(&list->texts);
	free(list->mark);
}

void mark_list_add(struct mark_list *list, const struct interval *interval)
{
	const struct text *text = &interval->mark.text;
	size_t length = text->length < MARK_BYTES_MAX ? text->length : MARK_BYTES_MAX;
	size_t known = list->texts.count;

	if (list->count == MARKS_MAX || list->text_bytes >= MARK_TEXTS_BYTES_MAX) {
		list->left_out++;
		return;
	}
	ARRAY_GROW(list->mark, list->count, list->capacity);
	list->mark[list->count++] = (struct mark){
		.at = interval->begin,
		.track = interval->task,
		.text = intern_add(&list->texts, text->at, length),
	};
	if (list->texts.count != known)
		list->text_bytes += length;
}

bool mark_list_asks(const struct mark_list *list, const struct mark *mark)
{
	const struct question *question = list->question;

	if (!question_contains(question, mark->at))
		return false;
	return mark->track == TRACK_NONE
	               ? !question_has_filter(question) && !question->resolved->is_targeted
	               : question->resolved->is_asked[mark->track];
}

enum mark_column {
	COLUMN_AT,
	COLUMN_TASK,
	COLUMN_TEXT,
	COLUMNS,
};

static const struct column columns[2][COLUMNS] = {
	{
		[COLUMN_AT] = {"at_ns", NULL, CELL_INSTANT, COLUMN_DATA_ONLY},
		[COLUMN_TASK] = {"task", NULL, CELL_TASK, COLUMN_DATA_ONLY},
		[COLUMN_TEXT] = {"text", NULL, CELL_TEXT, COLUMN_DATA_ONLY},
	},
	{
		[COLUMN_AT] = {NULL, "AT", CELL_INSTANT, COLUMN_TEXT_ONLY | COLUMN_USEFUL(1)},
		[COLUMN_TASK] = {NULL, "TASK", CELL_TASK, COLUMN_TEXT_ONLY},
		[COLUMN_TEXT] = {NULL, "MARK", CELL_TEXT, COLUMN_TEXT_ONLY},
	},
};

/* Cuts a long text between two characters of UTF-8. */
static const char *text_shorten(const char *text, char *to)
{
	size_t length = SHOWN_BYTES_MAX;

	if (strlen(text) <= SHOWN_BYTES_MAX)
		return text;
	while (length && utf8_is_continuation(text[length]))
		length--;
	memcpy(to, text, length);
	memcpy(to + length, "...", sizeof("..."));
	return to;
}

static void mark_row(const struct mark_list *list, const struct mark *mark, bool is_text,
                     const struct output *to)
{
	const char *text = intern_text(&list->texts, mark->text);
	char shown[SHOWN_BYTES_MAX + sizeof("...")];
	struct cell cell[COLUMNS];

	cell[COLUMN_AT] = (struct cell){.type = CELL_INSTANT, .time = mark->at};
	cell[COLUMN_TASK] = cell_of_task_at(list->question->timeline, mark->track, mark->at);
	cell[COLUMN_TEXT] = (struct cell){
		.type = CELL_TEXT,
		.text = is_text ? text_shorten(text, shown) : text,
	};
	output_row(to, cell);
}

void mark_list_report(const struct mark_list *list, const struct output *to)
{
	if (list->left_out)
		health_doubt(list->question->health,
		             "more than %u marks, or %u MiB of their text: the last %" PRIu64
		             " are left out",
		             MARKS_MAX, MARK_TEXTS_BYTES_MAX >> 20, list->left_out);
	/* few programs write marks, so the screen shows the table only if there are any */
	for (size_t is_text = 0; is_text < ARRAY_SIZE(columns) - !list->count; is_text++) {
		output_table_begin(to, is_text ? NULL : "marks",
		                   is_text ? "Marks (trace_marker)" : NULL, columns[is_text],
		                   COLUMNS, /* is_single= */ false);
		for (size_t i = 0; i < list->count; i++)
			if (mark_list_asks(list, &list->mark[i]))
				mark_row(list, &list->mark[i], is_text, to);
		output_table_end(to);
	}
}
