/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Marks: what programs write into the trace, emitted as it comes. Marks do not change the state of
 * any task.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/assume.h"
#include "state/core/tracker.h"

/* Bytes of a raw mark that are shown; each takes three characters. */
#define RAW_BYTES_SHOWN 32

static void mark_emit(struct machine *machine, struct cpu *cpu, const struct event *event,
                      struct text text)
{
	struct interval interval = interval_of(INTERVAL_MARK, event->cpu, cpu_doer(cpu),
	                                       machine->now, machine->now);

	interval.mark.text = text;
	machine_emit_interval(machine, &interval);
}

/* The kernel ends what is written with a newline if the program did not. */
static void on_mark(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	struct text text = event->mark.text;

	if (!machine_wants(machine, INTERVAL_MARK))
		return;
	text.length = (uint32_t)strnlen(text.at, text.length);
	if (text.length && text.at[text.length - 1] == '\n')
		text.length--;
	mark_emit(machine, cpu, event, text);
}

static void on_mark_raw(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	const struct text *bytes = &event->mark.text;
	char text[32 + 3 * RAW_BYTES_SHOWN + sizeof(" ...")];
	size_t length;

	if (!machine_wants(machine, INTERVAL_MARK))
		return;
	length = (size_t)snprintf(text, sizeof(text), "raw 0x%" PRIx64 ":", event->mark.id);
	for (uint32_t i = 0; i < bytes->length && i < RAW_BYTES_SHOWN; i++)
		length += (size_t)snprintf(text + length, sizeof(text) - length, " %02x",
		                           (unsigned)(unsigned char)bytes->at[i]);
	if (bytes->length > RAW_BYTES_SHOWN)
		length += (size_t)snprintf(text + length, sizeof(text) - length, " ...");
	ASSUME(length < sizeof(text));
	mark_emit(machine, cpu, event, (struct text){text, (uint32_t)length});
}

const struct tracker mark_tracker = {
	.handlers = HANDLERS(
		{EVENT_MARK, on_mark},
		{EVENT_MARK_RAW, on_mark_raw}),
};
