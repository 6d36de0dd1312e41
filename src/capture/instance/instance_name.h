/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How instances are named: ftwait.PID, ftwait.PID.syscalls, ftwait.PID.stacks. */
#pragma once

#define INSTANCE_PREFIX "ftwait."
/* Follows the PID in a recorder's second instance, for system calls of some tasks. */
#define INSTANCE_CALLS_SUFFIX ".syscalls"
/* The same for user stacks and a profile. */
#define INSTANCE_STACKS_SUFFIX ".stacks"
