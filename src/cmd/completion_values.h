/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What there is to choose from where a command line is being typed. Words that the program knows
 * come from its own tables; events, clocks and processes from this kernel, as far as it lets itself
 * be asked; tasks from the recording on the command line, of which nothing but the head is read:
 * they are those that its saved command lines name.
 */
#pragma once

#include <stddef.h>

#include "completion_request.h"

#define CANDIDATES_MAX 10000

/* Without control bytes; both owned. */
struct candidate {
	char *text;
	char *about; /* a phrase; NULL: nothing is said of it */
};

struct candidate_list {
	const char *beginning; /* borrowed: others than those that begin so are left out */
	struct candidate *item;
	size_t count, capacity;
};

/* Replaces the list; nothing is in it where the shell itself knows better: files, programs. */
void completion_values(const struct completion_request *request, struct candidate_list *ret);
/* Files and folders of what the request asks for, folders with "/" at their end. */
void completion_files(const struct completion_request *request, struct candidate_list *ret);
void candidate_list_release(struct candidate_list *list);
