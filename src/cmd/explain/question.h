/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A question in a user's words, as the view and the tasks that answer it: words that name a view, a
 * group of events, a cause or an aim, words that people use for these, and names and numbers of
 * tasks. It is looked up in tables; nothing is guessed.
 */
#pragma once

#include "base/text/option_values.h"
#include "cmd/options/report_options.h"

struct task_question {
	const struct analysis *view; /* NULL: the question names none */
	const char *kind;   /* of waits, with the view `waits`; NULL: any */
	struct string_list tasks; /* the words that no table has: they are names, or nothing */
	struct number_list pids;
};

/* The words of the question follow each other; each may have blanks in it. */
void question_understand(const char *const *words, size_t count, struct task_question *ret);
void task_question_release(struct task_question *question);
/* Adds view, tasks and kind to the options, which still own them after the question's release. */
void question_ask(const struct task_question *question, struct report_options *options);
/* Appends what can be asked beside names of tasks, for an error message: "disk, lock, net". */
void question_words_append(struct buffer *to);
