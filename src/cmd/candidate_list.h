/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The candidates for the word at the cursor of a command line. */
#pragma once

#include <stddef.h>

#define CANDIDATES_MAX 10000

/* Without control bytes; both owned. */
struct candidate {
	char *text;
	char *about; /* a phrase; NULL: no description */
};

struct candidate_list {
	const char *beginning; /* borrowed; candidates that do not begin with it are left out */
	struct candidate *item;
	size_t count, capacity;
};

/* Adds a copy of the text if it begins as the list requires, has no control bytes, and there is
   room. Also adds a copy of `about`, unless that is NULL or has control bytes. */
void candidate_add(struct candidate_list *list, const char *text, const char *about);
/* Drops each candidate that has the same text as an earlier one: several views have keys of the
   same name, several tasks have the same name, and a system call may have two numbers. */
void candidate_list_drop_doubles(struct candidate_list *list);
void candidate_list_release(struct candidate_list *list);
