/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packets that arrive. Explains a wake-up made while one was being received: from another host
 * (the device is all that is known), or from a task of this machine, whose own send path ran the
 * receiving soft interrupt: then that task is the waker, whatever the flags say.
 */
#include "tracker.h"

#include "base/array.h"

#define SOFTIRQ_NET_RX 3

static void on_receive(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	struct cause_note note;

	cause_note_init(&note, CAUSE_NET, CONFIDENCE_HIGH);
	note.bytes = event->net.bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)event->net.bytes;
	if (event->net.dev.length)
		note.name = intern_add(&machine->timeline->names, event->net.dev.at,
		                       event->net.dev.length);
	cpu_sight(cpu, &cpu->packet, &note);
}

/* A poll has ended: what it received explains no later wake-up of a polling thread. */
static void on_napi_poll(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	(void)machine;
	(void)event;
	if (cpu->level == LEVEL_TASK)
		cpu->packet.activation = 0;
}

/* In task context only a thread that polls a device receives packets. */
static bool is_polling_thread(const struct machine *machine, const struct wake *wake)
{
	return (wake->event->flags & EVENT_BH_OFF) ||
	       machine->task[wake->cpu->current].role == ROLE_NAPI;
}

static bool net_explain(const struct machine *machine, const struct wake *wake,
                        struct cause_note *ret)
{
	const struct cpu *cpu = wake->cpu;
	const struct frame *frame = cpu_top(cpu, wake->level);
	bool has_packet = cpu_sees(cpu, &cpu->packet);
	bool is_own_send = wake->level == LEVEL_SOFT && frame && frame->kind == FRAME_SOFTIRQ &&
	                   frame->number == SOFTIRQ_NET_RX && frame->is_own_send;

	if (!has_packet && !is_own_send)
		return false;
	if (wake->level == LEVEL_TASK && !is_polling_thread(machine, wake))
		return false;
	if (has_packet)
		*ret = cpu->packet.note;
	else
		cause_note_init(ret, CAUSE_NET, CONFIDENCE_MEDIUM);
	if (is_own_send) {
		ret->waker = cpu->current;
		ret->originator = cpu->current;
		ret->is_walked = true;
	} else if (wake->level == LEVEL_TASK) {
		ret->waker = cpu->current;
	}
	return true;
}

static const struct handler_row net_handlers[] = {
	{EVENT_NET_RECEIVE, on_receive},
	{EVENT_NAPI_POLL, on_napi_poll},
};

const struct tracker net_tracker = {
	.name = "net",
	.handlers = net_handlers,
	.handler_count = ARRAY_SIZE(net_handlers),
	.explain = net_explain,
	.explains = IN_TASK | IN_IRQ,
};
