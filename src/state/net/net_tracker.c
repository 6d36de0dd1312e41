/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packets that arrive. Explains a wake-up made while one was being received: from another host
 * (which socket_tracker.c may know), or from a task of this machine whose own send path ran the
 * receiving soft interrupt: then that task is the waker, whatever the flags say. If another context
 * received what went over the loopback device, or came out of another device of this machine, the
 * packet's address identifies the sender, or the TCP timer that sent it (struct packet_timer), and
 * how long the packet stood in a queue.
 *
 * A program that writes to a tun device, as VPNs and user-mode networks do, receives the packet in
 * its own context: it is the waker, and had the packet as long as it liked.
 */
#include "state/trackers.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/assume.h"
#include "base/data/array.h"
#include "net_trackers.h"
#include "state/core/held_wait.h"

/*
 * Packets that a TCP timer sent, and those that their reception released: a task that waits for one
 * of them has waited for the timer.
 *
 *	timer_expire_entry tcp_delack_timer     the ACK that was kept back
 *	  net_dev_queue  1  ------.
 *	netif_receive_skb  1  <---'             arrives at the other end, which
 *	  net_dev_queue  2  ------.             held a segment until then (Nagle)
 *	netif_receive_skb  2  <---'
 *	  sched_waking                          the task that reads it
 */
struct packet_timer {
	uint32_t function; /* name id; 0: no timer sent it */
	uint32_t armer;    /* track; TRACK_NONE: not known */
	nsec_t armed;      /* NSEC_NEVER: not known */
	uint8_t stall;     /* enum stall_kind */
	uint8_t hops;      /* packets sent since then, including this one */
};

/* A packet on its way from a device of this machine, perhaps to another device of this machine. */
struct flight {
	uint32_t sender; /* track; TRACK_NONE: no task */
	nsec_t time;
	struct packet_timer timer;
	uint32_t device; /* name of the last device it was handed to, and when */
	nsec_t queued;
	uint32_t queue; /* name of the device in whose queue it stood longest, and for how long */
	nsec_t queue_time;
	uint32_t bytes; /* as it was handed to that device */
	bool is_looping; /* that device loops back; on others the address is soon reused */
	bool has_crossed; /* it came out of another device */
	uint8_t host; /* number of the sender's machine; `time` is on its clock */
	nsec_t cut; /* when it left a queue that had cut it from a larger packet; 0: no queue did */
};

/*
 * The bytes that network devices sent and received, as INTERVAL_TRAFFIC: packets of one device
 * within about a millisecond are one interval, as a view needs no single packet. Devices are
 * distinguished by their names, as packets carry nothing else: those of the same name in several
 * network namespaces are one.
 *
 * O(1) a packet; memory for TRAFFIC_DEVICES_MAX devices, later ones are ignored.
 */
#define TRAFFIC_SLICE       1000000u /* ns; a packet that comes later begins a new interval */
#define TRAFFIC_DEVICES_MAX 4096u

struct device_traffic {
	bool is_open; /* packets are counted that no interval has reported yet */
	nsec_t begin; /* the first of these */
	struct traffic_interval bytes;
};

/* Packets are kept until they are received, or their address is reused. */
struct flights {
	struct object_pool by_packet; /* struct flight, by address */
	struct sparse_array traffic; /* struct device_traffic, by name id */
};

OWN_DATA(flights_of, struct flights, NET)

struct cpu_packet {
	struct sighting last;
	uint64_t received; /* address of the packet being received */
	struct flight landed; /* its flight; no sender and no timer: not known */
	uint64_t sent; /* address of the last packet that a device took; 0: none since */
	uint32_t sent_device; /* its name; 0: not known */
	uint32_t sent_length; /* of that packet, valid if its device is known */
	uint64_t sent_bytes; /* of the last packet that was sent */
	uint64_t strange; /* address of a packet that left a queue but is not in flights; 0: none */
	struct given_packet given;
	uint32_t unclaimed; /* packets of this activation that no connection has taken in yet */
};

CPU_DATA(cpu_packet, struct cpu_packet, NET)

/* The ACK, and the packet that it releases. A packet in answer to that is the other end's doing. */
#define HOPS_MAX 2

/* The stall if the timer sends; for timers without one the kernel records what they send. */
static const struct {
	const char *function;
	uint8_t stall;
} timers[] = {
	{"tcp_delack_timer", STALL_DELAYED_ACK},
	{"tcp_write_timer", STALL_NONE},
	{"reqsk_timer_handler", STALL_NONE},
};

/* Index in `timers`; SIZE_MAX: it is no timer of TCP. */
static size_t timer_find(const struct machine *machine, uint32_t function)
{
	const char *name = intern_text(&machine->timeline->names, function);

	for (size_t i = 0; i < ARRAY_SIZE(timers); i++)
		if (strcmp(name, timers[i].function) == 0)
			return i;
	return SIZE_MAX;
}

bool net_is_timer(const struct machine *machine, uint32_t function)
{
	return timer_find(machine, function) != SIZE_MAX;
}

/* The timer behind what the CPU sends now. `received`: the timer of the packet that is being
   received there; NULL: no packet is. */
static struct packet_timer packet_timer_of_send(const struct machine *machine,
                                                const struct cpu *cpu,
                                                const struct packet_timer *received)
{
	const struct frame *frame = cpu_top(cpu, LEVEL_SOFT);
	bool is_timer = cpu->level == LEVEL_SOFT && frame && frame->kind == FRAME_TIMER;
	size_t at = is_timer ? timer_find(machine, frame->name) : SIZE_MAX;
	struct packet_timer timer = {0};

	ASSUME(!received || (received->function != 0) == (received->hops != 0));
	if (at != SIZE_MAX)
		return (struct packet_timer){frame->name, frame->beginner, frame->begun,
		                             timers[at].stall, 1};
	if (cpu->level != LEVEL_SOFT || is_timer)
		return timer;
	if (received && received->function && received->hops < HOPS_MAX) {
		timer = *received;
		timer.hops++;
	}
	return timer;
}

/* Whether the timer is why the track's wait ends now; *ret describes it. The timer explains only
   the time since it was armed: if that was within the wait, another task must be known to have
   armed it. */
static bool packet_timer_explain(const struct machine *machine, uint32_t track,
                                 const struct packet_timer *timer, struct cause_note *ret)
{
	bool is_inside = track != TRACK_NONE && timer->armed != NSEC_NEVER &&
	                 timer->armed > machine->task[track].since;

	ASSUME(timer->hops <= HOPS_MAX);
	if (!timer->function ||
	    (is_inside && (timer->armer == TRACK_NONE || timer->armer == track)))
		return false;
	cause_note_init(ret, CAUSE_TIMER,
	                timer->armed == NSEC_NEVER ? CONFIDENCE_MEDIUM : CONFIDENCE_HIGH);
	ret->name = timer->function;
	/* the stall is that of the segment that the ACK releases, not of the ACK */
	if (timer->stall != STALL_DELAYED_ACK || timer->hops == HOPS_MAX)
		ret->as.timer.stall = timer->stall;
	if (timer->armer != TRACK_NONE && timer->armer != track) {
		ret->originator = timer->armer;
		ret->origin = timer->armed;
	}
	return true;
}

bool net_take_packet(const struct machine *machine, const struct cpu *cpu)
{
	struct cpu_packet *packet = cpu_packet(machine, cpu);

	return packet->unclaimed > 0 && --packet->unclaimed > 0;
}

/* The packet is sent by a task, by a TCP timer, or by a task that forwards what it received. */
static struct flight flight_begin(struct machine *machine, const struct cpu *cpu,
                                  const struct event *event)
{
	const struct cpu_packet *packet = cpu_packet(machine, cpu);
	const struct flight *landed = cpu_sees(cpu, &packet->last) ? &packet->landed : NULL;
	struct flight flight = {
		.sender = cpu_doer(cpu),
		.time = machine->now,
		.timer = packet_timer_of_send(machine, cpu, landed ? &landed->timer : NULL),
		.host = (uint8_t)machine->setup.host,
	};

	if (landed && cpu->level == LEVEL_SOFT && packet->received == event->net.packet)
		flight = *landed;
	flight.device = machine_word(machine, event->net.dev);
	flight.queued = machine->now;
	flight.bytes = event->net.bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)event->net.bytes;
	flight.is_looping = net_event_is_loopback(&event->net);
	flight.has_crossed = false;
	return flight;
}

static void device_emit(struct device_traffic *device, struct machine *machine, nsec_t end)
{
	struct interval interval = interval_of(INTERVAL_TRAFFIC, machine_first_cpu(machine),
	                                       TRACK_NONE, device->begin, end);

	ASSUME(device->is_open && device->begin <= end);
	interval.traffic = device->bytes;
	machine_emit_interval(machine, &interval);
	device->is_open = false;
}

/* Counts a packet of the device of bytes->dev, a name id; 0: it has none, and nothing is
   counted. */
static void traffic_add(struct machine *machine, const struct traffic_interval *bytes)
{
	struct sparse_array *traffic = &flights_of(machine)->traffic;
	struct device_traffic *device;

	if (!machine_wants(machine, INTERVAL_TRAFFIC) || !bytes->dev)
		return;
	device = sparse_array_find(traffic, bytes->dev);
	if (!device && traffic->count == TRAFFIC_DEVICES_MAX)
		return;
	if (!device)
		device = sparse_array_get(traffic, bytes->dev);
	ASSUME(traffic->count <= TRAFFIC_DEVICES_MAX && device->begin <= machine->now);
	if (device->is_open && machine->now - device->begin >= TRAFFIC_SLICE)
		device_emit(device, machine, machine->now);
	if (!device->is_open)
		*device = (struct device_traffic){true, machine->now, {.dev = bytes->dev}};
	device->bytes.sent += bytes->sent;
	device->bytes.received += bytes->received;
	device->bytes.sent_here += bytes->sent_here;
	device->bytes.received_here += bytes->received_here;
}

static void traffic_close(struct machine *machine, nsec_t end)
{
	struct device_traffic *device;
	uint32_t place, dev;

	SPARSE_ARRAY_EACH(&flights_of(machine)->traffic, place, dev, device)
		if (device->is_open)
			device_emit(device, machine, end);
}

static void traffic_begin(struct machine *machine)
{
	sparse_array_init(&flights_of(machine)->traffic, sizeof(struct device_traffic));
}

static void traffic_end(struct machine *machine)
{
	sparse_array_release(&flights_of(machine)->traffic);
}

static void packet_set_sent(struct cpu_packet *packet, uint64_t sent, const struct flight *flight)
{
	/* it may have passed a queue without leaving the CPU */
	if (!flight && packet->sent == sent)
		return;
	packet->sent = sent;
	packet->sent_device = flight ? flight->device : 0;
	packet->sent_length = flight ? flight->bytes : 0;
}

/* The former packet at this address was dropped. */
static void on_send(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	struct object_pool *pool = &flights_of(machine)->by_packet;
	struct cpu_packet *packet = cpu_packet(machine, cpu);
	struct flight flight;

	cpu_note_act(machine, cpu);
	cpu_leave_locks(machine, cpu);
	packet->sent_bytes = event->net.bytes;
	packet->strange = 0;
	flight = flight_begin(machine, cpu, event);
	packet_set_sent(packet, event->net.packet, &flight);
	traffic_add(machine, &(struct traffic_interval){
		.dev = flight.device,
		.sent = flight.bytes,
		.sent_here = flight.is_looping ? flight.bytes : 0,
	});
	if (cpu_doer(cpu) != TRACK_NONE)
		packet->given = (struct given_packet){flight.sender, flight.device, machine->now,
		                                      event->net.bytes};
	if (event->net.message && machine->setup.messages)
		*(struct flight *)object_pool_put(machine->setup.messages, event->net.message) =
			flight;
	if (flight.sender == TRACK_NONE && !flight.timer.function)
		(void)object_pool_take(pool, event->net.packet);
	else
		*(struct flight *)object_pool_put(pool, event->net.packet) = flight;
}

/* Bytes of a segment before its data, from the device's header on: TCP's own is 20 to 60 bytes. */
#define HEADERS_LEAST 54
#define HEADERS_MOST  114

struct given_packet net_take_given(const struct machine *machine, const struct cpu *cpu,
                                   uint64_t bytes)
{
	struct cpu_packet *packet = cpu_packet(machine, cpu);
	struct given_packet given = packet->given;

	ASSUME(given.time <= machine->now);
	packet->given.bytes = 0;
	if (given.track != cpu_doer(cpu) || given.bytes < bytes + HEADERS_LEAST ||
	    given.bytes > bytes + HEADERS_MOST)
		given.track = TRACK_NONE;
	return given;
}

nsec_t net_cut_at(const struct machine *machine, const struct cpu *cpu)
{
	const struct cpu_packet *packet = cpu_packet(machine, cpu);

	return cpu_sees(cpu, &packet->last) && packet->landed.cut ? packet->landed.cut
	                                                          : NSEC_NEVER;
}

uint64_t net_sent_bytes(const struct machine *machine, const struct cpu *cpu)
{
	return cpu_packet(machine, cpu)->sent_bytes;
}

/* The packet has left its device's queue. */
static void flight_leave(const struct machine *machine, struct flight *flight)
{
	nsec_t time = machine->now - flight->queued;

	ASSUME(flight->queued <= machine->now);
	if (time >= QUEUED_LEAST && time > flight->queue_time) {
		flight->queue = flight->device;
		flight->queue_time = time;
	}
	flight->queued = machine->now;
}

static void on_dequeue(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	struct cpu_packet *packet = cpu_packet(machine, cpu);
	struct flight *flight =
		object_pool_find(&flights_of(machine)->by_packet, event->net.packet);

	packet_set_sent(packet, event->net.packet, flight);
	packet->strange = flight ? 0 : event->net.packet;
	if (flight)
		flight_leave(machine, flight);
}

/*
 * A device that hands a packet to another device does so while it sends the packet. Otherwise the
 * address has been reused, as is soon done with that of a packet that left this machine.
 */
static void on_cross(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	struct cpu_packet *packet = cpu_packet(machine, cpu);
	struct flight *flight =
		object_pool_find(&flights_of(machine)->by_packet, event->net.packet);

	if (packet->sent != event->net.packet)
		return;
	/* it was counted when it was sent */
	traffic_add(machine, &(struct traffic_interval){
		.dev = packet->sent_device,
		.sent_here = packet->sent_length,
	});
	packet->sent_device = 0; /* once only */
	if (flight) {
		flight_leave(machine, flight);
	} else {
		/* its sender is not known; a queue may have cut it from a larger packet, which has
		   another address */
		flight = object_pool_put(&flights_of(machine)->by_packet, event->net.packet);
		*flight = (struct flight){
			.sender = TRACK_NONE,
			.cut = packet->strange == event->net.packet ? machine->now : 0,
		};
	}
	flight->has_crossed = true;
}

/* From the wake-up by a timer that sends again until the event that says so. */
#define RESENT_EVENTS_MAX 3

/* What the timer sent has woken a task at once: one that reads a device's packets, as of tun. */
static void woken_note_stall(const struct machine *machine, const struct cpu *cpu,
                             uint32_t function, enum stall_kind stall)
{
	struct held_wait *held = cpu->woken == TRACK_NONE ? NULL : machine->task[cpu->woken].held;

	ASSUME(function && stall != STALL_NONE);
	if (!held || held->after_count || cpu->woken_at + RESENT_EVENTS_MAX < cpu->event_count ||
	    held->cause.kind != CAUSE_TIMER || held->cause.name != function)
		return;
	held->cause.as.timer.stall = (uint8_t)stall;
}

bool net_note_resent(const struct machine *machine, const struct cpu *cpu, enum stall_kind stall)
{
	const struct cpu_packet *packet = cpu_packet(machine, cpu);
	struct flight *flight = object_pool_find(&flights_of(machine)->by_packet, packet->sent);
	uint32_t function = packet_timer_of_send(machine, cpu, NULL).function;

	if (flight && flight->timer.function && flight->timer.hops == 1)
		flight->timer.stall = (uint8_t)stall;
	if (function)
		woken_note_stall(machine, cpu, function, stall);
	return function;
}

/* Takes the packet that arrives out of the flights, and names its sender in the note, if known. */
static struct flight flight_land(struct machine *machine, const struct event *event,
                                 struct cause_note *note)
{
	static const struct flight unknown = {.sender = TRACK_NONE};
	const struct flight *flight =
		object_pool_take(&flights_of(machine)->by_packet, event->net.packet);
	const struct flight *message =
		event->net.message && machine->setup.messages
			? object_pool_find(machine->setup.messages, event->net.message) : NULL;

	ASSUME(note->kind == CAUSE_NET);
	if (message)
		flight = message;
	else if (!flight ||
	         !(flight->has_crossed ||
	           (flight->is_looping && net_event_is_loopback(&event->net))))
		return unknown;
	ASSUME(flight->queue_time == 0 || flight->queue_time >= QUEUED_LEAST);
	if (flight->sender == TRACK_NONE)
		return *flight;
	if (message)
		note->as.net.clock_bound = machine_clock_bound(machine, message->host);
	note->originator = flight->sender;
	note->origin = flight->time;
	note->as.net.queue = flight->queue;
	note->as.net.queue_time = time_between(0, flight->queue_time);
	return *flight;
}

static void on_receive(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	struct cpu_packet *packet = cpu_packet(machine, cpu);
	struct cause_note note;
	bool is_from_here;

	cause_note_init(&note, CAUSE_NET, CONFIDENCE_HIGH);
	note.as.net.bytes = event->net.bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)event->net.bytes;
	note.name = machine_word(machine, event->net.dev);
	packet->landed = flight_land(machine, event, &note);
	is_from_here = packet->landed.has_crossed || net_event_is_loopback(&event->net);
	traffic_add(machine, &(struct traffic_interval){
		.dev = note.name,
		.received = note.as.net.bytes,
		.received_here = is_from_here ? note.as.net.bytes : 0,
	});
	packet->received = event->net.packet;
	packet->sent = 0;
	packet->unclaimed = cpu_sees(cpu, &packet->last) ? packet->unclaimed + 1 : 1;
	cpu_sight(cpu, &packet->last, &note);
	if (cpu->level == LEVEL_TASK)
		cpu->explainers |= TRACKER_BIT(NET);
	socket_leave(machine, cpu);
}

static void on_drop(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	struct interval interval = interval_of(INTERVAL_DROP, cpu->number, cpu_doer(cpu),
	                                       machine->now, machine->now);
	const struct drop_event *drop = &event->drop;
	struct intern *names = &machine->timeline->names;
	const char *function;
	char text[32];

	if (!machine_wants(machine, INTERVAL_DROP) || drop->protocol == 0)
		return;
	(void)snprintf(text, sizeof(text), "REASON_%" PRIu64, drop->reason);
	interval.drop.reason = drop->name.length
	                               ? intern_add(names, drop->name.at, drop->name.length)
	                       : drop->reason ? intern_adds(names, text)
	                                      : 0;
	/* the function by name, else by address; this is a return address, behind the call */
	(void)snprintf(text, sizeof(text), "0x%" PRIx64, drop->location);
	function = machine_function_within(machine, drop->location - 1);
	interval.drop.function = intern_adds(names, function ? function : text);
	machine_emit_interval(machine, &interval);
}

/* A poll has ended: what it received explains no later wake-up of a polling thread. */
static void on_napi_poll(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	struct cpu_packet *packet = cpu_packet(machine, cpu);

	(void)event;
	if (cpu->level != LEVEL_TASK)
		return;
	packet->last.activation = 0;
	packet->sent = 0;
	cpu->explainers &= ~TRACKER_BIT(NET);
	socket_leave(machine, cpu);
}

uint32_t net_sender(const struct machine *machine, const struct cpu *cpu)
{
	const struct frame *frame = cpu_top(cpu, LEVEL_SOFT);
	const struct cpu_packet *packet = cpu_packet(machine, cpu);

	if (frame && cpu_is_own_send(cpu, frame))
		return cpu->current;
	return cpu_sees(cpu, &packet->last) ? packet->last.note.originator : TRACK_NONE;
}

static bool net_explain(const struct machine *machine, const struct wake *wake,
                        struct cause_note *ret)
{
	const struct cpu *cpu = wake->cpu;
	const struct frame *frame = wake->level == LEVEL_SOFT ? cpu_top(cpu, LEVEL_SOFT) : NULL;
	const struct cpu_packet *packet = cpu_packet(machine, cpu);
	bool has_packet = cpu_sees(cpu, &packet->last);
	bool is_own_send = frame && cpu_is_own_send(cpu, frame);

	if (!has_packet && !is_own_send)
		return false;
	/* in task context only a thread receives packets that polls a device, or hands the kernel
	   packets of its own */
	if (wake->level == LEVEL_TASK && !(wake->event->flags & EVENT_BH_OFF) &&
	    machine->task[cpu->current].role != KERNEL_THREAD_NAPI)
		return false;
	if (has_packet && packet_timer_explain(machine, wake->wakee, &packet->landed.timer, ret))
		return true;
	ASSUME(!has_packet || packet->last.note.kind == CAUSE_NET);
	if (has_packet)
		*ret = packet->last.note;
	else
		cause_note_init(ret, CAUSE_NET, CONFIDENCE_MEDIUM);
	if (machine->task[cpu->current].is_idle) /* damaged: idle tasks do nothing */
		return true;
	if (is_own_send) {
		ret->waker = cpu->current;
		ret->originator = cpu->current;
		ret->origin = NSEC_NEVER;
		ret->is_walked = true;
	} else if (wake->level == LEVEL_TASK) {
		ret->waker = cpu->current;
		ret->is_walked = !machine->timeline->track[cpu->current].is_kernel &&
		                 machine->task[cpu->current].role == KERNEL_THREAD_NONE;
	}
	return true;
}

/* Whether it matters that the packet is forgotten: a packet that has left this machine is no
   loss. */
static bool flight_is_here(const void *object)
{
	const struct flight *flight = object;

	return flight->is_looping || flight->has_crossed;
}

void net_messages_init(struct object_pool *messages)
{
	object_pool_init(messages,
	                 &(struct object_pool_setup){.object_bytes = sizeof(struct flight),
	                                             .limit = OBJECTS_MAX});
}

const struct tracker net_tracker = {
	.handlers = HANDLERS(
		{EVENT_NET_QUEUE, on_send},
		{EVENT_NET_DEQUEUE, on_dequeue},
		{EVENT_NET_CROSS, on_cross},
		{EVENT_NET_RECEIVE, on_receive},
		{EVENT_NAPI_POLL, on_napi_poll},
		{EVENT_NET_DROP, on_drop}),
	.explain = {net_explain, IN_TASK | IN_IRQ, ONLY_MARKED},
	.also_with = TRACKER_BIT(IRQ),
	.own_bytes = sizeof(struct flights),
	.stores = STORES(
		POOL_AT(offsetof(struct flights, by_packet),
		        struct flight, OBJECTS_MAX, "packets on their way", flight_is_here)),
	.cpu_bytes = sizeof(struct cpu_packet),
	.close = traffic_close,
	.begin = traffic_begin,
	.end = traffic_end,
};
