/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * "Did you mean": the candidate that a mistyped word most likely meant. Distance is the number of
 * inserted, lost, changed and swapped neighbouring bytes (optimal string alignment), ignoring case;
 * words longer than SUGGEST_BYTES_MAX get no suggestion.
 */
#pragma once

#include <stddef.h>

#define SUGGEST_BYTES_MAX 64

/*
 * The nearest candidate, the first of equally near ones; NULL if none is near enough: more than a
 * third of the word would have to change, and the word is not a prefix of the candidate. NULL
 * candidates are skipped.
 */
const char *suggest(const char *word, const char *const *candidates, size_t count);
