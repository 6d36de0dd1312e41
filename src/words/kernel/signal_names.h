/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Signals by the numbers of the recording machine, which may differ from those of the machine that
 * reads.
 */
#pragma once

struct signal_names;

/* `arch` is uname -m of the recording machine; NULL: not known, the most common names. Never
   NULL. */
const struct signal_names *signal_names_of(const char *arch);
/* "SIGCHLD"; NULL: no signal, or one of the real-time ones, which have no names. */
const char *signal_name(const struct signal_names *names, int number);
