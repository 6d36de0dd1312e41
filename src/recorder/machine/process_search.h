/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Running processes by name, by program, by control group, by descent. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Finds the processes with the name `comm`, except this process. The kernel keeps at most 15 bytes
 * of a name; only these are compared. Returns the number of processes, and an array in *ret that
 * the caller frees; NULL if there are none.
 */
size_t processes_find_named(const char *comm, int32_t **ret);
/* The same for the processes that execute the file `path`, as far as this user may see that. */
size_t processes_find_executing(const char *path, int32_t **ret);
/* The same for the processes in the control groups that the glob matches (words/
   control_group_name.h), each in its group that recordings note (control_group.h). */
size_t processes_find_in_group(const char *glob, int32_t **ret);
/* The same for these processes, or tasks, with the descendants that live now. */
size_t processes_find_family(const int32_t *pid, size_t pid_count, int32_t **ret);
/* The name of a process; empty: it does not exist. `size`: of ret, at least 16. */
void comm_of_process(int32_t pid, char *ret, size_t size);

/*
 * Running flight recorders: processes of ftwait with the options of a flight recorder and a handler
 * for SIGUSR2. The signal would end a process without a handler.
 */

/* Returns their number, and their ids in *ret, which the caller frees; NULL if there are none. */
size_t flight_recorders_find(int32_t **ret);
bool is_flight_recorder(int32_t pid);
/* Whether it prints only errors. */
bool flight_recorder_is_quiet(int32_t pid);

/* From the texts of /proc/PID/cmdline, of `size` bytes, and /proc/PID/status. */
bool flight_cmdline_matches(const char *cmdline, size_t size);
bool flight_cmdline_is_quiet(const char *cmdline, size_t size);
bool flight_status_matches(const char *status);
