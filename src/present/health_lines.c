/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "health_lines.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/format.h"
#include "base/xalloc.h"
#include "ftwait/cause.h"
#include "ftwait/record.h"
#include "words/cause/unknown_words.h"
#include "words/task_words.h"
#include "words/time_scale.h"

#define CPUS_SHOWN 16
#define LINE_BYTES 700
/* A smaller part of the tasks' time is not reported among the first lines. */
#define LITTLE_PER_MILLE 10

/* Adds a line, which it takes over. */
static void line_take(struct health_lines *lines, char *line)
{
	ARRAY_ADD(lines->line, lines->count, lines->capacity) = line;
}

static void line_add(struct health_lines *lines, const struct buffer *line)
{
	line_take(lines, xstrdup(line->text));
}

void health_lines_release(struct health_lines *lines)
{
	for (size_t i = 0; i < lines->count; i++)
		free(lines->line[i]);
	free(lines->line);
	*lines = (struct health_lines){0};
}

/* The sum of the gaps of one CPU, or of all CPUs. */
struct loss {
	size_t gaps, cpus;
	uint64_t events;
	bool is_uncounted; /* at least one gap has no count */
	nsec_t begin, end, span;
};

static void loss_add(struct loss *loss, const struct health_gap *gap)
{
	loss->gaps++;
	if (gap->events == LOST_UNCOUNTED)
		loss->is_uncounted = true;
	else
		loss->events += gap->events;
	loss->begin = nsec_min(loss->begin, gap->begin);
	loss->end = nsec_max(loss->end, gap->end);
	loss->span += gap->end > gap->begin ? gap->end - gap->begin : 0;
}

/* The losses of the CPU of gap `from`. */
static struct loss loss_of_cpu(const struct health *health, size_t from)
{
	struct loss loss = {.begin = NSEC_NEVER, .cpus = 1};

	for (size_t i = from; i < health->gap_count; i++)
		if (health->gaps[i].cpu == health->gaps[from].cpu)
			loss_add(&loss, &health->gaps[i]);
	return loss;
}

static bool cpu_seen_before(const struct health *health, size_t at)
{
	for (size_t i = 0; i < at; i++)
		if (health->gaps[i].cpu == health->gaps[at].cpu)
			return true;
	return false;
}

static struct loss loss_of_all(const struct health *health)
{
	struct loss loss = {.begin = NSEC_NEVER};

	for (size_t i = 0; i < health->gap_count; i++) {
		loss_add(&loss, &health->gaps[i]);
		loss.cpus += !cpu_seen_before(health, i);
	}
	if (loss.events < health->events_lost) /* not all gaps are kept */
		loss.events = health->events_lost;
	return loss;
}

static void loss_count_append(struct buffer *to, const struct loss *loss)
{
	if (loss->events == 0 && loss->is_uncounted)
		buffer_puts(to, "an unknown number of events");
	else
		buffer_printf(to, "%s%s event%s", loss->is_uncounted ? "more than " : "",
		              COUNT_TEXT(loss->events), format_plural(loss->events));
}

/* Losses may have begun before the trace. */
static void loss_time_append(struct buffer *to, const struct loss *loss,
                             const struct instant_form *instants)
{
	const char *unit = instant_unit(instants);

	buffer_printf(to, " between %s%s and %s%s",
	              INSTANT_OF(instants, nsec_max(loss->begin, instants->begin)), unit,
	              INSTANT_OF(instants, nsec_max(loss->end, instants->begin)), unit);
	if (loss->gaps > loss->cpus)
		buffer_printf(to, ", in %s gaps of together %s", COUNT_TEXT(loss->gaps),
		              DURATION_TEXT(loss->span));
}

static void gap_cpu_append(struct buffer *to, const char *before, const struct health *health,
                           size_t gap)
{
	const struct host_cpu cpu = hosts_cpu(&health->hosts, health->gaps[gap].cpu);

	buffer_puts(to, before);
	cpu_append(to, &cpu);
}

static void losses_add(struct health_lines *lines, const struct health *health,
                       const struct instant_form *instants)
{
	struct loss loss = loss_of_all(health);
	_cleanup_(buffer_release) struct buffer line = buffer_of(LINE_BYTES);

	if (loss.gaps == 0)
		return;
	loss_count_append(&line, &loss);
	if (loss.cpus == 1)
		gap_cpu_append(&line, " lost on CPU ", health, 0);
	else
		buffer_printf(&line, " lost on %zu CPUs", loss.cpus);
	loss_time_append(&line, &loss, instants);
	buffer_puts(&line, ": waits around that time may be wrong, too long or missing");
	line_add(lines, &line);
}

/* "CPU 1 was not recorded: ..." */
static void unrecorded_add(struct health_lines *lines, const struct health *health)
{
	_cleanup_(buffer_release) struct buffer line = buffer_of(LINE_BYTES);

	if (health->unrecorded_count == 0)
		return;
	cpus_unrecorded_append(&line, health, ANY_HOST);
	buffer_puts(&line, ", though tasks were there: what they did meanwhile is not known");
	line_add(lines, &line);
}

/* Lists the losses by CPU, if there are several. */
static void losses_by_cpu_add(struct health_lines *lines, const struct health *health,
                              const struct instant_form *instants)
{
	struct loss all = loss_of_all(health);
	_cleanup_(buffer_release) struct buffer line = buffer_of(LINE_BYTES);
	size_t cpus = 0;

	for (size_t i = 0; all.cpus > 1 && i < health->gap_count; i++) {
		struct loss loss;

		if (cpu_seen_before(health, i) || ++cpus > CPUS_SHOWN)
			continue;
		loss = loss_of_cpu(health, i);
		buffer_clear(&line);
		gap_cpu_append(&line, "CPU ", health, i);
		buffer_puts(&line, ": ");
		loss_count_append(&line, &loss);
		buffer_puts(&line, " lost");
		loss_time_append(&line, &loss, instants);
		line_add(lines, &line);
	}
	buffer_clear(&line);
	if (cpus > CPUS_SHOWN)
		buffer_printf(&line, "... and %zu more CPUs", cpus - CPUS_SHOWN);
	if (health->gaps_unlisted)
		buffer_printf(&line, "%s%" PRIu64 " more gaps are counted, but not listed",
		              line.length ? "; " : "", health->gaps_unlisted);
	if (line.length)
		line_add(lines, &line);
}

static void time_add(struct health_lines *lines, const char *before, nsec_t time,
                     const char *behind)
{
	if (time)
		line_take(lines, xasprintf("%s%s%s", before, DURATION_TEXT(time), behind));
}

/* Adds the lines on unexplained time, and on time before first events; of all tasks' time the
   larger one first. */
static void unexplained_add(struct health_lines *lines, const struct health *health)
{
	nsec_t rest = health->task_ns - health->explained_ns - health->unseen_ns;
	const char *before = health->gap_count ? WORDS_NOT_RECORDED ", or lost, for "
	                                       : WORDS_NOT_RECORDED " for ";

	time_add(lines, before, health->asked_ns - health->asked_explained_ns,
	         " of these tasks' time");
	for (int i = 0; i < 2; i++)
		if ((rest > health->unseen_ns) == (i == 0))
			time_add(lines, before, rest, " of all tasks' time");
		else
			time_add(lines, "", health->unseen_ns,
			         " of all tasks' time is before the task's first event: nothing is "
			         "recorded of it");
}

/* "1 wait ..." or "12 waits ...": the count, and what it means. */
static void count_add(struct health_lines *lines, uint64_t count, const char *one,
                      const char *many)
{
	if (count)
		line_take(lines, xasprintf("%s %s", COUNT_TEXT(count), count == 1 ? one : many));
}

/* The most frequent reasons for unexplained time. */
static void reasons_add(struct health_lines *lines, const struct health *health)
{
	count_add(lines, health->waits_without_waker,
	          "wait ended without a recorded wakeup: " WORDS_NOT_RECORDED,
	          "waits ended without a recorded wakeup: " WORDS_NOT_RECORDED);
	count_add(lines, health->switches_missing,
	          "switch was not recorded by this kernel: that run begins at the last sign of an "
	          "idle CPU",
	          "switches were not recorded by this kernel: those runs begin at the last sign "
	          "of an idle CPU");
	count_add(lines, health->idle_with_runnable,
	          "time a CPU idled though a task seemed ready to run there: what the task did "
	          "then is not recorded",
	          "times a CPU idled though a task seemed ready to run there: what the task did "
	          "then is not recorded");
}

static void counts_add(struct health_lines *lines, const struct health *health)
{
	count_add(lines, health->undecoded_events,
	          "event could not be read: the trace does not describe it, or it is too short",
	          "events could not be read: the trace does not describe them, or they are too "
	          "short");
	count_add(lines, health->context_resyncs,
	          "interrupt has no recorded end: what it woke is uncertain",
	          "interrupts have no recorded end: what they woke is uncertain");
	count_add(lines, health->inconsistencies,
	          "event is out of order, or follows one that this kernel does not record: times "
	          "around it are estimates",
	          "events are out of order, or follow ones that this kernel does not record: "
	          "times around them are estimates");
	count_add(lines, health->late_events,
	          "event has an earlier time than the one before it: times around it are "
	          "estimates",
	          "events have an earlier time than those before them: times around them are "
	          "estimates");
	count_add(lines, health->depth_truncations,
	          "time " WORDS_TOO_LONG,
	          "times " WORDS_TOO_LONG);
}

static void confidence_add(struct health_lines *lines, const struct health *health)
{
	const uint64_t *parts = health->parts_by_confidence;
	uint64_t sum = parts[CONFIDENCE_LOW] + parts[CONFIDENCE_MEDIUM] + parts[CONFIDENCE_HIGH];
	if (sum > parts[CONFIDENCE_HIGH])
		line_take(lines, xasprintf("confidence of the parts of paths: %s certain (high), "
		                           "%s likely (medium), %s guessed (low)",
		                           COUNT_TEXT(parts[CONFIDENCE_HIGH]),
		                           COUNT_TEXT(parts[CONFIDENCE_MEDIUM]),
		                           COUNT_TEXT(parts[CONFIDENCE_LOW])));
}

/* `which`: a mask of the notes. */
static void notes_add(struct health_lines *lines, const struct health *health, uint64_t which)
{
	_cleanup_(buffer_release) struct buffer note = buffer_of(BUFFER_LIMIT_DEFAULT);

	for (size_t i = 0; i < health->note_count; i++) {
		if (!(which >> i & 1))
			continue;
		buffer_clear(&note);
		buffer_puts_clean(&note, health->notes[i], strlen(health->notes[i]));
		line_add(lines, &note);
	}
}

void health_lines_make(const struct health *health, const struct instant_form *instants,
                       bool is_verbose, struct health_lines *ret)
{
	bool is_little = health->task_ns - health->explained_ns <
	                 health->task_ns / 1000 * LITTLE_PER_MILLE;
	uint64_t early = health->doubts;

	*ret = (struct health_lines){0};
	unrecorded_add(ret, health);
	if (!is_verbose && health_is_sound(health)) {
		notes_add(ret, health, health->doubts);
		return;
	}
	losses_add(ret, health, instants);
	if (health->input_damaged) /* the notes say what */
		early = UINT64_MAX;
	notes_add(ret, health, early);
	if (!is_little)
		unexplained_add(ret, health);
	reasons_add(ret, health);
	notes_add(ret, health, ~early);
	counts_add(ret, health);
	if (is_little)
		unexplained_add(ret, health);
	confidence_add(ret, health);
	losses_by_cpu_add(ret, health, instants);
}

/* In tenths of a percent, rounded down: 100 % means that all is explained. */
static unsigned explained_per_mille(nsec_t explained, nsec_t all)
{
	double share = 1000.0 * (double)explained / (double)all;

	if (explained == all)
		return 1000;
	return share >= 999.0 ? 999 : (unsigned)share;
}

/* "all of these tasks' time is explained", "94.3 % of all tasks' time is explained" */
static void explained_append(struct buffer *to, const struct health *health)
{
	nsec_t all = health->asked_ns ? health->asked_ns : health->task_ns;
	nsec_t explained = health->asked_ns ? health->asked_explained_ns : health->explained_ns;
	unsigned share = explained_per_mille(explained, all);

	if (all == 0) {
		buffer_puts(to, health->events ? "it has no events of tasks" : "it has no events");
		return;
	}
	if (share == 1000)
		buffer_puts(to, "all of ");
	else
		buffer_printf(to, "%u.%u %% of ", share / 10, share % 10);
	buffer_puts(to, health->asked_ns ? "these" : share == 1000 ? "the" : "all");
	buffer_puts(to, " tasks' time is explained");
}

void health_verdict_append(struct buffer *to, const struct health *health)
{
	struct loss loss = loss_of_all(health);

	if (health->input_damaged)
		buffer_puts(to, "the input is damaged; of what could be read, ");
	explained_append(to, health);
	buffer_puts(to, "; ");
	if (!health_is_impaired(health))
		buffer_puts(to, "no events lost");
	else if (loss.gaps == 0 && loss.events == 0)
		buffer_puts(to, "events may be missing");
	else
		loss_count_append(to, &loss);
	if (loss.gaps || loss.events)
		buffer_puts(to, " lost");
	buffer_printf(to, " (%s read)", COUNT_TEXT(health->events));
}
