/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a vector says of a report, line by line, held against the report's JSON. vectors.c has the
 * notation.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "builder/schedule.h"
#include "json/json_reader.h"

/* One file on one machine. */
struct vector {
	const char *path;
	const struct schedule *schedule;
	int trace;
	struct json *report;    /* of the last ask; NULL: none yet */
	const struct json *part; /* the next one that no line has claimed */
	bool has_parts; /* a line of this ask expects parts */
	unsigned line, failures;
};

void vector_fail(struct vector *vector, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* "WHAT; got JSON"; `got` may be NULL. */
void vector_fail_with(struct vector *vector, const char *what, const struct json *got);

/* -1: the schedule has no task of that name. */
int64_t vector_tid(const struct vector *vector, const char *name);
/* ns; the word is in the schedule's unit. */
nsec_t vector_time(struct vector *vector, const char *word);
/*
 * A word of a line, "disk|net" or "KEY=VALUE", against a part, a wait or the like: KEY is looked for
 * in it, then in its cause.
 */
bool vector_word_fits(const struct vector *vector, const struct json *json, const char *word);
bool vector_words_fit(const struct vector *vector, const struct json *json, char **words,
                      size_t count);

/* A line split into words, the first of which says its kind: at least two. */
void vector_line(struct vector *vector, char **words, size_t count);
/* After the last line: whether any part was left over. */
void vector_close(struct vector *vector);
