/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "presenter.h"

#include <string.h>

const struct presenter *const presenters[] = {
	&text_presenter, &json_presenter, &csv_presenter, &folded_presenter, &dot_presenter, NULL,
};

const struct presenter *presenter_find(const char *name)
{
	for (const struct presenter *const *at = presenters; *at; at++)
		if (strcmp((*at)->name, name) == 0)
			return *at;
	return NULL;
}

void presenter_ignore_section(void *state, const char *key, const char *title, bool is_list)
{
	(void)state;
	(void)key;
	(void)title;
	(void)is_list;
}

void presenter_ignore_field(void *state, const char *key, const char *title,
                            const struct cell *cell)
{
	(void)state;
	(void)key;
	(void)title;
	(void)cell;
}

void presenter_ignore_end(void *state)
{
	(void)state;
}
