/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "descriptor_log.h"

#include <stdlib.h>

#include "base/assume.h"
#include "base/data/array.h"
#include "base/data/order.h"

void descriptor_log_release(struct descriptor_log *log)
{
	free(log->look);
	free(log->connect);
	if (log->connects.slot)
		map_release(&log->connects);
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

	return ORDER_BY(RISING(x, y, process), RISING(x, y, number), RISING(x, y, from),
	                RISING(x, y, to));
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

/* The look that says more of this one; NULL: there is none. */
static struct descriptor_look *look_more(const struct descriptor_log *log,
                                         const struct descriptor_look *look)
{
	struct descriptor_look *more = log->look + (look - log->look) + 1;

	return more < log->look + log->count && more->process == look->process &&
	       more->number == look->number && more->from == look->from ? more : NULL;
}

/* Whether the socket may have been connected since then. */
static bool socket_is_doubtful(const struct descriptor_log *log, uint64_t socket, nsec_t since)
{
	uint32_t at = log->connects.slot ? map_get(&log->connects, socket) : MAP_NONE;

	return log->connect_of_any > since || (at != MAP_NONE && log->connect[at] > since);
}

static void look_settle(struct descriptor_look *look, nsec_t since, nsec_t end)
{
	if (look->since == NSEC_NEVER && look->to < end)
		look->since = since;
}

bool descriptor_log_settle(struct descriptor_log *log, struct descriptor_use use, nsec_t end)
{
	struct descriptor_look *look = use.look ? &log->look[use.look - 1] : NULL, *more;

	ASSUME(use.look <= log->count);
	if (!look)
		return false;
	look_settle(look, use.since, end);
	more = look_more(log, look);
	if (more && !socket_is_doubtful(log, more->socket, use.since))
		look_settle(more, use.since, end);
	else if (more)
		more->since = NSEC_NEVER;
	return look->since == use.since;
}

uint64_t descriptor_log_socket(const struct descriptor_log *log, struct descriptor_use use)
{
	ASSUME(use.look <= log->count);
	return use.look ? log->look[use.look - 1].socket : 0;
}

void descriptor_log_connect(struct descriptor_log *log, uint64_t socket, nsec_t time)
{
	uint32_t at;

	if (socket == 0) {
		log->connect_of_any = time;
		return;
	}
	if (!log->connects.slot)
		map_init(&log->connects);
	at = map_get(&log->connects, socket);
	if (at == MAP_NONE) {
		at = (uint32_t)log->connect_count;
		map_put(&log->connects, socket, at);
		ARRAY_ADD(log->connect, log->connect_count, log->connect_capacity) = 0;
	}
	log->connect[at] = time;
}

uint32_t descriptor_log_path(const struct descriptor_log *log, struct descriptor_use use)
{
	const struct descriptor_look *look = use.look ? &log->look[use.look - 1] : NULL, *more;

	ASSUME(use.look <= log->count);
	if (!look || look->since != use.since)
		return 0;
	more = look_more(log, look);
	return more && more->since == use.since ? more->path : look->path;
}
