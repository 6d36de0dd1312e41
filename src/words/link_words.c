/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "link_words.h"

#include <string.h>

#include "words/cause/cause_words.h"
#include "words/cause/unknown_words.h"

/* Appends which task stopped it: the cause that ended the stop is not the reason for the stop. */
static void stop_append(struct buffer *to, const struct cause *cause)
{
	buffer_puts(to, "stopped");
	if (!cause || !cause_has_stopper(cause))
		return;
	buffer_puts(to, " by ");
	buffer_puts(to, cause->originator.comm);
}

bool link_end_append(struct buffer *to, const struct chain_link *link)
{
	bool waits = !link->state || strcmp(link->state, "waiting") == 0;

	if (!link->cause && !waits && strcmp(link->state, "running") == 0)
		return false;
	buffer_putc(to, '[');
	if (link->state && strcmp(link->state, "stopped") == 0)
		stop_append(to, link->cause);
	else if (link->cause)
		cause_name_append(to, link->cause);
	else if (link->end_words)
		buffer_puts(to, link->end_words);
	else if (waits)
		buffer_puts(to, WORDS_STILL_WAITING);
	else
		buffer_puts(to, link->state);
	buffer_putc(to, ']');
	return true;
}
