/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "split_filter.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/byte_order.h"
#include "base/data/array.h"
#include "base/xalloc.h"
#include "decode/event_format.h"

/* Bytes of a struct sockaddr_in before its address, and of the sockaddr_in6 that has the room. */
#define SOCKADDR_BEFORE 4
#define SOCKADDR_BYTES  28
#define MAPPED_BYTES    16
#define VECTOR_NET_RX   3

static const char *const net_systems[] = {
	"net", "napi", "qdisc", "skb", "sock", "tcp", "udp", "fib", "fib6",
};

static bool is_net(const char *system)
{
	for (size_t i = 0; i < ARRAY_SIZE(net_systems); i++)
		if (strcmp(net_systems[i], system) == 0)
			return true;
	return false;
}

static struct split_field field_of(const struct event_format *format, const char *name)
{
	const struct event_field *field = event_format_find(format, name);

	return field ? (struct split_field){field->offset, field->size} : (struct split_field){0};
}

static struct split_field field_of_either(const struct event_format *format, const char *name,
                                          const char *other)
{
	struct split_field field = field_of(format, name);

	return field.size ? field : field_of(format, other);
}

/* A device has a name that is a __data_loc; other names are arrays. */
static struct split_field device_field(const struct event_format *format)
{
	const struct event_field *name = event_format_find(format, "name");

	if (!name || !name->is_data_loc)
		name = event_format_find(format, "dev_name");
	if (!name || !name->is_data_loc)
		return (struct split_field){0};
	return (struct split_field){name->offset, name->size};
}

/* IPv4, 4 bytes, or that mapped in IPv6, 16 bytes. */
static struct split_field address_field(const struct event_format *format, const char *mapped,
                                        const char *name, const char *other)
{
	struct split_field field = field_of(format, mapped);

	if (field.size != MAPPED_BYTES)
		field = field_of_either(format, name, other);
	if (field.size == SOCKADDR_BYTES)
		field = (struct split_field){field.offset + SOCKADDR_BEFORE, 4};
	return field.size == 4 || field.size == MAPPED_BYTES ? field : (struct split_field){0};
}

static bool is_unwanted(const struct split_words *without, const char *system,
                        const struct text *name)
{
	char *event = xasprintf("%s:%.*s", system, (int)name->length, name->at);
	bool is = false;

	for (size_t i = 0; i < without->count; i++)
		is |= fnmatch(without->word[i], event, 0) == 0;
	free(event);
	return is;
}

static void rule_resolve(struct split_filter *filter, const struct format_text *text)
{
	struct event_format *format = xmalloc(sizeof(*format));
	struct split_rule *rule;

	if (event_format_parse(text->text, text->length, format) == 0) {
		rule = &filter->by_id[format->id];
		rule->is_net = is_net(text->system);
		rule->is_unwanted = is_unwanted(&filter->wish->without, text->system,
		                                &format->name);
		rule->is_receive = text_is(format->name, "netif_receive_skb");
		rule->is_crossing = text_is(format->name, "netif_rx");
		if (text_is(format->name, "softirq_raise"))
			rule->vector = field_of(format, "vec");
		rule->device = device_field(format);
		rule->packet = field_of(format, "skbaddr");
		rule->socket = field_of_either(format, "skaddr", "sk");
		rule->address = address_field(format, "saddr_v6", "saddr", "src");
		rule->peer = address_field(format, "daddr_v6", "daddr", "dst");
		rule->local_port = field_of(format, "sport");
		rule->peer_port = field_of(format, "dport");
		if (text_is(format->name, "hrtimer_start")) {
			rule->time[0] = field_of(format, "expires");
			rule->time[1] = field_of(format, "softexpires");
		} else if (text_is(format->name, "hrtimer_expire_entry")) {
			rule->time[0] = field_of(format, "now");
		}
	}
	free(format);
}

int split_filter_init(struct split_filter *filter, const struct split_wish *wish,
                      const struct source *source)
{
	*filter = (struct split_filter){
		.wish = wish,
		.is_swapped = source->is_big_endian != byte_order_is_big(),
		.by_id = xcalloc(SPLIT_IDS, sizeof(*filter->by_id)),
		.has_crossed = xcalloc(SPLIT_CPUS, sizeof(*filter->has_crossed)),
		.random = 1,
	};
	for (size_t i = 0; i < wish->devices.count; i++)
		filter->has_all |= strcmp(wish->devices.word[i], "*") == 0;
	map_init(&filter->packets);
	map_init(&filter->sockets);
	for (size_t i = 0; i < wish->addresses.count; i++)
		if (inet_pton(AF_INET, wish->addresses.word[i], &filter->address[i]) != 1)
			return -EINVAL;
	for (size_t i = 0; i < source->format_count; i++)
		rule_resolve(filter, &source->formats[i]);
	return 0;
}

void split_filter_release(struct split_filter *filter)
{
	free(filter->by_id);
	free(filter->has_crossed);
	map_release(&filter->packets);
	map_release(&filter->sockets);
}

static bool record_has(const struct record *record, struct split_field field)
{
	return field.size && (uint64_t)field.offset + field.size <= record->length;
}

/* A pointer of the kernel; 0 if the record has none. */
static uint64_t load_pointer(const struct split_filter *filter, const struct record *record,
                             struct split_field field)
{
	if (!record_has(record, field))
		return 0;
	return field.size == 8 ? load_u64(record->payload + field.offset, filter->is_swapped)
	                       : load_u32(record->payload + field.offset, filter->is_swapped);
}

static bool device_is_ours(const struct split_filter *filter, const char *name)
{
	for (size_t i = 0; i < filter->wish->devices.count; i++)
		if (fnmatch(filter->wish->devices.word[i], name, 0) == 0)
			return true;
	return false;
}

/* Copies the name; false if the record has none. */
static bool load_device(const struct split_filter *filter, const struct record *record,
                        struct split_field field, char to[static 64])
{
	uint32_t place, offset, length;

	if (!record_has(record, field))
		return false;
	place = load_u32(record->payload + field.offset, filter->is_swapped);
	offset = place & 0xffff;
	length = place >> 16;
	if (length >= 64 || offset + length > record->length)
		return false;
	memcpy(to, record->payload + offset, length);
	to[length] = '\0';
	return true;
}

static bool keeps_packet(struct split_filter *filter, const struct split_rule *rule,
                         const struct record *record)
{
	uint64_t packet = load_pointer(filter, record, rule->packet);
	bool is_foreign = packet && map_get(&filter->packets, packet) == 0;
	char device[64];

	if (!load_device(filter, record, rule->device, device)) {
		uint32_t is_ours = map_get(&filter->packets, packet);

		return is_ours == MAP_NONE ? filter->has_all : is_ours;
	}
	if (device[0] == '(') /* "(no_device)": the backlog of a CPU */
		return true;
	if (packet)
		map_put(&filter->packets, packet, device_is_ours(filter, device));
	return device_is_ours(filter, device) && !(rule->is_crossing && is_foreign);
}

static bool address_is_ours(const struct split_filter *filter, uint32_t address)
{
	for (size_t i = 0; i < filter->wish->addresses.count; i++)
		if (filter->address[i] == address)
			return true;
	return false;
}

/* The address in the bytes of the packet; 0: none, any, or not IPv4. */
static uint32_t load_address(const struct record *record, struct split_field field)
{
	static const uint8_t mapped[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
	const uint8_t *at = record->payload + field.offset;
	uint32_t address;

	if (!record_has(record, field) ||
	    (field.size == MAPPED_BYTES && memcmp(at, mapped, sizeof(mapped)) != 0))
		return 0;
	memcpy(&address, at + field.size - sizeof(address), sizeof(address));
	return address;
}

static uint32_t load_port(const struct split_filter *filter, const struct record *record,
                          struct split_field field)
{
	return field.size == 2 && record_has(record, field)
	               ? load_u16(record->payload + field.offset, filter->is_swapped) : 0;
}

static bool ports_are_ours(const struct split_filter *filter, const struct split_rule *rule,
                           const struct record *record)
{
	uint32_t port = filter->wish->port;

	return port == 0 || load_port(filter, record, rule->local_port) == port ||
	       load_port(filter, record, rule->peer_port) == port;
}

static bool keeps_socket(struct split_filter *filter, const struct split_rule *rule,
                         const struct record *record)
{
	uint64_t socket = load_pointer(filter, record, rule->socket);
	uint32_t local = load_address(record, rule->address);
	bool is_ours = address_is_ours(filter, local) && ports_are_ours(filter, rule, record);

	if (filter->wish->addresses.count == 0)
		return true;
	if (local) {
		if (socket)
			map_put(&filter->sockets, socket, is_ours);
		return is_ours;
	}
	if (socket)
		return map_get(&filter->sockets, socket) != 0;
	/* a route without a source is looked up by the one that sends, and goes to another */
	return !address_is_ours(filter, load_address(record, rule->peer));
}

static bool is_lost(struct split_filter *filter)
{
	/* the linear congruential generator of Knuth's MMIX */
	filter->random = filter->random * 6364136223846793005u + 1442695040888963407u;
	return (filter->random >> 33) % 100 < filter->wish->drop_receives;
}

const struct split_rule *split_filter_rule(const struct split_filter *filter,
                                           const struct record *record)
{
	return &filter->by_id[record->length >= 2
	                              ? load_u16(record->payload, filter->is_swapped)
	                              : 0];
}

/* The soft interrupt in which a packet of another machine arrives, as its sender raises it. */
static bool is_raise_of_crossing(const struct split_filter *filter, const struct split_rule *rule,
                                 const struct record *record)
{
	return rule->vector.size == 4 && record_has(record, rule->vector) &&
	       load_u32(record->payload + rule->vector.offset, filter->is_swapped) == VECTOR_NET_RX;
}

bool split_filter_keeps(struct split_filter *filter, const struct record *record, unsigned cpu)
{
	const struct split_rule *rule = split_filter_rule(filter, record);
	bool has_crossed = filter->has_crossed[cpu], is_ours = true;

	filter->has_crossed[cpu] = false;
	if (has_crossed && is_raise_of_crossing(filter, rule, record))
		return false;
	if (rule->is_net && (rule->device.size || (rule->packet.size && !rule->socket.size)))
		is_ours = keeps_packet(filter, rule, record);
	else if (rule->is_net)
		is_ours = keeps_socket(filter, rule, record);
	filter->has_crossed[cpu] = rule->is_crossing && !is_ours;
	return is_ours && !rule->is_unwanted && !(rule->is_receive && is_lost(filter));
}
