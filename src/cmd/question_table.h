/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Questions that users have, and the options of `ftwait report` that answer them. */
#pragma once

#include <stddef.h>
#include <stdio.h>

struct common_question {
	const char *question; /* a phrase */
	const char *options;  /* with blanks between, as they are typed */
};

extern const struct common_question common_questions[];
extern const size_t common_question_count;

/* What "ftwait help questions" prints: one screen of 80 columns and 24 lines. */
void question_table_print(FILE *out);
