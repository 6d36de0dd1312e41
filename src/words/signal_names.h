/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Signals by the numbers of the machine that a trace comes from: those of the machine that reads it
 * may be others.
 */
#pragma once

struct signal_names;

/* `arch` is what uname -m says there; NULL: not told, then what most machines have. Never NULL. */
const struct signal_names *signal_names_of(const char *arch);
/* "SIGCHLD"; NULL: no signal, or one of the real-time ones, which have no names. */
const char *signal_name(const struct signal_names *names, int number);
