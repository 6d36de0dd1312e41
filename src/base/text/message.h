/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Messages on standard error: one line each, which begins with "ftwait: ". Only commands print
 * messages; the other folders do not. Names of files and options come from outside, so
 * buffer_puts_clean() cleans the finished line: it stays one line, and contains nothing that a
 * terminal obeys.
 */
#pragma once

#include <stdbool.h>

/* Notes are dropped when quiet; errors and warnings never are. */
void message_set_quiet(bool is_quiet);
void message_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void message_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));
void message_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
