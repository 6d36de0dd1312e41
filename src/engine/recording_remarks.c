/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "recording_remarks.h"

#include <inttypes.h>

#include "analysis/recorded.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/buffer.h"
#include "base/text/format.h"
#include "words/kernel/kernel_feature.h"
#include "words/kernel/trace_clock.h"
#include "words/time_scale.h"

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

static const char no_wakeups[] =
	"no wake-ups in this trace: time in run queues cannot be told from sleep";

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
static void note_states(const struct recording_remarks *remarks, struct health *health)
{
	static const char *const words[] = {
		[STATE_BY_BIT] = NULL,
		[STATE_BY_INDEX] = "this kernel recorded the number of a task's state, not its "
		                   "bit (4.14.0 to 4.14.62 do): read as that",
		[STATE_SHIFTED] = "this kernel recorded the bit next to that of a task's state "
		                  "(4.14.63 to 4.20 do): read as that; its idle kernel workers "
		                  "look preempted",
	};
	const char *text = words[remarks->state_form];

	if (remarks->has_any && text)
		health_note(health, "%s", text);
}

static void note_contexts(const struct recording_remarks *remarks, struct health *health)
{
	if (remarks->source->lacks_timers)
		health_doubt(health, "it does not show which events were in an interrupt, nor the "
		                     "interrupts of timers: outside of those that it shows, who "
		                     "woke a task is not known (record timer events, too, or call "
		                     "chains)");
	else if (remarks->source->lacks_contexts)
		health_doubt(health, "it does not show which events were in an interrupt, nor all "
		                     "interrupts' own: what was interrupted may be named as waker");
}

bool recording_remarks_lack(const struct recording_remarks *remarks, enum event_kind kind)
{
	return !remarks->seen->has[kind] && !remarks->described->has[kind];
}

/* Without timer events, sleeps are still explained if their system calls are known. */
static const char *object_consequence(const struct recording_remarks *remarks, size_t object)
{
	if (wanted_objects[object].kind == EVENT_HRTIMER_ENTRY &&
	    !recording_remarks_lack(remarks, EVENT_SYSCALL_ENTER))
		return "timeouts are shown as waits for a timer or device, as are sleeps of tasks "
		       "whose system calls were not recorded";
	return wanted_objects[object].consequence;
}

/* " (ftwait record -e +timer)", or that the group was recorded, without such an event. */
static void remedy_append(const struct recording_remarks *remarks, const char *groups,
                          struct buffer *to)
{
	const struct recorded recorded = {remarks->source->notes,
	                                  remarks->seen->has[EVENT_STACK]};

	if (!record_hint_append(to, " (", &recorded, groups, /* stacks= */ false, ")"))
		buffer_puts(to, " (this kernel has none)");
}

/* A single track, however many kinds of events are missing. */
static void note_objects(const struct recording_remarks *remarks, struct health *health)
{
	const char *consequence = NULL;
	_cleanup_(buffer_release) struct buffer groups = buffer_of(100);
	_cleanup_(buffer_release) struct buffer words = buffer_of(100);
	_cleanup_(buffer_release) struct buffer note = buffer_of(BUFFER_LIMIT_DEFAULT);
	size_t count = 0;

	for (size_t i = 0; i < ARRAY_SIZE(wanted_objects); i++) {
		if (!recording_remarks_lack(remarks, wanted_objects[i].kind) ||
		    (wanted_objects[i].kind == EVENT_HRTIMER_ENTRY && remarks->has_wakeup_timers))
			continue;
		buffer_printf(&groups, "%s%s", count ? "," : "", wanted_objects[i].group);
		buffer_printf(&words, "%s%s", count ? ", " : "", wanted_objects[i].group);
		count++;
		consequence = object_consequence(remarks, i);
	}
	if (count == 0)
		return;
	if (count > 1)
		consequence = "what these would explain is shown as waits for a timer or device";
	buffer_printf(&note, "no %s events in this trace: %s", words.text, consequence);
	remedy_append(remarks, groups.text, &note);
	health_note(health, "%s", note.text);
}

static const char *consequence_of(const struct recording_remarks *remarks, size_t wish)
{
	return wanted[wish].kind == EVENT_SCHED_WAKING &&
	                       recording_remarks_lack(remarks, EVENT_SCHED_WAKEUP)
	               ? no_wakeups
	               : wanted[wish].consequence;
}

/* Without events of interrupts, one that another CPU sent looks like a device's. */
static void old_wakeups_append(const struct recording_remarks *remarks, struct buffer *to)
{
	buffer_puts(to, ": Linux before 4.3 has none (exact after: echo NO_TTWU_QUEUE > "
	                "/sys/kernel/debug/sched_features)");
	if (recording_remarks_lack(remarks, EVENT_IRQ_ENTRY) ||
	    recording_remarks_lack(remarks, EVENT_HRTIMER_ENTRY))
		buffer_puts(to, "; some waits for a timer or device may be for a task of another "
		                "CPU (events of irq and timer show which)");
}

void recording_remarks_lacks(const struct recording_remarks *remarks, struct health *health)
{
	_cleanup_(buffer_release) struct buffer note = buffer_of(BUFFER_LIMIT_DEFAULT);

	note_contexts(remarks, health);
	if (!remarks->has_any)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++) {
		if (!recording_remarks_lack(remarks, wanted[i].kind))
			continue;
		/* without switches no task is known to wait */
		if (wanted[i].kind != EVENT_SCHED_SWITCH &&
		    recording_remarks_lack(remarks, EVENT_SCHED_SWITCH))
			continue;
		buffer_clear(&note);
		buffer_puts(&note, consequence_of(remarks, i));
		if (wanted[i].kind == EVENT_SCHED_WAKING &&
		    kernel_release_lacks(remarks->source->kernel, "sched:sched_waking") &&
		    !recording_remarks_lack(remarks, EVENT_SCHED_WAKEUP))
			old_wakeups_append(remarks, &note);
		else
			remedy_append(remarks, "sched", &note);
		health_note(health, "%s", note.text);
	}
	note_objects(remarks, health);
}

/* No record shows when the host did not run a virtual CPU: its events pause, and its task seems to
   run. */
static void note_guest(const struct recording_remarks *remarks, struct health *health)
{
	const struct recording_notes *notes = &remarks->source->notes;

	health->has_steal = notes->machine.has_steal;
	health->steal_ns = notes->machine.steal_ns;
	if (notes->machine.steal_ns)
		health_note(health,
		            "recorded in a virtual machine: %s of CPU time were stolen by the "
		            "host; that time counts as running, or as a late wake-up",
		            DURATION_TEXT(notes->machine.steal_ns));
	else if (notes->machine.is_guest)
		health_note(health, "recorded in a virtual machine; %s",
		            notes->machine.has_steal ? "its host reports no stolen CPU time"
		                              : "how much CPU time its host stole is not known");
}

/* Notes what makes times of day uncertain. */
static void note_realtime(const struct recording_remarks *remarks, struct health *health)
{
	const struct realtime *realtime = &remarks->source->notes.realtime;
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

static void note_suspend(const struct recording_remarks *remarks, struct health *health)
{
	_cleanup_(buffer_release) struct buffer note = buffer_of(BUFFER_LIMIT_DEFAULT);

	if (health->suspends == 0)
		return;
	buffer_printf(&note,
	              "the system was suspended %" PRIu64 " time%s: its tasks were frozen for %s",
	              health->suspends, format_plural(health->suspends),
	              DURATION_TEXT(health->frozen_ns));
	if (health->sleeps)
		sleep_append(remarks->source, health, &note);
	else
		buffer_puts(&note, ", but the machine did not sleep");
	health_note(health, "%s", note.text);
}

void recording_remarks_rest(const struct recording_remarks *remarks, struct health *health)
{
	note_states(remarks, health);
	note_guest(remarks, health);
	note_suspend(remarks, health);
	note_realtime(remarks, health);
}
