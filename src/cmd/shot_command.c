/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text/buffer.h"
#include "base/text/message.h"
#include "base/text/parse.h"
#include "commands.h"
#include "recorder/machine/process_search.h"

const struct option_set shot_option_set = {
	.command = "shot",
	.operands = "[PID]",
	.about = "Makes a flight recorder (ftwait record --trigger, --ring=TIME) save what it has "
	         "now. Without PID, the one that runs.",
};

static int shot_ask(int32_t pid)
{
	if (kill(pid, SIGUSR2) == 0) {
		(void)printf("asked %d, which %s\n", (int)pid,
		             flight_recorder_is_quiet(pid)
		                     ? "saves beside its -o and does not say so (-q)"
		                     : "says where it saves");
		return STATUS_FINE;
	}
	return message_fail(STATUS_FAILED, "shot: cannot send %d a signal: %s%s", (int)pid,
	                    strerror(errno),
	                    errno == EPERM ? "; be root, or the user who started it" : "");
}

static int shot_ask_only(void)
{
	_cleanup_(freep) int32_t *pid = NULL;
	_cleanup_(buffer_release) struct buffer list = buffer_of(1024);
	size_t count = flight_recorders_find(&pid);

	if (count == 1)
		return shot_ask(pid[0]);
	if (count == 0)
		return message_fail(STATUS_FAILED, "shot: no flight recorder runs; one begins with "
		                    "ftwait record --trigger COND, or --ring=30s");
	for (size_t i = 0; i < count; i++)
		buffer_printf(&list, " %d", (int)pid[i]);
	return message_fail(STATUS_USAGE, "shot: which of the flight recorders%s?", list.text);
}

int shot_command(int argc, char **argv)
{
	struct operands operands;
	int32_t pid;
	int status = options_read(&shot_option_set, argc, argv, NULL, &operands);

	if (status >= 0)
		return status;
	if (operands.count == 0)
		return shot_ask_only();
	if (operands.count > 1 || parse_pid(operands.argv[0], &pid) < 0 || pid <= 0)
		return message_fail(STATUS_USAGE, "shot: takes the process id of one flight "
		                    "recorder");
	if (is_flight_recorder(pid))
		return shot_ask(pid);
	return message_fail(STATUS_FAILED, "shot: %d is no flight recorder, which a signal would "
	                    "end; one is a process of ftwait record --trigger COND, or --ring=30s",
	                    (int)pid);
}
