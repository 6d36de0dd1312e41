/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace_line.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/text/format.h"
#include "base/text/shell_quote.h"
#include "base/text/utf8.h"
#include "words/time_scale.h"

/* A longer command line is cut. */
#define COMMAND_BYTES 200

/* Of more things than SHOWN_MAX the first SHOWN are named. */
#define SHOWN     4
#define SHOWN_MAX 8

static size_t shown_of(size_t count)
{
	return count > SHOWN_MAX ? SHOWN : count;
}

static void more_append(struct buffer *to, size_t count)
{
	if (shown_of(count) < count)
		buffer_printf(to, " and %zu more", count - shown_of(count));
}

void trace_files_append(struct buffer *to, const char *const *files, size_t count)
{
	for (size_t i = 0; i < shown_of(count); i++) {
		if (i > 0)
			buffer_puts(to, ", ");
		buffer_puts(to, files[i]);
	}
	more_append(to, count);
}

/* "3 recordings against 4", the old ones first. */
static void compared_append(struct buffer *to, const struct trace_summary *trace)
{
	size_t new = trace->file_count - trace->old_count;

	if (trace->file_count > 2) {
		buffer_printf(to, "%zu recording%s against %zu", trace->old_count,
		              format_plural(trace->old_count), new);
		return;
	}
	buffer_puts_clean(to, trace->files[0], strlen(trace->files[0]));
	buffer_puts(to, " against ");
	buffer_puts_clean(to, trace->files[1], strlen(trace->files[1]));
}

void trace_line_append(struct buffer *to, const struct trace_summary *trace)
{
	_cleanup_(buffer_release) struct buffer files = buffer_of(BUFFER_LIMIT_DEFAULT);

	if (trace->old_count) {
		compared_append(to, trace);
		return;
	}
	trace_files_append(&files, trace->files, trace->file_count);
	buffer_puts_clean(to, files.text, files.length);
	if (trace->period.is_given)
		buffer_printf(to, ", %s to %s s",
		              INSTANT_TEXT(trace->period.begin - trace->begin),
		              INSTANT_TEXT(trace->period.end - trace->begin));
	buffer_printf(to, ": %s events", COUNT_TEXT(trace->events));
	if (trace->period.is_given)
		buffer_printf(to, " in %s",
		              DURATION_TEXT(trace->period.end - trace->period.begin));
	else if (trace->end > 0 || trace->cpus) /* several recordings have no time in common */
		buffer_printf(to, " in %s", DURATION_TEXT(trace->end - trace->begin));
	if (trace->cpus)
		buffer_printf(to, ", %u CPU%s", trace->cpus, format_plural(trace->cpus));
	if (trace->kernel) {
		buffer_puts(to, ", kernel ");
		buffer_puts_clean(to, trace->kernel, strlen(trace->kernel));
	}
}

static void name_append(struct buffer *to, const struct machine_summary *machine)
{
	buffer_puts_clean(to, machine->name, strlen(machine->name));
}

/* "; the clock of db is known to within 153.7 us, by 606 packets" */
static void clock_append(struct buffer *to, const struct trace_summary *trace, size_t number)
{
	const struct machine_summary *machine = &trace->machines[number];
	const struct machine_summary *root = &trace->machines[machine->root];

	buffer_puts(to, machine != root && machine->bound == 0 ? "; " : "; the clock of ");
	name_append(to, machine);
	if (machine == root) {
		buffer_puts(to, " could not be compared");
	} else if (machine->bound == 0) {
		buffer_puts(to, " is ");
		name_append(to, root);
		buffer_puts(to, " in the same boot, recorded again");
	} else {
		buffer_printf(to, " is known to within %s", DURATION_TEXT(machine->bound));
		if (machine->root != 0) {
			buffer_puts(to, " against ");
			name_append(to, root);
		}
		if (machine->matched)
			buffer_printf(to, ", by %s packet%s", COUNT_TEXT(machine->matched),
			              format_plural(machine->matched));
		else
			buffer_puts(to, ", as the file has readings of both");
	}
}

/* Of many machines: how many clocks are known, and how well. */
static void clocks_append(struct buffer *to, const struct trace_summary *trace)
{
	size_t unclear = 0, same = 0, known = 0;
	nsec_t worst = 0;

	for (size_t i = 1; i < trace->machine_count; i++) {
		bool is_root = trace->machines[i].root == i;
		nsec_t bound = trace->machines[i].bound;

		unclear += is_root;
		same += !is_root && bound == 0;
		known += bound > 0;
		worst = nsec_max(worst, bound);
	}
	if (same)
		buffer_printf(to, "; %zu %s in the same boot as another one", same,
		              same == 1 ? "was recorded" : "were recorded");
	if (known)
		buffer_printf(to, "; %zu clock%s known to within %s or less", known,
		              known == 1 ? " is" : "s are", DURATION_TEXT(worst));
	if (unclear)
		buffer_printf(to, "; %zu clock%s could not be compared", unclear,
		              format_plural(unclear));
}

static void machines_line_append(struct buffer *to, const struct trace_summary *trace)
{
	if (trace->machine_count == 0)
		return;
	buffer_printf(to, "%zu machines: ", trace->machine_count);
	for (size_t i = 0; i < shown_of(trace->machine_count); i++) {
		const struct machine_summary *machine = &trace->machines[i];

		if (i > 0)
			buffer_puts(to, ", ");
		name_append(to, machine);
		if (!machine->kernel)
			continue;
		buffer_puts(to, " (");
		buffer_puts_clean(to, machine->kernel, strlen(machine->kernel));
		buffer_putc(to, ')');
	}
	more_append(to, trace->machine_count);
	if (trace->machine_count > SHOWN_MAX)
		clocks_append(to, trace);
	for (size_t i = 1; i < trace->machine_count && trace->machine_count <= SHOWN_MAX; i++)
		clock_append(to, trace, i);
}

static void command_append(struct buffer *to, const struct trace_summary *trace)
{
	size_t end = to->length + COMMAND_BYTES;

	for (size_t i = 0; i < trace->command_count; i++) {
		buffer_puts(to, i ? " " : ": ");
		shell_quote_append(to, trace->command[i]);
	}
	if (to->length <= end)
		return;
	while (utf8_is_continuation(to->text[end]))
		end--;
	buffer_truncate(to, end);
	buffer_puts(to, " ...");
}

static void origin_line_append(struct buffer *to, const struct trace_summary *trace)
{
	nsec_t time = trace->period.is_given ? trace->period.realtime : trace->realtime_begin;

	if (!time)
		return;
	buffer_puts(to, "Recorded ");
	date_append(to, time);
	if (trace->host) {
		buffer_puts(to, " on ");
		buffer_puts_clean(to, trace->host, strlen(trace->host));
	}
	command_append(to, trace);
}

static void damage_line_append(struct buffer *to, const struct trace_summary *trace)
{
	if (!trace->damage)
		return;
	buffer_puts(to, trace->is_unread ? "Not read whole" : "Damaged");
	buffer_puts(to, trace->damage[0] ? ": " : "");
	buffer_puts_clean(to, trace->damage, strlen(trace->damage));
	buffer_puts(to, ". All figures are of what could be read; health, at the end, says more.");
}

static void trigger_line_append(struct buffer *to, const struct trace_summary *trace)
{
	const struct trigger_note *trigger = trace->trigger;
	const char *why;

	if (!trigger)
		return;
	why = trigger->text ? trigger->text : trigger->condition;
	buffer_printf(to, "It was recorded because %s", trigger->text ? "" : "of the trigger ");
	buffer_puts_clean(to, why, strlen(why));
	if (trigger->at < trace->begin)
		buffer_printf(to, ", %s before what it holds",
		              DURATION_TEXT(trace->begin - trigger->at));
	else
		buffer_printf(to, ", at %s%s", INSTANT_OF(&trace->instants, trigger->at),
		              instant_unit(&trace->instants));
}

const struct trace_line trace_lines[TRACE_LINES] = {
	[TRACE_LINE] = {.append = trace_line_append, .is_faint = true},
	[TRACE_MACHINES] = {.append = machines_line_append},
	[TRACE_ORIGIN] = {.append = origin_line_append, .is_faint = true},
	[TRACE_DAMAGE] = {.append = damage_line_append, .is_title = true},
	[TRACE_TRIGGER] = {.append = trigger_line_append},
};
