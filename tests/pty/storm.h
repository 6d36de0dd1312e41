/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A user who types anything: keys, among them those of `ftwait browse` more often, sequences that
 * no keyboard sends, and other sizes of the terminal, as a seed determines. No key of it ends
 * browse once that shows something, and none names a file.
 */
#pragma once

#include "pty_job.h"

/* Types so many keys, and changes the size once in 50 of them. Stops where the command has
   ended. */
void storm_blow(struct pty_job *job, uint64_t seed, unsigned keys);
