/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "talk_log.h"

#include <stdlib.h>

#include "base/data/array.h"
#include "decode/event_decoder.h"
#include "merge/merger.h"
#include "talk_arrivals.h"

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
