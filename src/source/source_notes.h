/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bytes that live as long as their source: formats, names, notes. Nothing is moved or freed before
 * text_store_release(). At most TEXT_STORE_MAX bytes; if the size comes from a file, callers check
 * text_store_has_room() first.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "ftwait/source.h"
#include "source/text/text_line.h"

#define TEXT_STORE_MAX (64u << 20)

struct text_store {
	char **block;
	size_t block_count, block_capacity;
	size_t used, room; /* of the last block, bytes */
	size_t total;
};

void text_store_release(struct text_store *store);
bool text_store_has_room(const struct text_store *store, size_t length);
/* A copy of `length` bytes and a closing NUL. */
char *text_store_add(struct text_store *store, const void *bytes, size_t length);
/* The line as a string; NULL if it is empty, longer than `most` bytes, has a NUL, or there is no
   room. */
const char *text_store_line(struct text_store *store, struct text_line line, size_t most);

/* A list while it grows, such as struct known_task_list: a pointer, and the count behind it, which
   never falls. There is room up to the next power of two. */
struct source_list {
	void *item;
	size_t count;
};

void *source_list_add(void *list, size_t size);
static inline void *source_list_items(const void *list)
{
	return ((const struct source_list *)list)->item;
}

/* The new last element, to be assigned; the element at an index. `list` is the list, or its
   pointer. */
#define LIST_ADD(list, type)    (*(type *)source_list_add(&(list), sizeof(type)))
#define LIST_AT(list, type, at) ((type *)source_list_items(&(list)) + (at))

/*
 * Notes of source implementations about their input: lines of text that live as long as the source.
 */

/* Adds a line to the source's notes, once; does nothing beyond the maximum. */
void source_note(struct source *source, struct text_store *text, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* The same, and marks the source as damaged. After a failed read it notes that failure instead,
   once. */
void source_damage(struct source *source, struct text_store *text, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
