/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "recording_state.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/text/message.h"

#define NOTE_BYTES 400

void recording_note(struct recording *recording, const char *format, ...)
{
	char line[NOTE_BYTES];
	va_list arguments;

	va_start(arguments, format);
	(void)vsnprintf(line, sizeof(line), format, arguments);
	va_end(arguments);
	message_warning("%s", line);
	buffer_printf(&recording->notes, "note %s\n", line);
}
