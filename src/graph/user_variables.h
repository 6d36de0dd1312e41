/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of variables of programs at which tasks slept, by process and address. Each address is
 * looked up once, when a task is first seen to sleep there; at most USER_VARIABLES_MAX are kept,
 * with or without a name.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/data/map.h"

#define USER_VARIABLES_MAX (1u << 18)

/* Ids in the timeline's names; 0: not known. */
struct user_variable {
	uint64_t address;
	int32_t tgid;
	uint32_t name;  /* "cache+0x8" */
	uint32_t futex; /* "futex cache+0x8" */
};

struct user_variables {
	struct user_variable *variable;
	size_t count, capacity;
	struct map by_hash;
};

void user_variables_init(struct user_variables *variables);
void user_variables_release(struct user_variables *variables);
/* NULL: not looked up yet. Borrowed until the next one is added. */
const struct user_variable *user_variables_find(const struct user_variables *variables,
                                                int32_t tgid, uint64_t address);
/* Adds one that is not there yet; returns NULL if there is no room. */
const struct user_variable *user_variables_add(struct user_variables *variables,
                                               const struct user_variable *added);
/* Id in the timeline's names of the variable; 0: not known. */
uint32_t user_variables_name(const struct user_variables *variables, int32_t tgid,
                             uint64_t address);
