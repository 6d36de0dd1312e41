/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "text_value.h"

#include <stddef.h>

#include "base/data/array.h"
#include "words/kernel/kernel_numbers.h"

#define NAME_MAX_BYTES 48
#define NS_IN_S        1000000000
#define SECONDS_MAX    (INT64_C(1) << 32)

/* Functions of the kernel that are not named as their calls are. */
static const struct {
	const char *function, *call;
} names[] = {
	{"newstat", "stat"},          {"newlstat", "lstat"}, {"newfstat", "fstat"},
	{"newuname", "uname"},        {"umount", "umount2"}, {"sendfile64", "sendfile"},
	{"fadvise64_64", "fadvise64"}, {"mmap_pgoff", "mmap"}, {"mmap2", "mmap"},
};

static bool skip_prefix(struct text_line *word, bool *ret_is_enter)
{
	*ret_is_enter = line_skip(word, "sys_enter_");
	return *ret_is_enter || line_skip(word, "sys_exit_") || line_skip(word, "sys_");
}

int64_t text_call_number(struct text_line word)
{
	int64_t number[SYSCALL_NUMBERS_MAX];
	char name[NAME_MAX_BYTES];
	const char *call = name;
	bool is_enter;

	if (!skip_prefix(&word, &is_enter) || line_length(word) >= sizeof(name))
		return -1;
	memcpy(name, word.at, line_length(word));
	name[line_length(word)] = '\0';
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (word_is(word, names[i].function))
			call = names[i].call;
	return syscall_numbers(TEXT_CALL_ARCH, call, number) > 0 ? number[0] : -1;
}

/* "fd: 3, buf: 0x55db38e2aac0 "text", count: 0x10000", "fd=0x3 (3) buf=(0xffff8881029ae01c)" */
static void take_arguments(struct text_line line, struct text_call *call)
{
	size_t count = 0;

	while (line.at < line.end && count < TEXT_CALL_ARGUMENTS) {
		struct text_line value = line;
		bool is_value = line_skip(&value, ": ") || line_skip(&value, "=(") ||
		                line_skip(&value, "=");
		const char *close = *line.at == '"' ? memchr(line.at + 1, '"',
		                                             line_length(line) - 1) : NULL;

		if (close)
			line.at = close;
		else if (is_value && text_value_hex(&value, &call->argument[count]))
			count++;
		line.at++;
	}
}

void text_call_parse(struct text_line word, struct text_line rest, struct text_call *ret)
{
	const char *result;
	uint64_t number;

	*ret = (struct text_call){0};
	(void)skip_prefix(&word, &ret->is_enter);
	ret->is_enter |= line_begins(rest, "(");
	/* that of the machine */
	if ((line_skip(&rest, "__syscall_nr=") || line_skip(&rest, "__syscall_nr: ")) &&
	    text_value_hex(&rest, &number))
		(void)line_skip(&rest, ",");
	if (ret->is_enter) {
		take_arguments(rest, ret);
		return;
	}
	result = memmem(rest.at, line_length(rest), "ret=", 4);
	if (result)
		rest.at = result + 4;
	else
		(void)line_skip(&rest, " -> ");
	(void)text_value_hex(&rest, &ret->argument[0]);
}

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

bool text_value_seconds(struct text_line word, nsec_t *ret, nsec_t *ret_step)
{
	struct text_line whole = line_part(&word, '.');
	size_t digits = line_length(word);
	int64_t seconds = word_number(whole, SECONDS_MAX);
	int64_t rest = word_number(word, NS_IN_S - 1);

	if (seconds < 0 || rest < 0 || digits > 9)
		return false;
	for (*ret_step = 1; digits < 9; digits++)
		*ret_step *= 10;
	*ret = (nsec_t)seconds * NS_IN_S + (nsec_t)rest * *ret_step;
	return true;
}

bool text_value_hex(struct text_line *line, uint64_t *ret)
{
	static const char *const hidden[] = {"(____ptrval____)", "(ptrval)", "(null)", "(efault)",
	                                     "(nil)"};
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
	else if (first == 'W')
		*ret = 0x80; /* trace-cmd has the letters of old kernels for these bits */
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

uint64_t text_value_raw_state(uint64_t bits)
{
	/* "preempted" of Linux 4.14 and later, and of earlier ones, from 3.9 on */
	uint64_t preempted = bits & (0x100 | 0x400 | 0x800 | 0x1000), state = bits & 0xff;

	if ((bits & 0x402) == 0x402)
		return 0x80; /* TASK_IDLE before 4.14: D and TASK_NOLOAD */
	state &= -state; /* what comes after the state does not matter */
	if (state == 0x10 || state == 0x20)
		state ^= 0x30; /* dead and zombie are the other way round there */
	if (bits & 0x200)
		state = 0x40; /* TASK_PARKED before 4.14 */
	return state | (preempted ? TEXT_STATE_PREEMPTED : 0);
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
