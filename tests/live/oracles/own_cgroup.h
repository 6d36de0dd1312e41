/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A cgroup of its own for oracles. Of what calls these, the parent removes it with rmdir(2), after
 * the child that joined it has ended.
 */
#pragma once

#include <stdbool.h>

#define OWN_CGROUP_BYTES 64

/* Made from that template, as of mkdtemp(3), with that limit in that file; false where there can be
   none. */
bool own_cgroup_new(const char *template, const char *file, const char *limit,
                    char ret[OWN_CGROUP_BYTES]);
/* From now on the calling process is in it, or the oracle is skipped. */
void own_cgroup_join(const char *cgroup);
