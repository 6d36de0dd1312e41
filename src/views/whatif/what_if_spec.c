/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "what_if_spec.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/data/array.h"
#include "base/xalloc.h"
#include "sentences/say.h"

#define FACTOR_DIGITS 6

static const char *const words[WHAT_IF_KINDS] = {
	[WHAT_IF_TIMER] = "timer", [WHAT_IF_TASK] = "task", [WHAT_IF_LOCK] = "lock",
	[WHAT_IF_DISK] = "disk",   [WHAT_IF_NET] = "net",
};

const char *what_if_kind_word(enum what_if_kind kind)
{
	return words[kind];
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Digits after the point; further ones than FACTOR_DIGITS count for nothing. */
static uint32_t fraction_read(const char **at)
{
	uint32_t value = 0;
	unsigned digits = 0;

	for (; is_digit(**at); (*at)++)
		if (digits++ < FACTOR_DIGITS)
			value = value * 10 + (uint32_t)(**at - '0');
	while (digits++ < FACTOR_DIGITS)
		value *= 10;
	return value;
}

/* Reads "0", "0.5", ".5" or "1" up to "," or the end; NULL: it is none of them. */
static const char *factor_read(const char *at, uint32_t *ret)
{
	const char *begin = at;
	uint32_t value = 0;

	for (; is_digit(*at) && value <= 1; at++)
		value = value * 10 + (uint32_t)(*at - '0');
	if (at == begin && !(at[0] == '.' && is_digit(at[1])))
		return NULL;
	value *= FACTOR_ONE;
	if (*at == '.') {
		at++;
		value += fraction_read(&at);
	}
	*ret = value;
	return value <= FACTOR_ONE && (*at == ',' || *at == '\0') ? at : NULL;
}

/* Returns the text behind the spec; NULL: it is none. */
static const char *spec_read(const char *text, struct what_if_spec *ret)
{
	const char *name = strchr(text, ':'), *end = NULL;

	ret->kind = WHAT_IF_KINDS;
	for (int kind = 0; name && kind < WHAT_IF_KINDS; kind++)
		if (strlen(words[kind]) == (size_t)(name - text) &&
		    strncmp(text, words[kind], (size_t)(name - text)) == 0)
			ret->kind = (enum what_if_kind)kind;
	if (ret->kind == WHAT_IF_KINDS)
		return NULL;
	for (const char *at = strchr(name, '='); at && !end; at = strchr(at + 1, '=')) {
		end = factor_read(at + 1, &ret->factor);
		if (end == NULL || at == name + 1)
			continue;
		ret->text = text;
		ret->length = (size_t)(end - text);
		ret->name = xasprintf("%.*s", (int)(at - name - 1), name + 1);
		return end;
	}
	return NULL;
}

bool what_if_specs_read(struct what_if_specs *specs, const char *text, struct buffer *why)
{
	const char *rest = text;

	do {
		ARRAY_GROW(specs->spec, specs->count, specs->capacity);
		specs->spec[specs->count] = (struct what_if_spec){0};
		rest = spec_read(text, &specs->spec[specs->count]);
		if (!rest) {
			say(why, NULL,
			    "{foreign}: not KIND:NAME=F with KIND one of timer, task, lock, disk "
			    "and F from 0 to 1, like timer:sleeper=0.5", FOREIGN(text));
			return false;
		}
		specs->count++;
		text = rest + 1;
	} while (*rest);
	return true;
}

void what_if_specs_release(struct what_if_specs *specs)
{
	for (size_t i = 0; i < specs->count; i++)
		free(specs->spec[i].name);
	free(specs->spec);
	*specs = (struct what_if_specs){0};
}

bool what_if_spec_fits(const struct what_if_spec *spec, const char *name)
{
	return spec->is_exact ? strcmp(spec->name, name) == 0 : fnmatch(spec->name, name, 0) == 0;
}
