/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "network_use.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/tables/cells.h"
#include "analysis/tables/interval_gate.h"
#include "analysis/machine_time.h"
#include "analysis/prose.h"
#include "analysis/tables/relation.h"
#include "base/data/array.h"
#include "base/text/format.h"
#include "base/xalloc.h"

#define DEVICES_MAX  4096u
#define WINDOW_LEAST 100000000u /* ns; the figures of a shorter window would be too rough */

struct device_use {
	struct device_key {
		uint32_t dev; /* name id */
		uint32_t machine;
	} key;
	struct traffic_interval sum;
};

struct network_use {
	const struct question *question;
	struct relation devices; /* struct device_use */
	struct interval_gate gate;
};

static void network_use_take(void *state, const struct interval *interval)
{
	struct network_use *use = state;
	const struct traffic_interval *traffic = &interval->traffic;
	const struct device_key key = {
		traffic->dev, hosts_of_cpu(&use->question->timeline->hosts, interval->cpu)};
	struct device_use *device = relation_row(&use->devices, &key);

	if (!device)
		return;
	device->sum.sent += traffic->sent;
	device->sum.received += traffic->received;
	device->sum.sent_here += traffic->sent_here;
	device->sum.received_here += traffic->received_here;
}

struct network_use *network_use_new(const struct question *question)
{
	struct network_use *use = xcalloc(1, sizeof(*use));

	use->question = question;
	relation_init(&use->devices, sizeof(struct device_use), sizeof(struct device_key),
	              DEVICES_MAX);
	interval_gate_init(&use->gate, question, network_use_take);
	return use;
}

void network_use_free(struct network_use *use)
{
	relation_release(&use->devices, NULL);
	interval_gate_release(&use->gate);
	free(use);
}

void network_use_add(struct network_use *use, const struct interval *interval)
{
	if (interval->kind == INTERVAL_TRAFFIC)
		interval_gate_pass(&use->gate, use, interval);
}

void network_use_resolve(struct network_use *use)
{
	interval_gate_resolve(&use->gate, use);
}

/* Whether all packets of that direction were recorded, as far as the file says. */
static bool is_recorded(const struct network_use *use, enum event_kind kind, const char *event)
{
	const struct resolved *resolved = use->question->resolved;

	return resolved->seen.has[kind] ||
	       recorded_events(&resolved->recorded, "net", event, resolved->described.has[kind]) ==
	               EVENTS_NONE;
}

static bool sent_is_recorded(const struct network_use *use)
{
	return is_recorded(use, EVENT_NET_QUEUE, "net:net_dev_queue");
}

static bool received_is_recorded(const struct network_use *use)
{
	return is_recorded(use, EVENT_NET_RECEIVE, "net:netif_receive_skb");
}

static bool is_known(const struct network_use *use)
{
	return use->devices.count > 0 &&
	       (!use->question->resolved->is_windowed ||
	        question_length(use->question) >= WINDOW_LEAST);
}

/* Packets that cross within the machine may be counted on one side of a window's edge, and the rest
   of their bytes on the other. */
static uint64_t bytes_beyond(uint64_t all, uint64_t here)
{
	return all > here ? all - here : 0;
}

/* What went to and came from other machines. */
static struct traffic_interval device_beyond(const struct device_use *device)
{
	return (struct traffic_interval){
		.dev = device->key.dev,
		.sent = bytes_beyond(device->sum.sent, device->sum.sent_here),
		.received = bytes_beyond(device->sum.received, device->sum.received_here),
	};
}

/* The device of the machine with the most bytes, `beyond` it or in all; without any if there is
   none. */
static struct traffic_interval busiest(const struct network_use *use, uint32_t machine, bool beyond)
{
	struct traffic_interval most = {.dev = 0};

	for (size_t i = 0; i < use->devices.count; i++) {
		const struct device_use *device = relation_at(&use->devices, i);
		struct traffic_interval bytes = beyond ? device_beyond(device) : device->sum;

		if (device->key.machine == machine &&
		    bytes.sent + bytes.received > most.sent + most.received) {
			most = bytes;
			most.dev = device->key.dev;
		}
	}
	return most;
}

static void rate_append(struct buffer *to, uint64_t bytes, nsec_t length, const char *way)
{
	buffer_printf(to, " %s/s %s", SIZE_TEXT(nsec_per_second(bytes, length)), way);
}

void network_use_append(const struct network_use *use, uint32_t machine, struct buffer *to)
{
	struct traffic_interval most = busiest(use, machine, /* beyond= */ true);
	nsec_t length = machine_time(use->question, machine);
	bool has_sent = sent_is_recorded(use), has_received = received_is_recorded(use);
	const char *name;

	if (!is_known(use) || length == 0)
		return;
	if (most.sent + most.received == 0)
		most = busiest(use, machine, /* beyond= */ false);
	if (most.sent + most.received == 0)
		return;
	name = intern_text(&use->question->timeline->names, most.dev);
	buffer_puts(to, "network ");
	prose_machine_append(to, use->question->timeline, machine);
	buffer_puts_clean(to, name, strlen(name));
	if (health_is_impaired(use->question->health))
		buffer_puts(to, " at least");
	if (has_sent)
		rate_append(to, most.sent, length, "out");
	if (has_sent && has_received)
		buffer_putc(to, ',');
	if (has_received)
		rate_append(to, most.received, length, "in");
}

static const struct column columns[] = {
	{MACHINE_COLUMN},
	{"dev", NULL, CELL_TEXT, 0},
	{"sent_bytes", NULL, CELL_COUNT, 0},
	{"received_bytes", NULL, CELL_COUNT, 0},
	{"sent_here_bytes", NULL, CELL_COUNT, 0},
	{"received_here_bytes", NULL, CELL_COUNT, 0},
};

#define COLUMNS ARRAY_SIZE(columns)

static struct cell cell_of_bytes(uint64_t bytes, bool is_known)
{
	return (struct cell){.type = is_known ? CELL_COUNT : CELL_EMPTY, .count = bytes};
}

static uint64_t device_bytes(const void *device)
{
	const struct traffic_interval *sum = &((const struct device_use *)device)->sum;

	return sum->sent + sum->received;
}

static const struct measure by_bytes[] = {{.of = device_bytes}};
static const struct relation_form form = {.by_key = by_bytes};

void network_use_put(const struct network_use *use, const struct output *to)
{
	const struct timeline *timeline = use->question->timeline;
	size_t skip = machine_column_skip(timeline), count = COLUMNS - skip;
	bool has_sent = sent_is_recorded(use), has_received = received_is_recorded(use);
	struct relation_rows rows;
	struct cell *cells;

	if (!is_known(use))
		return;
	rows = relation_choose(&use->devices, &form, use, use->question);
	cells = xcalloc(rows.count * count, sizeof(*cells));
	for (size_t i = 0; i < rows.count; i++) {
		const struct device_use *device = rows.row[i];
		const struct cell cell[] = {
			cell_of_machine(timeline, device->key.machine),
			{.type = CELL_TEXT, .text = intern_text(&timeline->names, device->key.dev)},
			cell_of_bytes(device->sum.sent, has_sent),
			cell_of_bytes(device->sum.received, has_received),
			cell_of_bytes(device->sum.sent_here, has_sent),
			cell_of_bytes(device->sum.received_here, has_received),
		};

		memcpy(&cells[i * count], cell + skip, count * sizeof(*cells));
	}
	output_field(to, "networks", NULL, &(struct cell){
		.type = CELL_ROWS,
		.rows = {columns + skip, count, cells, rows.count},
	});
	free(cells);
	relation_rows_release(&rows);
}
