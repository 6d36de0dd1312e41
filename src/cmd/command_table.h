/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The only list of commands; help and main() use it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "cmd/options/option_parser.h"

struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	const struct option_set *options;
	const char *summary; /* a phrase, no full stop */
};

extern const struct command commands[];
extern const size_t command_count;

/* Finds the command of that name; NULL: there is none. */
const struct command *command_find(const char *name);
/* The command that was probably meant; NULL: no name is similar. */
const char *command_suggest(const char *name);
/* Whether this program was built without the command; if so, prints that. `before`: prefix of the
   message, such as "help: ". */
bool command_is_absent(const char *before, const char *name);
/* Prints that there is no such command, and a suggestion. */
void command_complain(const char *name);

/* Questions that users have, and the options of `ftwait report` that answer them. */

#define QUESTIONS "questions" /* an operand of "ftwait help" that is no command */

struct common_question {
	const char *question; /* a phrase */
	const char *options;  /* with blanks between, as they are typed */
};

extern const struct common_question common_questions[];
extern const size_t common_question_count;

/* What "ftwait help questions" prints: one screen of 80 columns and 24 lines. */
void question_table_print(FILE *out);
