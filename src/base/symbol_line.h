/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A line of /proc/kallsyms, "ffffffff810c1a00 T name\t[module]", and whether it names a function or
 * a variable.
 * Borrows the line.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symbol_line {
	uint64_t address; /* 0: the kernel hides its addresses */
	char type;        /* letter of nm(1) */
	const char *name; /* not terminated */
	size_t name_length; /* without the module */
	const char *end;    /* of the line */
};

/* `end` is where the newline stands, or the text ends. False: no such line; *ret is as it was. */
bool symbol_line_parse(const char *line, const char *end, struct symbol_line *ret);
/* Whether it names a variable: data of the kernel or of a module. */
bool symbol_line_is_object(const struct symbol_line *line);
/*
 * Whether an address in a trace can be told by this name: text at an address that is told. Labels
 * that assemblers and linkers leave, marks of code and constants, and the padding before functions
 * are none. ".name" may be one: the entry of a function on 64-bit PowerPC (ELF ABI version 1), a
 * label within a function elsewhere; only the whole of the symbols tells which.
 */
bool symbol_line_is_function(const struct symbol_line *line);
