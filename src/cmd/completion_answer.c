/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "completion_answer.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/text/parse.h"
#include "base/xalloc.h"
#include "commands.h"
#include "completion_values.h"
#include "shell_word.h"

#define SECONDS_MAX 2
#define SPLITTING   "=:@" /* characters in the program's words at which bash splits the words */

/* The words as they were before bash split them. */
struct word_list {
	char **word; /* owned */
	size_t count, capacity;
	size_t at;     /* index of the word at the cursor */
	size_t before; /* bytes of that word that bash does not replace */
};

const char *completion_shell_at(size_t index)
{
	static const char *const names[] = {
		[COMPLETION_BASH] = "bash", [COMPLETION_ZSH] = "zsh", [COMPLETION_FISH] = "fish",
	};

	return index < ARRAY_SIZE(names) ? names[index] : NULL;
}

static void word_list_release(struct word_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->word[i]);
	free(list->word);
}

static bool is_splitting(const char *piece)
{
	return *piece && !piece[strspn(piece, SPLITTING)];
}

static void word_list_add(struct word_list *list, const char *piece, bool joins)
{
	char *whole;

	if (!joins) {
		ARRAY_GROW(list->word, list->count, list->capacity);
		list->word[list->count++] = xstrdup(piece);
		return;
	}
	whole = xasprintf("%s%s", list->word[list->count - 1], piece);
	free(list->word[list->count - 1]);
	list->word[list->count - 1] = whole;
}

/* Joins the pieces that bash has made of words. A piece after the cursor does not belong to the
   word at the cursor. */
static void words_join(struct word_list *ret, char *const *pieces, size_t count, size_t at,
                       bool is_split)
{
	*ret = (struct word_list){0};
	for (size_t i = 0; i < count; i++) {
		bool joins = is_split && i > 1 && i != at + 1 &&
		             (is_splitting(pieces[i]) || is_splitting(pieces[i - 1]));

		word_list_add(ret, pieces[i], joins);
		if (i != at)
			continue;
		ret->at = ret->count - 1;
		ret->before = strlen(ret->word[ret->at]);
		if (!is_splitting(pieces[i]))
			ret->before -= strlen(pieces[i]);
	}
}

/* The number of bytes of text that [begin, end) of the word stands for. */
static size_t meaning_bytes(const char *raw, size_t begin, size_t end)
{
	char unused;
	_cleanup_(freep) char *text = shell_word_read(raw + begin, end - begin, &unused);

	return strlen(text);
}

/* Appends the text that bash inserts. bash replaces the word from the place where it has split the
   word, or from after an open quote. bash quotes names of files and folders itself. */
static void bash_text_append(struct buffer *to, const struct completion_request *request,
                             size_t before, const char *text, bool is_file)
{
	size_t open = shell_word_open_quote(request->raw);
	char quote = request->raw[open];
	size_t from = quote && open + 1 > before ? open + 1 : before;
	size_t known = 0;

	if (from < request->element) {
		char open_at_element;

		free(shell_word_read(request->raw, request->element, &open_at_element));
		buffer_append(to, request->raw + from, request->element - from);
		/* a quote that is closed in the part that is replaced */
		if (!quote && open_at_element)
			buffer_putc(to, open_at_element);
	} else {
		known = meaning_bytes(request->raw, request->element, from);
	}
	if (known > strlen(text))
		return;
	if (is_file) {
		buffer_puts(to, text + known);
		return;
	}
	shell_word_write(to, text + known, quote);
	/* bash closes a quote, but not if the text ends with one */
	if (quote && to->length > 0 && to->text[to->length - 1] == quote)
		buffer_putc(to, quote);
}

static bool request_is_of_files(const struct completion_request *request)
{
	return request->ask == COMPLETION_VALUES &&
	       (request->values == VALUES_FILES || request->values == VALUES_FOLDERS ||
	        request->values == VALUES_RECORDINGS);
}

static void print_bash(FILE *out, const struct completion_request *request, size_t before,
                       const struct candidate_list *list)
{
	bool is_file = request_is_of_files(request);

	for (size_t i = 0; i < list->count; i++) {
		_cleanup_(buffer_release) struct buffer text = {0};

		buffer_init(&text, BUFFER_LIMIT_DEFAULT);
		bash_text_append(&text, request, before, list->item[i].text, is_file);
		(void)fprintf(out, "%s\n", text.text);
	}
}

/* Prints candidates with descriptions. `kept` is put before each one: fish compares whole words,
   zsh only the part after it, so it is "" there. */
static void print_described(FILE *out, const char *kept, const struct candidate_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct candidate *item = &list->item[i];

		(void)fprintf(out, "%s%s%s%s\n", kept, item->text, item->about ? "\t" : "",
		              item->about ? item->about : "");
	}
}

static const char *answer_kind(const struct completion_request *request)
{
	if (request->ask == COMPLETION_NOTHING)
		return "nothing";
	if (request->ask != COMPLETION_VALUES)
		return "words";
	if (request->values == VALUES_FILES)
		return "files";
	if (request->values == VALUES_FOLDERS)
		return "folders";
	if (request->values == VALUES_RECORDINGS)
		return "recordings";
	return request->values == VALUES_PROGRAMS ? "programs" : "words";
}

static void answer(FILE *out, enum completion_shell shell, const struct word_list *words)
{
	struct completion_request request;
	struct candidate_list list = {0};
	const char *kind;

	completion_request_read(&request, words->word, words->count, words->at);
	kind = answer_kind(&request);
	if (strcmp(kind, "programs") == 0)
		(void)fprintf(out, "%s %zu\n", kind, request.program);
	else if (shell == COMPLETION_FISH)
		(void)fprintf(out, "%s %s\n", kind, request.kept ? request.kept : "");
	else
		(void)fprintf(out, "%s %.*s\n", kind, (int)request.element, request.raw);
	if (strcmp(kind, "words") == 0)
		completion_values(&request, &list);
	else if (request_is_of_files(&request) && shell == COMPLETION_BASH)
		completion_files(&request, &list);
	else if (request_is_of_files(&request) && shell == COMPLETION_FISH)
		(void)fprintf(out, "%s\n", request.text);
	if (shell == COMPLETION_BASH)
		print_bash(out, &request, words->before, &list);
	else
		print_described(out, shell == COMPLETION_FISH ? request.kept : "", &list);
	candidate_list_release(&list);
	completion_request_release(&request);
}

static void on_deadline(int number)
{
	(void)number;
	_exit(STATUS_FAILED);
}

/* Ends the program if it takes too long: a file may be large or its file system slow, and the shell
   is blocked during completion. */
static void effort_limit(void)
{
	(void)signal(SIGALRM, on_deadline);
	(void)alarm(SECONDS_MAX);
}

int completion_answer(FILE *out, enum completion_shell shell, char *const *words, size_t count)
{
	struct word_list list;
	uint64_t at;

	if (count < 2 || parse_u64(words[0], &at) < 0 || at < 1 || at >= count - 1)
		return STATUS_USAGE;
	effort_limit();
	words_join(&list, words + 1, count - 1, (size_t)at, shell == COMPLETION_BASH);
	answer(out, shell, &list);
	word_list_release(&list);
	return STATUS_FINE;
}

void completion_fixed_print(FILE *out)
{
	for (size_t c = 0; c < command_count; c++) {
		struct option_row row;

		for (size_t i = 0; option_row_at(commands[c].options, i, &row); i++)
			for (size_t at = 0; !row.is_hidden && row.value_at && row.value_at(at);
			     at++)
				(void)fprintf(out, "%s %s %s\n", commands[c].name, row.name,
				              row.value_at(at));
	}
}
