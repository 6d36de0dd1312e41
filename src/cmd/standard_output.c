/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "standard_output.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <string.h>
#include <unistd.h>

#include "base/text/message.h"
#include "commands.h"

static int first_error;

void standard_output_failed(int error)
{
	if (!first_error)
		first_error = error;
}

/* Whether the reader has ended, as in `ftwait report x.dat | head`. */
static bool stdout_is_unread(void)
{
	struct pollfd out = {.fd = STDOUT_FILENO};

	return poll(&out, 1, 0) == 1 && (out.revents & POLLERR);
}

int standard_output_finish(int status)
{
	bool is_failed = ferror(stdout);
	bool is_needed = is_failed || __fpending(stdout) > 0;
	bool is_unread = stdout_is_unread();
	int error = 0;

	if (fclose(stdout) != 0)
		error = errno;
	else if (!is_failed)
		return status;
	if (error == EBADF && !is_needed)
		return status;
	if (first_error)
		error = -first_error;
	if (error != EPIPE && !is_unread)
		message_error("cannot write to standard output: %s",
		              error ? strerror(error) : "an earlier write failed");
	return status == STATUS_FINE ? STATUS_FAILED : status;
}
