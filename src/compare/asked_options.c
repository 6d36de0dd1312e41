/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "asked_options.h"

#include <inttypes.h>

#include "base/cleanup.h"
#include "base/text/shell_quote.h"

static void list_append(struct buffer *to, const char *option, const char *const *text,
                        size_t count)
{
	_cleanup_(buffer_release) struct buffer list = {0};

	if (count == 0)
		return;
	buffer_init(&list, BUFFER_LIMIT_DEFAULT);
	for (size_t i = 0; i < count; i++) {
		buffer_puts(&list, i > 0 ? "," : "");
		buffer_puts(&list, text[i]);
	}
	buffer_printf(to, " %s ", option);
	shell_quote_append(to, list.text);
}

void asked_options_append(struct buffer *to, const struct asked *asked)
{
	if (asked->is_all)
		buffer_puts(to, " --all");
	for (size_t i = 0; i < asked->pid_count; i++)
		buffer_printf(to, "%s%" PRId32, i > 0 ? "," : " -p ", asked->pids[i]);
	list_append(to, "--comm", asked->comms, asked->comm_count);
	list_append(to, "--cgroup", asked->cgroups, asked->cgroup_count);
}
