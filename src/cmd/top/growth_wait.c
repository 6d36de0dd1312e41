/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "growth_wait.h"

#include "base/monotonic.h"
#include "base/text/message.h"

/* A recorder that has just been started may not have written yet. */
#define SAID_AFTER_NS UINT64_C(1000000000)

void growth_wait_say(struct growth_wait *wait, const char *command, const char *path)
{
	nsec_t now = monotonic_now();

	if (!wait->is_growing || wait->is_said)
		return;
	wait->since = wait->since ? wait->since : now;
	if (now - wait->since < SAID_AFTER_NS)
		return;
	wait->is_said = true;
	message_note("%s: %s is a file without a recording, or with the begin of one: waiting "
	             "until more is written to it", command, path);
}
