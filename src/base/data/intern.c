/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "intern.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "map.h"

static uint64_t load_8(const char *from)
{
	uint64_t word;

	memcpy(&word, from, sizeof(word));
	return word;
}

/* Loads 1 to 8 bytes as one word, without reading beyond them. */
static uint64_t load_up_to_8(const char *from, size_t length)
{
	uint32_t first, last;

	if (length < 4)
		return (unsigned char)from[0] | (uint32_t)(unsigned char)from[length / 2] << 8 |
		       (uint32_t)(unsigned char)from[length - 1] << 16;
	memcpy(&first, from, sizeof(first));
	memcpy(&last, from + length - sizeof(last), sizeof(last));
	return first | (uint64_t)last << 32;
}

/* Hashes word by word, which is fast: most names have one or two words, and every event with a name
   looks it up. */
static uint32_t hash_bytes(const char *text, size_t length)
{
	uint64_t hash = length;

	for (; length > 8; text += 8, length -= 8)
		hash = hash_mix(hash, load_8(text));
	if (length)
		hash = hash_mix(hash, load_up_to_8(text, length));
	return (uint32_t)hash;
}

static void intern_link(struct intern *intern, uint32_t id)
{
	uint32_t *bucket = &intern->bucket[intern->entry[id].hash & intern->mask];

	intern->entry[id].next = *bucket;
	*bucket = id + 1;
}

static void intern_grow(struct intern *intern)
{
	size_t capacity = intern->capacity ? intern->capacity * 2 : 64;

	intern->entry = xreallocarray(intern->entry, capacity, sizeof(*intern->entry));
	free(intern->bucket);
	intern->bucket = xcalloc(capacity, sizeof(*intern->bucket));
	intern->capacity = capacity;
	intern->mask = (uint32_t)capacity - 1;
	for (size_t id = 0; id < intern->count; id++)
		intern_link(intern, (uint32_t)id);
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
		free(intern->entry[id].text);
	free(intern->entry);
	free(intern->bucket);
	*intern = (struct intern){0};
}

/* The text's id + 1; 0 if it is not present. */
static uint32_t intern_find(const struct intern *intern, const char *text, size_t length,
                            uint32_t hash)
{
	uint32_t at = intern->capacity ? intern->bucket[hash & intern->mask] : 0;

	while (at) {
		const struct intern_entry *entry = &intern->entry[at - 1];

		if (entry->hash == hash && entry->length == length &&
		    memcmp(entry->text, text, length) == 0)
			break;
		at = entry->next;
	}
	return at;
}

uint32_t intern_add(struct intern *intern, const char *text, size_t length)
{
	uint32_t hash, known, id;

	length = strnlen(text, length);
	hash = hash_bytes(text, length);
	known = intern_find(intern, text, length, hash);
	if (known)
		return known - 1;
	if (intern->count >= INTERN_MAX)
		return INTERN_OVERFLOW;
	if (intern->count == intern->capacity)
		intern_grow(intern);
	id = (uint32_t)intern->count++;
	intern->entry[id] = (struct intern_entry){
		.text = xstrndup(text, length),
		.hash = hash,
		.length = (uint32_t)length,
	};
	intern_link(intern, id);
	return id;
}

uint32_t intern_adds(struct intern *intern, const char *text)
{
	return intern_add(intern, text, strlen(text));
}
