/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "machine_lead.h"

#include <ctype.h>
#include <string.h>

#include "analysis/cpu_use.h"
#include "analysis/machine_time.h"
#include "analysis/name_sums.h"
#include "analysis/prose.h"
#include "base/data/array.h"
#include "base/cleanup.h"
#include "base/text/format.h"
#include "words/cpu_words.h"

#define BUSY_LEAST   0.9   /* least part of the time that makes a disk always busy */
#define IDLE_MOST    0.1   /* most part of the time that makes a machine mostly idle */
#define LEAD_BYTES   150 /* most of the first sentence: it fits into two lines of 80 columns */
#define NAMES_SHOWN  5
#define NAME_LEAST   0.02  /* least part of all time held up that is worth a name */
#define HELD_UP_LEAST_PART 100 /* of the window; less is not worth a sentence */
#define ASLEEP_LEAST 0.99 /* least part of its time asleep that makes a task idle */

bool summary_is_of_machine(const struct summary *summary)
{
	const struct question *question = summary->question;

	return summary->explanation->path_track == TRACK_NONE &&
	       !question->resolved->is_targeted && !question_has_filter(question);
}

/* How many CPUs of the machine were not recorded, though tasks were there. */
static uint32_t cpus_unrecorded(const struct question *question, uint32_t machine)
{
	return hosts_cpu_count(&question->timeline->hosts, machine,
	                       question->recording.cpu_count) -
	       machine_cpus(question, machine);
}

/* "the 2 CPUs were busy 99 % of the time"; "the 3 recorded CPUs ..." if others were not. */
static void cpus_append(const struct summary *summary, uint32_t machine, const struct cpu_use *use,
                        struct buffer *to)
{
	const char *which = cpus_unrecorded(summary->question, machine) ? "recorded " : "";

	if (use->cpus == 1)
		buffer_printf(to, "the %sCPU was", which);
	else
		buffer_printf(to, "the %u %sCPUs were", use->cpus, which);
	buffer_printf(to, " busy %.0f %% of the time", 100 * cpu_use_busy(use));
}

/* "Held up most: stress-ng-cpu 6.322 s, fio 2.463 s (--blame: by which tasks)." */
static void sufferers_print(const struct summary *summary, const struct output *to)
{
	const struct timeline *timeline = summary->question->timeline;
	_cleanup_(buffer_release) struct buffer line = {0};
	struct name_sums sums;
	bool is_worth_it;

	name_sums_init(&sums);
	for (size_t i = 0; i < summary->count; i++)
		if (summary->question->resolved->is_asked[i] &&
		    !track_is_of_recorder(summary->question, (uint32_t)i))
			name_sums_add(&sums, track_name(&timeline->track[i]),
			              summary->by_track[i].held_up_time);
	name_sums_sort(&sums);
	is_worth_it = sums.total >= question_length(summary->question) / HELD_UP_LEAST_PART;
	buffer_init(&line, 512);
	for (size_t i = 0; i < sums.count && i < NAMES_SHOWN && is_worth_it; i++) {
		const char *comm = intern_text(&timeline->names, sums.sum[i].comm);

		if (nsec_ratio(sums.sum[i].total, sums.total) < NAME_LEAST)
			break;
		buffer_puts(&line, i ? ", " : "Held up most: ");
		buffer_puts_clean(&line, comm, strlen(comm));
		buffer_printf(&line, " %s", DURATION_TEXT(sums.sum[i].total));
	}
	if (line.length) {
		buffer_puts(&line, " (--blame: by which tasks).");
		prose_put(to, line.text);
	}
	name_sums_release(&sums);
}

/* Ends the sentence with the network; if it became too long, that is a sentence of its own. */
static void lead_put(const struct summary *summary, uint32_t machine, struct buffer *line,
                     const struct output *to)
{
	_cleanup_(buffer_release) struct buffer network = {0};

	buffer_init(&network, 256);
	network_use_append(summary->networks, machine, &network);
	if (network.length && line->length + network.length <= LEAD_BYTES) {
		buffer_printf(line, "; %s", network.text);
		buffer_clear(&network);
	}
	buffer_putc(line, '.');
	prose_put(to, line->text);
	if (network.length) {
		network.text[0] = 'N';
		buffer_putc(&network, '.');
		prose_put(to, network.text);
	}
}

/* By the asked tasks of the machine. */
static struct cpu_use machine_cpu_use(const struct summary *summary, uint32_t machine)
{
	const struct question *question = summary->question;
	struct cpu_use use = {
		.cpus = machine_cpus(question, machine),
		.length = machine_time(question, machine),
	};

	for (size_t i = 0; i < summary->count; i++) {
		if (!question->resolved->is_asked[i] ||
		    question->timeline->track[i].host != machine)
			continue;
		use.running += summary->by_track[i].running;
		use.runnable += summary->by_track[i].runnable;
	}
	return use;
}

static void machine_print(const struct summary *summary, uint32_t machine,
                          const struct advices *advices, const struct output *to)
{
	const struct hosts *hosts = &summary->question->timeline->hosts;
	const struct cpu_use use = machine_cpu_use(summary, machine);
	double disk;
	size_t start;
	_cleanup_(buffer_release) struct buffer line = {0}, device = {0};

	if (use.cpus == 0 || use.length == 0)
		return;
	buffer_init(&device, 256);
	disk = advices_busiest_disk(advices, machine, &device);
	buffer_init(&line, 512);
	if (hosts->count)
		buffer_printf(&line, "%s: ", hosts->host[machine].name);
	start = line.length;
	if (cpu_use_is_too_little(&use))
		buffer_puts(&line, TOO_LITTLE_CPU ": ");
	else if (disk >= BUSY_LEAST)
		buffer_puts(&line, "A disk is the limit: ");
	else if (cpu_use_is_full(&use))
		buffer_puts(&line, "No CPU to spare: ");
	else if (cpu_use_busy(&use) <= IDLE_MOST && disk <= IDLE_MOST)
		buffer_puts(&line, "Mostly idle: ");
	else
		buffer_puts(&line, "Partly busy: ");
	if (start) /* no begin of a sentence */
		line.text[start] = (char)tolower((unsigned char)line.text[start]);
	cpus_append(summary, machine, &use, &line);
	if (cpu_use_is_full(&use))
		buffer_printf(&line, ", with %.1f tasks for %s on average", cpu_use_demand(&use),
		              use.cpus == 1 ? "it" : "them");
	if (cpus_unrecorded(summary->question, machine)) {
		buffer_puts(&line, "; ");
		cpus_unrecorded_append(&line, summary->question->health, machine);
	}
	if (disk > 0)
		buffer_printf(&line, "; disk %s %.0f %%", device.text, 100 * disk);
	lead_put(summary, machine, &line, to);
}

void machine_lead_print(const struct summary *summary, const struct advices *advices,
                        const struct output *to)
{
	const struct question *question = summary->question;
	uint32_t machines = question->timeline->hosts.count;

	/* without switches, what is not known to wait seems to run */
	if (question->recording.cpu_count < 1 || question_length(question) == 0 ||
	    !event_kinds_have_any(&question->resolved->seen, EVENT_LIST(EVENT_SCHED_SWITCH)))
		return;
	for (uint32_t machine = 0; machine < (machines ? machines : 1); machine++)
		machine_print(summary, machine, advices, to);
	network_use_put(summary->networks, to);
	sufferers_print(summary, to);
}

nsec_t times_held_up(const struct summary *summary, const struct times *times)
{
	static const enum cause_kind objects[] = {
		CAUSE_DISK, CAUSE_WORK, CAUSE_WORK_PENDING, CAUSE_RCU, CAUSE_LOCK, CAUSE_MEMORY,
		CAUSE_FROZEN,
	};
	nsec_t held_up = times->runnable + times->stopped;

	if (!explanation_walks(summary->explanation, times->track))
		return held_up;
	for (size_t i = 0; i < ARRAY_SIZE(objects); i++)
		held_up += times->by_kind[objects[i]];
	return held_up - times->by_others_work;
}

bool times_are_idle(const struct summary *summary, const struct times *times)
{
	nsec_t chosen = explanation_chosen(summary->explanation, times->track) +
	                times->open_unknown + times->by_others_work;
	nsec_t awake = times->running + times->held_up_time;
	nsec_t known = times->time - times->unknown;

	if (explanation_walks(summary->explanation, times->track))
		awake += times->waiting > chosen ? times->waiting - chosen : 0;
	return known && nsec_ratio(awake, known) <= 1 - ASLEEP_LEAST;
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
