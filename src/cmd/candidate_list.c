/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "candidate_list.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/data/array.h"
#include "base/text/utf8.h"
#include "base/xalloc.h"

static bool has_control(const char *text)
{
	size_t length = strlen(text);

	while (length > 0) {
		uint32_t code = 0;
		size_t size = utf8_decode(text, length, &code);

		if (size == 0 || utf8_is_control(code))
			return true;
		text += size;
		length -= size;
	}
	return false;
}

void candidate_add(struct candidate_list *list, const char *text, const char *about)
{
	if (strncmp(text, list->beginning, strlen(list->beginning)) != 0 || has_control(text) ||
	    list->count >= CANDIDATES_MAX)
		return;
	ARRAY_GROW(list->item, list->count, list->capacity);
	list->item[list->count++] = (struct candidate){
		.text = xstrdup(text),
		.about = about && !has_control(about) ? xstrdup(about) : NULL,
	};
}

void candidate_list_release(struct candidate_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		free(list->item[i].text);
		free(list->item[i].about);
	}
	free(list->item);
	*list = (struct candidate_list){0};
}

static int compare_texts(const void *a, const void *b)
{
	return strcmp(((const struct candidate *)a)->text, ((const struct candidate *)b)->text);
}

void candidate_list_drop_doubles(struct candidate_list *list)
{
	size_t kept = 0;

	for (size_t i = 0; i < list->count; i++) {
		bool is_double = false;

		for (size_t k = 0; k < kept && !is_double; k++)
			is_double = compare_texts(&list->item[k], &list->item[i]) == 0;
		if (is_double) {
			free(list->item[i].text);
			free(list->item[i].about);
		} else {
			list->item[kept++] = list->item[i];
		}
	}
	list->count = kept;
}
