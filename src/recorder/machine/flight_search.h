/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Running flight recorders: processes of ftwait with the options of a flight recorder and a handler
 * for SIGUSR2. The signal would end a process without a handler.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns their number, and their ids in *ret, which the caller frees; NULL if there are none. */
size_t flight_recorders_find(int32_t **ret);
bool is_flight_recorder(int32_t pid);
/* Whether it prints only errors. */
bool flight_recorder_is_quiet(int32_t pid);

/* From the texts of /proc/PID/cmdline, of `size` bytes, and /proc/PID/status. */
bool flight_cmdline_matches(const char *cmdline, size_t size);
bool flight_cmdline_is_quiet(const char *cmdline, size_t size);
bool flight_status_matches(const char *status);
