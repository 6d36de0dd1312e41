/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values of options that are more than a number or a string: a table of options fills them and the
   code below the commands reads them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct string_list {
	char **text; /* owned */
	size_t count, capacity;
};

struct number_list {
	int32_t *number; /* owned */
	/* The machine name before the ':' of each value, "" for any machine. Owned;
	   NULL: the option takes no names. */
	char **host;
	size_t count, capacity, host_capacity;
};

/* --name or --name=VALUE. */
struct optional_string {
	bool is_given;
	const char *text; /* NULL: no value */
};
