/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is possible at the cursor of a command line that is being typed, according to the tables of
 * commands and options. The words are those of the shell, as typed, the name of the program first;
 * word `at` is the one at the cursor, cut there. Later words matter, too: they may name the
 * recording.
 */
#pragma once

#include <stddef.h>

#include "command_table.h"
#include "engine/report_run.h"

enum completion_ask {
	COMPLETION_NOTHING,
	COMPLETION_COMMANDS,
	COMPLETION_OPTIONS,
	COMPLETION_VALUES, /* values of an option, or an operand: `values` says of which kind */
};

struct completion_request {
	enum completion_ask ask;
	const struct command *command; /* NULL: COMPLETION_COMMANDS of main() itself */
	enum option_values values;
	struct option_row row; /* the value's option; name NULL: an operand */
	/* The word at the cursor, borrowed: [0, element) is kept, the rest is completed. */
	const char *raw;
	size_t element;
	size_t value;    /* where the option's value begins in it */
	char *text;      /* the meaning of [element, end); owned */
	char *kept;      /* the meaning of [0, element); owned */
	size_t program;  /* for VALUES_PROGRAMS: index of the word that begins the other command
	                    line */
	char *recording; /* the first recording on the command line; owned; NULL: none */
	bool views[REPORT_VIEWS_MAX]; /* asked views, in the order of `analyses` */
};

void completion_request_read(struct completion_request *ret, char *const *words, size_t count,
                             size_t at);
void completion_request_release(struct completion_request *request);
