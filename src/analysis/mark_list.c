/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "mark_list.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/tables/relation.h"
#include "base/data/array.h"
#include "base/text/utf8.h"

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
	ARRAY_ADD(list->mark, list->count, list->capacity) = (struct mark){
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
	if (mark->track != TRACK_NONE)
		return question_asks_track(question, mark->track);
	return question->resolved && !question->resolved->is_targeted &&
	       !question_has_filter(question);
}

#define AT(member) RELATION_AT(struct mark, member)

enum {COLUMN_TEXT = 2, COLUMN_SHORT};

static const struct field fields[] = {
	{"at_ns", "AT", CELL_INSTANT, COLUMN_USEFUL(1), AT(at)},
	{"task", "TASK", CELL_TASK, 0, AT(track)},
	[COLUMN_TEXT] = {"text", NULL, CELL_TEXT, 0, FILLED},
	[COLUMN_SHORT] = {NULL, "MARK", CELL_TEXT, 0, FILLED},
};

static void mark_fill(const void *of_list, const void *of, struct cell *cell, struct buffer *text)
{
	const struct mark_list *list = of_list;
	const char *whole = intern_text(&list->texts, ((const struct mark *)of)->text);
	size_t length = strlen(whole), shown = SHOWN_BYTES_MAX;

	cell[COLUMN_TEXT].text = whole;
	/* a long one is cut between two characters of UTF-8 */
	while (length > SHOWN_BYTES_MAX && shown && utf8_is_continuation(whole[shown]))
		shown--;
	buffer_append(&text[COLUMN_SHORT], whole, length > SHOWN_BYTES_MAX ? shown : length);
	buffer_puts(&text[COLUMN_SHORT], length > SHOWN_BYTES_MAX ? "..." : "");
}

static bool mark_is_shown(const void *list, const void *mark)
{
	return mark_list_asks(list, mark);
}

void mark_list_report(const struct mark_list *list, const struct output *to)
{
	/* few programs write marks, so the screen shows the table only if there are any */
	const struct relation_form form = {
		"marks", list->count ? "Marks (trace_marker)" : NULL, FIELDS(fields),
.next = "--critical-path={task} --from {from:at_ns} --to {to:at_ns}",
		.task_time = {AT(at)}, .is_shown = mark_is_shown, .fill = mark_fill,
		.flags = list->count ? 0 : COLUMN_DATA_ONLY,
	};
	struct tally marks = relation_of(list->mark, sizeof(*list->mark), list->count);

	if (list->left_out)
		health_doubt(list->question->health,
		             "more than %u marks, or %u MiB of their text: the last %" PRIu64
		             " are left out",
		             MARKS_MAX, MARK_TEXTS_BYTES_MAX >> 20, list->left_out);
	relation_put(&marks, &form, list, list->question, to);
}
