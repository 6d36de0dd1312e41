/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perfetto_wakings.h"

#include <string.h>

#include "base/array.h"
#include "perfetto_file.h"

void perfetto_wakings_release(struct perfetto_wakings *wakings)
{
	proto_release(&wakings->time);
	proto_release(&wakings->tid);
	proto_release(&wakings->cpu);
	proto_release(&wakings->prio);
	proto_release(&wakings->comm);
	proto_release(&wakings->flags);
	proto_release(&wakings->strings);
}

void perfetto_wakings_clear(struct perfetto_wakings *wakings)
{
	proto_clear(&wakings->time);
	proto_clear(&wakings->tid);
	proto_clear(&wakings->cpu);
	proto_clear(&wakings->prio);
	proto_clear(&wakings->comm);
	proto_clear(&wakings->flags);
	proto_clear(&wakings->strings);
	wakings->string_count = 0;
	wakings->last_comm = 0;
	wakings->last = 0;
}

/* Names come in runs: writing one again now and then costs less than a table. */
static uint32_t string_add(struct perfetto_wakings *wakings, const struct text *comm)
{
	size_t length = comm->length ? strnlen(comm->at, comm->length) : 0;
	char text[sizeof(wakings->last_text)] = "";

	memcpy(text, comm->at, length < sizeof(text) ? length : sizeof(text));
	if (wakings->last_comm && memcmp(text, wakings->last_text, sizeof(text)) == 0)
		return wakings->last_comm - 1;
	memcpy(wakings->last_text, text, sizeof(text));
	perfetto_text_put(&wakings->strings, COMPACT_STRING, comm);
	wakings->last_comm = ++wakings->string_count;
	return wakings->last_comm - 1;
}

void perfetto_wakings_add(struct perfetto_wakings *wakings, const struct event *event)
{
	/* the first one is relative to 0 */
	nsec_t since = event->time - wakings->last;

	proto_packed(&wakings->time, since);
	proto_packed(&wakings->tid, (uint32_t)event->wake.tid);
	proto_packed(&wakings->cpu, (uint64_t)event->wake.cpu);
	proto_packed(&wakings->prio, 0);
	proto_packed(&wakings->comm, string_add(wakings, &event->wake.comm));
	proto_packed(&wakings->flags, event->flags);
	wakings->last = event->time;
}

void perfetto_wakings_put(const struct perfetto_wakings *wakings, struct proto_writer *to)
{
	const struct {
		uint32_t field;
		const struct proto_writer *column;
	} columns[] = {
		{COMPACT_WAKING_TIMESTAMP, &wakings->time},
		{COMPACT_WAKING_PID, &wakings->tid},
		{COMPACT_WAKING_TARGET_CPU, &wakings->cpu},
		{COMPACT_WAKING_PRIO, &wakings->prio},
		{COMPACT_WAKING_COMM, &wakings->comm},
		{COMPACT_WAKING_FLAGS, &wakings->flags},
	};

	if (wakings->time.length == 0)
		return;
	proto_begin(to, BUNDLE_COMPACT_SCHED);
	proto_raw(to, wakings->strings.byte, wakings->strings.length);
	for (size_t i = 0; i < ARRAY_SIZE(columns); i++)
		proto_bytes(to, columns[i].field, columns[i].column->byte,
		            columns[i].column->length);
	proto_end(to);
}
