/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether symbols are those of the kernel of a recording, and by how much that kernel was moved
 * when it was booted (KASLR): by addresses of the recording of which is known what is there.
 *
 * Timers and work items name their functions by address, so at each of these a function begins.
 * A kernel is moved as a whole: if some such address belongs to a symbol, the difference of the two
 * is the shift, and all others must then be at the begin of a function, too. Functions begin at one
 * in about 16 of the possible addresses, so that a few of them suffice to tell. Tasks go to sleep
 * in one function only, __schedule(), which few others call; where they are on stacks of tasks that
 * went to sleep tells the same.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "symbols.h"

/* Innermost frames of a stack among which __schedule() is; before it there may be the functions
   that wrote the event. */
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
	FIT_AMBIGUOUS, /* shift 0 is wrong, and too little evidence tells which is right */
	FIT_WRONG,     /* with no shift the symbols are those of this kernel */
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
