/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "text_head.h"

#include "ftwait/event.h"

/* The dash after the name must lie within these bytes. Known kernels use 20 columns at most. */
#define COMM_REACH 80
#define SECONDS_MAX (INT64_C(1) << 32)

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static void skip_blanks(struct text_line *line)
{
	while (line->at < line->end && *line->at == ' ')
		line->at++;
}

static struct text_line trim(struct text_line word)
{
	skip_blanks(&word);
	while (word.end > word.at && word.end[-1] == ' ')
		word.end--;
	return word;
}

/* "(-----)", "( 1234)", "(1234567)" */
static bool take_tgid(struct text_line word, struct text_head *head)
{
	int64_t tgid;

	if (line_length(word) < 3 || word.end[-1] != ')' || head->has_tgid)
		return false;
	word = trim((struct text_line){word.at + 1, word.end - 1});
	head->has_tgid = true;
	head->tgid = -1;
	if (word.at < word.end && *word.at == '-') {
		while (word.at < word.end && *word.at == '-')
			word.at++;
		return word.at == word.end;
	}
	tgid = word_number(word, INT32_MAX);
	head->tgid = (int32_t)tgid;
	return tgid >= 0;
}

static bool take_cpu(struct text_line word, struct text_head *head)
{
	int64_t cpu = word_number(word, TEXT_CPUS_MAX - 1);

	head->cpu = (uint32_t)cpu;
	return cpu >= 0;
}

/* "d..2.", "dNh1", "....": interrupts disabled, need-resched, context, preempt count, and more */
static bool take_flags(struct text_line word, struct text_head *head)
{
	static const char letters[] = ".dDbBXNnpPlLgGZzHhs0123456789abcdef#";
	size_t length = line_length(word);

	if (length < 3 || length > 7 || head->has_flags)
		return false;
	for (size_t i = 0; i < length; i++)
		if (!memchr(letters, word.at[i], sizeof(letters) - 1))
			return false;
	head->has_flags = true;
	if (*word.at == 'd' || *word.at == 'D')
		head->flags |= EVENT_IRQS_OFF;
	if (*word.at == 'b' || *word.at == 'D')
		head->flags |= EVENT_BH_OFF;
	if (word.at[1] != '.')
		head->flags |= EVENT_RESCHED;
	if (word.at[2] == 'h' || word.at[2] == 'H' || word.at[2] == 'Z')
		head->flags |= EVENT_HARDIRQ;
	if (word.at[2] == 's' || word.at[2] == 'H')
		head->flags |= EVENT_SOFTIRQ;
	if (word.at[2] == 'z' || word.at[2] == 'Z')
		head->flags |= EVENT_NMI;
	if (length > 3 && is_digit(word.at[3]))
		head->preempt_count = (uint8_t)(word.at[3] - '0');
	return true;
}

/* "1234.567890:" */
static bool take_time(struct text_line word, struct text_head *head)
{
	const char *dot = memchr(word.at, '.', line_length(word));
	size_t digits;
	int64_t seconds, rest;

	if (!dot || word.end[-1] != ':' || word.end - dot < 5)
		return false;
	digits = (size_t)(word.end - dot) - 2;
	if (digits > 9)
		return false;
	seconds = word_number((struct text_line){word.at, dot}, SECONDS_MAX);
	rest = word_number((struct text_line){dot + 1, word.end - 1}, INT32_MAX);
	if (seconds < 0 || rest < 0)
		return false;
	head->step = 1;
	for (; digits < 9; digits++)
		head->step *= 10;
	head->time = (nsec_t)seconds * UINT64_C(1000000000) + (nsec_t)rest * head->step;
	return true;
}

/* "0d..2.": trace-cmd report -l prints the CPU and the flags without a blank in between. */
static bool take_cpu_with_flags(struct text_line word, struct text_head *head)
{
	const char *at = word.at;

	while (at < word.end && is_digit(*at))
		at++;
	if (at == word.at || at == word.end || word.end - at < 3)
		return false;
	return take_cpu((struct text_line){word.at, at}, head) &&
	       take_flags((struct text_line){at, word.end}, head);
}

/* The next word. "( 123)" and "[  1]" are one word each, although they contain blanks. */
static struct text_line take_word(struct text_line *line)
{
	const char *close = NULL;
	struct text_line word;

	skip_blanks(line);
	if (line->at < line->end && (*line->at == '(' || *line->at == '['))
		close = memchr(line->at, *line->at == '(' ? ')' : ']', line_length(*line));
	if (!close)
		return line_word(line);
	word = (struct text_line){line->at, close + 1};
	line->at = close + 1;
	return word;
}

/* The columns after the task's ID. */
static bool take_columns(struct text_line line, struct text_head *head)
{
	bool has_cpu = false;

	for (;;) {
		struct text_line word = take_word(&line);

		if (word.at == word.end)
			return false;
		if (has_cpu && take_time(word, head))
			break;
		if (*word.at == '(') {
			if (!take_tgid(word, head))
				return false;
		} else if (*word.at == '[' && !has_cpu) {
			has_cpu = true;
			if (!take_cpu((struct text_line){word.at + 1, word.end - 1}, head))
				return false;
		} else if (has_cpu ? !take_flags(word, head) : !take_cpu_with_flags(word, head)) {
			return false;
		} else {
			has_cpu = true;
		}
	}
	skip_blanks(&line);
	head->rest = line;
	return true;
}

/* Reads a head in which `dash` separates the name from the tid. */
static bool take_from_dash(struct text_line line, const char *dash, struct text_head *ret)
{
	struct text_line rest = {dash + 1, line.end}, word;
	int64_t tid;

	if (rest.at == rest.end || !is_digit(*rest.at))
		return false;
	word = line_word(&rest);
	tid = word_number(word, INT32_MAX);
	if (tid < 0 || rest.at == rest.end)
		return false;
	*ret = (struct text_head){
		.comm = trim((struct text_line){line.at, dash}),
		.tid = (int32_t)tid,
		.tgid = -1,
	};
	return take_columns(rest, ret);
}

bool text_head_parse(struct text_line line, struct text_head *ret)
{
	const char *reach = line_length(line) > COMM_REACH ? line.at + COMM_REACH : line.end;

	for (const char *at = line.at;
	     at < reach && (at = memchr(at, '-', (size_t)(reach - at))); at++)
		if (take_from_dash(line, at, ret))
			return true;
	return false;
}
