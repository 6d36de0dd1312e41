/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "top_words.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "analysis/tables/machine_time.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "sentences/say.h"
#include "sentences/thresholds.h"
#include "words/cause/aim_kind.h"
#include "words/cause/cause_words.h"
#include "words/time_scale.h"

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
		buffer_printf(to, "%" PRIu64 ".%" PRIu64 " ms", time / 1000000, time / 100000 % 10);
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
	say(to, NULL, "ftwait top[  {foreign}][  {foreign}][  {number} CPU{|s}]",
	    FOREIGN(shot->host), FOREIGN(shot->kernel),
	    WHEN(shot->cpu_count, NUMBER(shot->cpu_count)));
}

void top_clock_append(struct buffer *to, const struct top_shot *shot)
{
	if (shot->day_ns)
		time_of_day_append(to, shot->day_ns, shot->day_ns, 0);
	say(to, NULL, "[{if}[{if}  ]own CPU {ratio}]", IF(shot->has_own_cpu), IF(shot->day_ns),
	    RATIO(shot->own_cpu));
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

void top_rate_append(struct buffer *to, const struct top_shot *shot)
{
	_cleanup_(buffer_release) struct buffer kinds = {0};
	uint64_t shown = 0;

	for (unsigned i = 0; i < SHOWN_KINDS; i++) {
		enum cause_kind kind = longest_kind(shot, shown);
		double part;

		if (kind == CAUSE_KIND_COUNT)
			break;
		part = nsec_ratio(shot->by_kind[kind], shot->waiting);
		say(&kinds, NULL, "{,}{text} [{if}<1 %|{share}]", TEXT(cause_kind_words(kind)),
		    IF(part * 100 < 0.5), SHARE(part));
		shown |= UINT64_C(1) << kind;
	}
	/* the longest wait is shown, but nothing shows that it holds its task up; standing in a run
	   queue is no wait, but where there is too little CPU, "no waits" misleads */
	say(to, NULL, "{count} events/s, {count} lost | [{if}waiting for[ {text}]|[{if}no task "
	              "held up|no waits][{if} but for a CPU]]",
	    COUNT(nsec_per_second(shot->events, shot->end - shot->begin)), COUNT(shot->lost),
	    IF(shot->waiting), TEXT(kinds.text), IF(shot->has_open && shot->open.has_cause),
	    IF(top_is_cpu_too_little(shot)));
}

void top_queue_append(struct buffer *to, const struct top_shot *shot)
{
	_cleanup_(buffer_release) struct buffer p50 = {0}, p99 = {0}, max = {0};

	top_time_append(&p50, shot->wait_p50);
	top_time_append(&p99, shot->wait_p99);
	top_time_append(&max, shot->wait_max);
	say(to, NULL, "[" TOO_LITTLE_CPU ": {decimal} tasks|{count} task{|s} queued][ for {number} "
	              "CPU{|s}]; [{if}waits p50 {text}, p99 {text}, max {text}|no wait ended]",
	    WHEN(top_is_cpu_too_little(shot), DECIMAL(top_cpu_demand(shot))),
	    COUNT(shot->queued_now), WHEN(shot->cpu_count, NUMBER(shot->cpu_count)),
	    IF(shot->wait_count), TEXT(p50.text), TEXT(p99.text), TEXT(max.text));
}

void top_requests_append(struct buffer *to, const struct top_shot *shot)
{
	const struct top_requests *of = &shot->requests;
	_cleanup_(buffer_release) struct buffer p50 = {0}, p99 = {0};

	if (of->count == 0)
		return;
	top_time_append(&p50, of->median);
	top_time_append(&p99, of->p99);
	say(to, NULL, "{foreign}: {count} request{|s} that it [{if}answered|sent]: p50 {text}, p99 "
	              "{text}[; {count} of {count} slow one{|s}: {text}]",
	    FOREIGN(of->comm), COUNT(of->count), IF(of->is_server), TEXT(p50.text), TEXT(p99.text),
	    WHEN(of->reason, COUNT(of->votes)), COUNT(of->far), TEXT(of->reason));
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

/* What it waits for, in words; nothing if that is not known. */
static void open_cause_append(struct buffer *to, const struct top_open *open,
                              const struct task *behind)
{
	if (!open->has_cause)
		return;
	cause_awaited_append_beside(to, &open->cause, behind);
	buffer_puts(to, open->object ? open->object : "");
}

void top_longest_append(struct buffer *to, const struct top_shot *shot)
{
	const struct top_open *open = &shot->open;
	const struct task *task = open->has_behind ? &open->behind : open->holder;
	size_t count = open->has_behind ? 1 : open->holder_count;
	_cleanup_(buffer_release) struct buffer cause = {0}, behind = {0};

	if (!shot->has_open) {
		say(to, NULL, "no task waits now[{if} but for a CPU]",
		    IF(shot->queued_now > 0 && top_is_cpu_too_little(shot)));
		return;
	}
	open_cause_append(&cause, open, open->has_behind ? task : NULL);
	/* all that have the other end open: "a[7], b[8] or c[9]" */
	for (size_t i = 0; i < count; i++)
		say(&behind, NULL, "[{if}|{if}, | or ]{task}", IF(i == 0), IF(i + 1 < count),
		    TASK_OF(&task[i]));
	say(to, NULL, "{task} [{if}asleep|{if}stopped|in {foreign}] for [{if}over ]{time}[: {text}]"
	              "[, behind {text}]",
	    TASK_OF(&open->task), IF(open->letter == 'S'), IF(open->letter == 'T'),
	    FOREIGN(((const char[]){open->letter, '\0'})), IF(open->is_since_begin),
	    TIME(open_length(shot)), TEXT(cause.text), TEXT(behind.text));
}

void top_longest_append_short(struct buffer *to, const struct top_shot *shot)
{
	_cleanup_(buffer_release) struct buffer time = {0}, cause = {0};

	if (!shot->has_open) {
		top_longest_append(to, shot);
		return;
	}
	top_time_append(&time, open_length(shot));
	open_cause_append(&cause, &shot->open, NULL);
	say(to, NULL, "{text} {task}[: {text}]", TEXT(time.text), TASK_OF(&shot->open.task),
	    TEXT(cause.text));
}

const char *top_by_word(enum top_by by)
{
	static const char *const words[] = {
		[TOP_BY_COMM] = "comms", [TOP_BY_TASK] = "tasks", [TOP_BY_CGROUP] = "cgroups",
	};

	assert(by < ARRAY_SIZE(words));
	return words[by];
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
	say(to, NULL, "[{task}|{foreign}]", WHEN(row_is_task(row), TASK_OF(&row->task)),
	    FOREIGN(row->name));
}

/* Appends a cause to which the head FOR leads: without a "for" of its own. */
static void row_for_append(struct buffer *to, const struct top_row *row, const struct task *behind)
{
	_cleanup_(buffer_release) struct buffer cause = buffer_of(BUFFER_LIMIT_DEFAULT);
	const char *text;

	if (!row->has_cause)
		return;
	cause_awaited_append_beside(&cause, &row->cause, behind);
	aim_behind_append(&cause, &row->aim, &row->cause);
	text = cause.text;
	say(to, NULL, "{text}[, {count} times]",
	    TEXT(strncmp(text, "for ", strlen("for ")) == 0 ? text + strlen("for ") : text),
	    WHEN(row->cause_waits > 1, COUNT(row->cause_waits)));
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
	say(to, NULL, "[{if}[{task}|{foreign}]]", IF(row->has_behind),
	    WHEN(row_is_task(row), TASK_OF(&row->behind)), FOREIGN(row->behind.comm));
}

void top_none_append(struct buffer *to, const struct top_shot *shot)
{
	uint32_t first = shot->asleep ? shot->asleep : shot->stopped;

	say(to, NULL, "([{if}nothing ran: {count} task{|s} [{if}asleep|stopped][, {count} stopped]|"
	              "none])",
	    IF(first), COUNT(first), IF(shot->asleep),
	    WHEN(shot->asleep && shot->stopped, COUNT(shot->stopped)));
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
	say(to, NULL, "{decimal} s[{if} (too little memory for more)], {size} -> {text}",
	    DECIMAL((double)duration / 1e9), IF(is_short), SIZE(bytes), TEXT(name));
}
