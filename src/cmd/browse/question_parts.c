/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "question_parts.h"

#include <string.h>

#include "analysis/analysis.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/shell_quote.h"

static const char *const window_options[] = {"--from", "--to", "--at", NULL};
static const char *const task_options[] = {"--tid", "--pid", "-p", "--comm", "--cgroup", NULL};
/* Further ones that have a value behind them. */
static const char *const rest_options[] = {"--sort", "--kind", "--top", "--per", "--filter",
                                           "--min", "--by", "--cpu", "--period", "--wait", NULL};

static bool is_one_of(const char *word, const char *const *options)
{
	while (*options && strcmp(*options, word) != 0)
		options++;
	return *options;
}

/* The view that the word asks for; NULL: none. */
static const struct analysis *view_of(const char *word)
{
	size_t length;

	if (strncmp(word, "--", 2) != 0)
		return NULL;
	word += 2;
	length = strcspn(word, "=");
	for (size_t i = 0; analyses[i]; i++)
		if (strlen(analyses[i]->name) == length &&
		    memcmp(analyses[i]->name, word, length) == 0)
			return analyses[i];
	return NULL;
}

static void word_append(struct buffer *to, const char *word)
{
	buffer_putc(to, ' ');
	shell_quote_append(to, word);
}

/* "17", "web:17" */
static bool is_tid(const char *text)
{
	const char *colon = strrchr(text, ':'), *number = colon ? colon + 1 : text;

	return *number && number[strspn(number, "0123456789")] == 0;
}

static void view_read(struct question_parts *parts, const struct analysis *view, const char *word)
{
	const char *value = strchr(word, '=');

	word_append(&parts->view, word);
	if (!view->is_of_path || !value)
		return;
	word_append(&parts->tasks, is_tid(value + 1) ? "--tid" : "--comm");
	word_append(&parts->tasks, value + 1);
	parts->view_has_task = true;
}

bool question_parts_read(const char *options, struct question_parts *ret)
{
	_cleanup_(freep) char **word = NULL;
	size_t count = 0;

	ret->view_has_task = false;
	buffer_init(&ret->view, BUFFER_LIMIT_DEFAULT);
	buffer_init(&ret->window, BUFFER_LIMIT_DEFAULT);
	buffer_init(&ret->tasks, BUFFER_LIMIT_DEFAULT);
	buffer_init(&ret->rest, BUFFER_LIMIT_DEFAULT);
	word = shell_words_split(options, &count);
	for (size_t i = 0; i < count; i++) {
		const struct analysis *view = view_of(word[i]);
		bool is_window = is_one_of(word[i], window_options);
		bool is_task = is_one_of(word[i], task_options);
		struct buffer *to = is_window                          ? &ret->window
		                    : is_task || !strcmp(word[i], "--all") ? &ret->tasks
		                                                           : &ret->rest;

		if (view) {
			view_read(ret, view, word[i]);
			continue;
		}
		word_append(to, word[i]);
		if ((is_window || is_task || is_one_of(word[i], rest_options)) && i + 1 < count)
			word_append(to, word[++i]);
	}
	return word;
}

void question_parts_release(struct question_parts *parts)
{
	buffer_release(&parts->view);
	buffer_release(&parts->window);
	buffer_release(&parts->tasks);
	buffer_release(&parts->rest);
}

const char *question_view(const struct question_parts *parts)
{
	const struct analysis *view;
	const char *word = parts->view.text + strspn(parts->view.text, " ");
	_cleanup_(buffer_release) struct buffer first = buffer_of(BUFFER_LIMIT_DEFAULT);

	buffer_append(&first, word, strcspn(word, " "));
	view = view_of(first.text);
	return view ? view->name : NULL;
}

bool question_take(struct question_parts *parts, const char *option, struct buffer *value)
{
	_cleanup_(freep) char **word = NULL;
	size_t count = 0;
	bool was_there = false;

	word = shell_words_split(parts->rest.text, &count);
	buffer_clear(&parts->rest);
	for (size_t i = 0; i < count; i++) {
		if (strcmp(word[i], option) != 0) {
			word_append(&parts->rest, word[i]);
			continue;
		}
		was_there = true;
		if (!is_one_of(option, rest_options) || i + 1 == count)
			continue;
		i++;
		if (value)
			buffer_puts(value, word[i]);
	}
	return was_there;
}

void question_join(struct buffer *to, const struct question_parts *parts,
                   const struct buffer *window)
{
	_cleanup_(buffer_release) struct buffer joined = buffer_of(BUFFER_LIMIT_DEFAULT);

	buffer_printf(&joined, "%s%s%s%s", parts->view.text,
	              parts->view_has_task ? "" : parts->tasks.text,
	              window ? window->text : parts->window.text, parts->rest.text);
	buffer_puts(to, joined.text + strspn(joined.text, " "));
}

/* Appends the values of options, and the names of those without: what a user wants to see of
   them. */
static void values_append(struct buffer *to, const struct buffer *part)
{
	_cleanup_(freep) char **word = NULL;
	size_t count = 0;

	word = shell_words_split(part->text, &count);
	for (size_t i = 0; i < count; i++) {
		bool has_value = is_one_of(word[i], task_options) ||
		                 is_one_of(word[i], rest_options);

		if (has_value && i + 1 < count)
			buffer_printf(to, " %s", word[++i]);
		else
			buffer_printf(to, " %s", word[i] + strspn(word[i], "-"));
	}
}

static void window_append(struct buffer *to, const struct buffer *window)
{
	_cleanup_(freep) char **word = NULL;
	size_t count = 0;

	word = shell_words_split(window->text, &count);
	if (count > 1)
		buffer_printf(to, " at %s", word[1]);
}

void question_label_append(struct buffer *to, const struct question_parts *parts)
{
	const char *view = question_view(parts);

	buffer_puts(to, view ? view : "summary");
	values_append(to, &parts->tasks);
	values_append(to, &parts->rest);
	window_append(to, &parts->window);
}
