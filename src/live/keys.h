/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keys from the bytes of a keyboard: ECMA-48 sequences as sent by xterm, rxvt, the Linux console,
 * screen, tmux and the VT100 family. Sequences may come in pieces. Unknown ones, and keys together
 * with Alt, are dropped as a whole, so that none of their letters counts as a key.
 *
 * Escape alone is also the begin of every sequence. So it is a key only if nothing follows for some
 * time, which the caller measures: on a slow line about 50 to 100 ms.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Printable ASCII is its own key. */
enum key {
	KEY_NONE = 0, /* no key, or not yet */
	KEY_ENTER = 0x100,
	KEY_ESCAPE,
	KEY_BACKSPACE,
	KEY_DELETE,
	KEY_UP,
	KEY_DOWN,
	KEY_LEFT,
	KEY_RIGHT,
	KEY_HOME,
	KEY_END,
	KEY_PAGE_UP,
	KEY_PAGE_DOWN,
	KEY_F1,
	KEY_F10,
	KEY_CTRL_C,   /* where it is no signal */
	KEY_CTRL_L,
};

#define KEY_SEQUENCE_MAX 16  /* bytes of a sequence that can be known */
#define KEY_STRING_MAX   4096 /* bytes of a control string that are dropped */

/* All zero at the begin. */
struct key_decoder {
	enum {
		KEYS_PLAIN,
		KEYS_ESCAPE,  /* behind ESC */
		KEYS_CONTROL, /* in ESC [ */
		KEYS_LINUX,   /* behind ESC [ [, which only the Linux console sends */
		KEYS_SHIFT,   /* behind ESC O */
		KEYS_STRING,  /* in an answer of the terminal, up to BEL or ESC \ */
	} state;
	char sequence[KEY_SEQUENCE_MAX]; /* behind ESC [ */
	size_t length; /* all of it, also what there was no room for */
};

/* Returns the key that the byte completes, an enum key or a character; KEY_NONE if none. */
int key_decode(struct key_decoder *decoder, unsigned char byte);
/* Whether key_timeout() is to be called if no more bytes come. */
bool key_is_pending(const struct key_decoder *decoder);
/* No byte came for some time: returns KEY_ESCAPE if ESC was the last one, else KEY_NONE. */
int key_timeout(struct key_decoder *decoder);
