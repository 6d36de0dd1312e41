/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "source_notes.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Returns the note; NULL: there was no room. */
static const char *source_add_note(struct source *source, struct text_store *text,
                                   const char *line)
{
	if (source->note_count >= SOURCE_NOTES_MAX)
		return NULL;
	for (size_t i = 0; i < source->note_count; i++)
		if (strcmp(source->notes[i], line) == 0)
			return source->notes[i];
	source->notes[source->note_count] = text_store_add(text, line, strlen(line));
	return source->notes[source->note_count++];
}

void source_note(struct source *source, struct text_store *text, const char *format, ...)
{
	char line[512];
	va_list arguments;

	va_start(arguments, format);
	(void)vsnprintf(line, sizeof(line), format, arguments);
	va_end(arguments);
	(void)source_add_note(source, text, line);
}

/* After a failed read, damage that follows from it is no fault of the trace. */
void source_damage(struct source *source, struct text_store *text, const char *format, ...)
{
	const struct read_failure *failure = source->failure;
	char line[512];
	va_list arguments;

	source->damaged = true;
	va_start(arguments, format);
	if (failure && failure->error)
		(void)snprintf(line, sizeof(line),
		               "cannot be read at byte %llu: %s; what could be read is reported",
		               (unsigned long long)failure->offset, strerror(-failure->error));
	else
		(void)vsnprintf(line, sizeof(line), format, arguments);
	va_end(arguments);
	if (source->damage)
		(void)source_add_note(source, text, line);
	else
		source->damage = source_add_note(source, text, line);
}
