/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "function_fields.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/xalloc.h"

#define ARGUMENTS_MAX 64
#define NAME_BYTES    64

/* Skips flags, width, precision and length of a conversion, up to its letter. */
static const char *conversion_letter(const char *at, unsigned *argument)
{
	while (*at && strchr("-+ #0123456789.*hlLqjzt", *at)) {
		*argument += *at == '*';
		at++;
	}
	return at;
}

/*
 * Reads the strings at `at`, which begins with a quote, up to the comma after them. Sets a bit of
 * *ret_functions for each argument that is shown as a function. Returns NULL if the strings do not
 * end.
 */
static const char *print_read_strings(const char *at, uint64_t *ret_functions)
{
	unsigned argument = 0;
	bool is_in_string = false;

	for (; *at && (is_in_string || *at != ','); at++) {
		if (*at == '"')
			is_in_string = !is_in_string;
		else if (is_in_string && *at == '\\' && at[1])
			at++;
		else if (is_in_string && *at == '%' && at[1] == '%')
			at++;
		else if (is_in_string && *at == '%') {
			at = conversion_letter(at + 1, &argument);
			if (*at == '\0')
				break;
			if (*at == 'p' && at[1] && strchr("sSfFB", at[1]) &&
			    argument < ARGUMENTS_MAX)
				*ret_functions |= UINT64_C(1) << argument;
			argument++;
		}
	}
	return *at == ',' ? at : NULL;
}

/* Finds the end of the argument at `at`: its comma or the end of the text. */
static const char *argument_end(const char *at)
{
	unsigned depth = 0;
	bool is_in_string = false;

	for (; *at; at++) {
		if (*at == '"')
			is_in_string = !is_in_string;
		else if (is_in_string && *at == '\\' && at[1])
			at++;
		else if (!is_in_string && strchr("([{", *at))
			depth++;
		else if (!is_in_string && strchr(")]}", *at))
			depth -= depth > 0;
		else if (!is_in_string && depth == 0 && *at == ',')
			break;
	}
	return at;
}

/* "(void *)REC->caller[0]" gives "caller". */
static bool argument_field(const char *at, const char *end, char name[static NAME_BYTES])
{
	static const char record[] = "REC->";
	const char *field = memmem(at, (size_t)(end - at), record, sizeof(record) - 1);
	size_t length = 0;

	if (!field)
		return false;
	field += sizeof(record) - 1;
	while (field + length < end &&
	       (isalnum((unsigned char)field[length]) || field[length] == '_'))
		length++;
	if (length == 0 || length >= NAME_BYTES)
		return false;
	memcpy(name, field, length);
	name[length] = '\0';
	return true;
}

/* The number after `key` in the line. */
static bool line_number(const char *line, const char *key, uint32_t *ret)
{
	const char *end = strchr(line, '\n'), *at = strstr(line, key);
	uint32_t number = 0;

	if (!at || (end && at > end))
		return false;
	at += strlen(key);
	if (!isdigit((unsigned char)*at))
		return false;
	for (; isdigit((unsigned char)*at) && number < 1u << 24; at++)
		number = number * 10 + (uint32_t)(*at - '0');
	*ret = number;
	return true;
}

/* Parses the declaration of the field: "\tfield:TYPE NAME;\toffset:16;\tsize:8;" or NAME[8]. */
bool function_fields_named(const char *format, const char *name, struct function_field *ret)
{
	const char *id = strstr(format, "ID: ");
	size_t length = strlen(name);

	for (const char *line = format; (line = strstr(line, "\tfield:")); line++) {
		const char *end = strchr(line, ';'), *at = end;
		bool is_array;

		if (!end)
			return false;
		is_array = end[-1] == ']';
		while (is_array && at > line && *at != '[')
			at--;
		if ((size_t)(at - line) <= length || memcmp(at - length, name, length) != 0 ||
		    !strchr(" *", *(at - length - 1)))
			continue;
		if (!id || !line_number(id, "ID: ", &ret->id) ||
		    !line_number(end, "\toffset:", &ret->offset) ||
		    !line_number(end, "\tsize:", &ret->size))
			return false;
		if (is_array)
			ret->size = 0;
		return true;
	}
	return false;
}

void function_fields_find(const char *format, size_t length,
                          void (*on_field)(void *state, const struct function_field *field),
                          void *state)
{
	_cleanup_(freep) char *text = xasprintf("%.*s", (int)length, format);
	const char *id = strstr(text, "ID: "), *at = strstr(text, "\nprint fmt: \"");
	struct function_field field = {0};
	char name[NAME_BYTES], before[NAME_BYTES] = "";
	uint64_t functions = 0;

	if (strncmp(text, "name: user_stack\n", 17) == 0 || !id || !at ||
	    !line_number(id, "ID: ", &field.id))
		return;
	at = print_read_strings(strchr(at, '"'), &functions);
	for (unsigned i = 0; at && *at && i < ARGUMENTS_MAX; i++) {
		const char *end = argument_end(at + 1);

		/* each element of a stack is an argument */
		if (argument_field(at + 1, end, name) &&
		    ((functions >> i & 1) || strcmp(name, "location") == 0) &&
		    strcmp(name, before) != 0 && function_fields_named(text, name, &field)) {
			on_field(state, &field);
			memcpy(before, name, sizeof(before));
		}
		at = end;
	}
	if (strncmp(text, "name: contention_begin\n", 23) == 0 &&
	    function_fields_named(text, "lock_addr", &field)) {
		field.is_object = true;
		on_field(state, &field);
	}
}
