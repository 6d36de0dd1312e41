/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The user who called sudo: files that root creates for this user get this owner, and the user's
   own files do not count as planted. */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

/* False if the process is not root, or was not started by sudo. */
bool sudo_caller_find(uid_t *ret_user, gid_t *ret_group);
