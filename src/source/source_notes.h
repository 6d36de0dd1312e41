/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What those who implement a source note of their input: lines of text that live as long as it.
 */
#pragma once

#include "ftwait/source.h"
#include "text_store.h"

/* Adds a line to the source's notes, once, silent beyond the maximum. */
void source_note(struct source *source, struct text_store *text, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* The same, and the source is damaged from now on. Once a part of it could not be read, that is
   said instead, once. */
void source_damage(struct source *source, struct text_store *text, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
