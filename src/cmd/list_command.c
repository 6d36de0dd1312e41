/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/message.h"
#include "commands.h"

const struct option_set list_option_set = {
	.command = "list",
	.operands = NULL,
};

int list_command(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	message_error("list: not there yet");
	return STATUS_FAILED;
}
