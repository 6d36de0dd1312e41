/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "top_words.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "analysis/tables/machine_time.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/format.h"
#include "words/cause/aim_kind.h"
#include "words/cause/cause_words.h"
#include "words/task_words.h"
#include "words/time_scale.h"

#define KINDS_SHOWN 4

static void clean_append(struct buffer *to, const char *text)
{
	buffer_puts_clean(to, text, strlen(text));
}

void top_time_append(struct buffer *to, nsec_t time)
{
	const nsec_t second = 1000000000;

	if (time == 0)
		buffer_putc(to, '0');
	else if (time < 1000)
		buffer_printf(to, "%" PRIu64 " ns", time);
	else if (time < 1000000)
		buffer_printf(to, "%" PRIu64 ".%" PRIu64 " us", time / 1000, time / 100 % 10);
	else if (time < second)
		buffer_printf(to, "%" PRIu64 ".%" PRIu64 " ms", time / 1000000,
		              time / 100000 % 10);
	else if (time < 10 * second)
		buffer_printf(to, "%" PRIu64 ".%03" PRIu64 " s", time / second,
		              time / 1000000 % 1000);
	else if (time < 10000 * second)
		buffer_printf(to, "%" PRIu64 ".%" PRIu64 " s", time / second,
		              time / 100000000 % 10);
	else
		buffer_printf(to, "%" PRIu64 " s", time / second);
}

void top_title_append(struct buffer *to, const struct top_shot *shot)
{
	buffer_puts(to, "ftwait top");
	if (shot->host) {
		buffer_puts(to, "  ");
		clean_append(to, shot->host);
	}
	if (shot->kernel) {
		buffer_puts(to, "  ");
		clean_append(to, shot->kernel);
	}
	if (shot->cpu_count > 0)
		buffer_printf(to, "  %u CPU%s", shot->cpu_count, format_plural(shot->cpu_count));
}

void top_clock_append(struct buffer *to, const struct top_shot *shot)
{
	if (shot->day_ns)
		time_of_day_append(to, shot->day_ns, shot->day_ns, 0);
	if (!shot->has_own_cpu)
		return;
	if (shot->day_ns)
		buffer_puts(to, "  ");
	buffer_puts(to, "own CPU ");
	buffer_puts(to, RATIO_TEXT(shot->own_cpu));
}

/* The kind with the longest waiting time among those whose bit in `shown` is not set;
   CAUSE_KIND_COUNT if no task waited for any of them. */
static enum cause_kind longest_kind(const struct top_shot *shot, uint64_t shown)
{
	enum cause_kind longest = CAUSE_KIND_COUNT;
	nsec_t time = 0;

	for (int kind = 0; kind < CAUSE_KIND_COUNT; kind++)
		if (!(shown >> kind & 1) && shot->by_kind[kind] > time) {
			longest = (enum cause_kind)kind;
			time = shot->by_kind[kind];
		}
	return longest;
}

/* "41 %", "<1 %" */
static void share_append(struct buffer *to, nsec_t part, nsec_t whole)
{
	double percent = nsec_ratio(part, whole) * 100;

	if (percent < 0.5)
		buffer_puts(to, "<1 %");
	else
		buffer_printf(to, "%.0f %%", percent);
}

static struct cpu_use shot_cpu_use(const struct top_shot *shot)
{
	return (struct cpu_use){
		.cpus = shot->cpu_count,
		.length = shot->end > shot->begin ? shot->end - shot->begin : 0,
		.running = shot->running,
		.runnable = shot->runnable,
	};
}

bool top_is_cpu_too_little(const struct top_shot *shot)
{
	const struct cpu_use use = shot_cpu_use(shot);

	return cpu_use_is_too_little(&use);
}

double top_cpu_demand(const struct top_shot *shot)
{
	const struct cpu_use use = shot_cpu_use(shot);

	return cpu_use_demand(&use);
}

/* Standing in a run queue is no wait, but where there is too little CPU, "no waits" misleads. */
static void but_for_cpu_append(struct buffer *to, const struct top_shot *shot)
{
	if (top_is_cpu_too_little(shot))
		buffer_puts(to, " but for a CPU");
}

void top_rate_append(struct buffer *to, const struct top_shot *shot)
{
	uint64_t shown = 0;

	buffer_puts(to, COUNT_TEXT(nsec_per_second(shot->events, shot->end - shot->begin)));
	buffer_puts(to, " events/s, ");
	buffer_puts(to, COUNT_TEXT(shot->lost));
	buffer_puts(to, " lost | ");
	if (shot->waiting == 0) {
		/* the longest wait is shown, but nothing shows that it holds its task up */
		buffer_puts(to, shot->has_open && shot->open.has_cause ? "no task held up"
		                                                       : "no waits");
		but_for_cpu_append(to, shot);
		return;
	}
	buffer_puts(to, "waiting for");
	for (unsigned i = 0; i < KINDS_SHOWN; i++) {
		enum cause_kind kind = longest_kind(shot, shown);

		if (kind == CAUSE_KIND_COUNT)
			break;
		buffer_puts(to, i ? ", " : " ");
		buffer_puts(to, cause_kind_words(kind));
		buffer_putc(to, ' ');
		share_append(to, shot->by_kind[kind], shot->waiting);
		shown |= UINT64_C(1) << kind;
	}
}

void top_queue_append(struct buffer *to, const struct top_shot *shot)
{
	if (top_is_cpu_too_little(shot))
		buffer_printf(to, TOO_LITTLE_CPU ": %.1f tasks", top_cpu_demand(shot));
	else
		buffer_printf(to, "%s task%s queued", COUNT_TEXT(shot->queued_now),
		              format_plural(shot->queued_now));
	if (shot->cpu_count > 0)
		buffer_printf(to, " for %u CPU%s", shot->cpu_count, format_plural(shot->cpu_count));
	if (shot->wait_count == 0) {
		buffer_puts(to, "; no wait ended");
		return;
	}
	buffer_puts(to, "; waits p50 ");
	top_time_append(to, shot->wait_p50);
	buffer_puts(to, ", p99 ");
	top_time_append(to, shot->wait_p99);
	buffer_puts(to, ", max ");
	top_time_append(to, shot->wait_max);
}

void top_trend_append(struct buffer *to, const struct top_shot *shot, size_t length, bool is_utf8)
{
	static const char *const block[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
	static const char *const ascii[] = {"_", ".", "-", "=", "+", "*", "%", "#"};
	const char *const *level = is_utf8 ? block : ascii;
	const double *share = shot->trend + shot->trend_count;
	const size_t levels = ARRAY_SIZE(block);
	double largest = 0;

	_Static_assert(ARRAY_SIZE(block) == ARRAY_SIZE(ascii), "one for one");
	assert(shot->trend_count <= TOP_TREND);
	if (length > shot->trend_count)
		length = shot->trend_count;
	if (length == 0)
		return;
	share -= length;
	for (size_t i = 0; i < length; i++)
		largest = fmax(largest, share[i]);
	buffer_putc(to, '|');
	for (size_t i = 0; i < length; i++) {
		double part = largest > 0 ? share[i] / largest * (double)levels : 0;
		size_t at = part >= 1 ? (size_t)ceil(part) - 1 : 0;

		buffer_puts(to, share[i] > 0 ? level[at] : " ");
	}
	buffer_putc(to, '|');
}

static nsec_t open_length(const struct top_shot *shot)
{
	return shot->end > shot->open.since ? shot->end - shot->open.since : 0;
}

/* ", behind a[7]", or all that have the other end open: ", behind a[7] or b[8]" */
static void open_behind_append(struct buffer *to, const struct top_open *open)
{
	const struct task *task = open->has_behind ? &open->behind : open->holder;
	size_t count = open->has_behind ? 1 : open->holder_count;

	for (size_t i = 0; i < count; i++) {
		buffer_puts(to, i == 0 ? ", behind " : i + 1 < count ? ", " : " or ");
		task_text_append(to, &task[i]);
	}
}

void top_longest_append(struct buffer *to, const struct top_shot *shot)
{
	const struct top_open *open = &shot->open;

	if (!shot->has_open) {
		buffer_puts(to, "no task waits now");
		if (shot->queued_now > 0)
			but_for_cpu_append(to, shot);
		return;
	}
	task_text_append(to, &open->task);
	if (open->letter == 'S') {
		buffer_puts(to, " asleep");
	} else if (open->letter == 'T') {
		buffer_puts(to, " stopped");
	} else {
		buffer_puts(to, " in ");
		buffer_puts_clean(to, &open->letter, 1);
	}
	buffer_puts(to, open->is_since_begin ? " for over " : " for ");
	buffer_puts(to, DURATION_TEXT(open_length(shot)));
	if (open->has_cause) {
		buffer_puts(to, ": ");
		cause_awaited_append_beside(to, &open->cause,
		                            open->has_behind ? &open->behind : NULL);
		buffer_puts(to, open->object ? open->object : "");
	}
	open_behind_append(to, open);
}

void top_longest_append_short(struct buffer *to, const struct top_shot *shot)
{
	const struct top_open *open = &shot->open;

	if (!shot->has_open) {
		top_longest_append(to, shot);
		return;
	}
	top_time_append(to, open_length(shot));
	buffer_putc(to, ' ');
	task_text_append(to, &open->task);
	if (open->has_cause) {
		buffer_puts(to, ": ");
		cause_awaited_append(to, &open->cause);
		buffer_puts(to, open->object ? open->object : "");
	}
}

const char *top_by_word(enum top_by by)
{
	switch (by) {
	case TOP_BY_TASK:
		return "tasks";
	case TOP_BY_CGROUP:
		return "cgroups";
	case TOP_BY_COMM:
		break;
	}
	return "comms";
}

const char *top_name_head(enum top_by by)
{
	return by == TOP_BY_CGROUP ? "CGROUP" : "TASK";
}

static bool row_is_task(const struct top_row *row)
{
	return row->task.tid >= 0;
}

void top_row_name_append(struct buffer *to, const struct top_row *row)
{
	if (row_is_task(row))
		task_text_append(to, &row->task);
	else
		clean_append(to, row->name);
}

/* Appends a cause to which the head FOR leads: without a "for" of its own. */
static void row_for_append(struct buffer *to, const struct top_row *row, const struct task *behind)
{
	_cleanup_(buffer_release) struct buffer cause = {0};
	const char *text;

	if (!row->has_cause)
		return;
	buffer_init(&cause, BUFFER_LIMIT_DEFAULT);
	cause_awaited_append_beside(&cause, &row->cause, behind);
	aim_behind_append(&cause, &row->aim, &row->cause);
	text = cause.text;
	buffer_puts(to, strncmp(text, "for ", strlen("for ")) == 0 ? text + strlen("for ") : text);
	if (row->cause_waits > 1)
		buffer_printf(to, ", %s times", COUNT_TEXT(row->cause_waits));
}

void top_row_for_append(struct buffer *to, const struct top_row *row)
{
	row_for_append(to, row, NULL);
}

void top_row_for_append_beside(struct buffer *to, const struct top_row *row)
{
	row_for_append(to, row, row->has_behind ? &row->behind : NULL);
}

void top_row_behind_append(struct buffer *to, const struct top_row *row)
{
	if (!row->has_behind)
		return;
	if (row_is_task(row))
		task_text_append(to, &row->behind);
	else
		clean_append(to, row->behind.comm);
}

void top_none_append(struct buffer *to, const struct top_shot *shot)
{
	uint32_t first = shot->asleep ? shot->asleep : shot->stopped;

	if (first == 0) {
		buffer_puts(to, "(none)");
		return;
	}
	buffer_printf(to, "(nothing ran: %s task%s %s", COUNT_TEXT(first), format_plural(first),
	              shot->asleep ? "asleep" : "stopped");
	if (shot->asleep && shot->stopped)
		buffer_printf(to, ", %s stopped", COUNT_TEXT(shot->stopped));
	buffer_putc(to, ')');
}

void save_name_append(struct buffer *to, const struct tm *time, unsigned attempt)
{
	buffer_printf(to, "ftwait-%02d%02d%02d", time->tm_hour, time->tm_min, time->tm_sec);
	if (attempt > 1)
		buffer_printf(to, "-%u", attempt);
	buffer_puts(to, ".dat");
}

void save_result_append(struct buffer *to, nsec_t duration, uint64_t bytes, const char *name,
                        bool is_short)
{
	buffer_printf(to, "%.1f s%s, %s -> %s", (double)duration / 1e9,
	              is_short ? " (too little memory for more)" : "", SIZE_TEXT(bytes), name);
}
