/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The commands: one file each. A command gets its own words (argv[0] is its name), prints its
 * results on standard output and one line on standard error when it fails, and returns the exit
 * status; it never exits. main() flushes standard output and turns a failed write into a failure.
 * SIGPIPE is ignored; code that starts another program resets it to SIG_DFL in the child.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "cmd/options/option_parser.h"

struct report_options;

enum exit_status {
	STATUS_FINE = 0,
	STATUS_FAILED = 1,   /* it failed; one line says what failed, on which file or option,
	                        why, and the remedy */
	STATUS_USAGE = 2,    /* wrong command line */
	STATUS_IMPAIRED = 3, /* --strict: events were lost or the input was damaged; check: the
	                        recordings are not fit to judge */
	STATUS_NOT_KEPT = 125, /* of a report in a process of browse: the recording is to be read
	                          anew */
	STATUS_CHANGED = 4,  /* a comparison found what it was to fail over, a budget is broken */
};

#define OPTIONS_GO_ON (-1) /* options_read(): the command continues */

/*
 * Reads a command's own words (option_parser.h). Prints help, or the one line of a usage error.
 * Returns OPTIONS_GO_ON, or the exit status of the command: STATUS_FINE after --help, STATUS_USAGE;
 * then `to` holds nothing to release.
 */
int options_read(const struct option_set *set, int argc, char **argv, void *to,
                 struct operands *ret);

int record_command(int argc, char **argv);
int report_command(int argc, char **argv);
int why_command(int argc, char **argv);
int explain_command(int argc, char **argv);
int browse_command(int argc, char **argv);
int top_command(int argc, char **argv);
int shot_command(int argc, char **argv);
int diff_command(int argc, char **argv);
int check_command(int argc, char **argv);
int schema_command(int argc, char **argv);
int list_command(int argc, char **argv);
int doctor_command(int argc, char **argv);
int cleanup_command(int argc, char **argv);
int help_command(int argc, char **argv);
/* What "ftwait help" and "ftwait --help" print. */
void help_overview_print(FILE *out);
/* report_command() with other defaults than those of the command line. */
int report_command_as(int argc, char **argv, const struct report_options *defaults);
/* One report, from the opening of the recording to the exit status. `label`: what the report calls
   the recording; NULL: its path. Errors are printed here. */
int report_file(const struct report_options *options, const char *path, const char *label);
/* `report --follow`: reads a stream while it is written, and reports on each period as soon as the
   stream has reached its end: a block of text, or a line of JSON. It ends with the stream or a
   signal, and then reports on what there is of the last period. `path`: "-" is standard input.
   Returns the exit status; errors are printed here. */
int report_follow(const struct report_options *options, const char *path);

extern const struct option_set record_option_set;
extern const struct option_set report_option_set;
extern const struct option_set why_option_set;
extern const struct option_set explain_option_set;
extern const struct option_set browse_option_set;
extern const struct option_set top_option_set;
extern const struct option_set shot_option_set;
extern const struct option_set diff_option_set;
extern const struct option_set check_option_set;
extern const struct option_set schema_option_set;
extern const struct option_set list_option_set;
extern const struct option_set doctor_option_set;
extern const struct option_set cleanup_option_set;
extern const struct option_set help_option_set;

/* The only list of commands; help and main() use it. */

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
