/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Strings, each stored once. Equal bytes give the same id; ids count from 0 in order of first
 * appearance, and id 0 is always the empty string. Pointers stay valid until intern_release(). At
 * most INTERN_MAX different strings are kept; all further ones get the id INTERN_OVERFLOW ("...").
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define INTERN_MAX      (1u << 22)
#define INTERN_OVERFLOW 1u

struct intern_entry {
	char *text;
	uint32_t hash, length;
	uint32_t next; /* next string of the bucket: id + 1; 0: none */
};

struct intern {
	struct intern_entry *entry; /* by id */
	size_t count, capacity;
	uint32_t *bucket; /* heads of chains: id + 1; 0: empty */
	uint32_t mask;
};

void intern_init(struct intern *intern);
void intern_release(struct intern *intern);
uint32_t intern_add(struct intern *intern, const char *text, size_t length);
uint32_t intern_adds(struct intern *intern, const char *text);

static inline const char *intern_text(const struct intern *intern, uint32_t id)
{
	return intern->entry[id].text;
}
