/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "intern.h"

#include <stdlib.h>
#include <string.h>

#include "xalloc.h"

static uint32_t hash_bytes(const char *text, size_t length)
{
	uint32_t hash = 2166136261u; /* FNV-1a, 32 bit */

	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (unsigned char)text[i]) * 16777619u;
	return hash;
}

static void intern_grow(struct intern *intern)
{
	size_t capacity = intern->capacity ? intern->capacity * 2 : 64;

	intern->text = xreallocarray(intern->text, capacity, sizeof(*intern->text));
	intern->next = xreallocarray(intern->next, capacity, sizeof(*intern->next));
	free(intern->bucket);
	intern->bucket = xcalloc(capacity, sizeof(*intern->bucket));
	intern->capacity = capacity;
	intern->mask = (uint32_t)capacity - 1;
	for (size_t id = 0; id < intern->count; id++) {
		uint32_t at = hash_bytes(intern->text[id], strlen(intern->text[id])) & intern->mask;

		intern->next[id] = intern->bucket[at];
		intern->bucket[at] = (uint32_t)id + 1;
	}
}

void intern_init(struct intern *intern)
{
	*intern = (struct intern){0};
	(void)intern_add(intern, "", 0);
	(void)intern_add(intern, "...", 3);
}

void intern_release(struct intern *intern)
{
	for (size_t id = 0; id < intern->count; id++)
		free(intern->text[id]);
	free(intern->text);
	free(intern->next);
	free(intern->bucket);
	*intern = (struct intern){0};
}

uint32_t intern_add(struct intern *intern, const char *text, size_t length)
{
	uint32_t hash, id, *bucket;

	length = strnlen(text, length);
	hash = hash_bytes(text, length);
	if (intern->capacity) {
		for (id = intern->bucket[hash & intern->mask]; id; id = intern->next[id - 1]) {
			const char *known = intern->text[id - 1];

			if (strncmp(known, text, length) == 0 && known[length] == '\0')
				return id - 1;
		}
	}
	if (intern->count >= INTERN_MAX)
		return INTERN_OVERFLOW;
	if (intern->count == intern->capacity)
		intern_grow(intern);
	id = (uint32_t)intern->count++;
	bucket = &intern->bucket[hash & intern->mask];
	intern->text[id] = xstrndup(text, length);
	intern->next[id] = *bucket;
	*bucket = id + 1;
	return id;
}

uint32_t intern_adds(struct intern *intern, const char *text)
{
	return intern_add(intern, text, strlen(text));
}
