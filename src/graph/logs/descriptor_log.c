/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "descriptor_log.h"

#include <stdlib.h>

#include "base/assume.h"
#include "base/data/array.h"
#include "base/data/order.h"

void descriptor_log_release(struct descriptor_log *log)
{
	free(log->look);
	*log = (struct descriptor_log){0};
}

void descriptor_log_add(struct descriptor_log *log, const struct descriptor_look *look)
{
	ARRAY_ADD(log->look, log->count, log->capacity) = *look;
	log->look[log->count - 1].since = NSEC_NEVER;
}

static int look_compare(const void *a, const void *b)
{
	const struct descriptor_look *x = a, *y = b;

	return ORDER_BY(RISING(x, y, process), RISING(x, y, number), RISING(x, y, from));
}

void descriptor_log_close(struct descriptor_log *log)
{
	array_sort(log->look, log->count, sizeof(*log->look), look_compare);
}

size_t descriptor_log_of(const struct descriptor_log *log, int32_t process, size_t *ret)
{
	size_t first = ARRAY_BEFORE(it, log->look, log->count, it->process < process);

	*ret = ARRAY_BEFORE(it, log->look, log->count, it->process <= process) - first;
	return first;
}

static bool look_is_before(const struct descriptor_look *look, const struct descriptor_look *wanted)
{
	return look_compare(look, wanted) < 0;
}

struct descriptor_use descriptor_log_find(const struct descriptor_log *log, int32_t process,
                                          uint32_t number, nsec_t since)
{
	const struct descriptor_look wanted = {.process = process, .number = number, .from = since};
	size_t at = ARRAY_BEFORE(it, log->look, log->count, look_is_before(it, &wanted));
	bool is_of_it = at < log->count && log->look[at].process == process &&
	                log->look[at].number == number;

	return (struct descriptor_use){since, is_of_it ? (uint32_t)at + 1 : 0};
}

bool descriptor_log_settle(struct descriptor_log *log, struct descriptor_use use, nsec_t end)
{
	struct descriptor_look *look = use.look ? &log->look[use.look - 1] : NULL;

	ASSUME(use.look <= log->count);
	if (!look)
		return false;
	if (look->since == NSEC_NEVER && look->to < end)
		look->since = use.since;
	return look->since == use.since;
}

uint32_t descriptor_log_path(const struct descriptor_log *log, struct descriptor_use use)
{
	const struct descriptor_look *look = use.look ? &log->look[use.look - 1] : NULL;

	ASSUME(use.look <= log->count);
	return look && look->since == use.since ? look->path : 0;
}
