/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "instant_words.h"

#include <stdio.h>

#include "base/cleanup.h"
#include "time_of_day.h"
#include "time_scale.h"

#define DECIMALS 6

static void day_instant_format(const struct instant_form *form, nsec_t time,
                               char to[static FORMAT_BYTES])
{
	_cleanup_(buffer_release) struct buffer text = {0};

	buffer_init(&text, FORMAT_BYTES);
	time_of_day_append(&text, time_scale_real(form->realtime, time),
	                   time_scale_real(form->realtime, form->begin), DECIMALS);
	(void)snprintf(to, FORMAT_BYTES, "%s", text.text);
}

char *format_instant_of(const struct instant_form *form, nsec_t time, char to[static FORMAT_BYTES])
{
	/* An instant may be before the trace: a task that was running when the trace began was
	   switched in earlier. */
	if (form->realtime)
		day_instant_format(form, time, to);
	else if (time < form->begin)
		(void)snprintf(to, FORMAT_BYTES, "-%s", INSTANT_TEXT(form->begin - time));
	else
		(void)format_instant(time - form->begin, to);
	return to;
}
