/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "text_health.h"

#include <inttypes.h>
#include <string.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/format.h"
#include "ftwait/cause.h"
#include "ftwait/record.h"

#define CPUS_SHOWN 16

static void line_put(FILE *out, const char *text)
{
	(void)fprintf(out, "  %s\n", text);
}

/* What the gaps of one CPU come to. */
struct cpu_loss {
	size_t gaps;
	uint64_t events;
	bool is_uncounted; /* at least one gap does not tell how many */
	nsec_t begin, end, span;
};

static struct cpu_loss cpu_loss_sum(const struct health *health, size_t from)
{
	struct cpu_loss loss = {.begin = NSEC_NEVER};

	for (size_t i = from; i < health->gap_count; i++) {
		const struct health_gap *gap = &health->gaps[i];

		if (gap->cpu != health->gaps[from].cpu)
			continue;
		loss.gaps++;
		if (gap->events == LOST_UNCOUNTED)
			loss.is_uncounted = true;
		else
			loss.events += gap->events;
		loss.begin = nsec_min(loss.begin, gap->begin);
		loss.end = nsec_max(loss.end, gap->end);
		loss.span += gap->end > gap->begin ? gap->end - gap->begin : 0;
	}
	return loss;
}

static nsec_t since(nsec_t time, nsec_t begin)
{
	return time > begin ? time - begin : 0;
}

static void cpu_loss_put(FILE *out, unsigned cpu, const struct cpu_loss *loss, nsec_t begin)
{
	char count[FORMAT_BYTES], first[FORMAT_BYTES], last[FORMAT_BYTES], span[FORMAT_BYTES];
	_cleanup_(buffer_release) struct buffer line = {0};

	buffer_init(&line, 500);
	buffer_printf(&line, "CPU %u: ", cpu);
	if (loss->events == 0 && loss->is_uncounted)
		buffer_puts(&line, "an unknown number of events");
	else
		buffer_printf(&line, "%s%s events", loss->is_uncounted ? "more than " : "",
		              format_count(loss->events, count));
	buffer_printf(&line, " lost between %s s and %s s",
	              format_instant(since(loss->begin, begin), first),
	              format_instant(since(loss->end, begin), last));
	if (loss->gaps > 1)
		buffer_printf(&line, ", in %s gaps of together %s",
		              format_count(loss->gaps, count), format_duration(loss->span, span));
	line_put(out, line.text);
}

static bool cpu_seen_before(const struct health *health, size_t at)
{
	for (size_t i = 0; i < at; i++)
		if (health->gaps[i].cpu == health->gaps[at].cpu)
			return true;
	return false;
}

static void losses_put(FILE *out, const struct health *health, nsec_t begin)
{
	size_t cpus = 0;

	for (size_t i = 0; i < health->gap_count; i++) {
		struct cpu_loss loss;

		if (cpu_seen_before(health, i) || ++cpus > CPUS_SHOWN)
			continue;
		loss = cpu_loss_sum(health, i);
		cpu_loss_put(out, health->gaps[i].cpu, &loss, begin);
	}
	if (cpus > CPUS_SHOWN)
		(void)fprintf(out, "  ... and %zu more CPUs\n", cpus - CPUS_SHOWN);
	if (health->gaps_unlisted)
		(void)fprintf(out, "  %" PRIu64 " more gaps are counted, but not kept one by one\n",
		              health->gaps_unlisted);
	line_put(out, "waits around a gap may be wrong, too long or missing");
}

/* "1 chain cut ..." or "12 chains cut ...": what is counted, and what there is to say of it. */
static void count_put(FILE *out, uint64_t count, const char *one, const char *many,
                      const char *what)
{
	char figure[FORMAT_BYTES];

	if (count > 0)
		(void)fprintf(out, "  %s %s %s\n", format_count(count, figure),
		              count == 1 ? one : many, what);
}

static void doubts_put(FILE *out, const struct health *health)
{
	char figure[FORMAT_BYTES];

	if (health->unknown_ns)
		(void)fprintf(out, "  %s of task time is unknown (all tasks together)\n",
		              format_duration(health->unknown_ns, figure));
	count_put(out, health->undecoded_events, "event", "events",
	          "could not be decoded: no format, or shorter than it");
	count_put(out, health->late_events, "event", "events",
	          "came out of order within their CPU");
	count_put(out, health->waits_without_waker, "wait", "waits",
	          "ended without a wake-up in the trace");
	count_put(out, health->context_resyncs, "interrupt", "interrupts",
	          "whose end was not seen; what they woke is uncertain");
	count_put(out, health->inconsistencies, "impossible change of state",
	          "impossible changes of state", "mended");
	count_put(out, health->switches_missing, "switch", "switches",
	          "away from idle the kernel did not record; those runs begin at the last sign of "
	          "idle");
	count_put(out, health->idle_with_runnable, "time", "times",
	          "a CPU went idle though a task was able to run there, so far as recorded: what "
	          "that task did then is not known");
	count_put(out, health->depth_truncations, "chain", "chains",
	          "cut because they were too deep");
}

static void confidence_put(FILE *out, const struct health *health)
{
	const uint64_t *parts = health->parts_by_confidence;
	uint64_t sum = parts[CONFIDENCE_LOW] + parts[CONFIDENCE_MEDIUM] + parts[CONFIDENCE_HIGH];
	char high[FORMAT_BYTES], medium[FORMAT_BYTES], low[FORMAT_BYTES];

	if (sum == parts[CONFIDENCE_HIGH])
		return;
	(void)fprintf(out, "  confidence of the parts of paths: %s high, %s medium, %s low\n",
	              format_count(parts[CONFIDENCE_HIGH], high),
	              format_count(parts[CONFIDENCE_MEDIUM], medium),
	              format_count(parts[CONFIDENCE_LOW], low));
}

static void notes_put(FILE *out, const struct health *health)
{
	_cleanup_(buffer_release) struct buffer note = {0};

	buffer_init(&note, BUFFER_LIMIT_DEFAULT);
	for (size_t i = 0; i < health->note_count; i++) {
		buffer_clear(&note);
		buffer_puts_clean(&note, health->notes[i], strlen(health->notes[i]));
		line_put(out, note.text);
	}
}

/* Nothing that a reader of the report would have to bear in mind. */
static bool health_is_spotless(const struct health *health)
{
	return !health_is_impaired(health) &&
	       health->undecoded_events == 0 && health->late_events == 0 &&
	       health->waits_without_waker == 0 && health->context_resyncs == 0 &&
	       health->inconsistencies == 0 && health->switches_missing == 0 &&
	       health->objects_forgotten == 0 && health->idle_with_runnable == 0 &&
	       health->depth_truncations == 0 && health->unknown_ns == 0 &&
	       health->steal_ns == 0;
}

const char *text_health_verdict(const struct health *health)
{
	if (health->input_damaged)
		return "the input is damaged; the report stands on what could be read:";
	if (health_is_impaired(health))
		return "events were lost; distrust what happened around them:";
	if (!health_is_spotless(health))
		return "nothing lost, but:";
	return "complete, nothing lost";
}

static void headline_put(FILE *out, const struct text_style *style, const struct health *health)
{
	char events[FORMAT_BYTES], lost[FORMAT_BYTES];

	(void)fprintf(out, "%shealth: %s%s (%s events read, %s lost)\n",
	              health_is_impaired(health) ? style->warning : style->title,
	              text_health_verdict(health), style->plain,
	              format_count(health->events, events),
	              format_count(health->events_lost, lost));
}

void text_health_put(FILE *out, const struct text_style *style, const struct health *health,
                     nsec_t trace_begin)
{
	headline_put(out, style, health);
	if (health->gap_count)
		losses_put(out, health, trace_begin);
	doubts_put(out, health);
	confidence_put(out, health);
	notes_put(out, health);
}
