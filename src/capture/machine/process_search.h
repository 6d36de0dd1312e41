/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Running processes by name. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/*
 * Finds the processes whose name is `comm`, at most 15 bytes of which the kernel has, without this
 * one and its threads. *ret is freed by the caller; NULL if there is none. Returns how many.
 */
size_t processes_find_named(const char *comm, int32_t **ret);
/* The name of a process; empty: it does not exist. `size`: of ret, at least 16. */
void comm_of_process(int32_t pid, char *ret, size_t size);
