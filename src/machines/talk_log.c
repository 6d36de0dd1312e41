/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "talk_log.h"

#include <stdlib.h>
#include <string.h>

#include "base/data/array.h"
#include "decode/event_decoder.h"
#include "merge/merger.h"

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
	ARRAY_ADD(arrivals->arrived, arrivals->arrived_count, arrivals->arrived_capacity) =
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

/* Shorter ones are padded on Ethernet. */
#define PACKET_BYTES_MIN 46

struct talk_reader {
	struct talk_log *log;
	struct decoder *decoder;
	struct talk_arrivals arrivals;
	uint32_t *sent, *received; /* by CPU: number of packets so far */
	uint32_t cpu_count;
};

static void way_add(struct talk_way *way, uint32_t *numbers, const struct event *event,
                    uint64_t bytes)
{
	const struct talk_place place = {event->cpu, numbers[event->cpu]++};

	if (net_event_is_loopback(&event->net))
		return;
	ARRAY_GROW(way->packet, way->count, way->capacity);
	ARRAY_GROW(way->place, way->count, way->place_capacity);
	if (bytes < PACKET_BYTES_MIN)
		bytes = PACKET_BYTES_MIN;
	way->packet[way->count] = (struct packet_sight){
		.time = event->time,
		.bytes = bytes < UINT32_MAX ? (uint32_t)bytes : UINT32_MAX,
	};
	way->place[way->count++] = place;
}

static void talk_receive(struct talk_reader *reader, const struct event *event)
{
	struct talk_way *received = &reader->log->received;
	size_t number = received->count;

	way_add(received, reader->received, event, event->net.bytes);
	if (received->count > number)
		talk_arrivals_receive(&reader->arrivals, event, number);
}

static void talk_take(struct talk_reader *reader, const struct event *event)
{
	talk_streams_take(&reader->log->streams, event);
	if (event->cpu >= reader->cpu_count)
		return;
	if (event->kind == EVENT_NET_QUEUE)
		way_add(&reader->log->sent, reader->sent, event,
		        event->net.bytes - (event->net.bytes < LINK_HEADER_BYTES
		                                    ? event->net.bytes : LINK_HEADER_BYTES));
	else if (event->kind == EVENT_NET_ARRIVE)
		talk_arrivals_take(&reader->arrivals, event);
	else if (event->kind == EVENT_NET_RECEIVE)
		talk_receive(reader, event);
}

static void talk_take_run(struct talk_reader *reader, const struct merged_run *run)
{
	struct talk_log *log = reader->log;
	struct event event;

	for (size_t i = 0; i < run->count; i++) {
		const struct record *record = &run->records[i];

		if (!log->has_any)
			log->begin = record->time;
		log->has_any = true;
		log->end = nsec_max(log->end, record->time);
		if (decoder_decode(reader->decoder, record, run->cpu, &event) == DECODE_EVENT)
			talk_take(reader, &event);
	}
}

static void talk_lose(struct talk_reader *reader, const struct merged_run *lost)
{
	talk_streams_lose(&reader->log->streams, lost->lost_begin, lost->lost_end);
	talk_arrivals_lose(&reader->arrivals, lost->lost_end);
}

/* Time may go back within a stream; what compares the packets needs them in order. */
static void way_settle(struct talk_way *way)
{
	for (size_t i = 1; i < way->count; i++)
		way->packet[i].time = nsec_max(way->packet[i].time, way->packet[i - 1].time);
}

void talk_log_read(struct source *source, struct talk_log *ret)
{
	struct talk_reader reader = {.log = ret, .decoder = decoder_new(source)};
	struct merger *merger = merger_new(source);
	struct merged_run run;

	*ret = (struct talk_log){0};
	talk_streams_begin(&ret->streams);
	talk_arrivals_init(&reader.arrivals);
	for (size_t i = 0; i < source->stream_count; i++)
		if (source->streams[i].cpu >= reader.cpu_count)
			reader.cpu_count = source->streams[i].cpu + 1;
	reader.sent = xcalloc(reader.cpu_count, sizeof(*reader.sent));
	reader.received = xcalloc(reader.cpu_count, sizeof(*reader.received));
	while (merger_next(merger, &run))
		if (run.records)
			talk_take_run(&reader, &run);
		else
			talk_lose(&reader, &run);
	talk_streams_end(&ret->streams);
	talk_arrivals_apply(&reader.arrivals, ret->received.packet);
	way_settle(&ret->sent);
	way_settle(&ret->received);
	talk_arrivals_release(&reader.arrivals);
	free(reader.sent);
	free(reader.received);
	merger_free(merger);
	decoder_free(reader.decoder);
}

static void way_release(struct talk_way *way)
{
	free(way->packet);
	free(way->place);
}

void talk_log_release(struct talk_log *log)
{
	way_release(&log->sent);
	way_release(&log->received);
	talk_streams_release(&log->streams);
	*log = (struct talk_log){0};
}
