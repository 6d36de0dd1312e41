/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How late tasks run after the times for which they had set timers, and in which part of the way:
 * the timer's slack, the interrupt, the timer's callback, the run queue. A window contains the
 * timers that should have expired in it, as a whole.
 */

#include "analysis/analysis.h"
#include "analysis/tables/distribution.h"
#include "analysis/tables/interval_gate.h"
#include "analysis/tables/relation.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/buffer.h"
#include "base/text/format.h"
#include "sentences/say.h"

/* Further rows are left out: each may take 20 KB. */
#define ROWS_MAX (1u << 14)

enum lateness_part {
	PART_SLACK,     /* the kernel may let the timer wait for so long */
	PART_INTERRUPT, /* until the kernel looks for expired timers */
	PART_HANDLER,   /* until the timer's callback wakes the task */
	PART_QUEUE,     /* until the task runs */
	PARTS,
};

struct lateness {
	nsec_t part[PARTS];
};

/* The timers of one task with one callback. */
struct timer_row {
	struct timer_key {
		uint32_t track, function;
	} key;
	struct distribution late, part[PARTS];
	uint64_t awake; /* timers that expired before the task slept */
	struct lateness worst; /* the latest one */
};

struct timers_view {
	GATED_VIEW;
	struct tally rows;
};

/* When lateness begins: when the task wanted to run, or when it armed the timer, if that was later.
   What lies before is the task's own lateness. */
static nsec_t late_since(const struct interval *interval)
{
	return nsec_max(interval->begin, interval->expiry.armed);
}

static struct lateness lateness_of(const struct interval *interval)
{
	const struct expiry_interval *expiry = &interval->expiry;
	nsec_t since = late_since(interval), due = nsec_max(since, expiry->due);

	return (struct lateness){{
		[PART_SLACK] = due - since,
		[PART_INTERRUPT] = expiry->read - due,
		[PART_HANDLER] = expiry->woken - expiry->read,
		[PART_QUEUE] = interval->end - expiry->woken,
	}};
}

static void timers_add(void *state, const struct interval *interval)
{
	struct timers_view *view = state;
	struct timer_row *row = tally_row(
		&view->rows, &(struct timer_key){interval->task, interval->expiry.function});
	struct lateness lateness = lateness_of(interval);
	nsec_t since = late_since(interval), late = interval->end - since;

	if (!row)
		return;
	if (row->late.count == 0 || late > row->late.max)
		row->worst = lateness;
	distribution_add(&row->late, late, since);
	for (size_t i = 0; i < PARTS; i++)
		distribution_add(&row->part[i], lateness.part[i], since);
	row->awake += !interval->expiry.has_slept;
}

static void timers_on_interval(void *state, const struct interval *interval)
{
	struct timers_view *view = state;
	const struct question *question = view->question;

	if (interval->end - late_since(interval) >= question->asked->min &&
	    question_asks_cpu(question, interval->cpu))
		interval_gate_pass(view, interval);
}

static const char *const sort_keys[] = {"max", "total", "count", NULL};

#define AT(member) RELATION_AT(struct timer_row, member)

static const struct measure by_key[] = {{AT(late.max)}, {AT(late.total)}, {AT(late.count)}};
_Static_assert(ARRAY_SIZE(by_key) + 1 == ARRAY_SIZE(sort_keys), "a figure for each key");

static const struct field fields[] = {
	{"task", "TASK", CELL_TASK, 0, AT(key.track)},
	{"function", "TIMER", CELL_TEXT, COLUMN_SPARE(1), AT(key.function)},
	{"count", "COUNT", CELL_COUNT, COLUMN_TEXT_ONLY | COLUMN_SPARE(4), AT(late.count)},
	{"late", "LATE P50 / P99 / MAX", CELL_DISTRIBUTION, 0, AT(late)},
	{"max_at_ns", "MAX AT", CELL_INSTANT, COLUMN_TEXT_ONLY | COLUMN_SPARE(3), AT(late.max_at)},
	{"slack", "SLACK P50 / P99 / MAX", CELL_DISTRIBUTION, COLUMN_USEFUL(1),
	 AT(part[PART_SLACK])},
	{"interrupt", "INTERRUPT P50 / P99 / MAX", CELL_DISTRIBUTION, COLUMN_USEFUL(3),
	 AT(part[PART_INTERRUPT])},
	{"handler", "HANDLER P50 / P99 / MAX", CELL_DISTRIBUTION, COLUMN_USEFUL(2),
	 AT(part[PART_HANDLER])},
	{"run_queue", "RUN QUEUE P50 / P99 / MAX", CELL_DISTRIBUTION, COLUMN_USEFUL(4),
	 AT(part[PART_QUEUE])},
	{"before_sleep", "BEFORE SLEEP", CELL_COUNT, COLUMN_DATA_ONLY, AT(awake)},
};

static const struct relation_form form = {
	"tasks",
	"Tasks, by their latest timer",
	FIELDS(fields),
	/* what kept the timer's interrupt back is no part of the path */
	.next = LINK_PATH("task", "late", "late+late") " --events",
	.sort_keys = sort_keys,
	.by_key = by_key,
	.if_asked = {AT(key.track)},
	.rows_named = "tasks with timers",
	.lost_named = "timers",
};

/* "50.000 us slack, 2.000 us interrupt": the parts of it that took any time. */
static void lateness_append(struct buffer *to, const struct lateness *lateness)
{
	static const char *const words[PARTS] = {
		[PART_SLACK] = "slack",
		[PART_INTERRUPT] = "until the interrupt",
		[PART_HANDLER] = "in handlers",
		[PART_QUEUE] = "in a run queue",
	};

	for (size_t i = 0; i < PARTS; i++) {
		if (lateness->part[i])
			say(to, NULL, "{,}{time} {text}", TIME(lateness->part[i]), TEXT(words[i]));
	}
}

static void timers_print(const struct timers_view *view, const struct relation_rows *rows,
                         const struct distribution_sum *late, const struct output *to)
{
	_cleanup_(buffer_release) struct buffer parts = {0};
	const struct timer_row *most = rows->count ? rows->row[0] : NULL;

	if (!most) {
		prose_put(to, view->question->resolved->seen.has[EVENT_HRTIMER_START]
		                      ? "No task was woken by a high-resolution timer that it had "
		                        "set for itself within the recording."
		                      : "Timers expired, but when tasks had set them is not "
		                        "recorded (timer:hrtimer_start): how late they ran is "
		                        "not known.");
		return;
	}
	for (size_t i = 1; i < rows->count; i++) {
		const struct timer_row *row = rows->row[i];

		if (row->late.max > most->late.max)
			most = row;
	}
	lateness_append(&parts, &most->worst);
	say_to(to, view->question->timeline,
	       "{count} timer{|s}: after half of them the task ran within {time} of the time it "
	       "had set, after 99 of 100 within {time}; latest {task} by {time} (at "
	       "{seconds})[{if}: [{text}]].",
	       COUNT(late->count), TIME(late->p50), TIME(late->p99), TASK(most->key.track),
	       TIME(most->late.max), SECONDS(most->late.max_at), IF(most->late.max),
	       TEXT(parts.text));
}

static void timers_report(const void *state, const struct output *to)
{
	const struct timers_view *view = state;
	const struct question *question = view->question;
	struct relation_rows rows = relation_choose(&view->rows, &form, view, question);
	struct distribution all = {0};
	struct distribution_sum late;

	for (size_t i = 0; i < rows.count; i++)
		distribution_merge(&all, &((const struct timer_row *)rows.row[i])->late);
	distribution_sum(&all, &late);
	output_section_begin(to, "timers", "Timers", /* is_list= */ false);
	if (rows.count || !analysis_print_lack(&timers_analysis, question, to))
		timers_print(view, &rows, &late, to);
	output_field(to, "late", NULL,
	             &(struct cell){.type = late.count ? CELL_DISTRIBUTION : CELL_EMPTY,
	                            .distribution = &late});
	relation_show(&form, &rows, view, question, to);
	histogram_show_of(&all, "How late tasks ran after their timers", to);
	output_section_end(to);
	relation_rows_release(&rows);
	distribution_release(&all);
}

static void timers_begin(void *state)
{
	struct timers_view *view = state;

	tally_init(&view->rows, sizeof(struct timer_row), sizeof(struct timer_key), ROWS_MAX);
	view->gate.take = timers_add;
}

static void timers_end(void *state)
{
	struct timers_view *view = state;

	relation_release(&view->rows, &form);
	interval_gate_release(&view->gate);
}

const struct analysis timers_analysis = {
	.name = "timers",
	.about = "how late tasks run after the times for which they set timers, and why",
	.sort_keys = sort_keys,
	.heeds = HEEDS_TASKS | HEEDS_CPUS | HEEDS_MIN,
	.needs = EVENT_LIST(EVENT_HRTIMER_ENTRY),
	.groups = "timer",
	.state_bytes = sizeof(struct timers_view),
	.begin = timers_begin,
	.on_interval = timers_on_interval,
	.interval_kinds = INTERVAL_MASK(INTERVAL_EXPIRY),
	.resolve = interval_gate_resolve,
	.report = timers_report,
	.end = timers_end,
};
