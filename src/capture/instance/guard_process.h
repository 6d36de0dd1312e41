/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a guard does first: a small process, forked by a recorder, that waits for the recorder's end
 * on a pipe or socket and then restores something in the kernel.
 */
#pragma once

/*
 * Blocks all signals, so that none that the terminal sends ends the guard; leaves the current
 * folder; makes `fd` standard input. Returns 0 or -errno.
 */
int guard_process_begin(int fd);
/* Closes all descriptors from `first` on: files that stay open here would outlive the recorder. */
void guard_process_close_from(int first);
