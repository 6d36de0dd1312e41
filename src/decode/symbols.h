/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of kernel functions, and of variables, by address, from the kallsyms that the trace
 * carries, or from a text of that form. Nothing is read before the first lookup, or
 * symbols_read(); then all of it is read once and about 40 bytes a symbol are kept, for at most
 * SYMBOLS_MAX symbols of either kind. A kernel that hides its addresses writes zeros: no names
 * then. Of several names at one address always the same is returned: a function's own before
 * aliases and marks of sections, global before local before weak ones.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ftwait/source.h"

#define SYMBOLS_MAX (1u << 20)

struct symbols;

/* Lines of /proc/kallsyms or of a System.map, which has no modules; borrowed. */
struct symbol_text {
	const char *text;
	size_t length;
	uint64_t shift;   /* what is added to each address, modulo 2^64 */
	bool has_modules; /* whether to read symbols of modules: only this boot has them there */
};

/* The source must outlive it. */
struct symbols *symbols_new(struct source *source);
/* Reads the text instead of a source. *text is copied; the string must outlive the result. */
struct symbols *symbols_new_of_text(const struct symbol_text *text);
/* Keeps variables, too, which are rarely needed; call before the first lookup. */
void symbols_keep_objects(struct symbols *symbols);
/* Keeps no functions of modules; call before the first lookup. */
void symbols_leave_modules(struct symbols *symbols);
struct symbols *symbols_free(struct symbols *symbols);
/* Reads the symbols, unless that was done: afterwards the source is not used any more. */
void symbols_read(struct symbols *symbols);
bool symbols_are_read(const struct symbols *symbols);
/* The begins of the functions, each once, in ascending order. */
uint64_t symbols_function_at(struct symbols *symbols, size_t index);
size_t symbols_function_count(struct symbols *symbols);
/* The function that begins at the address; NULL: none is known. Bit 0 may be set (Thumb). */
const char *symbols_find(struct symbols *symbols, uint64_t address);
/*
 * The function that contains the address, judged by its begin; NULL: none is known. For a place on
 * a stack pass the byte before it, the end of the call that returns there.
 */
const char *symbols_find_within(struct symbols *symbols, uint64_t address);
/* The variable that begins at the address; NULL: none is known. */
const char *symbols_find_object(struct symbols *symbols, uint64_t address);

/*
 * Decides whether symbols belong to the kernel of a recording, and computes the KASLR offset (the
 * "shift") between the two.
 *
 * Evidence: events of timers and work items contain the address of a callback, so a function must
 * begin there. KASLR moves the whole kernel by one offset: if a callback is assumed to be a certain
 * symbol, the difference of the two addresses is the shift, and all other callbacks must then be at
 * the beginning of a function, too. About one in 16 possible addresses is the beginning of a
 * function, so a few callbacks suffice. Tasks go to sleep in one function only, __schedule(), which
 * few functions call; so stacks of sleeping tasks are evidence, too.
 */

/* __schedule() is among this many innermost frames of a stack; the functions that write the event
   may precede it. */
#define SLEEP_FRAMES 5
/* More evidence takes time, but proves no more. */
#define FIT_FUNCTIONS_MAX 256
#define FIT_SLEEPS_MAX    64

struct symbol_evidence {
	uint64_t function[FIT_FUNCTIONS_MAX]; /* begins of functions, each once */
	size_t function_count;
	uint64_t sleep[FIT_SLEEPS_MAX][SLEEP_FRAMES]; /* return addresses; 0: no more frames */
	size_t sleep_count;
};

enum symbol_fit_kind {
	FIT_PROVEN,
	FIT_UNKNOWN,   /* there is too little evidence, and it does not contradict shift 0 */
	FIT_AMBIGUOUS, /* shift 0 is wrong, and there is too little evidence for another shift */
	FIT_WRONG,     /* the symbols contradict the evidence at every shift: another kernel */
};

struct symbol_fit {
	enum symbol_fit_kind kind;
	uint64_t shift; /* what to add to the symbols' addresses, modulo 2^64 */
	/* With the best shift: addresses of functions within the kernel, and how many of these are
	   at the begin of one. */
	size_t functions, begins;
};

/* `symbols` must be without those of modules, and not be shifted. */
struct symbol_fit symbol_fit_find(struct symbols *symbols, const struct symbol_evidence *evidence);
/* Adds an address where a function begins, unless it is known already or there are enough. */
void symbol_evidence_add(struct symbol_evidence *evidence, uint64_t function);
