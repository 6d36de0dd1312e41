/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "machine_lead.h"

#include <inttypes.h>

#include "analysis/prose.h"
#include "base/cleanup.h"
#include "base/format.h"

#define BUSY_LEAST   0.9   /* least part of the time that makes a CPU or disk always busy */
#define CROWD_LEAST  1.2   /* least number of tasks for each CPU that are too many */
#define IDLE_MOST    0.1   /* most part of the time that makes a machine mostly idle */
#define ASLEEP_LEAST 0.99 /* least part of its time asleep that makes a task idle */

bool summary_is_of_machine(const struct summary *summary)
{
	const struct question *question = summary->question;

	return summary->explanation->path_track == TRACK_NONE &&
	       !question->resolved->is_targeted && !question_has_filter(question);
}

/* "2 CPUs were busy 99 % of the time" */
static void cpus_append(const struct question *question, double busy, struct buffer *to)
{
	unsigned count = question->recording.cpu_count;

	buffer_printf(to, count == 1 ? "the CPU was" : "the %u CPUs were", count);
	buffer_printf(to, " busy %.0f %% of the time", 100 * busy);
}

void machine_lead_print(const struct summary *summary, const struct advices *advices,
                        const struct times *total, const struct output *to)
{
	const struct question *question = summary->question;
	double cpus = question->recording.cpu_count, length = (double)question_length(question);
	double busy, wanting, disk;
	_cleanup_(buffer_release) struct buffer line = {0}, device = {0};

	/* without switches, what is not known to wait seems to run */
	if (cpus < 1 || length <= 0 ||
	    !event_kinds_have_any(&question->resolved->seen, EVENT_LIST(EVENT_SCHED_SWITCH)))
		return;
	busy = (double)total->running / (length * cpus);
	wanting = (double)(total->running + total->runnable) / length;
	buffer_init(&device, 256);
	disk = advices_busiest_disk(advices, &device);
	buffer_init(&line, 512);
	if (busy >= BUSY_LEAST && wanting >= cpus * CROWD_LEAST)
		buffer_puts(&line, "Too little CPU: ");
	else if (disk >= BUSY_LEAST)
		buffer_puts(&line, "A disk is the limit: ");
	else if (busy >= BUSY_LEAST)
		buffer_puts(&line, "No CPU to spare: ");
	else if (busy <= IDLE_MOST && disk <= IDLE_MOST)
		buffer_puts(&line, "Mostly idle: ");
	else
		buffer_puts(&line, "Partly busy: ");
	cpus_append(question, busy, &line);
	if (busy >= BUSY_LEAST)
		buffer_printf(&line, ", and %.1f tasks wanted one on average", wanting);
	if (disk > 0)
		buffer_printf(&line, "; disk %s %.0f %%", device.text, 100 * disk);
	buffer_putc(&line, '.');
	prose_put(to, line.text);
}

nsec_t times_held_up(const struct summary *summary, const struct times *times)
{
	nsec_t held_up = times->runnable + times->stopped, chosen;

	if (!explanation_walks(summary->explanation, times->track))
		return held_up;
	chosen = explanation_chosen(summary->explanation, times->track) + times->open_unknown;
	return held_up + (times->waiting > chosen ? times->waiting - chosen : 0);
}

bool times_are_idle(const struct summary *summary, const struct times *times)
{
	nsec_t awake = times->running + times_held_up(summary, times);

	return nsec_ratio(awake, times->time) <= 1 - ASLEEP_LEAST;
}

void machine_idle_print(size_t tasks, size_t idle, size_t kernel, const struct output *to)
{
	_cleanup_(buffer_release) struct buffer line = {0};

	if (idle == 0)
		return;
	buffer_init(&line, 256);
	buffer_printf(&line, "Idle: %s of the %s tasks", COUNT_TEXT(idle), COUNT_TEXT(tasks));
	if (kernel)
		buffer_printf(&line, ", among them %s thread%s of the kernel,", COUNT_TEXT(kernel),
		              format_plural(kernel));
	buffer_puts(&line, " slept for at least 99 % of the time, and nothing held them up.");
	prose_put(to, line.text);
}
