/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "state_letters.h"

#include <ctype.h>
#include <string.h>

#include "base/data/array.h"
#include "words/kernel/kernel_feature.h"

/* "Preempted" in kernels that record a single state by its bit, and in those that record its
   number. */
#define PREEMPTED_REPORT 0x100
#define PREEMPTED_INDEX  0x1000

#define FORMS_ALL (1u << STATE_BY_BIT | 1u << STATE_BY_INDEX | 1u << STATE_SHIFTED)

/* What kernels may record, by release: a row holds from its release on, up to the next row. */
static const struct {
	unsigned release[KERNEL_RELEASE_NUMBERS];
	enum state_form form;
	uint8_t possible; /* mask by enum state_form */
} state_releases[] = {
	{{0, 0, 0}, STATE_BY_BIT, 1u << STATE_BY_BIT},
	/* distributions backport the fix, and keep the release number */
	{{4, 14, 0}, STATE_BY_INDEX, FORMS_ALL},
	{{4, 14, 63}, STATE_BY_BIT, 1u << STATE_BY_BIT | 1u << STATE_SHIFTED},
	{{4, 15, 0}, STATE_SHIFTED, 1u << STATE_BY_BIT | 1u << STATE_SHIFTED},
	{{4, 19, 0}, STATE_BY_BIT, 1u << STATE_BY_BIT | 1u << STATE_SHIFTED},
	{{5, 0, 0}, STATE_BY_BIT, 1u << STATE_BY_BIT},
};

/* Nested parentheses that an expression may have; the kernel's own have seven. */
#define EXPRESSION_DEPTH_MAX 32

struct expression {
	const char *at, *end;
	unsigned depth;
	bool is_bad;
};

static void expression_skip_blanks(struct expression *e)
{
	while (e->at < e->end && isspace((unsigned char)*e->at))
		e->at++;
}

static bool expression_take(struct expression *e, const char *sign)
{
	size_t length = strlen(sign);

	expression_skip_blanks(e);
	if ((size_t)(e->end - e->at) < length || memcmp(e->at, sign, length) != 0)
		return false;
	e->at += length;
	return true;
}

static uint64_t expression_number(struct expression *e)
{
	uint64_t value = 0;
	unsigned base = 10;
	const char *begin;

	if (e->end - e->at > 2 && e->at[0] == '0' && (e->at[1] == 'x' || e->at[1] == 'X')) {
		base = 16;
		e->at += 2;
	}
	for (begin = e->at; e->at < e->end && isxdigit((unsigned char)*e->at); e->at++) {
		unsigned char c = (unsigned char)*e->at;
		unsigned digit = isdigit(c) ? c - 0x30u : (unsigned)tolower(c) - 0x61u + 10u;

		if (digit >= base)
			break;
		value = value * base + digit;
	}
	if (e->at == begin)
		e->is_bad = true;
	while (e->at < e->end && (*e->at == 'U' || *e->at == 'L'))
		e->at++;
	return value;
}

static uint64_t expression_or(struct expression *e);

static uint64_t expression_primary(struct expression *e)
{
	uint64_t value;

	if (!expression_take(e, "("))
		return expression_number(e);
	if (++e->depth > EXPRESSION_DEPTH_MAX) {
		e->is_bad = true;
		return 0;
	}
	value = expression_or(e);
	if (!expression_take(e, ")"))
		e->is_bad = true;
	e->depth--;
	return value;
}

static uint64_t expression_sum(struct expression *e)
{
	uint64_t value = expression_primary(e);

	while (!e->is_bad) {
		if (expression_take(e, "+"))
			value += expression_primary(e);
		else if (expression_take(e, "-"))
			value -= expression_primary(e);
		else
			break;
	}
	return value;
}

static uint64_t expression_shift(struct expression *e)
{
	uint64_t value = expression_sum(e);

	while (!e->is_bad && expression_take(e, "<<")) {
		uint64_t by = expression_sum(e);

		value = by < 64 ? value << by : 0;
	}
	return value;
}

static uint64_t expression_or(struct expression *e)
{
	uint64_t value = expression_shift(e);

	while (!e->is_bad && expression_take(e, "|"))
		value |= expression_shift(e);
	return value;
}

/* Evaluates all of the text, or fails. */
static bool expression_evaluate(const char *at, const char *end, uint64_t *ret)
{
	struct expression e = {.at = at, .end = end};

	*ret = expression_or(&e);
	expression_skip_blanks(&e);
	return !e.is_bad && e.at == e.end;
}

static const char *text_find(const char *at, const char *end, const char *word)
{
	return memmem(at, (size_t)(end - at), word, strlen(word));
}

/* `{ 0x0001, "S" }, ...` up to the closing parenthesis of __print_flags. */
static bool letters_parse_table(const char *at, const char *end, struct state_letters *letters)
{
	bool is_any = false;

	for (;;) {
		const char *open = memchr(at, '{', (size_t)(end - at));
		const char *close = open ? memchr(open, '}', (size_t)(end - open)) : NULL;
		const char *comma = close ? memchr(open, ',', (size_t)(close - open)) : NULL;
		const char *quote = comma ? memchr(comma, '"', (size_t)(close - comma)) : NULL;
		uint64_t bit;

		if (!quote || quote + 1 >= close || !expression_evaluate(open + 1, comma, &bit))
			return is_any;
		if (bit && (bit & (bit - 1)) == 0 && bit < 1ull << STATE_BITS) {
			letters->letter[__builtin_ctzll(bit)] = quote[1];
			is_any = true;
		}
		at = close + 1;
		while (at < end && (*at == ',' || isspace((unsigned char)*at)))
			at++;
		if (at == end || *at != '{')
			return is_any;
	}
}

/* The mask in `REC->prev_state & MASK ? "+" : ""`. */
static bool letters_parse_preempted(const char *at, const char *end, struct state_letters *letters)
{
	static const char field[] = "REC->prev_state &";
	const char *plus = text_find(at, end, "? \"+\"");
	const char *begin = NULL;

	if (!plus)
		return false;
	for (const char *next = at; (next = text_find(next, plus, field)); next++)
		begin = next;
	return begin && expression_evaluate(begin + sizeof(field) - 1, plus, &letters->preempted);
}

/* Finds the form in which a kernel records a state, if it records a single one. */
static void letters_find_form(const char *release, struct state_letters *letters)
{
	unsigned number[KERNEL_RELEASE_NUMBERS];

	if (letters->preempted == PREEMPTED_INDEX) {
		letters->form = STATE_BY_INDEX;
		letters->possible = 1u << STATE_BY_INDEX;
		return;
	}
	letters->possible = FORMS_ALL;
	if (!release || !kernel_release_parse(release, number))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(state_releases); i++) {
		if (kernel_release_compare(number, state_releases[i].release) < 0)
			return;
		letters->form = state_releases[i].form;
		letters->possible = state_releases[i].possible;
	}
}

void state_letters_learn(struct state_letters *letters, uint64_t raw, bool is_idle)
{
	uint8_t possible = letters->possible;

	if (raw & letters->preempted)
		return;
	/* no bit is set: it is a number, or R in any form but the shifted one */
	if (raw == 0)
		possible &= (uint8_t)~(1u << STATE_SHIFTED);
	else if (raw & (raw - 1))
		possible &= 1u << STATE_BY_INDEX;
	else if (raw > 8)
		possible &= (uint8_t)~(1u << STATE_BY_INDEX);
	if (is_idle && raw == 1)
		possible &= 1u << STATE_SHIFTED;
	if (possible == 0) /* no kernel records such values */
		return;
	letters->possible = possible;
	if (possible & 1u << letters->form)
		return;
	letters->form = (enum state_form)__builtin_ctz(possible);
	memset(letters->known, 0, sizeof(letters->known));
}

void state_letters_parse(struct text print_format, const char *release,
                         struct state_letters *ret)
{
	static const char modern[] = "SDTtXZPI"; /* bits 0 to 7; 0x100: preempted */
	const char *at = print_format.at, *end = at + print_format.length;
	const char *table = text_find(at, end, "__print_flags(REC->prev_state");

	*ret = (struct state_letters){.possible = 1u << STATE_BY_BIT};
	if (!table || !letters_parse_table(table, end, ret)) {
		memcpy(ret->letter, modern, sizeof(modern) - 1);
		ret->preempted = PREEMPTED_REPORT;
	} else if (!letters_parse_preempted(table, end, ret)) {
		ret->preempted = 0;
	}
	if (memcmp(ret->letter, modern, sizeof(modern) - 1) == 0)
		letters_find_form(release, ret);
}

/* The bit of the state, if something else is recorded. */
static uint64_t state_find_bit(enum state_form form, uint64_t rest)
{
	switch (form) {
	case STATE_BY_INDEX:
		/* numbers beyond the table become a bit without a name, too */
		return rest == 0 ? 0 : 1ull << ((rest < STATE_BITS ? rest : STATE_BITS) - 1);
	case STATE_SHIFTED:
		return rest >> 1;
	case STATE_BY_BIT:
		break;
	}
	return rest;
}

char state_letters_get(const struct state_letters *letters, uint64_t raw)
{
	uint64_t rest = state_find_bit(letters->form, raw & ~letters->preempted) &
	                ((1ull << STATE_BITS) - 1);
	char first;

	if (rest == 0)
		return 'R';
	first = letters->letter[__builtin_ctzll(rest)];
	if (first == 'x')
		return 'X';
	/* before 4.14 an idle kernel thread is D with "no load" */
	for (rest &= rest - 1; first == 'D' && rest; rest &= rest - 1)
		if (letters->letter[__builtin_ctzll(rest)] == 'N')
			return 'I';
	return first ? first : '?';
}
