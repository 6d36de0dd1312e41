/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The terminal of a command that draws a screen and reads single keys: without echo, on the
 * alternate screen where the terminal has one, without a cursor. A process has only one.
 *
 * However the process ends or stops, but for SIGKILL and SIGSTOP, the terminal is first as it was:
 *   SIGINT, SIGTERM, SIGHUP, SIGQUIT  the handler that the process had before is called, too. If it
 *	had none, the first such signal only asks for the end (raw_terminal_news()), the second one
 *	ends the process
 *   other signals that end it         if the process had no handler for them
 *   SIGTSTP                           then it stops; when it goes on, the screen is to be redrawn
 * Ignored signals stay ignored. So a command installs its own handlers first.
 *
 * Nothing else may be written to the terminal meanwhile; a message would stay on the screen until
 * the next redraw of all.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/*
 * Begins, if standard output is a terminal that obeys escape sequences, and there is a keyboard:
 * standard input if that is a terminal, else the process's terminal. False: nothing has changed,
 * and blocks of text are what can be shown.
 */
bool raw_terminal_begin(void);
/* Gives the terminal back; does nothing if that has been done. */
void raw_terminal_end(void);

/* Where keys are read from (live/keys.h). At its end, or an error, the terminal is gone. */
int raw_terminal_keyboard(void);
/* Becomes readable when there are news. */
int raw_terminal_news_fd(void);

struct raw_terminal_news {
	bool is_resized;
	bool is_resumed; /* redraw all, as it is not known what the terminal shows */
	int ended_by;    /* the first signal that asked for the end; 0: none */
};

/* What happened since the last call. */
struct raw_terminal_news raw_terminal_news(void);

/* 80x24 where the terminal does not know its size, as on serial lines. */
void raw_terminal_size(size_t *ret_rows, size_t *ret_columns);
/* Whether the terminal takes bytes at once. A slow line may not have sent the last drawing yet, or
   Ctrl-S stands on it: then leave a drawing out. */
bool raw_terminal_is_ready(void);
/* Waits until all is written, or the terminal has been given back. False: the terminal is gone. */
bool raw_terminal_write(const char *bytes, size_t length);
