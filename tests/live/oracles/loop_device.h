/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A loop device of its own for oracles; it goes away with its last user. */
#pragma once

#include <stdint.h>

/*
 * Over that file, with these LO_FLAGS_*, opened with these of open(2); skips the oracle where there
 * can be none. *ret_number is that of its name.
 */
int loop_device_open(int backing, uint32_t loop_flags, int open_flags, int *ret_number);
