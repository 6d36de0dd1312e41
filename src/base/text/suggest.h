/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * "Did you mean": finds the candidate that a mistyped word most likely meant. The distance of two
 * words is the number of bytes that are inserted, lost or changed, and of swaps of neighbouring
 * bytes (optimal string alignment), ignoring case. Words longer than SUGGEST_BYTES_MAX get no
 * suggestion.
 */
#pragma once

#include <stddef.h>

#define SUGGEST_BYTES_MAX 64

/*
 * The nearest candidate, the first if several are equally near. NULL if none is near enough: a
 * candidate is near if at most a third of the word, rounded to whole bytes, would have to change,
 * or if the word is a prefix of it. So of 2 to 4 bytes one may be wrong: "yaml" is no "html". NULL
 * candidates are skipped.
 */
const char *suggest(const char *word, const char *const *candidates, size_t count);
