/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "source_notes.h"

#include <assert.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/data/array.h"
#include "base/xalloc.h"

#define BLOCK_BYTES (64u << 10)
#define LIST_FIRST  8 /* elements that a list has room for at first, a power of two */

void text_store_release(struct text_store *store)
{
	for (size_t i = 0; i < store->block_count; i++)
		free(store->block[i]);
	free(store->block);
	*store = (struct text_store){0};
}

bool text_store_has_room(const struct text_store *store, size_t length)
{
	return store->total < TEXT_STORE_MAX && length < TEXT_STORE_MAX - store->total;
}

char *text_store_add(struct text_store *store, const void *bytes, size_t length)
{
	char *copy;

	assert(length < SIZE_MAX / 2);
	if (length + 1 > store->room - store->used) {
		ARRAY_GROW(store->block, store->block_count, store->block_capacity);
		store->room = length + 1 > BLOCK_BYTES ? length + 1 : BLOCK_BYTES;
		store->used = 0;
		store->block[store->block_count++] = xmalloc(store->room);
	}
	copy = store->block[store->block_count - 1] + store->used;
	if (length)
		memcpy(copy, bytes, length);
	copy[length] = '\0';
	store->used += length + 1;
	store->total += length + 1;
	return copy;
}

const char *text_store_line(struct text_store *store, struct text_line line, size_t most)
{
	size_t length = line_length(line);

	if (length == 0 || length > most || memchr(line.at, '\0', length) ||
	    !text_store_has_room(store, length + 1))
		return NULL;
	return text_store_add(store, line.at, length);
}

void *source_list_add(void *list, size_t size)
{
	struct source_list *notes = list;
	size_t count = notes->count++;

	if (count == 0 || (count >= LIST_FIRST && (count & (count - 1)) == 0))
		notes->item = xreallocarray(notes->item, count ? 2 * count : LIST_FIRST, size);
	return (char *)notes->item + count * size;
}

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
