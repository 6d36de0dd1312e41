/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/message.h"
#include "commands.h"

const struct option_set record_option_set = {
	.command = "record",
	.operands = "[-- COMMAND ARG...]",
	.stops_at_operand = true,
};

int record_command(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	message_error("record: not there yet");
	return STATUS_FAILED;
}
