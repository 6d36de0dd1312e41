/* SPDX-License-Identifier: GPL-2.0-or-later */
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
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "symbols.h"

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
