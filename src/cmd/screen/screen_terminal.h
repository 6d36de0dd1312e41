/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A terminal with a screen on it and keys from it: what `top` and `browse` have in common. It joins
 * raw_terminal.h, live/screen.h and live/keys.h; their contracts hold.
 *
 *	if (!screen_terminal_begin(&terminal))
 *		...			(no terminal that has a screen)
 *	for (;;) {
 *		poll(terminal.epoll_fd)
 *		if (!screen_terminal_take_news(&terminal))
 *			break;
 *		while ((key = screen_terminal_key(&terminal)) > KEY_NONE)
 *			...
 *		draw on terminal.screen; screen_terminal_flush(&terminal);
 *	}
 *	screen_terminal_end(&terminal);
 */
#pragma once

#include <stdbool.h>

#include "ftwait/nsec.h"
#include "live/keys.h"
#include "live/screen.h"

struct screen_terminal {
	struct screen *screen; /* NULL: it has not begun */
	int epoll_fd;          /* readable when there are keys or news, or what else is watched */
	struct key_decoder keys;
	nsec_t escape_at;      /* when the last byte came */
};

/* Makes the epoll_fd. */
void screen_terminal_init(struct screen_terminal *terminal);
/* False: there is no terminal for a screen, or no keyboard. */
bool screen_terminal_begin(struct screen_terminal *terminal);
/* Watches a descriptor, too, until it is closed. */
void screen_terminal_watch(const struct screen_terminal *terminal, int fd);
/* Gives the terminal to another process, until the next screen_terminal_begin(), which draws all
   anew. Meanwhile nothing is ready, and there are no keys and no news to be taken. */
void screen_terminal_lend(struct screen_terminal *terminal);
/* Gives the terminal back, and releases all. */
void screen_terminal_end(struct screen_terminal *terminal);
/* Follows a new size. False: the terminal asks for the end. */
bool screen_terminal_take_news(struct screen_terminal *terminal);
/* The next key; KEY_NONE: none so far; -1: the terminal is gone. */
int screen_terminal_key(struct screen_terminal *terminal);
/* Whether a drawing would be sent: a slow line that has not sent the last one yet gets the next one
   instead. */
bool screen_terminal_is_ready(void);
/* Sends what has changed. */
void screen_terminal_flush(struct screen_terminal *terminal);
