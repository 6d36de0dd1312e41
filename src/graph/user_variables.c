/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "user_variables.h"

#include <stdlib.h>

#include "base/data/array.h"

void user_variables_init(struct user_variables *variables)
{
	*variables = (struct user_variables){0};
	map_init(&variables->by_hash);
}

void user_variables_release(struct user_variables *variables)
{
	free(variables->variable);
	map_release(&variables->by_hash);
}

static uint64_t variable_hash(int32_t tgid, uint64_t address)
{
	return hash_mix(hash_mix(0, (uint32_t)tgid), address);
}

const struct user_variable *user_variables_find(const struct user_variables *variables,
                                                int32_t tgid, uint64_t address)
{
	uint64_t hash = variable_hash(tgid, address);
	uint32_t index;

	MAP_HASH_EACH(&variables->by_hash, hash, index)
		if (variables->variable[index].tgid == tgid &&
		    variables->variable[index].address == address)
			return &variables->variable[index];
	return NULL;
}

const struct user_variable *user_variables_add(struct user_variables *variables,
                                               const struct user_variable *added)
{
	uint64_t hash = variable_hash(added->tgid, added->address);
	uint32_t index;

	if (variables->count == USER_VARIABLES_MAX)
		return NULL;
	MAP_HASH_EACH(&variables->by_hash, hash, index)
		(void)index; /* finds the place */
	ARRAY_GROW(variables->variable, variables->count, variables->capacity);
	variables->variable[variables->count] = *added;
	map_put(&variables->by_hash, hash, (uint32_t)variables->count);
	return &variables->variable[variables->count++];
}

uint32_t user_variables_name(const struct user_variables *variables, int32_t tgid,
                             uint64_t address)
{
	const struct user_variable *known = user_variables_find(variables, tgid, address);

	return known ? known->name : 0;
}
