/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "packet_timer.h"

#include <string.h>

#include "base/array.h"

/* An ACK, and what it releases; what follows in answer to that is the other end's doing. */
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

static struct packet_timer timer_of_frame(const struct machine *machine, const struct frame *frame)
{
	const char *name = intern_text(&machine->timeline->names, frame->name);

	for (size_t i = 0; i < ARRAY_SIZE(timers); i++)
		if (strcmp(name, timers[i].function) == 0)
			return (struct packet_timer){
				.function = frame->name,
				.armer = frame->beginner,
				.armed = frame->begun,
				.stall = timers[i].stall,
				.hops = 1,
			};
	return (struct packet_timer){0};
}

struct packet_timer packet_timer_of_send(const struct machine *machine, const struct cpu *cpu,
                                         const struct packet_timer *received)
{
	const struct frame *frame = cpu_top(cpu, LEVEL_SOFT);
	struct packet_timer timer = {0};

	if (cpu->level != LEVEL_SOFT)
		return timer;
	if (frame && frame->kind == FRAME_TIMER)
		return timer_of_frame(machine, frame);
	if (received && received->function && received->hops < HOPS_MAX) {
		timer = *received;
		timer.hops++;
	}
	return timer;
}

/* Time before the timer was armed is not attributed to it: then the cause of the wait until there
   must be known. */
bool packet_timer_explain(const struct machine *machine, uint32_t line,
                          const struct packet_timer *timer, struct cause_note *ret)
{
	bool is_inside = line != LINE_NONE && timer->armed != NSEC_NEVER &&
	                 timer->armed > machine->task[line].since;

	if (!timer->function || (is_inside && (timer->armer == LINE_NONE || timer->armer == line)))
		return false;
	cause_note_init(ret, CAUSE_TIMER,
	                timer->armed == NSEC_NEVER ? CONFIDENCE_MEDIUM : CONFIDENCE_HIGH);
	ret->name = timer->function;
	ret->as.timer.stall = timer->stall;
	if (timer->armer != LINE_NONE && timer->armer != line) {
		ret->originator = timer->armer;
		ret->origin = timer->armed;
	}
	return true;
}
