/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Programs that check something of every recording of some folders. */
#pragma once

#include <stdbool.h>

#include "ftwait/source.h"

/* For each trace.dat of the folders argv[1] ..., then a line of counts; an exit status. */
int each_recording(int argc, char **argv, bool (*check)(void *state, const char *path),
                   void *state);
/* NULL where it cannot be opened, which is printed with the reason. */
struct source *recording_open(const char *path);
