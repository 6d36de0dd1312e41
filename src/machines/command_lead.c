/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "command_lead.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/data/array.h"
#include "base/data/order.h"
#include "base/xalloc.h"

/* An end of a connection, with its own address first. */
struct lead_end {
	struct endpoint key[2];
	uint32_t machine;
	bool is_active;
};

ORDER_FUNCTION(end_compare, struct lead_end, memcmp(x->key, y->key, sizeof(x->key)))

/* The only end with these addresses; NULL: there is none, or several networks use them. */
static const struct lead_end *end_find(const struct lead_end *ends, size_t count,
                                       const struct lead_end *wanted)
{
	const struct lead_end *found = bsearch(wanted, ends, count, sizeof(*ends), end_compare);

	if (!found || (found > ends && end_compare(found - 1, found) == 0) ||
	    (found + 1 < ends + count && end_compare(found + 1, found) == 0))
		return NULL;
	return found;
}

/* For each machine a mask of those to which it opened a connection. */
static void find_asked(const struct lead_machine *machines, size_t count, uint64_t *asked)
{
	struct lead_end *ends;
	size_t all = 0, used = 0;

	for (size_t i = 0; i < count; i++)
		all += machines[i].stream_count;
	ends = xcalloc(all, sizeof(*ends));
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < machines[i].stream_count; k++) {
			const struct host_stream *stream = &machines[i].streams[k];

			ends[used++] = (struct lead_end){{stream->local, stream->peer},
			                                 (uint32_t)i, stream->is_active};
		}
	array_sort(ends, used, sizeof(*ends), end_compare);
	for (size_t i = 0; i < used; i++) {
		const struct lead_end wanted = {.key = {ends[i].key[1], ends[i].key[0]}};
		const struct lead_end *other = end_find(ends, used, &wanted);

		if (ends[i].is_active && other && !other->is_active &&
		    other->machine != ends[i].machine &&
		    end_find(ends, used, &ends[i]) == &ends[i])
			asked[ends[i].machine] |= UINT64_C(1) << other->machine;
	}
	free(ends);
}

/* Adds those that the asked ones ask. */
static void close_asked(size_t count, uint64_t *asked)
{
	for (size_t via = 0; via < count; via++)
		for (size_t i = 0; i < count; i++)
			if (asked[i] >> via & 1)
				asked[i] |= asked[via];
}

/* Without connections between them: the command leads that begins first, if that is known. */
static enum command_lead lead_by_time(const struct lead_machine *machines, size_t count,
                                      uint64_t commands)
{
	size_t first = (size_t)__builtin_ctzll(commands);

	if ((commands & (commands - 1)) == 0)
		return COMMAND_LEADS_ALONE;
	for (size_t i = 0; i < count; i++)
		if ((commands >> i & 1) && machines[i].clock != machines[first].clock)
			return COMMAND_LEADS_NOT;
	return COMMAND_LEADS_FIRST;
}

void command_lead_find(const struct lead_machine *machines, size_t count, enum command_lead *ret)
{
	uint64_t asked[HOSTS_MAX] = {0}, commands = 0;
	enum command_lead lead = COMMAND_LEADS_ASKING;
	int most = 0;

	_Static_assert(HOSTS_MAX <= 64, "a bit for each");
	assert(count > 0 && count <= HOSTS_MAX);
	for (size_t i = 0; i < count; i++)
		commands |= (uint64_t)machines[i].has_command << i;
	find_asked(machines, count, asked);
	close_asked(count, asked);
	for (size_t i = 0; i < count; i++) {
		asked[i] &= commands & ~(UINT64_C(1) << i);
		if (machines[i].has_command && __builtin_popcountll(asked[i]) > most)
			most = __builtin_popcountll(asked[i]);
	}
	if (most == 0 && commands)
		lead = lead_by_time(machines, count, commands);
	for (size_t i = 0; i < count; i++)
		ret[i] = machines[i].has_command && __builtin_popcountll(asked[i]) == most
		                 ? lead : COMMAND_LEADS_NOT;
}
