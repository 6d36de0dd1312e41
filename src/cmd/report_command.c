/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/message.h"
#include "commands.h"

const struct option_set report_option_set = {
	.command = "report",
	.operands = "FILE...",
};

int report_command(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	message_error("report: not there yet");
	return STATUS_FAILED;
}
