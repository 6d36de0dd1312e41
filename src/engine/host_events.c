/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host_events.h"

#include <stdlib.h>

#include "base/xalloc.h"

/* The packets of one CPU that are messages, and how many of all were there so far. */
struct packet_walk {
	const struct packet_place *place; /* of all CPUs; NULL: there are none */
	size_t next, end;
	uint32_t number;
};

struct host_events {
	struct packet_walk *sent, *received; /* by CPU */
	uint32_t cpu_count;
};

static struct packet_walk *walks_new(const struct packet_place *place, size_t count,
                                     uint32_t cpu_count)
{
	struct packet_walk *walks = xcalloc(cpu_count, sizeof(*walks));
	size_t at = 0;

	for (uint32_t cpu = 0; cpu < cpu_count; cpu++) {
		walks[cpu].place = place;
		walks[cpu].next = at;
		while (at < count && place[at].cpu == cpu)
			at++;
		walks[cpu].end = at;
	}
	return walks;
}

struct host_events *host_events_new(const struct host_messages *messages, uint32_t cpu_count)
{
	struct host_events *events = xcalloc(1, sizeof(*events));
	const struct host_messages none = {0};

	if (!messages)
		messages = &none;
	events->cpu_count = cpu_count;
	events->sent = walks_new(messages->sent, messages->sent_count, cpu_count);
	events->received = walks_new(messages->received, messages->received_count, cpu_count);
	return events;
}

struct host_events *host_events_free(struct host_events *events)
{
	if (!events)
		return NULL;
	free(events->sent);
	free(events->received);
	free(events);
	return NULL;
}

/* The message that the next packet of the CPU is; 0: none. */
static uint32_t walk_next(struct packet_walk *walk)
{
	uint32_t number = walk->number++;

	if (walk->next == walk->end || walk->place[walk->next].number != number)
		return 0;
	return walk->place[walk->next++].message;
}

void host_event_fit(struct host_events *events, struct device_names *devices, uint32_t host,
                    uint32_t cpu_first, struct event *event)
{
	uint32_t cpu = event->cpu < events->cpu_count ? event->cpu : events->cpu_count - 1;

	switch ((int)event->kind) {
	case EVENT_SCHED_WAKING:
	case EVENT_SCHED_WAKEUP:
	case EVENT_SCHED_WAKEUP_NEW:
		if (event->wake.cpu >= 0)
			event->wake.cpu += cpu_first;
		break;
	case EVENT_SCHED_MIGRATE:
		event->migrate.to_cpu += cpu_first;
		break;
	case EVENT_NET_QUEUE:
		event->net.message = walk_next(&events->sent[cpu]);
		break;
	case EVENT_NET_RECEIVE:
		event->net.message = walk_next(&events->received[cpu]);
		break;
	case EVENT_FLOCK:
	case EVENT_POSIX_LOCK:
	case EVENT_POSIX_LOCK_END:
		event->file_lock.dev =
			device_names_number(devices, host, (uint32_t)event->file_lock.dev);
		break;
	case EVENT_FILE_ADD:
	case EVENT_FILE_DIRTY:
	case EVENT_FILE_SYNC:
	case EVENT_FILE_SYNC_END:
	case EVENT_FILE_SYNC_CALL:
		event->file.dev = device_names_number(devices, host, (uint32_t)event->file.dev);
		break;
	case EVENT_BLOCK_QUEUE:
	case EVENT_BLOCK_INSERT:
	case EVENT_BLOCK_ISSUE:
	case EVENT_BLOCK_REQUEUE:
	case EVENT_BLOCK_COMPLETE:
	case EVENT_BLOCK_DERIVE:
		event->block.dev = device_names_number(devices, host, (uint32_t)event->block.dev);
		event->block.from_dev =
			device_names_number(devices, host, (uint32_t)event->block.from_dev);
		break;
	default:
		break;
	}
}
