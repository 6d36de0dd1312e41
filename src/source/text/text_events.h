/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tracepoints that are read from text, in one table: how kernels print them, and the fields of
 * the record that a line is turned into. The records have a layout of our own, described by format
 * texts like those of a kernel, so that what reads records needs not know of text.
 *
 * To add one: a row in text_events.c, for a tracepoint that src/catalog/ has, with the names of
 * fields that its row there reads.
 */
#pragma once

#include <stddef.h>

#define TEXT_PATTERNS_MAX 4

struct text_event {
	/* Rows of one tracepoint follow each other, and have the same fields. */
	const char *system, *name;
	const char *printed; /* the first word of the text; NULL: the name and a colon */
	/*
	 * "name:type ...", where the type is a letter:
	 *	d u      int, unsigned int, in decimal    l  long, in decimal
	 *	x        a 64-bit number in hexadecimal, with or without 0x
	 *	t        text of at most 15 bytes         s  text of any length
	 *	r        the rest of the record, as a text; the last field
	 *	f        a function's name                c  the same: an address in that function
	 *	V        a device, "8,1" or "8:1" or "0x8:0x1"
	 *	b        "true", "begin" or 1, or the     a  6 numbers in hexadecimal
	 *	         contrary
	 *	S        the state of sched_switch        M  the mode of an hrtimer
	 *	L        flags of a contended lock        T  the type of a file lock
	 */
	const char *fields;
	/*
	 * How the line goes on, by releases, the newest first. {name} stands for a field; {*} for
	 * anything; a blank for one or more of them; other bytes for themselves. More may follow
	 * behind a blank.
	 */
	const char *pattern[TEXT_PATTERNS_MAX];
	const char *print_format; /* NULL: what reads the records needs none */
};

/* Ended by a row without a system. */
extern const struct text_event text_events[];
