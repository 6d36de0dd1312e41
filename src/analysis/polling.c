/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "polling.h"

#include <inttypes.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/format.h"
#include "base/xalloc.h"
#include "prose.h"

static void polling_note(struct polling *polling, const struct poll *poll)
{
	if (poll->waiting > polling->heaviest.waiting)
		polling->heaviest = *poll;
}

void polling_add_wait(struct polling **polling, const struct timeline *timeline,
                      const struct span *span)
{
	struct poll over;

	if (!*polling)
		*polling = xcalloc(1, sizeof(**polling));
	if (poll_follow(&(*polling)->now, timeline, span, &over))
		polling_note(*polling, &over);
}

bool polling_close(const struct polling *polling, struct poll *ret)
{
	struct polling closed;

	if (!polling)
		return false;
	closed = *polling;
	if (poll_is_one(&closed.now))
		polling_note(&closed, &closed.now);
	*ret = closed.heaviest;
	return ret->count > 0;
}

/* Only the one that is meant for certain, or at least most likely, is named. */
static void child_append(const struct question *question, const struct poll *poll,
                         struct buffer *to)
{
	if (poll->child_rank == POLL_CHILD_NONE || poll->rivals)
		return;
	buffer_puts(to, ", while its child ");
	prose_task_append(to, question->timeline, poll->child);
	buffer_puts(to, " lived");
	if (poll_has_child(poll))
		buffer_puts(to, " (--through-polls goes on along it)");
}

void polling_tell(const struct question *question, struct poll *poll,
                  const struct presenter *presenter, void *to)
{
	_cleanup_(buffer_release) struct buffer line = {0};
	char total[FORMAT_BYTES], period[FORMAT_BYTES];
	const char *call = sleep_call_name((enum sleep_call)poll->call);

	poll_find_child(poll, question->timeline);
	buffer_init(&line, 1024);
	buffer_puts(&line, "Polling: ");
	prose_task_append(&line, question->timeline, poll->line);
	buffer_printf(&line, " slept %" PRIu64 " times, %s in all, on its own timer of %s",
	              poll->count, format_duration(poll->waiting, total),
	              format_duration(poll->waiting / poll->count, period));
	if (call)
		buffer_printf(&line, " in %s", call);
	child_append(question, poll, &line);
	buffer_putc(&line, '.');
	prose_put(presenter, to, line.text);
}
