/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The layer in a program that is built without libelf. */
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "kernel_image.h"
#include "user_symbols.h"

struct user_symbols {
	char nothing;
};

bool user_symbols_is_able(void)
{
	return false;
}

struct user_symbols *user_symbols_new(const struct user_symbols_setup *setup)
{
	(void)setup;
	return xcalloc(1, sizeof(struct user_symbols));
}

struct user_symbols *user_symbols_free(struct user_symbols *symbols)
{
	free(symbols);
	return NULL;
}

const char *user_symbols_find(struct user_symbols *symbols, const char *path, const char *build_id,
                              uint64_t offset)
{
	(void)symbols;
	(void)path;
	(void)build_id;
	(void)offset;
	return NULL;
}

const char *user_symbols_find_variable(struct user_symbols *symbols, const char *path,
                                       const char *build_id, const struct user_place *place,
                                       uint64_t *ret_within)
{
	(void)symbols;
	(void)path;
	(void)build_id;
	(void)place;
	(void)ret_within;
	return NULL;
}

void user_symbols_report(struct user_symbols *symbols,
                         void (*on_line)(void *context, const char *line), void *context)
{
	(void)symbols;
	(void)on_line;
	(void)context;
}

bool user_symbols_report_variables(struct user_symbols *symbols, struct buffer *line)
{
	(void)symbols;
	(void)line;
	return false;
}

bool kernel_image_is_able(void)
{
	return false;
}

bool kernel_image_read(int fd, struct buffer *to, struct buffer *build_id)
{
	(void)to;
	(void)build_id;
	(void)close(fd);
	return false;
}
