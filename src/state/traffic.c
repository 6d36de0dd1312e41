/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "traffic.h"

#include <stdlib.h>

#include "base/data/array.h"

static struct device_traffic *traffic_device(struct traffic *traffic, uint32_t dev)
{
	uint32_t index;

	if (traffic->count == 0)
		map_init(&traffic->by_name);
	else if (traffic->device[traffic->last].bytes.dev == dev)
		return &traffic->device[traffic->last];
	index = map_get(&traffic->by_name, dev);
	if (index != MAP_NONE) {
		traffic->last = index;
		return &traffic->device[index];
	}
	if (traffic->count == TRAFFIC_DEVICES_MAX)
		return NULL;
	ARRAY_GROW(traffic->device, traffic->count, traffic->capacity);
	map_put(&traffic->by_name, dev, (uint32_t)traffic->count);
	traffic->device[traffic->count] = (struct device_traffic){.bytes.dev = dev};
	return &traffic->device[traffic->count++];
}

static void device_emit(struct device_traffic *device, struct machine *machine, nsec_t end)
{
	struct interval interval = {
		.kind = INTERVAL_TRAFFIC,
		.cpu = machine_first_cpu(machine),
		.begin = device->begin,
		.end = end,
		.phase = {NSEC_NEVER, NSEC_NEVER},
		.task = TRACK_NONE,
		.other = TRACK_NONE,
		.traffic = device->bytes,
	};

	machine_emit_interval(machine, &interval);
	*device = (struct device_traffic){.bytes.dev = device->bytes.dev};
}

void traffic_add(struct traffic *traffic, struct machine *machine,
                 const struct traffic_interval *bytes)
{
	struct device_traffic *device = bytes->dev ? traffic_device(traffic, bytes->dev) : NULL;

	if (!device)
		return;
	if (device->is_open && machine->now - device->begin >= TRAFFIC_SLICE)
		device_emit(device, machine, machine->now);
	if (!device->is_open)
		device->begin = machine->now;
	device->is_open = true;
	device->bytes.sent += bytes->sent;
	device->bytes.received += bytes->received;
	device->bytes.sent_here += bytes->sent_here;
	device->bytes.received_here += bytes->received_here;
}

void traffic_close(struct traffic *traffic, struct machine *machine, nsec_t end)
{
	for (size_t i = 0; i < traffic->count; i++)
		if (traffic->device[i].is_open)
			device_emit(&traffic->device[i], machine, end);
}

void traffic_release(struct traffic *traffic)
{
	if (traffic->count)
		map_release(&traffic->by_name);
	free(traffic->device);
	*traffic = (struct traffic){0};
}
