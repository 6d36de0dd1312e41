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

/* What names are of; several may be asked for. */
enum symbol_kind {
	/*
	 * What an address in a trace can be told by: text at an address that is told. Labels that
	 * assemblers and linkers leave, marks of code and constants, and the padding before
	 * functions are none. ".name" may be one: the entry of a function on 64-bit PowerPC (ELF
	 * ABI version 1), a label within a function elsewhere; only the whole of the symbols tells
	 * which.
	 */
	SYMBOL_FUNCTION = 1,
	SYMBOL_OBJECT = 2, /* data of the kernel or of a module */
};

struct symbol_line {
	uint64_t address; /* never 0, by which the kernel hides its addresses */
	enum symbol_kind kind;
	char type;        /* letter of nm(1) */
	const char *name; /* not terminated */
	size_t name_length; /* without the module */
	const char *end;    /* of the line */
};

/*
 * `end` is where the newline stands, or the text ends; `kinds` are what is asked for. False: no
 * line of one of these; *ret is as it was. The others cost little: a kernel has 50,000 to 200,000
 * lines, of which few are ever asked for.
 */
bool symbol_line_parse(const char *line, const char *end, unsigned kinds, struct symbol_line *ret);
