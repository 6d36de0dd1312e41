/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The user that called sudo: files that root creates for them belong to them, and their files do
 * not count as planted.
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

/* False if we are not root, or sudo did not start us. */
bool sudo_caller_find(uid_t *ret_user, gid_t *ret_group);
