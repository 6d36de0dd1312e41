/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "completion_request.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/xalloc.h"
#include "shell_word.h"

/* The state of a scan of a command's words. */
struct scan {
	struct completion_request *request;
	const struct option_set *set;
	bool has_pending;          /* the next word is the value of `pending` */
	struct option_row pending;
	bool is_ended;             /* "--" was there */
};

static char *word_read(const char *raw)
{
	char unused;

	return shell_word_read(raw, strlen(raw), &unused);
}

/* Splits the word at the byte where completion starts. */
static void request_split(struct completion_request *request, size_t element)
{
	char unused, *whole = word_read(request->raw);
	size_t kept;

	request->element = element;
	request->kept = shell_word_read(request->raw, element, &unused);
	/* quotes that are open at that byte stay open after it, so the meaning of the whole word is
	   cut */
	kept = element ? strlen(request->kept) : 0;
	request->text = xstrdup(whole + (kept < strlen(whole) ? kept : strlen(whole)));
	free(whole);
}

/* Asks for the values of an option. The value begins at `from`; if the value is a list or a
   condition, its last part is completed. */
static void ask_values(struct completion_request *request, const struct option_row *row,
                       size_t from)
{
	const char *separator = NULL;

	request->ask = COMPLETION_VALUES;
	request->row = *row;
	request->values = option_values_of(row);
	request->value = from;
	if (option_is_list(row))
		separator = strrchr(request->raw + from, ',');
	else if (request->values == VALUES_CONDITION)
		separator = strrchr(request->raw + from, ' ');
	request_split(request, separator ? (size_t)(separator + 1 - request->raw) : from);
}

static void ask_operand(struct scan *scan, size_t index)
{
	struct completion_request *request = scan->request;

	request->ask = COMPLETION_VALUES;
	request->values = scan->set->operand_values;
	request->program = index;
	request_split(request, 0);
}

/* "-oFILE": the letter in the word that has the rest as its value; 0: there is none. */
static size_t letter_with_value(const struct option_set *set, const char *word,
                                struct option_row *ret)
{
	for (size_t i = 1; word[i] && option_find_letter(set, word[i], ret); i++)
		if (ret->argument && ret->type != OPTION_OPTIONAL)
			return i;
	return 0;
}

static void ask_option(struct scan *scan, const char *word)
{
	struct completion_request *request = scan->request;
	const char *sign = strchr(request->raw, '=');
	struct option_row row;
	size_t at;

	if (strncmp(word, "--", 2) == 0 && sign) {
		if (option_find_name(scan->set, word + 2, strcspn(word + 2, "="), &row) &&
		    row.argument)
			ask_values(request, &row, (size_t)(sign + 1 - request->raw));
		return;
	}
	at = word[1] != '-' ? letter_with_value(scan->set, word, &row) : 0;
	if (at > 0) {
		ask_values(request, &row, at + 1);
		return;
	}
	request->ask = COMPLETION_OPTIONS;
	request_split(request, 0);
}

static void take_recording(struct completion_request *request, const char *text)
{
	if (!request->recording)
		request->recording = xstrdup(text);
}

static void take_value(struct scan *scan, const struct option_row *row, const char *text)
{
	if (option_values_of(row) == VALUES_RECORDINGS)
		take_recording(scan->request, text);
}

static void take_view(struct completion_request *request, const char *name)
{
	for (size_t i = 0; analyses[i]; i++)
		if (strcmp(analyses[i]->name, name) == 0)
			request->views[i] = true;
}

static void take_option(struct scan *scan, const char *word)
{
	struct option_row row;
	const char *value;
	size_t at;

	if (word[1] == '-') {
		size_t length = strcspn(word + 2, "=");

		if (!option_find_name(scan->set, word + 2, length, &row))
			return;
		take_view(scan->request, row.name);
		value = word[2 + length] ? word + 2 + length + 1 : NULL;
		if (!row.argument || (!value && row.type == OPTION_OPTIONAL))
			return;
	} else {
		at = letter_with_value(scan->set, word, &row);
		if (at == 0)
			return;
		value = word[at + 1] ? word + at + 1 : NULL;
	}
	if (value) {
		take_value(scan, &row, value);
		return;
	}
	scan->has_pending = true;
	scan->pending = row;
}

/* Asks for what the word at the cursor may be. */
static void scan_current(struct scan *scan, const char *word, size_t index)
{
	if (scan->has_pending)
		ask_values(scan->request, &scan->pending, 0);
	else if (!scan->is_ended && word[0] == '-')
		ask_option(scan, word);
	else
		ask_operand(scan, index);
	scan->has_pending = false;
}

/* Takes another word; false: the following words belong to another program's command line. */
static bool scan_word(struct scan *scan, const char *word)
{
	if (scan->has_pending) {
		take_value(scan, &scan->pending, word);
		scan->has_pending = false;
	} else if (!scan->is_ended && strcmp(word, "--") == 0) {
		scan->is_ended = true;
	} else if (!scan->is_ended && word[0] == '-' && word[1]) {
		take_option(scan, word);
	} else if (scan->set->stops_at_operand) {
		return false;
	} else {
		take_recording(scan->request, word);
	}
	return true;
}

static void scan_words(struct completion_request *request, char *const *words, size_t count,
                       size_t at)
{
	struct scan scan = {.request = request, .set = request->command->options};

	for (size_t i = 2; i < count; i++) {
		_cleanup_(freep) char *word = word_read(words[i]);

		if (i == at) {
			scan_current(&scan, word, i);
		} else if (!scan_word(&scan, word)) {
			if (at > i)
				ask_operand(&scan, i);
			return;
		}
	}
}

void completion_request_read(struct completion_request *ret, char *const *words, size_t count,
                             size_t at)
{
	_cleanup_(freep) char *name = count > 1 ? word_read(words[1]) : NULL;

	*ret = (struct completion_request){.raw = at < count ? words[at] : ""};
	if (at == 1) {
		ret->ask = COMPLETION_COMMANDS;
		request_split(ret, 0);
		return;
	}
	ret->command = name && at < count ? command_find(name) : NULL;
	if (ret->command)
		scan_words(ret, words, count, at);
}

void completion_request_release(struct completion_request *request)
{
	free(request->text);
	free(request->kept);
	free(request->recording);
	*request = (struct completion_request){0};
}
