/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ftwait/health.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "ftwait/record.h"

#define EXPLAINED_LEAST 0.95

void health_release(struct health *health)
{
	for (size_t i = 0; i < health->note_count; i++)
		free(health->notes[i]);
	free(health->gaps);
	free(health->unrecorded_cpus);
	*health = (struct health){0};
}

void health_copy(struct health *to, const struct health *from)
{
	*to = *from;
	to->gaps = xreallocarray(NULL, from->gap_count, sizeof(*to->gaps));
	for (size_t i = 0; i < from->gap_count; i++)
		to->gaps[i] = from->gaps[i];
	to->unrecorded_cpus = NULL;
	to->unrecorded_count = 0;
	for (size_t i = 0; i < from->unrecorded_count; i++)
		health_unrecorded_add(to, from->unrecorded_cpus[i]);
	for (size_t i = 0; i < from->note_count; i++)
		to->notes[i] = xstrdup(from->notes[i]);
}

void health_add(struct health *sum, const struct health *more)
{
	sum->events += more->events;
	sum->events_lost += more->events_lost;
	sum->undecoded_events += more->undecoded_events;
	sum->late_events += more->late_events;
	sum->waits_without_waker += more->waits_without_waker;
	sum->inconsistencies += more->inconsistencies;
	sum->open_waits += more->open_waits;
	sum->unknown_ns += more->unknown_ns;
	sum->task_ns += more->task_ns;
	sum->explained_ns += more->explained_ns;
	sum->unseen_ns += more->unseen_ns;
	sum->input_damaged |= more->input_damaged;
}

void health_join(struct health *sum, const struct health *more)
{
	health_add(sum, more);
	sum->wakes_spurious += more->wakes_spurious;
	sum->context_resyncs += more->context_resyncs;
	sum->switches_missing += more->switches_missing;
	sum->objects_forgotten += more->objects_forgotten;
	sum->idle_with_runnable += more->idle_with_runnable;
	sum->suspends += more->suspends;
	sum->sleeps += more->sleeps;
	sum->limits_counted_ns += more->limits_counted_ns;
	sum->limits_placed_ns += more->limits_placed_ns;
	sum->frozen_ns += more->frozen_ns;
	sum->asleep_ns += more->asleep_ns;
	sum->has_steal |= more->has_steal;
	sum->steal_ns += more->steal_ns;
	for (size_t i = 0; i < more->gap_count; i++)
		health_gap_add(sum, &more->gaps[i]);
	for (size_t i = 0; i < more->unrecorded_count; i++)
		health_unrecorded_add(sum, more->unrecorded_cpus[i]);
}

/* Returns the index of the note; SIZE_MAX: there is no room. */
static __attribute__((format(printf, 2, 0)))
size_t note_add(struct health *health, const char *format, va_list arguments)
{
	char line[512];

	(void)vsnprintf(line, sizeof(line), format, arguments);
	for (size_t i = 0; i < health->note_count; i++)
		if (strcmp(health->notes[i], line) == 0)
			return i;
	if (health->note_count >= HEALTH_NOTES_MAX)
		return SIZE_MAX;
	health->notes[health->note_count] = xstrdup(line);
	return health->note_count++;
}

void health_note(struct health *health, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	(void)note_add(health, format, arguments);
	va_end(arguments);
}

void health_doubt(struct health *health, const char *format, ...)
{
	va_list arguments;
	size_t note;

	va_start(arguments, format);
	note = note_add(health, format, arguments);
	va_end(arguments);
	if (note != SIZE_MAX)
		health->doubts |= UINT64_C(1) << note;
}

void health_gap_add(struct health *health, const struct health_gap *gap)
{
	if (gap->events != LOST_UNCOUNTED)
		health->events_lost += gap->events;
	if (health->gap_count >= HEALTH_GAPS_MAX) {
		health->gaps_unlisted++;
		return;
	}
	health->gaps = xreallocarray(health->gaps, health->gap_count + 1, sizeof(*gap));
	health->gaps[health->gap_count++] = *gap;
}

void health_unrecorded_add(struct health *health, uint32_t cpu)
{
	health->unrecorded_cpus = xreallocarray(health->unrecorded_cpus,
	                                        health->unrecorded_count + 1,
	                                        sizeof(*health->unrecorded_cpus));
	health->unrecorded_cpus[health->unrecorded_count++] = cpu;
}

bool health_is_impaired(const struct health *health)
{
	return health->gap_count || health->events_lost || health->input_damaged;
}

bool health_has_lost_count(const struct health *health)
{
	return health->events_lost || !health_is_impaired(health);
}

/* The part of the asked tasks' time that is explained. */
static double health_explained(const struct health *health)
{
	if (health->asked_ns)
		return nsec_ratio(health->asked_explained_ns, health->asked_ns);
	return nsec_ratio(health->explained_ns, health->task_ns);
}

bool health_is_sound(const struct health *health)
{
	return !health_is_impaired(health) && health->unrecorded_count == 0 &&
	       health_explained(health) >= EXPLAINED_LEAST;
}
