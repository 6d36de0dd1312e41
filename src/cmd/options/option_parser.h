/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Options as a table. A command keeps its settings in a struct of its own, describes the options
 * by rows that name members of that struct, and the same rows serve parsing, --help, the
 * completion of shells and the check of the man page. options_read() (commands.h) is what a
 * command calls.
 *
 *	struct x_options {
 *		bool is_quiet;
 *		nsec_t duration;
 *		struct string_list events;
 *	};
 *
 *	static const struct option_row rows[] = {
 *		OPT_BOOL('q', "quiet", struct x_options, is_quiet, "print only errors"),
 *		OPT_TIME('d', "duration", struct x_options, duration, "TIME", "record so long"),
 *		OPT_LIST('e', "events", struct x_options, events, "GROUP,...", "what to record"),
 *	};
 *	const struct option_set x_option_set = {
 *		.command = "x", .operands = "[FILE...]", .about = "What it does, in a sentence.",
 *		.rows = rows, .row_count = ARRAY_SIZE(rows),
 *	};
 *
 *	int x_command(int argc, char **argv)
 *	{
 *		struct x_options options = {.duration = NSEC_NEVER};	(defaults first)
 *		struct operands operands;
 *		int status;
 *
 *		status = options_read(&x_option_set, argc, argv, &options, &operands);
 *		if (status >= 0)
 *			return status;		(usage error, or --help was shown)
 *		...
 *		options_release(&x_option_set, &options);
 *	}
 *
 * Syntax: "--name=VALUE", "--name VALUE", "-nVALUE", "-n VALUE", bundled flags "-qv". Names are
 * never abbreviated. Options come before or after operands, "--" ends them, "-" alone is an
 * operand. A scalar given twice: the last one counts; lists grow. An optional value needs "=". -h
 * and --help work for every command and belong in no table.
 *
 * Strings are borrowed from argv, except the elements of a string_list, which the list owns.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/data/array.h"
#include "base/text/buffer.h"
#include "base/text/option_values.h"
#include "ftwait/nsec.h"

/* The text of help for the option --no-pager of all commands that have one. */
#define OPTION_NO_PAGER_HELP "no pager on a terminal ($FTWAIT_PAGER, $PAGER or less)"

#define OPTION_LIST_MAX 4096 /* maximal number of elements of a list option */

enum option_type {
	OPTION_HEADING,  /* no option: a heading for the following rows in --help */
	OPTION_EACH,     /* no option: stands for the options of another table, see `each_at` */
	OPTION_BOOL,     /* bool */
	OPTION_CONSTANT, /* const char *: set to `constant` */
	OPTION_STRING,   /* const char * */
	OPTION_OPTIONAL, /* struct optional_string */
	OPTION_COUNT,    /* uint64_t */
	OPTION_SIZE,     /* uint64_t, bytes */
	OPTION_TIME,     /* nsec_t */
	OPTION_CHOICE,   /* unsigned or an enum: index of the given value */
	OPTION_STRINGS,  /* struct string_list, repeatable, one element each time */
	OPTION_LIST,     /* struct string_list, repeatable, split at commas */
	OPTION_PIDS,     /* struct number_list, repeatable, "12,13" */
	OPTION_CPUS,     /* struct number_list, repeatable, "0,2-4" */
};

typedef const char *(*option_value_at)(size_t index);

/* Defines an option_value_at for a list of words, which may be designated. */
#define OPTION_WORDS(function, ...) \
	static const char *function(size_t index) \
	{ \
		static const char *const words[] = {__VA_ARGS__}; \
\
		return index < ARRAY_SIZE(words) ? words[index] : NULL; \
	}

/* A row of a table. Read it through option_row_at(), which replaces an OPTION_EACH by its
   options. */
struct option_row {
	enum option_type type;
	char letter;      /* 0: none */
	const char *name; /* without the dashes; the text of a heading */
	size_t offset;    /* of the member in the command's struct */
	const char *argument; /* name of the value in help; NULL: the option has no value */
	const char *help;     /* a phrase, no full stop; NULL: the list of values, if there is
	                         one */
	const char *groups;   /* groups of "record -e" that the option needs; NULL: none, or help
	                         does not mention them */
	const char *constant;
	/*
	 * The possible values, by index; NULL beyond the last. NULL: any value. Help shows them if
	 * `help` is NULL; "ftwait help --list" prints them. For OPTION_CHOICE the parser accepts
	 * no other value; for a string or a list the command checks the value itself, with a
	 * better error message.
	 */
	option_value_at value_at;
	option_value_at about_at; /* a phrase about the value of that index; NULL: none */
	bool is_of_processes; /* the value names processes that run, as pidof prints them */
	bool has_hosts; /* the elements of a list of numbers may be of one machine: "web:12" */
	bool needs_value; /* OPTION_EACH: the value may not be left out */
	bool is_hidden; /* for developers: not in help */
	/* Appends the text of help if it is made from other tables; NULL: `help` is the text. */
	void (*help_append)(struct buffer *to);
	/*
	 * OPTION_EACH: sets name, argument, help and groups of the option with that index;
	 * false beyond the last. Each is an OPTION_OPTIONAL, without a value if it has no
	 * argument, and with one that is taken as that of an OPTION_STRING if it needs_value; its
	 * member is the element with that index of the array at `offset`.
	 */
	bool (*each_at)(size_t index, struct option_row *ret);
};

struct option_set {
	const char *command;  /* "record"; error messages also know what users of other tools type
	                         behind it (other_tools.h) */
	const char *operands; /* for the usage line: "FILE..."; NULL: takes none */
	const char *about;    /* one or two sentences that help prints above the options; NULL:
	                         none */
	bool stops_at_operand; /* the first operand begins another program's command line */
	const struct option_row *rows;
	size_t row_count;
	/* NULL-ended: names of options, with "_" for "-", that this program was built without;
	   help and error messages say so; NULL: none. */
	const char *const *absent;
};

/* The rest of argv; argv[count] is NULL, so that it can be executed. */
struct operands {
	char **argv;
	size_t count;
	/*
	 * The user may have meant an operand as the value of the option before it, as dd in
	 * "--critical-path dd". `behind` is the first operand, before any "--", that follows an
	 * option whose optional value is not given; `behind_option` is the name of that option,
	 * borrowed from the table. Both are NULL if there is no such operand.
	 */
	const char *behind;
	const char *behind_option;
};

/* The offset of a member; checks its type. */
#define OPTION_OFFSET(s, member, type) \
	_Generic(((__typeof__(s) *)NULL)->member, type: offsetof(s, member))
/* After the help text further members may follow: .has_hosts = true. */
#define OPTION_ROW(kind, l, n, s, member, member_type, arg, ...) \
	.type = (kind), .letter = (l), .name = (n), .argument = (arg), \
	.offset = OPTION_OFFSET(s, member, member_type), .help = __VA_ARGS__

#define OPT_HEADING(text) {.type = OPTION_HEADING, .name = (text)}
#define OPT_EACH(s, member, at) \
	{.type = OPTION_EACH, .each_at = (at), \
	 .offset = OPTION_OFFSET(s, member[0], struct optional_string)}
#define OPT_BOOL(l, n, s, member, ...) \
	{OPTION_ROW(OPTION_BOOL, l, n, s, member, bool, NULL, __VA_ARGS__)}
#define OPT_CONSTANT(l, n, s, member, value, text) \
	{OPTION_ROW(OPTION_CONSTANT, l, n, s, member, const char *, NULL, text), \
	 .constant = (value)}
#define OPT_STRING(l, n, s, member, arg, ...) \
	{OPTION_ROW(OPTION_STRING, l, n, s, member, const char *, arg, __VA_ARGS__)}
#define OPT_OPTIONAL(l, n, s, member, arg, ...) \
	{OPTION_ROW(OPTION_OPTIONAL, l, n, s, member, struct optional_string, arg, __VA_ARGS__)}
#define OPT_COUNT(l, n, s, member, arg, text) \
	{OPTION_ROW(OPTION_COUNT, l, n, s, member, uint64_t, arg, text)}
#define OPT_SIZE(l, n, s, member, arg, text) \
	{OPTION_ROW(OPTION_SIZE, l, n, s, member, uint64_t, arg, text)}
#define OPT_TIME(l, n, s, member, arg, text) \
	{OPTION_ROW(OPTION_TIME, l, n, s, member, nsec_t, arg, text)}
/* The member becomes the index of the value given. */
#define OPT_CHOICE(l, n, s, member, at, arg, ...) \
	{OPTION_ROW(OPTION_CHOICE, l, n, s, member, unsigned, arg, __VA_ARGS__), .value_at = (at)}
/* A string, or elements of a list, with a list of usual values. */
#define OPT_STRING_OF(l, n, s, member, at, arg, text) \
	{OPTION_ROW(OPTION_STRING, l, n, s, member, const char *, arg, text), .value_at = (at)}
/* The same with help that is made from other tables, too. */
#define OPT_STRING_HELP(l, n, s, member, at, arg, append, ...) \
	{OPTION_ROW(OPTION_STRING, l, n, s, member, const char *, arg, NULL), \
	 .value_at = (at), .help_append = (append), __VA_ARGS__}
#define OPT_STRINGS(l, n, s, member, arg, ...) \
	{OPTION_ROW(OPTION_STRINGS, l, n, s, member, struct string_list, arg, __VA_ARGS__)}
#define OPT_LIST(l, n, s, member, arg, ...) \
	{OPTION_ROW(OPTION_LIST, l, n, s, member, struct string_list, arg, __VA_ARGS__)}
#define OPT_LIST_OF(l, n, s, member, at, arg, text) \
	{OPTION_ROW(OPTION_LIST, l, n, s, member, struct string_list, arg, text), \
	 .value_at = (at)}
#define OPT_PIDS(l, n, s, member, arg, ...) \
	{OPTION_ROW(OPTION_PIDS, l, n, s, member, struct number_list, arg, __VA_ARGS__)}
#define OPT_CPUS(l, n, s, member, arg, ...) \
	{OPTION_ROW(OPTION_CPUS, l, n, s, member, struct number_list, arg, __VA_ARGS__)}

#define OPTIONS_HELP 1 /* options_parse(): help is asked for */

/*
 * Reads argv into the struct. Returns 0, OPTIONS_HELP, or -EINVAL with a phrase in `why`. argv[0]
 * is skipped; operands are moved to the front of argv in their order; if `operands` of the set is
 * NULL, operands are an error. If the result is not 0, lists are released already.
 */
int options_parse(const struct option_set *set, int argc, char **argv, void *to,
                  struct buffer *why, struct operands *ret);
/* The row with that index, where each OPTION_EACH counts as its options; false beyond the last. */
bool option_row_at(const struct option_set *set, size_t index, struct option_row *ret);
/* The row with that name of `length` bytes, or that letter; false: there is none. */
bool option_find_name(const struct option_set *set, const char *name, size_t length,
                      struct option_row *ret);
bool option_find_letter(const struct option_set *set, char letter, struct option_row *ret);
/* "text, json or csv": the values in words; `last` precedes the last one, ", " or " or ". */
void option_values_append(struct buffer *to, option_value_at value_at, const char *last);
/* Frees what the lists of the struct own and empties them. */
void options_release(const struct option_set *set, void *to);
