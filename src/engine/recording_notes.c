/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "recording_notes.h"

#include <inttypes.h>

#include "analysis/recorded.h"
#include "base/data/array.h"
#include "base/text/buffer.h"
#include "base/cleanup.h"
#include "base/text/format.h"
#include "words/time_scale.h"
#include "words/kernel/trace_clock.h"

/* A larger uncertainty of times of day, in ns, is noted. */
#define WITHIN_MAX 1000000

/* The consequence if a trace has none of these events. */
static const struct {
	enum event_kind kind;
	const char *consequence;
} wanted[] = {
	{EVENT_SCHED_SWITCH, "no sched_switch in this trace: which tasks waited is not known"},
	{EVENT_SCHED_WAKING, "no sched_waking in this trace: wakers are taken from sched_wakeup "
	                     "and less certain"},
};

/* The same for events that show causes of waits. */
static const struct {
	enum event_kind kind;
	const char *group;
	const char *consequence;
} wanted_objects[] = {
	{EVENT_IRQ_ENTRY, "irq", "interrupts that wake are not named"},
	{EVENT_HRTIMER_ENTRY, "timer", "sleeps are shown as waits for a timer or device"},
	{EVENT_BLOCK_COMPLETE, "block", "disk waits are shown as waits for a timer or device"},
	{EVENT_NET_RECEIVE, "net", "network waits are shown as waits for a timer or device"},
};

/* The kernel's own print format is wrong for such a trace, so other tools show other states. */
void recording_notes_states(const struct recording_notes *notes, struct health *health)
{
	static const char *const words[] = {
		[STATE_BY_BIT] = NULL,
		[STATE_BY_INDEX] = "this kernel recorded the number of a task's state, not its "
		                   "bit (4.14.0 to 4.14.62 do): read as that",
		[STATE_SHIFTED] = "this kernel recorded the bit next to that of a task's state "
		                  "(4.14.63 to 4.20 do): read as that; its idle kernel workers "
		                  "look preempted",
	};
	const char *text = words[notes->state_form];

	if (notes->has_any && text)
		health_note(health, "%s", text);
}

bool recording_notes_lack(const struct recording_notes *notes, enum event_kind kind)
{
	return !notes->seen->has[kind] && !notes->described->has[kind];
}

/* Without timer events, sleeps are still explained if their system calls are known. */
static const char *object_consequence(const struct recording_notes *notes, size_t object)
{
	if (wanted_objects[object].kind == EVENT_HRTIMER_ENTRY &&
	    !recording_notes_lack(notes, EVENT_SYSCALL_ENTER))
		return "timeouts are shown as waits for a timer or device, as are sleeps of tasks "
		       "whose system calls were not recorded";
	return wanted_objects[object].consequence;
}

/* " (ftwait record -e +timer)", or that the events were recorded but the kernel reported none. */
static void remedy_append(const struct recording_notes *notes, const char *groups,
                          struct buffer *to)
{
	struct recorded recorded =
		recorded_of(notes->source, notes->seen->has[EVENT_STACK]);

	if (!record_hint_append(to, " (", &recorded, groups, /* stacks= */ false, ")"))
		buffer_puts(to, " (recorded, but this kernel reported none)");
}

/* A single track, however many kinds of events are missing. */
static void note_objects(const struct recording_notes *notes, struct health *health)
{
	const char *consequence = NULL;
	_cleanup_(buffer_release) struct buffer groups = {0}, words = {0}, note = {0};
	size_t count = 0;

	buffer_init(&groups, 100);
	buffer_init(&words, 100);
	buffer_init(&note, BUFFER_LIMIT_DEFAULT);
	for (size_t i = 0; i < ARRAY_SIZE(wanted_objects); i++) {
		if (!recording_notes_lack(notes, wanted_objects[i].kind) ||
		    (wanted_objects[i].kind == EVENT_HRTIMER_ENTRY && notes->has_wakeup_timers))
			continue;
		buffer_printf(&groups, "%s%s", count ? "," : "", wanted_objects[i].group);
		buffer_printf(&words, "%s%s", count ? ", " : "", wanted_objects[i].group);
		count++;
		consequence = object_consequence(notes, i);
	}
	if (count == 0)
		return;
	if (count > 1)
		consequence = "what these would explain is shown as waits for a timer or device";
	buffer_printf(&note, "no %s events in this trace: %s", words.text, consequence);
	remedy_append(notes, groups.text, &note);
	health_note(health, "%s", note.text);
}

void recording_notes_lacks(const struct recording_notes *notes, struct health *health)
{
	_cleanup_(buffer_release) struct buffer note = {0};

	if (!notes->has_any)
		return;
	buffer_init(&note, BUFFER_LIMIT_DEFAULT);
	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++) {
		if (!recording_notes_lack(notes, wanted[i].kind))
			continue;
		buffer_clear(&note);
		buffer_puts(&note, wanted[i].consequence);
		remedy_append(notes, "sched", &note);
		health_note(health, "%s", note.text);
	}
	note_objects(notes, health);
}

/* No record shows when the host did not run a virtual CPU: its events pause, and its task seems to
   run. */
void recording_notes_guest(const struct recording_notes *notes, struct health *health)
{
	const struct source *source = notes->source;

	health->has_steal = source->has_steal;
	health->steal_ns = source->steal_ns;
	if (source->steal_ns)
		health_note(health,
		            "recorded in a virtual machine: %s of CPU time were stolen by the "
		            "host; that time counts as running, or as a late wake-up",
		            DURATION_TEXT(source->steal_ns));
	else if (source->is_guest)
		health_note(health, "recorded in a virtual machine; %s",
		            source->has_steal ? "its host reports no stolen CPU time"
		                              : "how much CPU time its host stole is not known");
}

/* Notes what makes times of day uncertain. */
void recording_notes_realtime(const struct recording_notes *notes, struct health *health)
{
	const struct realtime *realtime = &notes->source->realtime;
	int64_t jump = time_scale_jump(realtime);
	nsec_t within = 0;

	for (size_t i = 0; i < realtime->count; i++)
		within = nsec_max(within, realtime->pair[i].within);
	if (jump != 0)
		health_note(health,
		            "while this was recorded, the time of day went %s %s than the trace's "
		            "clock: it was set, or the machine was suspended; times of day are "
		            "uncertain by as much",
		            DURATION_TEXT((nsec_t)(jump < 0 ? -jump : jump)),
		            jump < 0 ? "less far" : "further");
	if (within > WITHIN_MAX)
		health_note(health, "times of day are uncertain by %s: the recorder could not read "
		                    "both clocks at once", DURATION_TEXT(within));
}

/* Whether the clock of the trace counts the time in which the machine was suspended. */
static void sleep_append(const struct source *source, const struct health *health,
                         struct buffer *note)
{
	const struct trace_clock *clock = source->clock ? trace_clock_find(source->clock) : NULL;

	switch (clock ? clock->sleep : SLEEP_UNKNOWN) {
	case SLEEP_COUNTED:
		buffer_printf(note, ", in which the machine slept for %s",
		              DURATION_TEXT(health->asleep_ns));
		break;
	case SLEEP_LEFT_OUT:
		buffer_puts(note, " besides the time in which the machine slept, which the "
		                  "trace's clock does not count");
		break;
	case SLEEP_BY_MACHINE:
		buffer_puts(note, "; the trace's clock does not count the time in which the "
		                  "machine sleeps, except on x86 in suspend-to-idle");
		break;
	case SLEEP_UNKNOWN:
		break;
	}
}

void recording_notes_suspend(const struct recording_notes *notes, struct health *health)
{
	_cleanup_(buffer_release) struct buffer note = {0};

	if (health->suspends == 0)
		return;
	buffer_init(&note, BUFFER_LIMIT_DEFAULT);
	buffer_printf(&note,
	              "the system was suspended %" PRIu64 " time%s: its tasks were frozen for %s",
	              health->suspends, format_plural(health->suspends),
	              DURATION_TEXT(health->frozen_ns));
	if (health->sleeps)
		sleep_append(notes->source, health, &note);
	else
		buffer_puts(&note, ", but the machine did not sleep");
	health_note(health, "%s", note.text);
}
