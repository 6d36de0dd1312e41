/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Notes of source implementations about their input: lines of text that live as long as the source.
 */
#pragma once

#include "ftwait/source.h"
#include "source/text/text_store.h"

/* Adds a line to the source's notes, once; does nothing beyond the maximum. */
void source_note(struct source *source, struct text_store *text, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* The same, and marks the source as damaged. After a failed read it notes that failure instead,
   once. */
void source_damage(struct source *source, struct text_store *text, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
