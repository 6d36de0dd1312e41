/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An array of JSON that is written beside others, and becomes a member of an object in a block. */
#pragma once

#include <stddef.h>
#include <stdio.h>

#include "html_block.h"
#include "present/data/json_writer.h"

struct html_list {
	struct json_writer json; /* writes the elements */
	FILE *file;
	char *text;
	size_t length;
};

void html_list_init(struct html_list *list, enum json_layout layout);
void html_list_release(struct html_list *list);
/* Ends the list and appends it, as `"name":[...]`. */
void html_list_put(struct html_list *list, const char *name, struct html_block *block);
