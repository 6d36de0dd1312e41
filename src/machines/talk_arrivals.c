/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "talk_arrivals.h"

#include <stdlib.h>
#include <string.h>

#include "base/data/array.h"

/* No packet is held for longer than that; the kernel's limit is gro_flush_timeout, at most some
   milliseconds in practice. */
#define HELD_MAX 100000000u

/* Devices beyond that have no arrivals. */
#define DEVICES_MAX 64
#define NO_DEVICE   UINT32_MAX

struct talk_device {
	char name[16]; /* IFNAMSIZ */
	bool has_bare; /* it received a packet that shows no arrival, and so none is believed */
};

struct talk_arrival {
	nsec_t time;
	uint64_t bytes;
	uint32_t device; /* NO_DEVICE: the packet has been received */
};

struct arrived_packet {
	nsec_t time;
	size_t number;
	uint32_t device;
};

void talk_arrivals_init(struct talk_arrivals *arrivals)
{
	*arrivals = (struct talk_arrivals){0};
	map_init(&arrivals->by_packet);
}

void talk_arrivals_release(struct talk_arrivals *arrivals)
{
	map_release(&arrivals->by_packet);
	free(arrivals->device);
	free(arrivals->arrival);
	free(arrivals->arrived);
	*arrivals = (struct talk_arrivals){0};
}

static bool device_is(const struct talk_device *device, const struct text *name)
{
	size_t length = strnlen(name->at, name->length);

	return length < sizeof(device->name) && memcmp(device->name, name->at, length) == 0 &&
	       device->name[length] == '\0';
}

static uint32_t device_find(const struct talk_arrivals *arrivals, const struct text *name)
{
	for (size_t i = 0; i < arrivals->device_count; i++)
		if (device_is(&arrivals->device[i], name))
			return (uint32_t)i;
	return NO_DEVICE;
}

static uint32_t device_add(struct talk_arrivals *arrivals, const struct text *name)
{
	struct talk_device device = {0};
	size_t length = strnlen(name->at, name->length);

	if (arrivals->device_count == DEVICES_MAX || length >= sizeof(device.name))
		return NO_DEVICE;
	memcpy(device.name, name->at, length);
	ARRAY_GROW(arrivals->device, arrivals->device_count, arrivals->device_capacity);
	arrivals->device[arrivals->device_count] = device;
	return (uint32_t)arrivals->device_count++;
}

void talk_arrivals_take(struct talk_arrivals *arrivals, const struct event *event)
{
	const struct net_event *net = &event->net;
	uint32_t at = map_get(&arrivals->by_packet, net->packet);
	uint32_t device = device_find(arrivals, &net->dev);

	if (device == NO_DEVICE) {
		device = device_add(arrivals, &net->dev);
		/* its packets before this one say nothing against it: they may have come before
		   arrivals were recorded */
		if (device != NO_DEVICE)
			arrivals->whole_since = nsec_max(arrivals->whole_since, event->time);
	}
	if (at == MAP_NONE) {
		if (arrivals->count >= MAP_NONE)
			return;
		at = (uint32_t)arrivals->count;
		ARRAY_GROW(arrivals->arrival, arrivals->count, arrivals->capacity);
		arrivals->count++;
		map_put(&arrivals->by_packet, net->packet, at);
	}
	arrivals->arrival[at] = (struct talk_arrival){event->time, net->bytes, device};
}

static bool is_of_packet(const struct talk_arrival *arrival, const struct event *event)
{
	return event->time >= arrival->time && event->time - arrival->time <= HELD_MAX;
}

void talk_arrivals_receive(struct talk_arrivals *arrivals, const struct event *event, size_t number)
{
	const struct net_event *net = &event->net;
	uint32_t device = device_find(arrivals, &net->dev), at;
	struct talk_arrival *arrival;

	if (device == NO_DEVICE)
		return; /* a bridge, say: the packet has come from another one */
	at = map_get(&arrivals->by_packet, net->packet);
	arrival = at == MAP_NONE ? NULL : &arrivals->arrival[at];
	if (!arrival || arrival->device != device || !is_of_packet(arrival, event)) {
		if (event->time > arrivals->whole_since + HELD_MAX)
			arrivals->device[device].has_bare = true;
		return;
	}
	arrival->device = NO_DEVICE;
	/* the rest of a merged packet arrived later */
	if (arrival->bytes != net->bytes)
		return;
	ARRAY_GROW(arrivals->arrived, arrivals->arrived_count, arrivals->arrived_capacity);
	arrivals->arrived[arrivals->arrived_count++] =
		(struct arrived_packet){arrival->time, number, device};
}

void talk_arrivals_lose(struct talk_arrivals *arrivals, nsec_t end)
{
	map_clear(&arrivals->by_packet);
	arrivals->count = 0;
	arrivals->whole_since = nsec_max(arrivals->whole_since, end);
}

void talk_arrivals_apply(const struct talk_arrivals *arrivals, struct packet_sight *packets)
{
	for (size_t i = 0; i < arrivals->arrived_count; i++) {
		const struct arrived_packet *arrived = &arrivals->arrived[i];

		if (!arrivals->device[arrived->device].has_bare)
			packets[arrived->number].time = arrived->time;
	}
}
