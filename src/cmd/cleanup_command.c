/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text/buffer.h"
#include "base/text/message.h"
#include "commands.h"
#include "recorder/instance/prepared_instance.h"
#include "recorder/instance/stale_instances.h"
#include "recorder/instance/tracing_access.h"

const struct option_set cleanup_option_set = {
	.command = "cleanup",
	.about = "Removes the tracing instances that killed ftwait processes left behind, and "
	         "resets prepared ones. Those of running processes, and of other programs, are not "
	         "touched.",
};

static void on_stale(void *state, const char *name, int error)
{
	int *status = state;

	if (error == 0) {
		(void)printf("removed %s\n", name);
		return;
	}
	message_error("cannot remove %s: %s%s", name, strerror(-error),
	              error == -EBUSY ? "; a process has its files open" : "");
	*status = STATUS_FAILED;
}

static void on_cleaned(void *state, const char *name)
{
	bool *is_any = state;

	(void)printf("reset %s\n", name);
	*is_any = true;
}

static int cleanup_run(void)
{
	int r, status = STATUS_FINE;
	bool is_any = false;
	char *tracefs = NULL;
	_cleanup_(buffer_release) struct buffer why = buffer_of(4096);

	r = tracing_mount_find(&tracefs, &why);
	if (r == 0) {
		r = stale_instances_remove(tracefs, on_stale, &status);
		if (r < 0)
			(void)tracing_denial_explain_file(tracefs, "instances", -r, &why);
	}
	/* a user without privileges has nothing else to clean */
	if (prepared_instances_clean(on_cleaned, &is_any) > 0 && (r == -EACCES || r == -EPERM))
		r = 0;
	if (r == -ENODEV) { /* without a tracefs (a locked-down kernel) there are no instances */
		message_note("there are no instances: %s", why.text);
		(void)puts("nothing to remove");
	} else if (r < 0) {
		message_error("%s", why.text);
		status = STATUS_FAILED;
	} else if (r == 0 && status == STATUS_FINE && !is_any) {
		(void)puts("nothing to remove");
	}
	free(tracefs);
	return status;
}

int cleanup_command(int argc, char **argv)
{
	struct operands operands;
	int status = options_read(&cleanup_option_set, argc, argv, NULL, &operands);

	return status >= 0 ? status : cleanup_run();
}
