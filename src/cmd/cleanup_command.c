/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/message.h"
#include "commands.h"

const struct option_set cleanup_option_set = {
	.command = "cleanup",
	.operands = NULL,
};

int cleanup_command(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	message_error("cleanup: not there yet");
	return STATUS_FAILED;
}
