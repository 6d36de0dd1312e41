/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "text_value.h"

#include <stddef.h>

#include "base/data/array.h"

struct named_value {
	const char *name;
	uint32_t value;
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

bool text_value_decimal(struct text_line *line, uint64_t *ret)
{
	bool is_negative = line_skip(line, "-");
	const char *begin = line->at;
	uint64_t value = 0;

	for (; line->at < line->end && is_digit(*line->at); line->at++) {
		unsigned digit = (unsigned)(*line->at - '0');

		if (value > (UINT64_MAX - digit) / 10)
			return false;
		value = value * 10 + digit;
	}
	*ret = is_negative ? -value : value;
	return line->at > begin;
}

bool text_value_hex(struct text_line *line, uint64_t *ret)
{
	static const char *const hidden[] = {"(____ptrval____)", "(ptrval)", "(null)", "(efault)"};
	struct text_line word;

	*ret = 0;
	for (size_t i = 0; i < ARRAY_SIZE(hidden); i++)
		if (line_skip(line, hidden[i]))
			return true;
	(void)line_skip(line, "0x");
	word = (struct text_line){line->at, line->at};
	while (word.end < line->end &&
	       (is_digit(*word.end) || (*word.end >= 'a' && *word.end <= 'f')))
		word.end++;
	line->at = word.end;
	return word_hex(word, ret);
}

static bool device_part(struct text_line *line, uint64_t *ret)
{
	return line_length(*line) > 1 && line->at[0] == '0' && line->at[1] == 'x'
	               ? text_value_hex(line, ret)
	               : text_value_decimal(line, ret);
}

bool text_value_device(struct text_line *line, uint64_t *ret)
{
	uint64_t major, minor;

	if (!device_part(line, &major) || (!line_skip(line, ",") && !line_skip(line, ":")) ||
	    !device_part(line, &minor) || major >= 4096 || minor >= 1 << 20)
		return false;
	*ret = major << 20 | minor;
	return true;
}

/* Cuts off one of the names, and returns its value. */
static bool take_name(struct text_line *line, const struct named_value *row, size_t count,
                      uint64_t *ret)
{
	for (size_t i = 0; i < count; i++)
		if (line_skip(line, row[i].name)) {
			*ret = row[i].value;
			return true;
		}
	return false;
}

/* Names of flags with "|" in between; flags without a name are printed as a number. */
static bool take_flags(struct text_line *line, const struct named_value *row, size_t count,
                       uint64_t *ret)
{
	uint64_t value;

	*ret = 0;
	do {
		if (!take_name(line, row, count, &value) && !text_value_hex(line, &value))
			return false;
		*ret |= value;
	} while (line_skip(line, "|"));
	return true;
}

bool text_value_bool(struct text_line *line, uint64_t *ret)
{
	static const struct named_value rows[] = {
		{"true", 1}, {"false", 0}, {"begin", 1}, {"end", 0}, {"1", 1}, {"0", 0},
	};

	return take_name(line, rows, ARRAY_SIZE(rows), ret);
}

/*
 * The first letter is the state. Of the letters after it only N (TASK_NOLOAD) matters: kernels
 * before 4.14 print TASK_IDLE, the state of an idle kernel thread, as "D|N".
 */
bool text_value_state(struct text_line *line, uint64_t *ret)
{
	static const char letters[] = "SDTtZXPI", marks[] = "xKWNL";
	char first = line->at < line->end ? *line->at++ : '\0';
	const char *letter = first ? strchr(letters, first) : NULL;

	*ret = letter ? 1u << (letter - letters) : 0;
	if (first == 'x')
		*ret = 0x20;
	else if (!letter && first != 'R')
		return false;
	while (line_length(*line) >= 2 && *line->at == '|' &&
	       (strchr(letters, line->at[1]) || strchr(marks, line->at[1]))) {
		if (line->at[1] == 'N' && first == 'D')
			*ret = 0x80;
		line->at += 2;
	}
	if (line_skip(line, "+"))
		*ret |= TEXT_STATE_PREEMPTED;
	return true;
}

bool text_value_timer_mode(struct text_line *line, uint64_t *ret)
{
	static const struct named_value rows[] = {
		{"ABS", 0}, {"REL", 1}, {"PINNED", 2}, {"SOFT", 4}, {"HARD", 8},
	};

	return take_flags(line, rows, ARRAY_SIZE(rows), ret);
}

bool text_value_lock_flags(struct text_line *line, uint64_t *ret)
{
	static const struct named_value rows[] = {
		{"SPIN", 1}, {"READ", 2}, {"WRITE", 4}, {"RT", 8}, {"PERCPU", 16}, {"MUTEX", 32},
	};

	*ret = 0;
	return (line->at < line->end && *line->at == ')') ||
	       take_flags(line, rows, ARRAY_SIZE(rows), ret);
}

bool text_value_lock_type(struct text_line *line, uint64_t *ret)
{
	static const struct named_value rows[] = {{"F_RDLCK", 0}, {"F_WRLCK", 1}, {"F_UNLCK", 2}};

	return take_name(line, rows, ARRAY_SIZE(rows), ret) || text_value_decimal(line, ret);
}
