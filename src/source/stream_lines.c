/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stream_lines.h"

#include <inttypes.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/utf8.h"
#include "ftwait/realtime.h"

#define TEXT_MAX 4096

/* A word as a string of the store; NULL if it is "-", too long, or there is no room. */
static const char *take_word(struct text_store *texts, struct text_line word)
{
	return word_is(word, "-") ? NULL : text_store_line(texts, word, TEXT_MAX);
}

/* "PROCESS,...": the owner is the only one. "0": there are none; "-": not known. */
static void take_holders(struct open_wait *wait, struct text_line word)
{
	wait->has_no_holder = word_is(word, "0");
	while (word.at < word.end && wait->holder_count < OPEN_WAIT_HOLDERS_MAX) {
		int32_t tid = word_tid(line_part(&word, ','));

		if (tid > 0)
			wait->holder[wait->holder_count++] = tid;
	}
	wait->owner = wait->holder_count == 1 ? wait->holder[0] : 0;
}

/* How the owner of a futex is known, or what the futex is instead of a lock. */
static void take_how(struct open_wait *wait, struct text_line line)
{
	static const struct {
		const char *word;
		enum open_wait_kind kind;
	} rows[] = {
		{"thread", OPEN_WAIT_THREAD}, {"ended", OPEN_WAIT_LEFT}, {"left", OPEN_WAIT_LEFT},
		{"condition", OPEN_WAIT_CONDITION}, {"semaphore", OPEN_WAIT_SEMAPHORE},
		{"barrier", OPEN_WAIT_BARRIER},
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (word_is(line, rows[i].word))
			wait->kind = (uint8_t)rows[i].kind;
	/* a thread of the process from which this one was forked, or a new one of that number */
	if (word_is(line, "left"))
		wait->owner = wait->holder_count = 0;
}

static uint64_t take_inode(struct text_line word)
{
	int64_t inode = word_number(word, INT64_MAX);

	return inode > 0 ? (uint64_t)inode : 0;
}

static void take_fact(struct open_wait *wait, struct text_line word)
{
	if (word_is(word, "full"))
		wait->fact = OPEN_WAIT_FACT_FULL;
	else if (word_is(word, "waiting"))
		wait->fact = OPEN_WAIT_FACT_WAITING;
	else if (word_is(word, "served"))
		wait->fact = OPEN_WAIT_FACT_SERVED;
	else
		wait->address = take_inode(word);
}

/* What follows the word of a kind: a letter for each column. */
static const struct wait_row {
	const char *word;
	enum open_wait_kind kind;
	const char *columns;
} wait_rows[] = {
	{"futex", OPEN_WAIT_FUTEX, "aow"}, {"flock", OPEN_WAIT_FLOCK, "dihp"},
	{"posix", OPEN_WAIT_POSIX, "dihp"}, {"lease", OPEN_WAIT_LEASE, "dihp"},
	{"pipe", OPEN_WAIT_PIPE, "ihp"}, {"child", OPEN_WAIT_CHILD, "o"},
	{"file", OPEN_WAIT_FILE, "p"}, {"mount", OPEN_WAIT_MOUNT, "tp"},
	{"tty", OPEN_WAIT_TERMINAL, "hp"}, {"socket", OPEN_WAIT_SOCKET, "tfhp"},
};

/* False: the column makes no sense, and nor does what follows. */
static bool take_column(struct text_store *texts, struct open_wait *wait, char column,
                        struct text_line *line)
{
	switch (column) {
	case 'a': /* address of a futex */
		return word_hex(line_word(line), &wait->address);
	case 'd':
		wait->dev = word_device(line_word(line));
		break;
	case 'i':
		wait->address = take_inode(line_word(line));
		break;
	case 'h':
		take_holders(wait, line_word(line));
		break;
	case 'o': /* the owner; 0: not known */
		take_holders(wait, line_word(line));
		wait->has_no_holder = false;
		break;
	case 't':
		wait->type = take_word(texts, line_word(line));
		break;
	case 'f':
		take_fact(wait, line_word(line));
		break;
	case 'w':
		take_how(wait, *line);
		break;
	case 'p':
	default:
		wait->path = take_word(texts, *line);
		break;
	}
	return true;
}

/* "[tried] KIND ...": the rest of the line depends on the kind. */
static void take_wait_object(struct text_store *texts, struct open_wait *wait,
                             struct text_line line)
{
	struct text_line word = line_word(&line);

	wait->is_tried = word_is(word, "tried");
	if (wait->is_tried)
		word = line_word(&line);
	for (size_t i = 0; i < ARRAY_SIZE(wait_rows); i++) {
		const char *column = wait_rows[i].columns;

		if (!word_is(word, wait_rows[i].word))
			continue;
		wait->kind = (uint8_t)wait_rows[i].kind;
		while (*column && take_column(texts, wait, *column, &line))
			column++;
	}
}

bool open_wait_line_read(struct text_line line, struct text_store *texts, struct open_wait *ret)
{
	int32_t tid = word_tid(line_word(&line));
	int64_t since = word_number(line_word(&line), INT64_MAX);
	int64_t seen = word_number(line_word(&line), INT64_MAX);
	struct text_line state = line_word(&line);

	if (tid <= 0 || since < 0 || seen < since || line_length(state) != 1)
		return false;
	*ret = (struct open_wait){
		.tid = tid,
		.since = (nsec_t)since,
		.seen = (nsec_t)seen,
		.state = *state.at,
	};
	ret->call = take_word(texts, line_word(&line));
	ret->place = take_word(texts, line_word(&line));
	take_wait_object(texts, ret, line);
	return true;
}

/* Appends the text as a rest of a line, at most `most` bytes of it. */
static void rest_put(struct buffer *to, const char *text, size_t most)
{
	_cleanup_(buffer_release) struct buffer clean = buffer_of(BUFFER_LIMIT_DEFAULT);

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

/* "AT SINCE TID CONDITION" */
static void take_trigger(struct trigger_note *note, struct text_store *text, struct text_line line)
{
	int64_t at = word_number(line_word(&line), REALTIME_MAX);
	int64_t since = word_number(line_word(&line), REALTIME_MAX);
	int32_t tid = word_tid(line_word(&line));

	if (note->condition || since < 0 || at < since || tid < 0)
		return;
	note->condition = text_store_line(text, line, TRIGGER_CONDITION_MAX);
	if (!note->condition)
		return;
	note->at = (nsec_t)at;
	note->since = (nsec_t)since;
	note->tid = tid;
}

/* "KIND [NAME]" */
static void take_aim(struct trigger_note *note, struct text_store *text, struct text_line line)
{
	struct text_line word = line_word(&line);
	char kind[16] = "";

	if (note->aim != AIM_NONE || line_length(word) >= sizeof(kind))
		return;
	memcpy(kind, word.at, line_length(word));
	note->aim = aim_kind_from_name(kind);
	if (note->aim != AIM_NONE)
		note->aim_name = text_store_line(text, line, TRIGGER_TEXT_MAX);
}

bool trigger_line_take(struct trigger_note *note, struct text_store *text, struct text_line word,
                       struct text_line line)
{
	bool is_text = word_is(word, "triggered");

	if (word_is(word, "trigger"))
		take_trigger(note, text, line);
	else if (word_is(word, "triggered-for"))
		take_aim(note, text, line);
	else if (is_text && !note->text)
		note->text = text_store_line(text, line, TRIGGER_TEXT_MAX);
	else
		return is_text;
	return true;
}
