/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A recorder alone (make RECORDER=1) has no triggers; --ring keeps what fits in the buffers. */
#include "base/text/message.h"
#include "cmd/commands.h"
#include "cmd/options/flight_options.h"

bool flight_is_asked(const struct flight_options *options)
{
	(void)options;
	return false;
}

bool flight_options_parse(struct flight_options *options, const struct record_options *record)
{
	(void)record;
	if (!options->ring.text)
		return true;
	return message_fail(false, "--ring=%s: this program was built without the flight recorder; "
	                    "--ring alone keeps what fits in -b", options->ring.text);
}

void flight_options_release(struct flight_options *options)
{
	(void)options;
}

int flight_session_run(const struct record_options *record, const struct flight_options *options,
                       char **argv)
{
	(void)record;
	(void)options;
	(void)argv;
	return STATUS_USAGE;
}
