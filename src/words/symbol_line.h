/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A line of /proc/kallsyms, "ffffffff810c1a00 T name\t[module]", and whether it names a function or
 * a variable. Borrows the line.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a symbol is; several kinds may be requested. */
enum symbol_kind {
	/*
	 * Names for code addresses in a trace: text at a known address. Excluded are labels left by
	 * assemblers and linkers, marks of code and constants, and the padding before functions.
	 * ".name" may be the entry of a function, on 64-bit PowerPC (ELF ABI version 1), or a label
	 * within a function, elsewhere; only all symbols together show which.
	 */
	SYMBOL_FUNCTION = 1,
	SYMBOL_OBJECT = 2, /* data of the kernel or of a module */
};

struct symbol_line {
	uint64_t address; /* never 0, which the kernel shows for hidden addresses */
	enum symbol_kind kind;
	char type;        /* letter of nm(1) */
	const char *name; /* not terminated */
	size_t name_length; /* without the module */
	const char *end;    /* of the line */
};

/*
 * `end` is the newline or the end of the text; `kinds` are requested. Returns false, with *ret
 * unchanged, if the line has no symbol of these kinds. Skipped lines are cheap: a kernel has 50,000
 * to 200,000 lines, of which few are ever requested.
 */
bool symbol_line_parse(const char *line, const char *end, unsigned kinds, struct symbol_line *ret);
