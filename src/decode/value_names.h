/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of a field's values, as that trace's own print format has them:
 *
 *	..., __print_symbolic(REC->reason, { 2, "NOT_SPECIFIED" }, { 3, "NO_SOCKET" }, ...)
 *
 * The numbers differ between kernels. Names are borrowed from the text.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "ftwait/event.h"

/* Larger values have no name here: no kernel has so many. */
#define VALUE_NAMES_MAX 4096

struct value_names {
	struct text *name; /* by value; empty: it has none */
	size_t count;
};

/* No names if the print format has no such table; else as far as it can be read. */
void value_names_parse(struct text print_format, const char *field, struct value_names *ret);
void value_names_release(struct value_names *names);

static inline struct text value_names_get(const struct value_names *names, uint64_t value)
{
	return value < names->count ? names->name[value] : (struct text){0};
}
