/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trigger_line.h"

#include <inttypes.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text/utf8.h"
#include "ftwait/realtime.h"

/* Appends the text as a rest of a line, at most `most` bytes of it. */
static void rest_put(struct buffer *to, const char *text, size_t most)
{
	_cleanup_(buffer_release) struct buffer clean = {0};

	buffer_init(&clean, BUFFER_LIMIT_DEFAULT);
	buffer_puts_clean(&clean, text, strlen(text));
	if (clean.length > most) {
		while (most > 0 && utf8_is_continuation(clean.text[most]))
			most--;
		buffer_truncate(&clean, most);
	}
	buffer_putc(to, ' ');
	buffer_append(to, clean.text, clean.length);
	buffer_putc(to, '\n');
}

void trigger_note_put(const struct trigger_note *note, struct buffer *to)
{
	buffer_printf(to, "trigger %" PRIu64 " %" PRIu64 " %" PRId32, note->at, note->since,
	              note->tid > 0 ? note->tid : 0);
	rest_put(to, note->condition, TRIGGER_CONDITION_MAX);
	if (note->text && *note->text) {
		buffer_puts(to, "triggered");
		rest_put(to, note->text, TRIGGER_TEXT_MAX);
	}
	if (note->aim == AIM_NONE)
		return;
	buffer_printf(to, "triggered-for %s", aim_kind_name(note->aim));
	if (note->aim_name)
		rest_put(to, note->aim_name, TRIGGER_TEXT_MAX);
	else
		buffer_putc(to, '\n');
}

/* The line as a string; NULL if it is empty, too long, or there is no room. */
static const char *rest_take(struct text_store *text, struct text_line line, size_t most)
{
	size_t length = line_length(line);

	if (length == 0 || length > most || !text_store_has_room(text, length + 1))
		return NULL;
	return text_store_add(text, line.at, length);
}

/* "AT SINCE TID CONDITION" */
void trigger_line_take(struct trigger_note *note, struct text_store *text, struct text_line line)
{
	int64_t at = word_number(line_word(&line), REALTIME_MAX);
	int64_t since = word_number(line_word(&line), REALTIME_MAX);
	int64_t tid = word_number(line_word(&line), INT32_MAX);

	if (note->condition || since < 0 || at < since || tid < 0)
		return;
	note->condition = rest_take(text, line, TRIGGER_CONDITION_MAX);
	if (!note->condition)
		return;
	note->at = (nsec_t)at;
	note->since = (nsec_t)since;
	note->tid = (int32_t)tid;
}

void trigger_text_take(struct trigger_note *note, struct text_store *text, struct text_line line)
{
	if (!note->text)
		note->text = rest_take(text, line, TRIGGER_TEXT_MAX);
}

/* "KIND [NAME]" */
void trigger_aim_take(struct trigger_note *note, struct text_store *text, struct text_line line)
{
	struct text_line word = line_word(&line);
	char kind[16] = "";

	if (note->aim != AIM_NONE || line_length(word) >= sizeof(kind))
		return;
	memcpy(kind, word.at, line_length(word));
	note->aim = aim_kind_from_name(kind);
	if (note->aim != AIM_NONE)
		note->aim_name = rest_take(text, line, TRIGGER_TEXT_MAX);
}
