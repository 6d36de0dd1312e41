/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text/parse.h"
#include "vector.h"

void vector_fail(struct vector *vector, const char *format, ...)
{
	char text[4096];
	va_list arguments;

	va_start(arguments, format);
	(void)vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	printf("%s:%u%s: %s\n", vector->path, vector->line,
	       vector->schedule->machine.is_big_endian ? " (big endian)" : "", text);
	vector->failures++;
}

int64_t vector_tid(const struct vector *vector, const char *name)
{
	for (size_t i = 0; i < vector->schedule->task_count; i++)
		if (strcmp(vector->schedule->tasks[i].name, name) == 0)
			return vector->schedule->tasks[i].tid;
	return strcmp(name, "0") == 0 ? 0 : -1;
}

nsec_t vector_time(struct vector *vector, const char *word)
{
	uint64_t value = 0;

	if (parse_u64(word, &value) < 0)
		vector_fail(vector, "\"%s\" is no time", word);
	return value * vector->schedule->unit;
}

static void json_show(const struct json *json, struct buffer *to)
{
	if (!json)
		return;
	if (json->key)
		buffer_printf(to, "%s:", json->key);
	if (json->type == JSON_TEXT || json->type == JSON_NUMBER) {
		buffer_puts(to, json->text);
	} else if (json->type == JSON_BOOL) {
		buffer_puts(to, json->boolean ? "true" : "false");
	} else if (json->type == JSON_NULL) {
		buffer_puts(to, "null");
	} else {
		buffer_puts(to, "{");
		for (const struct json *item = json->item; item; item = item->next) {
			json_show(item, to);
			buffer_puts(to, item->next ? " " : "");
		}
		buffer_puts(to, "}");
	}
}

void vector_fail_with(struct vector *vector, const char *what, const struct json *got)
{
	struct buffer shown;

	buffer_init(&shown, 1500);
	json_show(got, &shown);
	vector_fail(vector, "%s; got %s", what, got ? shown.text : "nothing");
	buffer_release(&shown);
}

/* Expectations have no spaces: "_" stands for one, too. Returns how many bytes are alike. */
static size_t text_alike(const char *text, const char *value)
{
	size_t at = 0;

	while (text[at] && (text[at] == value[at] || (text[at] == ' ' && value[at] == '_')))
		at++;
	return at;
}

static bool text_fits(const char *text, const char *value)
{
	size_t alike = text_alike(text, value);

	return !text[alike] && !value[alike];
}

/* An array of texts, or of links by their names, against "one;two". */
static bool texts_fit(const struct json *json, const char *value)
{
	for (const struct json *item = json->item; item; item = item->next) {
		const char *text = json_text(item->type == JSON_OBJECT ? json_find(item, "comm")
		                                                       : item);
		size_t alike = text_alike(text, value);

		if (text[alike] || value[alike] != (item->next ? ';' : '\0'))
			return false;
		value += alike + 1;
	}
	return json->item != NULL;
}

static bool value_fits(const struct vector *vector, const struct json *json, const char *value)
{
	uint64_t number;

	if (!json || json->type == JSON_NULL)
		return strcmp(value, "null") == 0;
	switch (json->type) {
	case JSON_BOOL:
		return strcmp(value, json->boolean ? "true" : "false") == 0;
	case JSON_NUMBER:
		return parse_u64(value, &number) == 0 && json_u64(json) == number;
	case JSON_TEXT:
		return text_fits(json->text, value);
	case JSON_OBJECT:
		return json_find(json, "tid") && vector_tid(vector, value) >= 0 &&
		       json_u64(json_find(json, "tid")) == (uint64_t)vector_tid(vector, value);
	case JSON_ARRAY:
		return texts_fit(json, value);
	case JSON_NULL:
		break;
	}
	return false;
}

static bool kind_fits(const struct json *cause, const char *kinds)
{
	const char *kind = json_text(json_find(cause, "kind"));

	if (!cause || cause->type == JSON_NULL)
		kind = "none";
	while (*kinds) {
		size_t length = strcspn(kinds, "|");

		if (strlen(kind) == length && strncmp(kind, kinds, length) == 0)
			return true;
		kinds += length + (kinds[length] == '|');
	}
	return false;
}

bool vector_word_fits(const struct vector *vector, const struct json *json, const char *word)
{
	const char *equals = strchr(word, '=');
	const struct json *cause = json_find(json, "cause"), *found;
	char key[64];

	if (!equals)
		return kind_fits(cause, word);
	(void)snprintf(key, sizeof(key), "%.*s", (int)(equals - word), word);
	found = json_find(json, key);
	return value_fits(vector, found ? found : json_find(cause, key), equals + 1);
}

bool vector_words_fit(const struct vector *vector, const struct json *json, char **words,
                      size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!vector_word_fits(vector, json, words[i]))
			return false;
	return true;
}

