/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What ftwait writes to standard error: one line each, starting with "ftwait: ". For cmd only; the
 * library is silent. Names of files and options come from outside: buffer_puts_clean() cleans the
 * finished line, so that it stays one line and controls no terminal.
 */
#pragma once

#include <stdbool.h>

/* Notes are dropped when quiet; errors and warnings never are. */
void message_set_quiet(bool is_quiet);
void message_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void message_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));
void message_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
