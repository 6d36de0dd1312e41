/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "source_notes.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Returns the note; NULL: there was no room. */
static const char *health_add_note(struct input_health *health, struct text_store *text,
                                   const char *line)
{
	if (health->note_count >= SOURCE_NOTES_MAX)
		return NULL;
	for (size_t i = 0; i < health->note_count; i++)
		if (strcmp(health->notes[i], line) == 0)
			return health->notes[i];
	health->notes[health->note_count] = text_store_add(text, line, strlen(line));
	return health->notes[health->note_count++];
}

void source_note(struct source *source, struct text_store *text, const char *format, ...)
{
	char line[512];
	va_list arguments;

	va_start(arguments, format);
	(void)vsnprintf(line, sizeof(line), format, arguments);
	va_end(arguments);
	(void)health_add_note(&source->health, text, line);
}

/* After a failed read, damage that follows from it is no fault of the trace. */
void source_damage(struct source *source, struct text_store *text, const char *format, ...)
{
	struct input_health *health = &source->health;
	const struct read_failure *failure = health->failure;
	char line[512];
	va_list arguments;

	health->damaged = true;
	va_start(arguments, format);
	if (failure && failure->error)
		(void)snprintf(line, sizeof(line),
		               "cannot be read at byte %llu: %s; what could be read is reported",
		               (unsigned long long)failure->offset, strerror(-failure->error));
	else
		(void)vsnprintf(line, sizeof(line), format, arguments);
	va_end(arguments);
	if (health->damage)
		(void)health_add_note(health, text, line);
	else
		health->damage = health_add_note(health, text, line);
}
