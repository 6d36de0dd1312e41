/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "split_notes.h"

#include <inttypes.h>
#include <string.h>

#include "base/data/array.h"
#include "base/data/map.h"
#include "source/text/text_line.h"

/* Which words of a line are instants of the recording's clock, as bits: word 0 names the line. */
static const struct {
	const char *line;
	unsigned words;
} time_lines[] = {
	{"read", 1u << 1},    {"waits", 1u << 2 | 1u << 3},   {"realtime", 1u << 1},
	{"trigger", 1u << 1 | 1u << 2}, {"program", 1u << 2 | 1u << 3}, {"maps", 1u << 2},
	{"cpu-limit", 1u << 6},
};

static unsigned time_words(struct text_line word)
{
	for (size_t i = 0; i < ARRAY_SIZE(time_lines); i++)
		if (word_is(word, time_lines[i].line))
			return time_lines[i].words;
	return 0;
}

static void put_text(struct buffer *to, struct text_line text)
{
	buffer_append(to, text.at, line_length(text));
}

static void put_later(struct buffer *to, struct text_line word, int64_t later)
{
	int64_t time = word_number(word, INT64_MAX);

	if (time <= 0)
		put_text(to, word);
	else
		buffer_put_u64(to, (uint64_t)time + (uint64_t)later);
}

/* 0 is no instant. */
static void put_time(struct buffer *to, struct text_line word, const struct split_clock *clock)
{
	int64_t time = word_number(word, INT64_MAX);

	if (time <= 0)
		put_text(to, word);
	else
		buffer_put_u64(to, split_clock_time(clock, (nsec_t)time));
}

static uint64_t name_hash(const char *name)
{
	uint64_t hash = 0;

	for (; *name; name++)
		hash = hash_mix(hash, (uint8_t)*name);
	return hash;
}

/* Other digits in the same form. */
static void put_id(struct buffer *to, struct text_line id, const char *host)
{
	uint64_t hash = name_hash(host);

	for (; id.at < id.end; id.at++) {
		hash = hash_mix(hash, 1);
		buffer_putc(to, *id.at == '-' ? '-' : "0123456789abcdef"[hash & 15]);
	}
}

static void put_line(struct buffer *to, struct text_line line, const struct split_clock *clock,
                     const char *host)
{
	struct text_line rest = line, word = line_word(&rest);
	unsigned times = time_words(word);
	bool is_realtime;

	if (host && (word_is(word, "boot") || word_is(word, "machine"))) {
		put_text(to, word);
		buffer_putc(to, ' ');
		put_id(to, rest, host);
		return;
	}
	if (!times) {
		put_text(to, line);
		return;
	}
	is_realtime = word_is(word, "realtime");
	put_text(to, word);
	for (unsigned i = 1; rest.at < line.end && times >> i; i++) {
		buffer_putc(to, ' ');
		word = line_word(&rest);
		if (times & 1u << i)
			put_time(to, word, clock);
		else
			put_text(to, word);
	}
	if (is_realtime && rest.at < line.end) {
		buffer_putc(to, ' ');
		put_later(to, line_word(&rest), clock->real);
	}
	if (rest.at < line.end) {
		buffer_putc(to, ' ');
		put_text(to, rest);
	}
	if (is_realtime && clock->error)
		buffer_printf(to, " %" PRId64, clock->error);
}

void split_notes_rewrite(const char *text, size_t length, const struct split_clock *clock,
                         const char *host, struct buffer *to)
{
	const char *end = text + length;
	struct text_line line;

	while (line_next(&text, end, &line)) {
		put_line(to, line, clock, host);
		if (line.end < end)
			buffer_putc(to, '\n');
	}
}

void split_uname_rewrite(const char *text, size_t length, const char *host, struct buffer *to)
{
	struct text_line line = {text, text + length};

	if (!host) {
		put_text(to, line);
		return;
	}
	put_text(to, line_word(&line));
	(void)line_word(&line);
	buffer_printf(to, " %s ", host);
	put_text(to, line);
}
