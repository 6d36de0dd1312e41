/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who called sudo: files that root makes for him are his, and what he put anywhere is not taken for
 * planted.
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

/* False where we are not root, or sudo did not start us. */
bool sudo_caller_find(uid_t *ret_user, gid_t *ret_group);
