/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/message.h"
#include "commands.h"

const struct option_set doctor_option_set = {
	.command = "doctor",
	.operands = NULL,
};

int doctor_command(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	message_error("doctor: not there yet");
	return STATUS_FAILED;
}
