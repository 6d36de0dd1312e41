/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of tracepoints that can be read from text. Each row describes how kernels print the
 * tracepoint, and the fields of the binary record made from such a line. Records have a layout of
 * our own. It is described by format texts like those of a kernel, so the decoder handles records
 * from text like all others.
 *
 * To add a tracepoint, add a row in text_events.c. The tracepoint must be in src/catalog/, and the
 * fields must have the names that its row there uses.
 */
#pragma once

#define TEXT_PATTERNS_MAX 4

struct text_event {
	/* A tracepoint may have several rows. They are adjacent, and have the same fields. */
	const char *system, *name;
	const char *printed; /* the first word of the text, with a colon; NULL: name */
	/*
	 * "name:type ...". The type is one letter:
	 *	d u      int, unsigned int, in decimal    l  long, in decimal
	 *	x        a 64-bit number in hexadecimal, with or without 0x
	 *	t        text of at most 15 bytes         s  text of at most 4096 bytes
	 *	r        as s, stored at the end of the record; only as the last field
	 *	f        address of a named function      c  an address inside a named function
	 *	V        a device, "8,1" or "8:1" or "0x8:0x1"
	 *	b        "true", "begin" or "1"; "false", "end" or "0"
	 *	a        6 numbers in hexadecimal         S  the state of sched_switch
	 *	M        the mode of an hrtimer           L  flags of a contended lock
	 *	T        the type of a file lock
	 */
	const char *fields;
	/*
	 * Patterns for the line after `printed`, those of newer kernels first; the first that fits
	 * is used. {name} matches the value of a field, {*} any text, a blank one or more blanks;
	 * all other bytes match themselves. The pattern need not cover the whole line.
	 */
	const char *pattern[TEXT_PATTERNS_MAX];
	const char *print_format; /* "print fmt" of the format; NULL: no reader needs it */
};

/* The last row has no system. */
extern const struct text_event text_events[];
