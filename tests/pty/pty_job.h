/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A command on a terminal of its own, in the foreground, under a shell: a process that has the
 * session, and continues the command after a stop. What the command writes is shown on a screen.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <termios.h>

#include "vt_screen.h"

struct pty_job {
	int fd;              /* the terminal's other side; -1: hung up */
	int shell_fd;        /* of the shell: orders to it, states of the command from it */
	pid_t shell, command;
	bool has_status, is_stopped;
	int status;          /* as of waitpid() */
	struct termios before; /* the terminal's attributes at the begin */
	struct vt_screen screen;
	/* Bytes that came since pty_job_count(), in all and at most in one redraw: so much as comes
	   without a pause of PTY_PAUSE_MS; how many redraws. */
	int64_t counted_since, last_byte_at;
	size_t bytes, redraws, redraw_bytes, redraw_bytes_max;
};

#define PTY_PAUSE_MS 60

int64_t pty_now_ms(void);
/* Sizes 0: the terminal does not know its size; its screen has 80x24 then. False: errno. */
bool pty_job_begin(struct pty_job *job, size_t rows, size_t columns, char **argv);
/* Takes what comes in that time; less long if something came, or the command changed its state. */
void pty_job_take(struct pty_job *job, int64_t ms);
void pty_job_count(struct pty_job *job);
bool pty_job_type(const struct pty_job *job, const char *bytes, size_t length);
/* Also to the model of the screen. */
bool pty_job_resize(struct pty_job *job, size_t rows, size_t columns);
/* As `fg` does. */
bool pty_job_continue(struct pty_job *job);
/* The line goes away. */
void pty_job_hang_up(struct pty_job *job);
/* Whether the terminal has the attributes that it had at the begin. */
bool pty_job_is_restored(const struct pty_job *job);
/* Ends the command by force if it has not ended, and the shell. */
void pty_job_end(struct pty_job *job);
