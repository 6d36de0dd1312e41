/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "commands.h"

#include <stdio.h>

#include "base/cleanup.h"
#include "base/text/buffer.h"
#include "base/text/message.h"
#include "cmd/options/option_help.h"

int options_read(const struct option_set *set, int argc, char **argv, void *to,
                 struct operands *ret)
{
	_cleanup_(buffer_release) struct buffer why = {0};
	int r;

	buffer_init(&why, 1000);
	r = options_parse(set, argc, argv, to, &why, ret);
	if (r < 0) {
		message_error("%s: %s (see \"ftwait help %s\")", set->command, why.text,
		              set->command);
		return STATUS_USAGE;
	}
	if (r == OPTIONS_HELP) {
		option_help_show(set, /* has_pager= */ true);
		return STATUS_FINE;
	}
	return OPTIONS_GO_ON;
}
