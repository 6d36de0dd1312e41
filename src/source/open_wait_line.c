/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "open_wait_line.h"

#include <string.h>

#include "base/data/array.h"

#define TEXT_MAX 4096

static int32_t word_tid(struct text_line word)
{
	return (int32_t)word_number(word, INT32_MAX);
}

/* A word as a string of the store; NULL if it is "-", too long, or there is no room. */
static const char *take_word(struct text_store *texts, struct text_line word)
{
	size_t length = line_length(word);

	if (length == 0 || length > TEXT_MAX || word_is(word, "-") ||
	    !text_store_has_room(texts, length + 1))
		return NULL;
	return text_store_add(texts, word.at, length);
}

/* "PROCESS,...": the owner is the only one. "0": there are none; "-": not known. */
static void take_holders(struct open_wait *wait, struct text_line word)
{
	wait->has_no_holder = word_is(word, "0");
	while (word.at < word.end && wait->holder_count < OPEN_WAIT_HOLDERS_MAX) {
		const char *comma = memchr(word.at, ',', line_length(word));
		struct text_line one = {word.at, comma ? comma : word.end};
		int32_t tid = word_tid(one);

		if (tid > 0)
			wait->holder[wait->holder_count++] = tid;
		word.at = comma ? comma + 1 : word.end;
	}
	wait->owner = wait->holder_count == 1 ? wait->holder[0] : 0;
}

/* "ADDRESS OWNER HOW"; OWNER 0: not known */
static void take_futex(struct open_wait *wait, struct text_line line)
{
	if (!word_hex(line_word(&line), &wait->address))
		return;
	take_holders(wait, line_word(&line));
	wait->has_no_holder = false;
	if (word_is(line, "thread"))
		wait->kind = OPEN_WAIT_THREAD;
	else if (word_is(line, "condition"))
		wait->kind = OPEN_WAIT_CONDITION;
	else if (word_is(line, "ended") || word_is(line, "left"))
		wait->kind = OPEN_WAIT_LEFT;
	/* a thread of the process from which this one was forked, or a new one of that number */
	if (word_is(line, "left"))
		wait->owner = wait->holder_count = 0;
}

static uint64_t take_inode(struct text_line word)
{
	int64_t inode = word_number(word, INT64_MAX);

	return inode > 0 ? (uint64_t)inode : 0;
}

/* "MAJOR:MINOR INODE OWNER PATH" */
static void take_file_lock(struct text_store *texts, struct open_wait *wait, struct text_line line)
{
	wait->dev = word_device(line_word(&line));
	wait->address = take_inode(line_word(&line));
	take_holders(wait, line_word(&line));
	wait->path = take_word(texts, line);
}

/* "PROTOCOL FACT PROCESS,... NAME" */
static void take_socket(struct text_store *texts, struct open_wait *wait, struct text_line line)
{
	struct text_line fact;

	wait->type = take_word(texts, line_word(&line));
	fact = line_word(&line);
	if (word_is(fact, "full"))
		wait->fact = OPEN_WAIT_FACT_FULL;
	else if (word_is(fact, "waiting"))
		wait->fact = OPEN_WAIT_FACT_WAITING;
	else if (word_is(fact, "served"))
		wait->fact = OPEN_WAIT_FACT_SERVED;
	else
		wait->address = take_inode(fact);
	take_holders(wait, line_word(&line));
	wait->path = take_word(texts, line);
}

/* "KIND ...": the rest of the line depends on the kind. */
static void take_wait_object(struct text_store *texts, struct open_wait *wait,
                             struct text_line line)
{
	static const struct {
		const char *word;
		enum open_wait_kind kind;
	} kinds[] = {
		{"futex", OPEN_WAIT_FUTEX}, {"flock", OPEN_WAIT_FLOCK}, {"posix", OPEN_WAIT_POSIX},
		{"lease", OPEN_WAIT_LEASE}, {"pipe", OPEN_WAIT_PIPE},   {"child", OPEN_WAIT_CHILD},
		{"file", OPEN_WAIT_FILE},   {"mount", OPEN_WAIT_MOUNT},
		{"tty", OPEN_WAIT_TERMINAL}, {"socket", OPEN_WAIT_SOCKET},
	};
	struct text_line word = line_word(&line);

	wait->is_tried = word_is(word, "tried");
	if (wait->is_tried)
		word = line_word(&line);
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (word_is(word, kinds[i].word))
			wait->kind = (uint8_t)kinds[i].kind;
	switch (wait->kind) {
	case OPEN_WAIT_FUTEX:
		take_futex(wait, line);
		break;
	case OPEN_WAIT_FLOCK:
	case OPEN_WAIT_POSIX:
	case OPEN_WAIT_LEASE:
		take_file_lock(texts, wait, line);
		break;
	case OPEN_WAIT_PIPE:
		wait->address = take_inode(line_word(&line));
		take_holders(wait, line_word(&line));
		wait->path = take_word(texts, line);
		break;
	case OPEN_WAIT_CHILD:
		take_holders(wait, line);
		wait->has_no_holder = false;
		break;
	case OPEN_WAIT_TERMINAL:
		take_holders(wait, line_word(&line));
		wait->path = take_word(texts, line);
		break;
	case OPEN_WAIT_SOCKET:
		take_socket(texts, wait, line);
		break;
	case OPEN_WAIT_MOUNT:
		wait->type = take_word(texts, line_word(&line));
		wait->path = take_word(texts, line);
		break;
	case OPEN_WAIT_FILE:
		wait->path = take_word(texts, line);
		break;
	default:
		break;
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
