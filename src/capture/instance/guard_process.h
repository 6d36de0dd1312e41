/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Start of a guard: a small process, forked by a recorder, that waits on a pipe for the
 * end of the recorder and then restores settings of the kernel.
 */
#pragma once

/*
 * Blocks all signals, so that none that the terminal sends ends the guard; leaves the current
 * folder; makes `fd` standard input. Returns 0 or -errno.
 */
int guard_process_begin(int fd);
/* Closes all descriptors from `first` on: files that stay open here would outlive the recorder. */
void guard_process_close_from(int first);
