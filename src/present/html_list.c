/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "html_list.h"

#include <stdlib.h>

#include "base/xalloc.h"

void html_list_init(struct html_list *list, enum json_layout layout)
{
	list->file = xopen_memstream(&list->text, &list->length);
	json_init(&list->json, list->file);
	json_array_begin(&list->json, layout);
}

void html_list_release(struct html_list *list)
{
	json_release(&list->json);
	(void)fclose(list->file);
	free(list->text);
}

void html_list_put(struct html_list *list, const char *name, struct html_block *block)
{
	json_array_end(&list->json);
	(void)fflush(list->file);
	html_block_byte(block, '"');
	html_block_text(block, name);
	html_block_text(block, "\":");
	html_block_text(block, list->text);
}
