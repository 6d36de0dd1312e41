/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What users of other tools type: words of perf, trace-cmd, uftrace, bcc and others that are none
 * of ftwait's, and what ftwait has for them. Error messages name that; no such word is accepted.
 */
#pragma once

#include <stddef.h>

#include "base/text/buffer.h"

struct foreign_word {
	const char *command; /* to which it is given; NULL: it stands in place of a command */
	const char *word;    /* "--iostat", "-g", "stat" */
	/* An option of that command that does the same, "--disk"; or a phrase on what to do
	   instead. */
	const char *ours;
};

extern const struct foreign_word foreign_words[];
extern const size_t foreign_word_count;

/* What ftwait has for the word; NULL: the word is not known. */
const char *foreign_word_find(const char *command, const char *word);
/* Whether `ours` of a word is an option. */
bool foreign_word_is_option(const char *ours);
/* Appends "; did you mean --disk?" or ": what to do instead"; returns false, and appends nothing,
   if the word is not known. */
bool foreign_word_append(struct buffer *to, const char *command, const char *word);
